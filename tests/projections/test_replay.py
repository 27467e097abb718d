"""Replay: a hand at any step, as each kind of viewer may see it."""

from __future__ import annotations

import pytest

from ledger.access import Caller, operator
from ledger.evolve import begin, evolve
from ledger.refusal import Refused
from ledger.streams.table import Dissolve
from ledger.tiles import UNKNOWN
from ledger.view import state_view
from projections.replay import Replay, hand_at
from tests.world import Club, World

VIEWERS = ("operator", "owner", "recorder", "first", "last")


@pytest.fixture
def club(world: World) -> Club:
    """A club of five members; the fifth sits at no table."""
    return world.once(World.club, world, 5)


def viewer(club: Club, name: str) -> Caller:
    callers = {
        "operator": operator(),
        "owner": club.owner,
        "recorder": club.recorder,
        "other recorder": club.other_recorder,
        "first": club.member(0),
        "last": club.member(3),
        "outsider": club.member(4),
        "elsewhere": Caller("key_x", "club_other", ("owner",)),
    }
    return callers[name]


def replayed(club: Club, who: str, table: str, number: int = 1, step: int | None = None) -> Replay:
    with club.world.database.read() as connection:
        return hand_at(connection, viewer(club, who), table, number, step)


# --- steps ------------------------------------------------------------------------------------


def stepped(replay: Replay) -> list[object]:
    """The states of a hand, one event after another."""
    first, *rest = replay.events
    states = [begin(first.event)]
    for seen in rest:
        states.append(evolve(states[-1], seen.event))
    return [state_view(state) for state in states]


@pytest.mark.parametrize("who", VIEWERS)
def test_jump_is_step(club: Club, who: str) -> None:
    """Jumping to any step of a hand shows what stepping there shows, whoever looks."""
    ended = club.match(hands=1)
    running = club.open()
    club.start(running, actions=8)

    for table in (ended, running):
        states = stepped(replayed(club, who, table))
        jumped = [
            state_view(replayed(club, who, table, step=step).state)
            for step in range(1, len(states) + 1)
        ]
        assert jumped == states


def test_the_last_step(club: Club) -> None:
    """Without a step the hand is shown as it is now."""
    table = club.match(hands=1)
    replay = replayed(club, "owner", table)

    assert replay.step == len(replay.events)
    assert replay.state.end is not None
    assert replay.seats == club.members[:4]


@pytest.mark.parametrize("step", [0, -1, 10_000])
def test_no_such_step(club: Club, step: int) -> None:
    """A step that the hand does not have is refused with the steps that it has."""
    table = club.open()
    club.start(table)
    last = len(replayed(club, "owner", table).events)
    with pytest.raises(Refused) as refused:
        replayed(club, "owner", table, step=step)

    assert refused.value.code == "number_range"
    assert refused.value.params == {"value": step, "low": 1, "high": last}


@pytest.mark.parametrize("caught_up", [True, False])
def test_any_hand_of_a_match(club: Club, caught_up: bool) -> None:
    """Each hand of a match is found, whether or not the list of hands knows it yet."""
    table = club.match(hands=3)
    if caught_up:
        club.catch_up()

    for number in (1, 2, 3):
        replay = replayed(club, "owner", table, number)
        assert replay.state.number == number
        assert replay.state.end is not None
        assert [seen.stored.type for seen in replay.events].count("HandStarted/2") == 1
        assert replay.events[-1].stored.type == "HandEnded/1"


# --- what is seen while the hand runs ---------------------------------------------------------


@pytest.fixture
def running(club: Club) -> str:
    """A table whose first hand runs, eight actions in."""
    return club.world.once(start, club)


def start(club: Club) -> str:
    table = club.open()
    club.start(table, actions=8)
    return table


def hands_seen(replay: Replay) -> list[int]:
    """The seats whose tiles are seen."""
    return [seat for seat, player in enumerate(replay.state.seats) if UNKNOWN not in player.hand]


@pytest.mark.parametrize(
    ("who", "seats"),
    [("operator", []), ("owner", []), ("recorder", [0, 1, 2, 3]), ("first", [0]), ("last", [3])],
)
def test_tiles_of_a_running_hand(club: Club, running: str, who: str, seats: list[int]) -> None:
    """While the hand runs a member sees his own tiles, its recorder all, everybody else none."""
    last = len(replayed(club, who, running).events)
    for step in range(2, last + 1):
        replay = replayed(club, who, running, step=step)
        assert hands_seen(replay) == seats
        assert [legal is not None for legal in replay.legal] == [seat in seats for seat in range(4)]


@pytest.mark.parametrize("who", VIEWERS)
def test_no_wall_of_a_running_hand(club: Club, running: str, who: str) -> None:
    """Nobody at all sees a tile of the wall or the secret while the hand runs."""
    replay = replayed(club, who, running)

    assert set(replay.state.wall) == {UNKNOWN}
    assert replay.state.secret == ""
    assert state_view(replay.state)["wall"] is None
    assert all(seen.slots[-1] is None for seen in replay.events if seen.slots)


@pytest.mark.parametrize("who", ["owner", "first", "last"])
def test_no_slot_of_another_seat(club: Club, running: str, who: str) -> None:
    """No event of a running hand carries the part of a seat that is not the viewer's."""
    own = {"owner": None, "first": 0, "last": 3}[who]
    for seen in replayed(club, who, running).events:
        shown = {seat for seat, part in enumerate(seen.slots) if part is not None}
        assert shown <= {own}


def test_a_hidden_tile_is_a_question_mark(club: Club, running: str) -> None:
    """In what is shown of a seat that is not the viewer's, every tile in hand is `?`."""
    shown = state_view(replayed(club, "first", running).state)

    assert "?" not in shown["seats"][0]["hand"]
    assert {tile for seat in (1, 2, 3) for tile in shown["seats"][seat]["hand"]} == {"?"}


def test_a_running_hand_has_no_outcome(club: Club, running: str) -> None:
    """What only an ended hand has is not there yet, even for its recorder."""
    replay = replayed(club, "recorder", running)

    assert replay.outcome is None
    assert replay.settled is None


def test_choices_are_those_of_the_viewer(club: Club, running: str) -> None:
    """The recorder is told what whoever is asked may choose, and a member what he may."""
    asked = replayed(club, "recorder", running)
    choices = [choice for legal in asked.legal for choice in legal or ()]
    mine = replayed(club, "first", running)

    assert choices
    assert mine.legal[0] == asked.legal[0]


# --- what is seen when it has ended -----------------------------------------------------------


@pytest.mark.parametrize("who", VIEWERS)
def test_everything_of_an_ended_hand(club: Club, who: str) -> None:
    """When the hand has ended, whoever may see the table sees every tile at every step."""
    table = club.match(hands=1)
    replay = replayed(club, who, table, step=2)

    assert hands_seen(replay) == [0, 1, 2, 3]
    assert UNKNOWN not in replay.state.wall
    assert all(part is not None for seen in replay.events for part in seen.slots)


def test_outcome_and_settlement(club: Club) -> None:
    """An ended hand has its outcome, and the settlement of it once it is settled."""
    table = club.open()
    club.start(table, actions=4)
    club.command(table, Dissolve())
    before = replayed(club, "first", table)
    club.world.settle()
    after = replayed(club, "first", table)

    assert before.outcome is not None
    assert before.outcome.end == "dissolved"
    assert before.settled is None
    assert after.settled is not None
    assert sum(after.settled.totals) == 0
    assert after.position == len(club.log()) > before.position


# --- who may look -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("outsider", "table_not_yours"),
        ("other recorder", "table_not_yours"),
        ("elsewhere", "table_unknown"),
    ],
)
def test_whose_business_it_is_not(club: Club, who: str, code: str) -> None:
    """A member of other tables, another recorder and another club's owner see nothing."""
    table = club.match(hands=1)
    for number in (1, 99):
        with pytest.raises(Refused) as refused:
            replayed(club, who, table, number)
        assert refused.value.code == code


@pytest.mark.parametrize("number", [-1, 0, 2, 10**30])
def test_no_such_hand(club: Club, number: int) -> None:
    """A hand that has not been played is unknown."""
    table = club.match(hands=1)
    club.catch_up()
    with pytest.raises(Refused) as refused:
        replayed(club, "owner", table, number)

    assert refused.value.code == "hand_unknown"


def test_no_hand_yet(club: Club) -> None:
    """A table without a hand has none to show."""
    table = club.open()
    with pytest.raises(Refused) as refused:
        replayed(club, "first", table)

    assert refused.value.code == "hand_unknown"


def test_no_such_table(club: Club) -> None:
    """A table that there is not is unknown."""
    with pytest.raises(Refused) as refused:
        replayed(club, "operator", "tbl_none")

    assert refused.value.code == "table_unknown"

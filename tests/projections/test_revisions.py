"""A hand that was decided anew: in the lists, replayed, and told; seats that change meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger import acts
from ledger import events as e
from ledger.events import Fact, SeatsChanged, Vote
from ledger.refusal import Refused
from ledger.streams.table import KeepPlaying, Wish
from projections import standing
from projections.checkpoint import stopped
from projections.cli import replay as tell
from projections.history import HandRow, club_hands
from projections.replay import Replay, hand_at
from projections.tables import TableRow, Which, club_tables
from tests.projections.booked import Read, correct, decided, dispute, play, reverse
from tests.projections.test_lists import opened
from tests.world import SECOND, Club, ended, settled, started

OUTCOME: dict[str, Any] = {
    "wins": [{"seat": 1, "tile": "5m", "how": "discard", "from": 2, "first_turn": False}]
}


@pytest.fixture
def club(club: Club) -> Club:
    """A club whose first table is open."""
    club.tell("table/tbl_a", opened(club))
    return club


@pytest.fixture
def read(club: Club) -> Read:
    return Read(club)


def hand(read: Read) -> HandRow:
    [found], _ = read(club_hands)
    assert isinstance(found, HandRow)
    return found


def table(read: Read) -> TableRow:
    [found], _ = read(club_tables)
    assert isinstance(found, TableRow)
    return found


def amended(club: Club, number: int = 1) -> None:
    """The hand as its outcome was amended: seat 2 pays 4 to seat 1."""
    as_settled = settled("tbl_a", club.members, ((2, 1, 4),), number)
    club.tell(
        f"hand/tbl_a/{number}",
        e.HandCorrected(
            table="tbl_a",
            number=number,
            ruleset=as_settled.ruleset,
            seats=club.members,
            end="win",
            totals=as_settled.totals,
            payments=as_settled.payments,
            wins=(e.Scored(1, ("ping_hu",), 4),),
            not_counted=(),
            outcome=OUTCOME,
            dispute="dsp_1",
            ended_at=as_settled.ended_at,
            booked_date="2026-12-01",
            effective_date="2026-11-28",
        ),
    )


# --- the list of hands --------------------------------------------------------------------------


def test_a_hand_shows_what_stands(club: Club, read: Read) -> None:
    """Settled, then reversed, then corrected: its points, its revision and by which dispute."""
    play(club, 1, (0, 1, 5))
    first = hand(read)
    reverse(club, 1, (5, -5, 0, 0))
    void = hand(read)
    correct(club, 1, (2, 1, 4))
    second = hand(read)
    assert (first.state, first.totals, first.revision, first.revised_by) == (
        "settled",
        [-5, 5, 0, 0],
        1,
        None,
    )
    assert (void.state, void.totals, void.revision, void.revised_by) == (
        "voided",
        None,
        2,
        "dsp_1",
    )
    assert (second.state, second.totals, second.revision) == ("settled", [0, 4, -4, 0], 3)
    assert (second.end, second.settled_at) == (first.end, first.settled_at)


def test_wins_are_those_that_stand(club: Club, read: Read) -> None:
    """Of an amended outcome its wins; of points alone there are none."""
    won = e.Won(140 * SECOND, 3, "9m", "self_draw", None, "player")
    club.tell("table/tbl_a", started(club.members), won, ended())
    scored = (e.Scored(3, ("ping_hu",), 5),)
    club.tell("hand/tbl_a/1", settled("tbl_a", club.members, ((0, 3, 5),), wins=scored))
    assert [win["seat"] for win in hand(read).wins] == [3]
    reverse(club, 1, (5, 0, 0, -5))
    amended(club)
    assert hand(read).wins == [
        {
            "seat": 1,
            "tile": "5m",
            "how": "discard",
            "from": 2,
            "patterns": ["ping_hu"],
            "value": 4,
        }
    ]
    reverse(club, 1, (0, -4, 4, 0))
    correct(club, 1, (2, 1, 4))
    assert hand(read).wins == []


def test_a_hand_is_disputed_while_somebody_must_decide(club: Club, read: Read) -> None:
    """Filed, decided, appealed, decided for good; then doubted again and withdrawn, expired."""
    play(club, 1, (0, 1, 5))
    seen = [hand(read).disputed]
    dispute(club, "dsp_1")
    seen.append(hand(read).disputed)
    appeal = e.DisputeAppealed(club.members[1], None, "per_2", 13 * SECOND, 20 * SECOND)
    for fact in (decided(final=False), appeal, decided(final=True)):
        club.tell("dispute/dsp_1", fact)
        seen.append(hand(read).disputed)
    assert seen == [False, True, False, True, False]
    ends: tuple[Fact, ...] = (
        e.DisputeWithdrawn(None, "per_1", 30 * SECOND),
        e.DisputeExpired(30 * SECOND),
    )
    for number, end in enumerate(ends, 2):
        dispute(club, f"dsp_{number}")
        assert hand(read).disputed
        club.tell(f"dispute/dsp_{number}", end)
        assert not hand(read).disputed


# --- the list of tables -------------------------------------------------------------------------


def test_a_table_adds_up_what_stands(club: Club, read: Read) -> None:
    play(club, 1, (0, 1, 5))
    play(club, 2, (0, 2, 1))
    assert table(read).totals == [-6, 5, 1, 0]
    reverse(club, 1, (5, -5, 0, 0))
    assert table(read).totals == [-1, 0, 1, 0]
    correct(club, 1, (2, 1, 4))
    assert (table(read).totals, table(read).hands_settled) == ([-1, 4, -3, 0], 2)


def test_points_go_with_the_seats_that_change(club: Club, read: Read) -> None:
    """Given seats 0 and 1 changed between two hands, whenever the first is settled or corrected."""
    club.tell("table/tbl_a", started(club.members, 1), ended(1))
    there = club.log()[-1].position
    changed = (club.members[1], club.members[0], *club.members[2:])
    club.tell("table/tbl_a", SeatsChanged(170 * SECOND, changed, (1, 0, 2, 3)))
    first = replace(settled("tbl_a", club.members, ((0, 1, 5),)), ended_position=there)
    club.tell("hand/tbl_a/1", first)
    assert (table(read).seats, table(read).totals) == (list(changed), [5, -5, 0, 0])
    club.tell("table/tbl_a", started(changed, 2), ended(2))
    second = settled("tbl_a", changed, ((0, 1, 2),), 2)
    club.tell("hand/tbl_a/2", replace(second, ended_position=club.log()[-1].position))
    assert table(read).totals == [3, -3, 0, 0]
    reverse(club, 1, (5, -5, 0, 0))
    correct(club, 1, (0, 1, 1))
    assert table(read).totals == [-1, 1, 0, 0]


def test_who_takes_a_seat_over_has_sat_there(club: Club, read: Read) -> None:
    """The match is his business too, and that of whom he came for; both find it in the list."""
    other = "mem_new"
    seats = (other, *club.members[1:])
    play(club, 1, (0, 1, 5))
    club.tell("table/tbl_a", SeatsChanged(170 * SECOND, seats, (0, 1, 2, 3)))
    club.tell("table/tbl_a", SeatsChanged(180 * SECOND, club.members, (0, 1, 2, 3)))
    assert table(read).totals == [-5, 5, 0, 0]
    for member in (other, club.members[0]):
        [found], _ = read(club_tables, which=Which(member=member))
        assert found.id == "tbl_a"
    with club.world.database.read() as connection:
        assert stopped(connection) == []


# --- replayed and told --------------------------------------------------------------------------


@pytest.fixture
def played(club: Club) -> str:
    """A table whose only hand was dissolved, and is settled: nobody has won anything."""
    return club.world.once(dissolved, club)


def dissolved(club: Club) -> str:
    name = club.open()
    club.start(name, actions=4)
    club.dissolve(name)
    return name


def replayed(club: Club, name: str, step: int | None = None) -> Replay:
    with club.world.database.read() as connection:
        return hand_at(connection, club.owner, name, 1, step)


def revise(club: Club, name: str, *facts: tuple[int, ...] | None) -> None:
    """Let disputes rule on the hand, one after the other: to points, or that it is void."""
    stands: tuple[int, ...] | None = (0, 0, 0, 0)
    for number, totals in enumerate(facts, 1):
        about: dict[str, Any] = {
            "table": name,
            "number": 1,
            "seats": club.members,
            "dispute": f"dsp_{number}",
            "ended_at": SECOND,
            "booked_date": "2026-12-01",
            "effective_date": "2026-11-28",
        }
        if stands is not None:
            undone = tuple(-points for points in stands)
            club.tell(f"hand/{name}/1", e.HandReversed(**about, revision=1, totals=undone))
        if totals is not None:
            told = {"end": "unknown", "outcome": None, "ruleset": "huaihua/1"}
            empty: dict[str, Any] = dict.fromkeys(("payments", "wins", "not_counted"), ())
            fact = e.HandCorrected(**about, **told, **empty, totals=totals)  # type: ignore[arg-type]
            club.tell(f"hand/{name}/1", fact)
        stands = totals


def test_a_replay_has_what_stands_and_what_was_undone(club: Club, played: str) -> None:
    """The settlement, a correction, void, and a correction again: the latest undone comes first."""
    first = replayed(club, played)
    assert (first.revision, first.undone, first.stands) == (1, (), first.booked[0])
    revise(club, played, (3, -1, -1, -1))
    second = replayed(club, played)
    assert second.settled is not None
    assert (second.settled.totals, second.revision) == ((3, -1, -1, -1), 3)
    assert [(one.revision, one.undone_by) for one in second.undone] == [(1, "dsp_1")]
    assert second.position == len(club.log())
    assert second.outcome == first.outcome


def test_a_hand_that_a_ruling_voided_has_nothing_standing(club: Club, played: str) -> None:
    revise(club, played, (3, -1, -1, -1), None)
    void = replayed(club, played)
    assert (void.stands, void.settled, void.revision) == (None, None, 4)
    assert [one.undone_by for one in void.undone] == ["dsp_2", "dsp_1"]


def test_a_corrected_hand_is_told_with_what_was_reversed(club: Club, played: str) -> None:
    """What stands comes first, and under it what stood before, the latest first."""
    revise(club, played, (3, -1, -1, -1), (6, -2, -2, -2))
    told = list(tell(club.world.database, played, 1))
    place = told.index("Corrected by dispute dsp_2:")
    codes = [f"{'ABCD'[seat]} M-000{seat + 1}" for seat in range(4)]

    def line(*totals: int) -> str:
        return "  " + "   ".join(
            f"{code} {points:+}" for code, points in zip(codes, totals, strict=True)
        )

    assert told[place:] == [
        "Corrected by dispute dsp_2:",
        line(6, -2, -2, -2),
        "Reversed by dispute dsp_2, what stood as revision 3:",
        "Corrected by dispute dsp_1:",
        line(3, -1, -1, -1),
        "Reversed by dispute dsp_1, what stood as revision 1:",
        line(0, 0, 0, 0),
    ]


def test_a_voided_hand_is_told_with_what_was_reversed(club: Club, played: str) -> None:
    revise(club, played, None)
    told = list(tell(club.world.database, played, 1))
    assert told[-3:-1] == [
        "Nothing is paid: dispute dsp_1 voided it.",
        "Reversed by dispute dsp_1, what stood as revision 1:",
    ]


@pytest.mark.parametrize("caught_up", [True, False])
def test_a_vote_during_a_hand_is_a_step_of_it(club: Club, *, caught_up: bool) -> None:
    """It is replayed and told where it was taken; the tiles lie as they lay."""
    name = club.open()
    club.start(name, actions=4)
    wish = Wish(0, (Vote(1, "agreed", 3), Vote(2, "refused", 9), Vote(3, "silent", 30)))
    acts.on_table(club.desk, name, (KeepPlaying(wish),))
    club.dissolve(name)
    if caught_up:
        club.catch_up()
    replay = replayed(club, name)
    kinds = [seen.stored.type for seen in replay.events]
    step = kinds.index("DissolutionVoted/1") + 1
    assert replayed(club, name, step).state == replayed(club, name, step - 1).state
    told = list(tell(club.world.database, name, 1))
    voted = [line for line in told if "wishes to dissolve" in line]
    assert [line.split("left  ")[1] for line in voted] == [
        "A M-0001 wishes to dissolve the match, B M-0002 agrees, C M-0003 refuses, "
        "D M-0004 says nothing: the match goes on"
    ]


@pytest.mark.parametrize("caught_up", [True, False])
def test_what_comes_when_a_hand_is_over_is_none_of_it(club: Club, *, caught_up: bool) -> None:
    """A vote and other seats between two hands; the one before is told to its own end."""
    name = club.match(hands=1, planned=3)
    before = replayed(club, name)
    acts.on_table(club.desk, name, (KeepPlaying(Wish(0)),))
    a, b, c, d = club.members
    acts.change_seats(club.desk, name, (b, a, c, d))
    if caught_up:
        club.catch_up()
    after = replayed(club, name)
    assert after == before
    assert after.seats == club.members
    assert list(tell(club.world.database, name, 1))
    club.start(name, actions=2)
    with club.world.database.read() as connection:
        second = hand_at(connection, club.owner, name, 2)
    assert second.seats == (b, a, c, d)


def test_a_match_that_players_wished_to_dissolve_is_told_to_its_end(club: Club) -> None:
    name = club.open()
    club.start(name, actions=4)
    wish = Wish(2, (Vote(0, "agreed", 1), Vote(1, "agreed", 2), Vote(3, "agreed", 3)))
    acts.end_table(club.desk, name, dissolve=True, wish=wish)
    club.world.settle()
    told = list(tell(club.world.database, name, 1))
    assert any(line.endswith("D M-0004 agrees: the match is dissolved") for line in told)
    assert any(line.endswith("The hand ends: the match is dissolved.") for line in told)


# --- what is told with a ruling -----------------------------------------------------------------


def test_what_members_had_at_a_position(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of each entry; where the books are not brought there in time, nobody is told anything."""
    database = club.world.database
    first = play(club, 1, (0, 1, 5))
    second = reverse(club, 1, (5, -5, 0, 0))
    two = club.members[:2]
    assert standing.points_at(database, club.id, two, first) == {two[0]: -5, two[1]: 5}
    assert standing.points_at(database, club.id, two, second) == {two[0]: 0, two[1]: 0}
    third = correct(club, 1, (2, 1, 4))
    monkeypatch.setattr(standing, "SECONDS", 0)
    with pytest.raises(Refused) as refused:
        standing.points_at(database, club.id, two, third)
    assert refused.value.code == "books_behind"

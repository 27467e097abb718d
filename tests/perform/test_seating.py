"""Who is asked when seats change, of which day a loss is, and what happens in a closed day."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import asdict

from ledger import acts, audit, closing, codec, dealing, forgetting, governing, seating
from ledger.acts import Opening
from ledger.events import DissolutionVoted, Vote
from ledger.refusal import Refused
from ledger.streams.club import NO_LIMITS, SetLimits
from ledger.streams.table import KeepPlaying, Wish
from projections.dissolutions import club_dissolutions
from tests.perform.granted import Office, refusal
from tests.world import KEY, OPTIONS, SECOND, World

HOUR = 3600 * SECOND
DAY = 24 * HOUR


class Room(Office):
    """A club of six with a game server."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.server = self.desk("recorder")

    def limit(self, **limits: int) -> None:
        governing.set_limits(self.operator, SetLimits(**{**asdict(NO_LIMITS), **limits}))

    def open(self, *seats: int, at: int | None = None) -> str:
        names = tuple(self.members[seat] for seat in seats or (0, 1, 2, 3))
        opening = Opening(KEY, OPTIONS, names, 8, dealer=0, at=at)
        return acts.open_table(self.server, opening).stream.removeprefix("table/")

    def enter(self, table: str, *totals: int, at: int | None = None) -> None:
        dealing.enter_hand(self.server, table, totals=totals, at=at)
        self.world.settle()

    def change(self, table: str, *seats: int) -> None:
        acts.change_seats(self.server, table, tuple(self.members[seat] for seat in seats))


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


# --- seats that change --------------------------------------------------------------------------


def test_who_is_barred_and_stays_is_not_asked_when_another_seat_changes(room: Room) -> None:
    """Given M-0001 who was barred while he played, when M-0005 comes for M-0002, then he may."""
    table = room.open()
    room.enter(table, -9, 3, 3, 3)
    governing.bar(room.operator, room.members[0], None)
    room.change(table, 0, 4, 2, 3)
    room.change(table, 4, 0, 2, 3)
    room.enter(table, 0, 0, 0, 0)
    room.check_sound()


def test_who_stays_below_the_entry_floor_is_not_asked_either(room: Room) -> None:
    """Given a floor of -50 and M-0001 with -90, then he plays on, and M-0005 comes in."""
    table = room.open()
    room.enter(table, -90, 30, 30, 30)
    room.limit(entry_floor=-50)
    room.change(table, 0, 4, 2, 3)
    room.enter(table, -9, 3, 3, 3)
    assert room.points() == [-99, 30, 33, 33, 3, 0]
    room.check_sound()


def test_whoever_comes_in_is_asked(room: Room) -> None:
    """Barred or below the floor: at the place of his seat."""
    table = room.open()
    room.enter(table, -90, 30, 30, 30)
    governing.bar(room.operator, room.members[4], None)
    with pytest.raises(Refused) as refused:
        room.change(table, 0, 1, 4, 3)
    assert refusal(refused) == ("member_barred", "/seats/2")
    room.change(table, 5, 1, 2, 3)
    room.limit(entry_floor=-50)
    with pytest.raises(Refused) as refused:
        room.change(table, 5, 0, 2, 3)
    assert refusal(refused) == ("below_entry_floor", "/seats/1")


def test_who_was_forgotten_takes_no_seat_and_gets_no_key(room: Room) -> None:
    forgotten, gone = room.members[0], room.members[1]
    forgetting.forget_member(room.world.ledger, room.club.id, forgotten)
    governing.leave(room.operator, gone, None)
    with pytest.raises(Refused) as refused:
        room.open(2, 3, 4, 0)
    assert refusal(refused) == ("member_forgotten", "/seats/3")
    table = room.open(2, 3, 4, 5)
    with pytest.raises(Refused) as refused:
        room.change(table, 2, 3, 4, 0)
    assert refusal(refused) == ("member_forgotten", "/seats/3")
    for member, code in ((forgotten, "member_forgotten"), (gone, "member_left")):
        with pytest.raises(Refused) as refused:
            acts.issue_key(room.operator, ("member",), "his phone", member)
        assert refusal(refused) == (code, "/member")
    room.check_sound()


# --- the loss of a day --------------------------------------------------------------------------


def test_the_loss_is_that_of_the_day_of_the_hand(room: Room) -> None:
    """Given 90 lost yesterday, when another hand of yesterday is told, then it is one too many.

    One of today is not: today nobody has lost anything.
    """
    room.world.now += DAY
    room.limit(day_loss=50)
    yesterday = room.world.now - DAY
    table = room.open(at=yesterday)
    room.enter(table, -90, 30, 30, 30, at=yesterday + HOUR)
    with pytest.raises(Refused) as refused:
        room.enter(table, 0, 0, 0, 0, at=yesterday + 2 * HOUR)
    assert refused.value.code == "day_loss_reached"
    room.enter(table, -9, 3, 3, 3)
    assert room.points()[0] == -99
    room.check_sound()


def test_the_loss_is_that_of_the_day_on_which_one_sits_down(room: Room) -> None:
    """Given 90 lost yesterday, then no table of yesterday is opened with him, and one of today."""
    room.world.now += DAY
    room.limit(day_loss=50, tables=3)
    yesterday = room.world.now - DAY
    room.enter(room.open(at=yesterday), -90, 30, 30, 30, at=yesterday + HOUR)
    with pytest.raises(Refused) as refused:
        room.open(at=yesterday + HOUR)
    assert refusal(refused) == ("day_loss_reached", "/seats/0")
    room.open()


# --- closed days --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["dealt", "entered"])
def test_no_hand_starts_in_a_day_that_is_closed(room: Room, way: str) -> None:
    """Given the books closed over 2027-01-15, then no hand of that day is told any more."""
    room.world.now += DAY
    closing.close(room.desk("owner"), "2027-01-15", "carry", None)
    table, at = room.open(at=room.world.now - DAY), room.world.now - DAY + HOUR
    starts: dict[str, Callable[[], object]] = {
        "dealt": lambda: dealing.start_hand(room.server, table, at=at),
        "entered": lambda: room.enter(table, 9, -3, -3, -3, at=at),
    }
    with pytest.raises(Refused) as refused:
        starts[way]()
    assert refused.value.code == "period_closed"
    dealing.start_hand(room.server, table)
    room.check_sound()


def test_an_audit_finds_a_hand_that_started_in_a_closed_day(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.world.now += DAY
    closing.close(room.desk("owner"), "2027-01-15", "carry", None)
    table, at = room.open(at=room.world.now - DAY), room.world.now - DAY + HOUR
    monkeypatch.setattr(seating, "check_open_day", lambda *_: None)
    started = dealing.start_hand(room.server, table, at=at)
    fault = audit.verify(room.world.database, room.club.id).fault
    assert fault is not None
    assert (fault.position, fault.why, fault.code) == (started.first, "refused", "period_closed")


# --- votes --------------------------------------------------------------------------------------


def test_a_vote_tells_the_points_of_who_sits_there(room: Room) -> None:
    """Given M-0001 with 30 points who has moved to seat 3, when seat 3 wishes, then he has 30."""
    table = room.open()
    room.enter(table, 30, -10, -10, -10)
    room.change(table, 3, 1, 2, 0)
    votes = (Vote(0, "agreed", 1), Vote(1, "refused", 2))
    acts.on_table(room.server, table, (KeepPlaying(Wish(3, votes)),))
    facts = [codec.unseal(row.type, row.public).fact for row in room.club.log()]
    [voted] = [fact for fact in facts if isinstance(fact, DissolutionVoted)]
    assert voted.scores == (-10, -10, -10, 30)
    room.club.catch_up()
    with room.world.database.read() as connection:
        [one], _ = club_dissolutions(connection, room.club.id)
    assert (one.requester, one.points, one.scores) == (room.members[0], 30, [-10, -10, -10, 30])
    room.check_sound()


def test_a_match_is_not_dissolved_by_a_vote_to_which_nobody_agreed(room: Room) -> None:
    table = room.open()
    room.enter(table, 30, -10, -10, -10)
    refusals = tuple(Vote(seat, "refused", 1) for seat in (1, 2, 3))
    with pytest.raises(Refused) as refused:
        acts.end_table(room.server, table, dissolve=True, wish=Wish(0, refusals))
    assert refusal(refused) == ("vote_contradicts", "/wish/votes")
    room.enter(table, 9, -3, -3, -3)
    room.check_sound()

"""What somebody else does between the reading of the books and the writing is looked at again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import asdict

from ledger import (
    acts,
    audit,
    booked,
    closing,
    codec,
    dealing,
    governing,
    granting,
    limiting,
    rights,
)
from ledger.access import Caller, find_text
from ledger.database import Database
from ledger.events import HandStarted, Line, PeriodClosed
from ledger.granting import Grant
from ledger.refusal import Refused
from ledger.streams.club import NO_LIMITS, SetLimits
from projections import standing
from projections.balances import balances_true
from tests.world import SECOND, Club, World

DAY = 24 * 3600 * SECOND
BEFORE = "2027-01-15"


class Meanwhile:
    """Books that let something happen once, just after they were read."""

    def __init__(self, happen: Callable[[], object]) -> None:
        self.happen: Callable[[], object] | None = happen

    def __getattr__(self, name: str) -> Any:
        return getattr(standing, name)

    def _once(self) -> None:
        happen, self.happen = self.happen, None
        if happen is not None:
            happen()

    def closing(self, database: Database, club: str, last: str) -> Any:
        read = standing.closing(database, club, last)
        self._once()
        return read


@pytest.fixture
def club(world: World) -> Club:
    """A club whose books are asked."""
    world.ledger = replace(world.ledger, books=standing)
    club = world.club(5)
    club.issue_keys()
    return club


def give(club: Club, points: int, day: str | None = None) -> str:
    """Points for the first member; the allowance's id."""
    grant = Grant("allowance", (Line(club.members[0], points),), "other", None, day)
    done = granting.request(club.desk_of_owner, grant)
    return done.stream.removeprefix("allowance/")


def limit(club: Club, **limits: int) -> None:
    """Let the club have limits."""
    governing.set_limits(club.desk_of_owner, SetLimits(**{**asdict(NO_LIMITS), **limits}))


def facts(club: Club, kind: type) -> list[Any]:
    """What events of a type say."""
    told = (codec.unseal(row.type, row.public).fact for row in club.log())
    return [fact for fact in told if isinstance(fact, kind)]


@pytest.mark.parametrize("what", ["given", "taken back"])
def test_a_closing_tells_what_was_booked_while_it_was_read(club: Club, what: str) -> None:
    """Given points booked for the closed day in between, then they are cleared with the others."""
    world = club.world
    first = give(club, 50)
    world.now += DAY

    def booked() -> None:
        if what == "given":
            give(club, 1000, BEFORE)
        else:
            granting.reverse(club.desk_of_owner, first, "a mistake")

    world.ledger = replace(world.ledger, books=Meanwhile(booked))
    closing.close(club.desk_of_owner, BEFORE, "clear", None)

    club.catch_up()
    [closed] = facts(club, PeriodClosed)
    points = {"given": (Line(club.members[0], 1050),), "taken back": ()}[what]
    assert closed.balances == points
    with world.database.read() as connection:
        assert balances_true(connection, club.id, BEFORE) == {}
    assert audit.verify(world.database, club.id).fault is None


def test_books_that_never_rest_are_not_closed(club: Club) -> None:
    """Given something booked at every reading, then the closing is refused and nothing written."""
    world = club.world
    world.now += DAY

    class Restless(Meanwhile):
        def _once(self) -> None:
            give(club, 1, BEFORE)

    world.ledger = replace(world.ledger, books=Restless(lambda: None))
    with pytest.raises(Refused) as refused:
        closing.close(club.desk_of_owner, BEFORE, "clear", None)
    assert refused.value.code == "books_moved"
    assert facts(club, PeriodClosed) == []


def test_a_closing_that_tells_less_is_found(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a server that does not look again, then the audit names its closing."""
    world = club.world
    give(club, 50)
    world.now += DAY
    world.ledger = replace(world.ledger, books=Meanwhile(lambda: give(club, 1000, BEFORE)))
    monkeypatch.setattr(booked, "moved_since", lambda *_: False)
    closing.close(club.desk_of_owner, BEFORE, "clear", None)

    fault = audit.verify(world.database, club.id).fault
    assert fault is not None
    assert (fault.stream, fault.code) == (f"period/{club.id}", "balances_otherwise")


def test_of_two_hands_entered_at_once_the_second_waits_for_the_first(club: Club) -> None:
    """Given a floor below which nobody plays on, then nobody gets below it by being quick."""
    limit(club, pause_floor=-50)
    table = club.open(hands=4)
    together, came = threading.Barrier(2), []

    def enter() -> None:
        together.wait()
        try:
            dealing.enter_hand(club.desk, table, totals=(-300, 100, 100, 100))
            came.append("entered")
        except Refused as refusal:
            came.append(refusal.code)

    threads = [threading.Thread(target=enter) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["entered", "settlement_pending"]


def test_who_sits_down_meanwhile_is_asked_too(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given another one in a seat when the hand starts, then it starts under his balance."""
    limit(club, pause_floor=-50)
    give(club, 77)
    table = club.open(hands=4)
    real, left = limiting.admission, [1]

    def admission(*asked: Any) -> limiting.Admitted:
        admitted = real(*asked)
        if left:
            left.pop()
            acts.change_seats(club.desk, table, club.members[1:5])
        return admitted

    monkeypatch.setattr(limiting, "admission", admission)
    dealing.start_hand(club.desk, table)

    [started] = facts(club, HandStarted)
    with club.world.database.read() as connection:
        told = find_text(connection, club.id, started.balances)
    assert started.seats == club.members[1:5]
    assert told == ", ".join(f"{member} 0" for member in club.members[1:5])


def test_what_members_have_stands_in_no_event_that_others_read(club: Club) -> None:
    """Given limits about points, then the first event of a hand has a digest of the balances."""
    limit(club, pause_floor=-50)
    give(club, 54321)
    table = club.open()
    dealing.start_hand(club.desk, table)

    [started] = facts(club, HandStarted)
    assert len(bytes.fromhex(started.balances)) == 32
    assert started.balances_at > 0
    public = b"".join(row.public for row in club.log() if row.type == "HandStarted/2")
    assert b"54321" not in public


def test_a_person_who_is_another_member_by_now_asks_again() -> None:
    """Given a membership that moved to another member, then what was asked for is refused."""
    asked = Caller("per_1", "club_1", ("member",), "mem_1", "ses_1")
    with pytest.raises(Refused) as refused:
        rights.check_same(asked, Caller("per_1", "club_1", ("member",), "mem_2", "ses_1"))
    assert refused.value.code == "caller_changed"

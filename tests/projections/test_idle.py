"""Idle hands: those that run, and in which nothing happened for half an hour."""

from __future__ import annotations

import pytest

from ledger.events import Dealt, Fact, HandVoided
from ledger.keyset import Page
from ledger.refusal import Refused
from projections.idle import IDLE_AFTER, IdleHand, idle_hands
from tests.world import Club, ended, started

HALF_AN_HOUR = 1_800_000_000


def start(club: Club, table: str, number: int = 1) -> None:
    """A hand is started at a table, and dealt."""
    club.tell(f"table/{table}", started(club.members, number), Dealt(1))


def idle(club: Club, later: int = 0, page: Page | None = None) -> list[IdleHand]:
    """The idle hands so long after the last event of the club's log."""
    club.catch_up()
    now = club.log()[-1].recorded_at + later
    with club.world.database.read() as connection:
        rows, _ = idle_hands(connection, club.id, now, page or Page())
    return rows


def test_a_hand_that_stands_still(club: Club) -> None:
    """It is told with the last thing that happened at its table."""
    start(club, "tbl_a")
    *_, begun, last = club.log()

    [one] = idle(club, HALF_AN_HOUR)
    assert (one.id, one.table, one.number) == ("tbl_a-1", "tbl_a", 1)
    assert (one.last_position, one.last_at) == (last.position, last.recorded_at)
    assert (one.started_position, one.started_at) == (begun.position, 100_000_000)
    assert (one.seats, one.recorder) == (list(club.members), "key_recorder")


def test_not_before_half_an_hour(club: Club) -> None:
    start(club, "tbl_a")

    assert IDLE_AFTER == HALF_AN_HOUR
    assert idle(club, HALF_AN_HOUR - 1) == []


def test_what_happens_elsewhere_does_not_count(club: Club) -> None:
    """A table is as idle as its own last event, however busy the others are."""
    start(club, "tbl_a")
    club.world.now += HALF_AN_HOUR
    start(club, "tbl_b")

    assert [one.table for one in idle(club)] == ["tbl_a"]


def test_something_happened_at_last(club: Club) -> None:
    """Its time is read from the log: nothing is kept of an action."""
    start(club, "tbl_a")
    club.world.now += HALF_AN_HOUR
    club.tell("table/tbl_a", Dealt(1))

    assert idle(club) == []


@pytest.mark.parametrize("end", [ended(), HandVoided(1, "", "", 2)])
def test_a_hand_that_is_over(club: Club, end: Fact) -> None:
    """It does not run any more, so it cannot stand still; the next one can."""
    start(club, "tbl_a")
    club.tell("table/tbl_a", end)

    assert idle(club, HALF_AN_HOUR) == []
    start(club, "tbl_a", 2)
    assert [one.id for one in idle(club, HALF_AN_HOUR)] == ["tbl_a-2"]


def test_pages(club: Club) -> None:
    """The hand that was started first comes first."""
    for table in ("tbl_c", "tbl_a", "tbl_b"):
        start(club, table)

    first, second = idle(club, HALF_AN_HOUR, Page(2))
    assert [first.table, second.table] == ["tbl_c", "tbl_a"]
    rest = idle(club, HALF_AN_HOUR, Page(2, starting_after=second.id))
    assert [one.table for one in rest] == ["tbl_b"]
    with pytest.raises(Refused, match="cursor_unknown"):
        idle(club, HALF_AN_HOUR, Page(2, starting_after="tbl_none-1"))

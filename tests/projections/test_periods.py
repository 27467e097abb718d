"""The list of closings, from events told one by one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from ledger import events as e
from ledger.database import Database
from ledger.events import Line
from ledger.keyset import Page
from ledger.refusal import Refused
from projections.checkpoint import stopped
from projections.periods import (
    PERIODS,
    ClosingBalance,
    PeriodRow,
    balances_of,
    closing_balance,
    club_periods,
    period,
    words,
)
from projections.projection import catch_up, rebuild
from tests.world import SECOND, Club, World

AT = 1000 * SECOND
LATER = 1100 * SECOND


def stream(club: Club) -> str:
    return f"period/{club.id}"


def closed(club: Club, number: int = 1, **to: Any) -> e.PeriodClosed:
    """November is cleared: the third member has 30, the first -10, the second 5."""
    first, second, third, _ = club.members
    told: dict[str, Any] = {
        "number": number,
        "first": "2026-11-01",
        "last": "2026-11-30",
        "mode": "clear",
        "balances": (Line(third, 30), Line(first, -10), Line(second, 5)),
        "carried": ("dsp_a",),
        "position": 4,
        "note": "d1",
        "by": "per_owner",
        "at": AT,
        "booked_date": "2026-12-01",
    }
    return e.PeriodClosed(**{**told, **to})


def reopened(club: Club, number: int = 1) -> e.PeriodReopened:
    lines = closed(club).balances
    return e.PeriodReopened(number, "2026-11-30", lines, "d2", "per_boss", LATER, "2026-12-02")


def confirmed(club: Club, seat: int, number: int = 1) -> e.BalanceConfirmed:
    return e.BalanceConfirmed(number, club.members[seat], 30, f"per_{seat}", LATER)


def contested(club: Club, seat: int, number: int = 1) -> e.BalanceContested:
    return e.BalanceContested(number, club.members[seat], 30, "d3", f"per_{seat}", LATER)


def read(club: Club, query: Any, *asked: Any, **filters: Any) -> Any:
    """What a query shows when the list has caught up."""
    catch_up(club.world.database, club.id, projections=(PERIODS,))
    with club.world.database.read() as connection:
        return query(connection, club.id, *asked, **filters)


# --- a closing --------------------------------------------------------------------------------


def test_a_closing(club: Club) -> None:
    """It says which days were closed, how, how many members have how much, and who did it."""
    position = club.tell(stream(club), closed(club))

    row = read(club, period, 1)
    assert asdict(row) == {
        "number": 1,
        "first": "2026-11-01",
        "last": "2026-11-30",
        "mode": "clear",
        "members": 3,
        "total": 25,
        "carried": ["dsp_a"],
        "position": 4,
        "note": "d1",
        "state": "closed",
        "closed_by": "per_owner",
        "closed_at": AT,
        "booked_date": "2026-12-01",
        "closed_position": position,
        "reopened_by": None,
        "reopened_at": None,
        "reopening_note": None,
        "reopened_position": None,
    }
    assert row.id == "1"


def test_a_closing_that_was_undone(club: Club) -> None:
    position = club.tell(stream(club), closed(club), reopened(club))

    row = read(club, period, 1)
    assert (row.state, row.reopened_by, row.reopened_at) == ("reopened", "per_boss", LATER)
    assert (row.reopening_note, row.reopened_position) == ("d2", position)


def test_a_closing_in_which_nobody_has_points(club: Club) -> None:
    club.tell(stream(club), closed(club, balances=()))

    row = read(club, period, 1)
    assert (row.members, row.total) == (0, 0)
    assert read(club, balances_of, 1) == ([], False)


def test_no_closing(club: Club) -> None:
    assert read(club, period, 1) is None


# --- balances and what members say of them ----------------------------------------------------


def test_everybody_is_silent_at_first(club: Club) -> None:
    """The balances stand in the order in which the closing tells them."""
    club.tell(stream(club), closed(club))
    first, second, third, fourth = club.members

    assert read(club, balances_of, 1) == (
        [
            ClosingBalance(third, 30, "silent", None, None, None),
            ClosingBalance(first, -10, "silent", None, None, None),
            ClosingBalance(second, 5, "silent", None, None, None),
        ],
        False,
    )
    assert read(club, closing_balance, 1, fourth) is None
    assert read(club, words, 1) == {"confirmed": 0, "contested": 0, "silent": 3}


def test_a_members_last_word_counts(club: Club) -> None:
    """What he contests he says why; when he confirms after all, that is gone."""
    club.tell(stream(club), closed(club), contested(club, 0), confirmed(club, 2))
    first, _, third, _ = club.members
    assert read(club, closing_balance, 1, first) == ClosingBalance(
        first, -10, "contested", "per_0", LATER, "d3"
    )
    assert read(club, closing_balance, 1, third).word == "confirmed"
    assert read(club, words, 1) == {"confirmed": 1, "contested": 1, "silent": 1}

    club.tell(stream(club), confirmed(club, 0))
    assert read(club, closing_balance, 1, first) == ClosingBalance(
        first, -10, "confirmed", "per_0", LATER, None
    )


def test_each_closing_is_spoken_of_by_itself(club: Club) -> None:
    club.tell(stream(club), closed(club), confirmed(club, 0), reopened(club), closed(club, 2))

    assert read(club, closing_balance, 1, club.members[0]).word == "confirmed"
    assert read(club, closing_balance, 2, club.members[0]).word == "silent"


@pytest.mark.parametrize(
    ("word", "seats"), [("contested", [1]), ("confirmed", [2]), ("silent", [0])]
)
def test_balances_by_their_word(club: Club, word: str, seats: list[int]) -> None:
    club.tell(stream(club), closed(club), contested(club, 1), confirmed(club, 2))

    listed, _ = read(club, balances_of, 1, word=word)
    assert [one.member for one in listed] == [club.members[seat] for seat in seats]


def test_pages_of_balances(club: Club) -> None:
    club.tell(stream(club), closed(club), closed(club, 2))
    first, second, third, fourth = club.members

    listed, more = read(club, balances_of, 2, Page(2))
    assert ([one.member for one in listed], more) == ([third, first], True)
    listed, more = read(club, balances_of, 2, Page(2, starting_after=first))
    assert ([one.member for one in listed], more) == ([second], False)
    assert read(club, balances_of, 2, Page(first=AT + 1)) == ([], False)
    with pytest.raises(Refused, match="cursor_unknown"):
        read(club, balances_of, 2, Page(2, starting_after=fourth))


# --- the list ---------------------------------------------------------------------------------


def numbers(listed: tuple[list[PeriodRow], bool]) -> list[int]:
    return [row.number for row in listed[0]]


def test_closings_newest_first_page_after_page(club: Club) -> None:
    club.tell(stream(club), *(closed(club, number) for number in (1, 2, 3)))

    first = read(club, club_periods, Page(2))
    second = read(club, club_periods, Page(2, starting_after="2"))
    assert (numbers(first), first[1]) == ([3, 2], True)
    assert (numbers(second), second[1]) == ([1], False)


@pytest.mark.parametrize("cursor", ["4", "0", "x", "-1", ""])
def test_an_unknown_cursor_is_refused(club: Club, cursor: str) -> None:
    club.tell(stream(club), closed(club))

    with pytest.raises(Refused, match="cursor_unknown"):
        read(club, club_periods, Page(2, starting_after=cursor))


def test_closings_of_another_club_are_not_shown(world: World, club: Club) -> None:
    other = world.club()
    club.tell(stream(club), closed(club))

    assert read(other, club_periods) == ([], False)
    assert read(other, words, 1) == {"confirmed": 0, "contested": 0, "silent": 0}


@pytest.mark.parametrize("what", ["reopened", "confirmed", "contested"])
def test_what_follows_no_closing_stops_the_list(database: Database, club: Club, what: str) -> None:
    facts = {
        "reopened": reopened(club),
        "confirmed": confirmed(club, 0),
        "contested": contested(club, 0),
    }
    position = club.tell(stream(club), facts[what])
    catch_up(database, club.id, projections=(PERIODS,))

    with database.read() as connection:
        [mark] = stopped(connection)
    assert (mark.projection, mark.position) == ("periods", position - 1)


def test_a_rebuild_changes_nothing(club: Club) -> None:
    club.tell(stream(club), closed(club), contested(club, 1), reopened(club), closed(club, 2))
    before = read(club, club_periods), read(club, balances_of, 1)
    world = club.world

    rebuild(world.database, club.id, "periods", world.clock, projections=(PERIODS,))

    assert (read(club, club_periods), read(club, balances_of, 1)) == before

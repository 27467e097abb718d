"""Balances of any time, statements, and the list of entries."""

from __future__ import annotations

import pytest

from ledger.keyset import Page
from ledger.refusal import Refused
from projections.balances import (
    Points,
    as_known,
    as_of,
    as_of_moment,
    as_true,
    balances_true,
    club_points,
    issued,
    lost_on,
    points,
    sum_of_all,
)
from projections.statement import Statement, Wanted, club_journal, entry, member_entries, statement
from tests.projections.booked import Read, allow, close, correct, play, reverse
from tests.world import Club


@pytest.fixture
def read(club: Club) -> Read:
    """What the books of the club show now."""
    return Read(club)


@pytest.fixture
def told(club: Club) -> list[int]:
    """The positions of a story: 100 points, a hand lost by 5, undone and corrected to 3."""
    return [
        allow(club, "alw_1", {0: 100}, booked="2026-11-28"),
        play(club, 1, (0, 1, 5)),
        reverse(club, 1, (5, -5, 0, 0)),
        correct(club, 1, (0, 1, 3)),
    ]


# --- balances of another time -------------------------------------------------------------------


def test_as_of_a_position(club: Club, read: Read, told: list[int]) -> None:
    """What stood then: the balance that the last posting up to there left."""
    zero = club.members[0]
    before = told[0] - 1

    shown = [read(points, zero, as_of(position)) for position in (before, *told, 10**9)]
    assert shown == [0, 100, 95, 100, 97, 97]
    assert read(points, zero, as_of(told[1] - 1)) == 100


def test_as_of_a_moment(club: Club, read: Read, told: list[int]) -> None:
    """What stood at a moment, to the microsecond."""
    zero = club.members[0]
    moment = club.log()[told[1] - 1].recorded_at

    assert read(points, zero, as_of_moment(moment)) == 95
    assert read(points, zero, as_of_moment(moment - 1)) == 100
    assert read(points, zero, as_of_moment(0)) == 0


@pytest.mark.parametrize(
    ("day", "known", "true"),
    [
        ("2026-11-27", 0, 0),
        ("2026-11-28", 100, 97),
        ("2026-11-29", 95, 97),
        ("2026-11-30", 95, 97),
        ("2026-12-01", 97, 97),
    ],
)
def test_as_known_and_as_true(
    club: Club, read: Read, told: list[int], day: str, known: int, true: int
) -> None:
    """What was booked by the end of a day, and what counts by it, corrections since included."""
    zero = club.members[0]
    assert told
    assert read(points, zero, as_known(day)) == known
    assert read(points, zero, as_true(day)) == true


def test_a_day_is_known_by_its_entries_not_by_their_order(club: Club, read: Read) -> None:
    """A hand that is settled after the day's end was booked on it, whatever came between."""
    allow(club, "alw_1", {0: 100}, booked="2026-11-30")
    play(club, 1, (0, 1, 5))

    assert read(points, club.members[0], as_known("2026-11-29")) == -5
    assert read(points, club.members[0], as_known("2026-11-30")) == 95


def test_of_all_members(club: Club, read: Read, told: list[int]) -> None:
    """A page of what everybody had, in the order of joining."""
    zero, one, two, three = club.members

    assert read(club_points, as_of(told[1])) == (
        [Points(zero, 95), Points(one, 5), Points(two, 0), Points(three, 0)],
        False,
    )
    first, more = read(club_points, as_known("2026-11-29"), Page(1))
    assert (first, more) == ([Points(zero, 95)], True)
    rest, _ = read(club_points, as_true("2026-11-29"), Page(2, starting_after=zero))
    assert rest == [Points(one, 3), Points(two, 0)]


def test_what_a_closing_needs(club: Club, read: Read, told: list[int]) -> None:
    """The members who have any points by what counts up to a day."""
    zero, one, _, _ = club.members
    assert told
    assert read(balances_true, "2026-11-27") == {}
    assert read(balances_true, "2026-11-28") == {zero: 97, one: 3}
    close(club, 1, {0: 97, 1: 3})
    assert read(balances_true, "2026-11-28") == {}
    assert (read(issued), read(sum_of_all)) == (0, 0)


def test_what_was_lost_on_a_day(club: Club, read: Read, told: list[int]) -> None:
    """By the hands of that day as they are booked now, and nothing else."""
    zero, one, two, _ = club.members
    assert told
    assert read(lost_on, (zero, one, two), "2026-11-28") == {zero: -3, one: 3, two: 0}
    assert read(lost_on, (zero,), "2026-11-29") == {zero: 0}


def test_somebody_who_never_joined(read: Read) -> None:
    """He has nothing at any time."""
    assert read(points, "mem_none", as_of(5)) == 0
    assert read(statement, "mem_none") == Statement(0, 0, 0, [], False)


def test_before_anything_is_shown(club: Club) -> None:
    """A club whose journal has not begun has issued nothing, and has no sum."""
    with club.world.database.read() as connection:
        assert (issued(connection, club.id), sum_of_all(connection, club.id)) == (0, 0)


# --- statements ---------------------------------------------------------------------------------


def shown(made: Statement) -> list[tuple[str, int, int]]:
    """The lines of a statement: their kind, their points, what they left."""
    return [
        (line.entry.kind, line.posting.points, line.posting.balance_after) for line in made.lines
    ]


def test_a_statement_as_booked(club: Club, read: Read, told: list[int]) -> None:
    """What was there before, what came and went, what was left, in the order of booking."""
    zero = club.members[0]
    assert told
    made = read(statement, zero, "2026-11-29", "2026-12-01")

    assert (made.opening, made.came, made.went, made.closing) == (100, 5, 8, 97)
    assert shown(made) == [("settlement", -5, 95), ("reversal", 5, 100), ("correction", -3, 97)]
    day = read(statement, zero, "2026-11-29", "2026-11-29")
    assert (day.opening, day.closing, len(day.lines)) == (100, 95, 1)


def test_a_statement_by_when_it_counts(club: Club, read: Read, told: list[int]) -> None:
    """A correction stands on the day of its hand, and what is left runs on in that order."""
    allow(club, "alw_2", {0: 7}, effective="2026-11-27")
    zero = club.members[0]
    assert told

    made = read(statement, zero, "2026-11-28", "2026-11-28", "effective")
    assert (made.opening, made.came, made.went, made.closing) == (7, 105, 8, 104)
    assert shown(made) == [
        ("allowance", 100, 107),
        ("settlement", -5, 102),
        ("reversal", 5, 107),
        ("correction", -3, 104),
    ]
    none = read(statement, zero, "2026-11-29", "2026-12-01", "effective")
    assert (none.opening, none.closing, none.lines) == (104, 104, [])


def test_a_statement_of_all_days(club: Club, read: Read, told: list[int]) -> None:
    """Without days it begins at nothing and ends at the balance."""
    made = read(statement, club.members[0])
    assert (made.opening, made.closing, len(made.lines)) == (0, 97, len(told))


def test_pages_of_a_statement(club: Club, read: Read, told: list[int]) -> None:
    """Each page runs on where the one before it ended; the totals are of the whole."""
    zero, ids = club.members[0], [f"jrn_{position}" for position in told]
    page = Page(2, starting_after=ids[1])
    second = read(statement, zero, "2026-11-28", "2026-12-01", "effective", page)
    first = read(statement, zero, "2026-11-28", "2026-12-01", "effective", Page(2))
    back = read(statement, zero, page=Page(1, ending_before=ids[3]))

    assert shown(first) == [("allowance", 100, 100), ("settlement", -5, 95)]
    assert shown(second) == [("reversal", 5, 100), ("correction", -3, 97)]
    assert (first.more, second.more) == (True, False)
    assert {(one.opening, one.came, one.went) for one in (first, second)} == {(0, 105, 8)}
    assert shown(back) == [("reversal", 5, 100)]


# --- entries and the journal --------------------------------------------------------------------


def test_entries_newest_first(club: Club, read: Read) -> None:
    """A member's entries are read from the newest back, page after page."""
    for number in (1, 2, 3):
        play(club, number, (0, 1, number))
    mine = club.members[0]

    first, more = read(member_entries, mine, Page(2))
    second, end = read(member_entries, mine, Page(2, starting_after=first[-1].entry.id))

    after = [(one.posting.points, one.posting.balance_after) for one in (*first, *second)]
    assert after == [(-3, -6), (-2, -3), (-1, -1)]
    assert (more, end) == (True, False)


def test_the_journal(club: Club, read: Read, told: list[int]) -> None:
    """Every entry of the club, the newest first, page after page."""
    first, more = read(club_journal, Page(3))
    rest, end = read(club_journal, Page(3, starting_after=first[-1].id))

    assert [one.position for one in (*first, *rest)] == told[::-1]
    assert (more, end) == (True, False)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(kind="reversal"), [2]),
        (Wanted(table="tbl_a"), [3, 2, 1]),
        (Wanted(hand="tbl_a-1"), [3, 2, 1]),
        (Wanted(hand="tbl_a-2"), []),
        (Wanted(hand="tbl_a"), []),
        (Wanted(dispute="dsp_1"), [3, 2]),
        (Wanted(account="issued"), [0]),
        (Wanted(first="2026-11-29"), [3, 2, 1]),
        (Wanted(last="2026-11-29"), [1, 0]),
        (Wanted(first="2026-11-29", last="2026-11-29", kind="settlement"), [1]),
    ],
)
def test_filters(club: Club, read: Read, told: list[int], wanted: Wanted, found: list[int]) -> None:
    """By kind, account, table, hand, dispute and the days of booking."""
    listed, _ = read(club_journal, Page(), wanted)
    assert [told.index(one.position) for one in listed] == found
    mine, _ = read(club_journal, Page(), Wanted(account=club.members[1]))
    assert [told.index(one.position) for one in mine] == [3, 2, 1]


def test_one_entry(club: Club, read: Read, told: list[int]) -> None:
    """With its lines in their order; what is no entry's id names none."""
    found, lines = read(entry, f"jrn_{told[0]}")
    assert (found.kind, found.id) == ("allowance", f"jrn_{told[0]}")
    assert [(line.line, line.account) for line in lines] == [(1, club.members[0]), (2, "issued")]
    assert [read(entry, name) for name in ("jrn_1", "jrn_x", "evt_9")] == [None, None, None]


@pytest.mark.parametrize("cursor", ["jrn_x", "jrn_1"])
def test_an_entry_that_is_not_there(club: Club, read: Read, cursor: str) -> None:
    """A page of a statement after a line that it has not is refused."""
    with pytest.raises(Refused) as refused:
        read(statement, club.members[0], page=Page(starting_after=cursor))
    assert refused.value.code == "cursor_unknown"

"""The journal: every change of points is an entry that sums to zero, and moves its accounts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.events import DisputeAppealed, DisputeExpired, DisputeWithdrawn
from projections.balances import (
    Account,
    Balance,
    balance,
    club_accounts,
    club_balances,
    issued,
    sum_of_all,
)
from projections.checkpoint import stopped
from projections.journal import ISSUED, NAME
from projections.statement import Entry, Posting, club_journal, entry, member_entries
from tests.projections import booked
from tests.projections.booked import Read, allow, close, correct, play, reopen, reverse, take_back
from tests.world import SECOND, Club, settled


@pytest.fixture
def read(club: Club) -> Read:
    """What the books of the club show now."""
    return Read(club)


def points(read: Read) -> list[int]:
    """The points of the members in the order of joining."""
    return [one.points for one in read(club_balances)[0]]


def entries(read: Read) -> list[Entry]:
    """The journal from its first entry on."""
    return list(read(club_journal)[0][::-1])


def moved(read: Read, position: int) -> list[tuple[str, int]]:
    """What an entry did to which account, line by line."""
    return [(line.account, line.points) for line in read(entry, f"jrn_{position}")[1]]


# --- hands --------------------------------------------------------------------------------------


def test_everybody_has_a_balance(club: Club, read: Read) -> None:
    """A member has a balance of nothing from the day of joining on."""
    listed, more = read(club_balances)

    assert listed == [Balance(member, 0, 0, 0, None, 0) for member in club.members]
    assert not more


def test_points_run_up(club: Club, read: Read) -> None:
    """A balance is the sum of the member's hands, with their number and the last of them."""
    play(club, 1, (0, 1, 5), (2, 1, 5))
    play(club, 2, (1, 0, 3))

    listed, _ = read(club_balances)
    assert [one.points for one in listed] == [-2, 7, -5, 0]
    assert {(one.hands, one.last_hand) for one in listed} == {(2, "tbl_a-2")}
    assert read(balance, club.members[1]) == Balance(club.members[1], 7, 2, 2, "tbl_a-2", 0)


def test_no_balance(read: Read) -> None:
    """Somebody who never joined has no balance."""
    assert read(balance, "mem_none") is None


def test_a_settlement_is_an_entry(club: Club, read: Read) -> None:
    """It says which hand it is of, when that was, when it was booked, and what it moves."""
    position = play(club, 1, (0, 1, 5), (2, 1, 4), (1, 0, 2))

    assert entries(read) == [
        Entry(
            position=position,
            kind="settlement",
            occurred_at=150 * SECOND,
            effective_date="2026-11-28",
            booked_date="2026-11-29",
            booked_at=club.log()[-1].recorded_at,
            table="tbl_a",
            number=1,
            allowance=None,
            dispute=None,
            period=None,
            reason=None,
            note=None,
            reverses=None,
            reversed_by=None,
            corrects=None,
            actor="key_recorder",
            role="recorder",
            lines=3,
            amount=7,
        )
    ]
    zero, one, two, _ = club.members
    assert moved(read, position) == [(zero, -3), (one, 7), (two, -4)]


def test_a_line_says_from_whom_it_came(club: Club, read: Read) -> None:
    """A member's line tells what came from each other one, and what it left him."""
    play(club, 1, (0, 1, 5), (2, 1, 4), (1, 0, 2))

    [mine], more = read(member_entries, club.members[1])
    assert mine.posting == Posting(
        account=club.members[1],
        line=2,
        points=7,
        balance_after=7,
        version=1,
        counterparties=[
            {"member": club.members[0], "points": 3},
            {"member": club.members[2], "points": 4},
        ],
    )
    assert not more


def test_nothing_paid_is_no_line(club: Club, read: Read) -> None:
    """Who neither paid nor was paid has no line, but the hand counts; none at all is an entry."""
    play(club, 1, (0, 1, 5))
    drawn = play(club, 2)

    assert read(member_entries, club.members[3]) == ([], False)
    assert read(balance, club.members[3]).hands == 2
    assert [(one.lines, one.amount) for one in entries(read)] == [(2, 5), (0, 0)]
    assert moved(read, drawn) == []


def test_what_came_and_went_alike_is_a_line(club: Club, read: Read) -> None:
    """Who paid as much as he was paid moved nothing, and sees both."""
    play(club, 1, (0, 1, 5), (1, 2, 5))

    [mine], _ = read(member_entries, club.members[1])
    assert (mine.posting.points, len(mine.posting.counterparties)) == (0, 2)


# --- disputes -----------------------------------------------------------------------------------


def test_a_reversal_is_the_exact_opposite(club: Club, read: Read) -> None:
    """The original stays; the two are linked both ways."""
    first = play(club, 1, (0, 1, 5), (2, 1, 4))
    second = reverse(club, 1, (5, -9, 4, 0))

    original, opposite = entries(read)
    assert (original.reversed_by, original.reverses) == (second, None)
    assert (opposite.kind, opposite.reverses, opposite.reversed_by) == ("reversal", first, None)
    assert (opposite.dispute, opposite.table, opposite.number) == ("dsp_1", "tbl_a", 1)
    assert (opposite.booked_date, opposite.effective_date) == ("2026-12-01", "2026-11-28")
    zero, one, two, _ = club.members
    assert moved(read, second) == [(zero, 5), (one, -9), (two, 4)]
    lines = read(entry, f"jrn_{second}")[1]
    assert lines[0].counterparties == [{"member": one, "points": 5}]
    assert points(read) == [0, 0, 0, 0]
    assert read(balance, zero).hands == 1


def test_a_correction_stands_for_the_settlement(club: Club, read: Read) -> None:
    """Every later revision reverses the one before it and stands in the first one's place."""
    first = play(club, 1, (0, 1, 5))
    reverse(club, 1, (5, -5, 0, 0))
    corrected = correct(club, 1, (0, 1, 3))
    undone = reverse(club, 1, (3, -3, 0, 0))
    again = correct(club, 1, (0, 2, 4))

    kinds = [one.kind for one in entries(read)]
    assert kinds == ["settlement", "reversal", "correction", "reversal", "correction"]
    assert [one.corrects for one in entries(read)] == [None, None, first, None, first]
    assert [one.position for one in entries(read) if one.reverses == corrected] == [undone]
    assert entries(read)[4].position == again
    assert points(read) == [-4, 0, 4, 0]
    assert [one.hands for one in read(club_balances)[0]] == [1, 1, 1, 1]


def test_points_in_an_open_dispute(club: Club, read: Read) -> None:
    """What a hand brought is in dispute until that is decided, and while there is an appeal."""

    def disputed() -> list[int]:
        return [one.disputed for one in read(club_balances)[0]]

    play(club, 1, (0, 1, 5))
    play(club, 2, (0, 1, 7))
    seen = [disputed()]
    booked.dispute(club, "dsp_1", 1)
    seen.append(disputed())
    reverse(club, 1, (5, -5, 0, 0))
    correct(club, 1, (0, 2, 3))
    seen.append(disputed())
    club.tell("dispute/dsp_1", booked.decided(final=False))
    seen.append(disputed())
    club.tell("dispute/dsp_1", DisputeAppealed("mem_1", None, "per_1", 1, 2))
    seen.append(disputed())
    club.tell("dispute/dsp_1", booked.decided(final=True))
    seen.append(disputed())

    nothing = [0, 0, 0, 0]
    doubted = [-3, 0, 3, 0]
    assert seen == [nothing, [-5, 5, 0, 0], doubted, nothing, doubted, nothing]
    assert read(balance, club.members[0]).disputed == 0


@pytest.mark.parametrize("end", [DisputeWithdrawn(None, "per_1", 1), DisputeExpired(1)])
def test_a_dispute_that_came_to_nothing(
    club: Club, read: Read, end: DisputeWithdrawn | DisputeExpired
) -> None:
    """Withdrawn or expired, it puts no points in doubt any more."""
    play(club, 1, (0, 1, 5))
    booked.dispute(club, "dsp_1")
    before = read(balance, club.members[0]).disputed
    club.tell("dispute/dsp_1", end)

    assert (before, read(balance, club.members[0]).disputed) == (-5, 0)


# --- points that the club issues ----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["allowance", "opening"])
def test_points_are_given_against_those_issued(club: Club, read: Read, kind: Any) -> None:
    """What members get, the club has issued; all accounts together have nothing."""
    position = allow(club, "alw_1", {0: 1000, 2: 500}, kind=kind)

    [given] = entries(read)
    assert (given.kind, given.allowance, given.note) == (kind, "alw_1", "aa")
    assert given.reason == {"allowance": "top_up", "opening": "opening"}[kind]
    assert (given.occurred_at, given.amount, given.lines) == (7 * SECOND, 1500, 3)
    zero, _, two, _ = club.members
    assert moved(read, position) == [(zero, 1000), (two, 500), (ISSUED, -1500)]
    assert (points(read), read(issued), read(sum_of_all)) == ([1000, 0, 500, 0], -1500, 0)


def test_points_are_taken(club: Club, read: Read) -> None:
    """下分: what a member gives back, the club has issued the less."""
    allow(club, "alw_1", {0: 1000})
    allow(club, "alw_2", {0: -300})

    assert (points(read)[0], read(issued)) == (700, -700)
    assert [one.amount for one in entries(read)] == [1000, 300]


def test_an_allowance_is_undone(club: Club, read: Read) -> None:
    """Its reversal is an entry of its own, linked with it."""
    given = allow(club, "alw_1", {0: 1000, 1: -200})
    undone = take_back(club, "alw_1", {0: -1000, 1: 200})

    original, reversal = entries(read)
    assert (original.reversed_by, reversal.reverses) == (undone, given)
    assert (reversal.kind, reversal.allowance, reversal.note) == ("reversal", "alw_1", "bb")
    assert (points(read), read(issued)) == ([0, 0, 0, 0], 0)


def test_accounts(club: Club, read: Read) -> None:
    """That of the points issued comes first, then the members' as they joined."""
    allow(club, "alw_1", {0: 1000})

    listed, more = read(club_accounts)
    first, second, *_ = listed
    assert first == Account(ISSUED, None, -1000, 1, 1_800_000_001 * SECOND)
    assert (first.name, second.name) == ("Equity:Points:Issued", "Assets:Members:M-0001")
    assert (second.account, second.points, second.version) == (club.members[0], 1000, 1)
    assert (len(listed), more) == (5, False)


# --- closings -----------------------------------------------------------------------------------


def test_a_closing_clears(club: Club, read: Read) -> None:
    """清零: it books the opposite of what each has, as of its last day."""
    play(club, 1, (0, 1, 5))
    position = close(club, 1, {0: -5, 1: 5})

    closing = entries(read)[1]
    assert (closing.kind, closing.period, closing.effective_date) == ("closing", 1, "2026-11-28")
    assert closing.booked_date == "2026-12-01"
    zero, one, _, _ = club.members
    assert moved(read, position) == [(zero, 5), (one, -5), (ISSUED, 0)]
    assert points(read) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("mode", "balances"), [("carry", {0: -5, 1: 5}), ("clear", {}), ("clear", {0: 0})]
)
def test_a_closing_that_books_nothing(
    club: Club, read: Read, mode: Any, balances: dict[int, int]
) -> None:
    """One that carries, or that finds nothing to clear, is no entry."""
    close(club, 1, balances, mode)
    reopen(club, 1, {})

    assert entries(read) == []


def test_a_closing_is_reopened_and_made_again(club: Club, read: Read) -> None:
    """What it booked is undone by a reversal; closing again books again."""
    play(club, 1, (0, 1, 5))
    first = close(club, 1, {0: -5, 1: 5})
    undone = reopen(club, 1, {0: -5, 1: 5})
    between = points(read)
    close(club, 2, {0: -5, 1: 5})

    assert between == [-5, 5, 0, 0]
    assert points(read) == [0, 0, 0, 0]
    _, closing, reversal, again = entries(read)
    assert (closing.reversed_by, reversal.reverses, reversal.period) == (undone, first, 1)
    assert (reversal.kind, reversal.note, again.period) == ("reversal", "cc", 2)


# --- what cannot be -----------------------------------------------------------------------------


def test_what_is_not_the_opposite_stops(club: Club, read: Read) -> None:
    """A reversal of other points than were booked is not taken."""
    play(club, 1, (0, 1, 5))
    head = len(club.log())
    reverse(club, 1, (5, -4, -1, 0))
    assert stops(read) == (head, f"is not the opposite of jrn_{head}")


def test_what_does_not_sum_to_zero_stops(club: Club, read: Read) -> None:
    """A settlement whose totals give points from nowhere is not taken."""
    fact = replace(settled("tbl_a", club.members), totals=(1, 0, 0, 0))
    club.tell("hand/tbl_a/1", fact)
    assert stops(read) == (5, "the entry does not sum to zero")


def test_what_was_never_booked_stops(club: Club, read: Read) -> None:
    """There is nothing that a reversal could undo, twice neither."""
    allow(club, "alw_1", {0: 9})
    take_back(club, "alw_1", {0: -9})
    take_back(club, "alw_1", {0: -9})
    assert stops(read)[0] == 7


def test_a_stranger_stops(club: Club, read: Read) -> None:
    """Somebody who never joined has no account to move."""
    club.tell("hand/tbl_a/1", settled("tbl_a", ("mem_x", *club.members[1:])))
    assert stops(read)[0] == 5


def stops(read: Read) -> tuple[int, str]:
    """Where the journal stopped, and the end of what it said."""
    read(club_balances)
    with read.club.world.database.read() as connection:
        [mark] = [one for one in stopped(connection) if one.projection == NAME]
    return mark.position, (mark.error or "").partition("Error: ")[2].removeprefix("it ")

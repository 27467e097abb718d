"""The list of allowances, from events told one by one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from ledger import events as e
from ledger.database import Database
from ledger.events import Line
from ledger.keyset import Page
from ledger.refusal import Refused
from projections.allowances import ALLOWANCES, AllowanceRow, allowance, club_allowances
from projections.checkpoint import stopped
from projections.projection import catch_up, rebuild
from tests.world import SECOND, Club, World

AT = 1000 * SECOND
ALW = "allowance/alw_a"
DATES = {"booked_date": "2026-11-29", "effective_date": "2026-11-28"}
APPROVED = e.AllowanceApproved("per_second", 1100 * SECOND)
REFUSED = e.AllowanceRefused("d2", "per_second", 1100 * SECOND)


def requested(club: Club, lines: tuple[Line, ...] = (), **to: Any) -> e.AllowanceRequested:
    """The first member is to get 300 and the second 50, the third to give 20."""
    first, second, third, _ = club.members
    told: dict[str, Any] = {
        "kind": "allowance",
        "lines": lines or (Line(first, 300), Line(third, -20), Line(second, 50)),
        "reason": "other",
        "note": "d1",
        "effective_date": None,
        "by": "per_first",
        "at": AT,
    }
    return e.AllowanceRequested(**{**told, **to})


def posted(club: Club) -> e.AllowancePosted:
    asked = requested(club)
    return e.AllowancePosted("allowance", asked.lines, "other", "d1", 1100 * SECOND, **DATES)


def undone(club: Club) -> e.AllowanceReversed:
    lines = tuple(Line(line.member, -line.points) for line in requested(club).lines)
    return e.AllowanceReversed(lines, "d3", "per_third", 1200 * SECOND, **DATES)


def read(club: Club, query: Any, *asked: Any, **filters: Any) -> Any:
    """What a query shows when the list has caught up."""
    catch_up(club.world.database, club.id, projections=(ALLOWANCES,))
    with club.world.database.read() as connection:
        return query(connection, club.id, *asked, **filters)


def row_of(club: Club) -> AllowanceRow:
    row: AllowanceRow = read(club, allowance, "alw_a")[0]
    return row


# --- a row ------------------------------------------------------------------------------------


def test_an_allowance_that_was_asked_for(club: Club) -> None:
    """It says who asked for how much, in and out, and that nothing is booked yet."""
    position = club.tell(ALW, requested(club))

    assert asdict(row_of(club)) == {
        "asked_position": position,
        "id": "alw_a",
        "kind": "allowance",
        "lines": 3,
        "total_in": 350,
        "total_out": 20,
        "reason": "other",
        "note": "d1",
        "state": "requested",
        "asked_by": "per_first",
        "asked_at": AT,
        "approved_by": None,
        "approved_at": None,
        "refused_by": None,
        "refused_at": None,
        "refusal_note": None,
        "reversed_by": None,
        "reversed_at": None,
        "reversal_note": None,
        "effective_date": None,
        "booked_date": None,
        "posted_position": None,
        "reversed_position": None,
    }


def test_an_allowance_keeps_the_order_of_its_lines(club: Club) -> None:
    club.tell(ALW, requested(club))
    first, second, third, _ = club.members

    _, lines = read(club, allowance, "alw_a")
    assert lines == [Line(first, 300), Line(third, -20), Line(second, 50)]


def test_an_allowance_below_the_limit_is_posted_without_a_second_person(club: Club) -> None:
    position = club.tell(ALW, requested(club), posted(club))

    row = row_of(club)
    assert (row.state, row.posted_position, row.approved_by) == ("posted", position, None)
    assert (row.effective_date, row.booked_date) == ("2026-11-28", "2026-11-29")


def test_a_second_person_approves(club: Club) -> None:
    club.tell(ALW, requested(club, effective_date="2026-11-28"))
    assert row_of(club).effective_date == "2026-11-28"
    club.tell(ALW, APPROVED, posted(club))

    row = row_of(club)
    assert (row.state, row.approved_by, row.approved_at) == (
        "posted",
        "per_second",
        1100 * SECOND,
    )


def test_a_second_person_refuses(club: Club) -> None:
    club.tell(ALW, requested(club), REFUSED)

    row = row_of(club)
    assert (row.state, row.posted_position) == ("refused", None)
    assert (row.refused_by, row.refused_at, row.refusal_note) == (
        "per_second",
        1100 * SECOND,
        "d2",
    )


def test_what_was_posted_is_reversed(club: Club) -> None:
    """The row keeps both positions, and its lines are those that were asked for."""
    position = club.tell(ALW, requested(club), posted(club), undone(club))

    row, lines = read(club, allowance, "alw_a")
    assert (row.state, row.posted_position, row.reversed_position) == (
        "reversed",
        position - 1,
        position,
    )
    assert (row.reversed_by, row.reversed_at, row.reversal_note) == (
        "per_third",
        1200 * SECOND,
        "d3",
    )
    assert lines[0] == Line(club.members[0], 300)


# --- the list ---------------------------------------------------------------------------------


def ids(listed: tuple[list[AllowanceRow], bool]) -> list[str]:
    return [row.id for row in listed[0]]


@pytest.fixture
def three(club: Club) -> Club:
    """Allowances a, b and c: one that waits, one for the fourth member alone, one that waits."""
    club.tell(ALW, requested(club))
    club.tell("allowance/alw_b", requested(club, (Line(club.members[3], 9),)), posted(club))
    club.tell("allowance/alw_c", requested(club))
    return club


@pytest.mark.parametrize(
    ("state", "seat", "names"),
    [
        (None, None, ["alw_c", "alw_b", "alw_a"]),
        ("requested", None, ["alw_c", "alw_a"]),
        ("posted", None, ["alw_b"]),
        ("reversed", None, []),
        (None, 3, ["alw_b"]),
        (None, 0, ["alw_c", "alw_a"]),
        ("posted", 0, []),
    ],
)
def test_allowances_by_state_and_member(
    three: Club, state: str | None, seat: int | None, names: list[str]
) -> None:
    member = None if seat is None else three.members[seat]
    assert ids(read(three, club_allowances, state=state, member=member)) == names


def test_pages(three: Club) -> None:
    first = read(three, club_allowances, Page(2))
    second = read(three, club_allowances, Page(2, starting_after="alw_b"))

    assert (ids(first), first[1]) == (["alw_c", "alw_b"], True)
    assert (ids(second), second[1]) == (["alw_a"], False)
    with pytest.raises(Refused, match="cursor_unknown"):
        read(three, club_allowances, Page(2, starting_after="alw_none"))


def test_allowances_of_another_club_are_not_shown(world: World, three: Club) -> None:
    other = world.club()

    assert read(other, club_allowances) == ([], False)
    assert read(other, allowance, "alw_a") is None


@pytest.mark.parametrize("fact", [APPROVED, REFUSED])
def test_what_was_never_asked_for_stops_the_list(
    database: Database, club: Club, fact: e.Fact
) -> None:
    position = club.tell(ALW, fact)
    catch_up(database, club.id, projections=(ALLOWANCES,))

    with database.read() as connection:
        [mark] = stopped(connection)
    assert (mark.projection, mark.position) == ("allowances", position - 1)


def test_a_rebuild_changes_nothing(three: Club) -> None:
    names = ("alw_a", "alw_b", "alw_c")
    before = [read(three, allowance, name) for name in names]
    world = three.world

    rebuild(world.database, three.id, "allowances", world.clock, projections=(ALLOWANCES,))

    assert [read(three, allowance, name) for name in names] == before

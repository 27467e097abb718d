"""Points that a log should not tell: given to oneself, twice at the beginning, or too early.

The club was founded on 2027-01-15, and nothing of its log is older.
"""

from __future__ import annotations

from typing import Any

from ledger import events as e
from ledger.events import Granting, Line
from tests.audit.office import OPERATOR, PERSON, Office, came, fault, refused, told
from tests.lies.forging import House, Rows

DAY = "2027-01-15"


def given_to(rows: Rows, name: str, member: str, by: tuple[str, str], **more: Any) -> Rows:
    """The log, and a member has been given 50 points by somebody alone."""
    rows = asked_for(rows, name, member, by, **more)
    return booked(rows, name, member, by, **more)


def asked_for(
    rows: Rows,
    name: str,
    member: str,
    by: tuple[str, str],
    kind: Granting = "allowance",
    day: str | None = None,
) -> Rows:
    reason = "opening" if kind == "opening" else "other"
    asked = e.AllowanceRequested(
        kind, (Line(member, 50),), reason, None, day, by[0], rows[-1].recorded_at
    )
    return told(rows, f"allowance/{name}", asked, by)


def booked(
    rows: Rows,
    name: str,
    member: str,
    by: tuple[str, str],
    kind: Granting = "allowance",
    day: str | None = None,
) -> Rows:
    reason = "opening" if kind == "opening" else "other"
    lines, at = (Line(member, 50),), rows[-1].recorded_at
    posted = e.AllowancePosted(kind, lines, reason, None, at, DAY, day or DAY)
    return told(rows, f"allowance/{name}", posted, by)


def undone(rows: Rows, name: str, member: str) -> Rows:
    lines, at = (Line(member, -50),), rows[-1].recorded_at
    opposite = e.AllowanceReversed(lines, None, OPERATOR[0], at, DAY, DAY)
    return told(rows, f"allowance/{name}", opposite, OPERATOR)


def member(rows: Rows, office: Office, *roles: str, name: str = "mbs_1") -> Rows:
    """The log, and a person has come in as the first member, with other roles beside."""
    return came(rows, name, PERSON, *roles, "member", member=office.seats[0])


def test_points_that_a_treasurer_gives_himself(office: Office, other: House) -> None:
    rows = member(office.rows, office, "treasurer")
    rows = given_to(rows, "alw_1", office.seats[0], (PERSON, "treasurer"))
    assert fault(other, rows) == refused(rows[-2], "own_affair")


def test_points_that_he_gives_whom_he_was_before(office: Office, other: House) -> None:
    """Given a treasurer who was the first member and is the second now."""
    rows = member(office.rows, office, "treasurer")
    roles = e.RolesChanged(("treasurer", "member"), office.seats[1])
    rows = told(rows, "membership/mbs_1", roles, OPERATOR)
    rows = given_to(rows, "alw_1", office.seats[0], (PERSON, "treasurer"))
    assert fault(other, rows) == refused(rows[-2], "own_affair")


def test_points_of_his_own_that_an_owner_approves(office: Office, other: House) -> None:
    rows = member(office.rows, office, "owner")
    rows = asked_for(rows, "alw_1", office.seats[0], OPERATOR)
    approved = e.AllowanceApproved(PERSON, rows[-1].recorded_at)
    rows = told(rows, "allowance/alw_1", approved, (PERSON, "owner"))
    rows = booked(rows, "alw_1", office.seats[0], (PERSON, "owner"))
    assert fault(other, rows) == refused(rows[-2], "own_affair")


def test_a_second_opening_balance(office: Office, other: House) -> None:
    first = given_to(office.rows, "alw_1", office.seats[0], OPERATOR, kind="opening")
    rows = given_to(first, "alw_2", office.seats[0], OPERATOR, kind="opening")
    assert fault(other, rows) == refused(rows[-2], "opening_given")


def test_what_may_be_given_is_sound(office: Office, other: House) -> None:
    """A treasurer's to another member, an owner's to himself, an opening balance after another."""
    rows = member(office.rows, office, "treasurer", "owner")
    rows = given_to(rows, "alw_1", office.seats[1], (PERSON, "treasurer"))
    rows = given_to(rows, "alw_2", office.seats[0], (PERSON, "owner"))
    rows = given_to(rows, "alw_3", office.seats[0], OPERATOR, kind="opening")
    rows = undone(rows, "alw_3", office.seats[0])
    rows = given_to(rows, "alw_4", office.seats[0], OPERATOR, kind="opening")
    assert fault(other, rows) is None


def test_points_from_before_the_club(office: Office, other: House) -> None:
    rows = given_to(office.rows, "alw_1", office.seats[0], OPERATOR, day="2027-01-14")
    assert fault(other, rows) == refused(rows[-2], "date_before_club")

"""An allowance and what is known beside it: whose affair it is, who is gone, what was given."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Line
from ledger.streams.allowance import Known
from tests.streams.test_allowance import (
    APPROVED,
    LARGE,
    REVERSED,
    TOP_UP,
    after,
    decided,
    refused,
)

OPENING = replace(TOP_UP, kind="opening", reason="opening")
BACK = replace(
    TOP_UP, reason="withdrawal", lines=(Line("mem_1", -1000), Line("mem_2", -200)), note=None
)


def knowing(command: Any, **known: Any) -> Any:
    return replace(command, known=Known(**known))


# --- one's own affair ---------------------------------------------------------------------------


def test_nobody_gives_points_to_the_member_that_he_is() -> None:
    """Given that Ann is mem_2, when she asks that mem_1 and mem_2 be given points, then not."""
    own = knowing(TOP_UP, own=frozenset({"mem_2"}))
    assert refused(None, own) == ("own_affair", "/lines/1/member", {"member": "mem_2"})


def test_nobody_takes_points_from_the_member_that_he_is() -> None:
    own = knowing(BACK, own=frozenset({"mem_1"}))
    assert refused(None, own) == ("own_affair", "/lines/0/member", {"member": "mem_1"})


def test_nobody_approves_what_the_member_is_given_that_he_is() -> None:
    own = knowing(APPROVED, own=frozenset({"mem_1"}))
    assert refused(after(LARGE), own) == ("own_affair", "", {"member": "mem_1"})


def test_nobody_undoes_what_the_member_was_given_that_he_is() -> None:
    own = knowing(REVERSED, own=frozenset({"mem_1"}))
    assert refused(after(TOP_UP), own) == ("own_affair", "", {"member": "mem_1"})


def test_who_is_another_member_decides() -> None:
    others = {"own": frozenset({"mem_3"})}
    assert len(decided(None, knowing(TOP_UP, **others))) == 2
    assert len(decided(after(LARGE), knowing(APPROVED, **others))) == 2
    assert len(decided(after(TOP_UP), knowing(REVERSED, **others))) == 1


# --- members who are gone -----------------------------------------------------------------------


@pytest.mark.parametrize("code", ["member_left", "member_forgotten"])
def test_who_is_gone_is_given_nothing(code: str) -> None:
    gone = knowing(TOP_UP, away={"mem_2": code})
    assert refused(None, gone) == (code, "/lines/1/member", {"member": "mem_2"})


def test_of_who_is_gone_points_are_taken() -> None:
    """So that his account can be emptied."""
    gone = knowing(BACK, away={"mem_1": "member_forgotten", "mem_2": "member_left"})
    assert len(decided(None, gone)) == 2


def test_what_waited_is_not_booked_for_who_left_meanwhile() -> None:
    gone = knowing(APPROVED, away={"mem_1": "member_left"})
    assert refused(after(LARGE), gone) == ("member_left", "", {"member": "mem_1"})


# --- opening balances ---------------------------------------------------------------------------


def test_a_member_has_one_opening_balance() -> None:
    again = knowing(OPENING, opened=frozenset({"mem_2"}))
    assert refused(None, again) == ("opening_given", "/lines/1/member", {"member": "mem_2"})


def test_of_two_that_wait_one_is_approved() -> None:
    """Given an opening balance that waits, when another was booked, then it is not approved."""
    waits = after(replace(OPENING, limit=0))
    again = knowing(APPROVED, opened=frozenset({"mem_1"}))
    assert refused(waits, again) == ("opening_given", "", {"member": "mem_1"})


def test_whose_books_are_opened_is_given_points_as_ever() -> None:
    assert len(decided(None, knowing(TOP_UP, opened=frozenset({"mem_1"})))) == 2
    assert len(decided(None, knowing(OPENING, opened=frozenset({"mem_3"})))) == 2


# --- what one person moves on a day -------------------------------------------------------------


def test_what_was_moved_alone_that_day_counts() -> None:
    """Given 500 that he has moved for mem_1 today, then 1000 are booked under 1500, not 1499."""
    before = {"alone": {"mem_1": 500, "mem_3": 9000}}
    assert len(decided(None, knowing(replace(TOP_UP, limit=1500), **before))) == 2
    assert len(decided(None, knowing(replace(TOP_UP, limit=1499), **before))) == 1


def test_what_is_taken_counts_with_what_was_given() -> None:
    """Given 500 that he gave mem_1, when he takes 1000, then he has moved 1500."""
    before = {"alone": {"mem_1": 500}}
    assert len(decided(None, knowing(replace(BACK, limit=1499), **before))) == 1


# --- days ---------------------------------------------------------------------------------------


def test_nothing_counts_from_before_the_club_was_founded() -> None:
    early = replace(TOP_UP, effective_date="2027-01-09")
    assert refused(None, knowing(early, founded="2027-01-10")) == (
        "date_before_club",
        "/effective_date",
        {"date": "2027-01-09", "founded": "2027-01-10"},
    )


def test_points_count_from_the_day_of_the_founding() -> None:
    asked, posted = decided(
        None, knowing(replace(TOP_UP, effective_date="2027-01-10"), founded="2027-01-10")
    )
    assert isinstance(asked, e.AllowanceRequested)
    assert isinstance(posted, e.AllowancePosted)
    assert posted.effective_date == "2027-01-10"

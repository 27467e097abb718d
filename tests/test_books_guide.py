"""The guide of the books is true: its commands, its answers, and its table of who may do what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guides import DOCS, follow, who_may, wrong_marks
from tests.test_people_guide import ACTS as PEOPLES
from tests.test_people_guide import Marks, opened

__all__ = ["opened"]
GUIDE = DOCS / "books.md"
CLUB = "/v1/clubs/{club}"
HAND = "/v1/tables/{table}/hands/{number}"
ACTS = {
    "set limits and deadlines": [f"POST {CLUB}/limits", f"POST {CLUB}/deadlines"],
    "bar, readmit, let go, group; a member's own limits": [
        f"POST {CLUB}/members/{{member}}/{act}"
        for act in ("bar", "readmit", "leave", "return", "group", "limits")
    ],
    "see how far a limit is away": [f"GET {CLUB}/members/{{member}}/limits"],
    "see who is near a limit": [f"GET {CLUB}/limits/reached"],
    "give and take points, agree to it, undo it": [
        f"POST {CLUB}/allowances",
        *(
            f"POST {CLUB}/allowances/{{allowance}}/{act}"
            for act in ("approve", "refuse", "reverse")
        ),
    ],
    "see allowances": [f"GET {CLUB}/allowances", f"GET {CLUB}/allowances/{{allowance}}"],
    "file a dispute, take it back": [
        f"POST {HAND}/disputes",
        f"POST {CLUB}/disputes/{{dispute}}/withdraw",
    ],
    "answer, appeal": [f"POST {CLUB}/disputes/{{dispute}}/{act}" for act in ("answer", "appeal")],
    "decide, agree to a decision, correct in one step": [
        f"POST {HAND}/correct",
        *(f"POST {CLUB}/disputes/{{dispute}}/{act}" for act in ("decide", "approve")),
    ],
    "see disputes": [f"GET {CLUB}/disputes", f"GET {CLUB}/disputes/{{dispute}}"],
    "tick a match as right, take it back": ["POST /v1/tables/{table}/tick"],
    "close the books, open them again": [
        f"POST {CLUB}/periods",
        f"POST {CLUB}/periods/{{number}}/reopen",
    ],
    "see what a closing would be": [f"GET {CLUB}/closing"],
    "see closings": [
        f"GET {CLUB}/periods",
        f"GET {CLUB}/periods/{{number}}",
        f"GET {CLUB}/periods/{{number}}/balances",
    ],
    "confirm or contest a balance": [
        f"POST {CLUB}/periods/{{number}}/{act}" for act in ("confirm", "contest")
    ],
    "see accounts and the journal": [
        f"GET {CLUB}/accounts",
        f"GET {CLUB}/journal",
        f"GET {CLUB}/journal/{{entry}}",
    ],
    "ask for [exports](exports.md), of the kinds that one may read": [
        f"POST {CLUB}/exports",
        f"GET {CLUB}/exports",
        f"GET {CLUB}/exports/{{export}}",
    ],
    "see a statement": [f"GET {CLUB}/members/{{member}}/statement"],
    "change seats, tell of a vote": [
        "POST /v1/tables/{table}/seats",
        "POST /v1/tables/{table}/votes",
    ],
    "see sums of tables": [f"GET {CLUB}/tables/totals"],
    "see statistics": [f"GET {CLUB}/statistics"],
    "see leaderboards, dissolutions, idle hands": [
        f"GET {CLUB}/leaderboards/{{kind}}",
        f"GET {CLUB}/dissolutions",
        f"GET {CLUB}/idle_hands",
    ],
    "see who sat with whom": [f"GET {CLUB}/pairs", f"GET {CLUB}/pairs/{{member}}/{{other}}/hands"],
}
"""The routes behind each line of the guide's table."""


@pytest.fixture(scope="module")
def marks() -> Marks:
    """The guide's table: for each line what stands under each role."""
    return who_may(GUIDE)


def test_a_dispute_goes_as_it_is_told(tmp_path: Path) -> None:
    """From filing to correction: each command of the guide is answered as it says."""
    assert follow(GUIDE, tmp_path) == []


def test_the_table_says_who_may_do_what(marks: Marks, opened: dict[str, set[str]]) -> None:
    """A role has a mark where the routes of a line are open to it, and nowhere else."""
    assert wrong_marks(marks, ACTS, opened) == []


def test_the_two_tables_leave_nothing_out(opened: dict[str, set[str]]) -> None:
    """Every route that asks for a role stands in a line of this guide or of the owner's."""
    routes = [route for acts in (ACTS, PEOPLES) for routes in acts.values() for route in routes]
    assert sorted([*routes, "POST /v1/clubs"]) == sorted(opened)

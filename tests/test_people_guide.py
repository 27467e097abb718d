"""The owner's guide is true: its commands, its answers, and its table of who may do what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.access import OPERATOR, Caller
from ledger.settings import load
from ledger.sight import may_see_table
from ledger.streams.roles import ROLES
from tests.guides import DOCS, follow, who_may, wrong_marks
from wsgi import create_app

GUIDE = DOCS / "people.md"
ACTS = {
    "take in a member": ["POST /v1/clubs/{club}/members"],
    "invite, take an invitation back": [
        "POST /v1/clubs/{club}/memberships",
        "POST /v1/clubs/{club}/memberships/{membership}/revoke",
    ],
    "change roles, make a sign-in link": [
        "POST /v1/clubs/{club}/memberships/{membership}/roles",
        "POST /v1/clubs/{club}/memberships/{membership}/links",
    ],
    "make and revoke keys": [
        "POST /v1/clubs/{club}/keys",
        "POST /v1/clubs/{club}/keys/{key}/revoke",
    ],
    "open a table, deal, record": [
        "POST /v1/clubs/{club}/tables",
        "POST /v1/tables/{table}/actions",
    ],
    "enter a hand that was played elsewhere": ["POST /v1/tables/{table}/hands"],
    "dissolve a match": ["POST /v1/tables/{table}/dissolve"],
    "close a match, void a hand": [
        "POST /v1/tables/{table}/close",
        "POST /v1/tables/{table}/hands/{number}/void",
    ],
    "see tables, hands, replays": ["GET /v1/clubs/{club}/tables", "GET /v1/clubs/{club}/hands"],
    "see points and entries": [
        "GET /v1/clubs/{club}/balances",
        "GET /v1/clubs/{club}/members/{member}",
        "GET /v1/clubs/{club}/members/{member}/entries",
    ],
    "list the members": ["GET /v1/clubs/{club}/members"],
    "list memberships and invitations": [
        "GET /v1/clubs/{club}/memberships",
        "GET /v1/clubs/{club}/memberships/{membership}",
    ],
    "list keys, read the operator log": [
        "GET /v1/clubs/{club}/keys",
        "GET /v1/clubs/{club}/operator_log",
    ],
    "hand out evidence of a hand that has ended": [],
    "make and read checkpoints, prove with them": [],
}
"""The routes behind each line of the guide's table; those of evidence and proofs ask for no role,
but whether the table, or anything of the club, may be seen.
"""

Marks = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def marks() -> Marks:
    """The guide's table: for each line what stands under each role."""
    return who_may(GUIDE)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, set[str]]]:
    """The roles to which each route is open, as the API describes itself."""
    app = create_app(load({"PAIZHANG_DATA": str(tmp_path_factory.mktemp("opened"))}))
    with closing(app.extensions["house"]):
        described = app.test_client().get("/openapi.json").get_json()
        yield {
            f"{method.upper()} {path}": set(operation["x-roles"])
            for path, methods in described["paths"].items()
            for method, operation in methods.items()
            if "x-roles" in operation
        }


def test_every_answer_that_the_guide_shows_is_given(tmp_path: Path) -> None:
    """Given a service with a demo club, when the guide is followed, then all is as it says."""
    assert follow(GUIDE, tmp_path) == []


def test_the_table_says_who_may_do_what(marks: Marks, opened: dict[str, set[str]]) -> None:
    """A role has a mark where the routes of a line are open to it, and nowhere else."""
    assert wrong_marks(marks, ACTS, opened) == []


def test_the_operator_may_what_an_owner_may(opened: dict[str, set[str]]) -> None:
    """As the guide says below its table."""
    owners = [roles for roles in opened.values() if "owner" in roles]
    assert owners
    assert all(OPERATOR in roles for roles in owners)


@pytest.mark.parametrize("role", ROLES)
def test_own_tables_are_those_and_no_others(marks: Marks, role: str) -> None:
    """Who is marked with `own` sees the table where he sits or that he records, alone."""
    mark = marks["see tables, hands, replays"][role]
    caller = Caller("key_1", "club_1", (role,), member="mem_1" if role == "member" else None)
    assert may_see_table(caller, ["mem_2", "mem_3"], "key_2") == (mark == "✓")
    assert may_see_table(caller, ["mem_1", "mem_3"], "key_1") == (mark != "")

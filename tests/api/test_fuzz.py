"""The whole description, fuzzed: every operation asked in every way that it describes.

An answer is one that is described and never a fault of ours, and a refusal leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import CHECKS, load_all_checks

from projections.projection import catch_up
from tests.api.conftest import Caller, Club, found_club, serving
from tests.api.disputes import filed, limited, settled
from tests.api.everything import everything
from tests.api.hand import BEFORE, FED, WALL
from tests.api.test_people import invite, person
from tests.conftest import KINDS

load_all_checks()
WANTED: Any = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)
"""Not that whatever has its form is accepted, since a move can be against the rules; and not that
a wrong key is refused, since a right one is sent whatever was made up."""

fuzzed = settings(
    max_examples=settings().max_examples // 16,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def new_club(database_url: str) -> Iterator[Club]:
    """A club on each kind of database, alone in it: all that is there is read many times."""
    with serving(database_url) as app:
        yield found_club(app)


@pytest.fixture
def names(new_club: Club) -> dict[str, Any]:
    """What there is to be named in paths: a hand in an open window, an invitation, a session."""
    limited(new_club)
    dispute = filed(new_club.owner, f"{settled(new_club)}/hands/1", note="x")
    given = {"lines": [{"member": "M-0001", "points": 1}], "reason": "other"}
    allowance = new_club.operator.post(f"{new_club.path}/allowances", given).json["id"]
    table = new_club.open_table()
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    played = {"actions": [*BEFORE, FED]}
    new_club.recorder.post(f"{table}/actions", played, If_Match='"3"')
    return {
        "club": new_club.id,
        "table": table.rpartition("/")[2],
        "member": "M-0001",
        "dispute": dispute.rpartition("/")[2],
        "allowance": allowance,
        "membership": invite(new_club.owner, new_club, "referee").json["id"],
        "key": new_club.players[0].id,
        "region": "huaihua",
        "number": 1,
    }


def callers(club: Club) -> list[Caller]:
    """Those who between them may do everything."""
    return [club.operator, club.owner, club.recorder, club.players[0], person(club, "manager")]


def test_every_operation_keeps_to_its_description(new_club: Club, names: dict[str, Any]) -> None:
    """With ids that are there and ids that are not, by all sorts of callers."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", new_club.app)
    everybody = callers(new_club)
    operations: list[Any] = list(schema.get_all_operations())
    assert len(operations) >= 42
    for operation in operations:
        fuzz(new_club, names, everybody, operation.ok())


def fuzz(club: Club, names: dict[str, Any], everybody: list[Caller], operation: Any) -> None:
    """Ask one operation many times."""
    stands: list[Any] = []  # what is there, while nothing but refusals has come since

    @fuzzed
    @given(
        case=operation.as_strategy(),
        caller=st.sampled_from(everybody),
        known=st.sets(st.sampled_from(sorted(names))),
    )
    def ask(case: Case[Any], caller: Caller, known: set[str]) -> None:
        for name in known & set(case.path_parameters):
            case.path_parameters[name] = names[name]
        if not stands:
            catch_up(club.ledger.database, club.id)
            stands.append(everything(club))
        answer = case.call(headers={"Authorization": f"Bearer {caller.token}"})
        case.validate_response(answer, checks=WANTED)
        if answer.status_code >= 400:
            assert [everything(club)] == stands
        else:
            stands.clear()

    ask()

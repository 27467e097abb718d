"""The description of the API at /openapi.json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import validate

from ledger.api import words
from tests.api.conftest import Club
from tests.api.examples import FILE, STATUSES, stage, tell

JSON = dict[str, Any]
KEPT: JSON = json.loads(FILE.read_text(encoding="utf-8"))
ONLY_SOMETIMES = {
    "Manifest": {"control"},
    "Choice": {"tile", "touzi", "declare", "points", "suit"},
    "Event": {"occurred_at"},
    "Fault": {"pointer", "parameter"},
    "Hand": {"events"},
    "ListedWin": {"patterns", "value"},
    "Lock": {"tile"},
    "Part": {"points", "factor"},
    "Problem": {"rule", "current_version", "errors"},
    "Slot": {"part"},
}
"""The fields of answers that are not always there."""


@pytest.fixture
def spec(sqlite_club: Club) -> Any:
    return sqlite_club.app.test_client().get("/openapi.json").json


def operations(spec: JSON) -> Iterator[tuple[str, JSON]]:
    """Every operation under its path, its parameters those of the path too."""
    for path, methods in spec["paths"].items():
        shared = methods.get("parameters", [])
        for method, told in methods.items():
            if method != "parameters":
                yield path, {**told, "parameters": [*told["parameters"], *shared]}


def operation(spec: JSON, name: str) -> JSON:
    (found,) = [told for _, told in operations(spec) if told["operationId"] == name]
    return found


def schemas(spec: JSON, told: Any) -> Iterator[tuple[str, JSON]]:
    """Every schema that something refers to, by its name, and what these refer to in turn."""
    waiting, seen = [told], set()
    while waiting:
        for name in set(re.findall(r'"#/components/schemas/([\w.]+)"', json.dumps(waiting.pop()))):
            if name not in seen:
                seen.add(name)
                waiting.append(spec["components"]["schemas"][name])
                yield name, spec["components"]["schemas"][name]


def answers(spec: JSON) -> list[JSON]:
    """What is answered to any operation."""
    given = [answer for _, told in operations(spec) for answer in told["responses"].values()]
    return [*given, *spec["components"]["responses"].values()]


def bodies(spec: JSON) -> list[JSON]:
    """What may be sent to any operation."""
    return [told["requestBody"] for _, told in operations(spec) if "requestBody" in told]


def loose(schema: Any, place: str) -> Iterator[str]:
    """The places of a schema that say not what they hold."""
    if "anyOf" in schema or "oneOf" in schema:
        for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from loose(one, place)
        return
    if not schema.keys() & {"$ref", "type", "enum"}:
        yield place
    if "array" in schema.get("type", ()):
        yield from loose(schema["items"], f"{place}[]")
    if "object" in schema.get("type", ()):
        more = schema.get("additionalProperties")
        yield from [] if more is False else loose(more or {}, f"{place}.*")
        for name, inner in schema.get("properties", {}).items():
            yield from loose(inner, f"{place}.{name}")


def test_the_description_is_valid_openapi_3_1(spec: JSON) -> None:
    """It needs no key to be read."""
    assert spec["openapi"] == "3.1.0"
    validate(spec)


def test_every_route_is_described(spec: JSON, sqlite_club: Club) -> None:
    """A route under /v1 is an operation with a name, a summary, a tag, its answer and refusals."""
    for rule in sqlite_club.app.url_map.iter_rules():
        if not rule.rule.startswith("/v1"):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            told = spec["paths"][path][method.lower()]
            assert re.fullmatch("[a-z_]+", told["operationId"]), path
            assert told["summary"].endswith("."), path
            assert len(told["tags"]) == 1, path
            assert told["responses"].keys() & {"200", "201", "202"}, path
            assert {"429", "503", "default"} <= told["responses"].keys(), path


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("act", "201 400 401 403 404 409 412 413 415 422 428 429 503"),
        ("get_table", "200 304 401 403 404 429 503"),
        ("list_hands", "200 304 400 401 403 404 429 503"),
        ("get_settlement", "200 304 401 403 404 409 429 503"),
        ("settle", "200 400 401 404 413 415 422 429 503"),
        ("healthz", "200 503"),
    ],
)
def test_an_operation_tells_how_it_may_end(spec: JSON, name: str, statuses: str) -> None:
    """And `default` is what nobody foresaw."""
    assert [*operation(spec, name)["responses"]] == [*statuses.split(), "default"]


def test_every_write_is_described_with_its_headers(spec: JSON) -> None:
    """Idempotency-Key everywhere but where nothing is written, or twice is as good as once."""
    for path, methods in spec["paths"].items():
        if "post" in methods and not path.endswith(("/settle", "/checkpoints", "/claims")):
            headers = {one.get("name"): one for one in methods["post"]["parameters"]}
            assert headers["Idempotency-Key"]["required"] is True, path


def test_a_version_is_asked_for_where_there_is_one(spec: JSON) -> None:
    """If-Match with what changes a thing that is there, and not with what makes a new one."""
    taken = {
        told["operationId"]: one["required"]
        for _, told in operations(spec)
        for one in told["parameters"]
        if one.get("name") == "If-Match"
    }
    assert taken == {
        "act": True,
        "answer_dispute": False,
        "appeal_dispute": False,
        "approve_allowance": False,
        "approve_decision": True,
        "bar_member": False,
        "change_roles": True,
        "change_seats": False,
        "close": False,
        "confirm_balance": False,
        "contest_balance": False,
        "decide_dispute": False,
        "dissolve": False,
        "group_member": False,
        "issue_link": False,
        "keep_playing": False,
        "leave_member": False,
        "readmit_member": False,
        "refuse_allowance": False,
        "reopen_period": False,
        "return_member": False,
        "reverse_allowance": False,
        "revoke_invitation": False,
        "set_deadlines": False,
        "set_limits": False,
        "set_member_limits": False,
        "start_hand": False,
        "tick_table": False,
        "void_hand": False,
        "withdraw_dispute": False,
    }


def test_the_parameters_of_a_query_stand_beside_the_headers(spec: JSON) -> None:
    """Every parameter of an operation is told."""
    told = operation(spec, "list_events")["parameters"]
    names = [one.get("name") or one["$ref"].rpartition("/")[2] for one in told]
    told_last = ["If-None-Match", "Accept-Language", "club"]
    assert names == ["after", "limit", "follow", "Last-Event-ID", *told_last]


def test_every_parameter_says_what_it_is(spec: JSON) -> None:
    """Those of paths, of queries, and the headers."""
    known = spec["components"]["parameters"]
    for path, told in operations(spec):
        for one in told["parameters"]:
            said = known[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            assert said["description"].endswith("."), (path, one)


def test_every_field_says_what_it_is(spec: JSON) -> None:
    """Those that are sent, those that are answered, and those of events."""
    silent = [
        f"{form}.{name}"
        for form, schema in spec["components"]["schemas"].items()
        for name, field in schema.get("properties", {}).items()
        if not field.get("description", "").endswith(".")
    ]
    assert silent == []


def test_nothing_is_said_of_what_is_not_there(spec: JSON) -> None:
    """Every word about a name is about a field or a parameter that there is."""
    forms = {
        name: set(one.get("properties", ())) for name, one in spec["components"]["schemas"].items()
    }
    fields = {name for form in forms.values() for name in form}
    fields |= {f"{form}.{name}" for form, names in forms.items() for name in names}
    parameters = {one.get("name") for _, told in operations(spec) for one in told["parameters"]}
    assert words.FIELDS.keys() - fields == set()
    assert {name.rpartition(".")[2] for name in words.PARAMETERS} - parameters == set()


def test_the_roles_that_may_be_given_are_told(spec: JSON) -> None:
    """A game server has a key; people have every other role."""
    forms = spec["components"]["schemas"]
    people = ["owner", "manager", "referee", "treasurer", "accountant", "auditor", "member"]
    for form in ("InviteBody", "RolesBody"):
        assert forms[form]["properties"]["roles"]["items"]["enum"] == people
    of_keys = forms["IssueKeyBody"]["properties"]["roles"]["items"]["enum"]
    assert set(of_keys) == {*people, "recorder"}


def test_headers_of_answers_are_described_once(spec: JSON) -> None:
    """An answer only refers to them."""
    told = {
        name: header for one in answers(spec) for name, header in one.get("headers", {}).items()
    }
    assert told == {name: {"$ref": f"#/components/headers/{name}"} for name in told}
    assert told.keys() == spec["components"]["headers"].keys()


def test_refusals_are_described_as_problems(spec: JSON) -> None:
    """application/problem+json with a code."""
    for name, response in spec["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], name
    assert "code" in spec["components"]["schemas"]["Problem"]["required"]
    too_many = spec["components"]["responses"]["TOO_MANY_REQUESTS"]
    assert {"Retry-After", "RateLimit"} <= too_many["headers"].keys()


def test_no_answer_is_free_in_its_form(spec: JSON) -> None:
    """Every object of an answer is closed, down to its leaves; options are values by name."""
    told = dict(schemas(spec, answers(spec)))
    assert {"HandState", "Window", "event.HandStarted", "event.WallBuilt"} <= told.keys()
    assert [place for name, schema in told.items() for place in loose(schema, name)] == []


def test_nothing_unknown_may_be_sent(spec: JSON) -> None:
    """Every object that may be sent is closed; options are values by name."""
    told = dict(schemas(spec, bodies(spec)))
    assert {"ActionBody", "ActionsBody", "SeatBody"} <= told.keys()
    assert [place for name, schema in told.items() for place in loose(schema, name)] == []


def test_what_is_shown_is_always_there(spec: JSON) -> None:
    """Every field of an answer is required, but for those that are known to be left out."""
    sent = dict(schemas(spec, bodies(spec)))
    shown = {
        name: schema
        for name, schema in schemas(spec, answers(spec))
        if name not in sent and not name.startswith("event.")
    }
    missing = {
        name: set(schema["properties"]) - set(schema["required"])
        for name, schema in shown.items()
        if set(schema["properties"]) != set(schema["required"])
    }
    assert missing == ONLY_SOMETIMES


# --- examples ---------------------------------------------------------------------------------


def test_every_operation_has_an_example(spec: JSON) -> None:
    """A request and its answer; and a refusal has one for its status."""
    names = {told["operationId"] for _, told in operations(spec)}
    assert names <= KEPT.keys()
    assert KEPT.keys() - names <= STATUSES.keys()


def test_the_examples_are_what_is_answered(tmp_path: Path) -> None:
    """The story told again comes out the same; `python -m tests.api.examples` keeps another."""
    with stage(str(tmp_path)) as database:
        told = tell(database, tmp_path)
    for name, kept in KEPT.items():
        assert told[name] == kept, name
    assert told.keys() == KEPT.keys()


def test_examples_stand_in_the_description(spec: JSON) -> None:
    """In the body that is sent, the parameters, and the answer."""
    told, kept = operation(spec, "act"), KEPT["act"]
    assert told["requestBody"]["content"]["application/json"]["example"] == {
        "seat": 0,
        "action": "discard",
        "tile": "9s",
    }
    answer = told["responses"]["201"]["content"]["application/json"]["example"]
    assert answer == kept["answer"]["body"]
    examples = {one["name"]: one.get("example") for one in told["parameters"] if "name" in one}
    assert examples["If-Match"] == '"3"'
    assert f"/v1/tables/{examples['table']}/actions" == kept["request"]["path"]
    problem = spec["components"]["responses"]["PRECONDITION_FAILED"]["content"]
    assert problem["application/problem+json"]["example"]["current_version"] == 5


def test_examples_may_be_sent(spec: JSON) -> None:
    """What an example sends has the form that is described, its body and its parameters."""
    for path, told in operations(spec):
        body = told.get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None:
            schema = {**body["schema"], "components": spec["components"]}
            jsonschema_rs.validate(schema, body["example"])
        for one in told["parameters"]:
            if "example" in one:
                assert jsonschema_rs.is_valid(one["schema"], one["example"]), (path, one)

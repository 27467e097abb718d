"""Two edges, one verdict: marshmallow at the API and msgspec elsewhere take the same inputs."""

from __future__ import annotations

import copy
import json
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import marshmallow
import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.api.rulesets import OutcomeBody
from ledger.api.tables import ActionBody
from ledger.outcome import Outcome, read_outcome
from ledger.record import Sent
from ledger.refusal import Refused
from tests.api.conftest import Club
from tests.api.hand import BEFORE, FED, PUNG, WIN
from tests.api.test_bad_input import anything

Data = dict[str, Any]
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "huaihua.json").read_text())
PLAIN: Data = next(one["outcome"] for one in VECTORS if one["outcome"]["wins"])
WHOLE: Data = {
    **PLAIN,
    "options": {"win_mode": "discard", "patterns": ["tian_hu"], "bird_count": 2, "rob_kong": True},
    "streak": 1,
    "wilds": ["1z"],
    "weekday": 2,
    "first_chickens": [{"tile": "1s", "by": 1, "takers": [2]}],
    "wins": [{"seat": 0, "tile": "9s", "how": "discard", "from": 1, "first_turn": False}],
    "after_kong": {"how": "exposed", "late": False, "touzi": True},
    "flip": "2p",
    "birds": ["5m"],
    "seats": [
        {
            "hand": "123m",
            "melds": [
                {"kind": "pung", "tile": "9p", "from": 2},
                {"kind": "kong", "how": "added", "tile": "7m", "from": None, "late": True},
            ],
            "river": "9m1s",
            "declared": "frozen",
            "bet": 0,
            "void_suit": "m",
            "dealt": None,
        },
        *PLAIN["seats"][1:],
    ],
}
"""An outcome in which every field there is stands somewhere."""

ACTIONS = [
    *BEFORE,
    FED,
    PUNG,
    WIN,
    {"seat": 0, "action": "kong", "tile": "5m", "touzi": True, "at": "2026-11-28T12:00:03.5+08:00"},
    {"seat": 3, "action": "bet", "points": 2, "cause": "timeout", "declare": False},
    {"seat": 3, "action": "void_suit", "suit": "m", "at": None, "tile": None},
]
OUTCOMES = [WHOLE, *(vector["outcome"] for vector in VECTORS)]

BOUNDS = {
    "integer": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("maxProperties",),
}
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 4, 7, 8, 10_000, 10_001, 1.0, True, 2**64])
LENGTHS = [0, 1, 2, 3, 4, 5, 40, 41, 64, 65, 120, 121, 136, 137]
TEXTS = st.sampled_from(
    [
        *("5m", "5m\n", "0m", "7z", "8z", "?", "", "m", "kong", "timeout", "\0", "怀化/1", "５m"),
        *("1970-01-01T00:00:00Z", "1969-12-31T23:59:59.9999999Z", "2026-11-28"),
        *("2026-02-30T00:00:00Z", "2026-11-28T12:00:60Z", "2026-11-28t12:00:00z"),
        *("2026-11-28T12:00:00", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
    ]
)


@st.composite
def nearly(draw: st.DrawFn, whole: list[Data]) -> Any:
    """Something good in which one value somewhere is another, or has another length."""
    data = copy.deepcopy(draw(st.sampled_from(whole)))
    inner: Any = data
    while True:
        places = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        place = draw(st.sampled_from(places))
        below = inner[place]
        if isinstance(below, dict | list) and below and draw(st.integers(0, 3)):
            inner = below
            continue
        if isinstance(inner, dict) and not draw(st.integers(0, 7)):
            del inner[place]
        else:
            inner[place] = draw(anything | NUMBERS | TEXTS | st.just(_stretched(draw, below)))
        return data


def _stretched(draw: st.DrawFn, value: Any) -> Any:
    """A text, a list or an object of another length."""
    length, width = draw(st.sampled_from(LENGTHS)), draw(st.sampled_from([3, 64, 65]))
    if isinstance(value, dict):
        return {f"{number}".ljust(width, "n"): number for number in range(length)}
    if isinstance(value, str | list) and value:
        return (value * length)[:length]
    return value


def taken(schema: type[marshmallow.Schema], data: Any) -> bool:
    """Whether the API's form takes an input."""
    try:
        schema().load(copy.deepcopy(data))
    except marshmallow.ValidationError:
        return False
    return True


def action_read(data: Any) -> bool:
    """Whether the record's form takes an action."""
    try:
        msgspec.convert(data, Sent)
    except msgspec.ValidationError:
        return False
    return True


def outcome_read(data: Any) -> bool:
    """Whether the public format takes an outcome."""
    try:
        read_outcome(data)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(("name", "kind"), [("ActionBody", Sent), ("OutcomeBody", Outcome)])
def test_both_edges_describe_themselves_alike(
    sqlite_club: Club, name: str, kind: type[Any]
) -> None:
    """Every type, bound, length, word and required field is the same at both."""
    spec = sqlite_club.app.test_client().get("/openapi.json").json
    schema = msgspec.json.schema(kind)
    assert forms({"$ref": f"#/components/schemas/{name}"}, spec) == forms(schema, schema)


def forms(schema: Data, root: Any) -> list[Any]:
    """What a schema takes, one entry for each type, however the schema is written."""
    while "$ref" in schema:
        schema = reduce(getitem, schema["$ref"].split("/")[1:], root)
    if "anyOf" in schema:
        return sorted((form for one in schema["anyOf"] for form in forms(one, root)), key=repr)
    kinds = schema.get("type", "string")
    return sorted((_form(kind, schema, root) for kind in _listed(kinds)), key=repr)


def _form(kind: str, schema: Data, root: Any) -> Any:
    """What a schema takes of one type; that a text holds no NUL only one of the edges tells."""
    fields = {name: forms(one, root) for name, one in schema.get("properties", {}).items()}
    more = schema.get("additionalProperties")
    bounds = {name: schema[name] for name in BOUNDS.get(kind, ()) if schema.get(name)}
    pattern = schema.get("pattern", "").replace("\\Z", "$").removeprefix("^[^\\0]*$")
    return {
        "type": kind,
        **bounds,
        **({"pattern": pattern} if pattern and kind == "string" else {}),
        **({"words": sorted(filter(None, schema.get("enum", ())))} if kind == "string" else {}),
        **({"items": forms(schema["items"], root)} if kind == "array" else {}),
        **({"fields": fields, "more": more and forms(more, root)} if kind == "object" else {}),
        "required": sorted({*schema.get("required", ())} - {"ruleset"}),
    }


def _listed(kinds: Any) -> list[str]:
    return kinds if isinstance(kinds, list) else [kinds]


@settings(max_examples=500)
@given(anything | nearly(ACTIONS))
@example({"seat": 0, "action": "pass", "legal": []})
def test_an_action_is_taken_by_both_edges_or_by_none(data: Any) -> None:
    assert taken(ActionBody, data) is action_read(data)


@settings(max_examples=500)
@given(anything | nearly(OUTCOMES))
def test_an_outcome_is_taken_by_both_edges_or_by_none(data: Any) -> None:
    """Only the ruleset may be left out at the API, whose address names it."""
    named = {"ruleset": "huaihua/1", **data} if isinstance(data, dict) else data
    assert taken(OutcomeBody, named) is outcome_read(named)


@pytest.mark.parametrize("action", ACTIONS)
def test_a_good_action_is_taken(action: Data) -> None:
    assert taken(ActionBody, action)
    assert action_read(action)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_good_outcome_is_taken(outcome: Data) -> None:
    assert taken(OutcomeBody, outcome)
    assert outcome_read(outcome)


@pytest.mark.parametrize(
    ("spoil", "pointer"),
    [
        ({"dealer": 4}, "/dealer"),
        ({"streak": "1"}, "/streak"),
        ({"birds": ["5m", "0m"]}, "/birds/1"),
        ({"wins": [{"tile": "9s", "how": "discard"}]}, "/wins/0"),
        ({"extra": 1}, ""),
    ],
)
def test_a_malformed_outcome_is_refused_at_its_place(spoil: Data, pointer: str) -> None:
    """With a JSON pointer."""
    with pytest.raises(Refused) as caught:
        read_outcome({**WHOLE, **spoil})
    assert (caught.value.code, caught.value.pointer) == ("outcome_malformed", pointer)

"""Whatever is sent, the answer is no server error, and a refusal leaves the log as it was."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Club
from tests.api.hand import BEFORE, FED, PUNG, WALL, WIN

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "huaihua.json").read_text())
OUTCOMES = [vector["outcome"] for vector in VECTORS]

quick = settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def running(club: Club) -> tuple[Club, str]:
    """A club and a table at which a hand runs."""
    table = club.open_table()
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    return club, table


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["5m", "9z", "pass", "win", "m", "\x00", "2025-11-28T12:00:00Z", "M-0001"])
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = [
    *("actions", "seat", "action", "tile", "touzi", "declare", "points", "suit", "at", "cause"),
    *("ruleset", "options", "seats", "hands", "low_score", "dealer", "room", "ref", "wall", "note"),
    *("name", "zone", "day_cutoff", "roles", "label", "member", "expires_at", "legal"),
]
bodies = anything | st.dictionaries(st.sampled_from(FIELDS), anything, max_size=6)
GOOD = [*BEFORE, FED, PUNG, WIN, {"wall": WALL}, {"name": "x"}, {"note": "x"}]


@st.composite
def spoiled(draw: st.DrawFn, whole: list[Any]) -> Any:
    """Something good in which one value somewhere is another."""
    data = copy.deepcopy(draw(st.sampled_from(whole)))
    inner = data
    while True:
        places = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        place = draw(st.sampled_from(places))
        below = inner[place]
        if isinstance(below, dict | list) and below and draw(st.booleans()):
            inner = below
            continue
        inner[place] = draw(anything | st.sampled_from([below, f"{below}{below}"]))
        return data


@quick
@given(data=st.data(), body=bodies | spoiled(GOOD), version=st.sampled_from(["1", "3", "4"]))
def test_no_body_makes_a_server_error(
    running: tuple[Club, str], data: st.DataObject, body: Any, version: str
) -> None:
    """Every write, by the caller who may do it: done, or refused without a trace."""
    club, table = running
    writes = [
        (club.recorder, f"{table}/actions"),
        (club.recorder, f"{table}/hands"),
        (club.recorder, f"{club.path}/tables"),
        (club.owner, f"{club.path}/members"),
        (club.owner, f"{club.path}/keys"),
        (club.owner, f"{table}/close"),
        (club.operator, "/v1/clubs"),
    ]
    caller, path = data.draw(st.sampled_from(writes))
    before = club.head()
    seen = {"If_Match": f'"{version}"'} if path.startswith(table) else {}
    answer = caller.post(path, body, **seen)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.content_type == "application/problem+json"
        assert club.head() == before


@quick
@given(outcome=spoiled(OUTCOMES))
def test_no_outcome_makes_a_server_error(club: Club, outcome: Any) -> None:
    """A hand that somebody made up is scored or refused."""
    answer = club.owner.post("/v1/rulesets/huaihua/1/settle", outcome)
    assert answer.status_code in (200, 422), answer.text


@quick
@given(raw=st.binary(max_size=40), query=st.text(max_size=12))
def test_no_bytes_make_a_server_error(club: Club, raw: bytes, query: str) -> None:
    """Neither as a body nor as a query."""
    path = f"{club.path}/members"
    sent = club.owner.send("POST", path, raw, Idempotency_Key="k")
    assert sent.status_code in (400, 422)
    for name in ("after", "limit", "starting_after"):
        asked = club.owner.get(f"{club.path}/events?{urlencode({name: query})}")
        assert asked.status_code in (200, 400)


@pytest.mark.parametrize(
    ("action", "language", "detail"),
    [
        ({"seat": "0"}, "en", "This value must be of the JSON type integer."),
        ({"seat": "0"}, "zh", "此值的 JSON 类型应为 integer。"),
        ({"seat": 0, "touzi": 1}, "en", "This value must be of the JSON type boolean."),
        ({"seat": 0, "suit": "z"}, "en", "This must be one of m, p, s."),
        ({"seat": 4}, "en", "This must be a whole number from 0 to 3."),
    ],
)
def test_a_fault_says_what_is_wanted(
    sqlite_club: Club, action: dict[str, Any], language: str, detail: str
) -> None:
    """The type, the words or the bounds, in the reader's language."""
    told = {"action": "pass", **action}
    path = f"{sqlite_club.open_table()}/actions"
    refused = sqlite_club.recorder.post(path, told, If_Match='"1"', Accept_Language=language)
    assert [fault["detail"] for fault in refused.json["errors"]] == [detail]


def test_a_body_that_says_it_is_packed_is_refused(club: Club) -> None:
    """Nothing is unpacked here, so what is read is what was sent."""
    packed = {"Content_Encoding": "gzip", "Idempotency_Key": "packed"}
    refused = club.owner.send("POST", f"{club.path}/members", b'{"name": "x"}', **packed)
    assert (refused.status_code, refused.json["code"]) == (415, "media_type")

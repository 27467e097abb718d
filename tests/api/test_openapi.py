"""The description of the API at /openapi.json."""

from __future__ import annotations

import re
from typing import Any

import pytest
from openapi_spec_validator import validate

from tests.api.conftest import Club


@pytest.fixture
def spec(sqlite_club: Club) -> Any:
    return sqlite_club.app.test_client().get("/openapi.json").json


def test_the_description_is_valid_openapi_3_1(spec: dict[str, Any]) -> None:
    """It needs no key to be read."""
    assert spec["openapi"] == "3.1.0"
    validate(spec)


def test_every_route_is_described(spec: dict[str, Any], sqlite_club: Club) -> None:
    """A route under /v1 is a path with a summary, its answer and its refusals."""
    for rule in sqlite_club.app.url_map.iter_rules():
        if not rule.rule.startswith("/v1"):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            told = spec["paths"][path][method.lower()]
            assert told["summary"], path
            assert told["responses"].keys() & {"200", "201"}, path
            assert "default" in told["responses"], path


def test_every_write_is_described_with_its_headers(spec: dict[str, Any]) -> None:
    """Idempotency-Key everywhere but where nothing is written; If-Match with actions."""
    for path, methods in spec["paths"].items():
        if "post" in methods and not path.endswith("/settle"):
            headers = {one["name"]: one for one in methods["post"]["parameters"]}
            assert headers["Idempotency-Key"]["required"] is True, path
            assert headers["If-Match"]["required"] is path.endswith("/actions"), path


def test_refusals_are_described_as_problems(spec: dict[str, Any]) -> None:
    """application/problem+json with a code."""
    content = spec["components"]["responses"]["DEFAULT_ERROR"]["content"]
    assert list(content) == ["application/problem+json"]
    assert "code" in spec["components"]["schemas"]["Problem"]["required"]


def test_unknown_fields_are_described_as_refused(spec: dict[str, Any]) -> None:
    """What may be sent is closed."""
    assert spec["components"]["schemas"]["ActionBody"]["additionalProperties"] is False


def test_the_server_says_that_it_runs(sqlite_club: Club) -> None:
    """/healthz needs no key."""
    assert sqlite_club.app.test_client().get("/healthz").json == {"status": "ok"}

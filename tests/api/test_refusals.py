"""Refusals: each with its status, its code, and a sentence; nothing is written by any."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from flask import Flask

from ledger.api import register
from ledger.api.edge import EXTENSION, Served
from ledger.perform import Ledger
from ledger.texts import texts
from tests.api.conftest import OPERATOR_TOKEN, Caller, Club, found_club
from tests.api.hand import BEFORE, WALL
from tests.conftest import NO_KEY

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def club(sqlite_club: Club) -> Club:
    """No database changes what is refused here."""
    return sqlite_club


def table_body(club: Club, **more: Any) -> dict[str, Any]:
    return {"ruleset": "huaihua/1", "seats": list(club.members[:4]), "hands": 4, **more}


def test_a_problem_tells_all_that_a_program_and_a_person_need(club: Club) -> None:
    """RFC 9457, with a code for ever, a request id, and whether trying again may help."""
    refused = club.owner.post(f"{club.path}/members", {"name": ""})
    assert refused.content_type == "application/problem+json"
    assert refused.headers["Request-Id"].startswith("req_")
    assert refused.json == {
        "type": "/docs/problems#body_invalid",
        "title": "Wrong body",
        "status": 422,
        "detail": "The body has not the form that is documented; see errors.",
        "instance": f"{club.path}/members",
        "code": "body_invalid",
        "request_id": refused.headers["Request-Id"],
        "retryable": False,
        "errors": [
            {
                "pointer": "/name",
                "code": "text_length",
                "detail": "This text must have 1 to 64 characters.",
            }
        ],
    }


def test_title_and_detail_follow_the_readers_language(club: Club) -> None:
    """Accept-Language chooses English or Chinese; the code is the same."""
    refused = club.owner.get(f"{club.path}/members/mem_0", Accept_Language="zh-CN,en;q=0.5")
    assert refused.headers["Content-Language"] == "zh"
    assert refused.json["title"] == "没有这个成员"
    assert refused.json["detail"] == "俱乐部没有成员 mem_0。"
    refused = club.owner.get(f"{club.path}/members/mem_0", Accept_Language="fr")
    assert (refused.json["title"], refused.json["code"]) == ("No such member", "member_unknown")


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer ",
        "Basic cHo6",
        "Bearer pz_1_2",
        "Bearer nonsense",
        "Bearer pz_a\x00_b",
        "Bearer é",
    ],
)
def test_without_a_key_that_is_valid_nothing_opens(club: Club, authorization: str) -> None:
    """401 with WWW-Authenticate, before anything else is looked at."""
    refused = club.owner.send("POST", f"{club.path}/members", b"{", Authorization=authorization)
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="paizhang"'
    assert refused.json["code"] in ("key_missing", "key_invalid")


def test_an_expired_key_opens_nothing(sqlite_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment of its expiry a key is invalid; none is made that has expired already."""
    club = found_club(sqlite_app)
    wanted = {"roles": ["auditor"], "label": "old", "expires_at": "2101-01-01T00:00:00Z"}
    made = club.owner.post(f"{club.path}/keys", wanted)
    key = Caller(club.owner.client, made.json["token"])
    assert key.get(club.path).status_code == 200

    served: Served = sqlite_app.extensions[EXTENSION]
    later = replace(served.ledger, clock=lambda: 4_134_000_000_000_000)
    monkeypatch.setitem(sqlite_app.extensions, EXTENSION, replace(served, ledger=later))
    assert key.get(club.path).json["code"] == "key_invalid"
    refused = club.owner.post(f"{club.path}/keys", wanted)
    assert (refused.status_code, refused.json["code"]) == (422, "expired_already")


def test_a_revoked_key_opens_nothing(sqlite_app: Flask) -> None:
    """From the moment of its revocation a key is invalid; it can be revoked again."""
    club = found_club(sqlite_app)
    assert club.recorder.get(club.path).status_code == 200
    revoked = club.owner.post(f"{club.path}/keys/{club.recorder.id}/revoke")
    assert revoked.json["revoked_at"] is not None
    assert club.recorder.get(club.path).json["code"] == "key_invalid"
    assert club.owner.post(f"{club.path}/keys/{club.recorder.id}/revoke").status_code == 200


def test_who_has_not_the_role_is_told_so(club: Club) -> None:
    """403 with a sentence that names the role."""
    attempts = [
        (club.owner, "/v1/clubs", {"name": "x", "zone": "UTC"}, "operator"),
        (club.recorder, f"{club.path}/members", {"name": "x"}, "owner / manager"),
        (club.players[0], f"{club.path}/keys", {"roles": ["owner"], "label": "x"}, "owner"),
        (club.owner, f"{club.path}/tables", table_body(club), "recorder"),
    ]
    for caller, path, body, role in attempts:
        refused = caller.post(path, body)
        assert (refused.status_code, refused.json["code"]) == (403, "role_missing")
        assert refused.json["detail"] == f"This needs the role {role}."
    for path in ("members", "keys", f"members/{club.members[1]}"):
        assert club.players[0].get(f"{club.path}/{path}").status_code == 403
        assert club.recorder.get(f"{club.path}/{path}").status_code == 403
    assert club.players[0].get(f"{club.path}/members/{club.members[0]}").status_code == 200


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("", "idempotency_key_missing"),
        ("é", "idempotency_key_form"),
        ("k" * 256, "idempotency_key_form"),
    ],
)
def test_a_write_needs_an_idempotency_key(club: Club, key: str, code: str) -> None:
    """Missing, or more than 255 printable ASCII characters: 400."""
    refused = club.owner.post(f"{club.path}/members", {"name": "x"}, Idempotency_Key=key)
    assert (refused.status_code, refused.json["code"]) == (400, code)


@pytest.mark.parametrize("version", ["3", "*", 'W/"3"', '"three"', '"3", "4"', '"03"'])
def test_if_match_names_one_version(club: Club, version: str) -> None:
    """Anything but one version in quotes is 400."""
    table = club.open_table()
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    refused = club.recorder.post(f"{table}/actions", BEFORE[0], If_Match=version)
    assert (refused.status_code, refused.json["code"]) == (400, "version_form")


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"ruleset": "haozi/9"}, "/ruleset", "ruleset_unknown"),
        ({"options": {"luck": 1}}, "/options/luck", "option_unknown"),
        ({"options": {"players": 5}}, "/options/players", "option_value"),
        ({"options": {"bird_count": {"deep": []}}}, "/options", "options_form"),
        ({"seats": ["M-0001", "M-0002", "M-0003", "M-0099"]}, "/seats/3", "member_unknown"),
        ({"seats": ["M-0001", "M-0002", "M-0003", "M-0001"]}, "/seats", "member_seated_twice"),
        ({"seats": ["M-0001", "M-0002", "M-0003"]}, "/seats", "seats_count"),
        ({"seats": ["M-0001", "M-0002", "M-0003", "M'; --"]}, "/seats/3", "member_form"),
        ({"hands": 0}, "/hands", "field_range"),
        ({"hands": True}, "/hands", "field_type"),
        ({"hands": 4.0}, "/hands", "field_type"),
        ({"hands": "4"}, "/hands", "field_type"),
        ({"dealer": 4}, "/dealer", "field_range"),
        ({"room": "a\nb"}, "/room", "text_form"),
        ({"room": "a\x00b"}, "/room", "text_form"),
        ({"room": "r" * 65}, "/room", "text_length"),
        ({"at": "yesterday"}, "/at", "time_form"),
        ({"at": "2025-11-28T12:00:00"}, "/at", "time_form"),
        ({"hands": None}, "/hands", "field_null"),
        ({"wager": 1}, "/wager", "field_unknown"),
        ({"a/b~c": 1}, "/a~1b~0c", "field_unknown"),
    ],
)
def test_a_wrong_table_is_refused_at_its_place(
    club: Club, change: dict[str, Any], pointer: str, code: str
) -> None:
    """422, a pointer to the fault, and nothing opened."""
    before = club.head()
    refused = club.recorder.post(f"{club.path}/tables", table_body(club, **change))
    assert refused.status_code == 422
    assert (refused.json["errors"][0]["pointer"], refused.json["errors"][0]["code"]) == (
        pointer,
        code,
    )
    assert club.head() == before


@pytest.mark.parametrize(
    ("action", "pointer", "code"),
    [
        ({"seat": 0, "action": "discard", "tile": "55m"}, "/tile", "tile_form"),
        ({"seat": 4, "action": "pass"}, "/seat", "field_range"),
        ({"seat": 0, "action": "steal"}, "/action", "field_choice"),
        ({"seat": 0, "action": "kong", "tile": "1m", "touzi": 1}, "/touzi", "field_type"),
        ({"action": "pass"}, "/seat", "field_missing"),
        ({"actions": []}, "/actions", "list_length"),
        ({"actions": [{"seat": 0}]}, "/actions/0/action", "field_missing"),
        ({"actions": [{"seat": 0, "action": "pass"}] * 501}, "/actions", "list_length"),
        ({"actions": [{"seat": 0, "action": "pass"}], "seat": 0}, "/seat", "field_unknown"),
        ([], "", "field_type"),
        ({}, "/actions", "field_missing"),
    ],
)
def test_a_wrong_action_is_refused_at_its_place(
    club: Club, action: Any, pointer: str, code: str
) -> None:
    """A single action's faults lie at its own fields, a list's under /actions."""
    table = club.open_table()
    refused = club.recorder.post(f"{table}/actions", action, If_Match='"1"')
    assert refused.status_code == 422
    fault = refused.json["errors"][0]
    assert (fault["pointer"], fault["code"]) == (pointer, code)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"zone": "Mars/Olympus"}, "zone_unknown"),
        ({"zone": "../etc/passwd"}, "zone_unknown"),
        ({"day_cutoff": "24:00"}, "body_invalid"),
        ({"name": "\u202ereversed"}, "text_form"),
    ],
)
def test_a_wrong_club_is_not_founded(club: Club, change: dict[str, Any], code: str) -> None:
    """A club needs a name that can be shown, a zone of the IANA list and a time of day."""
    refused = club.operator.post("/v1/clubs", {"name": "x", "zone": "UTC", **change})
    assert (refused.status_code, refused.json["code"]) == (422, code)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"roles": ["king"]}, "role_unknown"),
        ({"roles": []}, "body_invalid"),
        ({"roles": ["member"]}, "key_member"),
        ({"member": "M-0001"}, "key_member"),
        ({"roles": ["member"], "member": "M-0099"}, "member_unknown"),
    ],
)
def test_a_wrong_key_is_not_made(club: Club, change: dict[str, Any], code: str) -> None:
    """A key has known roles, and names a member exactly if it is a member's."""
    body = {"roles": ["recorder"], "label": "x", **change}
    refused = club.owner.post(f"{club.path}/keys", body)
    assert (refused.status_code, refused.json["code"]) == (422, code)


def test_a_wrong_wall_starts_no_hand(club: Club) -> None:
    """Four of each kind, and tiles alone."""
    table = club.open_table()
    before = club.head()
    for wall, code in ((WALL[2:], "wall_composition"), ("1x" * 20, "tile_unknown")):
        refused = club.recorder.post(f"{table}/hands", {"wall": wall})
        assert (refused.status_code, refused.json["code"]) == (422, code)
        assert refused.json["errors"][0]["pointer"] == "/wall"
    refused = club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"1"')
    assert (refused.status_code, refused.json["code"]) == (409, "no_hand_running")
    assert club.head() == before


@pytest.mark.parametrize(
    ("data", "content_type", "status", "code"),
    [
        (b'{"name": ', "application/json", 400, "json_malformed"),
        (b'{"name": NaN}', "application/json", 400, "json_malformed"),
        (b'{"name": 1e999}', "application/json", 400, "json_malformed"),
        (b'{"name": ' + b"9" * 5000 + b"}", "application/json", 400, "json_malformed"),
        (b'{"name": "\xff"}', "application/json", 400, "json_malformed"),
        (b'{"name": "\\ud800"}', "application/json", 400, "json_malformed"),
        (b"[" * 100_000, "application/json", 400, "json_malformed"),
        (b"[" * 500 + b"]" * 500, "application/json", 422, "body_invalid"),
        (b"name=x", "application/x-www-form-urlencoded", 415, "media_type"),
        (b'{"name": "' + b"x" * 1024 * 1024 + b'"}', "application/json", 413, "body_too_large"),
        (b'"x"', "application/json", 422, "body_invalid"),
        (b"null", "application/json", 422, "body_invalid"),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(
    club: Club, data: bytes, content_type: str, status: int, code: str
) -> None:
    """Broken, deep, huge, or not JSON: a clear answer."""
    headers = {"Content_Type": content_type, "Idempotency_Key": "k"}
    refused = club.owner.send("POST", f"{club.path}/members", data, **headers)
    assert (refused.status_code, refused.json["code"]) == (status, code)


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "after=1", "starting_after="])
def test_a_wrong_page_is_refused(club: Club, query: str) -> None:
    """400 with the parameter's name."""
    refused = club.owner.get(f"{club.path}/members?{query}")
    assert (refused.status_code, refused.json["code"]) == (400, "query_invalid")
    assert refused.json["errors"][0]["parameter"] == query.partition("=")[0]


def test_a_page_after_what_is_not_in_the_list_is_refused(club: Club) -> None:
    """A cursor names an object of the list."""
    refused = club.owner.get(f"{club.path}/members?starting_after=mem_0")
    assert (refused.status_code, refused.json["code"]) == (400, "cursor_unknown")


def test_what_is_at_no_address_is_not_found(club: Club) -> None:
    """An id of another form is no address; a method that is not taken is told what is."""
    for path in ("/v1/nothing", "/v1/tables/tbl_A", "/v1/clubs/x'", "/v1/rulesets/huaihua/x"):
        assert club.owner.get(path).json["code"] == "not_found"
    assert club.owner.get("/v1/rulesets/huaihua/9").json["code"] == "ruleset_unknown"
    assert club.owner.post(f"{club.path}/keys/key_0/revoke").json["code"] == "key_unknown"
    refused = club.owner.send("DELETE", f"{club.path}/members")
    assert (refused.status_code, refused.json["code"]) == (405, "method_not_allowed")
    assert refused.headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_without_an_operators_token_nobody_founds_clubs(club: Club) -> None:
    """A club's key has not the role, and nothing else is a key."""
    app = serve(club.ledger)
    body = {"name": "x", "zone": "UTC"}
    refused = Caller(app.test_client(), club.owner.token).post("/v1/clubs", body)
    assert (refused.status_code, refused.json["code"]) == (403, "role_missing")
    assert Caller(app.test_client(), OPERATOR_TOKEN).post("/v1/clubs", body).status_code == 401


def test_a_fault_of_ours_tells_nothing_of_it(club: Club) -> None:
    """500 with the request id, and no trace."""

    def broken() -> int:
        raise RuntimeError("a secret")

    app = serve(replace(club.ledger, clock=broken))
    refused = Caller(app.test_client(), club.owner.token).get(club.path)
    assert (refused.status_code, refused.json["code"]) == (500, "internal_error")
    assert refused.json["request_id"] == refused.headers["Request-Id"]
    assert "secret" not in refused.text


def serve(ledger: Ledger) -> Flask:
    app = Flask("paizhang")
    register(app, ledger, NO_KEY)
    return app


def test_every_refusal_in_the_code_has_a_text() -> None:
    """A code that the ledger or a projection refuses with has a text in both languages."""
    raised = {code for room in ("ledger", "projections") for code in codes(ROOT / room)}
    assert len(raised) > 80
    assert raised - texts().keys() == set()


def test_every_text_is_whole() -> None:
    """A status, a title and a sentence in two languages that tell the same parameters."""
    for code, text in texts().items():
        assert 400 <= text.status <= 503, code
        assert all((*text.titles.values(), *text.sentences.values())), code
        assert gaps(text.sentences["en"]) == gaps(text.sentences["zh"]), code
        assert text.sentences["en"].isascii() or "骰" in text.titles["en"] or "…" in str(text)
        assert not text.sentences["zh"].isascii(), code


def codes(room: Path) -> Iterator[str]:
    """The codes of `Refused("…")` and `Bar("…")` in a room."""
    for path in room.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for call in re.findall(r"\b(?:Refused|Bar)\(", source) and ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                first = call.args[0] if call.args else None
                if call.func.id in ("Refused", "Bar") and isinstance(first, ast.Constant):
                    yield str(first.value)


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}

"""What is almost right: one way of writing a thing is taken, and its look-alikes are refused."""

from __future__ import annotations

import pytest

from ledger import access
from tests.api.conftest import Caller, Club
from tests.api.everything import everything
from tests.api.test_people import PASSWORD, code, enter, invite, with_password

INVISIBLE = ["\u034f", "\ufe0f", "\u3164", "\u115f", "\uffa0", "\u2800", "\u0301\u0302", " \u3000"]


@pytest.mark.parametrize("limit", ["1_0", "+5", "05", "5.0", "٣", "５", " 5", "1e1", "0x5", ""])
def test_a_number_in_a_query_is_written_in_one_way(sqlite_club: Club, limit: str) -> None:
    refused = sqlite_club.owner.get(f"{sqlite_club.path}/members?limit={limit}")
    assert code(refused) == (400, "query_invalid")


@pytest.mark.parametrize("number", ["01", "+1", "٣", "0", "1_0", "9999999999"])
def test_a_number_in_a_path_is_written_in_one_way(sqlite_club: Club, number: str) -> None:
    table = sqlite_club.open_table()
    assert code(sqlite_club.owner.get(f"{table}/hands/{number}")) == (404, "not_found")


def test_a_parameter_is_said_once(sqlite_club: Club) -> None:
    """Neither of a list nor of a write may somebody have meant the other one."""
    for answer in (
        sqlite_club.owner.get(f"{sqlite_club.path}/members?limit=1&limit=2"),
        sqlite_club.owner.post(
            f"{sqlite_club.path}/members?dry_run=true&dry_run=false", {"name": "x"}
        ),
    ):
        assert code(answer) == (400, "query_invalid")
        assert answer.json["errors"][0]["code"] == "parameter_repeated"


@pytest.mark.parametrize(
    "media_type",
    [
        "application/foo+json",
        "application/json; charset=utf-16",
        "text/json",
        "application/x-www-form-urlencoded",
        "",
    ],
)
def test_a_body_is_json_in_utf_8(sqlite_club: Club, media_type: str) -> None:
    path, body = f"{sqlite_club.path}/members", b'{"name": "x"}'
    headers = {"Content_Type": media_type, "Idempotency_Key": f"media-{media_type}"}
    refused = sqlite_club.owner.send("POST", path, body, **headers)
    assert code(refused) == (415, "media_type")


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf8"'])
def test_a_body_may_say_that_it_is_utf_8(sqlite_club: Club, charset: str) -> None:
    path, body = f"{sqlite_club.path}/members?dry_run=true", b'{"name": "x"}'
    told = sqlite_club.owner.send(
        "POST", path, body, Content_Type=f"application/json; charset={charset}"
    )
    assert told.status_code == 201


@pytest.mark.parametrize("zone", ["localtime", "Factory", "posix/Asia/Shanghai", "right/UTC", ""])
def test_a_zone_is_one_of_the_world(sqlite_club: Club, zone: str) -> None:
    """What a machine calls its own time, or counts with leap seconds, is none."""
    refused = sqlite_club.operator.post("/v1/clubs", {"name": "x", "zone": zone})
    assert refused.status_code == 422
    if zone:
        assert refused.json["code"] == "zone_unknown"


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_can_be_seen(sqlite_club: Club, name: str) -> None:
    refused = sqlite_club.owner.post(f"{sqlite_club.path}/members", {"name": name})
    assert code(refused) == (422, "text_form")


@pytest.mark.parametrize("name", ["张三", "e\u0301", "🀄️", "👨‍👩‍👧"[:1], "O'Neil-2", "ｱ"])
def test_a_name_may_be_in_any_script(sqlite_club: Club, name: str) -> None:
    joined = sqlite_club.owner.post(f"{sqlite_club.path}/members?dry_run=true", {"name": name})
    assert joined.status_code == 201


@pytest.mark.parametrize("sign", [*INVISIBLE, "\u0000", " ", "/", "<", "\u200b", "\u0489"])
def test_a_login_has_letters_digits_and_few_signs(sqlite_club: Club, sign: str) -> None:
    """Nobody takes a login that looks like another's and differs in what is not seen."""
    link = {"link": invite(sqlite_club.owner, sqlite_club, "referee").json["token"]}
    ann = Caller(sqlite_club.owner.client, enter(sqlite_club, link).json["token"])
    wanted = {"login": f"ann{sign}lee", "password": PASSWORD}
    refused = ann.put("/v1/me/password", wanted)
    assert refused.status_code == 422
    assert refused.json["code"] in ("login_form", "body_invalid")


def test_a_moment_beyond_the_calendar_is_none(sqlite_club: Club) -> None:
    """Its own year is 9999, and in UTC there is none after it: once a server's fault."""
    path, body = f"{sqlite_club.path}/keys?dry_run=true", {"roles": ["auditor"], "label": "x"}
    beyond = sqlite_club.owner.post(path, {**body, "expires_at": "9999-12-31T23:59:59-14:00"})
    assert beyond.json["errors"][0]["code"] == "time_form"
    last = sqlite_club.owner.post(path, {**body, "expires_at": "9999-12-31T23:59:59Z"})
    assert last.json["expires_at"] == "9999-12-31T23:59:59.000000Z"


@pytest.mark.parametrize("query", ["dry_run=true", "x=1"])
def test_what_has_no_dry_run_takes_no_parameter(club: Club, query: str) -> None:
    """Whoever thinks that he only asks must not have written."""
    ann = with_password(club, f"strict.{query[0]}.{club.id}")
    session = ann.get("/v1/me").json["session"]
    before = everything(club)
    wanted = {"login": "other.one", "password": "another long one", "old_password": PASSWORD}
    for answer in (
        ann.put(f"/v1/me/password?{query}", wanted),
        ann.put(f"/v1/me/name?{query}", {"name": "x"}),
        ann.send("DELETE", f"/v1/me/sessions/{session}?{query}"),
    ):
        assert code(answer) == (400, "query_invalid")
    assert everything(club) == before


def test_a_name_is_changed_by_whom_it_names(club: Club) -> None:
    """What the club calls him stays the club's; a key has no name to change."""
    ann = with_password(club, f"named.{club.id}")
    changed = ann.put("/v1/me/name", {"name": "Ann Lee 李安"})
    assert (changed.status_code, changed.json["name"]) == (200, "Ann Lee 李安")
    assert ann.get("/v1/me").json == changed.json
    assert code(ann.put("/v1/me/name", {"name": " "})) == (422, "text_form")
    assert code(club.owner.put("/v1/me/name", {"name": "x"})) == (403, "session_needed")


def test_a_list_that_is_too_long_is_not_looked_at(sqlite_club: Club) -> None:
    """A hundred thousand wrong seats are one fault: each of them once cost time and an answer."""
    body = {"ruleset": "huaihua/1", "seats": ["x"] * 100_000, "hands": 1}
    refused = sqlite_club.recorder.post(f"{sqlite_club.path}/tables", body)
    [fault] = refused.json["errors"]
    assert (fault["pointer"], fault["code"]) == ("/seats", "list_length")


def test_no_more_than_fifty_faults_are_told(sqlite_club: Club) -> None:
    body = {f"unknown{number}": number for number in range(1000)}
    stranger = Caller(sqlite_club.owner.client, "")
    assert len(stranger.post("/v1/sessions", body).json["errors"]) == 1
    assert len(stranger.post("/v1/sessions", {**body, "link": "x"}).json["errors"]) == 50


def test_a_device_may_call_itself_anything(club: Club) -> None:
    """What a screen cannot show, and a database cannot hold, is left out of it."""
    club.owner.client.post(
        f"{club.path}/members",
        data=b'{"name": "x"}',
        headers={
            "Authorization": f"Bearer {club.owner.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": f"device-{club.id}",
        },
        environ_overrides={"HTTP_USER_AGENT": "a\0b\x1b[31m\u200bc"},
    )
    position = club.head()[0]
    with club.ledger.database.read() as connection:
        origin = access.find_origins(connection, club.id, [position])[position]
    assert origin.device == "ab[31mc"

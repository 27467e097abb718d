"""Exports over the API: asked for, made by a worker, fetched by a link; and for whom."""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from ledger import exporting, jobs
from ledger.jobs import EXPORT
from ledger.refusal import Refused
from ledger.settings import Settings, load
from projections.api.exports import EXTENSION, Shelf
from projections.exports.asking import maker
from tests.api.conftest import Answer, Caller, Club
from tests.api.disputes import settled

JSON = dict[str, Any]
SECOND = 1_000_000
DAY = 86_400 * SECOND


@pytest.fixture
def settings(club: Club) -> Iterator[Settings]:
    """The settings of a worker whose files are those that the application serves."""
    shelf: Shelf = club.app.extensions[EXTENSION]
    yield load({"PAIZHANG_DATA": str(shelf.folder.parent)})
    shutil.rmtree(shelf.folder, ignore_errors=True)


@pytest.fixture
def played(club: Club) -> Club:
    """A club of which a hand is settled."""
    settled(club)
    return club


def officer(club: Club, role: str) -> Caller:
    """Somebody with a key of one role."""
    key = club.owner.post(f"{club.path}/keys", {"roles": [role], "label": role})
    assert key.status_code == 201, key.text
    return Caller(club.app.test_client(), key.json["token"])


def ask(caller: Caller, club: Club, key: str | None = None, **body: Any) -> Answer:
    headers = {} if key is None else {"Idempotency_Key": key}
    return caller.post(f"/v1/clubs/{club.id}/exports", body, **headers)


def work(club: Club, settings: Settings) -> None:
    """Let the worker make what waits."""
    make = maker(club.ledger.database, club.ledger.clock)
    exporting.sweep(club.ledger, settings, make)


def fetched(caller: Caller, asked: Answer) -> JSON:
    """How an export stands now."""
    told: JSON = caller.get(asked.headers["Location"]).json
    return told


def test_an_export_is_asked_for_made_and_fetched(played: Club, settings: Settings) -> None:
    """It waits for a worker, is complete with its manifest, and each file has link and hash."""
    asked = ask(played.owner, played, kind="journal", format="csv")
    assert (asked.status_code, asked.json["status"]) == (202, "pending")
    assert asked.headers["Location"] == f"/v1/clubs/{played.id}/exports/{asked.json['id']}"

    work(played, settings)

    made = fetched(played.owner, asked)
    assert (made["status"], made["progress"]["rows"]) == ("complete", made["manifest"]["rows"])
    [data, manifest] = made["files"]
    answer = played.app.test_client().get(data["url"], buffered=True)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert data["name"] in answer.headers["Content-Disposition"]
    assert hashlib.sha256(answer.data).hexdigest() == data["sha256"]
    rows = list(csv.DictReader(io.StringIO(answer.data.decode())))
    assert len(rows) == made["manifest"]["rows"] > 0
    assert manifest["name"] == data["name"] + ".manifest.json"


def test_the_same_request_again_is_the_same_export(played: Club) -> None:
    """By its command id; for another body it is refused."""
    first = ask(played.owner, played, "k1", kind="pairs", format="json")
    again = ask(played.owner, played, "k1", kind="pairs", format="json")
    other = ask(played.owner, played, "k1", kind="pairs", format="csv")
    anew = ask(played.owner, played, "k2", kind="pairs", format="json")

    assert again.json["id"] == first.json["id"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (other.status_code, other.json["code"]) == (422, "idempotency_key_reused")
    assert anew.json["id"] != first.json["id"]


def test_a_worker_is_told_and_else_finds_it(played: Club, settings: Settings) -> None:
    """One hint for one export."""
    hints: list[str] = played.app.extensions["hints"]
    hints.clear()
    ask(played.owner, played, "once", kind="pairs", format="json")
    ask(played.owner, played, "once", kind="pairs", format="json")
    with played.ledger.database.read() as connection:
        waiting = jobs.waiting(connection, EXPORT, played.ledger.clock(), 1000)
    assert hints == [str(waiting[-1].id)]


def test_the_days_of_a_closing_stand_for_first_and_last(played: Club) -> None:
    """A closing that is not there is refused."""
    asked = ask(played.owner, played, kind="journal", format="csv", period=7)
    assert (asked.status_code, asked.json["code"]) == (404, "period_unknown")


@pytest.mark.parametrize(
    ("role", "kind", "status"),
    [
        ("accountant", "journal", 202),
        ("accountant", "operator_log", 202),
        ("accountant", "pairs", 403),
        ("auditor", "pairs", 202),
        ("treasurer", "trial_balance", 202),
        ("treasurer", "score_history", 403),
        ("treasurer", "settlement_lines", 403),
        ("manager", "operator_log", 403),
        ("referee", "settlement_lines", 202),
        ("recorder", "score_history", 403),
        ("recorder", "journal", 403),
    ],
)
def test_each_role_has_the_kinds_that_it_may_read(
    played: Club, role: str, kind: str, status: int
) -> None:
    """As it may read the lists."""
    caller = officer(played, role)
    assert ask(caller, played, kind=kind, format="csv").status_code == status


def test_a_member_has_his_own_statement_alone(played: Club, settings: Settings) -> None:
    """Whether or not he names himself; of nobody else, and of no other kind."""
    member, other = played.members[0], played.members[1]
    mine = played.players[0]
    asked = ask(mine, played, kind="member_statement", format="json")
    assert (asked.status_code, asked.json["filters"]["member"]) == (202, member)
    assert (
        ask(mine, played, kind="member_statement", format="json", member=other).status_code == 403
    )
    assert ask(mine, played, kind="journal", format="json").status_code == 403

    work(played, settings)

    [data, _] = fetched(mine, asked)["files"]
    told = played.app.test_client().get(data["url"], buffered=True).get_json()
    assert {row["member_code"] for row in told["data"]} == {"M-0001"}


def test_who_sees_which_exports(played: Club) -> None:
    """An officer those of the kinds that he may have; a member his own."""
    journal = ask(played.owner, played, kind="journal", format="csv").json["id"]
    pairs = ask(played.owner, played, kind="pairs", format="csv").json["id"]
    mine = ask(played.players[0], played, kind="member_statement", format="csv").json["id"]
    path = f"/v1/clubs/{played.id}/exports"

    def seen(caller: Caller) -> set[str]:
        return {one["id"] for one in caller.get(f"{path}?limit=100").json["data"]}

    accountant = officer(played, "accountant")
    assert {journal, pairs, mine} <= seen(played.owner)
    assert seen(accountant) & {journal, pairs, mine} == {journal, mine}
    assert seen(played.players[0]) & {journal, pairs, mine} == {mine}
    assert seen(played.players[1]) & {journal, pairs, mine} == set()
    assert accountant.get(f"{path}/{pairs}").json["code"] == "export_unknown"
    assert played.players[1].get(f"{path}/{mine}").json["code"] == "export_unknown"
    assert played.players[0].get(f"{path}/{mine}").status_code == 200


def test_a_link_opens_its_file_alone_and_for_a_while(played: Club, settings: Settings) -> None:
    """Not another name, another time, another export, nor after a quarter of an hour."""
    asked = ask(played.owner, played, kind="pairs", format="csv")
    work(played, settings)
    made = fetched(played.owner, asked)
    [data, manifest] = made["files"]
    stranger = played.app.test_client()

    def code(url: str) -> str:
        return str(stranger.get(url, buffered=True).get_json()["code"])

    assert stranger.get(data["url"], buffered=True).status_code == 200
    assert code(data["url"].replace(data["name"], manifest["name"])) == "export_link_invalid"
    assert code(data["url"].replace("until=1", "until=2")) == "export_link_invalid"
    assert code(data["url"].replace(made["id"], "exp_0")) == "export_link_invalid"
    assert code(data["url"].rpartition("&")[0]) == "query_invalid"

    clock = played.app.extensions["clock"]
    clock.now += 900 * SECOND
    assert code(data["url"]) == "export_link_over"


def test_files_go_when_their_days_are_over(played: Club, settings: Settings) -> None:
    """The export is listed as expired, its links are none, and the folder is empty."""
    asked = ask(played.owner, played, kind="pairs", format="csv")
    work(played, settings)
    made = fetched(played.owner, asked)
    place = exporting.place_of(settings, made["id"])
    assert place.is_dir()

    clock, before = played.app.extensions["clock"], played.app.extensions["clock"].now
    clock.now += 7 * DAY
    expired = fetched(played.owner, asked)
    assert (expired["status"], expired["files"]) == ("expired", [])
    work(played, settings)
    assert not place.exists()
    clock.now = before


def test_an_export_that_is_refused_while_it_is_made_says_why(
    played: Club, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the language of who asks; it is not tried again."""
    asked = ask(played.owner, played, kind="pairs", format="csv")

    def refuses(*_: object) -> tuple[int, str]:
        raise Refused("projection_stopped", projection="pairs", error="evt_7: KeyError")

    exporting.sweep(played.ledger, settings, refuses)
    failed = fetched(played.owner, asked)
    assert (failed["status"], failed["error"]["code"]) == ("failed", "projection_stopped")
    assert "pairs" in failed["error"]["detail"]
    with played.ledger.database.read() as connection:
        assert asked.json["id"] not in [job.subject for job in jobs.left(connection)]


def test_an_export_that_fails_at_every_attempt_is_given_up(
    played: Club, settings: Settings
) -> None:
    """Then it says so, and the job stands parked for who runs the service."""
    asked = ask(played.owner, played, kind="pairs", format="csv")

    def breaks(*_: object) -> tuple[int, str]:
        raise ZeroDivisionError

    clock, before = played.app.extensions["clock"], played.app.extensions["clock"].now
    for _ in range(settings.max_attempts):
        exporting.sweep(played.ledger, settings, breaks)
        clock.now += 100 * SECOND
    failed = fetched(played.owner, asked)
    assert (failed["status"], failed["error"]["code"]) == ("failed", "export_failed")
    clock.now = before


def test_how_far_it_has_come_is_told(played: Club, settings: Settings) -> None:
    """While it is made, with its job kept by who makes it."""
    asked = ask(played.owner, played, kind="pairs", format="csv")
    seen: list[JSON] = []

    def slow(row: object, folder: object, told: Any) -> tuple[int, str]:
        clock = played.app.extensions["clock"]
        clock.now += 2 * SECOND
        told(3000, 9000)
        seen.append(fetched(played.owner, asked))
        raise Refused("projection_stopped", projection="pairs", error="evt_7")

    exporting.sweep(played.ledger, settings, slow)
    assert (seen[0]["status"], seen[0]["progress"]) == ("running", {"rows": 3000, "of": 9000})


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"format": "csv"}, "/kind", "field_missing"),
        ({"kind": "books", "format": "csv"}, "/kind", "field_choice"),
        ({"kind": "journal", "format": "pdf"}, "/format", "field_choice"),
        ({"kind": "journal", "format": "csv", "first": "28.11."}, "/first", "date_form"),
        ({"kind": "journal", "format": "csv", "secret": 1}, "/secret", "field_unknown"),
    ],
)
def test_what_has_not_its_form(played: Club, body: JSON, pointer: str, code: str) -> None:
    """Is refused at its place."""
    answer = ask(played.owner, played, **body)
    assert answer.status_code == 422
    assert [(one["pointer"], one["code"]) for one in answer.json["errors"]] == [(pointer, code)]


def test_what_a_kind_does_not_take_is_refused(played: Club) -> None:
    """With what it takes."""
    answer = ask(played.owner, played, kind="pairs", format="csv", position=3)
    assert (answer.status_code, answer.json["code"]) == (422, "export_filter")
    assert "first, last, member, ruleset" in answer.json["detail"]

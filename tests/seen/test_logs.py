"""Log lines: JSON on stderr, one for each request, each with its request or job, no secret."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import structlog
from billiard import util
from flask import Flask

from ledger import demo, jobs, logs, settlement
from ledger.demo import DemoClub
from ledger.jobs import SETTLE
from tests.seen.conftest import OPERATOR
from wsgi import House

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[str], Lines]]:
    """Logs at a level, and gives what reads the lines since; nothing may go to stdout."""
    root = logging.getLogger()
    before = root.handlers[:], root.level

    def at(level: str) -> Lines:
        logs.configure(level)
        return lines

    def lines() -> list[dict[str, Any]]:
        said = capsys.readouterr()
        assert said.out == ""
        return [json.loads(line) for line in said.err.splitlines()]

    yield at
    root.handlers, root.level = before
    structlog.contextvars.clear_contextvars()
    structlog.reset_defaults()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_request_is_a_line(app: Flask, club: DemoClub, logged: Callable[[str], Lines]) -> None:
    """Method, route, status, milliseconds, who asked and about which club; when, in UTC."""
    lines = logged("INFO")

    answer = app.test_client().get(
        f"/v1/clubs/{club.club}/members?limit=3", headers=bearer(club.owner)
    )

    [line] = lines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line.pop("time"))
    assert line.pop("ms") >= 0
    assert line.pop("actor").startswith("key_")
    assert line == {
        "event": "request",
        "level": "info",
        "logger": "ledger.api.seen",
        "method": "GET",
        "route": "/v1/clubs/<id:club>/members",
        "status": 200,
        "club": club.club,
        "request_id": answer.headers["Request-Id"],
    }


def test_a_request_that_finds_nothing_is_a_line(app: Flask, logged: Callable[[str], Lines]) -> None:
    """Of what is not there no path is told, for a path may hold anything."""
    lines = logged("INFO")

    app.test_client().get("/secret")

    [line] = lines()
    assert (line["route"], line["status"], line["actor"]) == ("other", 404, None)


def test_every_line_of_a_request_has_its_id(app: Flask, logged: Callable[[str], Lines]) -> None:
    """Given a view that logs in two ways and fails, then all its lines have the answer's id."""

    @app.get("/broken")
    def broken() -> str:
        structlog.get_logger().info("ours")
        logging.getLogger("of.a.library").info("theirs")
        raise ValueError("broken")

    lines = logged("INFO")
    answer = app.test_client().get("/broken")
    told = lines()

    assert answer.status_code == 500
    assert {line["request_id"] for line in told} == {answer.headers["Request-Id"]}
    assert [line["event"] for line in told] == [
        "ours",
        "theirs",
        "Exception on /broken [GET]",
        "request_failed",
        "request",
    ]
    assert told[2]["exception"].endswith("ValueError: broken")


def test_a_request_takes_nothing_over_from_the_one_before(
    app: Flask, logged: Callable[[str], Lines]
) -> None:
    """Given two requests in one thread, then each line has the id of its own."""
    lines, client = logged("INFO"), app.test_client()

    ids = [client.get("/healthz").headers["Request-Id"] for _ in range(2)]

    assert [line["request_id"] for line in lines()] == ids
    assert ids[0] != ids[1]


def test_a_line_after_a_request_has_nothing_of_it(
    app: Flask, logged: Callable[[str], Lines]
) -> None:
    """Given a request that is over, then what its thread logs next has not its id."""
    lines = logged("INFO")

    app.test_client().get("/healthz").close()
    logging.getLogger("of.the.server").info("later")

    assert [("request_id" in line, line["event"]) for line in lines()] == [
        (True, "request"),
        (False, "later"),
    ]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Invalid request from ip=10.0.0.7: Invalid HTTP request line: 'GET /?said'",
            "Invalid request",
        ),
        ("Invalid request from ip=10.0.0.7: Invalid HTTP header: 'said\nsaid'", "Invalid request"),
        ("Error handling request GET /v1/clubs?said", "Error handling request"),
        ("Booting worker with pid: 7", "Booting worker with pid: 7"),
    ],
)
def test_what_the_web_server_does_not_understand_it_does_not_repeat(
    logged: Callable[[str], Lines], said: str, kept: str
) -> None:
    """Its other lines are whole."""
    lines = logged("INFO")
    logging.getLogger("gunicorn.error").warning(said)
    [line] = lines()
    assert line["event"] == kept


def test_of_a_row_that_was_refused_no_line_is_told(logged: Callable[[str], Lines]) -> None:
    """Given a row with line ends in it, then nothing of it is left."""
    lines = logged("INFO")
    said = "duplicate key\nDETAIL:  Key (name)=(line one\nSecret Name) exists.\n[SQL: INSERT]"
    logging.getLogger("any").error("failed", exc_info=ValueError(said))
    structlog.get_logger().error("failed", error=said)
    first, second = lines()
    assert first["exception"] == "ValueError: duplicate key"
    assert second["error"] == "duplicate key"


def test_a_worker_whose_process_is_killed_says_so_in_json(logged: Callable[[str], Lines]) -> None:
    """billiard's own lines are as all others."""
    lines = logged("INFO")
    util.get_logger()
    util.error("Process %r exited", "ForkPoolWorker-1")
    [line] = lines()
    assert (line["event"], line["level"]) == ("Process 'ForkPoolWorker-1' exited", "error")


def test_no_secret_is_logged(
    app: Flask, club: DemoClub, logged: Callable[[str], Lines], capsys: pytest.CaptureFixture[str]
) -> None:
    """At the finest level neither a token, nor a query, nor what a body says is in any line."""
    logged("DEBUG")
    client = app.test_client()
    client.environ_base["HTTP_IDEMPOTENCY_KEY"] = "said-key"
    path = f"/v1/clubs/{club.club}"
    asked = [
        client.post("/v1/sessions", json={"login": "said-login", "password": "said-password"}),
        client.post("/v1/sessions", json={"link": "said-link"}),
        client.get(f"{path}/events?after=314159", headers=bearer(club.owner)),
        client.get(f"{path}/members", headers=bearer("pz_said_token")),
        client.post(f"{path}/members", json={"name": "said-name"}, headers=bearer(club.owner)),
        client.get("/metrics", headers=bearer(OPERATOR)),
        client.get("/metrics", headers=bearer("said-operator")),
    ]

    said = capsys.readouterr().err

    assert [answer.status_code for answer in asked] == [401, 401, 200, 401, 201, 200, 401]
    assert said.count('"event": "request"') == 7
    secrets = ("said", "314159", OPERATOR, club.owner)
    assert [secret for secret in secrets if secret in said] == []


def test_a_worker_tells_the_job_and_the_club(
    house: House, club: DemoClub, logged: Callable[[str], Lines]
) -> None:
    """Given a hand that is settled, then its line has the job, the club and how long it took."""
    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    lines = logged("INFO")

    settlement.sweep(house.ledger(), house.settings)

    [line] = lines()
    assert (line["event"], line["club"], line["job"]) == ("settled", club.club, 1)
    assert line["subject"].startswith("tbl_")
    assert line["seconds"] >= 0


def test_a_job_that_fails_tells_so(
    house: House,
    club: DemoClub,
    logged: Callable[[str], Lines],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a settlement that fails, then the line with its error has the job and the club."""

    def fail(*_: object) -> None:
        raise ValueError("no such rule")

    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    monkeypatch.setattr(settlement, "_settle", fail)
    lines = logged("WARNING")

    settlement.sweep(house.ledger(), house.settings)

    [line] = lines()
    assert (line["event"], line["level"]) == ("settlement_failed", "error")
    assert (line["club"], line["job"]) == (club.club, 1)
    assert line["error"] == "ValueError: no such rule"


def test_a_job_that_is_given_up_tells_so_with_the_way_to_the_fault(
    house: House,
    club: DemoClub,
    logged: Callable[[str], Lines],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the last attempt a line says that the job is parked, with the traceback, and no row."""

    def fail(*_: object) -> None:
        raise ValueError("no such rule\nDETAIL:  Failing row contains (said-name).")

    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    monkeypatch.setattr(settlement, "_settle", fail)
    lines = logged("WARNING")

    settlement.sweep(house.ledger(), replace(house.settings, max_attempts=1))

    failed, parked = lines()
    assert (failed["event"], "exception" in failed) == ("settlement_failed", False)
    assert (parked["event"], parked["level"]) == ("settlement_parked", "error")
    assert (parked["club"], parked["job"]) == (club.club, 1)
    assert parked["error"] == "ValueError: no such rule"
    assert parked["exception"].startswith("Traceback (most recent call last):")
    assert "in fail\n" in parked["exception"]
    assert parked["exception"].endswith("ValueError: no such rule")


def test_a_job_that_kills_its_workers_is_parked_with_a_line(
    house: House, club: DemoClub, logged: Callable[[str], Lines]
) -> None:
    """Given a job whose last lease ran out, then the sweep that parks it says so."""
    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    with house.database.write() as connection:
        assert jobs.lease(connection, SETTLE, "w", now=0, seconds=1, most=1) is not None
    lines = logged("WARNING")

    settlement.sweep(house.ledger(), replace(house.settings, max_attempts=1))

    [line] = lines()
    assert (line["event"], line["level"]) == ("settlement_parked", "error")
    assert (line["club"], line["job"], line["error"]) == (club.club, 1, "lease_ran_out")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("celery.worker", "INFO"),
        ("waitress", "INFO"),
        ("gunicorn.error", "INFO"),
        ("alembic.runtime.migration", "DEBUG"),
    ],
)
def test_libraries_log_through_the_same_renderer(
    name: str, level: str, logged: Callable[[str], Lines]
) -> None:
    """A library's line is one of ours."""
    lines = logged(level)

    logging.getLogger(name).info("%d of %s", 3, "中")

    [line] = lines()
    assert (line["event"], line["logger"], line["level"]) == ("3 of 中", name, "info")


@pytest.mark.parametrize(
    "name",
    ["alembic.runtime.plugins", "celery.beat", "celery.worker.strategy", "celery.app.trace"],
)
def test_what_is_told_at_every_sweep_is_told_at_debug_alone(
    name: str, logged: Callable[[str], Lines]
) -> None:
    """At INFO these libraries say what is grave, and nothing of what comes every two seconds."""
    lines = logged("INFO")
    library = logging.getLogger(name)

    library.info("Task paizhang.sweep succeeded")
    library.warning("grave")
    logged("DEBUG")
    library.info("told again")

    assert [line["event"] for line in lines()] == ["grave", "told again"]


def test_the_access_log_of_gunicorn_is_silent(logged: Callable[[str], Lines]) -> None:
    """It would repeat every request with its query."""
    lines = logged("DEBUG")

    logging.getLogger("gunicorn.access").info("GET /v1/clubs?after=secret")

    assert lines() == []


def test_what_is_less_grave_than_the_level_is_not_logged(
    app: Flask, logged: Callable[[str], Lines]
) -> None:
    """At WARNING a request that goes well is no line."""
    lines = logged("WARNING")

    app.test_client().get("/healthz")

    assert lines() == []

"""Whether the server runs and can work, and the headers of every answer."""

from __future__ import annotations

from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from ledger.api import register
from ledger.database import Database, upgrade
from ledger.rules.catalog import CATALOG
from tests.api.conftest import Club
from tests.conftest import NO_KEY, Administer, address
from tests.world import World


@pytest.fixture
def client(club: Club) -> FlaskClient:
    """Somebody without a key, on each kind of database."""
    return club.app.test_client()


def serving(database: Database) -> FlaskClient:
    app = Flask("health")
    register(app, World(database).ledger, NO_KEY)
    return app.test_client()


def test_the_server_says_that_it_runs(client: FlaskClient) -> None:
    """/healthz needs no key and looks at nothing."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})


def test_the_server_says_that_it_can_work(database_url: str) -> None:
    """/readyz: the database answers, and its schema is the newest."""
    with closing(Database.open(database_url)) as database:
        answer = serving(database).get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {"status": "ready", "checks": {"database": "ok", "schema": "ok"}}


def test_an_old_schema_is_not_ready(owner_url: str) -> None:
    """Given a database of an older version, then /readyz says that its schema is wrong."""
    with closing(Database.open(owner_url)) as database:
        with database.write() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        answer = serving(database).get("/readyz")

    assert answer.status_code == 503
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Retry-After"] == "1"
    assert answer.json is not None
    assert (answer.json["code"], answer.json["retryable"]) == ("not_ready", True)
    assert answer.json["detail"] == "The server cannot work yet: schema fails."


def test_a_database_without_a_schema_is_not_ready(
    postgres_server: str, postgres_template: str, administer: Administer, tmp_path: Path
) -> None:
    """Given an empty database, then it is ready once it was upgraded."""
    name = f"{postgres_template}_empty"
    administer("CREATE DATABASE {}", name)
    for url in (f"sqlite:///{tmp_path}/empty.db", address(postgres_server, name)):
        with closing(Database.open(url)) as database:
            client = serving(database)
            assert client.get("/readyz").status_code == 503
            upgrade(url)
            assert client.get("/readyz").status_code == 200
    administer("DROP DATABASE {} WITH (FORCE)", name)


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/x.db", "postgresql+psycopg:///x?host=/nowhere"]
)
def test_a_database_that_is_away_is_not_ready(url: str) -> None:
    """Given nothing that answers, then /readyz says so, and /healthz goes on."""
    with closing(Database.open(url)) as database:
        client = serving(database)
        answer = client.get("/readyz", headers={"Accept-Language": "zh"})
        assert client.get("/healthz").status_code == 200

    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["code"] == "not_ready"
    assert answer.json["detail"] == "服务器暂时无法工作：database 检查未通过。"


def test_the_server_says_which_version_it_is(client: FlaskClient) -> None:
    """/version: the installed software, the API, and the rulesets."""
    answer = client.get("/version")
    assert answer.status_code == 200
    assert answer.json == {
        "name": "paizhang",
        "version": version("paizhang"),
        "api": "1",
        "rulesets": list(CATALOG),
    }


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/version"])
def test_health_is_described_as_open(client: FlaskClient, path: str) -> None:
    """In the API's description these routes need no key."""
    spec = client.get("/openapi.json").json
    assert spec is not None
    told = spec["paths"][path]["get"]
    assert told["security"] == []
    assert told["summary"]
    assert "200" in told["responses"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/healthz", 200),
        ("/readyz", 200),
        ("/version", 200),
        ("/openapi.json", 200),
        ("/nothing", 404),
        ("/v1/nothing", 404),
        ("/v1/clubs", 405),
        ("/v1/clubs/club_none", 401),
        ("/broken", 500),
    ],
)
def test_every_answer_is_numbered_and_guarded(sqlite_club: Club, path: str, status: int) -> None:
    """A Request-Id of its own, and what keeps browsers from doing more than reading it."""
    app = Flask("guarded")
    register(app, sqlite_club.ledger, NO_KEY)
    app.add_url_rule("/broken", view_func=lambda: str(1 / 0))
    client = app.test_client()

    answer, again = client.get(path), client.get(path)

    assert answer.status_code == status
    assert answer.headers["Request-Id"].startswith("req_")
    assert answer.headers["Request-Id"] != again.headers["Request-Id"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    policy = "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["Content-Security-Policy"] == policy


def test_a_page_keeps_the_policy_of_its_own(client: FlaskClient) -> None:
    """The docs load their own scripts and styles."""
    policy = client.get("/docs").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")

"""A database that cannot answer is a 503 that says which it is: too much to do, or not there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from psycopg import errors
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError, TimeoutError

from ledger.api import register
from ledger.database import Database, trouble, upgrade
from ledger.refusal import Refused
from tests.api.conftest import Caller, Club
from tests.conftest import NO_KEY
from tests.world import World


def ask(club: Club, database: Database) -> Any:
    """What is answered about the club where the database is another one."""
    app = Flask("paizhang")
    register(app, replace(club.ledger, database=database), NO_KEY)
    return Caller(app.test_client(), club.owner.token).get(club.path)


@pytest.mark.holds("the database is off while somebody asks")
@pytest.mark.parametrize("url", ["sqlite:////nowhere/x", "postgresql+psycopg:///x?host=/nowhere"])
def test_a_database_that_does_not_answer_is_said_not_to(sqlite_club: Club, url: str) -> None:
    """503 `database_unavailable` with when to try again, and not that too much is written."""
    with closing(Database.open(url)) as database:
        refused = ask(sqlite_club, database)
    assert (refused.status_code, refused.json["code"]) == (503, "database_unavailable")
    assert refused.json["detail"] == "The database does not answer just now; try again."
    assert (refused.json["retryable"], refused.headers["Retry-After"]) == (True, "1")


def test_a_file_that_others_hold_is_busy(sqlite_club: Club, tmp_path: Path) -> None:
    """Given a SQLite file whose lock is not free in time, then 503 `busy`."""
    with closing(Database.open(f"sqlite:///{tmp_path}/held")) as database:

        @event.listens_for(database.reader, "connect")
        def impatient(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA busy_timeout = 0")

        with closing(sqlite3.connect(tmp_path / "held", isolation_level=None)) as other:
            other.execute("CREATE TABLE clubs (club)")
            other.execute("BEGIN EXCLUSIVE")
            refused = ask(sqlite_club, database)
    assert (refused.status_code, refused.json["code"]) == (503, "busy")
    assert (refused.json["retryable"], refused.headers["Retry-After"]) == (True, "1")


@pytest.mark.parametrize(
    "cause",
    [errors.DeadlockDetected(), errors.LockNotAvailable(), errors.TooManyConnections()],
)
def test_contention_is_busy(cause: Exception) -> None:
    """What PostgreSQL says of locks, and of connections that are all taken."""
    assert trouble(OperationalError("", {}, cause)) == "busy"


def test_a_pool_without_a_free_connection_is_busy() -> None:
    """It is the ledger itself that has too much to do."""
    assert trouble(TimeoutError("QueuePool limit of size 5 overflow 10 reached")) == "busy"


@pytest.mark.parametrize(
    "cause",
    [errors.AdminShutdown("terminating connection"), errors.OperationalError("Connection refused")],
)
def test_a_server_that_ends_or_is_off_is_away(cause: Exception) -> None:
    """It is not busy, and its requests may go well when it is back."""
    assert trouble(OperationalError("", {}, cause)) == "away"


# --- a database of a newer release ------------------------------------------------------------


@pytest.fixture
def newer(owner_url: str) -> Iterator[Database]:
    """A database that a later release has brought to its schema."""
    with closing(Database.open(owner_url)) as database:
        with database.write() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        yield database


def test_a_newer_schema_is_not_ready_and_said_to_be_newer(newer: Database) -> None:
    """/readyz tells a process of the old release that the database has moved on."""
    answer = serving(newer).get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["code"] == "schema_newer"
    assert answer.json["detail"] == (
        "The database has the schema 9999 of a newer release; run that release on it."
    )


@pytest.mark.usefixtures("newer")
def test_a_newer_schema_is_not_upgraded(owner_url: str) -> None:
    """An old checkout refuses in a sentence, and changes nothing."""
    with pytest.raises(Refused, match=r"schema_newer\(found=9999\)"):
        upgrade(owner_url)


def serving(database: Database) -> FlaskClient:
    app = Flask("health")
    register(app, World(database).ledger, NO_KEY)
    return app.test_client()

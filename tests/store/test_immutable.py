"""What was written once is never changed, not even by a hand on the database itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from ledger.database import Database, make_role
from ledger.store import Command
from tests.conftest import address
from tests.store.conftest import Log

EVENT = (
    "INTO events (club, position, stream, version, type, recorded_at, actor, role, command, "
    "public, slots, digests, leaf, hash) SELECT {club}, {position}, {stream}, {version}, type, "
    "recorded_at, actor, 'forged', command, public, slots, digests, leaf, hash FROM events "
    "WHERE club = 'c1' AND position = 2"
)
SAME_POSITION = EVENT.format(club="club", position=2, stream="'table/new'", version=1)
SAME_VERSION = EVENT.format(club="club", position=9, stream="'table/a'", version=2)
SAME_STREAM = EVENT.format(club="'c2'", position=9, stream="'table/a'", version=1)
COMMAND = (
    "INTO commands (club, digest, request, first, last) "
    "SELECT club, digest, digest, first, last FROM commands"
)


@pytest.fixture
def kept(log: Log) -> Log:
    """A log with two events of a table, of one command."""
    log.append("table/a", 0, ("Dealt/1", "Drawn/1"), command=Command(b"\x0c" * 32, bytes(32)))
    return log


@pytest.fixture(params=["as the application", "as the owner"])
def as_one(request: pytest.FixtureRequest, kept: Log, owner_url: str) -> Iterator[Log]:
    """The same log for the application's role, and for the owner of the database."""
    if request.param == "as the application":
        yield kept
        return
    owner = Database.open(owner_url)
    yield Log(owner)
    owner.close()


def assert_refused(log: Log, statement: str, why: str = "written once|permission denied") -> None:
    """A statement is refused, and leaves everything as it was."""
    before = log.everything()
    with pytest.raises(DBAPIError, match=why), log.database.write() as connection:
        connection.execute(text(statement))
    assert log.everything() == before


@pytest.mark.holds("somebody changes or deletes events by hand")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET role = 'forged'",
        "UPDATE events SET role = 'forged' WHERE club = 'c1' AND position = 2",
        "UPDATE commands SET first = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE club = 'c1' AND position = 3",
        "DELETE FROM commands",
    ],
)
def test_change(as_one: Log, statement: str) -> None:
    """Events and commands are neither changed nor deleted."""
    assert_refused(as_one, statement)


@pytest.mark.parametrize("row", [SAME_POSITION, SAME_VERSION, SAME_STREAM, COMMAND])
def test_insert_over_a_key(as_one: Log, row: str) -> None:
    """A second row under a key that is taken is refused."""
    assert_refused(as_one, f"INSERT {row}", "written once|duplicate key|permission denied")


@pytest.mark.parametrize(
    "upsert",
    [
        f"INSERT {SAME_POSITION} ON CONFLICT (club, position) DO UPDATE SET role = 'forged'",
        f"INSERT {SAME_VERSION} ON CONFLICT (club, stream, version) DO UPDATE SET role = 'forged'",
        f"INSERT {COMMAND} WHERE 1 = 1 ON CONFLICT (club, digest) DO UPDATE SET first = 1",
    ],
)
def test_upsert(as_one: Log, upsert: str) -> None:
    """An insert that would turn into an update is refused."""
    assert_refused(as_one, upsert)


@pytest.mark.holds("somebody replaces events by hand")
@pytest.mark.parametrize("row", [SAME_POSITION, SAME_VERSION, SAME_STREAM, COMMAND])
@pytest.mark.parametrize("replace", ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_replace(as_one: Log, row: str, replace: str) -> None:
    """SQLite's REPLACE, which deletes without a delete trigger, is refused over every key."""
    if as_one.database.writer.dialect.name == "sqlite":
        assert_refused(as_one, f"{replace} {row}")
    else:
        assert_refused(as_one, f"{replace} {row}", "syntax error")


@pytest.mark.parametrize("table", ["events", "commands"])
def test_replace_by_a_hidden_key(as_one: Log, table: str) -> None:
    """There is no rowid to replace a row by."""
    assert_refused(as_one, f"INSERT INTO {table} (rowid) VALUES (1)", "rowid")


@pytest.mark.holds("somebody empties the log by hand")
@pytest.mark.parametrize("truncate", ["TRUNCATE events", "TRUNCATE commands, events CASCADE"])
def test_truncate(as_one: Log, truncate: str) -> None:
    """PostgreSQL's TRUNCATE is refused; SQLite has none."""
    assert_refused(as_one, truncate, "written once|permission denied|syntax error")


@pytest.mark.holds("the application is taken over and would unlock its log")
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TRIGGER events_change ON events",
        "DROP FUNCTION written_once() CASCADE",
        "CREATE OR REPLACE FUNCTION written_once() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RETURN NULL; END $$",
        "UPDATE alembic_version SET version_num = '0001'",
    ],
)
def test_the_applications_role_keeps_its_locks(postgresql_url: str, statement: str) -> None:
    """What keeps events from being changed is the owner's, and out of the application's reach."""
    with closing(Database.open(postgresql_url)) as database:
        assert_refused(Log(database), statement, "must be owner|permission denied")


def test_a_role_is_made_once(postgresql_url: str, postgres_server: str, postgres_role: str) -> None:
    """Given a role that is there, then its rights are set again, and no password is told."""
    role = make_url(postgres_role).username
    owner = address(postgres_server, make_url(postgresql_url).database or "")
    assert role is not None
    assert make_role(owner, role) is None
    with closing(Database.open(postgresql_url)) as database:
        assert Log(database).found().first == 1

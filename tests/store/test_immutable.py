"""What was written once is never changed, not even by a hand on the database itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import insert, make_url, select, text
from sqlalchemy.exc import DBAPIError

from ledger.checkpoints import signed_checkpoints
from ledger.database import Database, make_role
from ledger.signing import signing_keys
from ledger.store import Command
from ledger.store.tables import nodes
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

PROVEN = {
    nodes: {"club": "c1", "level": 1, "number": 0, "hash": b"n" * 32},
    signing_keys: {"key": "k1", "public": b"p" * 32, "begun_at": 1, "after": ""},
    signed_checkpoints: {"club": "c1", "position": 2, "note": "as it was", "created_at": 1},
}
"""A row of each table that proves a log."""
CHANGES = {"nodes": "hash", "signing_keys": "public", "signed_checkpoints": "note"}
KEYS = {
    "nodes": "club, level, number",
    "signing_keys": "key",
    "signed_checkpoints": "club, position",
}


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


# --- what proves a log ------------------------------------------------------------------------


@pytest.fixture
def proven(as_one: Log) -> Log:
    """A log with a node, a key and a checkpoint; no test cares that they prove nothing."""
    with as_one.database.write() as connection:
        for table, row in PROVEN.items():
            connection.execute(insert(table), row)
    return as_one


def assert_kept(log: Log, statement: str, why: str = "written once|permission denied") -> None:
    """A statement is refused, and the rows that prove the log are as they were."""
    assert_refused(log, statement, why)
    with log.database.read() as connection:
        for table, row in PROVEN.items():
            [found] = connection.execute(select(table)).mappings()
            assert {**row, "signature": None} == {"signature": None, **found}


@pytest.mark.holds("somebody changes or deletes what proves a log by hand")
@pytest.mark.parametrize("table", CHANGES)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET {column} = {column}",
        "UPDATE {table} SET {column} = {column} WHERE 1 = 0 OR {column} IS NOT NULL",
        "DELETE FROM {table}",
        "INSERT INTO {table} SELECT * FROM {table} WHERE 1 = 1 "
        "ON CONFLICT ({key}) DO UPDATE SET {column} = excluded.{column}",
    ],
)
def test_what_proves_a_log_is_not_changed(proven: Log, table: str, statement: str) -> None:
    """Nodes, keys and checkpoints are neither changed nor deleted."""
    names = {"table": table, "column": CHANGES[table], "key": KEYS[table]}
    assert_kept(proven, statement.format(**names))


@pytest.mark.parametrize("table", CHANGES)
@pytest.mark.parametrize("insert", ["INSERT", "REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_what_proves_a_log_is_not_replaced(proven: Log, table: str, insert: str) -> None:
    """A second row under its key is refused, as SQLite's ways past a delete trigger are."""
    why = "written once|permission denied|duplicate key|syntax error"
    assert_kept(proven, f"{insert} INTO {table} SELECT * FROM {table}", why)


@pytest.mark.parametrize("insert", ["INSERT", "REPLACE", "INSERT OR IGNORE"])
def test_a_key_has_one_next(proven: Log, insert: str) -> None:
    """Nor is there a second first key: the list of keys never branches."""
    columns = "INTO signing_keys SELECT 'k2', public, begun_at, after, signature FROM signing_keys"
    why = "written once|duplicate key|syntax error"
    assert_kept(proven, f"{insert} {columns}", why)


@pytest.mark.parametrize("table", CHANGES)
def test_what_proves_a_log_has_no_hidden_key(proven: Log, table: str) -> None:
    """There is no rowid to replace a row by."""
    assert_kept(proven, f"INSERT INTO {table} (rowid) VALUES (1)", "rowid")


@pytest.mark.holds("somebody empties what proves a log by hand")
@pytest.mark.parametrize(
    "truncate", [*map("TRUNCATE {}".format, CHANGES), "TRUNCATE nodes, signed_checkpoints CASCADE"]
)
def test_what_proves_a_log_is_not_emptied(proven: Log, truncate: str) -> None:
    assert_kept(proven, truncate, "written once|permission denied|syntax error")


RIGHTS = text(
    "SELECT DISTINCT privilege_type FROM information_schema.role_table_grants "
    "WHERE grantee = current_user AND table_name = :table ORDER BY 1"
)


@pytest.mark.parametrize("table", ["events", "commands", *CHANGES])
def test_the_applications_role_may_read_and_add(postgresql_url: str, table: str) -> None:
    """`paizhang db role` gives it no other right on what is written once."""
    with closing(Database.open(postgresql_url)) as database, database.read() as connection:
        rights = connection.execute(RIGHTS, {"table": table}).scalars().all()
    assert rights == ["INSERT", "SELECT"]


@pytest.mark.holds("the application's role was given too much by hand")
@pytest.mark.parametrize("table", CHANGES)
def test_a_right_given_by_hand_is_taken_back(
    postgresql_url: str, owner_url_of_postgresql: str, table: str
) -> None:
    """When the role is set up again, then it has what it should have, and no more."""
    role = make_url(postgresql_url).username or ""
    with closing(Database.open(owner_url_of_postgresql)) as owner, owner.write() as connection:
        connection.execute(text(f'GRANT ALL ON {table} TO "{role}"'))
    make_role(owner_url_of_postgresql, role)
    test_the_applications_role_may_read_and_add(postgresql_url, table)

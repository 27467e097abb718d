"""What was written once is never changed, not even by a hand on the database itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger.store import Command

if TYPE_CHECKING:
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


def assert_refused(log: Log, statement: str, why: str = "written once") -> None:
    """A statement is refused, and leaves everything as it was."""
    before = log.everything()
    with pytest.raises(DBAPIError, match=why), log.database.write() as connection:
        connection.execute(text(statement))
    assert log.everything() == before


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
def test_change(kept: Log, statement: str) -> None:
    """Events and commands are neither changed nor deleted."""
    assert_refused(kept, statement)


@pytest.mark.parametrize("row", [SAME_POSITION, SAME_VERSION, SAME_STREAM, COMMAND])
def test_insert_over_a_key(kept: Log, row: str) -> None:
    """A second row under a key that is taken is refused."""
    assert_refused(kept, f"INSERT {row}", "written once|duplicate key")


@pytest.mark.parametrize(
    "upsert",
    [
        f"INSERT {SAME_POSITION} ON CONFLICT (club, position) DO UPDATE SET role = 'forged'",
        f"INSERT {SAME_VERSION} ON CONFLICT (club, stream, version) DO UPDATE SET role = 'forged'",
        f"INSERT {COMMAND} WHERE 1 = 1 ON CONFLICT (club, digest) DO UPDATE SET first = 1",
    ],
)
def test_upsert(kept: Log, upsert: str) -> None:
    """An insert that would turn into an update is refused."""
    assert_refused(kept, upsert)


@pytest.mark.parametrize("row", [SAME_POSITION, SAME_VERSION, SAME_STREAM, COMMAND])
@pytest.mark.parametrize("replace", ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_replace(kept: Log, row: str, replace: str) -> None:
    """SQLite's REPLACE, which deletes without a delete trigger, is refused over every key."""
    if kept.database.writer.dialect.name == "sqlite":
        assert_refused(kept, f"{replace} {row}")
    else:
        assert_refused(kept, f"{replace} {row}", "syntax error")


@pytest.mark.parametrize("table", ["events", "commands"])
def test_replace_by_a_hidden_key(kept: Log, table: str) -> None:
    """There is no rowid to replace a row by."""
    assert_refused(kept, f"INSERT INTO {table} (rowid) VALUES (1)", "rowid")


@pytest.mark.parametrize("truncate", ["TRUNCATE events", "TRUNCATE commands, events CASCADE"])
def test_truncate(kept: Log, truncate: str) -> None:
    """PostgreSQL's TRUNCATE is refused; SQLite has none."""
    assert_refused(kept, truncate, "written once|syntax error")

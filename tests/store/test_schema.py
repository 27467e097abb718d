"""The migrations: what they make is what the code describes, and they can be run again."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from ledger import access, checkpoints, inspections, jobs, logs, signing, store
from ledger.database import Database, upgrade
from ledger.store import tree
from tests.store.conftest import Log

Together = Callable[..., list[Any]]
WRITE_SIDE = [store.METADATA, jobs.METADATA, access.METADATA]


def test_tables_are_those_of_the_code(database: Database) -> None:
    """Nothing that the code describes differs from what the migrations made."""
    with database.write() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_name": is_on_the_write_side}
        )
        assert compare_metadata(context, WRITE_SIDE) == []  # type: ignore[arg-type]


def test_what_proves_a_log_is_among_them() -> None:
    """Nodes, keys, checkpoints and inspections are described with the log."""
    described = {
        *(store.METADATA.tables[name] for name in ("events", "nodes")),
        *(checkpoints.signed_checkpoints, signing.signing_keys, inspections.inspections),
    }
    assert described <= set(store.METADATA.tables.values())


@pytest.mark.parametrize(
    "row",
    [
        "nodes VALUES ('c1', 0, 0, :hash)",
        "nodes VALUES ('c1', -1, 0, :hash)",
        "nodes VALUES ('c1', 1, -1, :hash)",
        "nodes VALUES ('c1', 1, 0, :short)",
        "nodes VALUES ('c1', 1, 0, NULL)",
        "signing_keys VALUES ('k1', :short, 1, '', NULL)",
        "signing_keys VALUES ('k1', :hash, 1, NULL, NULL)",
        "signing_keys VALUES (NULL, :hash, 1, '', NULL)",
        "signed_checkpoints VALUES ('c1', 1, NULL, 1)",
    ],
)
def test_what_proves_nothing_is_not_kept(database: Database, row: str) -> None:
    """A node is a hash above the leaves, a key 32 bytes that come after another or none."""
    hashes = {"hash": b"h" * 32, "short": b"h" * 31}
    named = {name: value for name, value in hashes.items() if f":{name}" in row}
    with pytest.raises(DBAPIError, match="(?i)check|not.?null"), database.write() as connection:
        connection.execute(text(f"INSERT INTO {row}"), named)


def test_a_log_from_before_0009_gets_its_tree(tmp_path: Path, new_postgresql: str) -> None:
    """Given five events of an older database, then after the upgrade they are under nodes."""
    for url in (f"sqlite:///{tmp_path}/old.db", new_postgresql):
        with opened(url) as database:
            upgrade(url, "0008")
            older = Log(database)
            older.found()
            older.append("table/a", 0, ("Drawn/1",) * 4)
            upgrade(url)
            with database.write() as connection:
                assert tree.grown(connection, "c1") == 0
                tree.grow(connection, "c1", 5)
                assert tree.grown(connection, "c1") == 4
                assert len(tree.root(connection, "c1", 5)) == 32


def is_on_the_write_side(name: str | None, kind: str, _: object) -> bool:
    """The tables of projections are theirs to compare."""
    return kind != "table" or any(name in metadata.tables for metadata in WRITE_SIDE)


def test_upgrade_again(database_url: str, log: Log) -> None:
    """A database that is up to date is left alone."""
    before = log.everything()

    upgrade(database_url)

    assert log.everything() == before


def test_what_was_written_before_0006_is_kept_and_locked(
    tmp_path: Path, new_postgresql: str
) -> None:
    """Given a command of an older database, then it is there after the upgrade, for ever."""
    kept = "INSERT INTO commands VALUES ('c1', :digest, :digest, 3, 4)"
    for url in (f"sqlite:///{tmp_path}/old.db", new_postgresql):
        with opened(url) as database:
            upgrade(url, "0005")
            with database.write() as connection:
                connection.execute(text(kept), {"digest": b"d" * 32})
            upgrade(url)
            with database.read() as connection:
                [row] = connection.execute(text("SELECT * FROM commands"))
            assert (row[0], bytes(row[1]), row[3], row[4]) == ("c1", b"d" * 32, 3, 4)
            with pytest.raises(DBAPIError, match="written once"), database.write() as connection:
                connection.execute(text("DELETE FROM commands"))


@contextmanager
def opened(url: str) -> Iterator[Database]:
    """A database that is closed in the end."""
    database = Database.open(url)
    try:
        yield database
    finally:
        database.close()


@pytest.fixture
def new_postgresql(postgres_server: str, administer: Callable[..., object]) -> Iterator[str]:
    """A PostgreSQL database without a table."""
    name = f"new_{secrets.token_hex(6)}"
    administer("CREATE DATABASE {}", name)
    yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    administer("DROP DATABASE {} WITH (FORCE)", name)


def test_upgrade_twice_at_once_on_sqlite(tmp_path: Path, together: Together) -> None:
    """Two processes that start on a new file at once both find it made."""
    url = f"sqlite:///{tmp_path}/new.db"

    assert together(lambda: upgrade(url), lambda: upgrade(url)) == [None, None]


def test_upgrade_twice_at_once_on_postgresql(new_postgresql: str, together: Together) -> None:
    """Two processes that start on a new database at once both find it made."""
    start = partial(upgrade, new_postgresql)

    assert together(start, start) == [None, None]


def test_what_fails_tells_no_values(database: Database) -> None:
    """Errors go into logs: what was to be written, such as a password's hash, stands in none.

    PostgreSQL repeats the row in a detail of its own, which is cut from every line.
    """
    insert = text("INSERT INTO people (person, name) VALUES (:person, :name)")
    row = {"person": "per_1", "name": "a secret name"}
    with pytest.raises(DBAPIError) as fault, database.write() as connection:
        connection.execute(insert, row)
    line = logs.without_rows(None, "error", {"error": str(fault.value), "status": 500})
    assert "NotNull" in line["error"] or "NOT NULL" in line["error"]
    assert "a secret name" not in line["error"]
    assert line["status"] == 500


def test_folder_is_made_and_closed(tmp_path: Path) -> None:
    """The folder of a SQLite file is made, and no other user may look into it."""
    upgrade(f"sqlite:///{tmp_path}/a 100%/ledger.db")

    assert stat.S_IMODE((tmp_path / "a 100%").stat().st_mode) == 0o700

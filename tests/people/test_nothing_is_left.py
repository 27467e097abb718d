"""Of somebody who was forgotten nothing is left: in no column of no table, in no byte of the file.

Which columns could hold something of him is said here of each, so that a new one is thought of.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import LargeBinary, MetaData, String, Table, make_url, select, text
from sqlalchemy.types import JSON

from ledger import audit, forgetting, people, store
from ledger.database import Database
from ledger.store import Stored
from tests.people.columns import COLUMNS
from tests.people.conftest import HIS, ON_SQLITE, Life


def tables(database: Database) -> list[Table]:
    """The tables that are really there."""
    found = MetaData()
    with database.read() as connection:
        found.reflect(connection)
    return found.sorted_tables


def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table))]
            for table in tables(database)
        }


def told(cell: object) -> bytes:
    """A cell as the bytes in which a text of it would be found."""
    if isinstance(cell, bytes | memoryview):
        return bytes(cell)
    return (cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)).encode()


def places_of(said: str, database: Database) -> set[str]:
    """The tables in which a text stands, however it is written."""
    wanted = [said.encode().lower(), json.dumps(said).strip('"').encode().lower()]
    return {
        name
        for name, rows in everything(database).items()
        for row in rows
        for cell in row
        if any(one in told(cell).lower() for one in wanted)
    }


def log(life: Life) -> list[Stored]:
    with life.database.read() as connection:
        return store.read_log(connection, life.club.id, after=0, limit=10_000)


def can_hold_text(kind: object) -> bool:
    return isinstance(kind, String | JSON | LargeBinary)


def test_of_every_column_is_said_what_becomes_of_it(database_url: str) -> None:
    """A new table, or a new column that could hold a text, fails until somebody has said it."""
    with closing(Database.open(database_url)) as database:
        found = {
            table.name: {column.name for column in table.c if can_hold_text(column.type)}
            for table in tables(database)
        }
    assert found == {name: set(columns) for name, columns in COLUMNS.items()}


def test_no_table_holds_a_text_of_who_was_forgotten(life: Life) -> None:
    """Given texts that each stand somewhere, when she is forgotten, then they stand nowhere."""
    with life.database.read() as connection:
        known = people.find_person(connection, life.ling.id)
    assert known is not None
    assert known.password_hash is not None
    his = {**HIS, "the password's hash": known.password_hash}
    assert {what for what, said in his.items() if not places_of(said, life.database)} == set()

    forgetting.forget_person(life.club.ledger, life.ling.id)

    left = {what: places_of(said, life.database) for what, said in his.items()}
    assert {what: where for what, where in left.items() if where} == {}


def test_the_log_stays_as_it_was_and_verifies(life: Life) -> None:
    """Events hold opaque ids alone: not a byte of those that were there is another."""
    before = log(life)

    forgetting.forget_person(life.club.ledger, life.ling.id)

    assert log(life)[: len(before)] == before
    for club in (life.club, life.other):
        assert audit.verify(life.database, club.id).fault is None


def test_half_of_it_is_none_of_it(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails at its end, in the second of her clubs, has changed nothing in any table."""
    acts = store.read_acts
    before = everything(life.database)

    def failing(connection: Any, club: str, actor: str) -> list[Stored]:
        if club == life.other.id:
            raise OSError("the machine goes down")
        return acts(connection, club, actor)

    monkeypatch.setattr(store, "read_acts", failing)
    with pytest.raises(OSError, match="goes down"):
        forgetting.forget_person(life.club.ledger, life.ling.id)

    assert everything(life.database) == before


def test_a_trial_tells_all_and_changes_nothing(life: Life) -> None:
    before = everything(life.database)

    would = forgetting.tried(
        life.club.ledger, lambda ledger: forgetting.forget_person(ledger, life.ling.id)
    )

    assert everything(life.database) == before
    assert would.wiped is False
    assert forgetting.forget_person(life.club.ledger, life.ling.id).gone == would.gone


@ON_SQLITE
def test_others_learn_of_it_only_when_it_is_done(life: Life) -> None:
    """Who follows the log is told of its new events once all of them are there to be read."""
    seen: list[int] = []
    ledger = replace(life.club.ledger, appended=lambda *_: seen.append(len(log(life))))

    forgetting.forget_person(ledger, life.ling.id)

    assert set(seen) == {len(log(life))}


# --- the bytes of the file ----------------------------------------------------------------------


def found_in_files(file: Path) -> set[str]:
    """What of hers stands in the bytes of the database's files."""
    files = [file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-journal")]
    held = b"".join(one.read_bytes() for one in files if one.exists())
    return {what for what, said in HIS.items() if said.encode() in held}


@ON_SQLITE
def test_no_byte_lingers_in_the_file(life: Life) -> None:
    """Nor in its write-ahead log; what was written and deleted before is gone as well."""
    file = Path(life.database.writer.url.database or "")
    with closing(sqlite3.connect(file)) as careless:
        careless.execute("PRAGMA secure_delete = OFF")
        careless.execute("CREATE TABLE draft AS SELECT * FROM people")
        careless.execute("DROP TABLE draft")
        careless.commit()
    assert found_in_files(file) == set(HIS)

    told = forgetting.forget_person(life.club.ledger, life.ling.id)

    assert found_in_files(file) == set()
    assert told.wiped


def test_what_is_deleted_is_overwritten_at_once(sqlite_url: str) -> None:
    """Whatever the library was built to do."""
    with closing(Database.open(sqlite_url)) as database, database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar_one() == 1


def test_a_reader_of_the_past_keeps_the_file_from_being_cleaned(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He is not disturbed; it is told, and done when it is asked for again."""
    monkeypatch.setattr("ledger.database.WAIT_SECONDS", 0)
    with closing(Database.open(sqlite_url)) as database:
        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM people").fetchall()
            with database.write() as connection:
                connection.exec_driver_sql("INSERT INTO uses VALUES ('key_1', 1)")
            assert database.wipe() is False
        assert database.wipe() is True


def test_postgresql_cleans_its_files_itself(postgresql_url: str) -> None:
    with closing(Database.open(postgresql_url)) as database:
        assert database.wipe() is False


def test_together_is_all_or_nothing(database_url: str) -> None:
    """What was written through it before it failed is not there; else it is."""
    use = text("INSERT INTO uses VALUES (:key, 1)")
    with closing(Database.open(database_url)) as database:
        for key, fault in (("key_1", OSError("late")), ("key_2", None)):
            with suppress(OSError), database.together() as one:
                with one.write() as connection:
                    connection.execute(use, {"key": key})
                if fault is not None:
                    raise fault
        assert everything(database)["uses"] == [("key_2", 1)]

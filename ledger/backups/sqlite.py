"""SQLite: copied and put back by its own way of copying, which sees one moment of the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import make_url

from ledger.backups.manifest import Held, Progress, held_by
from ledger.backups.unsound import Unsound
from ledger.database import Database
from ledger.refusal import Refused

PAGES = 1000
"""How many pages are copied at a step, between which others are let in."""

_TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' "
    "AND name <> 'alembic_version' AND name NOT GLOB 'sqlite_*'"
)
"""The tables in which rows are somebody's."""


def copy(url: str, file: Path, progress: Progress) -> Held:
    """Copy a database, as it is at one moment, into a file; says what the copy holds.

    The transaction that reads keeps that moment: without it SQLite begins anew after each write
    of another process, and would never end beside busy writers. They do not wait for it.
    """
    place = _place(url)
    if not place.is_file():
        raise Refused("backup_of_nothing")
    with _opened(place, "rw") as source, _opened(file, "rw") as target:
        source.execute("PRAGMA query_only = ON")
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        source.backup(target, pages=PAGES, progress=_steps(progress))
        target.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    with closing(Database.open(f"sqlite:///{file}")) as copied, copied.read() as connection:
        return held_by(connection)


def fill(file: Path, url: str, progress: Progress) -> None:
    """Put a copy into a database without rows, all of it or nothing, while nobody else is at it.

    Refuses one that has rows (`restore_not_empty`) or is in use (`restore_in_use`), what cannot
    be written (`restore_unwritten`), and a copy that is no SQLite file (`backup_unreadable`).
    """
    place = _place(url)
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.touch(mode=0o600)
    with _opened(place, "rw") as looked_at:
        _check_empty(looked_at)  # what is not empty is told to be that, in use or not
    with _opened(file, "ro") as source, _opened(place, "rw") as target:
        try:
            target.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept from here to the end
            target.execute("BEGIN EXCLUSIVE")
            _check_empty(target)
            target.execute("COMMIT")
            source.backup(target, pages=PAGES, progress=_steps(progress))
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise Refused("restore_in_use", place=place, fault=fault) from None
            raise Refused("restore_unwritten", place=place, fault=fault) from None
        except sqlite3.DatabaseError as fault:
            raise Unsound("backup_unreadable", fault=fault) from None


def check_pages(file: Path) -> None:
    """Let SQLite look through a whole file; what it finds is a fault (`backup_damaged`)."""
    with _opened(file, "ro") as source:
        try:
            (told,) = source.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as fault:
            told = str(fault)
    if told != "ok":
        raise Unsound("backup_damaged", fault=told)


def _check_empty(target: sqlite3.Connection) -> None:
    for (name,) in target.execute(_TABLES).fetchall():
        if target.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}")').fetchone() != (0,):
            raise Refused("restore_not_empty", table=name)


def _steps(progress: Progress) -> Callable[[int, int, int], None]:
    return lambda _, left, pages: progress(pages - left, pages)


def _place(url: str) -> Path:
    return Path(make_url(url).database or "")


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A file that is there, closed in the end."""
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        yield connection

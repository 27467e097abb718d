"""What the store's tests are written with: a club's log, and threads that start together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import make_url, text

from ledger import store
from ledger.codec import Sealed
from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import Append, Appended, Command, Guard, Stored, Writing
from tests.conftest import address

TABLES = ("heads", "events", "commands", "guards")


def sealed(kind: str = "Drawn/1") -> Sealed:
    """An event with two slots; the store does not look inside."""
    return Sealed(kind, b'{"at":1}', (b"{}", b'{"tile":"5m"}'), (b"\x01" * 32, b"\x02" * 32))


class Log:
    """A database's logs, each append in a transaction of its own."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def found(self, club: str = "c1", command: Command | None = None) -> Appended:
        """Found a club with the first event of its stream `club`."""
        writing = Writing("club", 0, (sealed("ClubFounded/1"),))
        return self.write(Append(club, "key_1", "owner", 1000, command, (writing,), founds=True))

    def append(
        self,
        stream: str,
        expected: int,
        kinds: tuple[str, ...] = ("Drawn/1",),
        *,
        club: str = "c1",
        at: int = 1000,
        command: Command | None = None,
        guards: tuple[Guard, ...] = (),
    ) -> Appended:
        """Append events of these types to one stream."""
        writing = Writing(stream, expected, tuple(map(sealed, kinds)))
        return self.write(Append(club, "key_1", "recorder", at, command, (writing,), guards))

    def write(self, asked: Append) -> Appended:
        """Append and commit."""
        with self.database.write() as connection:
            return store.append(connection, asked)

    def all(self, club: str = "c1") -> list[Stored]:
        """The whole log of a club."""
        with self.database.read() as connection:
            return store.read_log(connection, club, after=0, limit=1000)

    def everything(self) -> dict[str, list[Any]]:
        """Every row of every table, to see that nothing has changed."""
        with self.database.read() as connection:
            return {
                table: [
                    *map(tuple, connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2")))
                ]
                for table in TABLES
            }


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty database."""
    opened = Database.open(database_url)
    yield opened
    opened.close()


@pytest.fixture
def elsewhere(database_url: str) -> Iterator[Log]:
    """The same logs as another process sees them, with connections of its own."""
    opened = Database.open(database_url)
    yield Log(opened)
    opened.close()


@pytest.fixture
def empty(database: Database) -> Log:
    """A database without a club."""
    return Log(database)


@pytest.fixture
def log(empty: Log) -> Log:
    """The log of a club `c1` that was founded at position 1."""
    empty.found()
    return empty


@pytest.fixture
def together() -> Callable[..., list[Any]]:
    """Run calls in threads that start at the same moment; a refusal is its result's code."""

    def run(*calls: Callable[[], Any]) -> list[Any]:
        start = Barrier(len(calls))

        def one(call: Callable[[], Any]) -> Any:
            start.wait()
            try:
                return call()
            except Refused as refused:
                return refused.code

        with ThreadPoolExecutor(len(calls)) as threads:
            return list(threads.map(one, calls))

    return run


@pytest.fixture
def owner_url_of_postgresql(postgresql_url: str, postgres_server: str) -> str:
    """A fresh PostgreSQL database, for its owner."""
    return address(postgres_server, make_url(postgresql_url).database or "")

"""The database: two engines, one that writes and one that only reads, on SQLite or PostgreSQL.

SQLite has one writer. It takes its lock when the transaction begins: a transaction that reads
first and asks for the lock later is refused where another has written between.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text

from ledger.refusal import Refused

WAIT_SECONDS = 30
READERS = 32
UPGRADE_LOCK = 0x9A12
QUIET: dict[str, Any] = {"hide_parameters": True}
"""An error of the database goes into logs, and names and hashes of passwords must not."""
WRITTEN_ONCE = ("events", "commands", "alembic_version")
"""The tables in which the ledger at work changes nothing that stands there."""


@dataclass(frozen=True)
class Database:
    """An open database. Transactions are its only way in."""

    writer: Engine
    reader: Engine
    held: Connection | None = None
    """The one connection of a rehearsal, which sees what it has written and keeps none of it."""

    @classmethod
    def open(cls, url: str) -> Database:
        """A database by its URL; it connects at first use and creates nothing."""
        if make_url(url).get_backend_name() == "sqlite":
            return cls(*_sqlite(url))
        return cls(*_postgresql(url))

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; it commits unless an exception leaves it."""
        if self.held is not None:
            with self.held.begin_nested():
                yield self.held
            return
        with self.writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one moment of the database and cannot write."""
        if self.held is not None:
            yield self.held
            return
        with self.reader.begin() as connection:
            yield connection

    @property
    def rehearses(self) -> bool:
        """Whether this is a trial, of which nothing will be kept."""
        return self.held is not None

    @contextmanager
    def rehearse(self) -> Iterator[Database]:
        """This database on trial: what is written is seen by who has it, and undone at the end."""
        with self.writer.connect() as connection, connection.begin() as transaction:
            yield replace(self, held=connection)
            transaction.rollback()

    def close(self) -> None:
        """Close every idle connection."""
        self.writer.dispose()
        self.reader.dispose()


def upgrade(url: str, revision: str = "head") -> None:
    """Bring a database to a schema, all of it or nothing; safe to call twice at once."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_migrations()).replace("%", "%%"))
    _make_folder(url)
    with closing(Database.open(url)) as database, database.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def make_role(url: str, role: str) -> str | None:
    """Let a role of PostgreSQL do what the ledger does at work, and no more; safe to repeat.

    What is written once it may read and add to, and neither change nor drop; the schema is its
    owner's. A role that was not there is made; its password is told here and never again.
    """
    if make_url(url).get_backend_name() != "postgresql":
        raise Refused("database_has_no_roles")
    with closing(Database.open(url)) as database, database.write() as connection:
        password = _role_made(connection, role)
        _grant(connection, role)
    return password


def _role_made(connection: Connection, role: str) -> str | None:
    """The password of a role that had to be made."""
    known = text("SELECT 1 FROM pg_roles WHERE rolname = :role")
    if connection.execute(known, {"role": role}).one_or_none():
        return None
    password = token_urlsafe(24)
    make = SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(role), Literal(password))
    connection.exec_driver_sql(make.as_string())
    return password


def _grant(connection: Connection, role: str) -> None:
    name = connection.dialect.identifier_preparer.quote(role)
    for table in inspect(connection).get_table_names():
        rights = "SELECT, INSERT" if table in WRITTEN_ONCE else "SELECT, INSERT, UPDATE, DELETE"
        connection.exec_driver_sql(f"REVOKE ALL ON {table} FROM {name}")
        connection.exec_driver_sql(f"GRANT {rights} ON {table} TO {name}")
    connection.exec_driver_sql(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {name}")


def _sqlite(url: str) -> tuple[Engine, Engine]:
    """The engines of a SQLite file.

    The writers of a process queue for one connection: that is fairer than polling the file's
    lock, which is left to several processes.
    """
    always = (f"busy_timeout = {WAIT_SECONDS * 1000}", "foreign_keys = ON")
    durable = ("journal_mode = WAL", "synchronous = FULL")
    waits = {**QUIET, "pool_timeout": WAIT_SECONDS, "connect_args": {"isolation_level": None}}
    writer = create_engine(url, pool_size=1, max_overflow=0, **waits)
    reader = create_engine(url, pool_size=READERS, **waits)
    _prepare(writer, (*always, *durable), "BEGIN IMMEDIATE")
    _prepare(reader, (*always, "query_only = ON"), "BEGIN")
    return writer, reader


def _prepare(engine: Engine, pragmas: tuple[str, ...], begin: str) -> None:
    """Set every new connection of a SQLite engine up, and begin its transactions ourselves."""

    @event.listens_for(engine, "connect")
    def connected(connection: object, _: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _postgresql(url: str) -> tuple[Engine, Engine]:
    """The engines of a PostgreSQL database, on one pool of connections.

    Who writes must see what the holder of a lock has committed meanwhile, whatever the
    server's own default is.
    """
    writer = create_engine(url, pool_pre_ping=True, isolation_level="READ COMMITTED", **QUIET)
    reader = writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return writer, reader


def _migrations() -> Path:
    """The folder of the migrations, in the tree or where the wheel put them."""
    package = find_spec("migrations")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent


def _make_folder(url: str) -> None:
    """Make the folder of a SQLite file, closed to other users: it holds people's names."""
    place = make_url(url)
    if place.get_backend_name() == "sqlite" and place.database:
        Path(place.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)

"""The database: two engines, one that writes and one that only reads, on SQLite or PostgreSQL.

SQLite has one writer. It takes its lock when the transaction begins: a transaction that reads
first and asks for the lock later is refused where another has written between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from math import inf
from pathlib import Path
from secrets import token_urlsafe
from sqlite3 import SQLITE_BUSY, SQLITE_LOCKED, OperationalError
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from ledger.refusal import Refused

if TYPE_CHECKING:
    from psycopg.sql import Composed

WAIT_SECONDS = 30
READERS = 32
"""What SQLite has: seconds for which its one writer is waited for, and readers beside it."""
LOCK_SECONDS = 5
IDLE_SECONDS = 60
SILENT_SECONDS = 30
"""On PostgreSQL: how long a lock is waited for, a transaction may do nothing, and a network that
takes nothing is believed in."""
POOLS = {"writer": 32, "reader": 10}
"""How many connections a process may have to PostgreSQL: a writer for each thread of a server,
and others that only read, so that reading goes on while all who write wait."""
UPGRADE_LOCK = 0x9A12
QUIET: dict[str, Any] = {"hide_parameters": True}
"""An error of the database goes into logs, and names and hashes of passwords must not."""
WRITTEN_ONCE = (
    *("events", "commands", "nodes", "signing_keys", "signed_checkpoints"),
    "alembic_version",
)
"""The tables in which the ledger at work changes nothing that stands there."""

LONGEST_ROLE = 63
_ABOVE = text(
    "SELECT bool_or(pg_has_role(r.oid, o.owner, 'MEMBER')) FROM pg_roles r, "
    "(SELECT relowner FROM pg_class WHERE oid = to_regclass('events') UNION ALL "
    "SELECT datdba FROM pg_database WHERE datname = current_database()) o (owner) "
    "WHERE r.rolname = :role"
)
"""Whether a role owns the tables or the database, or is one that may act as their owner."""

Trouble = Literal["busy", "user", "right", "schema", "away"]
"""Why a database does not do what it is asked: it has too much to do; it does not let this user
in, or not do this; it has not the tables of this release; it does not answer."""

STATES: dict[str, Trouble] = {
    "40001": "busy",  # could not be put in an order with others
    "40P01": "busy",  # each waited for the other
    "42501": "right",
    "42703": "schema",
    "42883": "schema",
    "42P01": "schema",
    "53300": "busy",  # no connection is left
    "55P03": "busy",  # a lock was not free in time
    "57014": "busy",  # it took too long
}
"""What PostgreSQL means by some of its SQLSTATEs."""

SAID: tuple[tuple[str, Trouble], ...] = (
    ("too many connections", "busy"),
    ("too many clients", "busy"),
    ("connection slots are reserved", "busy"),
    ("authentication failed", "user"),
    ("no password supplied", "user"),
    ("no such table", "schema"),
    ("no such column", "schema"),
    ("unable to open database file", "schema"),
)
"""What has no state: a connection that was not made, and the faults of SQLite."""


class Turns:
    """Who writes for which club just now: so many at once for one club, and no more.

    Writers of one club wait for each other; without a bound those of one that is stuck would
    soon be all that a process has.
    """

    def __init__(self, most: float = inf) -> None:
        """Let so many write for one club."""
        self._most = most
        self._writing: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def of(self, club: str) -> Iterator[None]:
        """A turn for a club; refuses one too many (`busy`) at once."""
        with self._lock:
            if self._writing[club] >= self._most:
                raise Refused("busy")
            self._writing[club] += 1
        try:
            yield
        finally:
            with self._lock:
                self._writing[club] -= 1
                self._writing += Counter()  # forgets those who are at none


@dataclass(frozen=True)
class Database:
    """An open database. Transactions are its only way in."""

    writer: Engine
    reader: Engine
    held: Connection | None = None
    """The one connection of all that is kept together, or of a rehearsal: it sees what it wrote."""
    rehearses: bool = False
    """Whether this is a trial, of which nothing will be kept."""
    turns: Turns = field(default_factory=Turns)

    @classmethod
    def open(cls, url: str) -> Database:
        """A database by its URL; it connects at first use and creates nothing."""
        if make_url(url).get_backend_name() == "sqlite":
            return cls(*_sqlite(url))
        return cls(*_postgresql(url), turns=Turns(POOLS["writer"] // 2))

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
    def write_of(self, club: str) -> Iterator[Connection]:
        """A transaction that waits for locks of a club; refuses `busy` where too many do."""
        with self.turns.of(club), self.write() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one moment of the database and cannot write."""
        if self.held is not None:
            yield self.held
            return
        with self.reader.begin() as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[Database]:
        """This database in one transaction: all that is written through it is kept, or nothing."""
        with self.write() as connection:
            yield replace(self, held=connection)

    @contextmanager
    def rehearse(self) -> Iterator[Database]:
        """This database on trial: what is written is seen by who has it, and undone at the end."""
        with self.writer.connect() as connection, connection.begin() as transaction:
            yield replace(self, held=connection, rehearses=True)
            transaction.rollback()

    def wipe(self) -> bool:
        """Let nothing that was deleted linger in the file; false where it could not be done now.

        PostgreSQL does it itself when it vacuums.
        """
        if self.writer.dialect.name != "sqlite":
            return False
        with closing(self.writer.raw_connection()) as connection:
            try:
                connection.driver_connection.execute("VACUUM")  # type: ignore[union-attr]
                wal = "PRAGMA wal_checkpoint(TRUNCATE)"
                [held] = connection.driver_connection.execute(wal).fetchall()  # type: ignore[union-attr]
            except OperationalError:
                return False
        return bool(held[0] == 0)

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
    _make_place(url)
    with closing(Database.open(url)) as database, database.write() as connection:
        _wait_for_others(connection)
        config.attributes["connection"] = connection
        has_newest_schema(connection)
        command.upgrade(config, revision)


def _wait_for_others(connection: Connection) -> None:
    """Wait for whoever changes the schema just now, however long that takes; others wait for us."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
        connection.execute(text("SET LOCAL lock_timeout TO DEFAULT"))


def has_newest_schema(connection: Connection) -> bool:
    """Whether a database has the schema of this release; refuses one of a newer (`schema_newer`).

    False is an older one, or none at all.
    """
    from alembic.migration import MigrationContext

    found = MigrationContext.configure(connection).get_current_revision()
    newest, *older = _schemas()
    if found not in (None, newest, *older):
        raise Refused("schema_newer", found=found)
    return found == newest


@cache
def _schemas() -> tuple[str, ...]:
    """The schemas that this release knows, from the newest to the first."""
    from alembic.script import ScriptDirectory

    return tuple(one.revision for one in ScriptDirectory(str(_migrations())).walk_revisions())


def make_role(url: str, role: str, *, anew: bool = False) -> str | None:
    """Let a role of PostgreSQL do what the ledger does at work, and no more; safe to repeat.

    What is written once it may read and add to, and neither change nor drop; the schema is its
    owner's. A role that was not there is made; its password is told here and never again. One
    that was there keeps its own, unless a new one is asked for. Refuses a database that has not
    the newest schema (`schema_not_newest`), and a role that may do more or cannot be
    (`role_unfit`).
    """
    if make_url(url).get_backend_name() != "postgresql":
        raise Refused("database_has_no_roles")
    with closing(Database.open(url)) as database, database.write() as connection:
        _wait_for_others(connection)
        if not has_newest_schema(connection):
            raise Refused("schema_not_newest")
        _check_role(connection, role)
        password = _new_password(connection, role, anew=anew)
        _grant(connection, role)
    return password


def _check_role(connection: Connection, role: str) -> None:
    """Refuse a role that could do what the owner does, and names that PostgreSQL has not."""
    above = connection.execute(_ABOVE, {"role": role}).scalar_one_or_none()
    reserved = role.lower() in ("", "public", "none") or role.startswith("pg_") or "\0" in role
    if above or reserved or len(role.encode()) > LONGEST_ROLE:
        raise Refused("role_unfit", role=role[:LONGEST_ROLE], longest=LONGEST_ROLE)


def _new_password(connection: Connection, role: str, *, anew: bool) -> str | None:
    """The password that a role was made with, or was given in the place of its old one."""
    from psycopg.sql import SQL, Identifier
    from psycopg.sql import Literal as Quoted

    known = text("SELECT 1 FROM pg_roles WHERE rolname = :role")
    there = connection.execute(known, {"role": role}).one_or_none() is not None
    if there and not anew:
        return None
    password = token_urlsafe(24)
    make = "ALTER ROLE {} LOGIN PASSWORD {}" if there else "CREATE ROLE {} LOGIN PASSWORD {}"
    _administer(connection, SQL(make).format(Identifier(role), Quoted(password)))
    return password


def _grant(connection: Connection, role: str) -> None:
    from psycopg.sql import SQL, Identifier

    name = Identifier(role)
    for named in inspect(connection).get_table_names():
        table, once = Identifier(named), named in WRITTEN_ONCE
        rights = SQL("SELECT, INSERT" if once else "SELECT, INSERT, UPDATE, DELETE")
        _administer(connection, SQL("REVOKE ALL ON {} FROM {}").format(table, name))
        _administer(connection, SQL("GRANT {} ON {} TO {}").format(rights, table, name))
    sequences = SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(name)
    _administer(connection, sequences)


def _administer(connection: Connection, statement: Composed) -> None:
    """Run a statement that takes no parameters, for which the driver looks in vain."""
    connection.exec_driver_sql(statement.as_string().replace("%", "%%"))


def trouble(fault: Exception) -> Trouble:
    """Why the database did not do what it was asked, by the error that came of it."""
    if not isinstance(fault, DBAPIError):
        return "busy"  # no connection of the pool was free in time
    cause = fault.orig
    if getattr(cause, "sqlite_errorcode", 0) & 0xFF in (SQLITE_BUSY, SQLITE_LOCKED):
        return "busy"
    state = getattr(cause, "sqlstate", None)
    if state in STATES:
        return STATES[state]
    return next((meant for words, meant in SAID if words in str(cause)), "away")


def _sqlite(url: str) -> tuple[Engine, Engine]:
    """The engines of a SQLite file.

    The writers of a process queue for one connection: that is fairer than polling the file's
    lock, which is left to several processes. What is deleted is overwritten at once.
    """
    always = (f"busy_timeout = {WAIT_SECONDS * 1000}", "foreign_keys = ON")
    durable = ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON")
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
    """The engines of a PostgreSQL database, each with connections of its own.

    Who writes must see what the holder of a lock has committed meanwhile, whatever the
    server's own default is. Nobody waits for ever: not for a lock, not for one who holds it and
    does nothing, not for a network that is gone. What the URL sets itself stands.
    """
    given, idle = make_url(url).query, "idle_in_transaction_session_timeout"
    bounds = f"-c lock_timeout={LOCK_SECONDS}s -c {idle}={IDLE_SECONDS}s"
    connect = {
        "tcp_user_timeout": given.get("tcp_user_timeout", SILENT_SECONDS * 1000),
        "options": f"{bounds} {given.get('options', '')}".strip(),
    }
    waits = {"pool_pre_ping": True, "max_overflow": 0, "pool_timeout": LOCK_SECONDS}
    shared: dict[str, Any] = {**QUIET, **waits, "connect_args": connect}
    size, levels = POOLS, ("READ COMMITTED", "REPEATABLE READ")
    writer, reader = (
        create_engine(url, isolation_level=level, pool_size=size[kind], **shared)
        for kind, level in zip(size, levels, strict=True)
    )
    return writer, reader.execution_options(postgresql_readonly=True)


def _migrations() -> Path:
    """The folder of the migrations, in the tree or where the wheel put them."""
    package = find_spec("migrations")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent


def _make_place(url: str) -> None:
    """Make a SQLite file and its folder, closed to other users: it holds people's names."""
    place = make_url(url)
    if place.get_backend_name() == "sqlite" and place.database:
        file = Path(place.database)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)

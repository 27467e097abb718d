"""PostgreSQL: copied and put back by its own programs, pg_dump and pg_restore.

They are told by their environment where the database is and who asks, so that no password is
seen in the list of processes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex

from psycopg import pq
from psycopg.sql import SQL, Identifier
from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.exc import ProgrammingError

from ledger.backups.manifest import Held, held_by
from ledger.database import Database
from ledger.refusal import Refused
from ledger.settings import Settings

PROGRAMS = ("pg_dump", "pg_restore")
RESTORED = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
DRILL_LOCK = 0x9A13
_MAY_CREATE = text(
    "SELECT current_user, rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
)
_LEFT = text(
    "SELECT datname FROM pg_database WHERE starts_with(datname, :prefix) "
    "AND pg_get_userbyid(datdba) = current_user"
)


def dump(settings: Settings, file: Path) -> Held:
    """Dump a database, as it is at one moment, into a file; says what it holds at that moment."""
    url = settings.database_url
    with closing(Database.open(url)) as database, database.read() as connection:
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
        held = held_by(connection)
        wanted = ("--format=custom", f"--snapshot={snapshot}", f"--file={file}")
        run(settings, url, "pg_dump", *wanted)
    return held


def fill(settings: Settings, file: Path, url: str) -> None:
    """Put a dump into a database without rows; refuses one that has some (`restore_not_empty`)."""
    with closing(Database.open(url)) as database, database.write() as connection:
        _make_empty(connection)
    name = make_url(url).database
    wanted = (*RESTORED, "--clean", "--if-exists", f"--dbname={name}", str(file))
    run(settings, url, "pg_restore", *wanted)


def _make_empty(connection: Connection) -> None:
    """Drop the tables of a ledger that has no rows, so that nothing can come into them meanwhile.

    Tables that are no ledger's are left, and their database refused.
    """
    names = inspect(connection).get_table_names()
    tables = SQL(", ").join(map(Identifier, names))
    if not names:
        return
    if "alembic_version" not in names:
        raise Refused("restore_not_empty", table=names[0])
    connection.exec_driver_sql(SQL("LOCK TABLE {}").format(tables).as_string())
    for name in names:
        found = SQL("SELECT EXISTS (SELECT 1 FROM {})").format(Identifier(name)).as_string()
        if name != "alembic_version" and connection.exec_driver_sql(found).scalar_one():
            raise Refused("restore_not_empty", table=name)
    connection.exec_driver_sql(SQL("DROP TABLE {}").format(tables).as_string())


def lacking(settings: Settings) -> Refused | None:
    """What a drill on the server would lack: a program, or the right to make a database."""
    for name in PROGRAMS:
        if _found(settings, name) is None:
            return _missing(name)
    with closing(Database.open(settings.database_url)) as database, database.read() as connection:
        user, may = connection.execute(_MAY_CREATE).one()
    return None if may else Refused("drill_right_missing", user=user)


@contextmanager
def scratch(url: str) -> Iterator[str]:
    """A new database on the same server, dropped in the end: its URL.

    Those that earlier drills of this database left when they were killed are dropped first.
    Refuses where the user may make none (`drill_right_missing`), and a second drill at the same
    time (`drill_running`).
    """
    with closing(Database.open(url)) as database, database.writer.connect() as connected:
        connection = connected.execution_options(isolation_level="AUTOCOMMIT")
        prefix = _alone(connection)
        for left in connection.execute(_LEFT, {"prefix": prefix}).scalars().all():
            _drop(connection, left)
        name = f"{prefix}{token_hex(6)}"
        _create(connection, name)
        try:
            yield make_url(url).set(database=name).render_as_string(hide_password=False)
        finally:
            _drop(connection, name)


def _alone(connection: Connection) -> str:
    """What the names of this database's drills begin with, which are nobody else's just now."""
    if not connection.execute(text(f"SELECT pg_try_advisory_lock({DRILL_LOCK})")).scalar_one():
        raise Refused("drill_running")
    me = text("SELECT oid FROM pg_database WHERE datname = current_database()")
    return f"paizhang_drill_{connection.execute(me).scalar_one()}_"


def _create(connection: Connection, name: str) -> None:
    try:
        connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE template0")
    except ProgrammingError as fault:
        if getattr(fault.orig, "sqlstate", None) != "42501":
            raise
        user = connection.execute(text("SELECT current_user")).scalar_one()
        raise Refused("drill_right_missing", user=user) from None


def _drop(connection: Connection, name: str) -> None:
    connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")


def run(settings: Settings, url: str, name: str, *wanted: str) -> None:
    """Run one of the programs on a database to its end.

    Refuses one that is not there (`pg_program_missing`) and one that fails (`pg_program_failed`).
    """
    program = _found(settings, name)
    if program is None:
        raise _missing(name)
    done = subprocess.run(
        [program, "--no-password", *wanted],
        env=os.environ | _environment(url),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        told = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise Refused("pg_program_failed", program=name, fault=told[0])


def _found(settings: Settings, name: str) -> str | None:
    return shutil.which(name, path=settings.pg_bin)


def _missing(name: str) -> Refused:
    return Refused("pg_program_missing", program=name)


def _environment(url: str) -> dict[str, str]:
    """A database's URL as the variables by which PostgreSQL's programs are told it."""
    place = make_url(url)
    _, given = place.get_dialect()().create_connect_args(place)
    known = {
        one.keyword.decode(): one.envvar.decode()
        for one in pq.Conninfo.get_defaults()
        if one.envvar
    }
    return {known[name]: str(value) for name, value in given.items() if name in known}

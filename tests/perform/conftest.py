"""The write side's tests stand in a world with a club of four members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import psycopg
import pytest
from psycopg.sql import SQL, Composed, Identifier
from sqlalchemy.engine import make_url

from ledger.database import Database
from tests.conftest import Administer, address
from tests.world import Club, World

Empty = Callable[[], object]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """An empty database; a test that asks for it runs once on each kind."""
    empty: Database = request.getfixturevalue(f"{request.param}_database")
    return empty


@pytest.fixture
def sqlite_database(sqlite_url: str) -> Iterator[Database]:
    with closing(Database.open(sqlite_url)) as opened:
        yield opened


@pytest.fixture
def postgresql_database(kept: tuple[Database, Empty]) -> Database:
    """The one database of these tests, emptied: none of them changes its schema."""
    database, empty = kept
    empty()
    return database


@pytest.fixture(scope="package")
def kept(
    postgres_role: str, postgres_server: str, postgres_template: str, administer: Administer
) -> Iterator[tuple[Database, Empty]]:
    """A migrated PostgreSQL database whose connections stay, and how to empty it."""
    name = f"{postgres_template}_kept"
    administer("CREATE DATABASE {} TEMPLATE {}", name, postgres_template)
    owner = make_url(address(postgres_server, name)).set(drivername="postgresql")
    with (
        closing(Database.open(address(postgres_role, name))) as database,
        psycopg.connect(owner.render_as_string(hide_password=False), autocommit=True) as own,
    ):
        statement = _emptying(own)
        yield database, lambda: own.execute(statement)
    administer("DROP DATABASE {} WITH (FORCE)", name)


def _emptying(own: psycopg.Connection) -> Composed:
    """Deletes every row of what nobody may delete from, and counts from one again."""
    own.execute("SET session_replication_role = replica")
    of = "FROM {} WHERE schemaname = 'public'"
    tables = own.execute(f"SELECT tablename {of.format('pg_tables')}").fetchall()
    counted = own.execute(f"SELECT sequencename {of.format('pg_sequences')}").fetchall()
    delete, begin = SQL("DELETE FROM {}"), SQL("ALTER SEQUENCE {} RESTART")
    return SQL("; ").join(
        [
            *(delete.format(Identifier(one)) for (one,) in tables if one != "alembic_version"),
            *(begin.format(Identifier(one)) for (one,) in counted),
        ]
    )


@pytest.fixture
def world(database: Database) -> World:
    """A ledger without a club."""
    return World(database)


@pytest.fixture
def club(world: World) -> Club:
    """A club of four members who have played nothing."""
    return world.once(World.club, world)

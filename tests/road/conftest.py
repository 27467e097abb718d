"""The worlds of the road begin on one file: two clubs, in which tables stand open."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from copy import deepcopy
from pathlib import Path

import pytest
from sqlalchemy import event

from ledger import acts
from ledger.access import Caller, operator
from ledger.acts import Desk, Opening
from ledger.database import Database
from projections.projection import catch_up
from tests import world as quiet
from tests.road.clients import Club
from tests.road.world import World, world
from tests.world import KEY, OPTIONS

Worlds = Callable[[int], AbstractContextManager[World]]


@pytest.fixture(scope="session")
def worlds(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """The world of each seed, on a fresh file; the engines are kept, for they learn to hurry."""
    folder = tmp_path_factory.mktemp("road")
    begun, played = folder / "begun.sqlite3", folder / "played.sqlite3"
    shutil.copyfile(sqlite_template, begun)
    clubs = _found(begun)
    database = _hasty(played)

    @contextmanager
    def of_seed(seed: int) -> Iterator[World]:
        shutil.copyfile(begun, played)
        try:
            with world(database, deepcopy(clubs), seed) as made:
                yield made
        finally:
            database.close()
            for log in folder.glob("played.sqlite3-*"):
                log.unlink()

    yield of_seed
    database.close()


def _found(file: Path) -> list[Club]:
    """Two clubs in a file, with two game servers and with one, each at its table."""
    database = _hasty(file)
    ledger = quiet.World(database)
    clubs = [_club(ledger, servers) for servers in (2, 1)]
    for club in clubs:
        catch_up(database, club.id)
    database.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return clubs


def _club(ledger: quiet.World, servers: int) -> Club:
    club = ledger.club(members=5)
    club.allow_tables()
    desk = Desk(ledger.ledger, operator(), club.id)

    def caller(role: str) -> Caller:
        return Caller(acts.issue_key(desk, (role,), role).key, club.id, (role,))

    recorders = [caller("recorder") for _ in range(servers)]
    opening = Opening(KEY, OPTIONS, club.members[:4], hands=8, dealer=0)
    opened = [acts.open_table(Desk(ledger.ledger, one, club.id), opening) for one in recorders]
    tables = [done.stream.removeprefix("table/") for done in opened]
    return Club(club.id, list(club.members), caller("owner"), recorders, tables)


def _hasty(file: Path) -> Database:
    """A database that does not wait for the disk: here processes die, and never the machine."""
    database = Database.open(f"sqlite:///{file}")
    for engine in (database.writer, database.reader):

        @event.listens_for(engine, "connect")
        def connected(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA synchronous = OFF")

    return database

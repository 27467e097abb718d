"""The tests of exports stand in a world of clubs; one of them is hostile."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.database import Database
from tests.conftest import KINDS
from tests.exports.hostile import hostile_club
from tests.world import World


class Place(NamedTuple):
    """A club, and the database in which it is."""

    database: Database
    club: str


@pytest.fixture(scope="session")
def hostile(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The hostile club, made once; exports only read it."""
    file = tmp_path_factory.mktemp("hostile") / "paizhang.sqlite3"
    shutil.copyfile(sqlite_template, file)
    database = Database.open(f"sqlite:///{file}")
    yield Place(database, hostile_club(World(database)).id)
    database.close()


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty database."""
    opened = Database.open(database_url)
    yield opened
    opened.close()


@pytest.fixture
def world(database: Database) -> World:
    """A ledger without a club."""
    return World(database)

"""The read side's tests stand in a world with a club of four members."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.database import Database
from tests.conftest import KINDS
from tests.world import Club, World


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database; how projections follow the log is tried on both kinds."""
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


@pytest.fixture
def club(world: World) -> Club:
    """A club of four members who have played nothing."""
    return world.once(World.club, world)

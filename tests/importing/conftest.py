"""The tests of importing have a club on a fresh file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import wsgi
from ledger.settings import load
from tests.importing.place import Place


@pytest.fixture
def place(sqlite_url: str, tmp_path: Path) -> Iterator[Place]:
    environ = {"PAIZHANG_DATABASE_URL": sqlite_url, "PAIZHANG_DATA": str(tmp_path / "data")}
    house = wsgi.House(load(environ))
    yield Place(house, tmp_path)
    house.close()

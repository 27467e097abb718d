"""A service as it is seen from outside: with an operator, and a club in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask import Flask

from ledger import demo
from ledger.demo import DemoClub
from ledger.settings import load
from wsgi import House, create_app

OPERATOR = "the-token-of-the-operator"


@contextmanager
def served(url: str, folder: Path, **more: str) -> Iterator[Flask]:
    """A service on a database, with settings."""
    given = {"PAIZHANG_DATA": str(folder), "PAIZHANG_DATABASE_URL": url, **more}
    app = create_app(load(given))
    with closing(app.extensions["house"]):
        yield app


@pytest.fixture
def app(sqlite_url: str, tmp_path: Path) -> Iterator[Flask]:
    """A service with an operator."""
    with served(sqlite_url, tmp_path, PAIZHANG_OPERATOR_TOKEN=OPERATOR) as app:
        yield app


@pytest.fixture
def house(app: Flask) -> House:
    house: House = app.extensions["house"]
    return house


@pytest.fixture
def club(house: House) -> DemoClub:
    return demo.found(house.ledger(), 4)

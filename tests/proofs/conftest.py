"""What the tests of proofs are written with: short logs, a key in a folder of its own, a lock pick.

The fixtures of the store and of the API are theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import Connection, select, text

from ledger.database import Database
from ledger.store import events
from tests.api.conftest import new_club, postgresql_app, sqlite_app
from tests.store.conftest import Log, database, empty, log, together

__all__ = ["database", "empty", "log", "new_club", "postgresql_app", "sqlite_app", "together"]
NOON = 1_764_331_200_000_000  # 2025-11-28T12:00:00Z


@pytest.fixture
def on_sqlite(sqlite_url: str) -> Iterator[Database]:
    """An empty database, where nothing depends on its kind."""
    with closing(Database.open(sqlite_url)) as opened:
        yield opened


@pytest.fixture
def on_postgresql(postgresql_url: str) -> Iterator[Database]:
    """An empty database on PostgreSQL, beside the other."""
    with closing(Database.open(postgresql_url)) as opened:
        yield opened


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Where the signing key will be, in a folder that is not there yet."""
    return tmp_path / "keys" / "signing.key"


@pytest.fixture
def known_key(key_file: Path) -> Path:
    """The file of a key that is always the same: the numbers from 0 to 31."""
    key_file.parent.mkdir()
    key_file.write_bytes(pem(Ed25519PrivateKey.from_private_bytes(bytes(range(32)))))
    return key_file


def pem(private: Ed25519PrivateKey) -> bytes:
    """A private key as its file holds it."""
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def noon() -> int:
    """A clock that stands still."""
    return NOON


def grow(to: Log, club: str, size: int) -> list[bytes]:
    """A new club whose log has so many events; their leaves."""
    to.found(club)
    if size > 1:
        to.append(f"table/{club}", 0, ("Drawn/1",) * (size - 1), club=club)
    return leaves(to.database, club)


def leaves(of: Database, club: str) -> list[bytes]:
    """The leaves of a club's log, in order."""
    asked = select(events.c.leaf).where(events.c.club == club).order_by(events.c.position)
    with of.read() as connection:
        return list(connection.execute(asked).scalars())


@pytest.fixture
def unlocked(log: Log, owner_url: str) -> Iterator[Database]:
    """The log's database for one who has dropped its locks, as the owner of the machine can."""
    with closing(Database.open(owner_url)) as opened:
        with opened.write() as connection:
            _unlock(connection)
        yield opened


def _unlock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        for table in ("events", "nodes", "signing_keys", "signed_checkpoints"):
            connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER ALL"))
        return
    names = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for name in connection.execute(names).scalars().all():
        connection.execute(text(f"DROP TRIGGER {name}"))

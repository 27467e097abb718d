"""The tables of the log, and the values that go in and come out."""

from __future__ import annotations

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import text

from ledger.codec import Sealed

METADATA = sa.MetaData()
FIRST = text("version = 1 AND stream <> 'club'")
"""The first event of a stream whose name is one club's alone; the index has the same words."""

heads = sa.Table(
    "heads",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False),
)

events = sa.Table(
    "events",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("command", sa.LargeBinary, nullable=False),
    sa.Column("public", sa.LargeBinary, nullable=False),
    sa.Column("slots", sa.LargeBinary, nullable=False),
    sa.Column("digests", sa.LargeBinary, nullable=False),
    sa.Column("leaf", sa.LargeBinary, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Index("events_stream", "club", "stream", "version", unique=True),
    sa.Index("events_first", "stream", unique=True, sqlite_where=FIRST, postgresql_where=FIRST),
)

commands = sa.Table(
    "commands",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("digest", sa.LargeBinary, primary_key=True),
    sa.Column("request", sa.LargeBinary, nullable=False),
    sa.Column("first", sa.BigInteger, nullable=False),
    sa.Column("last", sa.BigInteger, nullable=False),
)

nodes = sa.Table(
    "nodes",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("level", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
)

guards = sa.Table(
    "guards",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


class Writing(Struct, frozen=True):
    """What an append adds to one stream, after its expected version; 0 is an empty stream."""

    stream: str
    expected: int
    sealed: tuple[Sealed, ...]


class Guard(Struct, frozen=True):
    """A rule across streams: what its row must hold, and what it holds after; None is no row."""

    key: str
    expected: str | None
    value: str | None


class Command(Struct, frozen=True):
    """A command's id and its request, each as a SHA-256: kept for ever, so it is done once."""

    digest: bytes
    request: bytes


class Append(Struct, frozen=True):
    """All that one command writes, in one club, at once or not at all.

    `recorded_at` is the time handed in, in microseconds; `founds` makes the club's log.
    """

    club: str
    actor: str
    role: str
    recorded_at: int
    command: Command | None
    writings: tuple[Writing, ...]
    guards: tuple[Guard, ...] = ()
    founds: bool = False


class Appended(Struct, frozen=True):
    """Where an append lies in the log: its positions, its last hash and its time.

    Without events `first` is the position after `last`.

    `replayed`: it was there before, from an earlier request with the same command id.
    """

    first: int
    last: int
    hash: bytes
    recorded_at: int
    replayed: bool = False


class Head(Struct, frozen=True):
    """The end of a club's log."""

    club: str
    position: int
    hash: bytes
    recorded_at: int


class Stored(Struct, frozen=True):
    """An event as it lies in the log, every part in it: mask it before anybody sees it."""

    club: str
    position: int
    stream: str
    version: int
    type: str
    recorded_at: int
    actor: str
    role: str
    command: bytes
    public: bytes
    slots: tuple[bytes, ...]
    digests: tuple[bytes, ...]
    leaf: bytes
    hash: bytes


class Known(Struct, frozen=True):
    """A command that was done: the hash of its request, and where its events lie."""

    request: bytes
    first: int
    last: int
    hash: bytes
    recorded_at: int

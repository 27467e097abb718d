"""The manifest of a backup: what the database held, so that one can tell if it came back whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, inspect, make_url, select, table

from ledger.refusal import Refused
from ledger.store import heads

NAME = "manifest.json"
BLOCK = 1 << 20
MOMENT = "%Y-%m-%dT%H:%M:%SZ"
"""How a moment of UTC is told."""
Kind = Literal["sqlite", "postgresql"]
FILES: dict[Kind, str] = {"sqlite": "paizhang.db", "postgresql": "paizhang.dump"}
"""The file with the copy, by the kind of its database."""
_ENDS = select(heads.c.club, heads.c.position, heads.c.hash).order_by(heads.c.club)
Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much."""


class Log(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the log of a club ends: how many events it has, and the hash of the last one."""

    club: str
    events: int
    hash: str


class Held(Struct, frozen=True):
    """What a database holds at one moment: its schema, the logs, the rows of each table."""

    schema: str
    clubs: tuple[Log, ...]
    rows: dict[str, int]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What lies beside the copy: when and by which release it was made, and of what.

    `created_at` is UTC as RFC 3339; `file`, `size` in bytes and `sha256` are those of the copy.
    """

    format: Literal["paizhang-backup/1"]
    created_at: str
    release: str
    database: Kind
    file: str
    size: int
    sha256: str
    schema: str
    clubs: tuple[Log, ...]
    rows: dict[str, int]

    def __post_init__(self) -> None:
        """Refuse a time that is none, which msgspec tells as it tells every fault of form."""
        try:
            datetime.strptime(self.created_at, MOMENT).replace(tzinfo=UTC)
        except ValueError:
            raise ValueError("created_at is no moment of UTC") from None

    @property
    def held(self) -> Held:
        """What the database held when it was copied."""
        return Held(self.schema, self.clubs, self.rows)


def kind_of(url: str) -> Kind:
    """The kind of database that a URL names."""
    return "sqlite" if make_url(url).get_backend_name() == "sqlite" else "postgresql"


def held_by(connection: Connection) -> Held:
    """What a database holds; refuses one without the tables of a ledger (`backup_of_nothing`)."""
    from alembic.migration import MigrationContext

    schema = MigrationContext.configure(connection).get_current_revision()
    if schema is None:
        raise Refused("backup_of_nothing")
    ends = connection.execute(_ENDS)
    clubs = tuple(Log(end.club, end.position, bytes(end.hash).hex()) for end in ends)
    names = sorted(inspect(connection).get_table_names())
    return Held(schema, clubs, {name: _rows(connection, name) for name in names})


def _rows(connection: Connection, name: str) -> int:
    return connection.execute(select(func.count()).select_from(table(name))).scalar_one()


def digest(file: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with file.open("rb") as opened:
        summed = hashlib.sha256()
        while block := opened.read(BLOCK):
            summed.update(block)
    return summed.hexdigest()


def write(folder: Path, manifest: Manifest) -> None:
    """Write a manifest into the folder of its backup, for its owner's eyes alone."""
    place = folder / NAME
    place.touch(mode=0o600)
    place.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")


def read(folder: Path) -> Manifest:
    """The manifest of a backup; refuses a folder without one (`backup_unknown`)."""
    try:
        written = (folder / NAME).read_bytes()
    except OSError as fault:
        raise Refused("backup_unknown", folder=folder, fault=fault.strerror or fault) from None
    try:
        return msgspec.json.decode(written, type=Manifest)
    except msgspec.DecodeError as fault:
        raise Refused("backup_malformed", folder=folder, fault=fault) from None

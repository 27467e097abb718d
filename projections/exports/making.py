"""Making an export: from one moment of the database into files, with the manifest beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, store
from ledger.database import Database
from ledger.refusal import Refused
from ledger.terminal import time_text
from projections import checkpoint, projection
from projections.exports.asked import Asked
from projections.exports.catalog import Kind
from projections.exports.checking import check, named
from projections.exports.control import control_of
from projections.exports.forms import FORMS
from projections.exports.sheet import Column, Row, Sheet, Tally
from projections.exports.source import Source

SECONDS = 30.0
"""How long the projection behind an export is waited for."""
MANIFEST = "manifest.json"
PIECE = 1 << 20


class File(Struct, frozen=True):
    """A file of an export: its name, its size in bytes, and the SHA-256 of these."""

    name: str
    bytes: int
    sha256: str


class Made(Struct, frozen=True):
    """An export that was made: as of which position, its rows and sums, and its files."""

    position: int
    rows: int
    totals: dict[str, int]
    files: tuple[File, ...]
    manifest: dict[str, Any]


def make(
    database: Database,
    club: str,
    asked: Asked,
    folder: Path,
    now: int,
    told: Callable[[int, int | None], None] = lambda done, of: None,
    name: str | None = None,
) -> Made:
    """Make an export of a club into a folder that is there, under a name or its own.

    Refuses an unknown club, what cannot be asked (see `checking`), and a projection that has
    stopped or does not come up to date (`projection_stopped`, `books_behind`).
    """
    kind = check(asked)
    _catch_up(database, club, kind)
    with database.read() as connection:
        source = _source(connection, club, asked, kind)
        sheet = _sheet(source, kind, told)
        path = folder / (name or _name(source))
        FORMS[asked.format].write(sheet, path)
    return _made(sheet, path, now)


def _catch_up(database: Database, club: str, kind: Kind) -> None:
    with database.read() as connection:
        head = store.head(connection, club)
    if head is None:
        raise Refused("club_unknown", club=club)
    if kind.projection is not None:
        projection.catch_up(database, club, head.position, (kind.projection,), SECONDS)


def _source(connection: Connection, club: str, asked: Asked, kind: Kind) -> Source:
    """What the rows are read from: as of the position that is asked for, or of all there is."""
    row = access.find_club(connection, club)
    assert row is not None
    come = _come(connection, club, kind)
    position = come if asked.position is None else asked.position
    if not 0 < position <= come:
        raise Refused("position_ahead", wanted=position, position=come)
    return Source(connection, row, named(connection, club, asked), position)


def _come(connection: Connection, club: str, kind: Kind) -> int:
    """Up to which position an export can tell; refuses a projection that has stopped."""
    if kind.projection is None:
        head = store.head(connection, club)
        assert head is not None
        return head.position
    come = checkpoint.mark(connection, club, kind.projection.name)
    if come.error is not None:
        raise Refused("projection_stopped", projection=kind.projection.name, error=come.error)
    return come.position


def _sheet(source: Source, kind: Kind, told: Callable[[int, int | None], None]) -> Sheet:
    asked = source.asked
    control = control_of(source, kind)
    of = None if control is None else control.lines
    columns, read = _chosen(kind.columns, kind.rows(source), asked.columns)
    title = kind.zh if asked.language == "zh" else kind.en
    facts = {**_facts(source, kind), **({} if control is None else {"control": control.told})}
    return Sheet(source, title, columns, read, facts, lambda done: told(done, of), Tally(columns))


def _chosen(
    columns: tuple[Column, ...], rows: Iterator[Row], names: tuple[str, ...]
) -> tuple[tuple[Column, ...], Iterator[Row]]:
    """The columns that are asked for, in the order of asking; all where none is."""
    if not names:
        return columns, rows
    places = {column.name: place for place, column in enumerate(columns)}
    chosen = [places[name] for name in names]
    pick = itemgetter(*chosen)
    picked = (pick(row) if len(chosen) > 1 else (row[chosen[0]],) for row in rows)
    return tuple(columns[place] for place in chosen), picked


def _facts(source: Source, kind: Kind) -> dict[str, Any]:
    """What an export is of: the club, its clock, the part that is asked for, and the position."""
    asked, club = source.asked, source.club
    return {
        "kind": asked.kind,
        "format": asked.format,
        "language": asked.language,
        "club": club.club,
        "club_name": club.name,
        "timezone": source.zone.key,
        "day_cutoff": f"{club.day_cutoff // 60:02}:{club.day_cutoff % 60:02}",
        "filters": {name: asked.filters[name] for name in asked.filters if name in kind.filters},
        "position": source.position,
        "head": source.head.hex(),
        "commodity": "PTS",
    }


def _name(source: Source) -> str:
    """What the file is called: by its kind, whose it is, its days, and the position."""
    asked = source.asked
    whose = asked.member and source.code(asked.member)
    parts = (asked.kind, whose, asked.first, asked.last, str(source.position))
    return f"{'_'.join(filter(None, parts))}.{FORMS[asked.format].suffix}"


def _made(sheet: Sheet, path: Path, now: int) -> Made:
    """What was made, with its manifest, in which alone stands when."""
    tally, file = sheet.tally, _file(path)
    manifest = {
        "object": "manifest",
        **sheet.facts,
        "columns": [column.name for column in sheet.columns],
        "rows": tally.rows,
        "totals": tally.totals,
        "content_sha256": tally.digest,
        "files": [msgspec.to_builtins(file)],
        "software": f"paizhang {version('paizhang')}",
        "generated_at": time_text(now),
    }
    beside = path.with_name(f"{path.name}.{MANIFEST}")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return Made(sheet.source.position, tally.rows, tally.totals, (file, _file(beside)), manifest)


def _file(path: Path) -> File:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    return File(path.name, size, digest.hexdigest())

"""Databases as tests find them: migrated once, then copied; and engines that need not learn again.

A test has a database of its own, and what it takes to make one is the same each time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

import pytest
from sqlalchemy import Engine, create_engine

from ledger import database
from ledger.database import Database

T = TypeVar("T")

STATEMENTS = 10_000
"""How many compiled statements are kept, which is more than there are."""


def fresh(file: Path) -> str:
    """The address of an empty, migrated SQLite file, made here."""
    file.write_bytes(_migrated())
    return f"sqlite:///{file}"


def folded(file: Path) -> bytes:
    """A SQLite file that nobody writes to, its write-ahead log folded in, ready to be copied."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


def set_back(file: Path, content: bytes) -> None:
    """Let a SQLite file that nobody has open be what it was."""
    for log in ("-wal", "-shm"):
        file.with_name(file.name + log).unlink(missing_ok=True)
    file.write_bytes(content)


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "template.sqlite3"
        database.upgrade(f"sqlite:///{file}")
        return folded(file)


@contextmanager
def learned_once() -> Iterator[None]:
    """Engines of one kind share what they have compiled, though each has its own connections.

    An engine compiles each statement once, and a test opens engines of its own. Nor do they wait
    for the disk: the machine does not fail while tests run.
    """
    known: dict[tuple[str, Any], Engine] = {}

    def create(url: str, **options: Any) -> Engine:
        engine = create_engine(url, query_cache_size=STATEMENTS, **options)
        kind = (engine.dialect.name, options.get("isolation_level"))
        first = known.get(kind, engine)
        if first.dialect.server_version_info is None:  # it has never been connected
            known[kind] = engine
        else:
            engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    def prepare(engine: Engine, pragmas: tuple[str, ...], begin: str) -> None:
        usual(engine, (*pragmas, "synchronous = OFF"), begin)

    usual = database._prepare
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "create_engine", create)
        patch.setattr(database, "_prepare", prepare)
        yield


# --- what happens again and again -------------------------------------------------------------


class Ticking(Protocol):
    """A clock that can be set."""

    now: int


@dataclass(frozen=True)
class Scene:
    """A database with the chance and the clock of what happens in it.

    Its things are those that what happens is told with, such as a ledger or an application:
    another scene has its own in their places.
    """

    database: Database
    rng: Random
    clock: Ticking
    things: tuple[object, ...]


@dataclass(frozen=True)
class Moment:
    """What a scene came to."""

    content: bytes
    chance: Any
    now: int
    things: tuple[object, ...]
    made: Any


_KNOWN: dict[Hashable, Moment] = {}


def once(scene: Scene, name: Hashable, make: Callable[[], T]) -> T:
    """Let something happen: the first time it is played out, then the file is set back to it.

    It is the same each time, for its clock and its chance come from the scene; so they are set,
    too. PostgreSQL plays it out each time.
    """
    file = scene.database.writer.url.database
    if scene.database.writer.dialect.name != "sqlite" or file is None:
        return make()
    begun = (name, scene.clock.now, scene.rng.getstate())
    scene.database.close()
    if begun in _KNOWN:
        known = _KNOWN[begun]
        set_back(Path(file), known.content)
        scene.clock.now = known.now
        scene.rng.setstate(known.chance)
        told: T = _told(known.made, known.things, scene)
        return told
    made = make()
    scene.database.close()
    kept = _told(made, scene.things, scene)
    content, chance = folded(Path(file)), scene.rng.getstate()
    _KNOWN[begun] = Moment(content, chance, scene.clock.now, scene.things, kept)
    return made


def _told(made: Any, things: tuple[object, ...], scene: Scene) -> Any:
    """A copy with a scene's things in the places of others."""
    places = zip(things, scene.things, strict=True)
    return deepcopy(made, {id(there): here for there, here in places})

"""What a projection is, and how far each has come in each club's log.

A projection's rows lie in generations: requests read the live one, a rebuild fills the next
beside it. Every table begins with club and generation, so that a generation can be dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, func, select, text

from ledger import codec
from ledger.events import Fact
from ledger.store import Stored, heads

METADATA = sa.MetaData()
FIRST = 1
"""The generation that is live before any rebuild."""


class Place(Struct, frozen=True):
    """Where a projection's rows lie: in a club, in a generation."""

    club: str
    generation: int

    @property
    def columns(self) -> dict[str, Any]:
        """The columns with which every row here begins."""
        return {"club": self.club, "generation": self.generation}

    def rows(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        """The rows of a table that lie here."""
        return table.c.club == self.club, table.c.generation == self.generation


Arm = Callable[[Connection, Place, Stored, Any], None]


@dataclass(frozen=True)
class Projection:
    """A view derived from the log: its tables, and what each event that it takes does to them.

    An arm gets the event as it is stored and its public part; it knows no clock, and raises on
    an event that cannot follow what it has seen. Types without an arm do nothing.
    """

    name: str
    tables: tuple[sa.Table, ...]
    arms: Mapping[type[Fact], Arm]

    def takes(self, row: Stored) -> bool:
        """Whether an event changes this projection."""
        return codec.kind_of(row.type) in self.arms

    def apply(self, connection: Connection, place: Place, row: Stored) -> None:
        """Let an event that this projection takes change its rows."""
        fact = codec.unseal(row.type, row.public).fact
        self.arms[type(fact)](connection, place, row, fact)


class Mark(Struct, frozen=True):
    """How far a generation of a projection has come, and the event that stopped it, if any."""

    projection: str
    club: str
    generation: int
    position: int = 0
    error: str | None = None


checkpoints = sa.Table(
    "checkpoints",
    METADATA,
    sa.Column("projection", sa.Text, primary_key=True),
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("error", sa.Text),
)

live_generations = sa.Table(
    "live_generations",
    METADATA,
    sa.Column("projection", sa.Text, primary_key=True),
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("switched_at", sa.BigInteger, nullable=False),
)

_IS_LIVE = (
    (live_generations.c.projection == checkpoints.c.projection)
    & (live_generations.c.club == checkpoints.c.club)
    & (live_generations.c.generation == checkpoints.c.generation)
)
_LIVE = select(checkpoints).join(live_generations, _IS_LIVE).order_by(checkpoints.c.projection)
_BEGIN = (
    text(
        "INSERT INTO checkpoints (projection, club, generation, position) "
        f"VALUES (:projection, :club, {FIRST}, 0) ON CONFLICT DO NOTHING"
    ),
    text(
        "INSERT INTO live_generations (projection, club, generation, switched_at) "
        f"VALUES (:projection, :club, {FIRST}, 0) ON CONFLICT DO NOTHING"
    ),
)


def mark(connection: Connection, club: str, name: str) -> Mark:
    """How far the live generation of a projection has come."""
    return marks(connection, club, (name,))[0]


def marks(connection: Connection, club: str, names: Iterable[str]) -> list[Mark]:
    """How far the live generations of projections have come, in the order of the names."""
    found = connection.execute(_LIVE.where(checkpoints.c.club == club))
    come = {row.projection: Mark(*row) for row in found}
    return [come.get(name) or Mark(name, club, FIRST) for name in names]


def live_place(connection: Connection, club: str, name: str) -> Place:
    """Where a projection's live rows lie; a request asks once."""
    return Place(club, mark(connection, club, name).generation)


def stopped(connection: Connection) -> list[Mark]:
    """The live generations of all clubs that an event has stopped."""
    found = connection.execute(_LIVE.where(checkpoints.c.error.is_not(None)))
    return [Mark(*row) for row in found]


def behind(connection: Connection, projections: int) -> list[str]:
    """The clubs in which fewer than so many projections are at the log's head or stopped."""
    at_head = (checkpoints.c.position == heads.c.position) | checkpoints.c.error.is_not(None)
    done = (
        select(checkpoints.c.club)
        .join(live_generations, _IS_LIVE)
        .join(heads, heads.c.club == checkpoints.c.club)
        .where(at_head)
        .group_by(checkpoints.c.club)
        .having(func.count() >= projections)
    )
    found = select(heads.c.club).where(heads.c.club.not_in(done)).order_by(heads.c.club)
    return list(connection.execute(found).scalars())


def locked(connection: Connection, club: str, names: tuple[str, ...]) -> list[Mark]:
    """The live generations of projections, held until the transaction ends.

    All who lock do so in the order of the names, so that nobody waits in a circle.
    """
    wanted = (live_generations.c.club == club, live_generations.c.projection.in_(names))
    ask = select(live_generations).where(*wanted).order_by(live_generations.c.projection)
    live = connection.execute(ask.with_for_update()).all()
    if len(live) < len(names):
        _begin(connection, club, names)
        live = connection.execute(ask.with_for_update()).all()
    held = (hold(connection, row.projection, club, row.generation) for row in live)
    return [mark for mark in held if mark]


def find(connection: Connection, name: str, club: str, generation: int) -> Mark | None:
    """How far one generation has come, unless it was dropped."""
    found = connection.execute(select(checkpoints).where(*_is(name, club, generation))).first()
    return Mark(*found) if found else None


def hold(connection: Connection, name: str, club: str, generation: int) -> Mark | None:
    """How far one generation has come; nobody moves or drops it until the transaction ends."""
    wanted = select(checkpoints).where(*_is(name, club, generation)).with_for_update()
    found = connection.execute(wanted).first()
    return Mark(*found) if found else None


def move(connection: Connection, to: Mark) -> None:
    """Write how far a generation has come, in the transaction of its rows."""
    here = _is(to.projection, to.club, to.generation)
    come = {"position": to.position, "error": to.error}
    connection.execute(sa.update(checkpoints).where(*here).values(come))


def add(connection: Connection, name: str, club: str) -> int:
    """A new generation beside all that there were; its number was never used before."""
    (live,) = locked(connection, club, (name,))
    mine = (checkpoints.c.projection == name, checkpoints.c.club == club)
    newest = select(sa.func.max(checkpoints.c.generation)).where(*mine)
    generation: int = max(connection.execute(newest).scalar_one(), live.generation) + 1
    new = {"projection": name, "club": club, "generation": generation, "position": 0}
    connection.execute(sa.insert(checkpoints).values(new))
    return generation


def begun(connection: Connection, club: str) -> list[Mark]:
    """The generations of a club that are newer than the live ones: rebuilds that have not ended."""
    of_same = (live_generations.c.projection == checkpoints.c.projection) & (
        live_generations.c.club == checkpoints.c.club
    )
    newer = (
        select(checkpoints)
        .join(live_generations, of_same)
        .where(checkpoints.c.club == club)
        .where(checkpoints.c.generation > live_generations.c.generation)
        .order_by(checkpoints.c.projection, checkpoints.c.generation)
    )
    return [Mark(*row) for row in connection.execute(newer)]


def switch(connection: Connection, to: Mark, now: int) -> None:
    """Make a generation the live one."""
    mine = (live_generations.c.projection == to.projection, live_generations.c.club == to.club)
    switched = {"generation": to.generation, "switched_at": now}
    connection.execute(sa.update(live_generations).where(*mine).values(switched))


def old(connection: Connection, before: int) -> list[Mark]:
    """The generations that have not been live since a moment, nor ever will be again."""
    of_same = (live_generations.c.projection == checkpoints.c.projection) & (
        live_generations.c.club == checkpoints.c.club
    )
    outdated = (
        select(checkpoints)
        .join(live_generations, of_same)
        .where(checkpoints.c.generation < live_generations.c.generation)
        .where(live_generations.c.switched_at <= before)
    )
    return [Mark(*row) for row in connection.execute(outdated)]


def forget(connection: Connection, gone: Mark) -> None:
    """Drop the row of a generation that has no rows any more."""
    here = _is(gone.projection, gone.club, gone.generation)
    connection.execute(sa.delete(checkpoints).where(*here))


def _begin(connection: Connection, club: str, names: tuple[str, ...]) -> None:
    """The rows of projections that have not begun in this club."""
    for name in sorted(names):
        for statement in _BEGIN:
            connection.execute(statement, {"projection": name, "club": club})


def _is(name: str, club: str, generation: int) -> tuple[sa.ColumnElement[bool], ...]:
    c = checkpoints.c
    return c.projection == name, c.club == club, c.generation == generation

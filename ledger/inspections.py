"""What was inspected of this installation, and what was found: kept, for who asks later.

An inspection is of a kind: `verify` is of one club's log, `drill` of the whole: a backup that
was made and restored. Times are microseconds of UTC, handed in.
"""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, func, select

from ledger.store import METADATA

Kind = Literal["verify", "drill"]
KINDS: tuple[Kind, ...] = ("drill", "verify")

inspections = sa.Table(
    "inspections",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("club", sa.Text),
    sa.Column("begun_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("sound", sa.Boolean, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
    sa.Index("inspections_of_club", "kind", "club", "id"),
)


class Inspection(Struct, frozen=True):
    """What was found: whether all is right, and a report as JSON; `club` is None of the whole."""

    kind: Kind
    club: str | None
    begun_at: int
    ended_at: int
    sound: bool
    report: str


_ALL = select(*(inspections.c[name] for name in Inspection.__struct_fields__))


def keep(connection: Connection, found: Inspection) -> None:
    """Keep what was found, beside all that was found before."""
    values = {name: getattr(found, name) for name in Inspection.__struct_fields__}
    connection.execute(sa.insert(inspections).values(values))


def newest(connection: Connection, kind: Kind, club: str | None = None) -> Inspection | None:
    """What was found last of a kind, of a club or of the whole."""
    c = inspections.c
    mine = _ALL.where(c.kind == kind, c.club.is_not_distinct_from(club))
    row = connection.execute(mine.order_by(c.id.desc()).limit(1)).one_or_none()
    return Inspection(*row) if row else None


def newest_of_each(connection: Connection) -> list[Inspection]:
    """What was found last of each kind and club, in their order."""
    c = inspections.c
    last = select(func.max(c.id)).group_by(c.kind, c.club)
    each = _ALL.where(c.id.in_(last)).order_by(c.kind, c.club)
    return [Inspection(*row) for row in connection.execute(each)]

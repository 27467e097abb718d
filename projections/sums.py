"""Rows that are sums: what an event adds to them, kept so that it can be taken back exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, delete, insert, text

from projections.checkpoint import METADATA, Place

Row = dict[str, Any]
Added = dict[str, list[Row]]
"""By the name of a table of sums the rows that were added to it."""


class Span(Struct, frozen=True):
    """Of which business days, both included, of which ruleset, and of which hour of the clock."""

    first: str | None = None
    last: str | None = None
    ruleset: str | None = None
    hour: int | None = None

    def within(self, table: sa.Table) -> list[sa.ColumnElement[bool]]:
        """The rows of a table by day that lie in it."""
        bounds: list[sa.ColumnElement[bool]] = []
        if self.first is not None:
            bounds.append(table.c.day >= self.first)
        if self.last is not None:
            bounds.append(table.c.day <= self.last)
        if self.ruleset is not None:
            bounds.append(table.c.ruleset == self.ruleset)
        if self.hour is not None:
            bounds.append(table.c.hour == self.hour)
        return bounds


ALWAYS = Span()


def kept_of_hands(name: str) -> sa.Table:
    """A table of what each hand has added, as long as that stands."""
    return sa.Table(
        name,
        METADATA,
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("added", sa.JSON, nullable=False),
    )


def keep(
    connection: Connection, place: Place, kept: sa.Table, hand: tuple[str, int], added: Added
) -> None:
    """Add what a hand adds, and keep it."""
    add(connection, place, added)
    row = {"table_id": hand[0], "number": hand[1], "added": added}
    connection.execute(insert(kept), {**place.columns, **row})


def take_back(connection: Connection, place: Place, kept: sa.Table, hand: tuple[str, int]) -> Added:
    """Take back what a hand had added, and say what it was; one that added nothing is no hand."""
    this = kept.c.table_id == hand[0], kept.c.number == hand[1]
    gone = delete(kept).where(*place.rows(kept), *this).returning(kept.c.added)
    added: Added = connection.execute(gone).scalar_one()
    add(connection, place, {name: [_opposite(name, row) for row in added[name]] for name in added})
    return added


def add(connection: Connection, place: Place, added: Added) -> None:
    """Add rows to the sums that lie under their keys."""
    for name, rows in added.items():
        if rows:
            connection.execute(_adding(name), [{**place.columns, **row} for row in rows])


def _opposite(name: str, row: Row) -> Row:
    keys = METADATA.tables[name].primary_key.columns
    return {field: value if field in keys else -value for field, value in row.items()}


@cache
def _adding(name: str) -> sa.TextClause:
    table = METADATA.tables[name]
    keys = [column.name for column in table.primary_key]
    sums = [column.name for column in table.columns if column.name not in keys]
    return text(
        f"INSERT INTO {name} ({_list([*keys, *sums])}) VALUES (:{', :'.join([*keys, *sums])}) "
        f"ON CONFLICT ({_list(keys)}) DO UPDATE SET "
        + _list([f"{one} = {name}.{one} + excluded.{one}" for one in sums])
    )


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)


def columns_of_sums(*names: str) -> tuple[sa.Column[Any], ...]:
    """Columns of whole numbers, which events add to."""
    return tuple(sa.Column(name, sa.BigInteger, nullable=False) for name in names)

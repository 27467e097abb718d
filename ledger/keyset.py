"""Pages of a list by the place of its objects: no offsets, so no page shifts under its reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger.refusal import Refused

NO_END = 2**63 - 1
PART = 1000
"""How many rows are in memory at a time where all are read."""


class Page(Struct, frozen=True):
    """Which part of a list: so many objects, after one of them or before one.

    `first` and `last` are the bounds, both included, within which the objects were made.
    """

    limit: int = 20
    starting_after: str | None = None
    ending_before: str | None = None
    first: int = 0
    last: int = NO_END

    def within(self, gt: int | None, gte: int | None, lt: int | None, lte: int | None) -> Page:
        """The part of it that was made after, since, before or up to some moments."""
        firsts = (0 if gte is None else gte, 0 if gt is None else gt + 1)
        lasts = (NO_END if lte is None else lte, NO_END if lt is None else lt - 1)
        return replace(self, first=max(firsts), last=min(lasts))


FIRST_PAGE = Page()


def cut(
    connection: Connection,
    whole: sa.Select[Any],
    order: Sequence[sa.ColumnElement[Any]],
    created: sa.ColumnElement[int],
    page: Page,
    place: Callable[[str], sa.Select[Any] | None],
    *,
    newest_first: bool = True,
) -> tuple[list[Any], bool]:
    """The rows of a page, and whether more follow.

    `order` is what the rows lie in order of, `created` when they were made, and `place` selects
    an object's values of the order by its id; it is None where that is no id of such an object.
    """
    part, end, key = _made_within(whole, created, page), page.ending_before, sa.tuple_(*order)
    if page.starting_after is not None:
        start = _place(connection, "starting_after", page.starting_after, place)
        part = part.where(key < start if newest_first else key > start)
    if end is not None:
        stop = _place(connection, "ending_before", end, place)
        part = part.where(key > stop if newest_first else key < stop)
    backwards = end is not None and page.starting_after is None
    falling = newest_first != backwards
    part = part.order_by(*(column.desc() if falling else column for column in order))
    found = list(connection.execute(part.limit(page.limit + 1)))
    rows = found[: page.limit]
    return (rows[::-1], True) if backwards else (rows, end is not None or len(found) > page.limit)


def in_parts(connection: Connection, rows: sa.Select[Any]) -> Iterator[Any]:
    """All rows of a list, a part of them in memory at a time."""
    return iter(connection.execute(rows, execution_options={"yield_per": PART}))


def position_in(kind: str, cursor: str) -> int | None:
    """The position in the id of a derived thing: of `jrn`, "jrn_7" -> 7."""
    found = re.fullmatch(rf"{kind}_([1-9][0-9]{{0,17}})", cursor)
    return int(found[1]) if found else None


def _made_within(
    whole: sa.Select[Any], created: sa.ColumnElement[int], page: Page
) -> sa.Select[Any]:
    """The part of a list whose objects were made within the page's bounds."""
    if page.first > 0:
        whole = whole.where(created >= page.first)
    return whole.where(created <= page.last) if page.last < NO_END else whole


def _place(
    connection: Connection,
    parameter: str,
    cursor: str,
    place: Callable[[str], sa.Select[Any] | None],
) -> sa.Tuple:
    selected = place(cursor)
    found = None if selected is None else connection.execute(selected).one_or_none()
    if found is None:
        raise Refused("cursor_unknown", parameter=parameter)
    return sa.tuple_(*found)

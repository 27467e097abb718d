"""Pages of a list by the place of its objects: no offsets, so no page shifts under its reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection

from ledger.refusal import Refused


class Page(Struct, frozen=True):
    """Which part of a list: so many objects, after one of them or before one."""

    limit: int = 20
    starting_after: str | None = None
    ending_before: str | None = None


FIRST_PAGE = Page()


def cut(
    connection: Connection,
    whole: sa.Select[Any],
    order: Sequence[sa.ColumnElement[Any]],
    page: Page,
    place: Callable[[str], sa.Select[Any] | None],
    *,
    newest_first: bool = True,
) -> tuple[list[Any], bool]:
    """The rows of a page, and whether more follow.

    `order` is what the rows lie in order of, and `place` selects an object's values of it by its
    id; it is None where that is no id of such an object.
    """
    part, end, key = whole, page.ending_before, sa.tuple_(*order)
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

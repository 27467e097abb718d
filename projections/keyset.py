"""Pages of a list by the place of its objects: no offsets, so no page shifts under its reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection

from ledger.refusal import Refused
from projections.checkpoint import Place


class Page(Struct, frozen=True):
    """Which part of a list: so many objects, after one of them or before one."""

    limit: int = 20
    starting_after: str | None = None
    ending_before: str | None = None


FIRST_PAGE = Page()


def cut(
    connection: Connection,
    whole: sa.Select[Any],
    order: sa.Column[int],
    page: Page,
    place: Callable[[str], int | None],
    *,
    newest_first: bool = True,
) -> tuple[list[Any], bool]:
    """The rows of a page, and whether more follow.

    `order` is what the rows lie in order of, and `place` gives an object's value of it by its
    id, or None where there is no such object.
    """
    part, end = whole, page.ending_before
    if page.starting_after is not None:
        start = _place("starting_after", page.starting_after, place)
        part = part.where(order < start if newest_first else order > start)
    if end is not None:
        stop = _place("ending_before", end, place)
        part = part.where(order > stop if newest_first else order < stop)
    backwards = end is not None and page.starting_after is None
    part = part.order_by(order.desc() if newest_first != backwards else order)
    found = list(connection.execute(part.limit(page.limit + 1)))
    rows = found[: page.limit]
    return (rows[::-1], True) if backwards else (rows, end is not None or len(found) > page.limit)


def whose(
    whole: sa.Select[Any],
    order: sa.Column[int],
    sat: sa.Table,
    live: Place,
    member: str | None,
    recorder: str | None,
) -> sa.Select[Any]:
    """The part of a list that a recorder recorded, or that a member sat in.

    `sat` says who sat where, by the column that the list lies in order of.
    """
    if recorder is not None:
        whole = whole.where(order.table.c.recorder == recorder)
    if member is not None:
        mine = sa.select(sat.c[order.name]).where(*live.rows(sat), sat.c.member == member)
        whole = whole.where(order.in_(mine))
    return whole


def _place(parameter: str, cursor: str, place: Callable[[str], int | None]) -> int:
    found = place(cursor)
    if found is None:
        raise Refused("cursor_unknown", parameter=parameter)
    return found

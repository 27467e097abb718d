"""Whose the objects of a list are: what a key recorded, what a member sat at."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from projections.checkpoint import Place


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

"""The list of allowances 上下分: who asked for which points, who agreed, and what was booked."""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from ledger.events import (
    AllowanceApproved,
    AllowancePosted,
    AllowanceRefused,
    AllowanceRequested,
    AllowanceReversed,
    Line,
)
from ledger.keyset import FIRST_PAGE, Page, cut
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place
from projections.own import whose

NAME = "allowances"

allowances = sa.Table(
    "allowances",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("asked_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("allowance", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("lines", sa.Integer, nullable=False),
    sa.Column("total_in", sa.BigInteger, nullable=False),
    sa.Column("total_out", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("asked_by", sa.Text, nullable=False),
    sa.Column("asked_at", sa.BigInteger, nullable=False),
    sa.Column("approved_by", sa.Text),
    sa.Column("approved_at", sa.BigInteger),
    sa.Column("refused_by", sa.Text),
    sa.Column("refused_at", sa.BigInteger),
    sa.Column("refusal_note", sa.Text),
    sa.Column("reversed_by", sa.Text),
    sa.Column("reversed_at", sa.BigInteger),
    sa.Column("reversal_note", sa.Text),
    sa.Column("effective_date", sa.Text),
    sa.Column("booked_date", sa.Text),
    sa.Column("posted_position", sa.BigInteger),
    sa.Column("reversed_position", sa.BigInteger),
    sa.Index("allowances_by_id", "club", "generation", "allowance", unique=True),
    sa.Index("allowances_by_state", "club", "generation", "state", "asked_position"),
)

allowance_lines = sa.Table(
    "allowance_lines",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("asked_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Index(
        "allowance_lines_in_order", "club", "generation", "asked_position", "line", unique=True
    ),
)


class AllowanceRow(Struct, frozen=True):
    """An allowance in the list: it is `requested`, then `posted` or `refused`; or `reversed`.

    `total_in` are the points that its `lines` give, `total_out` those that they take. Without a
    second person nobody approved it. Notes are digests; the dates are those of the booking, and
    until then the effective date is the one that was asked for, None the day of booking.
    """

    asked_position: int
    id: str
    kind: str
    lines: int
    total_in: int
    total_out: int
    reason: str
    note: str | None
    state: str
    asked_by: str
    asked_at: int
    approved_by: str | None
    approved_at: int | None
    refused_by: str | None
    refused_at: int | None
    refusal_note: str | None
    reversed_by: str | None
    reversed_at: int | None
    reversal_note: str | None
    effective_date: str | None
    booked_date: str | None
    posted_position: int | None
    reversed_position: int | None


def _requested(connection: Connection, place: Place, row: Stored, fact: AllowanceRequested) -> None:
    here = {**place.columns, "asked_position": row.position}
    allowance = {
        "allowance": _id_of(row),
        "kind": fact.kind,
        "lines": len(fact.lines),
        "total_in": sum(line.points for line in fact.lines if line.points > 0),
        "total_out": -sum(line.points for line in fact.lines if line.points < 0),
        "reason": fact.reason,
        "note": fact.note,
        "state": "requested",
        "asked_by": fact.by,
        "asked_at": fact.at,
        "effective_date": fact.effective_date,
    }
    connection.execute(insert(allowances), {**here, **allowance})
    lines = [
        {**here, "member": line.member, "line": number, "points": line.points}
        for number, line in enumerate(fact.lines)
    ]
    connection.execute(insert(allowance_lines), lines)


def _approved(connection: Connection, place: Place, row: Stored, fact: AllowanceApproved) -> None:
    _change(connection, place, row, approved_by=fact.by, approved_at=fact.at)


def _refused(connection: Connection, place: Place, row: Stored, fact: AllowanceRefused) -> None:
    refused = {"refused_by": fact.by, "refused_at": fact.at, "refusal_note": fact.note}
    _change(connection, place, row, state="refused", **refused)


def _posted(connection: Connection, place: Place, row: Stored, fact: AllowancePosted) -> None:
    dates = {"effective_date": fact.effective_date, "booked_date": fact.booked_date}
    _change(connection, place, row, state="posted", posted_position=row.position, **dates)


def _reversed(connection: Connection, place: Place, row: Stored, fact: AllowanceReversed) -> None:
    undone = {
        "reversed_by": fact.by,
        "reversed_at": fact.at,
        "reversal_note": fact.note,
        "reversed_position": row.position,
    }
    _change(connection, place, row, state="reversed", **undone)


def _change(connection: Connection, place: Place, row: Stored, **to: object) -> None:
    """Change the allowance that an event is about; an event about none stops the projection."""
    changed = update(allowances).where(*_this(place, _id_of(row))).values(to)
    connection.execute(changed.returning(allowances.c.allowance)).one()


def _id_of(row: Stored) -> str:
    return row.stream.removeprefix("allowance/")


def _this(place: Place, allowance: str) -> tuple[sa.ColumnElement[bool], ...]:
    return *place.rows(allowances), allowances.c.allowance == allowance


ALLOWANCES = Projection(
    NAME,
    (allowances, allowance_lines),
    {
        AllowanceRequested: _requested,
        AllowanceApproved: _approved,
        AllowanceRefused: _refused,
        AllowancePosted: _posted,
        AllowanceReversed: _reversed,
    },
)

_ALLOWANCE = tuple(column for column in allowances.c if column.name not in ("club", "generation"))


def club_allowances(
    connection: Connection,
    club: str,
    page: Page = FIRST_PAGE,
    *,
    state: str | None = None,
    member: str | None = None,
) -> tuple[list[AllowanceRow], bool]:
    """A page of the allowances of a club, the newest first, and whether older ones follow.

    Those in one state; those that have a line of a member.
    """
    live = live_place(connection, club, NAME)
    whole = select(*_ALLOWANCE).where(*live.rows(allowances))
    if state is not None:
        whole = whole.where(allowances.c.state == state)
    order = allowances.c.asked_position
    whole = whose(whole, order, allowance_lines, live, member, None)
    place = partial(_asked_position, live)
    rows, more = cut(connection, whole, (order,), allowances.c.asked_at, page, place)
    return [AllowanceRow(*row) for row in rows], more


def allowance(
    connection: Connection, club: str, allowance: str
) -> tuple[AllowanceRow, list[Line]] | None:
    """An allowance with its lines in order; None where there is none of this id."""
    live = live_place(connection, club, NAME)
    found = connection.execute(select(*_ALLOWANCE).where(*_this(live, allowance))).one_or_none()
    if found is None:
        return None
    row = AllowanceRow(*found)
    lines = (
        select(allowance_lines.c.member, allowance_lines.c.points)
        .where(*live.rows(allowance_lines))
        .where(allowance_lines.c.asked_position == row.asked_position)
        .order_by(allowance_lines.c.line)
    )
    return row, [Line(*line) for line in connection.execute(lines)]


def _asked_position(live: Place, allowance: str) -> sa.Select[Any]:
    return select(allowances.c.asked_position).where(*_this(live, allowance))

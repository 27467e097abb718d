"""Dissolutions 解散记录: who wished to end a match early, who agreed, and how the points stood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, case, func, insert, select, update

from ledger.events import DissolutionVoted, SeatsChanged, TableClosed, TableOpened
from ledger.keyset import FIRST_PAGE, Page, cut, in_parts, position_in
from ledger.store import Stored
from projections import sums
from projections.checkpoint import METADATA, Place, Projection, live_place
from projections.recalled import clock_of
from projections.sums import ALWAYS, Span

NAME = "dissolutions"

dissolutions = sa.Table(
    "dissolutions",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("month", sa.Text, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("scores", sa.JSON, nullable=False),
    sa.Column("requester", sa.Text),
    sa.Column("points", sa.BigInteger),
    sa.Column("votes", sa.JSON, nullable=False),
    sa.Column("is_dissolved", sa.Boolean, nullable=False),
    sa.Index("dissolutions_of_requester", "club", "generation", "requester", "position"),
)

table_seats = sa.Table(
    "table_seats",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("passed", sa.BigInteger),
)

member_months = sa.Table(
    "member_months",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    *sums.columns_of_sums("tables", "asked", "asked_behind"),
)


class Dissolution(Struct, frozen=True):
    """A wish to dissolve, and whether the match was; nobody wished where it was simply ended.

    `points` are the requester's then: below zero what he was spared, above what he gave away.
    `tables` are those that he played to any end in that month, `asked` those of them that were
    dissolved as he wished, and `asked_behind` those when he was behind.
    """

    position: int
    table: str
    ruleset: str
    at: int
    day: str
    month: str
    seats: list[str]
    scores: list[int]
    requester: str | None
    points: int | None
    votes: list[dict[str, Any]]
    is_dissolved: bool
    tables: int | None
    asked: int | None
    asked_behind: int | None

    @property
    def id(self) -> str:
        """Its number, made of its position, so that a rebuild gives the same."""
        return f"dis_{self.position}"


def _opened(connection: Connection, place: Place, row: Stored, fact: TableOpened) -> None:
    table = {"table_id": _table_of(row), "ruleset": fact.ruleset, "seats": list(fact.seats)}
    connection.execute(insert(table_seats), {**place.columns, **table})


def _seats_changed(connection: Connection, place: Place, row: Stored, fact: SeatsChanged) -> None:
    _change(connection, place, _table_of(row), {"seats": list(fact.seats)})


def _voted(connection: Connection, place: Place, row: Stored, fact: DissolutionVoted) -> None:
    """Note a wish; that the match is over says its close, which follows where it was granted."""
    seats = _table(connection, place, _table_of(row)).seats
    votes = [
        {"member": seats[vote.seat], "answer": vote.answer, "seconds": vote.seconds}
        for vote in fact.votes
    ]
    asked = {
        "requester": seats[fact.seat],
        "points": fact.scores[fact.seat],
        "votes": votes,
        "is_dissolved": False,
    }
    _note(connection, place, row, fact.at, fact.scores, asked)
    if fact.passed:
        _change(connection, place, _table_of(row), {"passed": row.position})


def _closed(connection: Connection, place: Place, row: Stored, fact: TableClosed) -> None:
    table = _table(connection, place, _table_of(row))
    month = clock_of(connection, place.club).day(fact.at)[:7]
    seats = {member: {"month": month, "member": member, "tables": 1} for member in table.seats}
    none = {"asked": 0, "asked_behind": 0}
    rows = {member: {**one, **none} for member, one in seats.items()}
    if fact.reason == "dissolved" and table.passed is None:
        unasked: dict[str, Any] = {
            "requester": None,
            "points": None,
            "votes": [],
            "is_dissolved": True,
        }
        _note(connection, place, row, fact.at, fact.totals, unasked)
    elif fact.reason == "dissolved":
        requester, points = _granted(connection, place, table.passed)
        rows[requester].update(asked=1, asked_behind=int(points < 0))
    sums.add(connection, place, {member_months.name: list(rows.values())})


def _granted(connection: Connection, place: Place, position: int) -> tuple[str, int]:
    """Let a wish be one that was granted; says whose it was, and his points then."""
    here = *place.rows(dissolutions), dissolutions.c.position == position
    granted = update(dissolutions).where(*here).values(is_dissolved=True)
    told = granted.returning(dissolutions.c.requester, dissolutions.c.points)
    requester, points = connection.execute(told).one()
    return requester, points


def _note(
    connection: Connection,
    place: Place,
    row: Stored,
    at: int,
    scores: tuple[int, ...],
    asked: dict[str, Any],
) -> None:
    table, day = _table(connection, place, _table_of(row)), clock_of(connection, place.club).day(at)
    noted = {
        "position": row.position,
        "table_id": table.table_id,
        "ruleset": table.ruleset,
        "at": at,
        "day": day,
        "month": day[:7],
        "seats": table.seats,
        "scores": list(scores),
    }
    connection.execute(insert(dissolutions), {**place.columns, **noted, **asked})


def _table(connection: Connection, place: Place, table: str) -> sa.Row[Any]:
    """A table and who sits there; an event about none stops the projection."""
    here = *place.rows(table_seats), table_seats.c.table_id == table
    return connection.execute(select(table_seats).where(*here)).one()


def _change(connection: Connection, place: Place, table: str, to: dict[str, Any]) -> None:
    here = *place.rows(table_seats), table_seats.c.table_id == table
    changed = update(table_seats).where(*here).values(to)
    connection.execute(changed.returning(table_seats.c.table_id)).one()


def _table_of(row: Stored) -> str:
    return row.stream.removeprefix("table/")


DISSOLUTIONS = Projection(
    NAME,
    (dissolutions, table_seats, member_months),
    {
        TableOpened: _opened,
        SeatsChanged: _seats_changed,
        DissolutionVoted: _voted,
        TableClosed: _closed,
    },
)

_NOTED = tuple(column for column in dissolutions.c if column.name not in ("club", "generation"))
_OF_MONTH = (
    (member_months.c.club == dissolutions.c.club)
    & (member_months.c.generation == dissolutions.c.generation)
    & (member_months.c.month == dissolutions.c.month)
    & (member_months.c.member == dissolutions.c.requester)
)
_RATE = tuple(
    case((dissolutions.c.requester.is_(None), None), else_=func.coalesce(member_months.c[name], 0))
    for name in ("tables", "asked", "asked_behind")
)


def club_dissolutions(
    connection: Connection,
    club: str,
    page: Page = FIRST_PAGE,
    span: Span = ALWAYS,
    *,
    member: str | None = None,
) -> tuple[list[Dissolution], bool]:
    """A page of the dissolutions of a club, the newest first, or of those that a member wished.

    Says too whether older ones follow.
    """
    c, live = dissolutions.c, live_place(connection, club, NAME)
    whole = _wanted(live, span, member)

    def place(one: str) -> sa.Select[Any] | None:
        position = position_in("dis", one)
        named = select(c.position).where(*live.rows(dissolutions))
        return None if position is None else named.where(c.position == position)

    rows, more = cut(connection, whole, (c.position,), c.at, page, place)
    return [Dissolution(*row) for row in rows], more


def every_dissolution(
    connection: Connection, club: str, span: Span = ALWAYS, member: str | None = None
) -> Iterator[Dissolution]:
    """The dissolutions of a club, the oldest first, a part in memory at a time."""
    whole = _wanted(live_place(connection, club, NAME), span, member)
    for row in in_parts(connection, whole.order_by(dissolutions.c.position)):
        yield Dissolution(*row)


def _wanted(live: Place, span: Span, member: str | None) -> sa.Select[Any]:
    """The dissolutions of some days, each with how often its requester has wished for one."""
    whole = select(*_NOTED, *_RATE).outerjoin(member_months, _OF_MONTH)
    whole = whole.where(*live.rows(dissolutions), *span.within(dissolutions))
    return whole if member is None else whole.where(dissolutions.c.requester == member)

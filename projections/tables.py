"""The list of tables 牌桌: who sits where, how far each match has come, and its points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select, update

from ledger.events import (
    HandCorrected,
    HandEnded,
    HandReversed,
    HandSettled,
    HandVoided,
    SeatsChanged,
    TableClosed,
    TableOpened,
    TableTicked,
)
from ledger.keyset import FIRST_PAGE, Page, cut, in_parts
from ledger.store import Stored
from projections import disputes
from projections.checkpoint import METADATA, Place, Projection, live_place
from projections.own import whose
from projections.recalled import clock_of, settlement_of
from projections.sums import ALWAYS, Span

NAME = "tables"
NOBODY = {"ticked_by": None, "ticked_at": None}
"""Who ticked a table that is not, or no more."""

tables = sa.Table(
    "tables",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("opened_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("recorder", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("hands_planned", sa.Integer, nullable=False),
    sa.Column("hands_played", sa.Integer, nullable=False),
    sa.Column("hands_settled", sa.Integer, nullable=False),
    sa.Column("totals", sa.JSON, nullable=False),
    sa.Column("low_score", sa.BigInteger, nullable=False),
    sa.Column("is_low_score", sa.Boolean, nullable=False),
    sa.Column("room", sa.Text),
    sa.Column("floor", sa.Text),
    sa.Column("ref", sa.Text),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("closed_at", sa.BigInteger),
    sa.Column("changes", sa.JSON, nullable=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("ticked_by", sa.Text),
    sa.Column("ticked_at", sa.BigInteger),
    sa.Index("tables_by_id", "club", "generation", "table_id", unique=True),
    sa.Index("tables_of_recorder", "club", "generation", "recorder", "opened_position"),
    sa.Index("tables_of_day", "club", "generation", "day", "opened_position"),
)

table_members = sa.Table(
    "table_members",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("opened_position", sa.BigInteger, primary_key=True, autoincrement=False),
)


class TableRow(Struct, frozen=True):
    """A table in the list: `running`, or how it ended: `played`, `dissolved`, `closed`.

    `totals` are the points by seat that stand; who sits is who sits now, with the points of those
    whose seats they took over. Room, floor and ref are digests of texts. `ticked_by` is who has
    looked at the points of a match that ended and found them right 对账, as they still stand.
    """

    opened_position: int
    id: str
    ruleset: str
    seats: list[str]
    recorder: str
    status: str
    hands_planned: int
    hands_played: int
    hands_settled: int
    totals: list[int]
    low_score: int
    is_low_score: bool
    room: str | None
    floor: str | None
    ref: str | None
    opened_at: int
    closed_at: int | None
    day: str
    ticked_by: str | None = None
    ticked_at: int | None = None

    @property
    def big_winners(self) -> list[str]:
        """The big winners 大赢家 of a match that has ended: who has the most points, above 0."""
        best = max(self.totals)
        if self.closed_at is None or best <= 0:
            return []
        return [one for one, won in zip(self.seats, self.totals, strict=True) if won == best]


class Which(Struct, frozen=True):
    """Which tables: of whom, of which business days, rules, hour and status; all, if nothing is.

    A table is of the day and the hour of the club's clock in which it closed; one that runs, of
    those in which it was opened. `low_score` and `disputed` are statuses of tables that ended.
    `ticked` asks for those whose points were found right 对账, or for those that ended and wait
    for that.
    """

    member: str | None = None
    recorder: str | None = None
    span: Span = ALWAYS
    status: str | None = None
    ticked: bool | None = None


class Totals(Struct, frozen=True):
    """What the tables of a list add up to: how many there are, by what became of them, and hands.

    `low_score` are those among them whose best total stayed low, `unticked` those that ended and
    whose points nobody has found right yet.
    """

    tables: int
    running: int
    played: int
    dissolved: int
    closed: int
    low_score: int
    hands: int
    unticked: int


def _opened(connection: Connection, place: Place, row: Stored, fact: TableOpened) -> None:
    here = {**place.columns, "opened_position": row.position}
    table = {
        "table_id": row.stream.removeprefix("table/"),
        "ruleset": fact.ruleset,
        "seats": list(fact.seats),
        "recorder": fact.recorder,
        "status": "running",
        "hands_planned": fact.hands,
        "hands_played": 0,
        "hands_settled": 0,
        "totals": [0] * len(fact.seats),
        "low_score": fact.low_score,
        "is_low_score": False,
        "room": fact.room,
        "floor": fact.floor,
        "ref": fact.ref,
        "opened_at": fact.at,
        "changes": [],
        **_when(connection, place, fact.at),
    }
    connection.execute(insert(tables), {**here, **table})
    connection.execute(insert(table_members), [{**here, "member": seat} for seat in fact.seats])


def _when(connection: Connection, place: Place, at: int) -> dict[str, str | int]:
    """The business day of a moment, and the hour of the club's clock."""
    clock = clock_of(connection, place.club)
    return {"day": clock.day(at), "hour": clock.hour(at)}


def _hand_ended(connection: Connection, place: Place, row: Stored, _: HandEnded) -> None:
    one_more = {"hands_played": tables.c.hands_played + 1}
    _change(connection, place, row.stream.removeprefix("table/"), one_more)


def _hand_voided(connection: Connection, place: Place, row: Stored, fact: HandVoided) -> None:
    planned = {"hands_planned": fact.hands}
    _change(connection, place, row.stream.removeprefix("table/"), planned)


def _hand_settled(connection: Connection, place: Place, row: Stored, fact: HandSettled) -> None:
    _book(connection, place, row, fact)
    one_more = {"hands_settled": tables.c.hands_settled + 1}
    _change(connection, place, fact.table, one_more)


def _book(
    connection: Connection,
    place: Place,
    row: Stored,
    fact: HandSettled | HandReversed | HandCorrected,
) -> None:
    """Let a hand's points come to the seats that go on with those of who sat in it."""
    this = select(tables.c.totals, tables.c.changes).where(*_this(place, fact.table))
    table = connection.execute(this).one()
    won = fact.totals
    ended = settlement_of(connection, row).ended_position if table.changes else 0
    for position, lines in table.changes:
        if position > ended:
            won = tuple(won[line] for line in lines)
    totals = [old + new for old, new in zip(table.totals, won, strict=True)]
    _change(connection, place, fact.table, {"totals": totals})


def _revised(
    connection: Connection, place: Place, row: Stored, fact: HandReversed | HandCorrected
) -> None:
    """Book what was decided; whoever found the points right has looked at others."""
    _book(connection, place, row, fact)
    _change(connection, place, fact.table, NOBODY)


def _seats_changed(connection: Connection, place: Place, row: Stored, fact: SeatsChanged) -> None:
    """Who sits goes on with the points of a former seat; all who ever sat have sat there."""
    name = row.stream.removeprefix("table/")
    table = connection.execute(select(tables).where(*_this(place, name))).one()
    changed = {
        "seats": list(fact.seats),
        "totals": [table.totals[line] for line in fact.lines],
        "changes": [*table.changes, [row.position, list(fact.lines)]],
    }
    _change(connection, place, name, changed)
    sat = table_members.c.opened_position == table.opened_position
    known = select(table_members.c.member).where(*place.rows(table_members), sat)
    new = set(fact.seats).difference(connection.execute(known).scalars())
    here = {**place.columns, "opened_position": table.opened_position}
    for member in sorted(new):
        connection.execute(insert(table_members), {**here, "member": member})


def _closed(connection: Connection, place: Place, row: Stored, fact: TableClosed) -> None:
    closed = {
        "status": fact.reason,
        "closed_at": fact.at,
        **_when(connection, place, fact.at),
        "is_low_score": tables.c.low_score > max(fact.totals),
    }
    _change(connection, place, row.stream.removeprefix("table/"), closed)


def _ticked(connection: Connection, place: Place, row: Stored, fact: TableTicked) -> None:
    ticked = {"ticked_by": row.actor, "ticked_at": fact.at} if fact.ticked else NOBODY
    _change(connection, place, row.stream.removeprefix("table/"), ticked)


TABLES = Projection(
    NAME,
    (tables, table_members),
    {
        TableOpened: _opened,
        HandEnded: _hand_ended,
        HandVoided: _hand_voided,
        HandSettled: _hand_settled,
        HandReversed: _revised,
        HandCorrected: _revised,
        SeatsChanged: _seats_changed,
        TableClosed: _closed,
        TableTicked: _ticked,
    },
)

ALL = Which()
STATUSES = ("running", "played", "dissolved", "closed", "low_score", "disputed")
_ORDERS = {
    "opened": (tables.c.opened_position,),
    "hands": (tables.c.hands_played, tables.c.opened_position),
}
SORTS = tuple(_ORDERS)


def _count(what: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return func.coalesce(func.sum(sa.case((what, 1), else_=0)), 0)


_TICKED = tables.c.ticked_by.is_not(None)
_UNTICKED = tables.c.closed_at.is_not(None) & ~_TICKED
_TOTALS = (
    func.count(),
    *(_count(tables.c.status == one) for one in ("running", "played", "dissolved", "closed")),
    _count(tables.c.is_low_score),
    func.coalesce(func.sum(tables.c.hands_played), 0),
    _count(_UNTICKED),
)
_TABLE = tuple(
    column for column in tables.c if column.name not in ("club", "generation", "changes", "hour")
)


def club_tables(
    connection: Connection,
    club: str,
    page: Page = FIRST_PAGE,
    which: Which = ALL,
    *,
    sort: str = "opened",
) -> tuple[list[TableRow], bool]:
    """A page of the tables of a club, the newest first, or those with the most hands.

    Says too whether others follow.
    """
    live = live_place(connection, club, NAME)
    order = _ORDERS[sort]
    place = partial(_place_of, live, order)
    whole = _wanted(connection, live, which, *_TABLE)
    rows, more = cut(connection, whole, order, tables.c.opened_at, page, place)
    return [TableRow(*row) for row in rows], more


def every_table(connection: Connection, club: str, which: Which = ALL) -> Iterator[TableRow]:
    """The tables of a club, the one opened first at first, a part in memory at a time."""
    whole = _wanted(connection, live_place(connection, club, NAME), which, *_TABLE)
    for row in in_parts(connection, whole.order_by(tables.c.opened_position)):
        yield TableRow(*row)


def table_totals(connection: Connection, club: str, which: Which = ALL) -> Totals:
    """What the tables add up to of which a list is made."""
    live = live_place(connection, club, NAME)
    whole = _wanted(connection, live, which, *_TOTALS)
    return Totals(*connection.execute(whole).one())


def _wanted(
    connection: Connection, live: Place, which: Which, *columns: sa.ColumnElement[Any]
) -> sa.Select[Any]:
    """These columns of the tables that are asked for."""
    whole = select(*columns).where(*live.rows(tables))
    member, recorder = which.member, which.recorder
    whole = whose(whole, tables.c.opened_position, table_members, live, member, recorder)
    whole = whole.where(*which.span.within(tables))
    if which.ticked is not None:
        whole = whole.where(_TICKED if which.ticked else _UNTICKED)
    if which.status == "low_score":
        return whole.where(tables.c.is_low_score)
    if which.status == "disputed":
        return whole.where(tables.c.table_id.in_(disputes.open_tables(connection, live.club)))
    return whole if which.status is None else whole.where(tables.c.status == which.status)


def _place_of(live: Place, order: tuple[sa.Column[Any], ...], table: str) -> sa.Select[Any]:
    return select(*order).where(*_this(live, table))


def _change(connection: Connection, place: Place, table: str, to: dict[str, Any]) -> None:
    """Change the one table that an event is about; an event about none stops the projection."""
    changed = update(tables).where(*_this(place, table)).values(to)
    connection.execute(changed.returning(tables.c.table_id)).one()


def _this(place: Place, table: str) -> tuple[sa.ColumnElement[bool], ...]:
    return *place.rows(tables), tables.c.table_id == table

"""The lists of hands 牌局 and tables 牌桌: all of them, or those that are the caller's business."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from marshmallow import fields
from msgspec.structs import asdict
from sqlalchemy import Connection

from ledger import access
from ledger.access import READERS, role_missing
from ledger.api import edge, shown
from ledger.api.answers import (
    JSON,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    time_or_none,
)
from ledger.api.fields import day, digits, switch, text, word
from ledger.rules.catalog import CATALOG
from ledger.telling import time_text
from projections.api.lookup import ListQuery, reading
from projections.api.ranked import span_of
from projections.history import HISTORY, HandRow, club_hands
from projections.tables import (
    SORTS,
    STATUSES,
    TABLES,
    TableRow,
    Which,
    club_tables,
    table_totals,
)

blueprint = edge.Blueprint("lists", "The lists of hands and of tables.")


class MembersQuery(ListQuery):
    """Which of a list: of the whole club, or of a member."""

    member = text(1, 64)


class TablesQuery(MembersQuery):
    """Which tables: of a member, of days, of a ruleset, of an hour, of a status, ticked or not."""

    first = day()
    last = day()
    ruleset = word(*CATALOG)
    hour = digits(0, 23)
    status = word(*STATUSES)
    ticked = switch()


class SortedTablesQuery(TablesQuery):
    """Which tables, and what they lie in order of."""

    sort = word(*SORTS, load_default="opened")


class HandsQuery(MembersQuery):
    """Which hands: of the whole club, of a table, of a member."""

    table = text(1, 64)


class ListedWinSchema(Shown):
    """A win; patterns and value come with the settlement."""

    class Meta:
        """`from` is a word of Python's."""

        include = {"from": shown.seat(allow_none=True)}

    seat = shown.seat()
    tile = shown.tile()
    how = shown.one_of("self_draw", "discard", "rob_kong")
    patterns = fields.List(fields.String(), metadata={"optional": True})
    value = fields.Integer(metadata={"optional": True})


class ListedHandSchema(Shown):
    """A hand in the list; its points and wins are those that stand."""

    object = shown.the("hand")
    id = shown.hand_id()
    created_at = fields.DateTime()
    table = shown.id_of("tbl")
    number = shown.within(1)
    ruleset = fields.String()
    dealer = shown.seat()
    seats = shown.by_seat(shown.id_of("mem"))
    recorder = shown.id_of("key")
    state = shown.one_of("running", "ended", "settled", "voided")
    end = shown.one_of("win", "exhausted", "dissolved", "void", "unknown", allow_none=True)
    entered = shown.one_of("outcome", "totals", allow_none=True)
    wins = fields.List(fields.Nested(ListedWinSchema))
    totals = shown.by_seat(fields.Integer(), allow_none=True)
    started_at = fields.DateTime()
    ended_at = fields.DateTime(allow_none=True)
    settled_at = fields.DateTime(allow_none=True)
    effective_date = fields.Date(allow_none=True)
    booked_date = fields.Date(allow_none=True)
    started_position = shown.within(1)
    ended_position = shown.within(1, allow_none=True)
    settled_position = shown.within(1, allow_none=True)
    revision = shown.within(1, allow_none=True)
    revised_by = shown.id_of("dsp", allow_none=True)
    disputed = fields.Boolean()


HandList = list_of(ListedHandSchema, "HandList")


class ListedTableSchema(Shown):
    """A table in the list; `totals` are the points by seat that stand."""

    object = shown.the("table")
    id = shown.id_of("tbl")
    created_at = fields.DateTime()
    ruleset = fields.String()
    seats = shown.by_seat(shown.id_of("mem"))
    recorder = shown.id_of("key")
    room = fields.String(allow_none=True)
    floor = fields.String(allow_none=True)
    ref = fields.String(allow_none=True)
    status = shown.one_of("running", "played", "dissolved", "closed")
    hands_planned = shown.within(1)
    hands_played = shown.within(0)
    hands_settled = shown.within(0)
    totals = shown.by_seat(fields.Integer())
    low_score = fields.Boolean()
    opened_at = fields.DateTime()
    closed_at = fields.DateTime(allow_none=True)
    business_date = fields.Date()
    big_winners = fields.List(shown.id_of("mem"))
    ticked_by = fields.String(allow_none=True)
    ticked_at = fields.DateTime(allow_none=True)
    opened_position = shown.within(1)


TableList = list_of(ListedTableSchema, "TableList")


class TableTotalsSchema(Shown):
    """What the tables of a list add up to."""

    object = shown.the("table_totals")
    tables = shown.within(0)
    running = shown.within(0)
    played = shown.within(0)
    dissolved = shown.within(0)
    closed = shown.within(0)
    low_score = shown.within(0)
    hands = shown.within(0)
    unticked = shown.within(0)


@blueprint.route("/clubs/<id:club>/hands")
@edge.open_to(*READERS, "recorder", "member")
@blueprint.arguments(HandsQuery, location="query")
@blueprint.response(200, HandList)
def list_hands(query: JSON, club: str) -> Response:
    """The hands of the club, the newest first."""
    whose = _whose(query)
    with reading(HISTORY, club, query) as connection:
        rows, more = club_hands(connection, club, page_of(query), table=query.get("table"), **whose)
    return page_answer([_hand(row) for row in rows], more, query)


@blueprint.route("/clubs/<id:club>/tables")
@edge.open_to(*READERS, "recorder", "member")
@blueprint.arguments(SortedTablesQuery, location="query")
@blueprint.response(200, TableList)
def list_tables(query: JSON, club: str) -> Response:
    """The tables of the club, the newest first, or those with the most hands."""
    which = _which(query)
    with reading(TABLES, club, query) as connection:
        rows, more = club_tables(connection, club, page_of(query), which, sort=query["sort"])
        told = [_table(row, _reader(connection, club)) for row in rows]
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/tables/totals")
@edge.open_to(*READERS, "recorder", "member")
@blueprint.arguments(TablesQuery, location="query")
@blueprint.response(200, TableTotalsSchema)
def total_tables(query: JSON, club: str) -> Response:
    """What all the tables of such a list add up to."""
    which = _which(query)
    with reading(TABLES, club, query) as connection:
        totals = table_totals(connection, club, which)
    return answer({"object": "table_totals", **asdict(totals)})


def _which(query: JSON) -> Which:
    """The tables that are asked for, of those that are the caller's business."""
    mine, span = _whose(query), span_of(query)
    status, ticked = query.get("status"), query.get("ticked")
    return Which(mine.get("member"), mine.get("recorder"), span, status, ticked)


def _whose(query: JSON) -> dict[str, str | None]:
    """Whose hands and tables are shown: a recorder's own, a member's own, or as it is asked.

    A key that is both is shown what it records, and the member's own when it asks for them.
    """
    caller, asked = edge.caller(), _member(query)
    if caller.has(*READERS):
        return {"member": asked}
    if caller.has("recorder") and asked is None:
        return {"recorder": caller.actor}
    if caller.member is not None and asked in (None, caller.member):
        return {"member": caller.member}
    if caller.has("recorder"):
        return {"recorder": caller.actor, "member": asked}
    raise role_missing(READERS)


def _member(query: JSON) -> str | None:
    """The member whose hands or tables are asked for, by id or by code."""
    if "member" not in query:
        return None
    with edge.ledger().database.read() as connection:
        return edge.member_id(connection, edge.club(), query["member"])


def _hand(row: HandRow) -> JSON:
    return {
        "object": "hand",
        "id": row.id,
        "created_at": time_text(row.started_at),
        "table": row.table,
        "number": row.number,
        "ruleset": row.ruleset,
        "dealer": row.dealer,
        "seats": row.seats,
        "recorder": row.recorder,
        "state": row.state,
        "end": row.end,
        "entered": row.entered,
        "wins": row.wins,
        "totals": row.totals,
        "started_at": time_text(row.started_at),
        "ended_at": time_or_none(row.ended_at),
        "settled_at": time_or_none(row.settled_at),
        "effective_date": row.effective_date,
        "booked_date": row.booked_date,
        "started_position": row.started_position,
        "ended_position": row.ended_position,
        "settled_position": row.settled_position,
        "revision": row.revision,
        "revised_by": row.revised_by,
        "disputed": row.disputed,
    }


def _reader(connection: Connection, club: str) -> Callable[[str | None], str | None]:
    """Reads the text behind a digest, where there is one."""
    return lambda digest: None if digest is None else access.find_text(connection, club, digest)


def _table(row: TableRow, read: Callable[[str | None], str | None]) -> JSON:
    return {
        "object": "table",
        "id": row.id,
        "created_at": time_text(row.opened_at),
        "ruleset": row.ruleset,
        "seats": row.seats,
        "recorder": row.recorder,
        "room": read(row.room),
        "floor": read(row.floor),
        "ref": read(row.ref),
        "status": row.status,
        "hands_planned": row.hands_planned,
        "hands_played": row.hands_played,
        "hands_settled": row.hands_settled,
        "totals": row.totals,
        "low_score": row.is_low_score,
        "opened_at": time_text(row.opened_at),
        "closed_at": time_or_none(row.closed_at),
        "business_date": row.day,
        "big_winners": row.big_winners,
        "ticked_by": row.ticked_by,
        "ticked_at": time_or_none(row.ticked_at),
        "opened_position": row.opened_position,
    }

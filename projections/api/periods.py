"""Closings 结账 as they were made, each with the balances that it tells; his own to each."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import READERS
from ledger.api import edge, shown
from ledger.api import periods as told
from ledger.api.answers import (
    JSON,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    tagged,
    time_or_none,
)
from ledger.api.fields import word
from ledger.api.members import CODE
from ledger.api.periods import WORDS, PeriodSchema
from ledger.telling import time_text
from projections.api.lookup import ListQuery, reading
from projections.periods import PERIODS, ClosingBalance, balances_of, closing_balance, club_periods

blueprint = edge.Blueprint("period_lists", "Closings of the books as they were made.")


class BalancesQuery(ListQuery):
    """Which balances of a closing: those with one word of their members."""

    word = word(*WORDS)


class ClosingBalanceSchema(Shown):
    """What a closing says that a member has, and what he said to that."""

    object = shown.the("closing_balance")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()
    points = fields.Integer()
    word = shown.one_of(*WORDS)
    said_by = fields.String(allow_none=True)
    said_at = fields.DateTime(allow_none=True)
    note = fields.String(allow_none=True)


PeriodList = list_of(PeriodSchema, "PeriodList")
ClosingBalanceList = list_of(ClosingBalanceSchema, "ClosingBalanceList")


@blueprint.route("/clubs/<id:club>/periods")
@edge.open_to(*READERS, "member")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, PeriodList)
def list_periods(query: JSON, club: str) -> Response:
    """The closings of the club, the newest first."""
    with reading(PERIODS, club, query) as connection:
        rows, more = club_periods(connection, club, page_of(query))
        found = told.read(connection, club)
        data = [told.tell(connection, club, told.find(found, row.number)) for row in rows]
    return page_answer(data, more, query)


@blueprint.route("/clubs/<id:club>/periods/<number:number>")
@edge.open_to(*READERS, "member")
@blueprint.response(200, PeriodSchema, headers={"ETag": "ETag"})
def get_period(club: str, number: int) -> Response:
    """A closing, with the version of all of them as ETag."""
    with edge.ledger().database.read() as connection:
        found = told.tell(connection, club, told.find(told.read(connection, club), number))
    return tagged(answer(found), found["version"])


@blueprint.route("/clubs/<id:club>/periods/<number:number>/balances")
@edge.open_to(*READERS, "member")
@blueprint.arguments(BalancesQuery, location="query")
@blueprint.response(200, ClosingBalanceList)
def list_closing_balances(query: JSON, club: str, number: int) -> Response:
    """The balances that a closing tells, and what members said to theirs; to a member his own."""
    caller, said = edge.caller(), query.get("word")
    with reading(PERIODS, club, query) as connection:
        made = told.find(told.read(connection, club), number)
        if caller.has(*READERS):
            rows, more = balances_of(connection, club, number, page_of(query), word=said)
        else:
            own = closing_balance(connection, club, number, caller.member or "")
            rows, more = [own] if own and said in (None, own.word) else [], False
        data = _told(connection, club, made.fact.at, rows)
    return page_answer(data, more, query)


def _told(connection: Connection, club: str, at: int, rows: Sequence[ClosingBalance]) -> list[JSON]:
    """Balances of a closing with the codes and names of their members."""
    people = access.find_members(connection, club, tuple(row.member for row in rows))
    return [
        {
            "object": "closing_balance",
            "id": row.member,
            "created_at": time_text(at),
            "code": people[row.member].code,
            "name": people[row.member].name,
            "points": row.points,
            "word": row.word,
            "said_by": row.said_by,
            "said_at": time_or_none(row.said_at),
            "note": row.note and access.find_text(connection, club, row.note),
        }
        for row in rows
    ]

"""Balances 余额 and entries 流水: for those who run the club, and for each member his own."""

from __future__ import annotations

import marshmallow
from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import READERS
from ledger.api import edge
from ledger.api.answers import JSON, list_of, time_text
from ledger.refusal import Refused
from projections.api.lookup import ListQuery, page_answer, page_of, reading
from projections.balances import BALANCES, Balance, Entry, club_balances, member_entries
from projections.balances import balance as balance_of

blueprint = edge.Blueprint("books", "Balances and entries: what each member has, and why.")


class BalanceSchema(marshmallow.Schema):
    """A member's points: a score, without cash value."""

    object = fields.Constant("balance")
    id = fields.String(metadata={"description": "The member's id."})
    created_at = fields.DateTime(metadata={"description": "When the member joined."})
    code = fields.String()
    name = fields.String()
    points = fields.Integer()
    hands = fields.Integer()
    last_hand = fields.String(allow_none=True)


BalanceList = list_of(BalanceSchema, "BalanceList")


class CounterpartySchema(marshmallow.Schema):
    """What came from another member; below zero it went there."""

    member = fields.String()
    points = fields.Integer()


class EntrySchema(marshmallow.Schema):
    """A line of a member's statement."""

    object = fields.Constant("entry")
    id = fields.String()
    created_at = fields.DateTime()
    kind = fields.String()
    member = fields.String()
    table = fields.String()
    hand = fields.String()
    points = fields.Integer()
    balance_after = fields.Integer()
    counterparties = fields.List(fields.Nested(CounterpartySchema))
    occurred_at = fields.DateTime()
    effective_date = fields.Date()
    booked_date = fields.Date()
    booked_at = fields.DateTime()
    position = fields.Integer()


EntryList = list_of(EntrySchema, "EntryList")


@blueprint.route("/clubs/<id:club>/balances")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, BalanceList)
def list_balances(query: JSON, club: str) -> Response:
    """The balances of the club in the order of joining; to a member his own alone."""
    caller = edge.caller()
    with reading(BALANCES, club, query) as connection:
        if caller.has(*READERS):
            rows, more = club_balances(connection, club, page_of(query))
        elif caller.member is not None:
            own = balance_of(connection, club, caller.member)
            rows, more = [own] if own else [], False
        else:
            raise Refused("role_missing", role=" / ".join((*READERS, "member")))
        told = _told(connection, club, rows)
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/members/<id:member>/entries")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, EntryList)
def list_entries(query: JSON, club: str, member: str) -> Response:
    """A member's entries, the newest first."""
    if edge.caller().member != member:
        edge.require(*READERS)
    with reading(BALANCES, club, query) as connection:
        if member not in access.find_members(connection, club, (member,)):
            raise Refused("member_unknown", member=member)
        rows, more = member_entries(connection, club, member, page_of(query))
    return page_answer([_entry(member, row) for row in rows], more, query)


def _told(connection: Connection, club: str, rows: list[Balance]) -> list[JSON]:
    """Balances with the codes and names of their members."""
    people = access.find_members(connection, club, tuple(row.member for row in rows))
    return [
        {
            "object": "balance",
            "id": row.member,
            "created_at": time_text(people[row.member].created_at),
            "code": people[row.member].code,
            "name": people[row.member].name,
            "points": row.points,
            "hands": row.hands,
            "last_hand": row.last_hand,
        }
        for row in rows
    ]


def _entry(member: str, row: Entry) -> JSON:
    return {
        "object": "entry",
        "id": row.id,
        "created_at": time_text(row.booked_at),
        "kind": row.kind,
        "member": member,
        "table": row.table,
        "hand": f"{row.table}-{row.number}",
        "points": row.points,
        "balance_after": row.balance_after,
        "counterparties": row.counterparties,
        "occurred_at": time_text(row.occurred_at),
        "effective_date": row.effective_date,
        "booked_date": row.booked_date,
        "booked_at": time_text(row.booked_at),
        "position": row.position,
    }

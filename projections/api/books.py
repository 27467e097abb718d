"""Balances 余额 and entries 流水: for those who run the club, and for each member his own."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import BOOKS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, list_of, page_answer, page_of, time_text
from ledger.api.members import CODE
from ledger.refusal import Refused
from projections.api.lookup import ListQuery, reading
from projections.balances import BALANCES, Balance, Entry, club_balances, member_entries
from projections.balances import balance as balance_of

blueprint = edge.Blueprint("books", "Balances and entries: what each member has, and why.")


class BalanceSchema(Shown):
    """A member's points: a score, without cash value."""

    object = shown.the("balance")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()
    points = fields.Integer()
    hands = shown.within(0)
    last_hand = shown.hand_id(allow_none=True)


BalanceList = list_of(BalanceSchema, "BalanceList")


class CounterpartySchema(Shown):
    """What came from another member; below zero it went there."""

    member = shown.id_of("mem")
    points = fields.Integer()


class EntrySchema(Shown):
    """A line of a member's statement."""

    object = shown.the("entry")
    id = shown.shaped("jrn_[1-9][0-9]*")
    created_at = fields.DateTime()
    kind = shown.one_of("settlement")
    member = shown.id_of("mem")
    table = shown.id_of("tbl")
    hand = shown.hand_id()
    points = fields.Integer()
    balance_after = fields.Integer()
    counterparties = fields.List(fields.Nested(CounterpartySchema))
    occurred_at = fields.DateTime()
    effective_date = fields.Date()
    booked_date = fields.Date()
    booked_at = fields.DateTime()
    position = shown.within(1)


EntryList = list_of(EntrySchema, "EntryList")


@blueprint.route("/clubs/<id:club>/balances")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, BalanceList)
def list_balances(query: JSON, club: str) -> Response:
    """The balances of the club in the order of joining; to a member his own alone."""
    caller = edge.caller()
    with reading(BALANCES, club, query) as connection:
        if caller.has(*BOOKS):
            rows, more = club_balances(connection, club, page_of(query))
        else:
            own = balance_of(connection, club, caller.member or "")
            rows, more = [own] if own else [], False
        told = _told(connection, club, rows)
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/members/<member:member>/entries")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, EntryList)
def list_entries(query: JSON, club: str, member: str) -> Response:
    """A member's entries, the newest first."""
    edge.require_own(member, *BOOKS)
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

"""Balances 余额, now and at any time, and accounts: for those who run the club; his own to each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import BOOKS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, list_of, page_answer, page_of
from ledger.api.fields import QueryInvalid, day, digits, moment
from ledger.api.members import CODE
from ledger.telling import time_text
from projections import balances as has
from projections.api.lookup import ListQuery, reading
from projections.balances import Account, Balance, Points, When
from projections.journal import ISSUED, JOURNAL

blueprint = edge.Blueprint("books", "The books: what each member has.")

ACCOUNT = f"mem_[0-9a-z]+|{ISSUED}"
TIMES = {
    "at_position": has.as_of,
    "at": has.as_of_moment,
    "known_on": has.as_known,
    "true_on": has.as_true,
}
"""The times at which balances may be asked for, of which a query names one."""


class BalancesQuery(ListQuery):
    """Of which time: now; as of a position or a moment; as known or as true on a day."""

    at_position = digits(1)
    at = moment()
    known_on = day()
    true_on = day()


class PointsSchema(Shown):
    """A member's points at another time than now."""

    object = shown.the("balance")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()
    points = fields.Integer()


class BalanceSchema(PointsSchema):
    """A member's points: a score, without cash value."""

    version = shown.within(0)
    hands = shown.within(0)
    last_hand = shown.hand_id(allow_none=True)
    disputed = fields.Integer()


BalanceList = list_of(BalanceSchema, "BalanceList", PointsSchema)


class AccountSchema(Shown):
    """An account of the journal: a member's, or that of the points which the club has issued."""

    object = shown.the("account")
    id = shown.shaped(ACCOUNT)
    created_at = fields.DateTime()
    name = fields.String()
    code = shown.shaped(CODE, allow_none=True)
    points = fields.Integer()
    version = shown.within(0)


class AccountListSchema(Shown):
    """A page of accounts, with the sum over all of the club's."""

    object = shown.the("list")
    sum = fields.Integer()
    data = fields.List(fields.Nested(AccountSchema))
    has_more = fields.Boolean()
    url = fields.String()


@blueprint.route("/clubs/<id:club>/balances")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(BalancesQuery, location="query")
@blueprint.response(200, BalanceList)
def list_balances(query: JSON, club: str) -> Response:
    """The balances of the club in the order of joining; to a member his own alone.

    As of a position or a moment they are what stood then, whatever came later; as known on a day
    what was booked by its end, as true what counts by its end, corrections since included.
    """
    when = _when(query)
    with reading(JOURNAL, club, query) as connection:
        rows, more = _balances(connection, club, query, when)
        data = _with_names(connection, club, rows)
    return page_answer(data, more, query)


@blueprint.route("/clubs/<id:club>/accounts")
@edge.open_to(*BOOKS)
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, AccountListSchema)
def list_accounts(query: JSON, club: str) -> Response:
    """The accounts of the club: first of the points issued, then of the members as they joined."""
    with reading(JOURNAL, club, query) as connection:
        rows, more = has.club_accounts(connection, club, page_of(query))
        total = has.sum_of_all(connection, club)
    return page_answer([_account(row) for row in rows], more, query, sum=total)


def _when(query: JSON) -> When | None:
    """The time that a query asks for, if it is not now; a position that must be reached first."""
    asked = [name for name in TIMES if name in query]
    if len(asked) > 1:
        excluded = f"parameters_exclude allowed={', '.join(TIMES)}"
        raise QueryInvalid({name: [excluded] for name in asked})
    if "at_position" in query:
        query["min_position"] = max(query["min_position"], query["at_position"])
    return TIMES[asked[0]](query[asked[0]]) if asked else None


def _balances(
    connection: Connection, club: str, query: JSON, when: When | None
) -> tuple[list[Any], bool]:
    """The balances that the caller may see."""
    caller = edge.caller()
    if not caller.has(*BOOKS):
        own = has.balance(connection, club, caller.member or "")
        if own is not None and when is not None:
            return [Points(own.member, has.points(connection, club, own.member, when))], False
        return [own] if own else [], False
    if when is None:
        return has.club_balances(connection, club, page_of(query))
    return has.club_points(connection, club, when, page_of(query))


def _with_names(connection: Connection, club: str, rows: Iterable[Balance | Points]) -> list[JSON]:
    """Balances with the codes and names of their members."""
    people = access.find_members(connection, club, tuple(row.member for row in rows))
    return [
        {
            "object": "balance",
            "id": row.member,
            "created_at": time_text(people[row.member].created_at),
            "code": people[row.member].code,
            "name": people[row.member].name,
            **{name: getattr(row, name) for name in row.__struct_fields__ if name != "member"},
        }
        for row in rows
    ]


def _account(row: Account) -> JSON:
    return {
        "object": "account",
        "id": row.account,
        "created_at": time_text(row.opened_at),
        "name": row.name,
        "code": row.code,
        "points": row.points,
        "version": row.version,
    }

"""Allowances 上下分 as they were asked for: all of them, or those with a line of the caller's."""

from __future__ import annotations

from flask import Response
from sqlalchemy import Connection

from ledger.access import BOOKS
from ledger.api import allowances as told
from ledger.api import edge
from ledger.api.allowances import STATES, AllowanceSchema
from ledger.api.answers import JSON, answer, list_of, page_answer, page_of, tagged
from ledger.api.fields import text, word
from ledger.refusal import Refused
from projections.allowances import ALLOWANCES, club_allowances
from projections.api.lookup import ListQuery, reading
from projections.statement import after_entry

blueprint = edge.Blueprint("allowance_lists", "Allowances as they were asked for and booked.")


class AllowancesQuery(ListQuery):
    """Which allowances: those in a state, those with a line of a member."""

    state = word(*STATES)
    member = text(1, 64)


AllowanceList = list_of(AllowanceSchema, "AllowanceList")


@blueprint.route("/clubs/<id:club>/allowances")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(AllowancesQuery, location="query")
@blueprint.response(200, AllowanceList)
def list_allowances(query: JSON, club: str) -> Response:
    """The allowances of the club, the newest first; to a member those with a line of his own."""
    own, state = _own(), query.get("state")
    with reading(ALLOWANCES, club, query) as connection:
        member = own
        if "member" in query:
            member = edge.member_id(connection, club, query["member"])
            edge.require_own(member, *BOOKS)
        rows, more = club_allowances(connection, club, page_of(query), state=state, member=member)
        data = [_told(connection, club, row.id, own) for row in rows]
    return page_answer(data, more, query)


@blueprint.route("/clubs/<id:club>/allowances/<id:allowance>")
@edge.open_to(*BOOKS, "member")
@blueprint.response(200, AllowanceSchema, headers={"ETag": "ETag"})
def get_allowance(club: str, allowance: str) -> Response:
    """An allowance, with its version as ETag; to a member his own line of it."""
    own = _own()
    with edge.ledger().database.read() as connection:
        found = _told(connection, club, allowance, own)
    if own is not None and not found["lines"]:
        raise Refused("allowance_unknown")
    return tagged(answer(found), found["version"])


def _own() -> str | None:
    """The member to whom his own lines alone are shown."""
    caller = edge.caller()
    return None if caller.has(*BOOKS) else caller.member or ""


def _told(connection: Connection, club: str, allowance: str, own: str | None) -> JSON:
    found = told.course(connection, club, allowance)
    posted = found.posted_at
    left = {} if posted is None else after_entry(connection, club, posted)
    return told.tell(connection, found, left, own)

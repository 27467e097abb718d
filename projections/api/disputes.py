"""The list of disputes 争议: all of the club's, or those of hands in which the caller sat."""

from __future__ import annotations

from flask import Response
from sqlalchemy import Connection

from ledger import store
from ledger.access import READERS
from ledger.api import edge
from ledger.api.answers import JSON, list_of, page_answer, page_of
from ledger.api.disputed import STATES, Course, DisputeSchema, told
from ledger.api.fields import switch, text, word
from projections.api.lookup import ListQuery, reading, whose_member
from projections.disputes import DISPUTES, NAME, club_disputes
from projections.projection import position

blueprint = edge.Blueprint("dispute_list", "The list of disputes.")


class DisputesQuery(ListQuery):
    """Which disputes: in a state, of a member, of a table, of those that somebody must decide."""

    state = word(*STATES)
    member = text(1, 64)
    table = text(1, 64)
    open = switch()


DisputeList = list_of(DisputeSchema, "DisputeList")


@blueprint.route("/clubs/<id:club>/disputes")
@edge.open_to(*READERS, "member")
@blueprint.arguments(DisputesQuery, location="query")
@blueprint.response(200, DisputeList)
def list_disputes(query: JSON, club: str) -> Response:
    """The disputes of the club, the newest first; to a member those of hands in which he sat."""
    wanted = {name: query.get(name) for name in ("state", "table", "open")}
    now = edge.ledger().clock()
    with reading(DISPUTES, club, query) as connection:
        member = whose_member(connection, club, query)
        rows, more = club_disputes(connection, club, page_of(query), member=member, **wanted)
        shown = position(connection, club, NAME)
        data = [told(_as_shown(connection, club, row.id, shown), now) for row in rows]
    return page_answer(data, more, query)


def _as_shown(connection: Connection, club: str, dispute: str, upto: int) -> Course:
    """A dispute as it was where the list has come to, whatever has happened since."""
    version = store.stream_version(connection, club, f"dispute/{dispute}", upto)
    return Course(connection, club, dispute, version)

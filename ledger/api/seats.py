"""Seats 座位 and the end of a match: who sits where, who wished to end it, and that it ended."""

from __future__ import annotations

from flask import Response

from ledger import acts
from ledger.api import edge
from ledger.api.answers import JSON
from ledger.api.fields import Body, each, matching, moment, nested, text, whole, word
from ledger.api.keys import MEMBER
from ledger.api.tables import RecordedSchema, recorded
from ledger.api.writing import writes
from ledger.events import Vote
from ledger.names import LONGEST_NAME
from ledger.streams.table import ChangeSeats, CloseTable, Dissolve, KeepPlaying, Wish
from ledger.streams.votes import ANSWERS, LONGEST_VOTE

blueprint = edge.Blueprint("seats", "Seats at a table, and how its match ends.")


class EndTableBody(Body):
    """Why and when a match ends."""

    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)
    at = moment(load_default=None)


class VoteBody(Body):
    """What a seat said to a wish to dissolve, and how long it took."""

    seat = whole(0, 3, required=True)
    answer = word(*ANSWERS, required=True)
    seconds = whole(0, LONGEST_VOTE, required=True)


class WishBody(Body):
    """Whose wish it is to dissolve, and what the others said to it."""

    seat = whole(0, 3, required=True)
    votes = each(nested(VoteBody), 0, 3, load_default=list)


class DissolveBody(EndTableBody):
    """Why and when a match is dissolved, and whose wish it was; nobody's where others ended it."""

    wish = nested(WishBody, load_default=None, allow_none=True)


class KeepPlayingBody(Body):
    """A wish to dissolve that came to nothing, and when."""

    wish = nested(WishBody, required=True)
    at = moment(load_default=None)


class SeatsBody(Body):
    """Who sits where from the next hand on, and when that was said."""

    seats = each(matching(MEMBER, "member_form"), 2, 4, required=True)
    at = moment(load_default=None)


@blueprint.route("/tables/<id:table>/dissolve", methods=["POST"])
@writes(Dissolve, version="optional")
@blueprint.arguments(DissolveBody)
@blueprint.response(200, RecordedSchema, headers={"ETag": "ETag"})
def dissolve(body: JSON, table: str) -> Response:
    """End a match at once, in the middle of a hand too; `wish` tells who asked and who agreed."""
    return _end(table, {**body, "wish": _wish(body["wish"])}, dissolve=True)


@blueprint.route("/tables/<id:table>/votes", methods=["POST"])
@writes(KeepPlaying, version="optional")
@blueprint.arguments(KeepPlayingBody)
@blueprint.response(201, RecordedSchema, headers={"ETag": "ETag"})
def keep_playing(body: JSON, table: str) -> Response:
    """Tell of a wish to dissolve that came to nothing; the match goes on."""
    wish = _wish(body["wish"])
    assert wish is not None
    return recorded(acts.on_table(edge.desk(), table, (KeepPlaying(wish, body["at"]),)), 201)


@blueprint.route("/tables/<id:table>/seats", methods=["POST"])
@writes(ChangeSeats, version="optional")
@blueprint.arguments(SeatsBody)
@blueprint.response(200, RecordedSchema, headers={"ETag": "ETag"})
def change_seats(body: JSON, table: str) -> Response:
    """Let members change seats between two hands 换座, or another one take a seat over 换人."""
    done = acts.change_seats(edge.desk(), table, tuple(body["seats"]), body["at"])
    return recorded(done, 200)


@blueprint.route("/tables/<id:table>/close", methods=["POST"])
@writes(CloseTable, version="optional")
@blueprint.arguments(EndTableBody)
@blueprint.response(200, RecordedSchema, headers={"ETag": "ETag"})
def close(body: JSON, table: str) -> Response:
    """End a match between two hands."""
    return _end(table, body, dissolve=False)


def _end(table: str, body: JSON, dissolve: bool) -> Response:
    done = acts.end_table(edge.desk(), table, dissolve=dissolve, **body)
    return recorded(done, 200)


def _wish(told: JSON | None) -> Wish | None:
    if told is None:
        return None
    return Wish(told["seat"], tuple(Vote(**vote) for vote in told["votes"]))

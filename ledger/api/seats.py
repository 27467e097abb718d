"""Seats 座位 and the end of a match: who sits where, who wished to end it, and what came then.

When it has ended, its points are looked at and ticked 对账.
"""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger import acts, codec, store, ticking
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, answer, tagged
from ledger.api.fields import Body, each, flag, matching, moment, nested, text, whole, word
from ledger.api.keys import MEMBER
from ledger.api.tables import RecordedSchema, recorded
from ledger.api.writing import writes
from ledger.events import TableTicked, Vote
from ledger.names import LONGEST_NAME
from ledger.store import Stored
from ledger.streams.table import ChangeSeats, CloseTable, Dissolve, KeepPlaying, Tick, Wish
from ledger.streams.votes import ANSWERS, LONGEST_VOTE
from ledger.telling import time_text

blueprint = edge.Blueprint(
    "seats", "Seats at a table, how its match ends, and that it was checked."
)


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


class TickBody(Body):
    """Whether the points of a match that has ended are right, and what one held them against."""

    ticked = flag(required=True)
    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class TickSchema(Shown):
    """Who has found the points of a match right, and when; null where it is not ticked."""

    object = shown.the("tick")
    table = shown.id_of("tbl")
    ticked = fields.Boolean()
    ticked_by = fields.String(allow_none=True)
    ticked_at = fields.DateTime(allow_none=True)
    version = shown.within(1)
    position = shown.within(1)


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


@blueprint.route("/tables/<id:table>/tick", methods=["POST"])
@writes(Tick, version="optional")
@blueprint.arguments(TickBody)
@blueprint.response(200, TickSchema, headers={"ETag": "ETag"})
def tick_table(body: JSON, table: str) -> Response:
    """Say that the points of a match that has ended are right 对账, or take that back."""
    done = ticking.tick(edge.desk(), table, **body)
    version = done.version
    with edge.ledger().database.read() as connection:
        (row,) = store.read_stream(
            connection, done.club, done.stream, after=version - 1, upto=version
        )
    ticked = body["ticked"]
    told = {
        "object": "tick",
        "table": table,
        "ticked": ticked,
        "ticked_by": row.actor if ticked else None,
        "ticked_at": _ticked_at(row) if ticked else None,
        "version": version,
        "position": row.position,
    }
    return tagged(answer(told, replayed=done.replayed), version)


def _ticked_at(row: Stored) -> str:
    """When a match was ticked, by the last of its events: behind its end there are ticks alone."""
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, TableTicked)
    return time_text(fact.at)


def _end(table: str, body: JSON, dissolve: bool) -> Response:
    done = acts.end_table(edge.desk(), table, dissolve=dissolve, **body)
    return recorded(done, 200)


def _wish(told: JSON | None) -> Wish | None:
    if told is None:
        return None
    return Wish(told["seat"], tuple(Vote(**vote) for vote in told["votes"]))

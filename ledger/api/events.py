"""A club's log as its reader may see it: as a list, and as a stream of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import marshmallow
import msgspec
from flask import Response, request
from marshmallow import fields
from sqlalchemy import Connection

from ledger import sight, store
from ledger.access import Caller
from ledger.api import edge
from ledger.api.answers import JSON, LONGEST_PAGE, USUAL_PAGE, list_of, listed, time_text
from ledger.api.fields import Body, digits
from ledger.perform import Ledger
from ledger.sight import Seen
from ledger.store import Stored

blueprint = edge.Blueprint("events", "Events of a club, each chained to the one before it.")

LINES = "application/x-ndjson"
LINES_AT_ONCE = 200


class EventsQuery(Body):
    """Which events: those after a position."""

    after = digits(0, load_default=0)
    limit = digits(1, load_default=None)


class SlotSchema(marshmallow.Schema):
    """A part of an event for one audience; the part is there for who may see it."""

    audience = fields.String()
    digest = fields.String()
    part = fields.Dict()


class EventSchema(marshmallow.Schema):
    """An event. Of one that is not the reader's business only the links of the chain are told.

    `public` and `part`, encoded without spaces in the order they come, are the bytes that
    were hashed.
    """

    object = fields.Constant("event")
    id = fields.String(required=True)
    position = fields.Integer(required=True)
    stream = fields.String()
    version = fields.Integer()
    type = fields.String()
    recorded_at = fields.DateTime()
    occurred_at = fields.DateTime()
    actor = fields.String()
    role = fields.String()
    command = fields.String()
    public = fields.Dict()
    slots = fields.List(fields.Nested(SlotSchema))
    leaf = fields.String(required=True)
    hash = fields.String(required=True)


EventList = list_of(EventSchema, "EventList")


@blueprint.route("/clubs/<id:club>/events")
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, EventList)
@blueprint.alt_response(
    200, schema=EventSchema, content_type=LINES, description="An event a line, to the log's end"
)
def list_events(query: JSON, club: str) -> Response:
    """The events of the club after a position, in order."""
    if request.accept_mimetypes.best_match(["application/json", LINES]) == LINES:
        return _lines(query, club)
    limit = min(query["limit"] or USUAL_PAGE, LONGEST_PAGE)
    with edge.ledger().database.read() as connection:
        shown = _page(connection, edge.caller(), club, query["after"], limit + 1)
    page = shown[:limit]
    after = page[-1]["position"] if page else 0
    return listed(page, len(shown) > limit, after=after, limit=limit)


def told(seen: Seen) -> JSON:
    """An event as its reader may see it."""
    row = seen.stored
    fact = seen.event.fact
    occurred_at = getattr(fact, "at", getattr(fact, "ended_at", None))
    return {
        **_name(row),
        "stream": row.stream,
        "version": row.version,
        "type": row.type,
        "recorded_at": time_text(row.recorded_at),
        **({} if occurred_at is None else {"occurred_at": time_text(occurred_at)}),
        "actor": row.actor,
        "role": row.role,
        "command": row.command.hex(),
        "public": msgspec.Raw(row.public),
        "slots": [_slot(seen, audience) for audience in range(len(row.slots))],
        **_link(row),
    }


def _name(row: Stored) -> JSON:
    return {"object": "event", "id": f"evt_{row.position}", "position": row.position}


def _link(row: Stored) -> JSON:
    """What holds the chain together; with its name, all that everybody in the club may know."""
    return {"leaf": row.leaf.hex(), "hash": row.hash.hex()}


def _slot(seen: Seen, audience: int) -> JSON:
    table = audience == len(seen.slots) - 1
    slot: JSON = {
        "audience": "table" if table else f"seat {audience}",
        "digest": seen.stored.digests[audience].hex(),
    }
    part = seen.slots[audience]
    return slot if part is None else {**slot, "part": msgspec.Raw(part)}


def _page(
    connection: Connection, caller: Caller, club: str, after: int, limit: int
) -> Sequence[JSON]:
    rows = store.read_log(connection, club, after, limit)
    seen = sight.see_log(connection, caller, rows)
    return [
        told(one) if one else {**_name(row), **_link(row)}
        for row, one in zip(rows, seen, strict=True)
    ]


def _lines(query: JSON, club: str) -> Response:
    """The remainder of the log as it stands now."""
    ledger, caller = edge.ledger(), edge.caller()
    with ledger.database.read() as connection:
        head = store.head(connection, club)
    after, end = query["after"], head.position if head else 0
    if query["limit"] is not None:
        end = min(end, after + query["limit"])
    response = Response(_written(ledger, caller, club, after, end), mimetype=LINES)
    response.headers["Cache-Control"] = "no-store"
    return response


def _written(ledger: Ledger, caller: Caller, club: str, after: int, end: int) -> Iterator[bytes]:
    """Events line by line; no connection is held while the reader takes his time."""
    encoder = msgspec.json.Encoder()
    while after < end:
        with ledger.database.read() as connection:
            page = _page(connection, caller, club, after, min(LINES_AT_ONCE, end - after))
        yield encoder.encode_lines(page)
        after = page[-1]["position"]

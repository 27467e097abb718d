"""A club's log as its reader may see it: as a list, and as a stream of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import Response, request
from sqlalchemy import Connection

from ledger import sight, store
from ledger.access import Caller
from ledger.api import edge, following
from ledger.api.answers import JSON, LONGEST_PAGE, USUAL_PAGE, list_of, listed
from ledger.api.facts import EventSchema, HiddenEventSchema
from ledger.api.fields import LARGEST, Query, digits, word
from ledger.api.following import FORMS, LINES, SENT_EVENTS, Form
from ledger.refusal import Refused

blueprint = edge.Blueprint("events", "Events of a club, each chained to the one before it.")

POSITION = re.compile(r"0|[1-9][0-9]{0,15}")
_LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The position at which server-sent events go on; it counts more than `after`.",
    "schema": {"type": "string", "pattern": f"^({POSITION.pattern})$"},
}


class EventsQuery(Query):
    """Which events: those after a position."""

    after = digits(0, load_default=0)
    limit = digits(1)
    follow = word("true", "false", load_default="false")


ANY_EVENT = {"anyOf": [EventSchema, HiddenEventSchema]}
EventList = list_of(EventSchema, "EventList", HiddenEventSchema)


@blueprint.route("/clubs/<id:club>/events")
@blueprint.arguments(EventsQuery, location="query")
@blueprint.response(200, EventList)
@blueprint.alt_response(200, schema=ANY_EVENT, content_type=LINES.media_type)
@blueprint.alt_response(200, schema=ANY_EVENT, content_type=SENT_EVENTS.media_type)
@blueprint.doc(parameters=[_LAST_EVENT_ID])
def list_events(query: JSON, club: str) -> Response:
    """The events of the club after a position, in order.

    As JSON it is a page of a list. As application/x-ndjson it is an event a line, to what is now
    the end of the log; with `follow=true` the stream goes on with each event as it comes, and a
    blank line is its heartbeat. As text/event-stream it always goes on. A stream ends after ten
    minutes or 12 MiB, sooner when the key does, or when its reader takes nothing for two minutes;
    resume it at the position of the last event, until there is none. There may be 16 streams at
    once, 8 of them in one club and 4 of one caller; one too many is `streams_taken`.
    """
    form = FORMS.get(request.accept_mimetypes.best_match(["application/json", *FORMS]) or "")
    if form is not None:
        return _streamed(form, query, club)
    if query["follow"] == "true":
        raise Refused("follow_form")
    limit = min(query.get("limit") or USUAL_PAGE, LONGEST_PAGE)
    with edge.ledger().database.read() as connection:
        shown = sight.log_told(connection, edge.caller(), club, query["after"], limit + 1)
    page = shown[:limit]
    after = page[-1]["position"] if page else 0
    return listed(page, len(shown) > limit, after=after, limit=limit)


def _streamed(form: Form, query: JSON, club: str) -> Response:
    """The log as it stands; and as it grows, where that is asked for."""

    def page(connection: Connection, who: Caller, after: int, limit: int) -> Sequence[JSON]:
        return sight.log_told(connection, who, club, after, limit)

    after = _last_event(query["after"]) if form is SENT_EVENTS else query["after"]
    with edge.ledger().database.read() as connection:
        head = store.head(connection, club)
    end = head.position if head else 0
    if after > end:
        raise Refused("position_ahead", wanted=after, position=end)
    goes_on = form is SENT_EVENTS or query["follow"] == "true"
    most = min(query.get("limit", LARGEST), LARGEST if goes_on else end - after)
    return following.follow(form, following.Reader(page, after, most))


def _last_event(after: int) -> int:
    """Where a browser goes on: after the last event it had, and where it began if it had none."""
    given = request.headers.get("Last-Event-ID", str(after))
    if POSITION.fullmatch(given) is None:
        raise Refused("last_event_form")
    return int(given)

"""Answers: JSON with its ETag, lists by pages, times as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import marshmallow
import msgspec
from flask import Response, request
from marshmallow import fields

from ledger.api.fields import EPOCH, Body, digits, text
from ledger.refusal import Refused

JSON = dict[str, Any]
USUAL_PAGE = 20
LONGEST_PAGE = 100


class PageQuery(Body):
    """Which page of a list: after one of its objects, or before one."""

    limit = digits(1, LONGEST_PAGE, load_default=USUAL_PAGE)
    starting_after = text(1, 64)
    ending_before = text(1, 64)


def list_of(schema: type[marshmallow.Schema], name: str) -> type[marshmallow.Schema]:
    """The schema of a page of objects, under a name of its own in the API's description."""
    page: dict[str, fields.Field[Any]] = {
        "object": fields.Constant("list"),
        "data": fields.List(fields.Nested(schema)),
        "has_more": fields.Boolean(),
        "url": fields.String(),
    }
    return marshmallow.Schema.from_dict(page, name=name)


def answer(body: object, status: int = 200, *, replayed: bool = False) -> Response:
    """An answer in JSON, which nobody keeps; `replayed` as it was given before."""
    response = Response(msgspec.json.encode(body), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def tagged(response: Response, version: int) -> Response:
    """An answer with the version it shows; 304 for who has seen that one."""
    response.set_etag(str(version))
    response.headers["Vary"] = "Authorization"
    response.make_conditional(request)
    return response


def keepable(response: Response) -> Response:
    """An answer that its reader may keep, and asks again whether it still holds."""
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def listed(data: Sequence[JSON], has_more: bool, **following: object) -> Response:
    """A page of a list; `following` are the query parameters of the next one."""
    page = {"object": "list", "data": data, "has_more": has_more, "url": request.path}
    response = answer(page)
    if has_more:
        response.headers["Link"] = f'<{request.path}?{urlencode(following)}>; rel="next"'
    return response


def paged(objects: Sequence[JSON], query: JSON) -> Response:
    """The page that was asked for of a list that is whole in memory."""
    limit = query["limit"]
    ids = [one["id"] for one in objects]
    start = 0
    if "starting_after" in query:
        start = _place(ids, query["starting_after"], "starting_after") + 1
    end = len(ids)
    if "ending_before" in query:
        end = _place(ids, query["ending_before"], "ending_before")
        start = max(start, end - limit)
    page = objects[start : min(end, start + limit)]
    has_more = start + len(page) < len(ids)
    return listed(page, has_more, starting_after=page[-1]["id"] if page else "", limit=limit)


def _place(ids: list[str], wanted: str, parameter: str) -> int:
    if wanted not in ids:
        raise Refused("cursor_unknown", parameter=parameter)
    return ids.index(wanted)


def time_text(at: int) -> str:
    """Microseconds of UTC as RFC 3339: 0 -> "1970-01-01T00:00:00.000000Z"."""
    moment = EPOCH + timedelta(microseconds=at)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def time_or_none(at: int | None) -> str | None:
    """A time as text, where there is one."""
    return None if at is None else time_text(at)

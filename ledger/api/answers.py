"""Answers: JSON with its ETag, lists by pages, times as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import marshmallow
import msgspec
from flask import Response, request
from marshmallow import fields

from ledger.api.fields import Query, digits, moment, text
from ledger.api.shown import the
from ledger.keyset import Page
from ledger.telling import time_text

JSON = dict[str, Any]
USUAL_PAGE = 20
LONGEST_PAGE = 100


class PageQuery(Query):
    """Which page of a list: after one of its objects, or before one; and made in which time."""

    class Meta:
        """Names with brackets are no names of Python's."""

        include = {f"created[{bound}]": moment() for bound in ("gt", "gte", "lt", "lte")}

    limit = digits(1, LONGEST_PAGE, load_default=USUAL_PAGE)
    starting_after = text(1, 64)
    ending_before = text(1, 64)


class Shown(marshmallow.Schema):
    """What is shown: every field is there, but those that say that they may be left out."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Tell a field as one that is always there."""
        field_obj.required = not field_obj.metadata.get("optional", False)


class Either(fields.Field[Any]):
    """An object of one of several forms."""

    def __init__(self, *schemas: type[marshmallow.Schema]) -> None:
        """Name the forms."""
        super().__init__()
        self.schemas = schemas


def list_of(schema: type[Shown], name: str, *others: type[Shown]) -> type[Shown]:
    """The schema of a page of objects, under a name of its own in the API's description."""
    page: dict[str, fields.Field[Any]] = {
        "object": the("list"),
        "data": fields.List(Either(schema, *others) if others else fields.Nested(schema)),
        "has_more": fields.Boolean(),
        "url": fields.String(),
    }
    return type(name, (Shown,), page)


def answer(body: object, status: int = 200, *, replayed: bool = False) -> Response:
    """An answer in JSON, which nobody keeps; `replayed` as it was given before."""
    response = Response(msgspec.json.encode(body) + b"\n", status, mimetype="application/json")
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
    return _page({}, data, has_more, following)


def _page(head: JSON, data: Sequence[JSON], has_more: bool, following: JSON) -> Response:
    page = {"data": data, "has_more": has_more, "url": request.path}
    response = answer({"object": "list", **head, **page})
    if has_more:
        response.headers["Link"] = f'<{request.path}?{urlencode(following)}>; rel="next"'
    return response


def page_of(query: JSON) -> Page:
    """The page that was asked for."""
    bounds = {name: query.get(f"created[{name}]") for name in ("gt", "gte", "lt", "lte")}
    page = Page(query["limit"], query.get("starting_after"), query.get("ending_before"))
    return page.within(**bounds)


def page_answer(data: Sequence[JSON], has_more: bool, query: JSON, **head: object) -> Response:
    """A page of a list, with the way to the next one; `head` is said of the list as a whole."""
    kept = {name: value for name, value in request.args.items() if name != "ending_before"}
    last = data[-1]["id"] if data else ""
    following = {**kept, "limit": query["limit"], "starting_after": last}
    return _page(head, data, has_more, following)


def time_or_none(at: int | None) -> str | None:
    """A time as text, where there is one."""
    return None if at is None else time_text(at)

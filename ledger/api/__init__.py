"""The HTTP API under /v1: a blueprint and its schemas per resource."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, g, request
from werkzeug.routing import BaseConverter, IntegerConverter

from ledger.api import (
    allowances,
    claimed,
    clubs,
    disputes,
    docs,
    edge,
    events,
    governing,
    health,
    keys,
    me,
    members,
    people,
    periods,
    proofs,
    rulesets,
    seats,
    seen,
    tables,
)
from ledger.api.following import Pace, allow_streams
from ledger.api.keys import MEMBER
from ledger.api.limits import Limits, limit
from ledger.api.problem import Api, handle_refusals
from ledger.perform import Ledger

__all__ = ["register"]

BLUEPRINTS = (
    clubs.blueprint,
    members.blueprint,
    governing.blueprint,
    allowances.blueprint,
    periods.blueprint,
    people.blueprint,
    keys.blueprint,
    me.entrance,
    me.blueprint,
    rulesets.blueprint,
    tables.blueprint,
    disputes.blueprint,
    claimed.blueprint,
    seats.blueprint,
    events.blueprint,
    proofs.blueprint,
    proofs.keys,
    health.blueprint,
)
USUAL_LIMITS = Limits()
USUAL_PACE = Pace()
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API key of a club, or the token of a session.",
}
NOTHING = "default-src 'none'; frame-ancestors 'none'"
"""What a browser may load or run of an answer in JSON."""


class IdConverter(BaseConverter):
    """An id in a path: a prefix of its kind, and small letters and digits."""

    regex = "[a-z]{2,4}_[0-9a-z]{1,40}"


class MemberConverter(BaseConverter):
    """A member in a path, by id or by code."""

    regex = MEMBER


class NumberConverter(IntegerConverter):
    """A number in a path, counted from one, written in one way only."""

    regex = "[1-9][0-9]{0,8}"


def register(
    app: Flask,
    ledger: Ledger,
    signing_key: Path,
    operator_token: str | None = None,
    version: str = "1",
    limits: Limits = USUAL_LIMITS,
    pace: Pace = USUAL_PACE,
) -> Api:
    """Serve a ledger's API in an application, and describe it at /openapi.json.

    Without an operator's token nobody may found clubs over HTTP.
    """
    app.extensions[edge.EXTENSION] = edge.Served(ledger, signing_key, operator_token)
    app.url_map.merge_slashes = False
    app.url_map.converters.update(id=IdConverter, member=MemberConverter, number=NumberConverter)
    app.config.update(
        API_TITLE="Paizhang 牌账",
        API_VERSION=version,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
    )
    app.before_request(_number_request)
    seen.watch(app)
    app.after_request(_tell_number)
    app.after_request(_guard)
    app.after_request(_tag)
    limit(app, limits)
    allow_streams(app, pace)
    handle_refusals(app)
    api = Api(app, spec_kwargs={"security": [{"key": []}]})
    api.spec.components.security_scheme("key", BEARER)
    for converter in (IdConverter, MemberConverter):
        api.register_converter(converter, _described)
    api.register_converter(NumberConverter, lambda _: {"type": "integer", "minimum": 1})
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    app.register_blueprint(docs.blueprint)
    return api


def _number_request() -> None:
    g.request_id = f"req_{edge.ledger().token(10).hex()}"


def _tell_number(response: Response) -> Response:
    response.headers["Request-Id"] = g.get("request_id", "")
    return response


def _tag(response: Response) -> Response:
    """Tag what was read, so that its reader can ask whether it still holds."""
    read = request.method in ("GET", "HEAD") and request.path.startswith("/v1/")
    told = response.status_code == HTTPStatus.OK and response.mimetype == "application/json"
    if read and told and "ETag" not in response.headers:
        response.add_etag()
        response.make_conditional(request)
    return response


def _guard(response: Response) -> Response:
    """Keep browsers from guessing, telling, embedding and running what is answered."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if response.is_json:
        response.headers.setdefault("Content-Security-Policy", NOTHING)
    return response


def _described(converter: BaseConverter) -> dict[str, str]:
    return {"type": "string", "pattern": f"^({converter.regex})$"}

"""The HTTP API under /v1: a blueprint and its schemas per resource."""

from __future__ import annotations

from flask import Flask, Response, g
from werkzeug.routing import BaseConverter

from ledger.api import clubs, edge, events, keys, members, rulesets, tables
from ledger.api.answers import answer
from ledger.api.problem import Api, handle_refusals
from ledger.perform import Ledger

__all__ = ["register"]

RESOURCES = (clubs, members, keys, rulesets, tables, events)


class IdConverter(BaseConverter):
    """An id in a path: a prefix of its kind, and small letters and digits."""

    regex = "[a-z]{2,4}_[0-9a-z]{1,40}"


def register(
    app: Flask, ledger: Ledger, operator_token: str | None = None, version: str = "1"
) -> Api:
    """Serve a ledger's API in an application, and describe it at /openapi.json.

    Without an operator's token nobody may found clubs over HTTP.
    """
    app.extensions[edge.EXTENSION] = edge.Served(ledger, operator_token)
    app.url_map.converters["id"] = IdConverter
    app.config.update(
        API_TITLE="Paizhang 牌账",
        API_VERSION=version,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
    )
    app.before_request(_number_request)
    app.after_request(_tell_number)
    app.add_url_rule("/healthz", view_func=healthz)
    handle_refusals(app)
    api = Api(app, spec_kwargs={"security": [{"key": []}]})
    api.spec.components.security_scheme("key", {"type": "http", "scheme": "bearer"})
    api.register_converter(IdConverter, _described)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    return api


def healthz() -> Response:
    """Say that the server runs."""
    return answer({"status": "ok"})


def _number_request() -> None:
    g.request_id = f"req_{edge.ledger().token(10).hex()}"


def _tell_number(response: Response) -> Response:
    response.headers["Request-Id"] = g.get("request_id", "")
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _described(_: IdConverter) -> dict[str, str]:
    return {"type": "string", "pattern": f"^{IdConverter.regex}$"}

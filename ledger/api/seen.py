"""Requests as they are seen from outside: a log line and a measure for each, and /metrics."""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Sequence
from typing import Any

from flask import Flask, Response, abort, g, request
from prometheus_client import CONTENT_TYPE_LATEST
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars

from ledger import metrics
from ledger.api import edge
from ledger.api.following import FORMS
from ledger.metrics import Reading
from ledger.refusal import Refused

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
"""The method or the route of a request that has none of ours: who asks must not name measures."""
_log = logging.getLogger(__name__)


def watch(app: Flask) -> None:
    """Tell of every request when its answer begins; whatever else is done to it comes before."""
    app.before_request(_begin)
    app.after_request(_tell)


def expose(app: Flask, readings: Sequence[Reading]) -> None:
    """Answer the operator at /metrics with what is measured, and what is read now."""

    served: edge.Served = app.extensions[edge.EXTENSION]
    ledger = served.ledger

    @app.get("/metrics")
    def show_metrics() -> Response:
        _admit_operator(served.operator_token)
        told = metrics.exposed(ledger.database, ledger.clock(), readings)
        return Response(told, content_type=CONTENT_TYPE_LATEST)


def _admit_operator(token: str | None) -> None:
    """Refuse whoever is not the operator; where there is none, nothing is here."""
    if token is None:
        abort(404)
    given = request.authorization
    if given is None or given.type != "bearer" or not given.token:
        raise Refused("key_missing")
    if not hmac.compare_digest(given.token.encode(), token.encode()):
        raise Refused("key_invalid")


def _begin() -> None:
    clear_contextvars()
    bind_contextvars(request_id=g.request_id)
    g.began = time.perf_counter()


def _tell(response: Response) -> Response:
    seconds = time.perf_counter() - g.began
    method = request.method if request.method in METHODS else OTHER
    route = request.url_rule.rule if request.url_rule else OTHER
    status = response.status_code
    metrics.HTTP_SECONDS.labels(method, route, status).observe(seconds)
    ms = round(seconds * 1000, 1)
    with bound_contextvars(method=method, route=route, status=status, ms=ms, **_who()):
        _log.info("request")
    if response.mimetype in FORMS:
        metrics.STREAMS.inc()
        response.call_on_close(metrics.STREAMS.dec)
    return response


def _who() -> dict[str, Any]:
    """Who asked, and about which club, as far as it was found out."""
    who = g.get("caller")
    return {"actor": who and who.actor, "club": g.get("club")}

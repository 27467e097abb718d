"""Requests as they are seen from outside: a log line and a measure for each, and /metrics."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

from flask import Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars

from ledger import metrics
from ledger.api import edge
from ledger.api.following import FORMS
from ledger.metrics import Reading

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER = "other"
"""The method or the route of a request that has none of ours: who asks must not name measures."""
_log = logging.getLogger(__name__)


def watch(app: Flask) -> None:
    """Tell of every request when its answer begins; whatever else is done to it comes before."""
    app.before_request(_begin)
    app.after_request(_tell)


def expose(app: Flask, readings: Sequence[Reading]) -> None:
    """Answer the operator at /metrics, where there is one, with what is measured and read now."""
    served: edge.Served = app.extensions[edge.EXTENSION]
    if served.operator_token is None:
        return

    @app.get("/metrics")
    def show_metrics() -> Response:
        edge.admit_operator()
        told = metrics.exposed(served.ledger.database, served.ledger.clock(), readings)
        return Response(told, content_type=CONTENT_TYPE_LATEST)


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
    response.call_on_close(clear_contextvars)
    return response


def _who() -> dict[str, Any]:
    """Who asked, and about which club, as far as it was found out."""
    who = g.get("caller")
    return {"actor": who and who.actor, "club": g.get("club")}

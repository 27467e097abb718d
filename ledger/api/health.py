"""Whether the server runs and can work, and which version it is. Open to everybody, unlimited."""

from __future__ import annotations

from importlib.metadata import version

import flask_smorest
import structlog
from flask import Response, current_app
from marshmallow import fields
from sqlalchemy.exc import DBAPIError, TimeoutError

from ledger.api import edge
from ledger.api.answers import Shown, answer
from ledger.api.shown import one_of, the
from ledger.database import has_newest_schema
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG

NAME = "paizhang"
blueprint = flask_smorest.Blueprint(
    "health", __name__, description="Whether the server runs, and which it is; without a key."
)
open_to_all = blueprint.doc(security=[])


class HealthSchema(Shown):
    """That the server runs."""

    status = the("ok")


class ChecksSchema(Shown):
    """What was found in order: the database answers, its schema is the newest."""

    database = the("ok")
    schema = the("ok")


class ReadySchema(Shown):
    """That the server can work, and what was checked."""

    status = the("ready")
    checks = fields.Nested(ChecksSchema)


class VersionSchema(Shown):
    """What serves: the software and its version, the version of the API, the rulesets."""

    name = the(NAME)
    version = fields.String()
    api = fields.String()
    rulesets = fields.List(one_of(*CATALOG))


@blueprint.route("/healthz")
@open_to_all
@blueprint.response(200, HealthSchema)
def healthz() -> Response:
    """Say that the server runs."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@open_to_all
@blueprint.response(200, ReadySchema)
def readyz() -> Response:
    """Say whether the database answers, and has the schema that this version needs."""
    if not _has_newest_schema():
        raise Refused("not_ready", check="schema")
    return answer({"status": "ready", "checks": {"database": "ok", "schema": "ok"}})


@blueprint.route("/version")
@open_to_all
@blueprint.response(200, VersionSchema)
def show_version() -> Response:
    """Say which version of the software, of its API and of each ruleset is served."""
    api = current_app.config["API_VERSION"]
    told = {"name": NAME, "version": version(NAME), "api": api, "rulesets": list(CATALOG)}
    return answer(told)


def _has_newest_schema() -> bool:
    try:
        with edge.ledger().database.read() as connection:
            return has_newest_schema(connection)
    except (DBAPIError, TimeoutError) as fault:
        structlog.get_logger().warning("database_unavailable", error=str(fault)[:500])
        raise Refused("not_ready", check="database") from None

"""The read API under /v1: a blueprint and its schemas per resource."""

from __future__ import annotations

from ledger.api.problem import Api
from projections.api import books, evidence, journal, lists, operators, replays

RESOURCES = (books, evidence, journal, lists, operators, replays)


def register(api: Api) -> None:
    """Serve the read side beside what the API serves already."""
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)

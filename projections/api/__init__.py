"""The read API under /v1: a blueprint and its schemas per resource."""

from __future__ import annotations

from ledger.api.problem import Api
from projections.api import (
    allowances,
    books,
    disputes,
    evidence,
    journal,
    lists,
    operators,
    pairs,
    periods,
    replays,
    statistics,
    watching,
)

RESOURCES = (
    allowances,
    books,
    disputes,
    evidence,
    journal,
    lists,
    operators,
    pairs,
    periods,
    replays,
    statistics,
    watching,
)


def register(api: Api) -> None:
    """Serve the read side beside what the API serves already."""
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)

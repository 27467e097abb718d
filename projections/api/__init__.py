"""The read API under /v1: a blueprint and its schemas per resource."""

from __future__ import annotations

from flask import Flask

from ledger.api.problem import Api
from projections.api import (
    allowances,
    books,
    disputes,
    evidence,
    exports,
    journal,
    lists,
    operators,
    pairs,
    periods,
    replays,
    statistics,
    watching,
)
from projections.api.exports import Shelf

RESOURCES = (
    allowances,
    books,
    disputes,
    evidence,
    exports,
    journal,
    lists,
    operators,
    pairs,
    periods,
    replays,
    statistics,
    watching,
)


def register(app: Flask, api: Api, shelf: Shelf) -> None:
    """Serve the read side beside what the API serves already, and the files of exports."""
    app.extensions[exports.EXTENSION] = shelf
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    api.register_blueprint(exports.files)

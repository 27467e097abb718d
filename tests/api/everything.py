"""All that a ledger has written, to see that nothing was."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from ledger import access, disputing, jobs, seating, store
from projections import projection
from tests.api.conftest import Club

METADATA = (
    store.METADATA,
    jobs.METADATA,
    access.METADATA,
    disputing.METADATA,
    seating.METADATA,
    projection.METADATA,
)
NO_EFFECT = {"uses"}
"""When a key was used last is noted for reads too, and for what was refused."""


def everything(club: Club) -> dict[str, list[Any]]:
    """Every row of every table, those of other clubs too."""
    tables = [table for metadata in METADATA for table in metadata.sorted_tables]
    with club.ledger.database.read() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(sa.select(table))))
            for table in tables
            if table.name not in NO_EFFECT
        }

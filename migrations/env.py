"""Alembic's way in: the connection and its transaction are handed in by `database.upgrade`."""

from __future__ import annotations

from alembic import context

from ledger import access, jobs, store
from projections import projection

METADATA = [store.METADATA, jobs.METADATA, access.METADATA, projection.METADATA]

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()

"""What was inspected of this installation, and what was found: kept, for who asks later."""

from __future__ import annotations

import sqlalchemy as sa

from ledger.store import METADATA

inspections = sa.Table(
    "inspections",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("club", sa.Text),
    sa.Column("begun_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("sound", sa.Boolean, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
    sa.Index("inspections_of_club", "kind", "club", "id"),
)

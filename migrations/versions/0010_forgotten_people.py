"""When a person was forgotten, of whom nothing but his id is known since."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column that is empty for everybody who is known."""
    op.add_column("people", sa.Column("forgotten_at", sa.BigInteger))

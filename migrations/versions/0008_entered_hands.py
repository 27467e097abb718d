"""Which hands of the list were entered, and by what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column that is empty for a hand that was played here."""
    op.add_column("hands", sa.Column("entered", sa.Text))

"""Of each hand in the list the revision that stands, and whether it is in dispute; of tables the
seats that were changed.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what was settled so far stands as it was settled."""
    op.add_column("hands", sa.Column("revision", sa.Integer))
    op.add_column("hands", sa.Column("revised_by", sa.Text))
    disputed = sa.Column("disputed", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("hands", disputed)
    op.execute("UPDATE hands SET revision = 1 WHERE settled_position IS NOT NULL")
    op.add_column("tables", sa.Column("changes", sa.JSON, nullable=False, server_default="[]"))

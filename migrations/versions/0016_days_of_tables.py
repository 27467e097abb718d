"""The business day and the hour of each table in the list, by which it is found.

They follow from the log, so the list is built again from there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Empty the list, and add the columns."""
    for table in ("table_members", "tables"):
        op.execute(f"DELETE FROM {table}")
    for table in ("checkpoints", "live_generations"):
        op.execute(f"DELETE FROM {table} WHERE projection = 'tables'")
    op.add_column("tables", sa.Column("day", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("hour", sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_of_day", "tables", ["club", "generation", "day", "opened_position"])

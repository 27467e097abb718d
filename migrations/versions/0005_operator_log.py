"""The operator log: who did what to a club."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "operator_acts",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("before", sa.JSON),
        sa.Column("after", sa.JSON),
        sa.Column("note", sa.Text),
    )
    of_target = ["club", "generation", "target", "position"]
    op.create_index("operator_acts_of_target", "operator_acts", of_target)
    of_actor = ["club", "generation", "actor", "position"]
    op.create_index("operator_acts_of_actor", "operator_acts", of_actor)

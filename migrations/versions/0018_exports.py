"""The exports that were asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "exports",
        sa.Column("export", sa.Text, primary_key=True),
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("member", sa.Text),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("command", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("of", sa.BigInteger),
        sa.Column("made", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("club", "command"),
    )
    op.create_index("exports_of_club", "exports", ["club", "created_at", "export"])

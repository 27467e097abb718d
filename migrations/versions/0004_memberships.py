"""People, their memberships, links and sessions; where requests came from; last uses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "people",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("login", sa.Text, unique=True),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "memberships",
        sa.Column("membership", sa.Text, primary_key=True),
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("roles", sa.Text, nullable=False),
        sa.Column("member", sa.Text),
        sa.Column("person", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("revoked_at", sa.BigInteger),
    )
    op.create_index("ix_memberships_person", "memberships", ["person"])
    of_club = ["club", "created_at", "membership"]
    op.create_index("memberships_of_club", "memberships", of_club)
    op.create_table(
        "links",
        sa.Column("link", sa.Text, primary_key=True),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("club", sa.Text),
        sa.Column("membership", sa.Text),
        sa.Column("person", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
    )
    _create_sessions()
    op.create_table(
        "origins",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
        sa.Column("device", sa.Text),
    )
    op.create_table(
        "uses",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("club", sa.Text),
        sa.Column("way", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
        sa.Column("device", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])

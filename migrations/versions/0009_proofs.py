"""What proves a log: the nodes of its tree, checkpoints, the keys that sign them, inspections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.once import lock

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; all but the inspections are written once."""
    op.create_table(
        "nodes",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("club", "level", "number"),
        sa.CheckConstraint("level > 0 AND number >= 0", name="nodes_above_leaves"),
        sa.CheckConstraint("length(hash) = 32", name="nodes_hashed"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "signing_keys",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("after", sa.Text, nullable=False, unique=True),
        sa.Column("signature", sa.LargeBinary),
        sa.CheckConstraint("length(public) = 32", name="signing_keys_ed25519"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "signed_checkpoints",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("club", "position"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "inspections",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("club", sa.Text),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("sound", sa.Boolean, nullable=False),
        sa.Column("report", sa.Text, nullable=False),
        sa.Index("inspections_of_club", "kind", "club", "id"),
    )
    lock("nodes", "club = NEW.club AND level = NEW.level AND number = NEW.number")
    lock("signing_keys", "key = NEW.key OR after = NEW.after")
    lock("signed_checkpoints", "club = NEW.club AND position = NEW.position")

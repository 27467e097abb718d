"""Requests that are bound to their command id although they left no event.

A command that found its wanted state standing is kept with the empty range of positions after
the head of that time; a session is kept with the hash of what began it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

RANGE = "first > 0 AND first <= last + 1"
REFUSE = "BEGIN SELECT RAISE(ABORT, 'commands are written once'); END"
TAKEN = "EXISTS (SELECT 1 FROM commands WHERE club = NEW.club AND digest = NEW.digest)"


def upgrade() -> None:
    """Let the range be empty; of sessions that began before nothing is known."""
    op.add_column("sessions", sa.Column("request", sa.LargeBinary))
    if op.get_bind().dialect.name == "sqlite":
        _make_anew()
        _lock()
    else:
        op.drop_constraint("commands_with_events", "commands")
        op.create_check_constraint("commands_in_range", "commands", RANGE)


def _make_anew() -> None:
    """SQLite changes no constraint of a table that is there; its triggers go with the old one."""
    op.create_table(
        "commands_kept",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("club", "digest"),
        sa.CheckConstraint("length(digest) = 32 AND length(request) = 32", name="commands_hashed"),
        sa.CheckConstraint(RANGE, name="commands_in_range"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO commands_kept SELECT club, digest, request, first, last FROM commands")
    op.drop_table("commands")
    op.rename_table("commands_kept", "commands")


def _lock() -> None:
    op.execute(f"CREATE TRIGGER commands_update BEFORE UPDATE ON commands {REFUSE}")
    op.execute(f"CREATE TRIGGER commands_delete BEFORE DELETE ON commands {REFUSE}")
    op.execute(f"CREATE TRIGGER commands_insert BEFORE INSERT ON commands WHEN {TAKEN} {REFUSE}")

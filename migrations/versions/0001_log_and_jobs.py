"""The log of a club with its heads, commands and guards, and the job table.

Events and commands are written once: triggers refuse every change. SQLite's REPLACE deletes
the row in its way without firing a delete trigger, so an insert over a key is refused there
before it happens; WITHOUT ROWID leaves no hidden key to replace by. PostgreSQL's unique keys
refuse it themselves, and an upsert fires the update trigger. Alembic's batch mode would drop
the triggers: never use it on these tables.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEYS = {
    "events": (
        "club = NEW.club AND position = NEW.position",
        "club = NEW.club AND stream = NEW.stream AND version = NEW.version",
        "stream = NEW.stream AND version = 1 AND stream <> 'club' AND NEW.version = 1",
    ),
    "commands": ("club = NEW.club AND digest = NEW.digest",),
}
"""Each table that is written once, with its keys as conditions on a new row."""


def upgrade() -> None:
    """Make the tables and lock those that are written once."""
    _create_log()
    _create_beside_the_log()
    _create_jobs()
    if op.get_bind().dialect.name == "sqlite":
        _lock_on_sqlite()
    else:
        _lock_on_postgresql()


def _create_log() -> None:
    op.create_table(
        "events",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("recorded_at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("command", sa.LargeBinary, nullable=False),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("slots", sa.LargeBinary, nullable=False),
        sa.Column("digests", sa.LargeBinary, nullable=False),
        sa.Column("leaf", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("club", "position"),
        sa.CheckConstraint("position > 0 AND version > 0", name="events_counted_from_one"),
        sa.CheckConstraint("length(leaf) = 32 AND length(hash) = 32", name="events_hashed"),
        sqlite_with_rowid=False,
    )
    op.create_index("events_stream", "events", ["club", "stream", "version"], unique=True)
    first = sa.text("version = 1 AND stream <> 'club'")
    op.create_index(
        "events_first",
        "events",
        ["stream"],
        unique=True,
        sqlite_where=first,
        postgresql_where=first,
    )


def _create_beside_the_log() -> None:
    op.create_table(
        "heads",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("recorded_at", sa.BigInteger, nullable=False),
        sa.CheckConstraint("length(hash) = 32", name="heads_hashed"),
    )
    op.create_table(
        "commands",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("club", "digest"),
        sa.CheckConstraint("length(digest) = 32 AND length(request) = 32", name="commands_hashed"),
        sa.CheckConstraint("first > 0 AND first <= last", name="commands_with_events"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "guards",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("club", "key"),
    )


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
        sa.Column("leased_by", sa.Text, nullable=True),
        sa.Column("error", sa.Text, nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("club", "kind", "subject"),
        sa.CheckConstraint(
            "state IN ('waiting', 'leased', 'done', 'parked')", name="jobs_state_known"
        ),
    )
    left = sa.text("state <> 'done'")
    op.create_index("jobs_left", "jobs", ["id"], sqlite_where=left, postgresql_where=left)


def _lock_on_sqlite() -> None:
    for table, keys in KEYS.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, '{table} are written once'); END"
        taken = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in keys)
        op.execute(f"CREATE TRIGGER {table}_update BEFORE UPDATE ON {table} {refuse}")
        op.execute(f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {refuse}")
        op.execute(f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} WHEN {taken} {refuse}")


def _lock_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION written_once() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION '% are written once', TG_TABLE_NAME; END $$"
    )
    for table in KEYS:
        op.execute(
            f"CREATE TRIGGER {table}_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION written_once()"
        )

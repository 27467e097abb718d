"""Who sits at which open table, and which disputes are open, beside the head of a club's log.

Who sits follows from the log: whoever sits at a match that has not been closed.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from ledger.days import day_of

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_OPEN = sa.text(
    "SELECT opened.club, stream, public, zone, day_cutoff FROM events AS opened"
    " JOIN clubs ON clubs.club = opened.club WHERE type = 'TableOpened/1' AND NOT EXISTS"
    " (SELECT 1 FROM events AS closed WHERE closed.club = opened.club"
    " AND closed.stream = opened.stream AND closed.type = 'TableClosed/1')"
)


def upgrade() -> None:
    """Make the tables, and seat whoever sits."""
    op.create_table(
        "open_disputes",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("hand", sa.Text, nullable=False),
        sa.Column("dispute", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("club", "hand"),
    )
    op.create_index("ix_open_disputes_due", "open_disputes", ["due"])
    seats = op.create_table(
        "open_seats",
        sa.Column("club", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("member", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("club", "table_id", "member"),
    )
    op.create_index("open_seats_of_member", "open_seats", ["club", "member"])
    rows: list[dict[str, str]] = []
    for club, stream, public, zone, cutoff in op.get_bind().execute(_OPEN):
        opened = json.loads(bytes(public))
        table = {"club": club, "table_id": stream.removeprefix("table/")}
        day = day_of(zone, cutoff)(opened["at"])
        rows += [{**table, "member": member, "day": day} for member in opened["seats"]]
    op.bulk_insert(seats, rows)

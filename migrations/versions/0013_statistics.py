"""Statistics of members and pairs, dissolutions, and the hands that run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; what they hold is made from the log."""
    _create_statistics()
    _create_pairs()
    _create_dissolutions()
    _create_idle()


def _create_statistics() -> None:
    op.create_table(
        "member_hours",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("known_hands", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.BigInteger, nullable=False),
        sa.Column("self_draws", sa.BigInteger, nullable=False),
        sa.Column("deal_ins", sa.BigInteger, nullable=False),
        sa.Column("win_value", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "member_patterns",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("pattern", sa.Text, primary_key=True),
        sa.Column("times", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "counted_hands",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("added", sa.JSON, nullable=False),
    )
    op.create_table(
        "counted_tables",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("low_score", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("totals", sa.JSON, nullable=False),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("asked_by", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("day", sa.Text),
        sa.Column("hour", sa.Integer),
    )
    op.create_table(
        "table_results",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("is_big_winner", sa.Boolean, nullable=False),
        sa.Column("is_low_score", sa.Boolean, nullable=False),
        sa.Column("asked", sa.Boolean, nullable=False),
    )
    of_table_results_by_day = ["club", "generation", "day"]
    op.create_index("table_results_by_day", "table_results", of_table_results_by_day)
    op.create_table(
        "member_groups",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("group", sa.Text),
    )


def _create_pairs() -> None:
    op.create_table(
        "pair_sums",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("low", sa.Text, primary_key=True),
        sa.Column("high", sa.Text, primary_key=True),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "pair_tables",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("low", sa.Text, primary_key=True),
        sa.Column("high", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
    )
    op.create_table(
        "seat_sums",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("discard_wins", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "deal_in_sums",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("feeder", sa.Text, primary_key=True),
        sa.Column("others", sa.Text, primary_key=True),
        sa.Column("winners", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("times", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "feeds",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("feeder", sa.Text, primary_key=True),
        sa.Column("winner", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
    )
    of_feeds_of_hand = ["club", "generation", "table_id", "number"]
    op.create_index("feeds_of_hand", "feeds", of_feeds_of_hand)
    op.create_table(
        "paired_hands",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("added", sa.JSON, nullable=False),
    )


def _create_dissolutions() -> None:
    op.create_table(
        "dissolutions",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("month", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("requester", sa.Text),
        sa.Column("points", sa.BigInteger),
        sa.Column("votes", sa.JSON, nullable=False),
        sa.Column("is_dissolved", sa.Boolean, nullable=False),
    )
    of_dissolutions_of_requester = ["club", "generation", "requester", "position"]
    op.create_index("dissolutions_of_requester", "dissolutions", of_dissolutions_of_requester)
    op.create_table(
        "table_seats",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("passed", sa.BigInteger),
    )
    op.create_table(
        "member_months",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("tables", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("asked_behind", sa.BigInteger, nullable=False),
    )


def _create_idle() -> None:
    op.create_table(
        "running_hands",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("started_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("recorder", sa.Text, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
    )
    of_running_hands_of_table = ["club", "generation", "table_id"]
    op.create_index("running_hands_of_table", "running_hands", of_running_hands_of_table)

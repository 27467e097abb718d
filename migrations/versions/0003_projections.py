"""The read side: how far each projection has come, balances, the lists of hands and tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; what they hold is made from the log."""
    _create_checkpoints()
    _create_balances()
    _create_history()
    _create_tables()


def _create_checkpoints() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("error", sa.Text),
    )
    op.create_table(
        "live_generations",
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("switched_at", sa.BigInteger, nullable=False),
    )


def _create_balances() -> None:
    op.create_table(
        "balances",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("last_hand", sa.Text),
    )
    in_order = ["club", "generation", "joined"]
    op.create_index("balances_in_order", "balances", in_order, unique=True)
    op.create_table(
        "entries",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("balance_after", sa.BigInteger, nullable=False),
        sa.Column("counterparties", sa.JSON, nullable=False),
        sa.Column("occurred_at", sa.BigInteger, nullable=False),
        sa.Column("effective_date", sa.Text, nullable=False),
        sa.Column("booked_date", sa.Text, nullable=False),
        sa.Column("booked_at", sa.BigInteger, nullable=False),
    )


def _create_history() -> None:
    op.create_table(
        "hands",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("started_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("dealer", sa.Integer, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("recorder", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("end", sa.Text),
        sa.Column("wins", sa.JSON, nullable=False),
        sa.Column("totals", sa.JSON),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("settled_at", sa.BigInteger),
        sa.Column("effective_date", sa.Text),
        sa.Column("booked_date", sa.Text),
        sa.Column("ended_version", sa.BigInteger),
        sa.Column("ended_position", sa.BigInteger),
        sa.Column("settled_position", sa.BigInteger),
    )
    of_table = ["club", "generation", "table_id", "number"]
    op.create_index("hands_of_table", "hands", of_table, unique=True)
    of_recorder = ["club", "generation", "recorder", "started_position"]
    op.create_index("hands_of_recorder", "hands", of_recorder)
    _create_members("hand_members", "started_position")


def _create_tables() -> None:
    op.create_table(
        "tables",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("opened_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("recorder", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("hands_planned", sa.Integer, nullable=False),
        sa.Column("hands_played", sa.Integer, nullable=False),
        sa.Column("hands_settled", sa.Integer, nullable=False),
        sa.Column("totals", sa.JSON, nullable=False),
        sa.Column("low_score", sa.BigInteger, nullable=False),
        sa.Column("is_low_score", sa.Boolean, nullable=False),
        sa.Column("room", sa.Text),
        sa.Column("floor", sa.Text),
        sa.Column("ref", sa.Text),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
    )
    op.create_index("tables_by_id", "tables", ["club", "generation", "table_id"], unique=True)
    of_recorder = ["club", "generation", "recorder", "opened_position"]
    op.create_index("tables_of_recorder", "tables", of_recorder)
    _create_members("table_members", "opened_position")


def _create_members(table: str, position: str) -> None:
    """Who sat where, for the lists of one member."""
    op.create_table(
        table,
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column(position, sa.BigInteger, primary_key=True, autoincrement=False),
    )

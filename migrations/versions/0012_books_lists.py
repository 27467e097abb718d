"""The lists of the books: disputes with their steps, allowances, closings with their balances."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; what they hold is made from the log."""
    _create_disputes()
    _create_allowances()
    _create_periods()


def _create_disputes() -> None:
    op.create_table(
        "disputes",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("dispute", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("member", sa.Text),
        sa.Column("opened_by", sa.Text, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("claim", sa.Text),
        sa.Column("totals", sa.JSON),
        sa.Column("stake", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("answer_until", sa.BigInteger, nullable=False),
        sa.Column("decide_until", sa.BigInteger),
        sa.Column("appeal_until", sa.BigInteger),
        sa.Column("ruling", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("rule", sa.Text),
        sa.Column("decided_by", sa.Text),
        sa.Column("proposed_by", sa.Text),
        sa.Column("decided_at", sa.BigInteger),
        sa.Column("proposal_of", sa.Text),
        sa.Column("entries", sa.JSON, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
    )
    for name, column in (
        ("disputes_by_state", "state"),
        ("disputes_of_table", "table_id"),
        ("disputes_open", "is_open"),
    ):
        op.create_index(name, "disputes", ["club", "generation", column, "filed_position"])
    op.create_index("disputes_due", "disputes", ["club", "generation", "decide_until"])
    op.create_index("disputes_by_id", "disputes", ["club", "generation", "dispute"], unique=True)
    op.create_table(
        "dispute_members",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
    )
    op.create_table(
        "dispute_steps",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("member", sa.Text),
        sa.Column("note", sa.Text),
        sa.Column("told", sa.JSON, nullable=False),
    )


def _create_allowances() -> None:
    op.create_table(
        "allowances",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("asked_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("allowance", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("total_in", sa.BigInteger, nullable=False),
        sa.Column("total_out", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("note", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("asked_by", sa.Text, nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("approved_by", sa.Text),
        sa.Column("approved_at", sa.BigInteger),
        sa.Column("refused_by", sa.Text),
        sa.Column("refused_at", sa.BigInteger),
        sa.Column("refusal_note", sa.Text),
        sa.Column("reversed_by", sa.Text),
        sa.Column("reversed_at", sa.BigInteger),
        sa.Column("reversal_note", sa.Text),
        sa.Column("effective_date", sa.Text),
        sa.Column("booked_date", sa.Text),
        sa.Column("posted_position", sa.BigInteger),
        sa.Column("reversed_position", sa.BigInteger),
    )
    op.create_index(
        "allowances_by_id", "allowances", ["club", "generation", "allowance"], unique=True
    )
    op.create_index(
        "allowances_by_state", "allowances", ["club", "generation", "state", "asked_position"]
    )
    op.create_table(
        "allowance_lines",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("asked_position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
    )
    op.create_index(
        "allowance_lines_in_order",
        "allowance_lines",
        ["club", "generation", "asked_position", "line"],
        unique=True,
    )


def _create_periods() -> None:
    op.create_table(
        "closings",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first_day", sa.Text, nullable=False),
        sa.Column("last_day", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("members", sa.Integer, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("carried", sa.JSON, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("closed_by", sa.Text, nullable=False),
        sa.Column("closed_at", sa.BigInteger, nullable=False),
        sa.Column("booked_date", sa.Text, nullable=False),
        sa.Column("closed_position", sa.BigInteger, nullable=False),
        sa.Column("reopened_by", sa.Text),
        sa.Column("reopened_at", sa.BigInteger),
        sa.Column("reopening_note", sa.Text),
        sa.Column("reopened_position", sa.BigInteger),
    )
    op.create_table(
        "closing_balances",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text, primary_key=True),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("said_by", sa.Text),
        sa.Column("said_at", sa.BigInteger),
        sa.Column("note", sa.Text),
    )
    op.create_index(
        "closing_balances_in_order",
        "closing_balances",
        ["club", "generation", "number", "line"],
        unique=True,
    )

"""The journal and its accounts, in the place of balances and entries.

What was there is made from the log again: nothing is carried over.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forget the old projection, and make the tables of the new one."""
    for table in ("checkpoints", "live_generations"):
        op.execute(f"DELETE FROM {table} WHERE projection = 'balances'")
    op.drop_table("entries")
    op.drop_table("balances")
    _create_accounts()
    _create_journal()
    _create_postings()
    _create_doubted_hands()


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("code", sa.Text),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("hands", sa.BigInteger, nullable=False),
        sa.Column("last_hand", sa.Text),
    )
    in_order = ["club", "generation", "joined"]
    op.create_index("accounts_in_order", "accounts", in_order, unique=True)


def _create_journal() -> None:
    op.create_table(
        "journal",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("occurred_at", sa.BigInteger, nullable=False),
        sa.Column("effective_date", sa.Text, nullable=False),
        sa.Column("booked_date", sa.Text, nullable=False),
        sa.Column("booked_at", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text),
        sa.Column("number", sa.Integer),
        sa.Column("allowance", sa.Text),
        sa.Column("dispute", sa.Text),
        sa.Column("period", sa.Integer),
        sa.Column("reason", sa.Text),
        sa.Column("note", sa.Text),
        sa.Column("reverses", sa.BigInteger),
        sa.Column("reversed_by", sa.BigInteger),
        sa.Column("corrects", sa.BigInteger),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    for name, columns in (
        ("journal_by_kind", ["kind"]),
        ("journal_by_hand", ["table_id", "number"]),
        ("journal_by_dispute", ["dispute"]),
        ("journal_by_allowance", ["allowance"]),
        ("journal_by_booked_date", ["booked_date"]),
    ):
        op.create_index(name, "journal", ["club", "generation", *columns, "position"])


def _create_postings() -> None:
    op.create_table(
        "postings",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("balance_after", sa.BigInteger, nullable=False),
        sa.Column("effective_date", sa.Text, nullable=False),
        sa.Column("booked_date", sa.Text, nullable=False),
        sa.Column("booked_at", sa.BigInteger, nullable=False),
        sa.Column("counterparties", sa.JSON, nullable=False),
    )
    for name, columns in (
        ("postings_by_moment", ["booked_at", "version"]),
        ("postings_as_known", ["booked_date", "version"]),
        ("postings_as_true", ["effective_date", "version"]),
    ):
        op.create_index(name, "postings", ["club", "generation", "account", *columns])
    by_position = ["club", "generation", "account", "position"]
    op.create_index("postings_by_position", "postings", by_position, unique=True)
    of_entry = ["club", "generation", "position", "line"]
    op.create_index("postings_of_entry", "postings", of_entry, unique=True)


def _create_doubted_hands() -> None:
    op.create_table(
        "doubted_hands",
        sa.Column("club", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("dispute", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
    )
    op.create_index("doubted_hands_open", "doubted_hands", ["club", "generation", "is_open"])

"""Tables that are written once: triggers that refuse every change of what stands in them."""

from __future__ import annotations

from alembic import op


def lock(table: str, key: str) -> None:
    """Refuse changes of a table's rows; `key` is its key as a condition on a new row.

    On PostgreSQL the unique key refuses a second row itself; on SQLite REPLACE would go past it.
    """
    if op.get_bind().dialect.name == "sqlite":
        _on_sqlite(table, key)
        return
    op.execute(
        f"CREATE TRIGGER {table}_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION written_once()"
    )


def _on_sqlite(table: str, key: str) -> None:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} are written once'); END"
    taken = f"EXISTS (SELECT 1 FROM {table} WHERE {key})"
    op.execute(f"CREATE TRIGGER {table}_update BEFORE UPDATE ON {table} {refuse}")
    op.execute(f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {refuse}")
    op.execute(f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} WHEN {taken} {refuse}")

"""The migrations make the tables that the code describes."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from ledger.database import Database
from projections.projection import ALL, METADATA


def test_tables_are_those_of_the_code(database: Database) -> None:
    """Nothing that the code describes differs from what the migrations made."""
    with database.write() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        assert compare_metadata(context, METADATA) == []


def is_ours(name: str | None, kind: str, _: object) -> bool:
    return kind != "table" or name in METADATA.tables


def test_every_table_begins_with_its_place() -> None:
    """Club and generation come first in every table, so that a generation can be dropped."""
    for projection in ALL:
        for table in projection.tables:
            assert [column.name for column in table.primary_key][:2] == ["club", "generation"]

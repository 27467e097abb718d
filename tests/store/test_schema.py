"""The migrations: what they make is what the code describes, and they can be run again."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from ledger import jobs, store
from ledger.database import upgrade

if TYPE_CHECKING:
    from ledger.database import Database
    from tests.store.conftest import Log

OURS = {*store.METADATA.tables, *jobs.METADATA.tables}


def test_tables_are_those_of_the_code(database: Database) -> None:
    """Nothing that the code describes differs from what the migrations made."""
    described = [store.METADATA, jobs.METADATA]
    with database.write() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        assert compare_metadata(context, described) == []  # type: ignore[arg-type]


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Other rooms' tables are theirs to compare."""
    return kind != "table" or name in OURS


def test_upgrade_again(database_url: str, log: Log) -> None:
    """A database that is up to date is left alone."""
    before = log.everything()

    upgrade(database_url)

    assert log.everything() == before


def test_upgrade_twice_at_once(tmp_path: Path, together: Callable[..., list[Any]]) -> None:
    """Two processes that start on a new database at once both find it made."""
    url = f"sqlite:///{tmp_path}/new.db"

    assert together(lambda: upgrade(url), lambda: upgrade(url)) == [None, None]


def test_folder_is_made_and_closed(tmp_path: Path) -> None:
    """The folder of a SQLite file is made, and no other user may look into it."""
    upgrade(f"sqlite:///{tmp_path}/a 100%/ledger.db")

    assert stat.S_IMODE((tmp_path / "a 100%").stat().st_mode) == 0o700

"""Restoring a backup: into an empty installation, or for a drill into a place that is dropped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from ledger.backups import manifest, postgresql, sqlite
from ledger.backups.checking import Differs, Report, check
from ledger.backups.making import clear
from ledger.backups.manifest import FILES, Manifest, Progress, kind_of
from ledger.backups.unsound import Unsound
from ledger.database import has_newest_schema
from ledger.refusal import Refused
from ledger.settings import Settings

DRILL = ".drill-"


def drill(settings: Settings, backup: Path, differs: Differs, progress: Progress) -> Report:
    """Restore a backup into a fresh place and check it there; nothing of the place is kept.

    Raises the first fault (`Unsound`). For a dump the installation must be on PostgreSQL, and
    its user allowed to make a database.
    """
    told = _looked_at(settings, backup)
    with _fresh(settings, told) as url:
        return _restore(settings, backup, told, url, differs, progress)


def restore(settings: Settings, backup: Path, differs: Differs, progress: Progress) -> Report:
    """Restore a backup into the empty installation of the settings, and check it there.

    Refuses one that has rows (`restore_not_empty`) or another kind of database
    (`backup_other_kind`). What is `Unsound` after that stays restored, for it may be all there is.
    """
    told = _looked_at(settings, backup)
    wanted = kind_of(settings.database_url)
    if told.database != wanted:
        raise Refused("backup_other_kind", found=told.database, wanted=wanted)
    return _restore(settings, backup, told, settings.database_url, differs, progress)


def lacking(settings: Settings) -> Refused | None:
    """What a drill of this installation's backups would lack, as it is refused."""
    if kind_of(settings.database_url) == "sqlite":
        return None
    return postgresql.lacking(settings)


def _looked_at(settings: Settings, backup: Path) -> Manifest:
    """The manifest of a backup, whose file is as it tells and whose schema is known here."""
    told = manifest.read(backup)
    file = backup / FILES[told.database]
    if told.file != file.name or not file.is_file():
        raise Unsound("backup_file_missing", file=file.name)
    if (file.stat().st_size, manifest.digest(file)) != (told.size, told.sha256):
        raise Unsound("backup_file_changed", file=file.name)
    _check_known(told.schema)
    return told


def _check_known(schema: str) -> None:
    """Refuse the schema of a newer release (`schema_newer`), asked in a database of its own."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        insert = text("INSERT INTO alembic_version VALUES (:schema)")
        connection.execute(insert, {"schema": schema})
        has_newest_schema(connection)
    engine.dispose()


@contextmanager
def _fresh(settings: Settings, told: Manifest) -> Iterator[str]:
    """The URL of an empty database that is dropped in the end.

    A SQLite file lies in the data folder, where there is room for one, closed to others.
    """
    if told.database == "postgresql":
        if kind_of(settings.database_url) != "postgresql":
            raise Refused("backup_other_kind", found=told.database, wanted="sqlite")
        with postgresql.scratch(settings.database_url) as url:
            yield url
        return
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    clear(settings.data, f"{DRILL}*")
    with tempfile.TemporaryDirectory(prefix=DRILL, dir=settings.data) as folder:
        yield f"sqlite:///{folder}/paizhang.db"


def _restore(
    settings: Settings,
    backup: Path,
    told: Manifest,
    url: str,
    differs: Differs,
    progress: Progress,
) -> Report:
    file = backup / told.file
    if told.database == "sqlite":
        sqlite.fill(file, url, progress)
        sqlite.check_pages(file)
    else:
        postgresql.fill(settings, file, url)
    return check(url, told, differs, progress)

"""Making a backup: all of it under its name, or nothing.

It grows in a folder with another name, which is renamed when everything in it is on the disk.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ledger.backups import manifest, postgresql, sqlite
from ledger.backups.manifest import FILES, Held, Manifest, Progress, kind_of
from ledger.refusal import Refused
from ledger.settings import Settings

SECOND = 1_000_000
A_DAY = 86_400
PART = ".part"
NAMED = re.compile(r"paizhang-\d{8}-\d{6}")


def back_up(
    settings: Settings, folder: Path, now: int, progress: Progress = lambda done, of: None
) -> tuple[Path, Manifest]:
    """Back the database of an installation up into a new folder below a folder; writers go on.

    `now` names it, in microseconds of UTC. Refuses what cannot be written (`backup_unwritten`)
    and a second one within a second (`backup_exists`); nothing is left of it then.
    """
    at, kind = datetime.fromtimestamp(now // SECOND, UTC), kind_of(settings.database_url)
    name = f"paizhang-{at:%Y%m%d-%H%M%S}"
    with _growing(folder, name) as part:
        file = part / FILES[kind]
        file.touch(mode=0o600)
        held = _copy(settings, file, progress)
        told = Manifest(
            format="paizhang-backup/1",
            created_at=at.strftime(manifest.MOMENT),
            release=version("paizhang"),
            database=kind,
            file=file.name,
            size=file.stat().st_size,
            sha256=manifest.digest(file),
            schema=held.schema,
            clubs=held.clubs,
            rows=held.rows,
        )
        manifest.write(part, told)
        _keep(part, folder / name)
    return folder / name, told


def thin(folder: Path, keep: int) -> None:
    """Remove all but the newest backups of a folder; nothing else there is touched."""
    whole = sorted(one for one in folder.iterdir() if NAMED.fullmatch(one.name))
    for old in whole[:-keep]:
        shutil.rmtree(old)


def clear(folder: Path, left: str) -> None:
    """Remove what somebody left in a folder, by a pattern, who was killed more than a day ago."""
    for one in folder.glob(left):
        if time.time() - one.stat().st_mtime > A_DAY:
            shutil.rmtree(one)


def _copy(settings: Settings, file: Path, progress: Progress) -> Held:
    if kind_of(settings.database_url) == "sqlite":
        return sqlite.copy(settings.database_url, file, progress)
    return postgresql.dump(settings, file)


@contextmanager
def _growing(folder: Path, name: str) -> Iterator[Path]:
    """A closed folder in which a backup grows; whatever ends it, nothing is left there."""
    part = None
    try:
        if (folder / name).exists():
            raise Refused("backup_exists", place=folder / name)
        clear(folder, f".paizhang-*{PART}")
        part = Path(tempfile.mkdtemp(prefix=f".{name}-", suffix=PART, dir=folder))
        yield part
    except OSError as fault:
        told = fault.strerror or fault
        raise Refused("backup_unwritten", folder=folder, fault=told) from None
    except sqlite3.Error as fault:
        raise Refused("backup_unwritten", folder=folder, fault=fault) from None
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)


def _keep(part: Path, place: Path) -> None:
    """Give a backup its name when all of it is on the disk, unless another took it meanwhile."""
    for one in (*part.iterdir(), part):
        _sync(one)
    try:
        part.rename(place)
    except OSError as fault:
        if fault.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise
        raise Refused("backup_exists", place=place) from None
    _sync(place.parent)


def _sync(place: Path) -> None:
    opened = os.open(place, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

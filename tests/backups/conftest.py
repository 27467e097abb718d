"""An installation with a club in which a hand was played, settled and shown, to be backed up."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url

from ledger import cli, demo
from ledger.demo import DemoClub
from ledger.settings import Settings, load
from tests.conftest import Administer, address
from tests.deployed import TREE, postgres_programs
from tests.fresh import folded, set_back
from tests.machine import without_settings
from wsgi import House

NUMBERS = count(1)


@pytest.fixture
def house(owner_url: str, tmp_path: Path) -> Iterator[House]:
    """An installation on either kind of database, of its owner."""
    with closing(House(settings(owner_url, tmp_path / "data"))) as house:
        yield house


@pytest.fixture
def sqlite_house(sqlite_url: str, tmp_path: Path) -> Iterator[House]:
    with closing(House(settings(sqlite_url, tmp_path / "data"))) as house:
        yield house


@pytest.fixture
def club(house: House, tmp_path_factory: pytest.TempPathFactory) -> DemoClub:
    return begun(house, tmp_path_factory)


@pytest.fixture
def sqlite_club(sqlite_house: House, tmp_path_factory: pytest.TempPathFactory) -> DemoClub:
    return begun(sqlite_house, tmp_path_factory)


@pytest.fixture
def backup(house: House, club: DemoClub, tmp_path: Path) -> Path:
    assert club
    return back_up(house, tmp_path)


@pytest.fixture
def sqlite_backup(sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path) -> Path:
    assert sqlite_club
    return back_up(sqlite_house, tmp_path)


@pytest.fixture
def empty_url(owner_url: str, administer: Administer, tmp_path: Path) -> Iterator[str]:
    """A database of the same kind without a table, or a file that is not there."""
    url = make_url(owner_url)
    if url.get_backend_name() == "sqlite":
        yield f"sqlite:///{tmp_path}/new/paizhang.db"
        return
    name = f"{url.database}_empty_{next(NUMBERS)}"
    administer("CREATE DATABASE {}", name)
    yield address(owner_url, name)
    administer("DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
def empty(empty_url: str, tmp_path: Path) -> Iterator[House]:
    """An installation on it."""
    with closing(House(settings(empty_url, tmp_path / "new"))) as house:
        yield house


def settings(url: str, data: Path, **more: str) -> Settings:
    """The settings of an installation that finds PostgreSQL's programs."""
    given = {"PAIZHANG_DATABASE_URL": url, "PAIZHANG_DATA": str(data)}
    return load({**given, "PAIZHANG_PG_BIN": str(postgres_programs()), **more})


def begun(house: House, folders: pytest.TempPathFactory) -> DemoClub:
    """What `played` makes of an empty house; in a SQLite file it is played once, then copied."""
    file = house.database.writer.url.database
    if house.database.writer.dialect.name != "sqlite" or file is None:
        return played(house)
    if not _PLAYED:
        club, data = played(house), folders.mktemp("played") / "data"
        house.database.close()
        shutil.copytree(house.settings.data, data)
        _PLAYED.append((folded(Path(file)), data, club))
        return club
    [(content, data, club)] = _PLAYED
    set_back(Path(file), content)
    shutil.copytree(data, house.settings.data, dirs_exist_ok=True)
    return club


_PLAYED: list[tuple[bytes, Path, DemoClub]] = []
"""The file, the data folder and the club, once there is one."""


def played(house: House) -> DemoClub:
    """A club of four with one hand, settled and shown."""
    club = demo.found(house.ledger(), 4)
    play(house, club)
    return club


def play(house: House, club: DemoClub, hands: int = 1) -> None:
    list(demo.play_days(house.ledger(), club, ("huaihua/1",), hands, 1, 1))
    house.settle(club.club)


def run(house: Any, *words: object) -> Result:
    """Run a command in an installation."""
    return CliRunner().invoke(cli.commands, list(map(str, words)), obj=house)


def refused(result: Result) -> str:
    """The sentence with which a command is refused, whatever was told before."""
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return result.stderr.rpartition("Error: ")[2].strip()


def faulty(result: Result) -> str:
    """The first fault that a command found."""
    assert result.exit_code == 1, result.output
    return result.stdout.strip()


def back_up(house: House, folder: Path) -> Path:
    """A backup in a folder, by the command."""
    done = run(house, "backup", "--output", folder, "--json")
    assert done.exit_code == 0, done.output
    return Path(json.loads(done.stdout)["backup"])


def manifest(backup: Path) -> Any:
    return json.loads((backup / "manifest.json").read_text())


def meddle(house: House, statement: str, **values: Any) -> None:
    """Change a database below its locks, as somebody with the file could."""
    with house.database.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("ALTER TABLE events DISABLE TRIGGER ALL"))
        else:
            names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for name in connection.execute(sa.text(names)).scalars().all():
                connection.execute(sa.text(f"DROP TRIGGER {name}"))
        connection.execute(sa.text(statement), values)


def head(house: House, club: str) -> tuple[int, str]:
    """How many events a club's log has, and its last hash."""
    wanted = sa.text("SELECT position, hash FROM heads WHERE club = :club")
    with house.database.read() as connection:
        position, last = connection.execute(wanted, {"club": club}).one()
    return position, bytes(last).hex()


def tell(backup: Path, **changes: Any) -> None:
    """Let a manifest tell something else."""
    (backup / "manifest.json").write_text(json.dumps({**manifest(backup), **changes}))


def in_little_room(house: House, data: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that may write no file of more than 64 KiB.

    It works on the database of an installation, or on its own where its data lie elsewhere.
    """
    given = {"PAIZHANG_DATA": str(data), "PYTHONPATH": str(TREE)}
    if data == house.settings.data:
        given["PAIZHANG_DATABASE_URL"] = house.settings.database_url
    return subprocess.run(
        [sys.executable, str(TREE / "wsgi.py"), *map(str, words)],
        env=without_settings() | given,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)),  # noqa: PLW1509
        capture_output=True,
        text=True,
        check=False,
    )

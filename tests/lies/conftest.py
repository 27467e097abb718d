"""The tests of lies have a club, an honest house and a forger's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import wsgi
from ledger import cli
from ledger.audit.evidence import Evidence, Proven
from ledger.settings import load
from ledger.store import Stored
from projections import cli as projections_cli
from tests.lies.forging import House, Rows, house

Run = Callable[..., Result]
Forge = Callable[[Rows], House]


class Told:
    """An honest house, its club, the log, and what it hands out of the first hand."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        self.club = honest.play()
        self.rows: Rows = honest.rows(self.club)
        start = next(row for row in self.rows if row.type == "HandStarted/2")
        self.table = start.stream.removeprefix("table/")
        self.evidence: Evidence = honest.evidence(self.table, 1)
        self.keys = [honest.key()]

    def event(self, kind: str, number: int = 0) -> Proven:
        """One of the file's events of a type."""
        return [one for one in self.evidence.events if one.type == kind][number]

    def row(self, kind: str, number: int = 0) -> Stored:
        """One of the log's events of a type."""
        return [row for row in self.rows if row.type == kind][number]

    def place(self, kind: str, number: int = 0) -> int:
        """Where in the file an event of a type stands."""
        return self.evidence.events.index(self.event(kind, number))


@pytest.fixture(scope="session")
def told() -> Iterator[Told]:
    with house() as honest:
        yield Told(honest)


@pytest.fixture
def forger() -> Iterator[House]:
    """A database and a signing key of the forger's own."""
    with house() as made:
        yield made


@pytest.fixture
def forge(told: Told, forger: House) -> Forge:
    """Puts a log into another database, and signs it with the honest house's key."""

    def make(rows: Rows) -> House:
        shutil.copy(told.house.key_file, forger.key_file)
        forger.keep(rows)
        forger.sign(told.club)
        return forger

    return make


@contextmanager
def running(data: Path) -> Iterator[Run]:
    """Runs commands on a data folder."""
    projections_cli.add_to(cli.commands)
    house = wsgi.House(load({"PAIZHANG_DATA": str(data)}))

    def run(*words: object) -> Result:
        return CliRunner().invoke(cli.commands, list(map(str, words)), obj=house)

    yield run
    house.close()


@pytest.fixture
def run(told: Told) -> Iterator[Run]:
    """Run a command in the honest house."""
    with running(told.house.folder) as run:
        yield run


@pytest.fixture
def files(told: Told, run: Run, tmp_path: Path) -> Path:
    """What a club hands out: evidence of a hand, a checkpoint, and its public key."""
    evidence, note = tmp_path / "hand.json", tmp_path / "checkpoint.txt"
    assert run("evidence", told.table, 1, "--output", evidence).exit_code == 0
    assert run("checkpoint", told.club, "--output", note).exit_code == 0
    (tmp_path / "key.txt").write_text(run("signing-key").stdout)
    return tmp_path


def abroad(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command where there is no database, nor any way to one."""
    environ = {"PAIZHANG_DATA": str(folder / "nothing"), "PATH": os.environ["PATH"]}
    command = [sys.executable, wsgi.__file__, *map(str, words)]
    return subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


def abroad_in(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a data folder."""
    command = [sys.executable, wsgi.__file__, *words]
    environ = {"PAIZHANG_DATA": str(data), "PATH": os.environ["PATH"]}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

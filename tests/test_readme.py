"""The README is true: its example of recording a hand runs as it stands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from waitress.server import create_server

from ledger import demo
from ledger.settings import Settings, load
from wsgi import House, create_app

TREE = Path(__file__).parent.parent
PYTHON = Path(sys.executable).resolve().parent
EXAMPLE = re.compile(r"```bash\n(.*?)```", re.DOTALL)


@pytest.fixture
def served(sqlite_url: str, tmp_path: Path) -> Iterator[tuple[Settings, int]]:
    """A web server on a free port, on an installation of its own."""
    data = {"PAIZHANG_DATA": str(tmp_path), "PAIZHANG_DATABASE_URL": sqlite_url}
    settings = load(data)
    app = create_app(settings)
    server = create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield settings, server.effective_port
    server.close()
    thread.join(10)
    app.extensions["house"].close()


@pytest.fixture
def script() -> str:
    """The example's lines."""
    script: str
    (script,) = EXAMPLE.findall((TREE / "README.md").read_text(encoding="utf-8"))
    assert len(script.splitlines()) == 10
    return script.replace(".venv/bin/paizhang", f"{sys.executable} {TREE / 'wsgi.py'}")


def test_the_example_records_a_hand_to_its_end(
    served: tuple[Settings, int], script: str, tmp_path: Path
) -> None:
    """Given a demo club, when the example's lines are run in bash, then the hand has an end."""
    settings, port = served
    house = House(settings)
    club = demo.found(house.ledger(), 4).club
    house.close()

    done = _bash(
        script,
        {
            "club": club,
            "api": f"http://127.0.0.1:{port}/v1",
            "PAIZHANG_DATA": str(tmp_path),
            "PAIZHANG_DATABASE_URL": str(settings.database_url),
        },
    )

    assert done.stdout.strip() in ("win", "exhausted"), done.stderr


def test_without_a_club_the_example_says_what_is_wrong(script: str, sqlite_url: str) -> None:
    """Given no `club=… api=…` line, then the command's own sentence is all that is said."""
    done = _bash(script, {"club": "", "api": "", "PAIZHANG_DATABASE_URL": sqlite_url})

    assert done.stdout == ""
    assert done.stderr.startswith("Error: There is no such club.")
    assert done.stderr.count("\n") == 1


def _bash(script: str, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run it with this `python3` first: where one is chosen by a script, each start takes long."""
    assert shutil.which("curl"), "NOT RUN: curl is missing; `make system` installs it"
    return subprocess.run(
        ["bash", "-c", script],
        env=os.environ | environ | {"PATH": f"{PYTHON}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

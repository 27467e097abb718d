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


def test_the_example_records_a_hand_to_its_end(
    served: tuple[Settings, int], tmp_path: Path
) -> None:
    """Given a demo club, when the example's lines are run in bash, then the hand has an end."""
    settings, port = served
    house = House(settings)
    club = demo.found(house.ledger(), 4).club
    house.close()
    (script,) = EXAMPLE.findall((TREE / "README.md").read_text(encoding="utf-8"))
    assert len(script.splitlines()) == 10

    done = _bash(
        script.replace(":8000", f":{port}").replace(".venv/bin/paizhang", _paizhang()),
        {
            "club": club,
            "PAIZHANG_DATA": str(tmp_path),
            "PAIZHANG_DATABASE_URL": str(settings.database_url),
        },
    )

    assert done.stdout.strip() in ("win", "exhausted"), done.stderr


def _bash(script: str, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    assert shutil.which("curl"), "NOT RUN: curl is missing; `make system` installs it"
    return subprocess.run(
        ["bash", "-c", script],
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _paizhang() -> str:
    return f"{sys.executable} {TREE / 'wsgi.py'}"

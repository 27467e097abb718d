"""`paizhang run`: a service with a demo club from one command, and again on the same folder."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import wsgi
from tests.machine import without_settings

TREE = Path(__file__).parent.parent
PATIENCE = 120
HANDS = 3
RUN = f"""
import sys
import wsgi

sys.argv[1:] = ["run"]
wsgi.DEMO_HANDS = {HANDS}
wsgi.main()
"""
"""`paizhang run` with a shorter demo."""


def test_the_first_start_plays_a_demo_club_and_the_next_goes_on_with_it(tmp_path: Path) -> None:
    """Given an empty folder, then its hands are played and shown; a new start keeps them.

    It says where the docs are, and what a shell needs to go on from there. There are 20 hands;
    3 of them are enough here.
    """
    assert wsgi.DEMO_HANDS == 20
    with _service(tmp_path) as first:
        shown = _get(first)
        assert len(shown["data"]) == 8
        assert sum(member["points"] for member in shown["data"]) == 0
        assert sum(member["hands"] for member in shown["data"]) == HANDS * 4
        assert "Another service runs on the data folder" in _refused(tmp_path, port=1)
        base, _, club = first.address.removesuffix("/balances").partition("/v1/clubs/")
        assert first.lines[-3:-1] == [
            f"The API, described and ready to be tried: {base}/docs",
            f"club={club} api={base}/v1",
        ]

    with _service(tmp_path) as second:
        assert _get(second) == shown
        assert _status(second, key=first.key) == 401


def test_a_second_service_on_the_same_address_says_so(tmp_path: Path) -> None:
    """Given an address that is taken, then the start is refused in a sentence."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "in use" in _refused(tmp_path, port=taken.getsockname()[1])


def test_a_data_folder_that_cannot_be_is_told_in_a_sentence(tmp_path: Path) -> None:
    """Given a file where the folder should be, then the start is refused with its name."""
    (tmp_path / "data").write_text("")
    assert str(tmp_path / "data") in _refused(tmp_path, port=1)


def _refused(folder: Path, port: int) -> str:
    """What a service says that does not start; a sentence, never a traceback."""
    done = subprocess.run(
        [sys.executable, str(TREE / "wsgi.py"), "run"],
        env=_environ(folder, port),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


class _Printed:
    """What the service prints; the last line is `curl`, with an address and a key."""

    def __init__(self, stdout: Iterable[str]) -> None:
        self.lines = []
        for line in stdout:
            self.lines.append(line.rstrip())
            if line.startswith("curl "):
                break
        words = shlex.split(self.lines[-1])
        self.address = words[-1]
        self.key = words[2].removeprefix("Authorization: ")


@contextmanager
def _service(folder: Path) -> Iterator[_Printed]:
    """A running service; when it is left, Ctrl-C must stop it cleanly and leave nothing behind."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN],
        env=_environ(folder, port) | {"PYTHONPATH": str(TREE)},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield _Printed(process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    assert {path.name for path in folder.iterdir()} == {"data"}


def _environ(folder: Path, port: int) -> dict[str, str]:
    return without_settings() | {"PAIZHANG_DATA": str(folder / "data"), "PAIZHANG_PORT": str(port)}


def _get(printed: _Printed) -> Any:
    request = urllib.request.Request(printed.address, headers={"Authorization": printed.key})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def _status(printed: _Printed, key: str) -> int:
    request = urllib.request.Request(printed.address, headers={"Authorization": key})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    refused.value.close()
    return refused.value.code

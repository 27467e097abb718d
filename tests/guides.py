"""A guide is true: its commands run as they stand, the answers that it shows are the real ones."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

from ledger import demo
from ledger.access import OPERATOR
from ledger.settings import load
from ledger.streams.roles import ROLES
from tests.fresh import fresh
from tests.machine import free_port, without_settings
from wsgi import House

TREE = Path(__file__).parent.parent
DOCS = TREE / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(r"Save this as `(\S+)`:\n\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PATIENCE = 120
BETWEEN = "\x1e"
"""What is printed after each block, so that every answer is known by its command."""

Block = tuple[str, str]


def follow(page: Path, folder: Path) -> list[tuple[str, str, str]]:
    """Follow a guide in a fresh demo club: each command whose answer is not what is shown.

    With the command come what is shown and what was answered.
    """
    text = page.read_text(encoding="utf-8")
    for name, program in PROGRAM.findall(text):
        (folder / name).write_text(program, encoding="utf-8")
    blocks = BLOCK.findall(text)
    with _service(folder / "data") as (api, club):
        commands = [block for kind, block in blocks if kind == "bash"]
        answers = _answers(commands, folder, {"api": api, "club": club})
    expected = list(_shown(blocks))
    assert sum(map(len, expected)) == sum(kind in FITS for kind, _ in blocks) > 0
    return [
        (command, shown, answer)
        for command, answer, following in zip(commands, answers, expected, strict=True)
        for kind, shown in following
        if not FITS[kind](shown, answer)
    ]


def who_may(page: Path) -> dict[str, dict[str, str]]:
    """A guide's table of who may do what: for each line what stands under each role."""
    lines = page.read_text(encoding="utf-8").splitlines()
    [head] = [place for place, line in enumerate(lines) if line.startswith("| | `owner`")]
    roles = re.findall("`([a-z]+)`", lines[head])
    assert roles == list(ROLES)
    rows = takewhile(lambda line: line.startswith("|"), lines[head + 2 :])
    cells = ([cell.strip() for cell in row.split("|")[1:-1]] for row in rows)
    return {line: dict(zip(roles, told, strict=True)) for line, *told in cells}


def wrong_marks(
    marks: dict[str, dict[str, str]], acts: dict[str, list[str]], opened: dict[str, set[str]]
) -> list[tuple[str, str, set[str]]]:
    """The routes behind a line of such a table that are open to other roles than have a mark."""
    told = {line: {role for role, mark in row.items() if mark} for line, row in marks.items()}
    assert told.keys() == acts.keys()
    return [
        (line, route, opened[route])
        for line, routes in acts.items()
        for route in routes
        if told[line] != opened[route] - {OPERATOR}
    ]


def _shown(blocks: list[Block]) -> Iterator[list[Block]]:
    """For each block of commands the answer that is shown after it, if there is one."""
    for place, (kind, _) in enumerate(blocks):
        if kind == "bash":
            yield [after for after in blocks[place + 1 : place + 2] if after[0] in FITS]


# --- the service, and the commands ------------------------------------------------------------


@contextmanager
def _service(data: Path) -> Iterator[tuple[str, str]]:
    """`paizhang run` on a data folder in which a club of eight waits: its API, and the club."""
    port = free_port()
    environ = _environ(data) | {"PAIZHANG_PORT": str(port)}
    club = _found_club(environ)
    process = subprocess.Popen(
        [sys.executable, str(TREE / "wsgi.py"), "run"],
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            assert any(line.startswith("curl ") for line in process.stdout), "no service"
            yield f"http://127.0.0.1:{port}/v1", club
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def _environ(data: Path) -> dict[str, str]:
    return without_settings() | {"PAIZHANG_DATA": str(data)}


def _found_club(environ: dict[str, str]) -> str:
    house = House(load(environ))
    house.settings.data.mkdir()
    assert fresh(house.settings.data / "paizhang.db") == house.settings.database_url
    club = demo.found(house.ledger(), 8).club
    house.close()
    return club


def _answers(commands: list[str], folder: Path, variables: dict[str, str]) -> list[str]:
    """What each block of commands prints, one after the other in the same shell."""
    assert shutil.which("curl"), "NOT RUN: curl is missing; `make system` installs it"
    script = "".join(f"{command}\nprintf '\\x1e'\n" for command in commands)
    for written, here in {
        ".venv/bin/python": sys.executable,
        ".venv/bin/paizhang": f"{sys.executable} {TREE / 'wsgi.py'}",
    }.items():
        script = script.replace(written, here)
    done = subprocess.run(
        ["bash", "-euc", script],
        cwd=folder,
        env=_environ(folder / "data") | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.split(BETWEEN)[:-1]


# --- what is shown, and what was answered -----------------------------------------------------


def _text_fits(shown: str, answer: str) -> bool:
    """Line by line; `…` stands for anything."""
    checker = doctest.OutputChecker()
    return checker.check_output(shown.replace("…", "..."), answer, doctest.ELLIPSIS)


def _json_fits(shown: str, answer: str) -> bool:
    return _fits(json.loads(shown), json.loads(answer))


def _http_fits(shown: str, answer: str) -> bool:
    """The status, and of the headers and of the body what is shown."""
    [status, *headers], body = _parts(shown)
    [told_status, *told_headers], told_body = _parts(answer)
    named = dict(header.split(": ", 1) for header in map(str, told_headers))
    told = {name.lower(): value for name, value in named.items()}
    return (
        status == told_status
        and all(
            _fits(value, told.get(name.lower()))
            for name, value in (header.split(": ", 1) for header in headers)
        )
        and (not body or _json_fits(body, told_body))
    )


def _parts(message: str) -> tuple[list[str], str]:
    head, _, body = message.replace("\r\n", "\n").partition("\n\n")
    return head.splitlines(), body


def _fits(shown: Any, told: Any) -> bool:
    """Whether what is shown is a part of what was told, with anything where there is a `…`."""
    if isinstance(shown, dict):
        return (
            isinstance(told, dict)
            and shown.keys() <= told.keys()
            and all(_fits(shown[name], told[name]) for name in shown)
        )
    if isinstance(shown, list):
        return isinstance(told, list) and _lists_fit(shown, told)
    if isinstance(shown, str) and "…" in shown:
        pattern = ".*".join(map(re.escape, shown.split("…")))
        return told is not None and re.fullmatch(pattern, str(told)) is not None
    return type(shown) is type(told) and shown == told


def _lists_fit(shown: list[Any], told: list[Any]) -> bool:
    """Item by item; a last `…` stands for all that follow."""
    if shown and shown[-1] == "…" and len(shown) <= len(told):
        shown, told = shown[:-1], told[: len(shown) - 1]
    return len(shown) == len(told) and all(map(_fits, shown, told))


FITS = {"text": _text_fits, "json": _json_fits, "http": _http_fits}

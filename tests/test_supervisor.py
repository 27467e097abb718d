"""The supervisor keeps commands running, ends them together and leaves none behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.machine import until

SUPERVISING = """
import logging, sys
from pathlib import Path
from ledger.supervisor import supervise

logging.basicConfig(format="%(message)s")
folder = Path(sys.argv[1])
python = [sys.executable, "-I", "-S"]
commands = {path.stem: [*python, str(path)] for path in sorted(folder.glob("*.py"))}
"""
CHILD = """
import os, signal, sys, time
from pathlib import Path

born = Path(__file__).with_suffix(".born")
def say():
    with born.open("a") as file:
        file.write(f"{os.getpid()} {os.getsid(0)}\\n")
"""
WAITS = "say(); time.sleep(60)"
IGNORES_TERM = "signal.signal(signal.SIGTERM, signal.SIG_IGN); say(); time.sleep(60)"
ENDS_CLEANLY = """
def ended(number, frame):
    print("ended cleanly", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, ended); say(); time.sleep(60)
"""
DIES = "say(); sys.exit(3)"
WAITS_FOR_SETTLE = """
while not born.with_name("settle.born").exists():
    time.sleep(0.01)
"""

Start = Callable[..., "Supervised"]


class Supervised:
    """A supervisor in a process of its own, over commands that write down their births."""

    def __init__(self, folder: Path, call: str, children: dict[str, str]) -> None:
        self.folder = folder
        for name, code in children.items():
            (folder / f"{name}.py").write_text(CHILD + code)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SUPERVISING + call, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def births(self, name: str, at_least: int = 1) -> list[tuple[int, int]]:
        """The pid and session of each life of a command, once there are that many."""
        born = self.folder / f"{name}.born"
        until(
            lambda: born.exists() and born.read_text().count("\n") >= at_least,
            patience=5,
            pause=0.01,
        )
        lives = [line.split() for line in born.read_text().splitlines()]
        return [(int(pid), int(session)) for pid, session in lives]

    def pids(self) -> list[int]:
        """The pid of every life of every command so far."""
        return [pid for path in self.folder.glob("*.py") for pid, _ in self.births(path.stem)]

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; the exit status and the output that follow."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """The exit status and the output, once it has ended."""
        output, _ = self.process.communicate(timeout=5)
        return self.process.returncode, output


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a supervisor; in the end nothing of it is left."""
    started: list[Supervised] = []

    def start(call: str = "sys.exit(supervise(commands))", **children: str) -> Supervised:
        started.append(Supervised(tmp_path, call, children))
        return started[-1]

    yield start
    for supervised in started:
        with supervised.process as process:
            process.kill()
        for pid in filter(alive, supervised.pids()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    """Whether a process runs (one that waits to be reaped does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_command_with_one_term_and_status_zero(
    start: Start, stop: signal.Signals
) -> None:
    supervised = start(web=ENDS_CLEANLY, settle=ENDS_CLEANLY)
    pids = supervised.pids()
    status, output = supervised.end(stop)
    assert (status, output.count("ended cleanly")) == (0, 2)
    assert not any(map(alive, pids))


def test_every_command_has_a_session_of_its_own(start: Start) -> None:
    supervised = start(web=WAITS, settle=WAITS)
    lives = [*supervised.births("web"), *supervised.births("settle")]
    assert all(pid == session for pid, session in lives)


@pytest.mark.holds("the service itself is killed with -9")
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel does it on Linux only")
@pytest.mark.parametrize("child", [WAITS, IGNORES_TERM])
def test_no_command_outlives_a_supervisor_that_is_killed(start: Start, child: str) -> None:
    supervised = start(web=child, settle=child)
    pids = supervised.pids()
    supervised.process.kill()
    until(lambda: not any(map(alive, pids)), patience=5, pause=0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel does it on Linux only")
def test_a_command_does_not_begin_when_its_supervisor_has_ended_already(tmp_path: Path) -> None:
    from ledger import supervisor

    ran = tmp_path / "ran"
    not_our_pid = str(os.getppid())
    shim = [sys.executable, "-I", "-S", supervisor.__file__, not_our_pid]
    subprocess.run([*shim, "touch", str(ran)], check=True)
    assert not ran.exists()


@pytest.mark.holds("a process does not stop when it is told to")
def test_a_command_that_ignores_term_is_killed_after_the_patience(start: Start) -> None:
    supervised = start("sys.exit(supervise(commands, patience=0.2))", web=IGNORES_TERM)
    pids = supervised.pids()
    status, output = supervised.end(signal.SIGTERM)
    assert (status, output) == (1, "web did not end and is killed\n")
    assert not any(map(alive, pids))


@pytest.mark.holds("one of the service's processes dies")
def test_a_command_that_is_killed_starts_again(start: Start) -> None:
    supervised = start("sys.exit(supervise(commands, pauses=(0.05,)))", web=WAITS, settle=WAITS)
    (pid, _), (settle, _) = supervised.births("web")[0], supervised.births("settle")[0]
    os.kill(pid, signal.SIGKILL)
    again, _ = supervised.births("web", at_least=2)[1]
    assert alive(again)
    assert alive(settle)
    status, output = supervised.end(signal.SIGTERM)
    assert (status, output) == (0, "web ended with status -9, again in 0.05 s\n")


@pytest.mark.holds("one of the service's processes dies at every start")
def test_a_command_that_always_dies_ends_all_after_the_last_pause(start: Start) -> None:
    supervised = start(
        "sys.exit(supervise(commands, pauses=(0.01, 0.2)))",
        web=WAITS_FOR_SETTLE + DIES,
        settle=ENDS_CLEANLY,
    )
    status, output = supervised.ended()
    assert status == 1
    assert output.splitlines() == [
        "web ended with status 3, again in 0.01 s",
        "web ended with status 3, again in 0.2 s",
        "web ended with status 3, too often",
        "ended cleanly",
    ]
    assert len(supervised.births("web")) == 3


def test_a_command_that_ran_steadily_begins_with_the_first_pause_again(
    start: Start,
) -> None:
    supervised = start("sys.exit(supervise(commands, pauses=(0.01,), steady=0))", web=DIES)
    supervised.births("web", at_least=4)
    status, output = supervised.end(signal.SIGTERM)
    assert status == 0
    assert set(output.splitlines()) == {"web ended with status 3, again in 0.01 s"}


def test_ready_runs_once_beside_the_commands_which_are_looked_after(start: Start) -> None:
    ready = """
def ready():
    import time
    print("ready", flush=True)
    time.sleep(0.2)
sys.exit(supervise(commands, ready, pauses=(0.01,) * 3))
"""
    supervised = start(ready, web=DIES)
    status, output = supervised.ended()
    assert status == 1
    assert output.count("ready") == 1


def test_an_error_in_ready_ends_all_and_is_raised(start: Start) -> None:
    failing = """
def ready():
    while not (folder / "web.py").with_suffix(".born").exists():
        pass
    raise RuntimeError("no demo today")
supervise(commands, ready)
"""
    supervised = start(failing, web=ENDS_CLEANLY)
    status, output = supervised.ended()
    assert status == 1
    assert "RuntimeError: no demo today" in output
    assert not any(map(alive, supervised.pids()))


def test_a_command_that_is_not_there_is_one_that_dies(start: Start) -> None:
    supervised = start('sys.exit(supervise({"web": ["/nowhere/web"]}, pauses=()))')
    status, output = supervised.ended()
    assert status == 1
    assert "web ended with status 1, too often" in output

"""Supervisor: runs the commands of one installation side by side, and ends them together.

Every command gets a session of its own, so a Ctrl-C reaches only the supervisor, which passes
it on once. On Linux a command also dies with its supervisor, however that one ends.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TICK = 0.05
PR_SET_PDEATHSIG = 1

_log = logging.getLogger(__name__)


def supervise(
    commands: Mapping[str, Sequence[str]],
    ready: Callable[[], None] = lambda: None,
    *,
    patience: float = 10.0,
    pauses: Sequence[float] = (0.5, 1, 2, 5, 10),
    steady: float = 60.0,
) -> int:
    """Run commands by name until a signal asks to stop, and say the exit status.

    A command that ends is started again after the next of the pauses; once they are used up,
    all stop (status 1). One that ran for `steady` seconds begins with the first pause again.
    To stop is to send each one TERM and, after `patience` seconds, KILL (status 1). `ready`
    runs once beside the commands; if it fails, all stop and its error is raised. Call this
    from the main thread: commands die with the thread that started them.
    """
    children: list[_Child] = []
    failures: list[BaseException] = []
    herald = Thread(target=_noting, args=(failures, ready), daemon=True)
    with _signals() as asked:
        try:
            for name, command in commands.items():
                children.append(_Child(name, command, pauses, steady))
            herald.start()
            while not (asked or failures) and all(child.tend() for child in children):
                time.sleep(TICK)
        finally:
            ended = _end(children, patience)
        herald.join(patience)
    if failures and not asked:
        raise failures[0]
    return 0 if asked and ended else 1


@dataclass
class _Child:
    """A command that is kept running."""

    name: str
    command: Sequence[str]
    pauses: Sequence[float]
    steady: float
    deaths: int = 0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(_dying_with_us(self.command), start_new_session=True)
        self.started = time.monotonic()
        self.again: float | None = None

    def tend(self) -> bool:
        """Start the command again when its pause is over; false when it died too often."""
        now = time.monotonic()
        if self.again is None and self.process.poll() is not None:
            return self.bury(now)
        if self.again is not None and now >= self.again:
            self.start()
        return True

    def bury(self, now: float) -> bool:
        """Begin the next pause; false when none is left."""
        self.deaths = 0 if now - self.started >= self.steady else self.deaths
        left = self.pauses[self.deaths :]
        then = f"again in {left[0]:g} s" if left else "too often"
        _log.warning("%s ended with status %d, %s", self.name, self.process.returncode, then)
        self.deaths += 1
        self.again = now + left[0] if left else None
        return bool(left)

    def end(self, last: float) -> bool:
        """Wait for the command to end; kill it, and what it started, if it has not by then."""
        try:
            self.process.wait(max(0, last - time.monotonic()))
        except subprocess.TimeoutExpired:
            _log.error("%s did not end and is killed", self.name)
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return False
        return True


def _end(children: Sequence[_Child], patience: float) -> bool:
    """Ask every command to end; true if none had to be killed."""
    for child in children:
        child.process.terminate()
    last = time.monotonic() + patience
    ended = [child.end(last) for child in children]
    return all(ended)


def _noting(failures: list[BaseException], ready: Callable[[], None]) -> None:
    """Run `ready` in a thread, where an error would be lost."""
    try:
        ready()
    except BaseException as failure:
        failures.append(failure)


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signals that asked to stop; the handlers from before come back afterwards."""
    asked: list[int] = []
    before = [(stop, signal.signal(stop, lambda got, _: asked.append(got))) for stop in STOPS]
    try:
        yield asked
    finally:
        for stop, handler in before:
            signal.signal(stop, handler)


def _dying_with_us(command: Sequence[str]) -> list[str]:
    """The command behind a small program that binds it to this process (a thread-safe preexec)."""
    if sys.platform != "linux":
        return list(command)
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(sys.argv[1]):  # it may have ended before the line above
        os.execvp(sys.argv[2], sys.argv[2:])

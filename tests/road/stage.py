"""The stage: tasks that take turns as a seed has it, and what befalls them between two steps.

Each task runs in a thread of its own, and only while it has the turn: so production code runs as
it stands, and yet one seed always gives one course. A step is a statement, a commit, or what a
task names itself. SQLite's lock is kept here, so that nobody waits for it in earnest.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from threading import Lock, Thread
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from ledger.database import Database
from ledger.refusal import Refused

RATES: dict[str, tuple[float, ...]] = {
    "killed": (0, 0.003, 0.015),
    "failed": (0, 0.003, 0.015),
    "switched": (0.02, 0.2, 0.5),
    "clock jumped": (0, 0.02, 0.1),
    "hint lost": (0, 0.2, 1),
    "hint doubled": (0, 0.3),
    "answer lost": (0, 0.2),
}
"""How often what happens: each world draws its own rates, so some are calm and some wild."""

FAILURES = ("database is locked", "disk I/O error", "database or disk is full")
LAST_STEPS = 60


class Killed(BaseException):
    """The process is gone, as after kill -9; nothing of it goes on."""


class Task:
    """A piece of work of a process, whose outcome is what it gave or what ended it."""

    def __init__(self, process: str, name: str, work: Callable[[], Any]) -> None:
        self.process = process
        self.name = name
        self.outcome: Any = None
        self.waits = False
        self.doomed = False
        self.dying = False
        self.ended = False
        self.turn = _taken()
        self._work = work

    def run(self, back: Lock) -> None:
        """The thread: waits for its first turn, and gives the last one back."""
        self.turn.acquire()
        try:
            self.outcome = self._work()
        except BaseException as ended:
            self.outcome = ended
        self.ended = True
        back.release()


class Stage:
    """Who has the turn, what may befall him, and what has happened."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.rates = {what: rng.choice(rates) for what, rates in RATES.items()}
        self.tasks: list[Task] = []
        self.happened: Counter[str] = Counter()
        self.steps: deque[tuple[str, str]] = deque(maxlen=LAST_STEPS)
        self.taken = 0
        self.acting: Task | None = None
        self.locked = False
        self.is_calm = False
        self._back = _taken()
        self._then: dict[Task, tuple[Thread, Callable[[Any], None]]] = {}

    def strikes(self, what: str) -> bool:
        """Whether something befalls the one who asks, this time."""
        if self.rng.random() >= self.rates[what]:
            return False
        self.happened[what] += 1
        return True

    def calm(self) -> None:
        """Nothing befalls anybody any more, and nobody comes between."""
        self.rates = dict.fromkeys(self.rates, 0)
        self.is_calm = True

    def start(
        self, process: str, name: str, work: Callable[[], Any], then: Callable[[Any], None]
    ) -> None:
        """Begin a task that waits for its turn; `then` is told what came of it."""
        task = Task(process, name, work)
        thread = Thread(target=task.run, args=(self._back,), daemon=True)
        self._then[task] = thread, then
        self.tasks.append(task)
        thread.start()

    def go_on(self) -> None:
        """Give one of the tasks the turn until it pauses or ends; who waits for the lock waits."""
        able = [task for task in self.tasks if not (self.locked and task.waits)]
        task = self.rng.choice(able)
        if not self._give_turn(task):
            return
        _, then = self._then.pop(task)
        if isinstance(task.outcome, BaseException) and not is_expected(task.outcome):
            raise AssertionError(f"{task.name} ended with a fault") from task.outcome
        then(task.outcome)

    def finish(self) -> None:
        """Let every task come to its end."""
        while self.tasks:
            self.go_on()

    def close(self) -> None:
        """End what still runs, whatever comes of it."""
        for task in self.tasks:
            task.doomed = True
        while self.tasks:
            self._give_turn(self.tasks[0])

    def kill(self, process: str) -> None:
        """End a process with all that it is about, wherever each of its tasks stands."""
        for task in self.tasks:
            task.doomed = task.doomed or task.process == process

    def moment(self, what: str) -> None:
        """Between two steps of a task: others may come first, and it may be over."""
        task = self.acting
        if task is None or task.dying or (self.is_calm and not task.doomed):
            return
        self.steps.append((task.name, what))
        self.taken += 1
        if self.strikes("switched"):
            self.pause()
        if task.doomed or self.strikes("killed"):
            self._die(task)
        if not what.startswith("ROLLBACK") and self.strikes("failed"):
            failure = self.rng.choice(FAILURES)
            self.steps.append((task.name, failure))
            raise OperationalError(what, {}, sqlite3.OperationalError(failure))

    def pause(self) -> None:
        """Let others come first."""
        task = self.acting
        assert task is not None
        self._back.release()
        task.turn.acquire()
        if task.doomed:
            self._die(task)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """SQLite's lock, for which everybody waits who wants to write."""
        self.moment("waits for the lock")
        if self.locked:
            self._wait()
        self.locked = True
        try:
            yield
        finally:
            self.locked = False

    def told(self) -> list[str]:
        """The last steps before it was calm."""
        return [f"{name}: {_short(what)}" for name, what in self.steps]

    def _wait(self) -> None:
        """Let others come first until the lock is free."""
        task = self.acting
        assert task is not None
        self.happened["waited for the lock"] += 1
        task.waits = True
        while self.locked:
            self.pause()
        task.waits = False

    def _give_turn(self, task: Task) -> bool:
        """Let a task act; says whether it has ended."""
        self.acting = task
        task.turn.release()
        self._back.acquire()
        self.acting = None
        if task.ended:
            self.tasks.remove(task)
            self._then[task][0].join()
        return task.ended

    def _die(self, task: Task) -> None:
        task.dying = True
        self.steps.append((task.name, "is killed"))
        raise Killed


@dataclass(frozen=True, kw_only=True)
class Shaken(Database):
    """A database on the stage: before each statement and about each commit is a moment."""

    stage: Stage

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes; between its commit and what follows, anything may happen."""
        with self.stage.lock(), super().write() as connection:
            yield connection
        self.stage.moment("has committed")


@contextmanager
def shaken(database: Database, stage: Stage) -> Iterator[Database]:
    """A database as the stage has it, while this lasts."""

    def statement(_: Any, __: Any, statement: str, *___: Any) -> None:
        stage.moment(statement)

    def commit(_: Connection) -> None:
        stage.moment("COMMIT")

    event.listen(database.writer, "commit", commit)
    for engine in (database.writer, database.reader):
        event.listen(engine, "before_cursor_execute", statement)
    try:
        yield Shaken(database.writer, database.reader, stage=stage)
    finally:
        stage.close()
        event.remove(database.writer, "commit", commit)
        for engine in (database.writer, database.reader):
            event.remove(engine, "before_cursor_execute", statement)


def is_broken(outcome: object) -> bool:
    """Whether a task was killed, or failed with its database: nobody got an answer."""
    if isinstance(outcome, OperationalError):
        return str(outcome.orig) in FAILURES
    return isinstance(outcome, Killed)


def is_expected(outcome: object) -> bool:
    """Whether a task may end so: refused, killed, or failed with its database."""
    return isinstance(outcome, Refused) or is_broken(outcome)


def _short(statement: str) -> str:
    """What a statement does, and to which table."""
    table = re.search(r"(?:FROM|INTO|UPDATE) (\w+)", statement)
    return f"{statement.split(maxsplit=1)[0]} {table[1]}" if table else statement


def _taken() -> Lock:
    lock = Lock()
    lock.acquire()
    return lock

"""A deterministic world: clubs that play while everything goes wrong, all of it by one seed.

In it are game servers and officers who ask again where they hear no answer, a web server, two
workers, a beat, a console that rebuilds, readers, and hints that get lost, doubled and out of
order. At the end nothing befalls anybody any more, and all comes to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any
from unittest import mock

from structlog.testing import capture_logs

from ledger import jobs, settlement, store
from ledger.acts import Desk, NewKey
from ledger.database import Database
from ledger.keyset import Page
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import load
from ledger.store import Stored
from projections import checkpoint, projection
from projections.balances import club_balances
from tests.road.clients import Client, Club, Officer, Operator, Request, Server
from tests.road.stage import Stage, is_broken, shaken
from tests.world import SECOND, START

STEPS = 170
MOST_TASKS = 6
HOUR = 3600 * SECOND
WORKERS = ("worker 1", "worker 2")
PROCESSES = ("web", "console", *WORKERS)
ATTEMPTS = (1, 2, 5)
LEASE_SECONDS = 1
ROUNDS = 50

REFUSALS = {
    "hand_not_running",
    "hand_running",
    "key_invalid",
    "no_hand_running",
    "settlement_pending",
    "table_closed",
    "version_stale",
}
"""What may be refused where several ask at once; any other first refusal is a fault."""


@dataclass
class Tail:
    """A reader who follows the log of a club, and all that he was given."""

    club: str
    read: list[Stored]


@dataclass
class Look:
    """What was seen of a club's balances: of which generation, and up to which position."""

    club: str
    generation: int
    position: int
    points: dict[str, int]


class World:
    """All who act, and what was asked, answered and seen."""

    def __init__(self, database: Database, clubs: list[Club], rng: Random, stage: Stage) -> None:
        self.database = database
        self.rng = rng
        self.stage = stage
        self.time = START
        self.seconds = 0.0
        self.web = Ledger(database, self.clock, rng.randbytes, self._hint)
        self.silent = Ledger(database, self.clock, rng.randbytes, lambda *_: None)
        self.settings = replace(
            load({"PAIZHANG_DATA": "/nowhere"}),
            max_attempts=rng.choice(ATTEMPTS),
            lease_seconds=LEASE_SECONDS,
        )
        self.clubs = clubs
        self.clients = list(self._clients())
        self.requests: list[Request] = []
        self.hints: list[tuple[str, Callable[[], None]]] = []
        self.tails = [Tail(club.id, []) for club in clubs]
        self.looks: list[Look] = []
        self.parked: list[str | None] = []

    def clock(self) -> int:
        """Microseconds of UTC, on a machine whose clock is set now and then."""
        if self.stage.strikes("clock jumped"):
            self.time += self.rng.randrange(-2 * HOUR, 2 * HOUR)
        self.time += self.rng.randrange(SECOND)
        return self.time

    def monotonic(self) -> float:
        """The seconds by which batches are measured."""
        self.seconds += self.rng.choice((0.0001, 0.0001, 0.0001, 0.02))
        return self.seconds

    def run(self) -> None:
        """Everything at once, and then rest."""
        doings = (
            *(self._ask,) * 10,
            *(self._deliver,) * 8,
            *(self._look,) * 3,
            *(self._follow,) * 2,
            self._repeat,
            *(self._beat,) * 3,
            self._catch_up,
            self._rebuild,
            self._kill,
        )
        while self.stage.taken < STEPS:
            tasks = self.stage.tasks
            if tasks and (len(tasks) == MOST_TASKS or self.rng.random() < 0.7):
                self.stage.go_on()
            else:
                self.rng.choice(doings)()
        self._rest()

    # --- clients ------------------------------------------------------------------------------

    def _clients(self) -> Iterator[Client]:
        for club in self.clubs:
            for caller, table in zip(club.recorders, club.tables, strict=True):
                yield from [Server(self.rng, self.database, club, caller, table)] * 8
            yield from (Officer(self.rng, self.database, club) for _ in range(3))
        yield Operator(self.clubs[0])

    def _ask(self) -> None:
        """A client asks the next thing, or again, also where the first is still being done."""
        client = self.rng.choice(self.clients)
        if client.pending is None:
            client.pending = client.ask(f"command {len(self.requests)}")
            self.requests.append(client.pending)
        elif client.pending.running and self.rng.random() < 0.9:
            return
        self._send(client.pending)

    def _repeat(self) -> None:
        """An old request comes once more, after whatever its client has asked since."""
        if self.requests:
            self._send(self.rng.choice(self.requests))

    def _send(self, request: Request) -> None:
        desk = Desk(self.web, request.caller, request.client.club.id, request.asked)
        request.running += 1
        self.stage.start(
            "web", request.key, partial(request.call, desk), partial(self._answered, request)
        )

    def _answered(self, request: Request, outcome: Any) -> None:
        request.running -= 1
        client = request.client
        pending = client.pending is request
        if is_broken(outcome):
            return
        if isinstance(outcome, Refused):
            self.stage.happened[outcome.code] += 1
            assert request.refused or outcome.code in REFUSALS, outcome
            assert request.answer is None, f"{request.key} was done, and is refused: {outcome}"
            request.refused = True
            if pending:
                client.pending = None
                client.refused(outcome.code)
            return
        self._keep(request, outcome)
        if pending and not self.stage.strikes("answer lost"):
            client.pending = None
            request.heard(outcome)

    def _keep(self, request: Request, outcome: Any) -> None:
        """Keep the first answer to a request; every later one is the same."""
        if isinstance(outcome, NewKey):
            answer: object = outcome.key
        else:
            answer = (outcome.club, outcome.stream, outcome.version, outcome.first, outcome.last)
            self.stage.happened["repeated"] += outcome.replayed
        assert request.answer in (None, answer), f"{request.key}: {request.answer}, then {answer}"
        request.answer = answer

    # --- workers, the beat and the console ----------------------------------------------------

    def _hint(self, club: str, types: frozenset[str], left: tuple[int, ...]) -> None:
        """What the web server sends the workers, as far as it comes to them."""
        self.stage.moment("hints")
        if self.stage.strikes("hint lost"):
            raise ConnectionError("no broker")
        copies = 2 if self.stage.strikes("hint doubled") else 1
        for job in left:
            self.hints += [(f"settle {job}", partial(self._settle, job, club))] * copies
        if types & projection.SHOWN and not left:
            self.hints += [(f"catch up {club}", partial(self._show, club))] * copies

    def _settle(self, job: int, club: str) -> None:
        settlement.settle(self.silent, self.settings, job)
        self._show(club)

    def _show(self, club: str) -> None:
        projection.catch_up(self.database, club)

    def _sweep(self) -> None:
        settlement.sweep(self.silent, self.settings)
        for club in projection.behind(self.database):
            self._show(club)
        projection.drop_old(self.database, self.clock())

    def _beat(self) -> None:
        self.hints.append(("sweep", self._sweep))

    def _deliver(self) -> None:
        """Any hint comes to an idle worker; one that kills it may come again."""
        busy = {task.process for task in self.stage.tasks}
        idle = [worker for worker in WORKERS if worker not in busy]
        if idle and self.hints:
            hint = name, work = self.hints.pop(self.rng.randrange(len(self.hints)))
            self.stage.start(idle[0], f"{idle[0]}: {name}", work, partial(self._worked, hint))

    def _worked(self, hint: tuple[str, Callable[[], None]], outcome: object) -> None:
        if is_broken(outcome) and self.rng.random() < 0.5:
            self.hints.append(hint)

    def _catch_up(self) -> None:
        club = self.rng.choice(self.clubs).id
        self.stage.start("console", "catch up", partial(self._show, club), _nothing)

    def _rebuild(self) -> None:
        club, name = self.rng.choice(self.clubs).id, self.rng.choice(projection.ALL).name
        work = partial(projection.rebuild, self.database, club, name, self.clock)
        self.stage.start("console", f"rebuild {name}", work, _nothing)

    def _kill(self) -> None:
        if self.stage.rates["killed"]:
            process = self.rng.choice(PROCESSES)
            self.stage.kill(process)

    # --- readers ------------------------------------------------------------------------------

    def _look(self) -> None:
        """A reader looks at a club's balances, once he has done so before."""
        club = self.rng.choice(self.clubs).id
        name = f"look at {club}"
        if all(task.name != name for task in self.stage.tasks):
            self.stage.start("web", name, partial(self._read_balances, club), _nothing)

    def _read_balances(self, club: str) -> None:
        with self.database.read() as connection:
            rows, _ = club_balances(connection, club, Page(100))
            mark = checkpoint.mark(connection, club, "journal")
        points = {row.member: row.points for row in rows}
        self.looks.append(Look(club, mark.generation, mark.position, points))

    def _follow(self) -> None:
        tail = self.rng.choice(self.tails)
        self.stage.start("web", "follow", partial(self._read_on, tail), _nothing)

    def _read_on(self, tail: Tail) -> None:
        after = len(tail.read)
        with self.database.read() as connection:
            rows = store.read_log(connection, tail.club, after, 20)
        if after == len(tail.read):
            tail.read += rows

    # --- rest ---------------------------------------------------------------------------------

    def _rest(self) -> None:
        """Faults end, tasks end, clients hear their answers; hints are lost, and the beat is left.

        Whoever was answered asks once more; jobs that were parked are run again.
        """
        self.stage.calm()
        self.stage.finish()
        for request in self.requests:
            if request.answer is not None or request is request.client.pending:
                self._send(request)
                self.stage.finish()
        self._settle_all()
        with self.database.write() as connection:
            for job in jobs.parked(connection, 100):
                self.parked.append(job.error)
                self.stage.happened["parked"] += 1
                jobs.retry(connection, job.club, job.id)
        if self.parked:
            self._settle_all()

    def _settle_all(self) -> None:
        for _ in range(ROUNDS):
            self.time += HOUR
            self._sweep()
            with self.database.read() as connection:
                left = jobs.counts(connection)
            if left["waiting"] + left["leased"] == 0 and not projection.behind(self.database):
                return
        raise AssertionError(f"it does not come to rest: {left}")


@contextmanager
def world(database: Database, clubs: list[Club], seed: int) -> Iterator[World]:
    """The world of a seed on a database of its own; a fault in it tells the seed and the steps."""
    rng = Random(seed)
    stage = Stage(rng)
    try:
        with capture_logs(), shaken(database, stage) as shaken_database:
            made = World(shaken_database, clubs, rng, stage)
            with mock.patch.multiple(projection, monotonic=made.monotonic, BATCH=40):
                yield made
    except BaseException as fault:
        fault.add_note(f"SEED={seed} repeats it; its last steps:")
        for step in stage.told():
            fault.add_note(f"  {step}")
        raise


def _nothing(_: object) -> None:
    """Nobody waits for what came of it."""

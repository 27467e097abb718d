"""Killed with -9 at any step: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ledger import audit, codec, demo, jobs, settlement, store
from ledger.events import HandSettled
from ledger.jobs import SETTLE
from ledger.settings import Settings, load
from projections import balances, projection
from tests.crashes.dying import STEPS, record
from tests.machine import until
from wsgi import House

TREE = Path(__file__).parents[2]
PATIENCE = 180
OF_THE_WRITER = list(STEPS)[:3]
DEEP = pytest.mark.deep
OFTEN = ("after the lease", "after the settlement's append, before its commit")
OF_THE_WORKER = [
    step if step in OFTEN else pytest.param(step, marks=DEEP) for step in list(STEPS)[3:9]
]
OF_A_REBUILD = [list(STEPS)[10], pytest.param(list(STEPS)[11], marks=DEEP)]
IN_A_MESSAGE = [list(STEPS)[9], pytest.param("after the settlement is computed", marks=DEEP)]
AN_HOUR = 3_600_000_000


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=DEEP)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """An installation on SQLite, and in the long run on PostgreSQL too."""
    database_url = request.getfixturevalue(f"{request.param}_url")
    data = {"PAIZHANG_DATA": str(tmp_path / "data"), "PAIZHANG_DATABASE_URL": database_url}
    return load({**data, "PAIZHANG_LEASE_SECONDS": "1", "PAIZHANG_SWEEP_SECONDS": "1"})


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    opened = House(settings)
    yield opened
    opened.close()


@pytest.fixture
def club(house: House) -> str:
    return demo.found(house.ledger(), 4).club


def environ(settings: Settings) -> dict[str, str]:
    told = {
        "DATA": str(settings.data),
        "DATABASE_URL": settings.database_url,
        "BROKER_URL": settings.broker_url,
        "LEASE_SECONDS": "1",
        "SWEEP_SECONDS": "1",
    }
    return os.environ | {f"PAIZHANG_{name}": value for name, value in told.items()}


def start(settings: Settings, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        env=environ(settings),
        cwd=TREE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def killed(settings: Settings, *command: str) -> list[str]:
    """Run a process that kills itself; what it said before."""
    process = start(settings, "-m", "tests.crashes.dying", *command)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    return out.splitlines()


def check_sound(house: House, club: str, hands: int) -> None:
    """One chain, each ended hand settled once, balances the fold of the log, sums zero."""
    assert audit.verify(house.database, club).fault is None
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 10_000)
        shown, _ = balances.club_balances(connection, club)
        counts = jobs.counts(connection)
    settled = [codec.unseal(row.type, row.public).fact for row in rows if "Settled" in row.type]
    points: Counter[str] = Counter()
    for fact in settled:
        assert isinstance(fact, HandSettled)
        assert sum(fact.totals) == 0
        points.update(dict(zip(fact.seats, fact.totals, strict=True)))
    assert sum(row.type == "HandEnded/1" for row in rows) == len(settled) == hands
    assert {row.member: row.points for row in shown} == {
        row.member: points[row.member] for row in shown
    }
    assert counts == {"waiting": 0, "leased": 0, "parked": 0}


def settle(house: House, club: str) -> None:
    """Sweep until no lease is left, as the beat does, and bring every list up to date."""
    end = time.monotonic() + PATIENCE
    while True:
        settlement.sweep(house.ledger(), house.settings)
        with house.database.read() as connection:
            left = jobs.counts(connection)
        if not left["waiting"] + left["leased"]:
            break
        assert time.monotonic() < end
        time.sleep(0.1)
    projection.catch_up(house.database, club)


@pytest.mark.holds("a game server's process is killed in a write")
@pytest.mark.parametrize("step", OF_THE_WRITER)
def test_a_write_that_is_killed_happened_or_not(
    house: House, settings: Settings, club: str, step: str
) -> None:
    """What was acknowledged is there; all sent again under the same ids happens once."""
    acknowledged = killed(settings, step, "record", club)
    assert acknowledged == ["hand 0"]
    told = record(house, club)
    assert told == ["open", "hand 0", "hand 1", "hand 2"]
    settle(house, club)
    check_sound(house, club, hands=3)


@pytest.mark.holds("a worker is killed at any step of a settlement")
@pytest.mark.parametrize("step", OF_THE_WORKER)
def test_a_settlement_that_is_killed_is_made_once(
    house: House, settings: Settings, club: str, step: str
) -> None:
    """Another worker takes the hand when the lease has run out, and the books are whole."""
    record(house, club)
    killed(settings, step, "work")
    settle(house, club)
    check_sound(house, club, hands=3)


@pytest.mark.holds("a rebuild is killed in the middle, or at its switch")
@pytest.mark.parametrize("step", OF_A_REBUILD)
def test_a_rebuild_that_is_killed_changes_nothing(
    house: House, settings: Settings, club: str, step: str
) -> None:
    """The live list stays; the next rebuild is whole, and what was left behind is dropped."""
    record(house, club)
    settle(house, club)
    killed(settings, step, "rebuild", club)
    check_sound(house, club, hands=3)
    projection.rebuild(house.database, club, "journal", house.ledger().clock)
    projection.drop_old(house.database, house.ledger().clock() + AN_HOUR)
    check_sound(house, club, hands=3)


@pytest.mark.holds("a worker is killed while it holds a message, on each kind of broker")
@pytest.mark.parametrize("step", IN_A_MESSAGE)
@pytest.mark.parametrize("broker", ["folder", pytest.param("valkey", marks=DEEP)])
def test_a_message_of_a_killed_worker_is_not_needed(
    request: pytest.FixtureRequest, settings: Settings, broker: str, step: str
) -> None:
    """Lost with its worker or delivered again: another worker settles each hand once."""
    if broker == "valkey":
        url = request.getfixturevalue("valkey_url")
        settings = load({**environ(settings), "PAIZHANG_BROKER_URL": url})
    house = House(settings)
    club = demo.found(house.ledger(), 4).club
    dying = start(settings, "-m", "tests.crashes.dying", step, "queue")
    record(house, club)
    hint_until(house, lambda: dying.poll() is not None or is_tried(house))
    with suppress(ProcessLookupError):
        os.killpg(dying.pid, signal.SIGKILL)
    dying.communicate(timeout=PATIENCE)
    with installation(settings):
        hint_until(house, lambda: is_settled(house, club, 3))
    check_sound(house, club, hands=3)
    house.close()


@pytest.mark.holds("the broker is off, or every message is lost")
def test_what_happened_without_a_broker_is_settled_when_it_is_back(
    house: House, settings: Settings, club: str
) -> None:
    """Given hands recorded while nobody could be told, then a sweep finds them all."""
    away = load({**environ(settings), "PAIZHANG_BROKER_URL": "redis://127.0.0.1:1/0"})
    offline = House(away)
    assert record(offline, club) == ["open", "hand 0", "hand 1", "hand 2"]
    offline.close()
    with installation(settings):
        until(lambda: is_settled(house, club, 3), patience=PATIENCE)
    check_sound(house, club, hands=3)


@pytest.mark.holds("a message comes twice, late, or in another order")
def test_messages_that_come_again_and_late_change_nothing(
    house: House, settings: Settings, club: str
) -> None:
    """Given the hints of three hands doubled and turned round, and again when all is settled."""
    record(house, club)
    with house.database.read() as connection:
        waiting = jobs.waiting(connection, SETTLE, house.ledger().clock(), settings.max_attempts)
    for job in (*waiting[::-1], *waiting, *waiting[::-1]):
        settlement.settle(house.ledger(), settings, job.id)
        projection.catch_up(house.database, club)
    check_sound(house, club, hands=3)


@contextmanager
def installation(settings: Settings) -> Iterator[None]:
    """A worker and a beat that sweeps every second."""
    running = [start(settings, "wsgi.py", command) for command in ("worker", "beat")]
    try:
        yield
    finally:
        for process in running:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def is_tried(house: House) -> bool:
    """Whether a worker has taken a job, or done with all."""
    with house.database.read() as connection:
        counts = jobs.counts(connection)
    return counts["waiting"] < 3


def is_settled(house: House, club: str, hands: int) -> bool:
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 10_000)
    settled = [row for row in rows if row.type == "HandSettled/1"]
    return len(settled) == hands and not projection.behind(house.database)


def hint_until(house: House, done: Callable[[], bool]) -> None:
    """Ask the workers for a sweep, again and again, until it has happened."""
    until(
        done,
        patience=PATIENCE,
        pause=0.3,
        beside=lambda: house.celery.send_task("paizhang.sweep", queue="settle"),
    )

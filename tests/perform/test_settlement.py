"""Settlement 结算: each hand that ended is settled once, or parked with its error."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import structs
from sqlalchemy.exc import InternalError, OperationalError, TimeoutError

from ledger import acts, jobs, settlement, store
from ledger import database as room
from ledger.database import Database
from ledger.jobs import SETTLE, Job
from ledger.orders import Order
from ledger.perform import Ledger, perform
from ledger.refusal import Refused
from ledger.streams.table import StartHand
from ledger.tiles import Tiles
from tests.world import Club, World

WALL: Tiles = tuple(range(27)) * 4
SECOND = 1_000_000


@pytest.fixture
def ended(club: Club) -> str:
    """A table whose only hand was dissolved: one job waits."""
    table = club.open()
    acts.on_table(club.desk, table, (StartHand(WALL, "5e" * 32),))
    acts.end_table(club.desk, table, dissolve=True)
    return table


def waiting(world: World, later: int = 0) -> list[Job]:
    with world.database.read() as connection:
        return jobs.waiting(connection, SETTLE, world.clock() + later, 10)


def broken(*_: object) -> None:
    raise ValueError("no such rule")


def test_a_sweep_settles_what_waits_and_says_where(club: Club, world: World, ended: str) -> None:
    assert settlement.sweep(world.ledger, world.settings) == (club.id,)
    (settled,) = club.settlements()
    assert (settled.table, settled.number, settled.end) == (ended, 1, "dissolved")
    assert waiting(world) == []
    assert settlement.sweep(world.ledger, world.settings) == ()


@pytest.mark.holds("the hint of a hand comes twice")
@pytest.mark.usefixtures("ended")
def test_a_hint_that_comes_twice_settles_once(club: Club, world: World) -> None:
    (job,) = waiting(world)
    assert settlement.settle(world.ledger, world.settings, job.id)
    assert not settlement.settle(world.ledger, world.settings, job.id)
    assert len(club.settlements()) == 1


@pytest.mark.usefixtures("ended")
def test_a_job_whose_hand_is_settled_already_is_done(club: Club, world: World) -> None:
    """Given a worker that appended and died before it could say so, then nothing is doubled."""
    (job,) = waiting(world)
    stream, command = settlement._command(world.ledger, job)
    perform(world.ledger, settlement._WORKER, Order(club.id, stream, (command,)))
    assert settlement.settle(world.ledger, world.settings, job.id)
    assert len(club.settlements()) == 1
    assert waiting(world, 3600 * SECOND) == []


@pytest.mark.holds("a settlement fails every time")
@pytest.mark.usefixtures("ended")
def test_a_job_that_fails_is_tried_again_after_a_pause_and_parked_at_last(
    club: Club, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settlement, "_settle", broken)
    for attempt in range(1, 6):
        world.now += 60 * SECOND
        (job,) = waiting(world)
        assert job.attempts == attempt - 1
        assert not settlement.settle(world.ledger, world.settings, job.id)
        assert attempt == 5 or waiting(world) == []
    with world.database.read() as connection:
        (parked,) = jobs.parked(connection, 10, club.id)
    assert (parked.state, parked.error) == ("parked", "ValueError: no such rule")
    assert club.settlements() == []


@pytest.mark.holds("what made a settlement fail was mended")
@pytest.mark.usefixtures("ended")
def test_a_parked_job_can_be_run_again(
    club: Club, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (job,) = waiting(world)
    once = replace(world.settings, max_attempts=1)
    with monkeypatch.context() as patch:
        patch.setattr(settlement, "_settle", broken)
        settlement.settle(world.ledger, once, job.id)
    with world.database.write() as connection:
        jobs.retry(connection, club.id, job.id)
    assert settlement.settle(world.ledger, once, job.id)
    assert len(club.settlements()) == 1


@pytest.mark.holds("a worker is so slow that another has taken its job")
@pytest.mark.usefixtures("ended")
def test_a_worker_that_lost_its_lease_writes_nothing(
    club: Club, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a worker so slow that another took its job, then only the other's settlement stands."""
    (job,) = waiting(world)
    compute = settlement._command

    def slow(ledger: Ledger, leased: Job) -> object:
        monkeypatch.setattr(settlement, "_command", compute)
        world.now += 3600 * SECOND
        assert settlement.settle(world.ledger, world.settings, job.id)
        return compute(ledger, leased)

    monkeypatch.setattr(settlement, "_command", slow)
    assert not settlement.settle(world.ledger, world.settings, job.id)
    assert len(club.settlements()) == 1


def test_a_lost_lease_rolls_the_settlement_back(club: Club, world: World, ended: str) -> None:
    (job,) = waiting(world)
    with pytest.raises(Refused, match="lease_lost"):
        settlement._settle(world.ledger, structs.replace(job), "not the lease")
    assert club.settlements() == []
    assert ended


@pytest.fixture
def worlds_of_postgresql(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[World, Database]]:
    """A world on PostgreSQL in which a lock is waited for a second, and another process."""
    monkeypatch.setattr(room, "LOCK_SECONDS", 1)
    mine, other = Database.open(postgresql_url), Database.open(postgresql_url)
    yield World(mine), other
    mine.close()
    other.close()


@pytest.mark.holds("a worker meets a club whose log is held")
def test_a_club_that_is_held_keeps_no_worker_from_the_others(
    worlds_of_postgresql: tuple[World, Database],
) -> None:
    """Its hands are put off, however often, and settled when it is free; another's at once."""
    world, other = worlds_of_postgresql
    stuck, free = world.club(), world.club()
    for club in (stuck, stuck, free):
        table = club.open()
        acts.on_table(club.desk, table, (StartHand(WALL, "5e" * 32),))
        acts.end_table(club.desk, table, dissolve=True)

    with other.write() as connection:
        store.hold(connection, stuck.id)
        begun = time.monotonic()
        settlement.sweep(world.ledger, world.settings)
        assert time.monotonic() - begun < 1.9
        assert len(free.settlements()) == 1
        for _ in range(3):
            world.now += 60 * SECOND
            settlement.sweep(world.ledger, replace(world.settings, max_attempts=2))
    put_off = waiting(world, 60 * SECOND)
    assert [(job.state, job.attempts) for job in put_off] == [("waiting", 0), ("waiting", 0)]

    world.now += 60 * SECOND
    settlement.sweep(world.ledger, world.settings)
    assert len(stuck.settlements()) == 2


@pytest.mark.usefixtures("ended")
@pytest.mark.parametrize(
    "fault",
    [
        OperationalError("SELECT", {}, Exception("gone")),
        InternalError("SELECT", {}, Exception("idle"), connection_invalidated=True),
        TimeoutError("no connection is free"),
        Refused("busy"),
    ],
)
def test_what_the_database_failed_is_no_attempt(
    world: World, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a database that fails when a hand is settled, then its job is as it was."""

    def failing(*_: object) -> None:
        raise fault

    monkeypatch.setattr(settlement, "_settle", failing)
    (job,) = waiting(world)
    assert not settlement.settle(world.ledger, world.settings, job.id)
    assert waiting(world) == []
    (again,) = waiting(world, 60 * SECOND)
    assert (again.state, again.attempts) == ("waiting", 0)


@pytest.mark.usefixtures("ended")
def test_who_lost_his_lease_puts_nothing_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (job,) = waiting(world)
    real = settlement._settle

    def slow(ledger: Ledger, leased: Job, token: str) -> None:
        monkeypatch.setattr(settlement, "_settle", real)
        world.now += 3600 * SECOND
        assert settlement.settle(ledger, world.settings, leased.id)
        raise Refused("busy")

    monkeypatch.setattr(settlement, "_settle", slow)
    assert not settlement.settle(world.ledger, world.settings, job.id)
    assert waiting(world, 3600 * SECOND) == []

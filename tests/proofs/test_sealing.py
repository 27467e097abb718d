"""Checkpoints that are made by themselves, by the club's own days; what fails holds up nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from celery import Celery
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

import wsgi
from ledger import acts, checkpoints, demo, jobs, queue, sealing, store
from ledger.access import operator
from ledger.acts import Asked, Desk
from ledger.database import Database
from ledger.settings import load
from projections.balances import club_balances
from tests.lies.forging import signed
from tests.proofs.conftest import noon
from tests.store.conftest import Log
from tests.world import SECOND, World
from wsgi import House

DAY = 24 * 3600 * SECOND


def at(moment: str) -> int:
    """Microseconds of a time as people write it."""
    return round(datetime.fromisoformat(moment).timestamp()) * SECOND


class Clubs:
    """Clubs in which something happens at the times that a test names."""

    def __init__(self, database: Database, file: Path) -> None:
        self.world = World(database)
        self.file = file

    def found(self, moment: str, zone: str = "Asia/Shanghai", cutoff: int = 300) -> str:
        """Found a club at a time."""
        self.world.now = at(moment) - SECOND
        done = acts.found_club(self.world.ledger, operator(), Asked(), "Jade", zone, cutoff)
        return done.club

    def happens(self, club: str, moment: str) -> None:
        """Somebody joins at a time."""
        self.world.now = at(moment) - SECOND
        acts.join_member(Desk(self.world.ledger, operator(), club), moment)

    def seal(self, club: str, moment: str) -> bool:
        """Make a checkpoint at a time."""
        return sealing.seal(self.world.database, club, self.file, lambda: at(moment))

    def due(self, moment: str) -> list[str]:
        """The clubs that are due at a time."""
        with self.world.database.read() as connection:
            return sealing.due(connection, lambda: at(moment))


@pytest.fixture
def clubs(database: Database, key_file: Path) -> Clubs:
    return Clubs(database, key_file)


# --- when a day is over -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "cutoff", "begun", "still", "over"),
    [
        # the day of the 28th ends at 05:00 on the 29th, eight hours before Greenwich
        ("Asia/Shanghai", 300, "2025-11-28T12:00Z", "2025-11-28T20:59:59Z", "2025-11-28T21:00Z"),
        # at 04:59 of the 28th it was the 27th, which ended a minute later
        ("Asia/Shanghai", 300, "2025-11-27T20:59Z", "2025-11-27T20:59:59Z", "2025-11-27T21:00Z"),
        ("Asia/Shanghai", 300, "2025-11-27T21:00Z", "2025-11-28T20:59:59Z", "2025-11-28T21:00Z"),
        # five hours behind Greenwich in winter, four in summer
        ("America/New_York", 300, "2025-11-28T12:00Z", "2025-11-29T09:59:59Z", "2025-11-29T10:00Z"),
        ("America/New_York", 300, "2026-06-28T12:00Z", "2026-06-29T08:59:59Z", "2026-06-29T09:00Z"),
        # a day that ends at midnight
        ("Europe/Berlin", 0, "2025-11-28T12:00Z", "2025-11-28T22:59:59Z", "2025-11-28T23:00Z"),
    ],
)
def test_a_club_is_due_when_its_day_is_over(
    clubs: Clubs, zone: str, cutoff: int, begun: str, still: str, over: str
) -> None:
    """By its own zone and cutoff, to the second."""
    club = clubs.found(begun, zone, cutoff)
    assert clubs.due(still) == []
    assert clubs.due(over) == [club]


def test_a_club_that_has_not_grown_is_not_due(clubs: Clubs) -> None:
    """Not on the next day, nor in a year."""
    club = clubs.found("2025-11-28T12:00Z")
    assert clubs.seal(club, "2025-11-28T12:30Z") is True
    assert clubs.due("2025-11-29T12:00Z") == []
    assert clubs.due("2026-11-29T12:00Z") == []


def test_what_came_after_the_checkpoint_is_due_when_its_day_is_over(clubs: Clubs) -> None:
    """Given a checkpoint at noon and an event at one, then the next day, once."""
    club = clubs.found("2025-11-28T12:00Z")
    clubs.seal(club, "2025-11-28T12:30Z")
    clubs.happens(club, "2025-11-28T13:00Z")
    assert clubs.due("2025-11-28T20:59:59Z") == []
    assert clubs.due("2025-11-28T21:00Z") == [club]
    clubs.seal(club, "2025-11-28T21:00:01Z")
    assert clubs.due("2025-11-28T21:00:02Z") == []


def test_a_day_that_has_just_begun_is_not_over(clubs: Clubs) -> None:
    """Given a club that slept for a week, then its first event waits for the end of its day."""
    club = clubs.found("2025-11-21T12:00Z")
    clubs.seal(club, "2025-11-21T12:30Z")
    clubs.happens(club, "2025-11-28T12:00Z")
    assert clubs.due("2025-11-28T12:00:10Z") == []
    assert clubs.due("2025-11-28T21:00Z") == [club]


def test_a_club_that_never_rests_is_due(clubs: Clubs) -> None:
    """Given no worker for a night, then what happened since hides nothing of the day before."""
    club = clubs.found("2025-11-27T12:00Z")
    clubs.happens(club, "2025-11-27T22:00Z")
    assert clubs.due("2025-11-27T22:00:01Z") == [club]


def test_each_club_has_its_own_day(clubs: Clubs) -> None:
    """At ten in the evening in Greenwich it is morning in Shanghai, and afternoon in New York."""
    shanghai = clubs.found("2025-11-28T12:00Z")
    new_york = clubs.found("2025-11-28T12:00Z", "America/New_York")
    assert clubs.due("2025-11-28T22:00Z") == [shanghai]
    assert sorted(clubs.due("2025-11-29T10:00Z")) == sorted((shanghai, new_york))


def test_a_log_without_a_club_is_not_due(log: Log) -> None:
    """A log of nobody's has no day."""
    with log.database.read() as connection:
        assert store.head(connection, "c1") is not None
        assert sealing.due(connection, noon) == []


# --- what fails -------------------------------------------------------------------------------


def test_a_refusal_is_logged(clubs: Clubs) -> None:
    """With its code, the club, and what else it names."""
    club = clubs.found("2025-11-28T12:00Z")
    clubs.file.mkdir(parents=True)
    with capture_logs() as lines:
        assert clubs.seal(club, "2025-11-28T12:30Z") is False
    assert lines == [
        {
            "event": "checkpoint_failed",
            "log_level": "error",
            "club": club,
            "code": "signing_key_unreadable",
            "file": clubs.file,
        }
    ]


def test_an_unknown_club_is_logged(clubs: Clubs) -> None:
    with capture_logs() as lines:
        assert clubs.seal("club_nowhere", "2025-11-28T12:30Z") is False
    told = {"club": "club_nowhere", "code": "club_unknown"}
    assert lines == [{"event": "checkpoint_failed", "log_level": "error", **told}]


@pytest.mark.parametrize(
    "fault", [OSError(30, "Read-only file system"), OperationalError("", {}, Exception("locked"))]
)
def test_what_nobody_foresaw_is_logged(
    clubs: Clubs, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk or a database that fails stops no worker: the sweep after it tries again."""

    def fail(*_: object) -> None:
        raise fault

    club = clubs.found("2025-11-28T12:00Z")
    with monkeypatch.context() as patched, capture_logs() as lines:
        patched.setattr(checkpoints, "make", fail)
        assert clubs.seal(club, "2025-11-28T12:30Z") is False
    assert [(line["event"], line["club"]) for line in lines] == [("checkpoint_failed", club)]
    assert lines[0]["error"].startswith(type(fault).__name__)
    assert clubs.seal(club, "2025-11-28T12:30Z") is True


# --- the worker -------------------------------------------------------------------------------


@pytest.fixture
def house(database_url: str, tmp_path: Path) -> Iterator[House]:
    """An installation whose worker runs when a test says so."""
    made = House(
        load({"PAIZHANG_DATA": str(tmp_path / "data"), "PAIZHANG_DATABASE_URL": database_url})
    )
    yield made
    made.close()


@pytest.fixture
def worker(house: House, monkeypatch: pytest.MonkeyPatch) -> Celery:
    """Its worker's tasks, on the same database."""
    monkeypatch.setattr(wsgi, "House", lambda _: house)
    return wsgi.create_worker(house.settings)


@pytest.fixture
def club(house: House) -> demo.DemoClub:
    """A club of four in which one hand was played, and nobody has settled it."""
    found = demo.found(house.ledger(), 4)
    list(demo.play_days(house.ledger(), found, ("huaihua/1",), 1, 1, 1))
    return found


def sealed(house: House, club: str) -> tuple[list[int], int]:
    """The positions of a club's checkpoints, and the head of its log."""
    with house.database.read() as connection:
        made = signed(connection, club)
        head = store.head(connection, club)
    assert head is not None
    return [one.position for one in made], head.position


def settlements(house: House, club: str) -> int:
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 10_000)
    return [row.type for row in rows].count("HandSettled/1")


def test_a_settlement_is_sealed(house: House, worker: Celery, club: demo.DemoClub) -> None:
    """When a hand is settled by its hint, then the log is under a checkpoint to its end."""
    with house.database.read() as connection:
        [job] = jobs.left(connection)
    assert sealed(house, club.club)[0] == []
    worker.tasks[wsgi.SETTLE_TASK](str(job.id), club.club)
    assert settlements(house, club.club) == 1
    positions, head = sealed(house, club.club)
    assert positions == [head]


def test_a_hint_that_comes_twice_makes_no_second_checkpoint(
    house: House, worker: Celery, club: demo.DemoClub
) -> None:
    """Given a log that has grown since, then a job that was done before seals nothing."""
    with house.database.read() as connection:
        [job] = jobs.left(connection)
    worker.tasks[wsgi.SETTLE_TASK](str(job.id), club.club)
    before, _ = sealed(house, club.club)
    acts.join_member(Desk(house.ledger(), operator(), club.club), "Late")
    worker.tasks[wsgi.SETTLE_TASK](str(job.id), club.club)
    assert sealed(house, club.club)[0] == before


def test_a_sweep_seals_what_it_settled(house: House, worker: Celery, club: demo.DemoClub) -> None:
    """When the hint was lost, then the sweep settles and seals."""
    worker.tasks[queue.SWEEP]()
    assert settlements(house, club.club) == 1
    positions, head = sealed(house, club.club)
    assert positions == [head]
    worker.tasks[queue.SWEEP]()
    assert sealed(house, club.club) == ([head], head)


def test_a_sweep_seals_a_day_that_is_over(
    house: House, worker: Celery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a club where nothing was played, then it is sealed when its day is over."""
    club = demo.found(house.ledger(), 4).club
    worker.tasks[queue.SWEEP]()
    _, head = sealed(house, club)
    assert sealed(house, club) == ([], head)
    now = wsgi._now()
    monkeypatch.setattr(wsgi, "_now", lambda: now + DAY)
    worker.tasks[queue.SWEEP]()
    assert sealed(house, club) == ([head], head)


@pytest.mark.holds("the signing key cannot be read while hands end")
def test_without_a_key_hands_are_settled_and_shown(
    house: House, worker: Celery, club: demo.DemoClub
) -> None:
    """Given garbage in the key's file, then the balances move; with the key all is sealed."""
    house.settings.signing_key.write_bytes(b"garbage")
    with capture_logs() as lines:
        worker.tasks[queue.SWEEP]()
    assert ("checkpoint_failed", club.club) in [(one["event"], one.get("club")) for one in lines]
    assert settlements(house, club.club) == 1
    with house.database.read() as connection:
        assert sum(row.hands for row in club_balances(connection, club.club)[0]) == 4
    positions, head = sealed(house, club.club)
    assert positions == []
    house.settings.signing_key.unlink()
    house.seal(club.club)
    assert sealed(house, club.club) == ([head], head)

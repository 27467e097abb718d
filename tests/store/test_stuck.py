"""On PostgreSQL a club whose log is held stops itself for seconds, and no other club at all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError

from ledger import database as room
from ledger import store
from ledger.database import UPGRADE_LOCK, Database, trouble, upgrade
from ledger.refusal import Refused
from tests.store.conftest import Log


@pytest.fixture
def stuck(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """Two clubs in a process with four writers; a lock is waited for a second."""
    monkeypatch.setattr(room, "LOCK_SECONDS", 1)
    monkeypatch.setattr(room, "POOLS", {"writer": 4, "reader": 1})
    with closing(Database.open(postgresql_url)) as opened:
        log = Log(opened)
        log.found("c1")
        log.found("c2")
        yield log


@contextmanager
def held(url: str, club: str) -> Iterator[None]:
    """A transaction of another process holds the log of a club and does nothing."""
    with closing(Database.open(url)) as other, other.write() as connection:
        store.hold(connection, club)
        yield


def append(log: Log, club: str) -> str:
    """Append an event to a club's log, or say why not."""
    try:
        with log.database.write_of(club) as connection:
            store.hold(connection, club)
    except (Refused, OperationalError) as fault:
        return fault.code if isinstance(fault, Refused) else trouble(fault)
    return "held"


def test_a_lock_is_waited_for_and_no_longer(stuck: Log, postgresql_url: str) -> None:
    """Given a log that is held, then who would append is told after a second that it is busy."""
    begun = time.monotonic()
    with held(postgresql_url, "c1"), pytest.raises(OperationalError) as fault:
        stuck.append("table/a", 0)
    assert trouble(fault.value) == "busy"
    assert 0.9 < time.monotonic() - begun < 5


@pytest.mark.holds("a transaction holds the log of one club and does nothing")
def test_a_stuck_club_takes_half_of_the_writers_and_no_reader(
    stuck: Log, postgresql_url: str
) -> None:
    """Of six who write two wait and four are told at once; another club writes and is read."""
    with held(postgresql_url, "c1"), ThreadPoolExecutor(6) as pool:
        begun = time.monotonic()
        told = [pool.submit(append, stuck, "c1") for _ in range(6)]
        while sum(one.done() for one in told) < 4 and time.monotonic() < begun + 0.8:
            time.sleep(0.01)
        at_once = [one.result() for one in told if one.done()]
        assert append(stuck, "c2") == "held"
        assert len(stuck.all("c2")) == 1
        assert time.monotonic() - begun < 0.9
    assert at_once == ["busy"] * 4
    assert [one.result() for one in told] == ["busy"] * 6
    assert append(stuck, "c1") == "held"


@pytest.mark.holds("a process stands still in the middle of a transaction")
def test_a_transaction_that_does_nothing_is_ended(
    stuck: Log, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a holder of a log that does nothing for too long, then the log is free again."""
    monkeypatch.setattr(room, "IDLE_SECONDS", 1)
    with ExitStack() as other:
        other.enter_context(held(postgresql_url, "c1"))
        time.sleep(1.5)
        assert append(stuck, "c1") == "held"
        with pytest.raises(DBAPIError):
            other.close()


def test_who_brings_the_schema_up_waits_for_another_who_does(
    owner_url_of_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short a lock is waited for elsewhere."""
    monkeypatch.setattr(room, "LOCK_SECONDS", 1)
    with closing(Database.open(owner_url_of_postgresql)) as other, ThreadPoolExecutor(1) as pool:
        with other.write() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
            waiting = pool.submit(upgrade, owner_url_of_postgresql)
            time.sleep(1.5)
            assert not waiting.done()
        assert waiting.result(timeout=20) is None


def test_what_the_address_says_of_its_connections_stands(postgresql_url: str) -> None:
    """Given an address with options of its own, then they are kept beside ours."""
    said = f"{postgresql_url}&options=-c%20lock_timeout%3D7s%20-c%20work_mem%3D5MB"
    with closing(Database.open(said)) as opened, opened.read() as connection:
        shown = [
            connection.execute(text(f"SHOW {name}")).scalar_one()
            for name in ("lock_timeout", "work_mem", "idle_in_transaction_session_timeout")
        ]
    assert shown == ["7s", "5MB", "1min"]

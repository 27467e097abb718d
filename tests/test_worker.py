"""A real worker on real brokers: each hand is settled once, whatever happens to the worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ledger import demo, store
from ledger.codec import unseal
from ledger.events import HandSettled
from ledger.settings import Settings, load
from projections import balances
from tests.machine import until
from wsgi import House, create_app

TREE = Path(__file__).parent.parent
PATIENCE = 60
STUCK_WORKER = """
import sys, time, wsgi
from ledger import queue, settlement
from ledger.settings import load
def stuck(*_):
    open(sys.argv[1], "w").close()
    time.sleep(600)
settlement._settle = stuck
import os
queue.work(wsgi.create_worker(load(os.environ)), "settle")
"""
"""A worker that leases a job, says so, and never comes to the settlement."""


@pytest.fixture(params=["folder", "valkey"])
def settings(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Settings:
    """An installation on either database, with the embedded queue and with a Redis broker."""
    environ = {
        "PAIZHANG_DATA": str(tmp_path / "data"),
        "PAIZHANG_DATABASE_URL": database_url,
        "PAIZHANG_LEASE_SECONDS": "2",
    }
    if request.param == "valkey":
        environ["PAIZHANG_BROKER_URL"] = request.getfixturevalue("valkey_url")
    return load(environ)


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    """The installation, as the web server opens it."""
    house = House(settings)
    yield house
    house.close()


def test_a_hand_that_ended_is_settled_by_the_worker_and_moves_balances(house: House) -> None:
    """Given a worker, when a hand ends, then it is settled and the winner's balance has moved."""
    club = demo.found(house.ledger(), 4)
    with _worker(house.settings, *_worker_command()):
        _play(house, club, hands=3)
        until(lambda: len(_settled(house, club.club)) == 3)
        until(lambda: _hands_shown(house, club.club) == 3)

    settled = _settled(house, club.club)
    assert sorted(one.number for one in settled) == [1, 2, 3]
    assert _points(house, club.club) == _folded(settled, club.members)


@pytest.mark.holds("a worker is killed after its lease")
def test_a_worker_killed_in_the_middle_leaves_the_hand_to_the_next_one(
    house: House, tmp_path: Path
) -> None:
    """Given a worker killed with -9 after its lease, then another settles the hand once."""
    club = demo.found(house.ledger(), 4)
    leased = tmp_path / "leased"
    with _worker(house.settings, "-c", STUCK_WORKER, str(leased)) as stuck:
        _play(house, club, hands=1)
        _hint_until(house, leased.exists)
        os.killpg(stuck.pid, signal.SIGKILL)
    assert _settled(house, club.club) == []

    with _worker(house.settings, *_worker_command()), _worker(house.settings, *_beat_command()):
        until(lambda: len(_settled(house, club.club)) == 1)
        time.sleep(3)

    assert len(_settled(house, club.club)) == 1
    with house.database.read() as connection:
        assert store.stream_version(connection, club.club, _hand_stream(house, club.club)) == 1


def test_an_export_that_is_asked_for_is_made_by_the_worker(sqlite_url: str, tmp_path: Path) -> None:
    """Given a worker on the long queue, when an export is asked for, then its file is fetched."""
    data = {"PAIZHANG_DATA": str(tmp_path / "data"), "PAIZHANG_DATABASE_URL": sqlite_url}
    settings = load(data)
    with (
        closing(House(settings)) as house,
        _worker(settings, *_worker_command(), "--queue", "long"),
    ):
        club = demo.found(house.ledger(), 4)
        client, key = create_app(settings).test_client(), f"Bearer {club.owner}"
        asked = client.post(
            f"/v1/clubs/{club.club}/exports",
            json={"kind": "operator_log", "format": "csv"},
            headers={"Authorization": key, "Idempotency-Key": "one"},
        )

        def told() -> Any:
            return client.get(asked.headers["Location"], headers={"Authorization": key}).get_json()

        until(lambda: told()["status"] == "complete")
        [file, _] = told()["files"]
        assert client.get(file["url"], buffered=True).text.count("member_joined") == 4


def _worker_command() -> tuple[str, ...]:
    return (str(TREE / "wsgi.py"), "worker")


def _beat_command() -> tuple[str, ...]:
    return (str(TREE / "wsgi.py"), "beat")


@contextmanager
def _worker(settings: Settings, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the installation, in a session of its own."""
    environ = os.environ | {
        "PAIZHANG_DATA": str(settings.data),
        "PAIZHANG_DATABASE_URL": settings.database_url,
        "PAIZHANG_BROKER_URL": settings.broker_url,
        "PAIZHANG_LEASE_SECONDS": str(settings.lease_seconds),
        "PAIZHANG_SWEEP_SECONDS": "1",
        "PYTHONPATH": str(TREE),
    }
    process = subprocess.Popen(
        [sys.executable, *command], env=environ, cwd=settings.data.parent, start_new_session=True
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _play(house: House, club: demo.DemoClub, hands: int) -> None:
    list(demo.play_days(house.telling_ledger(), club, ("huaihua/1",), hands, 1, 1))


def _hint_until(house: House, done: Callable[[], bool]) -> None:
    """Wait for a worker that has no beat beside it: a lost hint is sent again."""

    def hinted() -> bool:
        house.celery.send_task("paizhang.sweep", queue="settle")
        return done()

    until(hinted, pause=1.0)


def _settled(house: House, club: str) -> list[HandSettled]:
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 10_000)
    facts = [unseal(row.type, row.public).fact for row in rows if row.type == "HandSettled/1"]
    return [fact for fact in facts if isinstance(fact, HandSettled)]


def _hand_stream(house: House, club: str) -> str:
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 10_000)
    return next(row.stream for row in rows if row.type == "HandSettled/1")


def _hands_shown(house: House, club: str) -> int:
    with house.database.read() as connection:
        return sum(row.hands for row in balances.club_balances(connection, club)[0]) // 4


def _points(house: House, club: str) -> dict[str, int]:
    with house.database.read() as connection:
        rows, _ = balances.club_balances(connection, club)
    return {row.member: row.points for row in rows}


def _folded(settled: list[HandSettled], members: tuple[str, ...]) -> dict[str, int]:
    points = dict.fromkeys(members, 0)
    for hand in settled:
        for member, won in zip(hand.seats, hand.totals, strict=True):
            points[member] += won
    return points

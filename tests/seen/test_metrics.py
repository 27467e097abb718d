"""What is measured, told at /metrics to the operator alone, by all processes together."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.parser import text_string_to_metric_families

from ledger import acts, demo, jobs, metrics, settlement, store
from ledger.database import Database
from ledger.demo import DemoClub
from ledger.streams.table import StartHand
from ledger.tiles import Tiles
from projections import checkpoint, projection
from projections.gauges import gauges
from tests.api import web
from tests.machine import until
from tests.seen.conftest import OPERATOR, served
from tests.world import Club, World
from wsgi import House

ALL_TILES: Tiles = tuple(range(27)) * 4
PATIENCE = 30
COUNTING = """
import sys
from ledger import metrics
metrics.APPEND_SECONDS.observe(0.25)
metrics.STREAMS.inc()
print("counted", flush=True)
sys.stdin.read()
"""
"""A process that counts an append and a stream, and lives until its input ends."""
TELLING = """
import sys
from ledger import metrics
from ledger.database import Database
print(metrics.exposed(Database.open(sys.argv[1]), 0, ()).decode())
"""


def scrape(app: Flask, token: str = OPERATOR) -> str:
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=")
    return answer.text


def measured(text: str, name: str, **labels: str) -> float:
    """A value, 0 where it was not told."""
    samples = [s for family in text_string_to_metric_families(text) for s in family.samples]
    found = [s.value for s in samples if (s.name, s.labels) == (name, labels)]
    assert len(found) <= 1
    return found[0] if found else 0.0


# --- who is told ------------------------------------------------------------------------------


def test_without_an_operator_there_are_no_metrics(sqlite_url: str, tmp_path: Path) -> None:
    """Where no operator's token is set nothing is at /metrics, whoever asks."""
    with served(sqlite_url, tmp_path) as app:
        answer = app.test_client().get("/metrics", headers={"Authorization": "Bearer x"})
    assert answer.status_code == 404
    assert answer.json is not None
    assert answer.json["code"] == "not_found"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "key_missing"),
        ({"Authorization": "Basic b3BlcmF0b3I6eA=="}, "key_missing"),
        ({"Authorization": "Bearer"}, "key_missing"),
        ({"Authorization": "Bearer another"}, "key_invalid"),
        ({"Authorization": "Bearer 牌".encode().decode("latin-1")}, "key_invalid"),
    ],
)
def test_metrics_are_the_operators(app: Flask, given: dict[str, str], code: str) -> None:
    """Without the operator's token nothing is told."""
    answer = app.test_client().get("/metrics", headers=given)
    assert answer.status_code == 401
    assert answer.json is not None
    assert answer.json["code"] == code


def test_an_owners_key_opens_no_metrics(app: Flask, club: DemoClub) -> None:
    """They tell of all clubs, so no club's key is enough."""
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {club.owner}"})
    assert answer.status_code == 401


def test_metrics_are_not_described(app: Flask) -> None:
    """They are no part of the API."""
    described = app.test_client().get("/openapi.json").json
    assert described is not None
    assert "/healthz" in described["paths"]
    assert "/metrics" not in described["paths"]


# --- what is counted --------------------------------------------------------------------------


def test_requests_are_measured_by_method_route_and_status(app: Flask, club: DemoClub) -> None:
    """The route is the rule, not the path; what has none of ours is `other`."""
    name = "paizhang_http_request_seconds_count"
    expected = {
        ("GET", "/v1/clubs/<id:club>/members", "200"): 1,
        ("GET", "/v1/clubs/<id:club>/members", "401"): 1,
        ("GET", "other", "404"): 2,
        ("other", "other", "405"): 1,
    }

    def counts() -> list[float]:
        told = scrape(app)
        return [
            measured(told, name, method=method, route=route, status=status)
            for method, route, status in expected
        ]

    before, client = counts(), app.test_client()
    path = f"/v1/clubs/{club.club}/members"
    client.get(path, headers={"Authorization": f"Bearer {club.owner}"})
    client.get(path)
    client.get("/v1/nothing")
    client.get("/v1/nothing/else")
    client.open(path, method="BREW")

    grown = [after - earlier for after, earlier in zip(counts(), before, strict=True)]
    assert grown == list(expected.values())


def test_appends_and_settlements_are_measured(app: Flask, house: House, club: DemoClub) -> None:
    """Given a hand that is settled, then one settlement more is told, and its append."""
    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    before = scrape(app)

    settlement.sweep(house.ledger(), house.settings)

    after = scrape(app)
    for name in ("paizhang_append_seconds_count", "paizhang_settlement_seconds_count"):
        assert measured(after, name) - measured(before, name) == 1


def test_a_settlement_is_as_old_as_the_end_of_its_hand(world: World, ended: str) -> None:
    """Given a hand that ended 90 seconds before it is settled, then those are measured."""
    assert ended
    before = metrics.SETTLEMENT_SECONDS._sum.get()
    world.now += 85 * 1_000_000

    world.settle()

    assert 85 < metrics.SETTLEMENT_SECONDS._sum.get() - before < 95


def test_who_follows_a_log_is_counted_until_he_goes(app: Flask, club: DemoClub) -> None:
    """Given a reader of a stream, then there is one more; when he has gone, it is as before.

    Other tests of this process drop streams unread, which no web server does.
    """
    before = measured(scrape(app), "paizhang_streams")
    with web.in_a_thread(app) as serving:
        stream = serving.get(
            f"/v1/clubs/{club.club}/events?follow=true",
            Authorization=f"Bearer {club.owner}",
            Accept="application/x-ndjson",
        )
        stream.lines(1)
        assert measured(scrape(app), "paizhang_streams") == before + 1
        stream.close()
        until(lambda: measured(scrape(app), "paizhang_streams") == before, patience=PATIENCE)


# --- what is read -----------------------------------------------------------------------------


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """A world on each kind of database."""
    with closing(Database.open(database_url)) as database:
        yield World(database)


@pytest.fixture
def busy(world: World) -> Club:
    return world.club()


@pytest.fixture
def ended(busy: Club) -> str:
    """A table whose only hand was dissolved: one job waits."""
    table = busy.open()
    acts.on_table(busy.desk, table, (StartHand(ALL_TILES, "5e" * 32),))
    acts.end_table(busy.desk, table, dissolve=True)
    return table


def told(world: World, later: int = 0) -> str:
    readings = (metrics.of_jobs, gauges)
    now = world.now + later * 1_000_000
    return metrics.exposed(world.database, now, readings).decode()


@pytest.mark.usefixtures("busy")
def test_where_no_job_is_left_none_is_told(world: World) -> None:
    """Nothing waits, so the oldest has waited for no time."""
    text = told(world)
    assert "paizhang_jobs{" not in text
    assert measured(text, "paizhang_oldest_job_seconds") == 0


@pytest.mark.usefixtures("ended")
def test_jobs_are_told_by_kind_and_state(world: World) -> None:
    """A job waits and grows old; settled, it is told no more."""
    assert measured(told(world), "paizhang_jobs", kind="settle", state="waiting") == 1
    older, old = (measured(told(world, later), "paizhang_oldest_job_seconds") for later in (70, 10))
    assert older - old == 60

    world.settle()

    assert "paizhang_jobs{" not in told(world)
    assert measured(told(world, 70), "paizhang_oldest_job_seconds") == 0


@pytest.mark.usefixtures("ended")
def test_a_parked_job_is_told_and_grows_no_older(world: World) -> None:
    """What is parked waits for somebody, and does not hide how long the others wait."""
    with world.database.write() as connection:
        connection.execute(sa.update(jobs.jobs).values(state="parked"))

    text = told(world, 70)

    assert measured(text, "paizhang_jobs", kind="settle", state="parked") == 1
    assert measured(text, "paizhang_oldest_job_seconds") == 0


def test_each_projection_is_behind_by_its_events(world: World, busy: Club) -> None:
    """Given two clubs, of which one was caught up, then the events of the other are behind."""
    other = world.club(6)
    projection.catch_up(world.database, busy.id)
    with world.database.read() as connection:
        head = store.head(connection, other.id)
    assert head is not None
    assert head.position == 7

    text = told(world)

    names = ("journal", "history", "tables", "statistics", "operator_log")
    lags = [measured(text, "paizhang_projection_lag_events", projection=name) for name in names]
    assert lags == [7, 7, 7, 7, 7]
    assert text.count("paizhang_projections_stopped{") == 11


def test_a_stopped_projection_is_told_as_such(world: World, busy: Club) -> None:
    """Where an event has stopped a projection, it is stopped, and not behind as well."""
    projection.catch_up(world.database, busy.id)
    with world.database.write() as connection:
        (held,) = checkpoint.locked(connection, busy.id, ("journal",))
        stopped = checkpoint.Mark("journal", busy.id, held.generation, 2, "2 Odd/1: broken")
        checkpoint.move(connection, stopped)

    text = told(world)

    assert measured(text, "paizhang_projections_stopped", projection="journal") == 1
    assert measured(text, "paizhang_projections_stopped", projection="history") == 0
    assert measured(text, "paizhang_projection_lag_events", projection="journal") == 0


# --- several processes ------------------------------------------------------------------------


def test_processes_that_share_a_folder_count_together(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third process tells what two have counted; of one that was killed no stream is left."""
    monkeypatch.setenv(metrics.FOLDER, "")
    metrics.count_in(tmp_path / "metrics")
    with _counting() as first, _counting():
        both = _told_by_another(sqlite_url)
        first.kill()
        first.wait(PATIENCE)
        one = _told_by_another(sqlite_url)

    counts = [measured(text, "paizhang_append_seconds_count") for text in (both, one)]
    assert (counts, measured(one, "paizhang_append_seconds_sum")) == ([2, 2], 0.5)
    assert [measured(text, "paizhang_streams") for text in (both, one)] == [2, 1]


def test_a_new_start_counts_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier start of the service counted is dropped; nothing else is."""
    monkeypatch.setenv(metrics.FOLDER, "")
    for name in ("histogram_vm-1.db", "notes.txt"):
        (tmp_path / name).touch()

    metrics.count_in(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert os.environ[metrics.FOLDER] == str(tmp_path)


def test_a_file_that_was_just_begun_tells_nothing(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an empty file of a process that died early, then the others are told."""
    monkeypatch.setenv(metrics.FOLDER, "")
    metrics.count_in(tmp_path)
    with _counting():
        (tmp_path / "histogram_vm-1.db").touch()
        told = _told_by_another(sqlite_url)
    assert measured(told, "paizhang_append_seconds_count") == 1


def test_a_process_that_stops_leaves_no_streams(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a server that ends with its readers, then its file says none, whoever looks."""
    monkeypatch.setenv(metrics.FOLDER, "")
    metrics.count_in(tmp_path)
    with _counting() as process:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(PATIENCE)
    [left] = tmp_path.glob("gauge_livesum_*.db")
    read: Any = MmapedDict.read_all_values_from_file
    assert [value for _, value, _, _ in read(str(left))] == [0.0]


@contextmanager
def _counting() -> Iterator[subprocess.Popen[str]]:
    """A process that has counted, and lives until this is left."""
    command, pipe = [sys.executable, "-c", COUNTING], subprocess.PIPE
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "counted\n"
        yield process


def _told_by_another(url: str) -> str:
    command = [sys.executable, "-c", TELLING, url]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout

"""The worker's task on exports: make what was asked for, and let go what has expired.

Files are written beside their place and put there whole, so a killed worker leaves none that is
cut short. While rows are written the lease is renewed, and how far it has come is noted.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
from celery import Celery

from ledger import exports, jobs, queue, working
from ledger.exports import Export
from ledger.jobs import EXPORT, Job
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import Settings
from ledger.working import Work

TASK, SWEEP = "paizhang.export", "paizhang.sweep_exports"
SWEEP_SECONDS = 10
FOLDER = "exports"
PART = ".part"
SECOND = 1_000_000
NOTED_EVERY = 1 * SECOND
AGAIN = ("lease_lost", "busy", "books_behind")
"""Refusals that say nothing of the export: it is tried again, or by another."""

Told = Callable[[int, int | None], None]
Make = Callable[[Export, Path, Told], tuple[int, str]]
"""Makes the files of an export in a folder; says how many rows they have, and what was made."""


def add_to(app: Celery, ledger: Ledger, settings: Settings, make: Make) -> None:
    """Give an application the task and its sweep, and its beat the asking for that."""

    def export(job: str) -> None:
        working.attempt(ledger, settings, _work(ledger, settings, make), int(job))

    def sweep_exports() -> None:
        sweep(ledger, settings, make)

    queue.add_tasks(app, {TASK: export, SWEEP: sweep_exports})
    options = {"queue": queue.LONG, "expires": SWEEP_SECONDS * 6}
    app.conf.beat_schedule |= {
        SWEEP: {"task": SWEEP, "schedule": float(SWEEP_SECONDS), "options": options}
    }


def sweep(ledger: Ledger, settings: Settings, make: Make) -> None:
    """Make what waits, whether or not a hint came, and remove the files of what has expired."""
    working.sweep(ledger, settings, _work(ledger, settings, make))
    with ledger.database.read() as connection:
        over = exports.expired(connection, ledger.clock())
    for export in over:
        shutil.rmtree(place_of(settings, export), ignore_errors=True)
        with ledger.database.write() as connection:
            exports.expire(connection, export)


def place_of(settings: Settings, export: str) -> Path:
    """The folder of an export's files."""
    return settings.data / FOLDER / export


def _work(ledger: Ledger, settings: Settings, make: Make) -> Work:
    def do(job: Job, token: str) -> None:
        _export(ledger, settings, make, job, token)

    def given_up(job: Job) -> None:
        with ledger.database.write() as connection:
            exports.fail(connection, job.subject, _error(Refused("export_failed")), ledger.clock())

    return Work(EXPORT, "export", do, given_up)


def _export(ledger: Ledger, settings: Settings, make: Make, job: Job, token: str) -> None:
    """Make an export; one that is refused has failed, and is not tried again."""
    with ledger.database.read() as connection:
        asked = exports.find(connection, job.subject, ledger.clock())
    assert asked is not None
    place = place_of(settings, job.subject)
    part = place.with_name(place.name + PART)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        rows, made = make(asked, part, _noting(ledger, settings, job, token))
    except Refused as refusal:
        shutil.rmtree(part, ignore_errors=True)
        if refusal.code in AGAIN:
            raise
        with ledger.database.write() as connection:
            jobs.finish(connection, job.id, token)
            exports.fail(connection, job.subject, _error(refusal), ledger.clock())
        return
    with ledger.database.write() as connection:
        jobs.finish(connection, job.id, token)
        exports.complete(connection, job.subject, made, rows, ledger.clock())
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)


def _noting(ledger: Ledger, settings: Settings, job: Job, token: str) -> Told:
    """Notes how far an export has come, once a second, and keeps the job meanwhile."""
    noted = 0

    def told(done: int, of: int | None) -> None:
        nonlocal noted
        now = ledger.clock()
        if now - noted < NOTED_EVERY:
            return
        noted = now
        with ledger.database.write() as connection:
            jobs.renew(connection, job.id, token, now + settings.lease_seconds * SECOND)
            exports.proceed(connection, job.subject, done, of)

    return told


def _error(refusal: Refused) -> str:
    """A refusal as it is kept."""
    params = {name: str(value) for name, value in refusal.params.items()}
    return msgspec.json.encode({"code": refusal.code, "params": params}).decode()

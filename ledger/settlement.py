"""The worker's task on the job table: settle each hand that ended, exactly once.

Attempt and lease are committed first; the settlement is computed outside any lock; then one
transaction checks the lease, appends it at version 0 of the hand's own stream and marks the job
done. The broker's message is a hint: what it lost, the sweep finds.
"""

from __future__ import annotations

import logging

import structlog
from structlog.contextvars import bound_contextvars

from ledger import jobs, metrics, sight, store
from ledger.access import Caller
from ledger.events import HandEnded
from ledger.jobs import Job
from ledger.perform import Ledger, Order, perform
from ledger.refusal import Refused
from ledger.rights import WORKER
from ledger.settings import Settings
from ledger.streams.settlement import SettleHand
from ledger.streams.table import fold

log = structlog.get_logger()
_told = logging.getLogger(__name__)
"""For what goes well: silent unless the level asks for it, in tests and commands too."""
_WORKER = Caller(WORKER, None, (WORKER,))
SWEPT = 100


def sweep(ledger: Ledger, settings: Settings) -> tuple[str, ...]:
    """Settle what waits, whether or not a hint came; says the clubs that had work."""
    with ledger.database.write() as connection:
        jobs.park_exhausted(connection, ledger.clock(), settings.max_attempts)
    with ledger.database.read() as connection:
        waiting = jobs.waiting(connection, ledger.clock(), SWEPT)
    for job in waiting:
        settle(ledger, settings, job.id)
    return tuple(dict.fromkeys(job.club for job in waiting))


def settle(ledger: Ledger, settings: Settings, job_id: int) -> bool:
    """Settle the hand of a job, if the job may be taken; says whether it was settled by this."""
    token = ledger.token(16).hex()
    with ledger.database.write() as connection:
        now = ledger.clock()
        job = jobs.lease(
            connection, token, now, settings.lease_seconds, settings.max_attempts, job_id
        )
    if job is None:
        return False
    with bound_contextvars(job=job.id, club=job.club, subject=job.subject):
        try:
            _settle(ledger, job, token)
        except Exception as fault:
            _give_back(ledger, settings, job, token, fault)
            return False
        seconds = max(0, ledger.clock() - job.created_at) / metrics.SECOND
        metrics.SETTLEMENT_SECONDS.observe(seconds)
        with bound_contextvars(seconds=seconds):
            _told.info("settled")
    return True


def _settle(ledger: Ledger, job: Job, token: str) -> None:
    """Compute the settlement, then append it and mark the job done in one transaction."""
    stream, command = _command(ledger, job)
    order = Order(job.club, stream, (command,))
    done = perform(
        ledger, _WORKER, order, lambda connection: jobs.finish(connection, job.id, token)
    )
    if not done.first:
        with ledger.database.write() as connection:
            jobs.finish(connection, job.id, token)


def _command(ledger: Ledger, job: Job) -> tuple[str, SettleHand]:
    """The hand that ended at the job's position, as the table's stream tells it."""
    with ledger.database.read() as connection:
        (end,) = store.read_log(connection, job.club, job.position - 1, 1)
        stored = store.read_stream(
            connection, job.club, end.stream, sight.HAND_START, upto=end.version
        )
    events = sight.whole(stored)
    table, ended = fold(events), events[-1].fact
    assert table is not None
    assert table.hand is not None
    assert isinstance(ended, HandEnded)
    name = end.stream.removeprefix("table/")
    command = SettleHand(name, table.seats, table.hand, ended, end.position)
    return f"hand/{name}/{table.hand.number}", command


def _give_back(ledger: Ledger, settings: Settings, job: Job, token: str, fault: Exception) -> None:
    """Give a failed job back with its error; after the last attempt it is parked."""
    error = f"{type(fault).__name__}: {fault}"[:500]
    log.error("settlement_failed", club=job.club, subject=job.subject, error=error)
    try:
        with ledger.database.write() as connection:
            pause = min(2**job.attempts, 60)
            most = settings.max_attempts
            jobs.fail(connection, job.id, token, error, ledger.clock(), pause, most)
    except Refused:
        log.warning("settlement_lease_lost", club=job.club, subject=job.subject)

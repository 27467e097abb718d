"""The worker's task on the job table: settle each hand that ended, exactly once.

Attempt and lease are committed first; the settlement is computed outside any lock; then one
transaction checks the lease, appends it at version 0 of the hand's own stream and marks the job
done. The broker's message is a hint: what it lost, the sweep finds.
"""

from __future__ import annotations

import logging
from typing import Literal

import structlog
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError
from structlog.contextvars import bound_contextvars

from ledger import booked, jobs, metrics
from ledger.access import Caller
from ledger.jobs import Job
from ledger.orders import Order
from ledger.perform import Ledger, perform
from ledger.refusal import Refused
from ledger.rights import WORKER
from ledger.settings import Settings
from ledger.streams.settlement import SettleHand

log = structlog.get_logger()
_told = logging.getLogger(__name__)
"""For what goes well: silent unless the level asks for it, in tests and commands too."""
_WORKER = Caller(WORKER, None, (WORKER,))
SWEPT = 100
PUT_OFF_SECONDS = 5
Attempt = Literal["settled", "failed", "put off", "not taken"]
"""What came of a job; one that was put off counts as not tried."""


def sweep(ledger: Ledger, settings: Settings) -> tuple[str, ...]:
    """Settle what waits, whether or not a hint came; says the clubs that had work.

    Who waited in vain for a club's lock goes on with the other clubs.
    """
    _park_exhausted(ledger, settings.max_attempts)
    with ledger.database.read() as connection:
        waiting = jobs.waiting(connection, ledger.clock(), SWEPT)
    stuck: set[str] = set()
    for job in waiting:
        if job.club not in stuck and _attempt(ledger, settings, job.id) == "put off":
            stuck.add(job.club)
    return tuple(dict.fromkeys(job.club for job in waiting))


def _park_exhausted(ledger: Ledger, most: int) -> None:
    """Park the jobs that killed each worker that had them."""
    with ledger.database.write() as connection:
        now = ledger.clock()
        gone = jobs.exhausted(connection, now, most)
        jobs.park_exhausted(connection, now, most)
    for job in gone:
        with bound_contextvars(job=job.id, club=job.club, subject=job.subject):
            log.error("settlement_parked", error=jobs.LEASE_RAN_OUT)


def settle(ledger: Ledger, settings: Settings, job_id: int) -> bool:
    """Settle the hand of a job, if the job may be taken; says whether it was settled by this."""
    return _attempt(ledger, settings, job_id) == "settled"


def _attempt(ledger: Ledger, settings: Settings, job_id: int) -> Attempt:
    """Take a job if it may be taken, and settle its hand or give it back."""
    token = ledger.token(16).hex()
    with ledger.database.write() as connection:
        now = ledger.clock()
        job = jobs.lease(
            connection, token, now, settings.lease_seconds, settings.max_attempts, job_id
        )
    if job is None:
        return "not taken"
    with bound_contextvars(job=job.id, club=job.club, subject=job.subject):
        try:
            _settle(ledger, job, token)
        except Exception as fault:
            return _give_back(ledger, settings, job, token, fault)
        seconds = max(0, ledger.clock() - job.created_at) / metrics.SECOND
        metrics.SETTLEMENT_SECONDS.observe(seconds)
        with bound_contextvars(seconds=seconds):
            _told.info("settled")
    return "settled"


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
        end, ended = booked.ended_at(connection, job.club, job.position)
    name, hand = end.stream.removeprefix("table/"), ended.hand
    command = SettleHand(name, ended.table.seats, hand, ended.fact, end.position)
    return f"hand/{name}/{hand.number}", command


def _give_back(
    ledger: Ledger, settings: Settings, job: Job, token: str, fault: Exception
) -> Attempt:
    """Give a job back with its error; after the last attempt that failed it is parked.

    Where the database failed, or the club's log is held by another, nothing was tried.
    """
    error = f"{type(fault).__name__}: {fault}"[:500]
    put_off = _is_of_database(fault)
    (log.warning if put_off else log.error)(
        "settlement_put_off" if put_off else "settlement_failed",
        club=job.club,
        subject=job.subject,
        error=error,
    )
    try:
        with ledger.database.write() as connection:
            now, pause, most = ledger.clock(), min(2**job.attempts, 60), settings.max_attempts
            if put_off:
                jobs.release(connection, job.id, token, error, now, PUT_OFF_SECONDS)
                return "put off"
            state = jobs.fail(connection, job.id, token, error, now, pause, most)
    except Refused:
        log.warning("settlement_lease_lost", club=job.club, subject=job.subject)
    else:
        if state == "parked":
            told = (type(fault), fault, fault.__traceback__)
            log.error("settlement_parked", error=error, exc_info=told)
    return "failed"


def _is_of_database(fault: Exception) -> bool:
    """Whether the database failed, or a lock was not free, and not the settlement."""
    is_busy = isinstance(fault, Refused) and fault.code == "busy"
    is_cut = isinstance(fault, DBAPIError) and fault.connection_invalidated
    return is_busy or is_cut or isinstance(fault, (OperationalError, InterfaceError, TimeoutError))

"""Working on the job table: a job is taken, done and finished, or given back with its error.

Attempt and lease are committed first, so they count even if the work kills its worker. Where the
database failed, or a club's log is held by another, nothing was tried. After the last attempt
that failed a job is parked, for who runs the service to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import structlog
from msgspec import Struct
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError
from structlog.contextvars import bound_contextvars

from ledger import jobs
from ledger.jobs import Job
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import Settings

log = structlog.get_logger()
SWEPT = 100
PUT_OFF_SECONDS = 5
Attempt = Literal["done", "failed", "put off", "not taken"]
"""What came of a job; one that was put off counts as not tried."""


class Work(Struct, frozen=True):
    """What is done with the jobs of a kind, which must finish what it did under its token.

    `name` is what its log lines begin with, `given_up` is told of a job that was parked.
    """

    kind: str
    name: str
    do: Callable[[Job, str], None]
    given_up: Callable[[Job], None] = lambda _: None


def sweep(ledger: Ledger, settings: Settings, work: Work) -> tuple[str, ...]:
    """Do what waits, whether or not a hint came; says the clubs that had work.

    Who waited in vain for a club's lock goes on with the other clubs.
    """
    _park_exhausted(ledger, settings.max_attempts, work)
    with ledger.database.read() as connection:
        waiting = jobs.waiting(connection, work.kind, ledger.clock(), SWEPT)
    stuck: set[str] = set()
    for job in waiting:
        if job.club not in stuck and attempt(ledger, settings, work, job.id) == "put off":
            stuck.add(job.club)
    return tuple(dict.fromkeys(job.club for job in waiting))


def attempt(ledger: Ledger, settings: Settings, work: Work, job_id: int) -> Attempt:
    """Take a job if it may be taken, and do it or give it back."""
    token = ledger.token(16).hex()
    with ledger.database.write() as connection:
        now, seconds, most = ledger.clock(), settings.lease_seconds, settings.max_attempts
        job = jobs.lease(connection, work.kind, token, now, seconds, most, job_id)
    if job is None:
        return "not taken"
    with bound_contextvars(job=job.id, club=job.club, subject=job.subject):
        try:
            work.do(job, token)
        except Exception as fault:
            return _give_back(ledger, settings, work, job, token, fault)
    return "done"


def _park_exhausted(ledger: Ledger, most: int, work: Work) -> None:
    """Park the jobs that killed each worker that had them."""
    with ledger.database.write() as connection:
        now = ledger.clock()
        gone = jobs.exhausted(connection, work.kind, now, most)
        jobs.park_exhausted(connection, work.kind, now, most)
    for job in gone:
        with bound_contextvars(job=job.id, club=job.club, subject=job.subject):
            log.error(f"{work.name}_parked", error=jobs.LEASE_RAN_OUT)
        work.given_up(job)


def _give_back(
    ledger: Ledger, settings: Settings, work: Work, job: Job, token: str, fault: Exception
) -> Attempt:
    """Give a job back with its error; after the last attempt that failed it is parked."""
    error = f"{type(fault).__name__}: {fault}"[:500]
    put_off, about = _is_of_database(fault), {"club": job.club, "subject": job.subject}
    (log.warning if put_off else log.error)(
        f"{work.name}_put_off" if put_off else f"{work.name}_failed", **about, error=error
    )
    try:
        with ledger.database.write() as connection:
            now, pause, most = ledger.clock(), min(2**job.attempts, 60), settings.max_attempts
            if put_off:
                jobs.release(connection, job.id, token, error, now, PUT_OFF_SECONDS)
                return "put off"
            state = jobs.fail(connection, job.id, token, error, now, pause, most)
    except Refused:
        log.warning(f"{work.name}_lease_lost", **about)
    else:
        if state == "parked":
            told = (type(fault), fault, fault.__traceback__)
            log.error(f"{work.name}_parked", error=error, exc_info=told)
            work.given_up(job)
    return "failed"


def _is_of_database(fault: Exception) -> bool:
    """Whether the database failed, or a lock was not free, and not the work."""
    is_busy = isinstance(fault, Refused) and fault.code == "busy"
    is_cut = isinstance(fault, DBAPIError) and fault.connection_invalidated
    return is_busy or is_cut or isinstance(fault, (OperationalError, InterfaceError, TimeoutError))

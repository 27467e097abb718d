"""The worker's task on the job table: settle each hand that ended, exactly once.

The settlement is computed outside any lock; then one transaction checks the lease, appends it at
version 0 of the hand's own stream and marks the job done. The broker's message is a hint: what it
lost, the sweep finds.
"""

from __future__ import annotations

import logging

from structlog.contextvars import bound_contextvars

from ledger import booked, jobs, metrics, working
from ledger.access import Caller
from ledger.jobs import SETTLE, Job
from ledger.orders import Order
from ledger.perform import Ledger, perform
from ledger.rights import WORKER
from ledger.settings import Settings
from ledger.streams.settlement import SettleHand
from ledger.working import Work

_told = logging.getLogger(__name__)
"""For what goes well: silent unless the level asks for it, in tests and commands too."""
_WORKER = Caller(WORKER, None, (WORKER,))


def sweep(ledger: Ledger, settings: Settings) -> tuple[str, ...]:
    """Settle what waits, whether or not a hint came; says the clubs that had work."""
    return working.sweep(ledger, settings, _work(ledger))


def settle(ledger: Ledger, settings: Settings, job_id: int) -> bool:
    """Settle the hand of a job, if the job may be taken; says whether it was settled by this."""
    return working.attempt(ledger, settings, _work(ledger), job_id) == "done"


def _work(ledger: Ledger) -> Work:
    def do(job: Job, token: str) -> None:
        _settle(ledger, job, token)
        seconds = max(0, ledger.clock() - job.created_at) / metrics.SECOND
        metrics.SETTLEMENT_SECONDS.observe(seconds)
        with bound_contextvars(seconds=seconds):
            _told.info("settled")

    return Work(SETTLE, "settlement", do)


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

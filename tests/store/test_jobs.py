"""The job table: every job is done once, and one that cannot be done is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ledger import jobs
from ledger.jobs import SETTLE, Job
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.database import Database
    from tests.store.conftest import Log

SECOND = 1_000_000
MOST = 3


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """One transaction for a whole test."""
    with database.write() as opened:
        yield opened


def leave(connection: Connection, subject: str = "tbl_a-1", club: str = "c1") -> int:
    """Leave a job at the moment 0."""
    return jobs.insert(connection, club, "settle", subject, position=7, now=0)


def lease(
    connection: Connection, token: str = "w1", now: int = 0, job: int | None = None
) -> Job | None:
    """Take a job for ten seconds."""
    return jobs.lease(connection, SETTLE, token, now, seconds=10, most=MOST, job=job)


def give_up(connection: Connection, job: int) -> None:
    """Let a job fail until it is parked."""
    for _ in range(MOST):
        lease(connection, job=job)
        jobs.fail(connection, job, "w1", "no_ruleset", now=0, pause=0, most=MOST)


def refusal(call: Callable[[], object]) -> tuple[str, dict[str, object]]:
    """The code and the parameters with which a call is refused."""
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.code, refused.value.params


# --- leaving and taking -----------------------------------------------------------------------


def test_left_job_waits(connection: Connection) -> None:
    """A job that was left waits to be taken, untried."""
    job = leave(connection)

    assert jobs.waiting(connection, SETTLE, now=0, limit=10) == [
        Job(job, "c1", "settle", "tbl_a-1", 7, "waiting", 0, 0, None, None, 0)
    ]


def test_one_job_for_a_subject(connection: Connection) -> None:
    """The same work is never left twice."""
    leave(connection)

    with pytest.raises(IntegrityError), connection.begin_nested():
        leave(connection)


def test_job_of_an_append_that_failed(database: Database) -> None:
    """A job is left with its append or not at all."""

    def append_that_fails() -> None:
        with database.write() as connection:
            leave(connection)
            raise Refused("version_stale")

    refusal(append_that_fails)

    with database.read() as connection:
        assert jobs.waiting(connection, SETTLE, now=0, limit=10) == []


def test_lease(connection: Connection) -> None:
    """A job is taken by a worker's token, for some seconds, and the attempt counts."""
    job = leave(connection)

    assert lease(connection, "w1", now=5) == Job(
        job, "c1", "settle", "tbl_a-1", 7, "leased", 1, 5 + 10 * SECOND, "w1", None, 0
    )


def test_oldest_first(connection: Connection) -> None:
    """Jobs are taken in the order in which they were left."""
    left = [leave(connection, f"tbl_a-{hand}") for hand in (1, 2, 3)]

    taken = [lease(connection) for _ in left]

    assert [job and job.id for job in taken] == left


def test_lease_of_one_job(connection: Connection) -> None:
    """A worker that was told of a job takes that one."""
    leave(connection, "tbl_a-1")
    second = leave(connection, "tbl_a-2")

    taken = lease(connection, job=second)

    assert taken is not None
    assert taken.subject == "tbl_a-2"


def test_nothing_to_lease(connection: Connection) -> None:
    """Where no job waits, nothing is taken."""
    assert lease(connection) is None


def test_leased_job_is_not_free(connection: Connection) -> None:
    """While a lease runs nobody else is told of the job or gets it."""
    leave(connection)
    lease(connection, "w1")

    assert lease(connection, "w2", now=10 * SECOND - 1) is None
    assert jobs.waiting(connection, SETTLE, now=10 * SECOND - 1, limit=10) == []


def test_lease_that_ran_out(connection: Connection) -> None:
    """When a lease has run out, as of a killed worker, another may take the job."""
    job = leave(connection)
    lease(connection, "w1")

    assert [found.id for found in jobs.waiting(connection, SETTLE, now=10 * SECOND, limit=10)] == [
        job
    ]
    again = lease(connection, "w2", now=10 * SECOND)

    assert again is not None
    assert (again.leased_by, again.attempts) == ("w2", 2)


def test_waiting_in_portions(connection: Connection) -> None:
    """A sweep gets the oldest jobs, no more than it asks for."""
    left = [leave(connection, f"tbl_a-{hand}") for hand in (1, 2, 3)]

    assert [job.id for job in jobs.waiting(connection, SETTLE, now=0, limit=2)] == left[:2]


def test_two_workers_at_once(log: Log, elsewhere: Log, together: Callable[..., list[Any]]) -> None:
    """Two workers who take at once never take the same job."""

    def take(worker: Log, token: str) -> Job | None:
        with worker.database.write() as connection:
            return lease(connection, token)

    for hand in range(10):
        with log.database.write() as connection:
            job = leave(connection, f"tbl_a-{hand}")
        taken = together(lambda: take(log, "w1"), lambda: take(elsewhere, "w2"))

        assert [found.id for found in taken if found] == [job]


def test_taken_job_is_passed_over(log: Log, elsewhere: Log) -> None:
    """On PostgreSQL a worker does not wait for another's unfinished taking; on SQLite it does."""
    with log.database.write() as connection:
        for hand in (1, 2):
            leave(connection, f"tbl_a-{hand}")

    def take() -> Job | None:
        with elsewhere.database.write() as other:
            return lease(other, "w2")

    with ThreadPoolExecutor(1) as thread:
        with log.database.write() as connection:
            lease(connection, "w1")
            second = thread.submit(take)
            if connection.dialect.name == "postgresql":
                second.result(timeout=20)
        taken = second.result(timeout=20)

    assert taken is not None
    assert taken.subject == "tbl_a-2"


# --- finishing and failing --------------------------------------------------------------------


def test_finish(connection: Connection) -> None:
    """A job that is done is never taken again."""
    job = leave(connection)
    lease(connection)

    jobs.finish(connection, job, "w1")

    assert lease(connection, now=99 * SECOND) is None
    assert jobs.counts(connection) == {"waiting": 0, "leased": 0, "parked": 0}


@pytest.mark.parametrize("token", ["w1", "w3"])
def test_finish_without_the_lease(connection: Connection, token: str) -> None:
    """A worker whose lease has gone to another, or who never had one, cannot finish."""
    job = leave(connection)
    lease(connection, "w1")
    lease(connection, "w2", now=10 * SECOND)

    code, params = refusal(lambda: jobs.finish(connection, job, token))

    assert (code, params) == ("lease_lost", {"job": job})


def test_finish_twice(connection: Connection) -> None:
    """A job is finished once."""
    job = leave(connection)
    lease(connection)
    jobs.finish(connection, job, "w1")

    assert refusal(lambda: jobs.finish(connection, job, "w1")) == ("lease_lost", {"job": job})


def test_fail(connection: Connection) -> None:
    """A job that failed waits with its error, and is taken again after a pause."""
    job = leave(connection)
    lease(connection)

    state = jobs.fail(connection, job, "w1", "no_ruleset", now=0, pause=4, most=MOST)

    assert state == "waiting"
    assert lease(connection, now=4 * SECOND - 1) is None
    again = lease(connection, now=4 * SECOND)
    assert again is not None
    assert (again.attempts, again.error) == (2, "no_ruleset")


def test_fail_without_the_lease(connection: Connection) -> None:
    """A worker that lost its lease cannot give the job back either."""
    job = leave(connection)

    code, params = refusal(
        lambda: jobs.fail(connection, job, "w1", "no_ruleset", now=0, pause=0, most=MOST)
    )

    assert (code, params) == ("lease_lost", {"job": job})


# --- parking ----------------------------------------------------------------------------------


def test_parked_after_the_last_attempt(connection: Connection) -> None:
    """A job that failed as often as it may is parked with its error, and not tried again."""
    job = leave(connection)

    give_up(connection, job)

    assert lease(connection, now=99 * SECOND) is None
    assert jobs.parked(connection, limit=10) == [
        Job(job, "c1", "settle", "tbl_a-1", 7, "parked", 3, 0, None, "no_ruleset", 0)
    ]


def test_work_that_kills_its_worker(connection: Connection) -> None:
    """A job whose every lease ran out is not tried again, and is parked by the sweep."""
    leave(connection)
    for attempt in range(MOST):
        lease(connection, f"w{attempt}", now=attempt * 10 * SECOND)
    later = MOST * 10 * SECOND

    assert lease(connection, "w9", now=later) is None
    assert jobs.park_exhausted(connection, SETTLE, now=later, most=MOST) == 1
    assert [job.error for job in jobs.parked(connection, limit=10)] == ["lease_ran_out"]


def test_last_attempt_is_left_in_peace(connection: Connection) -> None:
    """A sweep parks nothing while the last attempt's lease runs, nor what has attempts left."""
    job = leave(connection, "tbl_a-1")
    leave(connection, "tbl_a-2")
    for now in (0, 10 * SECOND, 20 * SECOND):
        lease(connection, now=now, job=job)

    assert jobs.park_exhausted(connection, SETTLE, now=30 * SECOND - 1, most=MOST) == 0


def test_parked_of_a_club(connection: Connection) -> None:
    """An owner sees the parked jobs of one club, an operator those of all."""
    for job in (leave(connection), leave(connection, club="c2")):
        give_up(connection, job)

    assert [job.club for job in jobs.parked(connection, limit=10, club="c2")] == ["c2"]
    assert [job.club for job in jobs.parked(connection, limit=10)] == ["c1", "c2"]


def test_retry(connection: Connection) -> None:
    """A parked job can be tried again, with all its attempts."""
    job = leave(connection)
    give_up(connection, job)

    jobs.retry(connection, "c1", job)

    again = lease(connection)
    assert again is not None
    assert (again.id, again.attempts) == (job, 1)


def test_retry_of_another_clubs_job(connection: Connection) -> None:
    """A club cannot have another's job tried again."""
    job = leave(connection, club="c2")
    give_up(connection, job)

    code, params = refusal(lambda: jobs.retry(connection, "c1", job))

    assert (code, params) == ("job_not_parked", {"job": job})


def test_retry_of_a_waiting_job(connection: Connection) -> None:
    """Only a parked job is tried from the beginning."""
    job = leave(connection)

    assert refusal(lambda: jobs.retry(connection, "c1", job)) == ("job_not_parked", {"job": job})


def test_counts(connection: Connection) -> None:
    """What is left is counted by its state."""
    for hand in (1, 2, 3, 4):
        leave(connection, f"tbl_a-{hand}")
    parked = lease(connection)
    assert parked is not None
    jobs.fail(connection, parked.id, "w1", "no_ruleset", now=0, pause=0, most=1)
    lease(connection)

    assert jobs.counts(connection) == {"waiting": 2, "leased": 1, "parked": 1}

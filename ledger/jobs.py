"""The job table: work that an append leaves behind, done whatever a message broker loses.

A job is inserted in the transaction of its append. A worker leases it with a token of its own
and commits that first, so an attempt counts even if the worker is killed; whoever finishes it
must still hold the lease. Times are microseconds of UTC, handed in.
"""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, Update, func, select, text, update

from ledger.refusal import Refused

State = Literal["waiting", "leased", "done", "parked"]
SETTLE, EXPORT = "settle", "export"
"""The kinds of work: a hand to be settled, an export to be made."""
METADATA = sa.MetaData()
LEASE_RAN_OUT = "lease_ran_out"
_SECOND = 1_000_000
LONGEST_LEASE = 86_400
"""Seconds for which a lease, or a pause, may last; one that ends later than that from now was
given by a clock that was wrong, and has run out."""
_LEFT = text("state <> 'done'")
"""The jobs that are not done; the index has the same words."""

jobs = sa.Table(
    "jobs",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("club", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("lease_until", sa.BigInteger, nullable=False),
    sa.Column("leased_by", sa.Text),
    sa.Column("error", sa.Text),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("club", "kind", "subject"),
    sa.Index("jobs_left", "id", sqlite_where=_LEFT, postgresql_where=_LEFT),
)


class Job(Struct, frozen=True):
    """A piece of work on one subject, left by the event at a position of the club's log.

    `lease_until` is when it may be taken (again): the end of a lease, or of a pause after a
    failure. `error` is what the last attempt ended with.
    """

    id: int
    club: str
    kind: str
    subject: str
    position: int
    state: State
    attempts: int
    lease_until: int
    leased_by: str | None
    error: str | None
    created_at: int


def insert(
    connection: Connection, club: str, kind: str, subject: str, position: int, now: int
) -> int:
    """Leave a job, once for its subject, and say its id."""
    job = {"club": club, "kind": kind, "subject": subject, "position": position}
    new = {"state": "waiting", "attempts": 0, "lease_until": 0, "created_at": now}
    statement = sa.insert(jobs).values(job | new).returning(jobs.c.id)
    made: int = connection.execute(statement).scalar_one()
    return made


def lease(
    connection: Connection,
    kind: str,
    token: str,
    now: int,
    seconds: int,
    most: int,
    job: int | None = None,
) -> Job | None:
    """Take a job of a kind (that one, or the oldest) for some seconds, if one may be taken.

    Commit before working: the attempt must count even if the work kills the worker.
    """
    choice = select(jobs.c.id).where(_LEFT, *_free(now), jobs.c.attempts < most)
    choice = choice.where(jobs.c.kind == kind)
    if job is not None:
        choice = choice.where(jobs.c.id == job)
    choice = choice.order_by(jobs.c.id).limit(1).with_for_update(skip_locked=True)
    taken = (
        update(jobs)
        .where(jobs.c.id == choice.scalar_subquery())
        .values(
            state="leased",
            attempts=jobs.c.attempts + 1,
            lease_until=now + seconds * _SECOND,
            leased_by=token,
        )
        .returning(*jobs.c)
    )
    row = connection.execute(taken).one_or_none()
    return Job(*row) if row else None


def finish(connection: Connection, job: int, token: str) -> None:
    """Mark a job done in the transaction that did it; refuses a lost lease (`lease_lost`)."""
    done = _held(job, token).values(state="done", leased_by=None, error=None)
    if connection.execute(done).rowcount != 1:
        raise Refused("lease_lost", job=job)


def fail(
    connection: Connection, job: int, token: str, error: str, now: int, pause: int, most: int
) -> State:
    """Give a job back after a failure, for a next attempt after a pause of seconds, or park it.

    Refuses a lost lease (`lease_lost`).
    """
    state = sa.case((jobs.c.attempts < most, "waiting"), else_="parked")
    given_back = _held(job, token).values(
        state=state, lease_until=now + pause * _SECOND, leased_by=None, error=error
    )
    after: State | None = connection.execute(
        given_back.returning(jobs.c.state)
    ).scalar_one_or_none()
    if after is None:
        raise Refused("lease_lost", job=job)
    return after


def release(connection: Connection, job: int, token: str, error: str, now: int, pause: int) -> None:
    """Give a job back that could not be tried, after a pause of seconds; no attempt is counted.

    Refuses a lost lease (`lease_lost`).
    """
    given_back = _held(job, token).values(
        state="waiting",
        attempts=jobs.c.attempts - 1,
        lease_until=now + pause * _SECOND,
        leased_by=None,
        error=error,
    )
    if connection.execute(given_back).rowcount != 1:
        raise Refused("lease_lost", job=job)


def renew(connection: Connection, job: int, token: str, until: int) -> None:
    """Keep a job until a later moment, while work on it goes on; refuses a lost lease."""
    kept = _held(job, token).values(lease_until=until)
    if connection.execute(kept).rowcount != 1:
        raise Refused("lease_lost", job=job)


def park_exhausted(connection: Connection, kind: str, now: int, most: int) -> int:
    """Park the jobs whose last lease ran out, such as work that kills its worker; says how many."""
    exhausted = (
        update(jobs)
        .where(_LEFT, *_free(now), jobs.c.kind == kind, jobs.c.attempts >= most)
        .values(state="parked", leased_by=None, error=LEASE_RAN_OUT)
    )
    return connection.execute(exhausted).rowcount


def retry(connection: Connection, club: str, job: int) -> None:
    """Let a parked job of a club be tried from the beginning (`job_not_parked`)."""
    again = (
        update(jobs)
        .where(jobs.c.id == job, jobs.c.club == club, jobs.c.state == "parked")
        .values(state="waiting", attempts=0, lease_until=0)
    )
    if connection.execute(again).rowcount != 1:
        raise Refused("job_not_parked", job=job)


def pending(connection: Connection, club: str, kind: str, prefix: str) -> list[str]:
    """The subjects of a club's jobs that are neither done nor parked and begin alike."""
    return list(connection.execute(_undone(club, kind, prefix, jobs.c.state != "parked")).scalars())


def undone(connection: Connection, club: str, kind: str, prefix: str = "") -> list[str]:
    """The subjects of a club's jobs that are not done, parked ones too, and begin alike."""
    return list(connection.execute(_undone(club, kind, prefix)).scalars())


def exhausted(connection: Connection, kind: str, now: int, most: int) -> list[Job]:
    """The jobs that `park_exhausted` would park."""
    return _read(connection, None, *_free(now), jobs.c.kind == kind, jobs.c.attempts >= most)


def left(connection: Connection) -> list[Job]:
    """Every job that is not done, the oldest first."""
    return _read(connection, None)


def waiting(connection: Connection, kind: str, now: int, limit: int) -> list[Job]:
    """The oldest jobs of a kind that may be taken now: those whose hint may be lost."""
    return _read(connection, limit, *_free(now), jobs.c.kind == kind)


def parked(connection: Connection, limit: int | None = None, club: str | None = None) -> list[Job]:
    """The oldest parked jobs, of one club or of all."""
    of_club = [] if club is None else [jobs.c.club == club]
    return _read(connection, limit, jobs.c.state == "parked", *of_club)


def counts(connection: Connection) -> dict[State, int]:
    """How many jobs wait, are leased and are parked. Done ones are not counted: they are all."""
    each = select(jobs.c.state, func.count()).where(_LEFT).group_by(jobs.c.state)
    found: dict[State, int] = dict(connection.execute(each).all())
    return {"waiting": 0, "leased": 0, "parked": 0, **found}


def _free(now: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Jobs that nobody holds: waiting past their pause, or with a lease that ran out."""
    until = jobs.c.lease_until
    over = (until <= now) | (until > now + LONGEST_LEASE * _SECOND)
    return jobs.c.state.in_(("waiting", "leased")), over


def _held(job: int, token: str) -> Update:
    """A change to a job that only the holder of its lease can make."""
    return update(jobs).where(jobs.c.id == job, jobs.c.state == "leased", jobs.c.leased_by == token)


def _undone(club: str, kind: str, prefix: str, *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The subjects of jobs that are not done and begin alike, in the order of being left."""
    mine = (jobs.c.club == club, jobs.c.kind == kind, *where)
    alike = jobs.c.subject.startswith(prefix, autoescape=True)
    return select(jobs.c.subject).where(_LEFT, *mine, alike).order_by(jobs.c.id)


def _read(connection: Connection, limit: int | None, *where: Any) -> list[Job]:
    """Jobs that are left and fit, the oldest first."""
    page = select(jobs).where(_LEFT, *where).order_by(jobs.c.id).limit(limit)
    return [Job(*row) for row in connection.execute(page)]

"""The projections, and how they follow the log: catch up, rebuild, drop what was replaced.

Rows and checkpoint are one transaction that holds the checkpoint's row, so two processes never
apply an event twice. An event that a projection cannot take stops that projection in that club,
with the error recorded; nothing is skipped and the others go on. An event that this release does
not know stops nobody: all wait before it for a release that does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import takewhile
from math import inf
from time import monotonic

import sqlalchemy as sa
import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from ledger import codec, store
from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import Stored
from projections import (
    allowances,
    checkpoint,
    disputes,
    dissolutions,
    history,
    idle,
    journal,
    operator_log,
    pairs,
    periods,
    statistics,
    tables,
)
from projections.checkpoint import Mark, Place, Projection

METADATA = checkpoint.METADATA
ALL = (
    journal.JOURNAL,
    history.HISTORY,
    tables.TABLES,
    allowances.ALLOWANCES,
    disputes.DISPUTES,
    periods.PERIODS,
    operator_log.OPERATOR_LOG,
    statistics.STATISTICS,
    pairs.PAIRS,
    dissolutions.DISSOLUTIONS,
    idle.IDLE,
)
"""Every projection: a new one is a file, a line here and a migration."""

SHOWN = frozenset(
    name for name in codec.TYPES for projection in ALL if codec.kind_of(name) in projection.arms
)
"""The types of events that change what a projection shows."""

BATCH = 500
SQLITE_BATCH = 100
"""How many events are read at once; on SQLite no more than can be taken in so short a time."""
SQLITE_SECONDS = 0.05
"""How long a batch may keep SQLite's one writer from everybody else."""
DROP_AFTER = 10 * 60 * 1_000_000
"""How long an old generation stays for readers that began on it, in microseconds."""

GIVEN_UP = "given up"
"""What stops a rebuild that somebody does not want any more."""

log = structlog.get_logger()


def position(connection: Connection, club: str, name: str) -> int:
    """The last event of a club's log that a projection shows."""
    return checkpoint.mark(connection, club, name).position


def catch_up(
    database: Database,
    club: str,
    upto: int | None = None,
    projections: Sequence[Projection] = ALL,
    seconds: float = inf,
) -> None:
    """Bring a club's projections to the head of its log, or to a position; give up in time.

    An event of a type that this release does not know is as far as it goes.
    """
    names = tuple(projection.name for projection in projections)
    end = monotonic() + seconds
    while monotonic() < end:
        with database.read() as connection:
            come = checkpoint.marks(connection, club, names)
            rows = _unread(connection, club, come, store.NO_END if upto is None else upto)
        if not rows:
            return
        with database.write_of(club) as connection:
            _take(connection, rows, checkpoint.locked(connection, club, names), projections)


def catch_up_all(database: Database) -> None:
    """Bring every club up to date; one in which that fails keeps nobody from the others."""
    for club in behind(database):
        try:
            catch_up(database, club)
        except (SQLAlchemyError, Refused) as fault:
            log.warning(
                "catch_up_failed", club=club, error=f"{type(fault).__name__}: {fault}"[:500]
            )


def behind(database: Database) -> list[str]:
    """The clubs with a projection that is not at the head of the log, and was not stopped."""
    with database.read() as connection:
        return checkpoint.behind(connection, len(ALL))


def rebuild(
    database: Database,
    club: str,
    name: str,
    clock: Callable[[], int],
    projections: Sequence[Projection] = ALL,
) -> int:
    """Make a projection of a club anew beside the live one, then let it be the live one."""
    begun = begin(database, club, name, projections)
    return finish(database, begun, clock, projections)


def begin(
    database: Database, club: str, name: str, projections: Sequence[Projection] = ALL
) -> Mark:
    """Begin a projection of a club anew, as a generation beside the live one.

    Refuses a log that ends before what is shown of it (`log_cut`).
    """
    _named(name, projections)
    with database.write() as connection:
        head = store.head(connection, club)
        if head is None:
            raise Refused("club_unknown", club=club)
        shown = position(connection, club, name)
        if shown > head.position:
            raise Refused("log_cut", shown=shown, last=head.position)
        return Mark(name, club, checkpoint.add(connection, name, club))


def finish(
    database: Database,
    begun: Mark,
    clock: Callable[[], int],
    projections: Sequence[Projection] = ALL,
    told: Callable[[int, int], None] = lambda *_: None,
) -> int:
    """Fill a generation from where it has come to the log's head, then let it be the live one.

    `told` hears how many events are done, of how many. Whoever is interrupted leaves what he has
    done, and another goes on with it. Refuses `projection_stopped` when an event stops it, and
    `event_type_unknown` before one that this release does not know; the live one stays as it was.
    One that a later rebuild has overtaken is given up: what is live is newer.
    """
    name, club, generation = begun.projection, begun.club, begun.generation
    while True:
        with database.read() as connection:
            come = checkpoint.find(connection, name, club, generation)
            rows = _unread(connection, club, [come] if come else [], store.NO_END)
            head = store.head(connection, club)
        if come and come.error is not None:
            raise Refused("projection_stopped", projection=name, error=come.error)
        if come and head:
            told(come.position, head.position)
        if come and not rows:
            _check_whole(database, come)
        now = clock()
        with database.write() as connection:
            if not rows and _switch(connection, name, club, generation, now):
                return generation
            held = checkpoint.hold(connection, name, club, generation)
            _take(connection, rows, [held] if held else [], projections)


def give_up(database: Database, begun: Mark, projections: Sequence[Projection] = ALL) -> None:
    """Drop a generation that was begun and is not live; whoever is at work on it is stopped."""
    tables = _named(begun.projection, projections).tables
    with database.write() as connection:
        (live,) = checkpoint.locked(connection, begun.club, (begun.projection,))
        held = checkpoint.hold(connection, begun.projection, begun.club, begun.generation)
        if held is None or live.generation >= begun.generation:
            return
        stopped = Mark(held.projection, held.club, held.generation, held.position, GIVEN_UP)
        checkpoint.move(connection, stopped)
    while _drop_some(database, tables, begun):
        pass


def resume(database: Database, club: str, name: str) -> None:
    """Let a projection that an event has stopped try that event again, after a fix."""
    with database.write() as connection:
        (held,) = checkpoint.locked(connection, club, (name,))
        checkpoint.move(connection, Mark(name, club, held.generation, held.position))


def drop_old(database: Database, now: int, projections: Sequence[Projection] = ALL) -> None:
    """Drop the generations replaced ten minutes ago, a small delete at a time."""
    with database.read() as connection:
        outdated = checkpoint.old(connection, now - DROP_AFTER)
    for gone in outdated:
        tables = _named(gone.projection, projections).tables
        while _drop_some(database, tables, gone):
            pass


def _unread(connection: Connection, club: str, come: list[Mark], upto: int) -> list[Stored]:
    """The next events for those of the projections that are behind and not stopped."""
    head = store.head(connection, club)
    last = min(upto, head.position) if head else 0
    low = min((mark.position for mark in come if mark.error is None), default=last)
    if low >= last:
        return []
    size = SQLITE_BATCH if connection.dialect.name == "sqlite" else BATCH
    rows = store.read_log(connection, club, low, min(size, last - low))
    return list(takewhile(_is_known, rows))


def _is_known(row: Stored) -> bool:
    """Whether this release knows what an event of this type means."""
    if row.type not in codec.TYPES:
        _warn_of_newer(row.club, row.type)
    return row.type in codec.TYPES


@cache
def _warn_of_newer(club: str, kind: str) -> None:
    """Say once in this process that a club's log has events of a newer release."""
    log.warning("event_type_unknown", club=club, type=kind)


def _check_whole(database: Database, come: Mark) -> None:
    """Refuse a generation that ends before an event that this release does not know."""
    with database.read() as connection:
        for row in store.read_log(connection, come.club, come.position, 1):
            if row.type not in codec.TYPES:
                raise Refused("event_type_unknown", type=row.type)


def _take(
    connection: Connection,
    rows: list[Stored],
    held: list[Mark],
    projections: Sequence[Projection],
) -> None:
    """Apply events to generations that are held, for as long as a batch may last."""
    end = monotonic() + (SQLITE_SECONDS if connection.dialect.name == "sqlite" else inf)
    come = {mark.projection: mark for mark in held}
    for row in rows:
        for projection in projections:
            if projection.name in come:
                come[projection.name] = _next(connection, projection, come[projection.name], row)
        if monotonic() > end:
            break
    for mark in held:
        if come[mark.projection] != mark:
            checkpoint.move(connection, come[mark.projection])


def _next(connection: Connection, projection: Projection, mark: Mark, row: Stored) -> Mark:
    """How far a generation has come after an event; only the very next one is its to take."""
    if mark.error is not None or mark.position != row.position - 1:
        return mark
    error = _apply(connection, projection, mark, row) if projection.takes(row) else None
    come = mark.position if error else row.position
    return Mark(mark.projection, mark.club, mark.generation, come, error)


def _apply(connection: Connection, projection: Projection, mark: Mark, row: Stored) -> str | None:
    """Apply an event, wholly or not at all; says why it cannot be taken."""
    try:
        with connection.begin_nested():
            projection.apply(connection, Place(mark.club, mark.generation), row)
    except MemoryError:
        raise
    except DBAPIError as fault:
        if not isinstance(fault, (IntegrityError, DataError)):
            raise  # the database fails here, not the event: the next attempt may do
        return _stopped(projection, mark, row, fault)
    except Exception as fault:
        return _stopped(projection, mark, row, fault)
    return None


def _stopped(projection: Projection, mark: Mark, row: Stored, fault: Exception) -> str:
    """What is recorded of an event that cannot be taken."""
    error = f"{row.position} {row.type}: {type(fault).__name__}: {fault}"[:500]
    log.error("projection_stopped", projection=projection.name, club=mark.club, error=error)
    return error


def _switch(connection: Connection, name: str, club: str, generation: int, now: int) -> bool:
    """Make a generation live unless the live one has come further meanwhile."""
    (live,) = checkpoint.locked(connection, club, (name,))
    new = checkpoint.hold(connection, name, club, generation)
    if new is None or live.generation > generation:
        return True  # a later rebuild was faster, and this one may be dropped already
    if new.error is not None or new.position < live.position:
        return False
    checkpoint.switch(connection, new, now)
    return True


def _drop_some(database: Database, tables: tuple[sa.Table, ...], gone: Mark) -> bool:
    """Delete some rows of a generation, or forget it where it has none; says if it had any.

    It is held meanwhile, so that a slow rebuild adds no row to what is forgotten.
    """
    with database.write() as connection:
        checkpoint.hold(connection, gone.projection, gone.club, gone.generation)
        for table in tables:
            key = list(table.primary_key.columns)
            here = Place(gone.club, gone.generation).rows(table)
            some = sa.delete(table).where(
                sa.tuple_(*key).in_(sa.select(*key).where(*here).limit(BATCH))
            )
            if connection.execute(some).rowcount:
                return True
        checkpoint.forget(connection, gone)
        return False


def _named(name: str, projections: Sequence[Projection]) -> Projection:
    for projection in projections:
        if projection.name == name:
            return projection
    allowed = ", ".join(projection.name for projection in projections)
    raise Refused("projection_unknown", projection=name, allowed=allowed)

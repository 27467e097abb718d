"""Checkpoints that are made by themselves: at the end of a hand, and of a club's day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import structlog
from sqlalchemy import Connection, func, select

from ledger import access, checkpoints, store
from ledger.checkpoints import signed_checkpoints
from ledger.database import Database
from ledger.days import day_of
from ledger.refusal import Refused

log = structlog.get_logger()
_REACHED = (
    select(func.coalesce(func.max(signed_checkpoints.c.position), 0))
    .where(signed_checkpoints.c.club == store.heads.c.club)
    .scalar_subquery()
)
_GROWN = select(store.heads.c.club, store.events.c.recorded_at).where(
    store.events.c.club == store.heads.c.club, store.events.c.position == _REACHED + 1
)
"""Each club that has grown since its newest checkpoint, with the time of its first event since."""


def seal(database: Database, club: str, file: Path, clock: Callable[[], int]) -> bool:
    """Make a checkpoint of a club; what keeps it from that is logged, and holds up nothing."""
    try:
        checkpoints.make(database, club, file, clock)
    except Refused as refusal:
        told = {**refusal.params, "club": club, "code": refusal.code}
        log.error("checkpoint_failed", **told)
    except Exception as fault:  # a full disk, a database that is away: a sweep tries again
        log.error("checkpoint_failed", club=club, error=f"{type(fault).__name__}: {fault}"[:500])
    else:
        return True
    return False


def due(connection: Connection, clock: Callable[[], int]) -> list[str]:
    """The clubs whose log has grown on a day that is over and is not under a checkpoint."""
    now = clock()
    found = []
    for name, recorded_at in connection.execute(_GROWN).all():
        row = access.find_club(connection, name)
        if row is not None:
            day = day_of(row.zone, row.day_cutoff)
            if day(recorded_at) < day(now):
                found.append(name)
    return found

"""The present of a club: the time of its log, and the days of its own clock and calendar."""

from __future__ import annotations

from functools import cache

import structlog
from sqlalchemy import Connection

from ledger import access, store
from ledger.days import day_of, weekday_of
from ledger.streams.now import Now

A_DAY = 24 * 3600 * 1_000_000
log = structlog.get_logger()


def present(connection: Connection, club: str, clock: int) -> Now:
    """The present of a club: its log's time never goes back, whatever the clock does."""
    head = store.head(connection, club)
    at = max(clock, head.recorded_at if head else 0)
    if at - clock > A_DAY:
        _warn(club)
    row = access.find_club(connection, club)
    zone, cutoff = (row.zone, row.day_cutoff) if row else ("UTC", 0)
    return Now(at, day_of(zone, cutoff), weekday_of(zone), at - clock)


@cache
def _warn(club: str) -> None:
    """Say once in this process that a log's time is more than a day ahead of the clock."""
    log.warning("clock_behind_log", club=club)

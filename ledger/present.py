"""The present of a club: the time of its log, and the days of its own clock and calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import Connection

from ledger import access, store
from ledger.streams.now import Now

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
A_DAY = 24 * 3600 * 1_000_000
log = structlog.get_logger()


def present(connection: Connection, club: str, clock: int) -> Now:
    """The present of a club: its log's time never goes back, whatever the clock does."""
    head = store.head(connection, club)
    at = max(clock, head.recorded_at if head else 0)
    if at - clock > A_DAY:
        _warn(club)
    row = access.find_club(connection, club)
    zone = ZoneInfo(row.zone if row else "UTC")
    return Now(at, _day(zone, row.day_cutoff if row else 0), _weekday(zone), at - clock)


@cache
def _warn(club: str) -> None:
    """Say once in this process that a log's time is more than a day ahead of the clock."""
    log.warning("clock_behind_log", club=club)


def _day(zone: ZoneInfo, cutoff: int) -> Callable[[int], str]:
    """The club's business day of a moment: it begins at the cutoff, since play passes midnight."""

    def day(at: int) -> str:
        return (_local(zone, at) - timedelta(minutes=cutoff)).date().isoformat()

    return day


def _weekday(zone: ZoneInfo) -> Callable[[int], int]:
    """The day of the week of a moment by the club's calendar, which turns at midnight."""
    return lambda at: _local(zone, at).isoweekday()


def _local(zone: ZoneInfo, at: int) -> datetime:
    return (EPOCH + timedelta(microseconds=at)).astimezone(zone).replace(tzinfo=None)

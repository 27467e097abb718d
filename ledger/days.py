"""The days of a club: its business day, and the day of the week by its calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def zones() -> frozenset[str]:
    """The time zones of the world, without what a machine calls its own."""
    return frozenset(available_timezones()) - {"Factory", "localtime"}


def day_of(zone: str, cutoff: int) -> Callable[[int], str]:
    """The club's business day of a moment: it begins at the cutoff, since play passes midnight.

    The cutoff is in minutes after midnight, a moment in microseconds of UTC.
    """
    own = ZoneInfo(zone)

    def day(at: int) -> str:
        return (_local(own, at) - timedelta(minutes=cutoff)).date().isoformat()

    return day


def weekday_of(zone: str) -> Callable[[int], int]:
    """The day of the week of a moment by the club's calendar, which turns at midnight."""
    own = ZoneInfo(zone)
    return lambda at: _local(own, at).isoweekday()


def _local(zone: ZoneInfo, at: int) -> datetime:
    return (EPOCH + timedelta(microseconds=at)).astimezone(zone).replace(tzinfo=None)

"""The present as it is handed to a decision: pure rooms have no clock of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from msgspec import Struct

from ledger.refusal import Refused
from ledger.rules.play import Moment

AHEAD = 5 * 60 * 1_000_000
"""How far ahead of the ledger's clock a client's may be, in microseconds."""


class Now(Struct, frozen=True):
    """The time of a club's log in microseconds of UTC, and the club's days of any moment.

    `day` is its business day, `weekday` its day of the week by the calendar, Monday 1 to Sunday 7.
    `behind` is by how much the machine's clock is behind the log's time, which never goes back.
    """

    at: int
    day: Callable[[int], str]
    weekday: Callable[[int], int]
    behind: int = 0

    @property
    def clock(self) -> int:
        """The machine's clock, in which it was said when something ends."""
        return self.at - self.behind

    def moment(self, at: int | None, last: int) -> Moment:
        """When a command happens: when its sender says, but never before what came last.

        Where the ledger's clock was set back, what came last is as late as it is: nobody has
        to wait until the clock is there again.
        """
        now = max(self.at, last)
        if at is None:
            at = now
        if at > now + AHEAD:
            raise Refused("at_in_future", pointer="/at")
        if at < last:
            raise Refused("at_before_last", pointer="/at")
        return Moment(at, self.day(self.at), self.day(at), self.weekday(at))


def is_day(text: str) -> bool:
    """Whether a text is a day as 2026-11-28 is: in the one form in which days are in order."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False

"""The closings of a club's books 结账 / 清零: one after another without a gap, the last undone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Carrying, Event, Line
from ledger.refusal import Refused
from ledger.streams.now import Now, is_day

Word = Literal["confirmed", "contested"]


class Closing(Struct, frozen=True):
    """A closing at one moment: its days, whether it stands, and the last word of each member."""

    number: int
    last: str
    mode: Carrying
    balances: tuple[Line, ...]
    reopened: bool = False
    words: dict[str, Word] = {}


class Periods(Struct, frozen=True):
    """All closings of a club by their numbers: 1, 2, 3 …, those that were undone among them."""

    closings: dict[int, Closing] = {}

    @property
    def standing(self) -> Closing | None:
        """The last closing that stands; those before it lie on earlier days."""
        left = [closing for closing in self.closings.values() if not closing.reopened]
        return left[-1] if left else None


class ClosePeriod(Struct, frozen=True):
    """Closes the books up to a business day and with it, as the ledger stands at a position.

    `balances` are the points of each member who has any at the end of that day. `carried` are
    the disputes that are open. `open_tables` and `unsettled` are the tables and the number of
    hands that are in the way; `founded` is the business day on which the club began.
    """

    last: str
    mode: Carrying
    balances: tuple[Line, ...]
    carried: tuple[str, ...]
    open_tables: tuple[str, ...]
    unsettled: int
    position: int
    note: str | None
    by: str
    founded: str


class ReopenPeriod(Struct, frozen=True):
    """Undoes the last closing that stands, for a reason."""

    number: int
    note: str
    by: str


class ConfirmBalance(Struct, frozen=True):
    """Says for a member that what a closing says of him is right 对账确认."""

    number: int
    member: str
    by: str


class ContestBalance(Struct, frozen=True):
    """Says for a member that what a closing says of him is wrong, and why."""

    number: int
    member: str
    note: str
    by: str


Saying = ConfirmBalance | ContestBalance
PeriodCommand = ClosePeriod | ReopenPeriod | Saying


def closed_until(periods: Periods) -> str | None:
    """The last business day of a club that is closed; None where none is."""
    return periods.standing.last if periods.standing else None


def next_first(periods: Periods, founded: str) -> str:
    """The first business day of the period that is open: after what is closed, or the club's."""
    until = closed_until(periods)
    if until is None:
        return founded
    return (date.fromisoformat(until) + timedelta(days=1)).isoformat()


def fold(events: Iterable[Event]) -> Periods:
    """The closings of a club from their events."""
    periods = Periods()
    for event in events:
        periods = evolve(periods, event)
    return periods


def evolve(periods: Periods, event: Event) -> Periods:
    """The closings after one more event."""
    fact = event.fact
    if isinstance(fact, e.PeriodClosed):
        closing = Closing(fact.number, fact.last, fact.mode, fact.balances)
        return _with(periods, closing)
    assert isinstance(fact, e.PeriodReopened | e.BalanceConfirmed | e.BalanceContested)
    closing = periods.closings[fact.number]
    if isinstance(fact, e.PeriodReopened):
        return _with(periods, replace(closing, reopened=True))
    word: Word = "confirmed" if isinstance(fact, e.BalanceConfirmed) else "contested"
    return _with(periods, replace(closing, words={**closing.words, fact.member: word}))


def decide(periods: Periods, command: PeriodCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on the closings; nothing where the wanted state stands already."""
    if isinstance(command, ClosePeriod):
        return _close(periods, command, now)
    if command.number not in periods.closings:
        raise Refused("period_unknown", number=command.number)
    closing = periods.closings[command.number]
    if isinstance(command, ReopenPeriod):
        return _reopen(periods, closing, command, now)
    return _say(closing, command, now)


def _close(periods: Periods, command: ClosePeriod, now: Now) -> tuple[Event, ...]:
    first, today = next_first(periods, command.founded), now.day(now.at)
    _check_last(periods, command.last, first, today)
    check_ready(command.open_tables, command.unsettled)
    closed = e.PeriodClosed(
        number=len(periods.closings) + 1,
        first=first,
        last=command.last,
        mode=command.mode,
        balances=command.balances,
        carried=command.carried,
        position=command.position,
        note=command.note,
        by=command.by,
        at=now.at,
        booked_date=today,
    )
    return (Event(closed),)


def check_ready(open_tables: tuple[str, ...], unsettled: int) -> None:
    """Refuses a closing while matches of its days are played, or hands are not settled."""
    if open_tables:
        tables = ", ".join(open_tables)
        raise Refused("tables_open", n=len(open_tables), tables=tables)
    if unsettled:
        raise Refused("hands_unsettled", n=unsettled)


def _check_last(periods: Periods, last: str, first: str, today: str) -> None:
    """Refuses a last day of a period that is no day, is closed, or is not over."""
    if not is_day(last):
        raise Refused("date_form", pointer="/last", value=last)
    until = closed_until(periods)
    if until is not None and last <= until:
        raise Refused("period_closed", pointer="/last", closed_until=until)
    if last < first:
        raise Refused("period_before_club", pointer="/last", first=first)
    if last >= today:
        raise Refused("period_not_over", pointer="/last", last=last, today=today)


def _reopen(
    periods: Periods, closing: Closing, command: ReopenPeriod, now: Now
) -> tuple[Event, ...]:
    """A closing that is undone takes back what it booked: where it cleared, the points return."""
    if closing.reopened:
        return ()
    standing = periods.standing
    assert standing is not None
    if closing.number != standing.number:
        raise Refused("period_not_last", number=closing.number, last=standing.number)
    reopened = e.PeriodReopened(
        number=closing.number,
        last=closing.last,
        lines=closing.balances if closing.mode == "clear" else (),
        note=command.note,
        by=command.by,
        at=now.at,
        booked_date=now.day(now.at),
    )
    return (Event(reopened),)


def _say(closing: Closing, command: Saying, now: Now) -> tuple[Event, ...]:
    """A member's word on a closing that stands; his last one counts."""
    number, member = command.number, command.member
    if closing.reopened:
        raise Refused("period_open", number=number)
    points = {line.member: line.points for line in closing.balances}
    if member not in points:
        raise Refused("member_without_balance", number=number, member=member)
    said = closing.words.get(member)
    if isinstance(command, ConfirmBalance):
        confirmed = e.BalanceConfirmed(number, member, points[member], command.by, now.at)
        return () if said == "confirmed" else (Event(confirmed),)
    contested = e.BalanceContested(number, member, points[member], command.note, command.by, now.at)
    return () if said == "contested" else (Event(contested),)


def _with(periods: Periods, closing: Closing) -> Periods:
    return replace(periods, closings={**periods.closings, closing.number: closing})

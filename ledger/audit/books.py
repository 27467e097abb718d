"""What the books come to on their way along a log, and the commands of those who keep them.

A ruling and what it books stand in two streams; a closing tells what each member has. Both are
held against what was booked before.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from ledger import events as e
from ledger.access import Caller
from ledger.audit.recorded import Recorded
from ledger.outcome import read_outcome
from ledger.parties import Parties
from ledger.refusal import Refused
from ledger.rights import Command
from ledger.streams import hearing
from ledger.streams.allowance import (
    ApproveAllowance,
    Known,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)
from ledger.streams.club import DEADLINES, NO_LIMITS
from ledger.streams.hearing import Dispute
from ledger.streams.period import ClosePeriod, ConfirmBalance, ContestBalance, ReopenPeriod
from ledger.streams.settlement import Money, ReviseHand, check_stands, measured, standing

RECENT = 10_000
"""How many postings a closing may be behind: it tells the position at which it looked."""


class Hand(Struct):
    """A hand that is settled: what stands of it, and what a revision needs to know of it.

    `first` is its settlement, `newest` the last dispute that was filed about it.
    """

    money: Money
    options: dict[str, Any]
    cap: int | None
    last: int
    settled: int
    first: tuple[int, ...] = ()
    newest: str | None = None

    def __post_init__(self) -> None:
        """What stands at first is the settlement."""
        self.first = standing(self.money)


class Case(Struct, frozen=True):
    """A dispute as it stands, and the hours that its club gave when it was filed."""

    state: Dispute
    hours: e.DeadlinesSet


class Books:
    """The books as the events so far make them.

    `ruling` is one that has yet to be booked: its dispute, and the stream of its hand; `alone` is
    what its giver may move, None for all. By table: how many hands are `unsettled`, whether one was
    `revised` since its match was ticked, when it was `closed_at` and under which `file_hours`.
    """

    def __init__(self) -> None:
        self.founded = ""
        self.hands: dict[str, Hand] = {}
        self.closed_at: dict[str, int] = {}
        self.file_hours: dict[str, int] = {}
        self.limits: e.LimitsSet = NO_LIMITS
        self.deadlines: e.DeadlinesSet = DEADLINES
        self.parties = Parties()
        self.disputes: dict[str, Case] = {}
        self.unsettled: Counter[str] = Counter()
        self.revised: set[str] = set()
        self.ruling: tuple[str, str] | None = None
        self.alone: int | None = None
        self.opened: dict[str, str] = {}
        self._closings: dict[int, str] = {}
        self._points: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._recent: deque[tuple[int, str, str, int]] = deque(maxlen=RECENT)

    @property
    def closed_until(self) -> str | None:
        """The last business day that is closed."""
        return max(self._closings.values(), default=None)

    def hand(self, table: str, number: int) -> Hand:
        """A hand that is settled; refuses one that is not (`hand_unsettled`)."""
        found = self.hands.get(f"hand/{table}/{number}")
        if found is None:
            raise Refused("hand_unsettled", hand=f"{table}-{number}")
        return found

    def take(self, stream: str, place: Recorded) -> None:
        """Book what an event books; refuses a closed day, and a closing that tells other points."""
        fact, position = place.event.fact, place.position
        self.parties.take(stream, fact)
        self._take_match(stream.removeprefix("table/"), fact)
        self._take_law(fact)
        self._take_dispute(stream, place)
        if isinstance(fact, e.HandEnded):
            self.check_open(fact.effective_date)
        elif isinstance(fact, e.HandSettled | e.HandReversed | e.HandCorrected):
            self.ruling = None
            self._book(position, fact.effective_date, zip(fact.seats, fact.totals, strict=True))
        elif isinstance(fact, e.AllowancePosted | e.AllowanceReversed):
            self._take_opening(stream, fact)
            self._book(position, fact.effective_date, _lines(fact.lines))
        elif isinstance(fact, e.PeriodClosed | e.PeriodReopened):
            self._close(position, fact)

    def _take_match(self, table: str, fact: e.Fact) -> None:
        """Know of a match what a tick of it asks."""
        if isinstance(fact, e.HandEnded):
            self.unsettled[table] += 1
        elif isinstance(fact, e.HandSettled):
            self.unsettled[fact.table] -= 1
        elif isinstance(fact, e.HandReversed | e.HandCorrected):
            self.revised.add(fact.table)
        elif isinstance(fact, e.TableTicked):
            self.revised.discard(table)
        elif isinstance(fact, e.TableClosed):
            self.closed_at[table] = fact.at
            self.file_hours[table] = self.deadlines.file_hours

    def _take_law(self, fact: e.Fact) -> None:
        """Know what the club allows, and which hours it gives."""
        if isinstance(fact, e.LimitsSet):
            self.limits = fact
        elif isinstance(fact, e.DeadlinesSet):
            self.deadlines = fact

    def _take_dispute(self, stream: str, place: Recorded) -> None:
        """Know how a dispute stands, and what its ruling has yet to book."""
        kind, _, name = stream.partition("/")
        if kind != "dispute":
            return
        fact, before = place.event.fact, self.disputes.get(name)
        state = hearing.evolve(None if before is None else before.state, place.event)
        self.disputes[name] = Case(state, before.hours if before else self.deadlines)
        if isinstance(fact, e.DisputeFiled):
            self.hand(fact.table, fact.number).newest = name
        elif isinstance(fact, e.DisputeDecided):
            self._rule(fact, name, state)

    def _take_opening(self, stream: str, fact: e.AllowancePosted | e.AllowanceReversed) -> None:
        """Know whose books are opened, and by what, until that is undone."""
        for line in fact.lines:
            if isinstance(fact, e.AllowancePosted) and fact.kind == "opening":
                self.opened[line.member] = stream
            elif self.opened.get(line.member) == stream:
                del self.opened[line.member]

    def check_open(self, day: str) -> None:
        """Refuse what would happen on a business day that is closed (`period_closed`)."""
        closed = self.closed_until
        if closed is not None and day <= closed:
            raise Refused("period_closed", day=day, closed_until=closed)

    def _book(self, position: int, day: str, points: Iterable[tuple[str, int]]) -> None:
        for member, won in points:
            self._points[member][day] += won
            self._recent.append((position, member, day, won))

    def _close(self, position: int, fact: e.PeriodClosed | e.PeriodReopened) -> None:
        if isinstance(fact, e.PeriodReopened):
            del self._closings[fact.number]
            self._book(position, fact.last, _lines(fact.lines))
            return
        moved = (at > fact.position and day <= fact.last for at, _, day, _ in self._recent)
        told = dict(_lines(fact.balances))
        if any(moved) or told != self._true(fact.last, fact.position):
            raise Refused("balances_otherwise", number=fact.number)
        self._closings[fact.number] = fact.last
        if fact.mode == "clear":
            lines = ((line.member, -line.points) for line in fact.balances)
            self._book(position, fact.last, lines)

    def _true(self, last: str, position: int) -> dict[str, int]:
        """What each member with points has by what counts up to a day, as known at a position."""
        later: dict[str, int] = defaultdict(int)
        for at, member, day, won in reversed(self._recent):
            if at <= position:
                break
            later[member] += won if day <= last else 0
        sums = {
            member: sum(won for day, won in days.items() if day <= last) - later[member]
            for member, days in self._points.items()
        }
        return {member: won for member, won in sums.items() if won}

    def _rule(self, fact: e.DisputeDecided, name: str, state: Dispute) -> None:
        """A ruling that moves points is booked by what follows it at once."""
        money = self.hand(state.table, state.number).money
        if fact.revision != money.version:
            raise Refused("revision_stale", revision=fact.revision, current_version=money.version)
        if fact.ruling == "void":
            check_stands(money)
        self.alone = self.limits.correction if fact.proposed_by is None else None
        if fact.ruling in ("correct", "void"):
            self.ruling = (name, f"hand/{state.table}/{state.number}")


Reader = Callable[[Any, Sequence[Recorded], Caller, Books], Command]


def _lines(lines: Iterable[e.Line]) -> list[tuple[str, int]]:
    return [(line.member, line.points) for line in lines]


def revision(_: Money, recorded: Sequence[Recorded], __: Caller, books: Books) -> Command:
    """How a hand was revised; refuses what no ruling has asked for (`dispute_undecided`).

    And what one person has ruled who may not move so much alone (`second_person`).
    """
    facts = [one.event.fact for one in recorded[:2]]
    corrected = next((one for one in facts if isinstance(one, e.HandCorrected)), None)
    fact = corrected or facts[0]
    assert isinstance(fact, e.HandReversed | e.HandCorrected)
    name = f"hand/{fact.table}/{fact.number}"
    if books.ruling != (fact.dispute, name):
        raise Refused("dispute_undecided")
    hand, right = books.hands[name], corrected
    after = (0,) * len(fact.seats) if right is None else right.totals
    moves = measured(hand.first, standing(hand.money), after)
    if books.alone is not None and moves > books.alone:
        raise Refused("second_person")
    told = None if right is None or right.outcome is None else read_outcome(right.outcome)
    return ReviseHand(
        dispute=fact.dispute,
        ruling="void" if right is None else "correct",
        revision=hand.money.version,
        options=hand.options,
        cap=hand.cap,
        outcome=told,
        totals=_as_told(right) if right is not None and told is None else None,
    )


def _as_told(right: e.HandCorrected) -> tuple[int, ...]:
    """The points by seat that were told, before what is above the cap was given back."""
    totals = list(right.totals)
    for paid in right.payments:
        totals[paid.payer] += paid.points
        totals[paid.payee] -= paid.points
    return tuple(totals)


def allowance(_: Any, recorded: Sequence[Recorded], caller: Caller, books: Books) -> Command:
    """What was asked about an allowance."""
    fact, actor = recorded[0].event.fact, caller.actor
    if isinstance(fact, e.AllowanceRequested):
        at_once = any(isinstance(one.event.fact, e.AllowancePosted) for one in recorded[1:2])
        limit, closed = None if at_once else 0, books.closed_until
        told = fact.kind, fact.lines, fact.reason, fact.note, fact.effective_date
        return RequestAllowance(*told, actor, limit, closed, _known(caller, books, "owner"))
    if isinstance(fact, e.AllowanceApproved):
        return ApproveAllowance(actor, books.closed_until, _known(caller, books))
    if isinstance(fact, e.AllowanceRefused):
        return RefuseAllowance(fact.note, actor)
    if isinstance(fact, e.AllowanceReversed):
        return ReverseAllowance(fact.note, actor, _known(caller, books, "owner"))
    raise Refused("nobodys_decision")


def _known(caller: Caller, books: Books, *roles: str) -> Known:
    """What was known when an allowance was decided; in one of these roles one's own is no matter.

    What he had moved alone that day is not looked at: a limit is not decided again.
    """
    own = () if caller.has(*roles) else books.parties.ever(caller)
    return Known(own=frozenset(own), opened=frozenset(books.opened), founded=books.founded)


def period(_: Any, recorded: Sequence[Recorded], caller: Caller, books: Books) -> Command:
    """What was asked about a closing."""
    fact, actor, own = recorded[0].event.fact, caller.actor, caller.member or ""
    if isinstance(fact, e.PeriodClosed):
        told = fact.last, fact.mode, fact.balances, fact.carried
        return ClosePeriod(*told, (), 0, fact.position, fact.note, actor, books.founded)
    if isinstance(fact, e.PeriodReopened):
        return ReopenPeriod(fact.number, fact.note, actor)
    if isinstance(fact, e.BalanceConfirmed):
        return ConfirmBalance(fact.number, own, actor)
    assert isinstance(fact, e.BalanceContested)
    return ContestBalance(fact.number, own, fact.note, actor)

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
from ledger.refusal import Refused
from ledger.rights import Command
from ledger.rules.cap import capped
from ledger.rules.catalog import settle
from ledger.streams.allowance import (
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)
from ledger.streams.dispute import (
    HOUR,
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    Deadlines,
    DecideDispute,
    Dispute,
    Evidence,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
)
from ledger.streams.period import ClosePeriod, ConfirmBalance, ContestBalance, ReopenPeriod
from ledger.streams.settlement import Money, ReviseHand, of_hand

RECENT = 10_000
"""How many postings a closing may be behind: it tells the position at which it looked."""


class Hand(Struct):
    """A hand that is settled: what stands of it, and what a revision needs to know of it."""

    money: Money
    options: dict[str, Any]
    cap: int | None
    last: int
    settled: int


class Books:
    """The books as the events so far make them.

    `ruling` is one that has yet to be booked: its dispute, and the stream of its hand. By table:
    how many hands are `unsettled`, and whether one was `revised` since its match was ticked.
    """

    def __init__(self) -> None:
        self.founded = ""
        self.hands: dict[str, Hand] = {}
        self.closed_at: dict[str, int] = {}
        self.unsettled: Counter[str] = Counter()
        self.revised: set[str] = set()
        self.ruling: tuple[str, str] | None = None
        self._closings: dict[int, str] = {}
        self._of_dispute: dict[str, str] = {}
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
        self._take_match(stream.removeprefix("table/"), fact)
        if isinstance(fact, e.HandEnded):
            self._check_open(fact.effective_date)
        elif isinstance(fact, e.TableClosed):
            self.closed_at[stream.removeprefix("table/")] = fact.at
        elif isinstance(fact, e.HandSettled | e.HandReversed | e.HandCorrected):
            self.ruling = None
            self._book(position, fact.effective_date, zip(fact.seats, fact.totals, strict=True))
        elif isinstance(fact, e.AllowancePosted | e.AllowanceReversed):
            self._book(position, fact.effective_date, _lines(fact.lines))
        elif isinstance(fact, e.PeriodClosed | e.PeriodReopened):
            self._close(position, fact)
        elif isinstance(fact, e.DisputeFiled):
            self._of_dispute[stream] = f"hand/{fact.table}/{fact.number}"
        elif isinstance(fact, e.DisputeDecided):
            self._rule(fact, stream)

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

    def _check_open(self, day: str) -> None:
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
        if dict(_lines(fact.balances)) != self._true(fact.last, fact.position):
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

    def _rule(self, fact: e.DisputeDecided, stream: str) -> None:
        """A ruling that moves points is booked by what follows it at once."""
        hand = self._of_dispute[stream]
        money = self.hands[hand].money
        if fact.revision != money.version:
            raise Refused("revision_stale", revision=fact.revision, current_version=money.version)
        moves = fact.ruling == "correct" or (fact.ruling == "void" and money.totals is not None)
        self.ruling = (stream.removeprefix("dispute/"), hand) if moves else None


Reader = Callable[[Any, Sequence[Recorded], Caller, Books], Command]


def _lines(lines: Iterable[e.Line]) -> list[tuple[str, int]]:
    return [(line.member, line.points) for line in lines]


def revision(_: Money, recorded: Sequence[Recorded], __: Caller, books: Books) -> Command:
    """How a hand was revised; refuses what no ruling has asked for (`dispute_undecided`)."""
    facts = [one.event.fact for one in recorded[:2]]
    corrected = next((one for one in facts if isinstance(one, e.HandCorrected)), None)
    fact = corrected or facts[0]
    assert isinstance(fact, e.HandReversed | e.HandCorrected)
    name = f"hand/{fact.table}/{fact.number}"
    if books.ruling != (fact.dispute, name):
        raise Refused("dispute_undecided")
    hand, right = books.hands[name], corrected
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
        return RequestAllowance(*told, actor, limit, closed)
    if isinstance(fact, e.AllowanceApproved):
        return ApproveAllowance(actor, books.closed_until)
    if isinstance(fact, e.AllowanceRefused):
        return RefuseAllowance(fact.note, actor)
    if isinstance(fact, e.AllowanceReversed):
        return ReverseAllowance(fact.note, actor)
    raise Refused("nobodys_decision")


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


def dispute(
    state: Dispute | None, recorded: Sequence[Recorded], caller: Caller, books: Books
) -> Command:
    """What was asked about a dispute."""
    fact, actor, own = recorded[0].event.fact, caller.actor, caller.member
    if isinstance(fact, e.DisputeFiled):
        return _filing(fact, recorded, caller, books)
    if isinstance(fact, e.DisputeAnswered):
        return AnswerDispute(own or "", fact.note, actor)
    if isinstance(fact, e.DecisionProposed):
        told = fact.totals, fact.outcome
        return _ruling(fact, told, caller, books, state, takes_two=True)
    if isinstance(fact, e.DisputeDecided):
        return _decided(state, fact, caller, books)
    if isinstance(fact, e.DisputeAppealed):
        hours = Deadlines(0, 0, (fact.decide_until - fact.at) // HOUR, 0)
        return AppealDispute(own or "", fact.note, actor, hours)
    if isinstance(fact, e.DisputeWithdrawn):
        return WithdrawDispute(fact.note, actor, own)
    if isinstance(fact, e.DisputeExpired):
        return ExpireDispute()
    raise Refused("nobodys_decision")


def _decided(
    state: Dispute | None, fact: e.DisputeDecided, caller: Caller, books: Books
) -> Command:
    if fact.proposed_by is not None:
        return ApproveDecision(caller.actor, caller.member, fact.revision, _appeal_hours(fact))
    seats = () if state is None else state.seats
    told = (0,) * len(seats) if fact.ruling == "correct" else None
    return _ruling(fact, (told, None), caller, books, state, takes_two=False)


def _ruling(
    fact: e.DecisionProposed | e.DisputeDecided,
    told: tuple[tuple[int, ...] | None, dict[str, Any] | None],
    caller: Caller,
    books: Books,
    state: Dispute | None,
    *,
    takes_two: bool,
) -> DecideDispute:
    """A ruling; what it says is right stands in what it books, which is decided again there."""
    version = 0 if state is None else books.hand(state.table, state.number).money.version
    return DecideDispute(
        ruling=fact.ruling,
        reason=fact.reason,
        rule=fact.rule,
        note=fact.note,
        totals=told[0],
        outcome=told[1],
        by=caller.actor,
        member=caller.member,
        moves=1,
        limit=0 if takes_two else None,
        revision=version,
        hours=_appeal_hours(fact),
    )


def _appeal_hours(fact: e.DecisionProposed | e.DisputeDecided) -> Deadlines:
    until = fact.appeal_until if isinstance(fact, e.DisputeDecided) else None
    return Deadlines(0, 0, 0, 0 if until is None else (until - fact.at) // HOUR)


def _filing(
    fact: e.DisputeFiled, recorded: Sequence[Recorded], caller: Caller, books: Books
) -> FileDispute:
    """A filing; of what it was filed on, the hand's end and settlement are known here."""
    hand = books.hand(fact.table, fact.number)
    money = hand.money
    seen = next(
        (one.event.fact for one in recorded[1:2] if isinstance(one.event.fact, e.EvidenceLocked)),
        None,
    )
    if seen is None:
        raise Refused("nobodys_decision")
    answer = (fact.answer_until - fact.at) // HOUR
    return FileDispute(
        table=fact.table,
        number=fact.number,
        seats=money.seats,
        revision=money.version,
        booked=money.totals or (0,) * len(money.seats),
        member=None if fact.member is None else caller.member,
        totals=fact.totals,
        outcome=fact.outcome,
        claimed=_claimed(fact, hand),
        note=fact.note,
        by=caller.actor,
        table_ended_at=books.closed_at.get(fact.table),
        hours=Deadlines(72, answer, (fact.decide_until - fact.answer_until) // HOUR, 0),
        evidence=Evidence(
            seen.first, hand.last, hand.settled, money.ruleset, seen.position, seen.hash
        ),
    )


def _claimed(fact: e.DisputeFiled, hand: Hand) -> tuple[int, ...] | None:
    """What a claim comes to that was told as an outcome."""
    if fact.outcome is None:
        return None
    players = len(hand.money.seats)
    told = of_hand(read_outcome(fact.outcome), hand.money.ruleset, hand.options, players)
    return capped(settle(told), hand.cap).totals

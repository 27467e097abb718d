"""The commands of a dispute 争议, read back from its events and from what was known before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.access import Caller
from ledger.audit.books import Books, Hand
from ledger.audit.recorded import Recorded
from ledger.outcome import Settlement, read_outcome
from ledger.parties import OFFICERS
from ledger.refusal import Refused
from ledger.rights import Command
from ledger.rules.cap import capped
from ledger.rules.catalog import settle
from ledger.streams.dispute import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    Deadlines,
    DecideDispute,
    Dispute,
    Earlier,
    Evidence,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
    given,
)
from ledger.streams.settlement import check_totals, of_hand, standing


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
        return _ruling(recorded[0], told, caller, books, state)
    if isinstance(fact, e.DisputeDecided):
        return _decided(state, recorded[0], caller, books)
    if isinstance(fact, e.DisputeAppealed):
        return AppealDispute(own or "", fact.note, actor, _hours(recorded[0], books))
    if isinstance(fact, e.DisputeWithdrawn):
        return WithdrawDispute(fact.note, actor, own)
    if isinstance(fact, e.DisputeExpired):
        return ExpireDispute()
    raise Refused("nobodys_decision")


def _hours(place: Recorded, books: Books) -> Deadlines:
    """The hours that go for a dispute: those of when it was filed."""
    case = books.disputes.get(place.stream.removeprefix("dispute/"))
    return given(books.deadlines if case is None else case.hours)


def _decided(state: Dispute | None, place: Recorded, caller: Caller, books: Books) -> Command:
    fact = place.event.fact
    assert isinstance(fact, e.DisputeDecided)
    if fact.proposed_by is not None:
        members = books.parties.ever(caller)
        return ApproveDecision(caller.actor, members, fact.revision, _hours(place, books))
    seats = () if state is None else state.seats
    told = (0,) * len(seats) if fact.ruling == "correct" else None
    return _ruling(place, (told, None), caller, books, state)


def _ruling(
    place: Recorded,
    told: tuple[tuple[int, ...] | None, dict[str, Any] | None],
    caller: Caller,
    books: Books,
    state: Dispute | None,
) -> DecideDispute:
    """A ruling; what it says is right stands in what it books, which is decided again there."""
    fact = place.event.fact
    assert isinstance(fact, e.DecisionProposed | e.DisputeDecided)
    version = 0 if state is None else books.hand(state.table, state.number).money.version
    return DecideDispute(
        ruling=fact.ruling,
        reason=fact.reason,
        rule=fact.rule,
        note=fact.note,
        totals=told[0],
        outcome=told[1],
        by=caller.actor,
        members=books.parties.ever(caller),
        moves=1,
        limit=0 if isinstance(fact, e.DecisionProposed) else None,
        revision=version,
        hours=_hours(place, books),
    )


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
    hours = given(books.deadlines)
    newest = hand.newest and Earlier(hand.newest, books.disputes[hand.newest].state)
    return FileDispute(
        table=fact.table,
        number=fact.number,
        seats=money.seats,
        revision=money.version,
        booked=standing(money),
        members=books.parties.ever(caller),
        officer=caller.has(*OFFICERS),
        totals=fact.totals,
        outcome=fact.outcome,
        claimed=_claimed(fact, hand),
        note=fact.note,
        by=caller.actor,
        table_ended_at=books.closed_at.get(fact.table),
        hours=replace(hours, file=books.file_hours.get(fact.table, hours.file)),
        evidence=Evidence(
            seen.first, hand.last, hand.settled, money.ruleset, seen.position, seen.hash
        ),
        earlier=newest or None,
    )


def _claimed(fact: e.DisputeFiled, hand: Hand) -> tuple[int, ...] | None:
    """What a claim comes to under the cap of the hand."""
    players = len(hand.money.seats)
    if fact.outcome is not None:
        told = of_hand(read_outcome(fact.outcome), hand.money.ruleset, hand.options, players)
        return capped(settle(told), hand.cap).totals
    if fact.totals is None:
        return None
    check_totals(fact.totals, players)
    return capped(Settlement(fact.totals, (), (), ()), hand.cap).totals

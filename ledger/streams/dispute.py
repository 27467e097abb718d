"""A dispute 争议 about a hand's points: filed, answered, decided, and once appealed against.

What a ruling books stands in the hand's own stream.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Ruling
from ledger.outcome import read_outcome
from ledger.refusal import Refused
from ledger.streams.hearing import REASONS, Dispute, State, evolve, fold, standing
from ledger.streams.now import Now
from ledger.streams.settlement import check_totals

__all__ = [
    "REASONS",
    "AnswerDispute",
    "AppealDispute",
    "ApproveDecision",
    "Deadlines",
    "DecideDispute",
    "Dispute",
    "DisputeCommand",
    "Evidence",
    "ExpireDispute",
    "FileDispute",
    "State",
    "WithdrawDispute",
    "decide",
    "evolve",
    "fold",
    "standing",
]

SECOND = 1_000_000
HOUR = 3600 * SECOND


class Deadlines(Struct, frozen=True):
    """How many hours a club gives to file, to answer, to decide and to appeal."""

    file: int
    answer: int
    decide: int
    appeal: int


class Evidence(Struct, frozen=True):
    """What a hand's dispute is decided on: its events by position, and the log's head."""

    first: int
    last: int
    settled: int
    ruleset: str
    position: int
    hash: str


class FileDispute(Struct, frozen=True):
    """Doubts a hand's points: as a member who sat in it, or without one as an officer.

    `booked` are the points that stand. The claim is told in points by seat, or as an outcome
    that comes to `claimed`; a complaint without one says in its note what is wrong.
    `table_ended_at` is None while the table is played.
    """

    table: str
    number: int
    seats: tuple[str, ...]
    revision: int
    booked: tuple[int, ...]
    member: str | None
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    claimed: tuple[int, ...] | None
    note: str | None
    by: str
    table_ended_at: int | None
    hours: Deadlines
    evidence: Evidence


class AnswerDispute(Struct, frozen=True):
    """Says what another member who sat in the hand has to say."""

    member: str
    note: str | None
    by: str


class DecideDispute(Struct, frozen=True):
    """Rules on a dispute, as it stands at a revision of the hand.

    A correction names the points by seat, or an outcome. `moves` are the points that it moves;
    above `limit` it waits for a second person. `member` is who the decider plays as, if he does.
    """

    ruling: Ruling
    reason: str
    rule: str | None
    note: str | None
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    by: str
    member: str | None
    moves: int
    limit: int | None
    revision: int
    hours: Deadlines


class ApproveDecision(Struct, frozen=True):
    """Agrees, as a second person, to the decision that waits."""

    by: str
    member: str | None
    revision: int
    hours: Deadlines


class AppealDispute(Struct, frozen=True):
    """Asks, as a member who sat in the hand, that another person decide."""

    member: str
    note: str | None
    by: str
    hours: Deadlines


class WithdrawDispute(Struct, frozen=True):
    """Takes a dispute back, as the one who filed it."""

    note: str | None
    by: str
    member: str | None


class ExpireDispute(Struct, frozen=True):
    """Says that nobody has decided in time."""


DisputeCommand = (
    FileDispute
    | AnswerDispute
    | DecideDispute
    | ApproveDecision
    | AppealDispute
    | WithdrawDispute
    | ExpireDispute
)


def decide(dispute: Dispute | None, command: DisputeCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on a dispute; nothing where the wanted state stands already."""
    if isinstance(command, FileDispute):
        return _file(dispute, command, now)
    if dispute is None:
        raise Refused("dispute_unknown")
    if isinstance(command, AnswerDispute):
        return _answer(dispute, command, now)
    if isinstance(command, DecideDispute):
        return _decide(dispute, command, now)
    if isinstance(command, ApproveDecision):
        return _approve(dispute, command, now)
    if isinstance(command, AppealDispute):
        return _appeal(dispute, command, now)
    if isinstance(command, WithdrawDispute):
        return _withdraw(dispute, command, now)
    return _expire(dispute, now)


def _file(dispute: Dispute | None, command: FileDispute, now: Now) -> tuple[Event, ...]:
    if dispute is not None:
        raise Refused("dispute_exists")
    _check_filer(command, now)
    _check_claim(command)
    answer_until = now.at + command.hours.answer * HOUR
    filed = e.DisputeFiled(
        table=command.table,
        number=command.number,
        seats=command.seats,
        revision=command.revision,
        member=command.member,
        totals=command.totals,
        outcome=command.outcome,
        note=command.note,
        stake=_stake(command),
        by=command.by,
        at=now.at,
        answer_until=answer_until,
        decide_until=answer_until + command.hours.decide * HOUR,
    )
    return Event(filed), Event(_locked(command.evidence, now))


def _locked(seen: Evidence, now: Now) -> e.EvidenceLocked:
    """The evidence stays as it was when the dispute was filed."""
    return e.EvidenceLocked(
        seen.first, seen.last, seen.settled, seen.ruleset, seen.position, seen.hash, now.at
    )


def _check_filer(command: FileDispute, now: Now) -> None:
    """A member files on a hand in which he sat, and in time; an officer on any, at any time."""
    if command.member is None:
        return
    _check_sat(command.member, command.seats)
    if command.table_ended_at is not None:
        _check_time("filing_over", command.table_ended_at + command.hours.file * HOUR, now)


def _check_claim(command: FileDispute) -> None:
    if command.totals is not None and command.outcome is not None:
        raise Refused("claim_form")
    if command.totals is None and command.outcome is None and command.note is None:
        raise Refused("complaint_empty", pointer="/note")
    _check_told(command.totals, command.outcome, len(command.seats))


def _check_told(
    totals: tuple[int, ...] | None, outcome: dict[str, Any] | None, players: int
) -> None:
    """Refuses points that do not add up, and what has not an outcome's form."""
    if totals is not None:
        check_totals(totals, players)
    if outcome is not None:
        try:
            read_outcome(outcome)
        except Refused as refusal:
            raise refusal.at("/outcome") from None


def _stake(command: FileDispute) -> int:
    """The points that the claim would move from seat to seat."""
    claimed = command.claimed if command.totals is None else command.totals
    if claimed is None:
        return 0
    return sum(abs(a - b) for a, b in zip(claimed, command.booked, strict=True)) // 2


def _answer(dispute: Dispute, command: AnswerDispute, now: Now) -> tuple[Event, ...]:
    _check_unruled(dispute)
    _check_sat(command.member, dispute.seats)
    if command.member == dispute.member:
        raise Refused("answer_own")
    if command.member in dispute.answers:
        if dispute.answers[command.member] == command.note:
            return ()
        raise Refused("answered_before", member=command.member)
    _check_time("answering_over", dispute.answer_until, now)
    return (Event(e.DisputeAnswered(command.member, command.note, command.by, now.at)),)


def _decide(dispute: Dispute, command: DecideDispute, now: Now) -> tuple[Event, ...]:
    _check_decider(dispute, command.by, command.member, now)
    _check_ruling(command, len(dispute.seats))
    proposal = e.DecisionProposed(
        ruling=command.ruling,
        reason=command.reason,
        rule=command.rule,
        note=command.note,
        totals=command.totals,
        outcome=command.outcome,
        by=command.by,
        at=now.at,
    )
    if command.limit is None or command.moves <= command.limit:
        return (_decided(dispute, proposal, command, None, now),)
    stands = dispute.proposal and replace(dispute.proposal, at=now.at)
    return () if stands == proposal else (Event(proposal),)


def _approve(dispute: Dispute, command: ApproveDecision, now: Now) -> tuple[Event, ...]:
    _check_decider(dispute, command.by, command.member, now)
    if dispute.proposal is None:
        raise Refused("nothing_proposed")
    if dispute.proposal.by == command.by:
        raise Refused("second_person")
    return (_decided(dispute, dispute.proposal, command, dispute.proposal.by, now),)


def _decided(
    dispute: Dispute,
    told: e.DecisionProposed,
    command: DecideDispute | ApproveDecision,
    proposed_by: str | None,
    now: Now,
) -> Event:
    """The ruling; the first one may be appealed against for a time, one on an appeal may not."""
    final = dispute.appeal is not None
    return Event(
        e.DisputeDecided(
            ruling=told.ruling,
            reason=told.reason,
            rule=told.rule,
            note=told.note,
            revision=command.revision,
            by=command.by,
            proposed_by=proposed_by,
            at=now.at,
            final=final,
            appeal_until=None if final else now.at + command.hours.appeal * HOUR,
        )
    )


def _check_decider(dispute: Dispute, by: str, member: str | None, now: Now) -> None:
    """Who decides has no part in the dispute, and it is time to decide."""
    _check_undecided(dispute)
    if member in dispute.seats or by in dispute.spoke:
        raise Refused("decider_is_party")
    if dispute.appeal is not None and by in dispute.deciders:
        raise Refused("decider_again")
    waits = dispute.state == "open" and dispute.member is not None
    if waits and now.at <= dispute.answer_until:
        raise Refused("dispute_unanswered", until=_told(dispute.answer_until))
    _check_time("deciding_over", dispute.decide_until, now)


def _check_ruling(command: DecideDispute, players: int) -> None:
    if command.reason not in REASONS:
        allowed = ", ".join(REASONS)
        raise Refused("reason_unknown", pointer="/reason", reason=command.reason, allowed=allowed)
    told = (command.totals is not None) + (command.outcome is not None)
    if told != (command.ruling == "correct"):
        raise Refused("correction_form")
    _check_told(command.totals, command.outcome, players)


def _appeal(dispute: Dispute, command: AppealDispute, now: Now) -> tuple[Event, ...]:
    _check_sat(command.member, dispute.seats)
    made = dispute.appeal
    if made and dispute.state == "appealed":
        if (made.member, made.note) == (command.member, command.note):
            return ()
        raise Refused("appealed_before", member=made.member)
    if dispute.ruling is None:
        _check_undecided(dispute)
        raise Refused("dispute_undecided")
    if dispute.ruling.appeal_until is None or made:
        raise Refused("dispute_over", state=dispute.state)
    _check_time("appealing_over", dispute.ruling.appeal_until, now)
    until = now.at + command.hours.decide * HOUR
    return (Event(e.DisputeAppealed(command.member, command.note, command.by, now.at, until)),)


def _withdraw(dispute: Dispute, command: WithdrawDispute, now: Now) -> tuple[Event, ...]:
    """One who filed as a member is that member, whichever key or session he comes with."""
    of_officer = dispute.member is None
    if (command.by != dispute.by) if of_officer else (command.member != dispute.member):
        raise Refused("not_the_filer")
    if dispute.state == "withdrawn":
        return ()
    _check_unruled(dispute)
    return (Event(e.DisputeWithdrawn(command.note, command.by, now.at)),)


def _expire(dispute: Dispute, now: Now) -> tuple[Event, ...]:
    if dispute.state == "expired":
        return ()
    _check_undecided(dispute)
    if now.at <= dispute.decide_until:
        raise Refused("deadline_ahead", until=_told(dispute.decide_until))
    return (Event(e.DisputeExpired(now.at)),)


def _check_unruled(dispute: Dispute) -> None:
    _check_undecided(dispute)
    if dispute.ruling is not None:
        raise Refused("dispute_decided")


def _check_undecided(dispute: Dispute) -> None:
    """Somebody has yet to decide: for the first time, or on an appeal."""
    if dispute.state == "decided":
        raise Refused("dispute_decided")
    if dispute.state in ("final", "withdrawn", "expired"):
        raise Refused("dispute_over", state=dispute.state)


def _check_sat(member: str, seats: tuple[str, ...]) -> None:
    if member not in seats:
        raise Refused("not_in_hand", member=member)


def _check_time(code: str, until: int, now: Now) -> None:
    if now.at > until:
        raise Refused(code, until=_told(until))


def _told(at: int) -> str:
    """A moment as a reader has it: "2027-01-15T08:00:00Z"."""
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"

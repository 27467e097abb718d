"""A dispute 争议 about a hand's points: filed, answered, decided, and once appealed against.

What a ruling books stands in the hand's own stream.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.outcome import read_outcome
from ledger.refusal import Refused
from ledger.streams.hearing import OPEN, REASONS, Dispute, State, evolve, fold, standing
from ledger.streams.now import Now
from ledger.streams.pleading import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    Deadlines,
    DecideDispute,
    DisputeCommand,
    Earlier,
    Evidence,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
    given,
)
from ledger.streams.settlement import check_totals, moved

__all__ = [
    "OPEN",
    "REASONS",
    "AnswerDispute",
    "AppealDispute",
    "ApproveDecision",
    "Deadlines",
    "DecideDispute",
    "Dispute",
    "DisputeCommand",
    "Earlier",
    "Evidence",
    "ExpireDispute",
    "FileDispute",
    "State",
    "WithdrawDispute",
    "decide",
    "evolve",
    "fold",
    "given",
    "standing",
]

SECOND = 1_000_000
HOUR = 3600 * SECOND


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
    member = _filer(command, now)
    _check_claim(command)
    answer_until = now.at + command.hours.answer * HOUR
    filed = e.DisputeFiled(
        table=command.table,
        number=command.number,
        seats=command.seats,
        revision=command.revision,
        member=member,
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


def _filer(command: FileDispute, now: Now) -> str | None:
    """The member as whom a dispute is filed; None is an officer, who files at any time.

    Who sat in the hand files as the member that he was there, whatever else he is, and in time.
    """
    sat = next((one for one in command.members if one in command.seats), None)
    member = sat if command.officer else next(iter(command.members), "")
    if member is not None:
        _check_sat(member, command.seats)
    _check_free(command.earlier, now)
    if member is not None and command.table_ended_at is not None:
        _check_time("filing_over", command.table_ended_at + command.hours.file * HOUR, now)
    return member


def _check_free(earlier: Earlier | None, now: Now) -> None:
    """Refuses a hand that is in dispute, whose ruling can be appealed against, or is the last."""
    if earlier is None:
        return
    if earlier.dispute.state in OPEN:
        raise Refused("dispute_open", dispute=earlier.id)
    ruling = earlier.dispute.ruling
    if ruling is None:
        return
    if ruling.final:
        raise Refused("hand_final", dispute=earlier.id)
    until = ruling.appeal_until if earlier.dispute.state == "decided" else None
    if until is not None and now.at <= until:
        raise Refused("appeal_instead", dispute=earlier.id, until=_told(until))


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
    return 0 if command.claimed is None else moved(command.booked, command.claimed)


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
    _check_decider(dispute, command.by, command.members, now)
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
    _check_decider(dispute, command.by, command.members, now)
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


def _check_decider(dispute: Dispute, by: str, members: tuple[str, ...], now: Now) -> None:
    """Who decides has no part in the dispute, and it is time to decide."""
    _check_undecided(dispute)
    if by in dispute.spoke or any(one in dispute.seats for one in members):
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
    as_member = command.member is not None and command.member == dispute.member
    if command.by != dispute.by and not as_member:
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

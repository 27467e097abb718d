"""A dispute 争议 as it is told: from its own events, as they stand or stood at a version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from marshmallow import fields
from sqlalchemy import Connection

from ledger import access, codec, store
from ledger import events as e
from ledger.api import shown
from ledger.api.answers import JSON, Shown, time_or_none
from ledger.api.rulesets import OutcomeBody
from ledger.events import Fact
from ledger.refusal import Refused
from ledger.store import Stored
from ledger.streams.dispute import REASONS, Dispute, fold
from ledger.telling import time_text

RULINGS = ("uphold", "correct", "void", "no_fault")
STATES = ("open", "answered", "decided", "appealed", "final", "withdrawn", "expired")
OPEN = ("open", "answered", "appealed")
T = TypeVar("T", bound=Fact)


class ClaimedSchema(Shown):
    """What is claimed: points by seat, or an outcome."""

    totals = shown.by_seat(fields.Integer(), allow_none=True)
    outcome = fields.Nested(OutcomeBody, allow_none=True)


class LockedEvidenceSchema(Shown):
    """What the dispute is decided on, by position, and the head of the log when it was filed."""

    first = shown.within(1)
    last = shown.within(1)
    settled = shown.within(1)
    ruleset = fields.String()
    position = shown.within(1)
    head_hash = shown.digest()
    replay = fields.String()
    evidence = fields.String()


class SaidInDisputeSchema(Shown):
    """What one who sat in the hand said: an answer, or an appeal."""

    member = shown.id_of("mem")
    by = fields.String()
    at = fields.DateTime()
    note = fields.String(allow_none=True)


class WithdrawalSchema(Shown):
    """That it was taken back."""

    by = fields.String()
    at = fields.DateTime()
    note = fields.String(allow_none=True)


class DecidedSchema(Shown):
    """What was decided, and why."""

    ruling = shown.one_of(*RULINGS)
    reason = shown.one_of(*REASONS)
    rule = fields.String(allow_none=True)
    note = fields.String(allow_none=True)
    by = fields.String()
    at = fields.DateTime()


class ProposalSchema(DecidedSchema):
    """A decision that waits for a second person."""

    totals = shown.by_seat(fields.Integer(), allow_none=True)
    outcome = fields.Nested(OutcomeBody, allow_none=True)


class RulingSchema(DecidedSchema):
    """A ruling; the first one may be appealed against until a time."""

    revision = shown.within(1)
    proposed_by = fields.String(allow_none=True)
    final = fields.Boolean()
    appeal_until = fields.DateTime(allow_none=True)


class RevisionEntrySchema(Shown):
    """An entry of the journal by which a ruling changed the hand's points."""

    id = shown.shaped("jrn_[1-9][0-9]*")
    kind = shown.one_of("reversal", "correction")
    totals = shown.by_seat(fields.Integer())


class DisputeSchema(Shown):
    """A dispute about the points of a hand."""

    object = shown.the("dispute")
    id = shown.id_of("dsp")
    created_at = fields.DateTime()
    club = shown.id_of("club")
    table = shown.id_of("tbl")
    number = shown.within(1)
    hand = shown.hand_id()
    seats = shown.by_seat(shown.id_of("mem"))
    revision = shown.within(1)
    member = shown.id_of("mem", allow_none=True)
    opened_by = fields.String()
    claim = fields.Nested(ClaimedSchema, allow_none=True)
    stake = shown.within(0)
    note = fields.String(allow_none=True)
    state = shown.one_of(*STATES)
    answer_until = fields.DateTime()
    decide_until = fields.DateTime(allow_none=True)
    appeal_until = fields.DateTime(allow_none=True)
    due = fields.DateTime(allow_none=True)
    evidence = fields.Nested(LockedEvidenceSchema)
    answers = fields.List(fields.Nested(SaidInDisputeSchema))
    proposal = fields.Nested(ProposalSchema, allow_none=True)
    rulings = fields.List(fields.Nested(RulingSchema))
    appeal = fields.Nested(SaidInDisputeSchema, allow_none=True)
    withdrawal = fields.Nested(WithdrawalSchema, allow_none=True)
    entries = fields.List(fields.Nested(RevisionEntrySchema))
    version = shown.within(1)


class BalanceChangeSchema(Shown):
    """What a member of the hand had before, what was booked for him now, and what he has then."""

    seat = shown.seat()
    member = shown.id_of("mem")
    before = fields.Integer()
    change = fields.Integer()
    after = fields.Integer()


class DecidedDisputeSchema(DisputeSchema):
    """A dispute just decided, or proposed upon, and what that did to each member's balance."""

    balances = shown.by_seat(fields.Nested(BalanceChangeSchema))


class Course:
    """A dispute in its events, up to one of its versions, with what was booked by it until then."""

    def __init__(
        self, connection: Connection, club: str, dispute: str, version: int | None = None
    ) -> None:
        """Read it; refuses an unknown one (`dispute_unknown`)."""
        whole = store.read_stream(connection, club, f"dispute/{dispute}")
        if not whole:
            raise Refused("dispute_unknown")
        self.connection, self.club, self.id = connection, club, dispute
        self.rows = whole[:version]
        self.end = whole[len(self.rows)].position if whole[len(self.rows) :] else store.NO_END
        self.events = [codec.unseal(row.type, row.public) for row in self.rows]
        state = fold(self.events)
        assert state is not None
        self.state: Dispute = state
        self.booked = tuple(self._booked())

    @property
    def version(self) -> int:
        """The version that is told."""
        return len(self.rows)

    def of(self, kind: type[T]) -> list[T]:
        """The facts of a kind, in order."""
        return [event.fact for event in self.events if isinstance(event.fact, kind)]

    def text(self, digest: str | None) -> str | None:
        """The text behind a digest; None where there is none, or it was forgotten."""
        return digest and access.find_text(self.connection, self.club, digest)

    def _booked(self) -> Iterator[tuple[Stored, e.HandReversed | e.HandCorrected]]:
        """What its rulings have written about the hand's points."""
        stream = f"hand/{self.state.table}/{self.state.number}"
        for row in store.read_stream(self.connection, self.club, stream, after=1):
            fact = codec.unseal(row.type, row.public).fact
            assert isinstance(fact, e.HandReversed | e.HandCorrected)
            if fact.dispute == self.id and row.position < self.end:
                yield row, fact


def told(course: Course, now: int) -> JSON:
    """A dispute as everybody is told it whose business it is; what is due is as of a moment."""
    state, [filed] = course.state, course.of(e.DisputeFiled)
    ruled = state.state == "decided" and state.ruling
    waits = state.state in OPEN
    return {
        "object": "dispute",
        "id": course.id,
        "created_at": time_text(filed.at),
        "club": course.club,
        "table": state.table,
        "number": state.number,
        "hand": f"{state.table}-{state.number}",
        "seats": state.seats,
        "revision": filed.revision,
        "member": state.member,
        "opened_by": state.by,
        "claim": _claim(filed),
        "stake": filed.stake,
        "note": course.text(filed.note),
        "state": state.state,
        "answer_until": time_text(state.answer_until),
        "decide_until": time_text(state.decide_until) if waits else None,
        "appeal_until": time_or_none(ruled.appeal_until) if ruled else None,
        "due": time_or_none(_due(state, now)),
        "evidence": _evidence(course),
        "answers": [_said(course, fact) for fact in course.of(e.DisputeAnswered)],
        "proposal": _proposal(course) if waits else None,
        "rulings": [_ruling(course, fact) for fact in course.of(e.DisputeDecided)],
        "appeal": state.appeal and _said(course, state.appeal),
        "withdrawal": next(_withdrawals(course), None),
        "entries": [_entry(row, fact) for row, fact in course.booked],
        "version": course.version,
    }


def _claim(filed: e.DisputeFiled) -> JSON | None:
    if filed.totals is None and filed.outcome is None:
        return None
    return {"totals": filed.totals, "outcome": filed.outcome}


def _due(state: Dispute, now: int) -> int | None:
    """The next deadline, or the one that was missed; None where nothing waits."""
    if state.state == "decided":
        until = state.ruling and state.ruling.appeal_until
        return until if until and now <= until else None
    if state.state not in OPEN:
        return None
    answers = state.state == "open" and now <= state.answer_until
    return state.answer_until if answers else state.decide_until


def _evidence(course: Course) -> JSON:
    [locked], state = course.of(e.EvidenceLocked), course.state
    hand = f"/v1/tables/{state.table}/hands/{state.number}"
    return {
        "first": locked.first,
        "last": locked.last,
        "settled": locked.settled,
        "ruleset": locked.ruleset,
        "position": locked.position,
        "head_hash": locked.hash,
        "replay": hand,
        "evidence": f"{hand}/evidence",
    }


def _said(course: Course, fact: e.DisputeAnswered | e.DisputeAppealed) -> JSON:
    return {"member": fact.member, **_by(course, fact)}


def _by(
    course: Course,
    fact: e.DisputeAnswered | e.DisputeAppealed | e.DisputeWithdrawn | e.DecisionProposed,
) -> JSON:
    """Who did something, when, and what he said to it."""
    return {"by": fact.by, "at": time_text(fact.at), "note": course.text(fact.note)}


def _withdrawals(course: Course) -> Iterator[JSON]:
    return (_by(course, fact) for fact in course.of(e.DisputeWithdrawn))


def _proposal(course: Course) -> JSON | None:
    fact = course.state.proposal
    if fact is None:
        return None
    why = {"ruling": fact.ruling, "reason": fact.reason, "rule": fact.rule}
    return {**why, **_by(course, fact), "totals": fact.totals, "outcome": fact.outcome}


def _ruling(course: Course, fact: e.DisputeDecided) -> JSON:
    return {
        "ruling": fact.ruling,
        "reason": fact.reason,
        "rule": fact.rule,
        "note": course.text(fact.note),
        "by": fact.by,
        "at": time_text(fact.at),
        "revision": fact.revision,
        "proposed_by": fact.proposed_by,
        "final": fact.final,
        "appeal_until": time_or_none(fact.appeal_until),
    }


def _entry(row: Stored, fact: e.HandReversed | e.HandCorrected) -> JSON:
    kind = "reversal" if isinstance(fact, e.HandReversed) else "correction"
    return {"id": f"jrn_{row.position}", "kind": kind, "totals": fact.totals}

"""How far a dispute 争议 has come, as its events make it.

A dispute ends once: by a ruling that is final, taken back, or because nobody decided in time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event

REASONS = {
    "misplay": ("Misplay", "误操作"),
    "mistyped": ("Mistyped", "误录"),
    "server_fault": ("Server fault", "服务器故障"),
    "rules": ("Reading of the rules", "规则认定"),
    "evidence": ("Not enough evidence", "证据不足"),
    "other": ("Other", "其他"),
}
"""Why it is ruled so, in English and Chinese."""

State = Literal["open", "answered", "decided", "appealed", "final", "withdrawn", "expired"]
OPEN: tuple[State, ...] = ("open", "answered", "appealed")
"""The states in which a dispute waits for a decision."""


class Dispute(Struct, frozen=True):
    """A dispute at one moment. `proposal` is a decision that waits for a second person.

    `answers` are the notes of who answered, by member; `spoke` are those who filed, answered or
    appealed as members, `deciders` those who decided or proposed before an appeal.
    """

    table: str
    number: int
    seats: tuple[str, ...]
    member: str | None
    by: str
    answer_until: int
    decide_until: int
    state: State = "open"
    evidence: e.EvidenceLocked | None = None
    answers: dict[str, str | None] = {}
    spoke: tuple[str, ...] = ()
    proposal: e.DecisionProposed | None = None
    deciders: tuple[str, ...] = ()
    ruling: e.DisputeDecided | None = None
    appeal: e.DisputeAppealed | None = None


def standing(dispute: Dispute) -> State:
    """How far a dispute has come, in one word.

    Somebody has yet to decide one that is open, answered or appealed. A first ruling stands as
    decided, however much time has passed; an appeal that nobody decided leaves it final.
    """
    return dispute.state


def fold(events: Iterable[Event]) -> Dispute | None:
    """The state of a dispute from its events."""
    dispute: Dispute | None = None
    for event in events:
        dispute = evolve(dispute, event)
    return dispute


def evolve(dispute: Dispute | None, event: Event) -> Dispute:
    """The dispute after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.DisputeFiled):
        return _filed(fact)
    assert dispute is not None
    if isinstance(fact, e.EvidenceLocked):
        return replace(dispute, evidence=fact)
    if isinstance(fact, e.DisputeAnswered):
        answers = {**dispute.answers, fact.member: fact.note}
        spoke = (*dispute.spoke, fact.by)
        return replace(dispute, state="answered", answers=answers, spoke=spoke)
    if isinstance(fact, e.DisputeWithdrawn):
        return replace(dispute, state="withdrawn")
    if isinstance(fact, e.DisputeExpired):
        return replace(dispute, state="final" if dispute.ruling else "expired")
    if isinstance(fact, e.DisputeAppealed):
        spoke = (*dispute.spoke, fact.by)
        until = fact.decide_until
        return replace(dispute, state="appealed", appeal=fact, spoke=spoke, decide_until=until)
    return _ruled(dispute, fact)


def _filed(fact: e.DisputeFiled) -> Dispute:
    return Dispute(
        table=fact.table,
        number=fact.number,
        seats=fact.seats,
        member=fact.member,
        by=fact.by,
        answer_until=fact.answer_until,
        decide_until=fact.decide_until,
        spoke=() if fact.member is None else (fact.by,),
    )


def _ruled(dispute: Dispute, fact: e.Fact) -> Dispute:
    """After a decision, or the proposal of one; whoever makes one on an appeal makes the last."""
    assert isinstance(fact, e.DecisionProposed | e.DisputeDecided)
    if dispute.appeal is None:
        dispute = replace(dispute, deciders=(*dispute.deciders, fact.by))
    if isinstance(fact, e.DecisionProposed):
        return replace(dispute, proposal=fact)
    state: State = "final" if fact.final else "decided"
    return replace(dispute, state=state, ruling=fact, proposal=None)

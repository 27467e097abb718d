"""What can be asked in a dispute 争议, and what is known to whom it is asked."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ledger import events as e
from ledger.events import Ruling
from ledger.streams.hearing import Dispute


class Deadlines(Struct, frozen=True):
    """How many hours there are to file, to answer, to decide and to appeal.

    To file: those that the club gave when the match ended; for all that follows, those that it
    gave when the dispute was filed. What it changes later is for disputes to come.
    """

    file: int
    answer: int
    decide: int
    appeal: int


def given(told: e.DeadlinesSet) -> Deadlines:
    """The hours that a club has set."""
    return Deadlines(told.file_hours, told.answer_hours, told.decide_hours, told.appeal_hours)


class Evidence(Struct, frozen=True):
    """What a hand's dispute is decided on: its events by position, and the log's head."""

    first: int
    last: int
    settled: int
    ruleset: str
    position: int
    hash: str


class Earlier(Struct, frozen=True):
    """The last dispute about the same hand that was filed before, by its id."""

    id: str
    dispute: Dispute


class FileDispute(Struct, frozen=True):
    """Doubts a hand's points: as a member who sat in it, or else as an officer of the club.

    `members` are those that the filer is or has been, the one that he is now first. `booked` are
    the points that stand. The claim is told in points by seat, or as an outcome, and comes to
    `claimed`, which is what it can move; a complaint without one says in its note what is wrong.
    `table_ended_at` is None while the table is played.
    """

    table: str
    number: int
    seats: tuple[str, ...]
    revision: int
    booked: tuple[int, ...]
    members: tuple[str, ...]
    officer: bool
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    claimed: tuple[int, ...] | None
    note: str | None
    by: str
    table_ended_at: int | None
    hours: Deadlines
    evidence: Evidence
    earlier: Earlier | None = None


class AnswerDispute(Struct, frozen=True):
    """Says what another member who sat in the hand has to say."""

    member: str
    note: str | None
    by: str


class DecideDispute(Struct, frozen=True):
    """Rules on a dispute, as it stands at a revision of the hand.

    A correction names the points by seat, or an outcome. `moves` is what it is measured by; above
    `limit` it waits for a second person. `members` are those that the decider is or has been.
    """

    ruling: Ruling
    reason: str
    rule: str | None
    note: str | None
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    by: str
    members: tuple[str, ...]
    moves: int
    limit: int | None
    revision: int
    hours: Deadlines


class ApproveDecision(Struct, frozen=True):
    """Agrees, as a second person, to the decision that waits."""

    by: str
    members: tuple[str, ...]
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

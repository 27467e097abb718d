"""What happens to the books 账: points given and taken, disputes about hands, closings."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ledger.events.event import Fact
from ledger.events.settlement import Paid, Scored, Void
from ledger.outcome import HandEnd

Granting = Literal["allowance", "opening"]
Ruling = Literal["uphold", "correct", "void", "no_fault"]
Carrying = Literal["carry", "clear"]


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A member and the points that come to him; below zero they go from him."""

    member: str
    points: int


# --- allowance: points enter and leave a club 上分 / 下分 ----------------------------------------


ALLOWANCE_REASONS = {
    "top_up": ("Top-up", "上分"),
    "withdrawal": ("Withdrawal", "下分"),
    "opening": ("Opening balance", "期初"),
    "mistake": ("Mistake put right", "更正误录"),
    "other": ("Other", "其他"),
}
"""A reason's name in English and in Chinese. Points are a score: there is no fee, gift, transfer
or cash-out among them.
"""


class AllowanceRequested(Fact, frozen=True):
    """An officer asks that members be given points, or that some be taken from them.

    `reason` is a word of a closed list, `note` the digest of a text. `effective_date` is the
    business day from which the points count, None the day on which they are booked.
    """

    kind: Granting
    lines: tuple[Line, ...]
    reason: str
    note: str | None
    effective_date: str | None
    by: str
    at: int


class AllowanceApproved(Fact, frozen=True):
    """A second person agrees to what was asked for."""

    by: str
    at: int


class AllowanceRefused(Fact, frozen=True):
    """What was asked for is not given; the one who asked may take it back himself."""

    note: str | None
    by: str
    at: int


class AllowancePosted(Fact, frozen=True):
    """The points are booked against those that the club has issued."""

    kind: Granting
    lines: tuple[Line, ...]
    reason: str
    note: str | None
    at: int
    booked_date: str
    effective_date: str


class AllowanceReversed(Fact, frozen=True):
    """What was booked is undone 撤销 by its exact opposite, once; the lines are the opposite's."""

    lines: tuple[Line, ...]
    note: str | None
    by: str
    at: int
    booked_date: str
    effective_date: str


# --- disputes 争议: a hand's points are doubted, and decided ----------------------------------


class DisputeFiled(Fact, frozen=True):
    """A hand's points are doubted: by a member who sat in it, or by an officer of the club.

    `revision` is the version of the hand's stream that stood then. The claim is told in points by
    seat, or as an outcome in its public format; `stake` are the points that it would move. Times
    are until when the others may answer and the referee may decide.
    """

    table: str
    number: int
    seats: tuple[str, ...]
    revision: int
    member: str | None
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    note: str | None
    stake: int
    by: str
    at: int
    answer_until: int
    decide_until: int


class EvidenceLocked(Fact, frozen=True):
    """What the hand's dispute is decided on: its events by position, and the log's head then."""

    first: int
    last: int
    settled: int
    ruleset: str
    position: int
    hash: str
    at: int


class DisputeAnswered(Fact, frozen=True):
    """Another member who sat in the hand says what he has to say."""

    member: str
    note: str | None
    by: str
    at: int


class DecisionProposed(Fact, frozen=True):
    """A referee's decision that moves more than one person may: a second one has to agree."""

    ruling: Ruling
    reason: str
    rule: str | None
    note: str | None
    totals: tuple[int, ...] | None
    outcome: dict[str, Any] | None
    by: str
    at: int


class DisputeDecided(Fact, frozen=True):
    """A referee's ruling; what it books stands in the hand's own stream.

    `revision` is the version of the hand's stream that it was decided on. A first ruling may be
    appealed against until a time; of a final one there is none. `proposed_by` asked for it where
    it took two.
    """

    ruling: Ruling
    reason: str
    rule: str | None
    note: str | None
    revision: int
    by: str
    proposed_by: str | None
    at: int
    final: bool
    appeal_until: int | None


class DisputeAppealed(Fact, frozen=True):
    """A member who sat in the hand asks, once, that another person decide it."""

    member: str
    note: str | None
    by: str
    at: int
    decide_until: int


class DisputeWithdrawn(Fact, frozen=True):
    """Who filed the dispute takes it back."""

    note: str | None
    by: str
    at: int


class DisputeExpired(Fact, frozen=True):
    """Nobody decided in time: what was booked stays."""

    at: int


class HandReversed(Fact, frozen=True):
    """A revision of a hand's points is undone by its exact opposite, whose totals these are."""

    table: str
    number: int
    seats: tuple[str, ...]
    revision: int
    totals: tuple[int, ...]
    dispute: str
    ended_at: int
    booked_date: str
    effective_date: str


class HandCorrected(Fact, frozen=True):
    """A hand's points are booked anew, as a dispute's decision has them: the next revision.

    By an amended outcome, in its public format, or by points alone.
    """

    table: str
    number: int
    ruleset: str
    seats: tuple[str, ...]
    end: HandEnd | Literal["unknown"]
    totals: tuple[int, ...]
    payments: tuple[Paid, ...]
    wins: tuple[Scored, ...]
    not_counted: tuple[Void, ...]
    outcome: dict[str, Any] | None
    dispute: str
    ended_at: int
    booked_date: str
    effective_date: str


# --- closing 结账 / 清零 ------------------------------------------------------------------------


class PeriodClosed(Fact, frozen=True):
    """The books are closed over some business days, the first and the last of them included.

    `balances` are the points of each member who has any at the end of the last day; `clear` books
    their opposite, `carry` nothing. `carried` are the disputes that were open then.
    """

    number: int
    first: str
    last: str
    mode: Carrying
    balances: tuple[Line, ...]
    carried: tuple[str, ...]
    position: int
    note: str | None
    by: str
    at: int
    booked_date: str


class PeriodReopened(Fact, frozen=True):
    """The last period that was closed is open again; what its closing booked is undone.

    `lines` are the opposite of what was booked.
    """

    number: int
    last: str
    lines: tuple[Line, ...]
    note: str
    by: str
    at: int
    booked_date: str


class BalanceConfirmed(Fact, frozen=True):
    """A member agrees to the points that a closing says he has 对账确认."""

    number: int
    member: str
    points: int
    by: str
    at: int


class BalanceContested(Fact, frozen=True):
    """A member does not agree to the points that a closing says he has."""

    number: int
    member: str
    points: int
    note: str
    by: str
    at: int

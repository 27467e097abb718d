"""The outcome of a hand and its settlement: two public formats.

An outcome is everything a ruleset may look at to say who pays whom, as the table stood when
the hand ended. Tiles are in their run form. Source: docs/formats.md.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from ledger.refusal import Refused

Suit = Literal["m", "p", "s"]
HandEnd = Literal["win", "exhausted", "dissolved"]
WinHow = Literal["self_draw", "discard", "rob_kong"]
KongHow = Literal["concealed", "exposed", "added"]


class Meld(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pung 碰 or a kong 杠; an added kong's `from` is who fed the pung."""

    kind: Literal["pung", "kong"]
    how: KongHow | None = None
    tile: str = ""
    from_seat: int | None = field(name="from", default=None)
    late: bool = False
    feeder_declared: bool = False


class SeatOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at the end of the hand; the winning tile is not among its concealed tiles."""

    hand: str
    melds: tuple[Meld, ...] = ()
    river: str = ""
    declared: Literal["ready", "hard", "soft", "frozen"] | None = None
    bet: int = 0
    void_suit: Suit | None = None
    dealt: str | None = None


class FirstChicken(Struct, frozen=True, forbid_unknown_fields=True):
    """The first default chicken discarded 冲锋鸡, and the seats that took it 责任鸡."""

    tile: str
    by: int
    takers: tuple[int, ...] = ()


class Win(Struct, frozen=True, forbid_unknown_fields=True):
    """A win; `from` is the discarder or the robbed seat.

    `first_turn`: the winner has neither drawn before this tile, nor melded, nor discarded.
    """

    seat: int
    tile: str
    how: WinHow
    from_seat: int | None = field(name="from", default=None)
    first_turn: bool = False


class AfterKong(Struct, frozen=True, forbid_unknown_fields=True):
    """The kong behind a win: whose replacement won, that came before the discard, or robbed."""

    how: KongHow
    late: bool = False
    touzi: bool = False


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished hand, as any ruleset reads it. Missing keys have an ordinary hand's value."""

    ruleset: str
    seats: tuple[SeatOutcome, ...]
    dealer: int
    end: HandEnd
    options: dict[str, Any] = {}
    streak: int = 1
    wilds: tuple[str, ...] = ()
    weekday: int | None = None
    first_chickens: tuple[FirstChicken, ...] = ()
    wins: tuple[Win, ...] = ()
    after_kong: AfterKong | None = None
    flip: str | None = None
    birds: tuple[str, ...] = ()


class Part(Struct, frozen=True, omit_defaults=True):
    """A term of a payment: points that add up, or a factor that multiplies."""

    name: str
    points: int | None = None
    factor: int | None = None


class Payment(Struct, frozen=True):
    """Points from a payer to a payee, more than none, with reason, parts and rule paragraph."""

    payer: int
    payee: int
    points: int
    reason: str
    parts: tuple[Part, ...]
    rule: str


class WinScore(Struct, frozen=True):
    """What a winner's hand was read as, and its value by the ruleset."""

    seat: int
    patterns: tuple[str, ...]
    value: int


class NotCounted(Struct, frozen=True):
    """What a player might expect and does not get, with the reason and the rule paragraph."""

    seat: int
    what: str
    tile: str | None
    why: str
    rule: str


class Settlement(Struct, frozen=True):
    """Who pays whom for a hand; the totals by seat sum to zero."""

    totals: tuple[int, ...]
    payments: tuple[Payment, ...]
    wins: tuple[WinScore, ...]
    not_counted: tuple[NotCounted, ...]


def settlement(
    players: int,
    payments: tuple[Payment, ...],
    wins: tuple[WinScore, ...],
    not_counted: tuple[NotCounted, ...],
) -> Settlement:
    """A settlement whose totals are the sums of its payments."""
    totals = [0] * players
    for payment in payments:
        totals[payment.payer] -= payment.points
        totals[payment.payee] += payment.points
    return Settlement(tuple(totals), payments, wins, not_counted)


def read_outcome(data: object) -> Outcome:
    """The outcome in decoded JSON; refuses what has not its form (`outcome_malformed`)."""
    try:
        return msgspec.convert(data, Outcome)
    except msgspec.ValidationError as fault:
        raise Refused("outcome_malformed", detail=str(fault)) from None

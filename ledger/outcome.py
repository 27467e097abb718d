"""The outcome of a hand and its settlement: two public formats.

An outcome is everything a ruleset may look at to say who pays whom, as the table stood when
the hand ended. Tiles are in their run form. Source: docs/formats.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from ledger.refusal import Refused
from ledger.tiles import TILE

LONGEST_HAND = 40
LONGEST_RIVER = 120
"""The letters that all discards of one seat can take."""
MOST_BIRDS = 136
MOST_STREAK = 10_000
LONGEST_RULESET = 40
MOST_OPTIONS = 64
LONGEST_OPTION_NAME = 64

SeatNumber = Annotated[int, Meta(ge=0, le=3)]
TileText = Annotated[str, Meta(pattern=rf"^({TILE})\Z")]
TilesText = Annotated[str, Meta(max_length=LONGEST_HAND, pattern=r"^[^\0]*\Z")]
Plain = bool | int | str
Options = Annotated[
    dict[
        Annotated[str, Meta(max_length=LONGEST_OPTION_NAME)],
        Plain | Annotated[list[Plain], Meta(max_length=MOST_OPTIONS)],
    ],
    Meta(max_length=MOST_OPTIONS),
]
Suit = Literal["m", "p", "s"]
HandEnd = Literal["win", "exhausted", "dissolved"]
WinHow = Literal["self_draw", "discard", "rob_kong"]
KongHow = Literal["concealed", "exposed", "added"]


class Meld(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pung 碰 or a kong 杠; an added kong's `from` is who fed the pung."""

    kind: Literal["pung", "kong"]
    tile: TileText
    how: KongHow | None = None
    from_seat: SeatNumber | None = field(name="from", default=None)
    late: bool = False
    feeder_declared: bool = False


class SeatOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat at the end of the hand; the winning tile is not among its concealed tiles."""

    hand: TilesText
    melds: Annotated[tuple[Meld, ...], Meta(max_length=4)] = ()
    river: Annotated[str, Meta(max_length=LONGEST_RIVER, pattern=r"^[^\0]*\Z")] = ""
    declared: Literal["ready", "hard", "soft", "frozen"] | None = None
    bet: Annotated[int, Meta(ge=0, le=2)] = 0
    void_suit: Suit | None = None
    dealt: TilesText | None = None
    self_draw_only: bool = False


class FirstChicken(Struct, frozen=True, forbid_unknown_fields=True):
    """The first default chicken discarded 冲锋鸡, and the seats that took it 责任鸡."""

    tile: TileText
    by: SeatNumber
    takers: Annotated[tuple[SeatNumber, ...], Meta(max_length=3)] = ()


class Win(Struct, frozen=True, forbid_unknown_fields=True):
    """A win; `from` is the discarder or the robbed seat.

    `first_turn`: the winner has neither drawn before this tile, nor melded, nor discarded.
    """

    seat: SeatNumber
    tile: TileText
    how: WinHow
    from_seat: SeatNumber | None = field(name="from", default=None)
    first_turn: bool = False


class AfterKong(Struct, frozen=True, forbid_unknown_fields=True):
    """The kong behind a win: whose replacement won, that came before the discard, or robbed."""

    how: KongHow
    late: bool = False
    touzi: bool = False


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished hand, as any ruleset reads it. Missing keys have an ordinary hand's value."""

    ruleset: Annotated[str, Meta(min_length=1, max_length=LONGEST_RULESET, pattern=r"^[^\0]*\Z")]
    seats: Annotated[tuple[SeatOutcome, ...], Meta(min_length=2, max_length=4)]
    dealer: SeatNumber
    end: HandEnd
    options: Options = {}
    streak: Annotated[int, Meta(ge=1, le=MOST_STREAK)] = 1
    wilds: Annotated[tuple[TileText, ...], Meta(max_length=4)] = ()
    weekday: Annotated[int, Meta(ge=1, le=7)] | None = None
    first_chickens: Annotated[tuple[FirstChicken, ...], Meta(max_length=2)] = ()
    wins: Annotated[tuple[Win, ...], Meta(max_length=3)] = ()
    after_kong: AfterKong | None = None
    flip: TileText | None = None
    birds: Annotated[tuple[TileText, ...], Meta(max_length=MOST_BIRDS)] = ()


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


def wins_in_turn(outcome: Outcome) -> list[Win]:
    """The wins in turn order from the discarder or robbed seat."""
    players = len(outcome.seats)
    return sorted(outcome.wins, key=lambda win: (win.seat - (win.from_seat or 0) - 1) % players)


def robbed_kong(outcome: Outcome, rule: str) -> tuple[NotCounted, ...]:
    """The kong that was robbed 抢杠, undone and unpaid, however many have won its tile."""
    first = outcome.wins[0] if outcome.wins else None
    if first is None or first.how != "rob_kong" or first.from_seat is None:
        return ()
    return (NotCounted(first.from_seat, "added_kong", first.tile, "robbed", rule),)


def settlement(
    players: int,
    payments: Iterable[Payment],
    wins: tuple[WinScore, ...],
    not_counted: tuple[NotCounted, ...],
) -> Settlement:
    """A settlement whose totals are the sums of its payments.

    Payments stand by paragraph, then payee, then payer: their order decides stored bytes.
    """
    payments = tuple(sorted(payments, key=lambda one: (one.rule, one.payee, one.payer)))
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
        place = place_of(fault)
        raise Refused("outcome_malformed", pointer=place, place=place or "/") from None


def place_of(fault: msgspec.ValidationError) -> str:
    """Where a decoder found a fault, as a JSON pointer: "$.seats[0].hand" -> "/seats/0/hand"."""
    found = re.search(r"`\$([^`]*)`\Z", str(fault))
    return re.sub(r"[.\[]", "/", found[1]).replace("]", "") if found else ""

"""What is claimed of a hand 主张 that is booked: what it comes to, and what it would move."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ledger import claims
from ledger.booked import Booked
from ledger.claims import Comparison
from ledger.outcome import NotCounted, Outcome, Settlement, read_outcome
from ledger.refusal import Refused
from ledger.rules.cap import capped
from ledger.rules.catalog import settle
from ledger.streams.settlement import check_totals, measured, moved, of_hand, standing


class Claim(Struct, frozen=True):
    """What somebody says a hand comes to: its points by seat, or its outcome in public format."""

    totals: tuple[int, ...] | None = None
    outcome: dict[str, Any] | None = None


class Preview(Struct, frozen=True):
    """What a decision would book: points by seat as they stand and as they would.

    `comparison` is line by line, `not_counted` what the rules did not count of the hand as it was
    recorded. `takes_two` says that it needs a second person, also for what was moved before. An
    outcome that cannot be has its `refusal`, and moves nothing.
    """

    seats: tuple[str, ...]
    revision: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    moves: int
    takes_two: bool
    comparison: Comparison
    not_counted: tuple[NotCounted, ...]
    refusal: Refused | None = None


def previewed(hand: Booked, limit: int | None, right: Claim, *, void: bool) -> Preview:
    """What a decision would book: what is right, or nothing; one person may move up to a limit."""
    stands, refusal, computed = stands_of(hand), _impossible(hand, right), hand.computed
    claimed = None if refusal else _settled(hand, right)
    after = (0,) * len(stands) if void else claimed.totals if claimed else stands
    told = claimed if claimed is None or right.outcome is not None else claimed.totals
    return Preview(
        seats=hand.money.seats,
        revision=hand.money.version,
        before=stands,
        after=after,
        moves=moved(stands, after),
        takes_two=limit is not None and measure(hand, after) > limit,
        comparison=claims.compare(computed, refusal or told or stands),
        not_counted=computed.not_counted,
        refusal=refusal,
    )


def stands_of(hand: Booked) -> tuple[int, ...]:
    """The points by seat that stand; of a hand that was voided, none."""
    return standing(hand.money)


def measure(hand: Booked, after: tuple[int, ...]) -> int:
    """By how much a ruling is measured that lets these points stand."""
    return measured(hand.computed.totals, stands_of(hand), after)


def comes_to(hand: Booked, claim: Claim) -> tuple[int, ...] | None:
    """The points by seat that a claim comes to, under the cap of the hand."""
    settled = _settled(hand, claim)
    return None if settled is None else settled.totals


def _settled(hand: Booked, claim: Claim) -> Settlement | None:
    played, players = hand.ended.hand, len(hand.money.seats)
    if claim.outcome is not None:
        told = outcome_of(hand, claim.outcome)
        try:
            return capped(settle(told), played.cap)
        except Refused as refusal:
            raise refusal.at("/outcome") from None
    if claim.totals is None:
        return None
    check_totals(claim.totals, players)
    return capped(Settlement(claim.totals, (), (), ()), played.cap)


def _impossible(hand: Booked, claim: Claim) -> Refused | None:
    """Why an outcome that is claimed cannot be; None where it can, or where none is claimed."""
    if claim.outcome is None:
        return None
    told = outcome_of(hand, claim.outcome)
    try:
        settle(told)
    except Refused as refusal:
        return refusal.at("/outcome")
    return None


def outcome_of(hand: Booked, outcome: dict[str, Any]) -> Outcome:
    """An outcome as one of this hand's; refuses one without an outcome's form, or of another."""
    played = hand.ended.hand
    try:
        told = read_outcome(outcome)
    except Refused as refusal:
        raise refusal.at("/outcome") from None
    return of_hand(told, played.ruleset, played.options, len(hand.money.seats))

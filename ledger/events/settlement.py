"""What happens to the money of a hand 一局: its settlement."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger.events.event import Fact, Seat
from ledger.outcome import HandEnd


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A term of a payment: points that add up, or a factor that multiplies."""

    name: str
    points: int | None = None
    factor: int | None = None


class Paid(Struct, frozen=True, forbid_unknown_fields=True):
    """A payment between two seats, with the reason, its parts and the rule paragraph."""

    payer: Seat
    payee: Seat
    points: int
    reason: str
    parts: tuple[Part, ...]
    rule: str


class Scored(Struct, frozen=True, forbid_unknown_fields=True):
    """What a winner's hand was read as, and its value."""

    seat: Seat
    patterns: tuple[str, ...]
    value: int


class Void(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player might expect and does not get, and why."""

    seat: Seat
    what: str
    tile: str | None
    why: str
    rule: str


class HandSettled(Fact, frozen=True):
    """A hand's points are booked: the settlement of its outcome, seat by seat."""

    table: str
    number: int
    ruleset: str
    seats: tuple[str, ...]
    end: HandEnd | Literal["unknown"]
    totals: tuple[int, ...]
    payments: tuple[Paid, ...]
    wins: tuple[Scored, ...]
    not_counted: tuple[Void, ...]
    ended_at: int
    ended_position: int
    booked_date: str
    effective_date: str

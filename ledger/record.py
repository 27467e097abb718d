"""The record of a match: the walls and what the players decided. A public format.

What PGN is to chess: a match to a line of JSON, from which anybody who knows the rules gets
every draw, claim window and settlement. Source: docs/formats.md.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.outcome import Outcome, SeatNumber, Suit, TileText, place_of
from ledger.refusal import Refused

T = TypeVar("T")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // EPOCH.resolution
"""The last moment that can be written: the end of the year 9999."""
NO_TIME = "is no time of RFC 3339 with its zone, such as 2026-11-28T20:15:00+08:00"
FORMAT: Final = "paizhang-record/1"
Does = Literal["bet", "void_suit", "declare", "discard", "kong", "pung", "win", "pass"]


class Choice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a player may decide: the object in which legal actions are told."""

    seat: SeatNumber
    action: Does
    tile: TileText | None = None
    touzi: bool = False
    declare: bool = False
    points: Annotated[int, Meta(ge=0, le=2)] | None = None
    suit: Suit | None = None


class Sent(Choice, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decision as it is sent: when (RFC 3339), and whether a time-out made it."""

    at: str | None = None
    cause: Literal["player", "timeout"] = "player"

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        if self.at is not None:
            microseconds(self.at)


class Action(Sent, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decision as a record tells it, perhaps with all that was legal when it was taken."""

    legal: tuple[Choice, ...] | UnsetType = UNSET


class RecordedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """One hand of a record: its wall, the decisions in order, and how it ended."""

    dealer: int
    wall: str
    actions: tuple[Action, ...]
    streak: int = 1
    wilds: tuple[str, ...] = ()
    weekday: int | None = None
    outcome: Outcome | None = None
    totals: tuple[int, ...] | None = None


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A match as text; `ref` is the sender's own name for it."""

    format: Literal["paizhang-record/1"]
    ref: str
    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    hands: tuple[RecordedHand, ...]


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that was played elsewhere, as a match of its own: by its outcome, or by its points.

    `ref` is the sender's own name for it. With an outcome, ruleset and options are the outcome's.
    """

    ref: str
    seats: tuple[str, ...]
    outcome: Outcome | None = None
    ruleset: str | None = None
    options: dict[str, Any] = {}
    totals: tuple[int, ...] | None = None
    occurred_at: str | None = None
    format: Literal["paizhang-entry/1"] = "paizhang-entry/1"

    def __post_init__(self) -> None:
        """Refuse a time that is none."""
        if self.occurred_at is not None:
            microseconds(self.occurred_at)


def microseconds(time: str) -> int:
    """A time of RFC 3339 from 1970 to 9999, in microseconds of UTC; a ValueError where it is none.

    What would lie beyond in UTC, though its own year is 9999, is none.
    """
    try:
        moment: datetime = msgspec.convert(time, Annotated[datetime, Meta(tz=True)])
    except msgspec.ValidationError:
        raise ValueError(f"{time[:40]!r} {NO_TIME}") from None
    since = (moment - EPOCH) // EPOCH.resolution
    if not 0 <= since <= LAST:
        raise ValueError(f"{time[:40]!r} {NO_TIME}")
    return since


def choice(action: Choice) -> Choice:
    """The decision in an action, without when and why it was sent."""
    return Choice(
        action.seat,
        action.action,
        action.tile,
        action.touzi,
        action.declare,
        action.points,
        action.suit,
    )


def read_record(data: object) -> Record:
    """The record in decoded JSON; refuses what has not its form (`record_malformed`)."""
    return _read(data, Record)


def read_entry(data: object) -> Entry:
    """The entry in decoded JSON; refuses what has not its form (`record_malformed`)."""
    return _read(data, Entry)


def _read(data: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as fault:
        raise Refused("record_malformed", pointer=place_of(fault), detail=str(fault)) from None

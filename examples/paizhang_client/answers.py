"""What the ledger answers: its JSON as it came, with types for what matters of it.

A newer ledger may say more. That stays in the dictionaries untouched, so an action that is
taken from `legal_actions` goes back whole.
"""

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict

JSON = dict[str, Any]


class Opening(TypedDict):
    """A match to open; seats are members by id or code."""

    ruleset: str
    seats: Sequence[str]
    hands: int
    options: NotRequired[JSON]
    dealer: NotRequired[int]
    low_score: NotRequired[int]
    room: NotRequired[str]
    floor: NotRequired[str]
    ref: NotRequired[str]


class Action(TypedDict):
    """What a player decides: one of `legal_actions`, with when and why where that is told."""

    seat: int
    action: str
    tile: NotRequired[str]
    touzi: NotRequired[bool]
    at: NotRequired[str]
    cause: NotRequired[Literal["player", "timeout"]]


class HandState(TypedDict):
    """A hand at one moment; a tile that the caller may not see is `?`."""

    number: int
    left: int
    turn: JSON | None
    window: JSON | None
    seats: list[JSON]
    wins: list[JSON]
    end: Literal["win", "exhausted", "dissolved"] | None


class TableState(TypedDict):
    """A match at one moment; `totals` are the points of the hands that have ended."""

    seats: list[str]
    hands: int
    totals: list[int]
    closed: str | None
    hand: HandState | None


class Table(TypedDict):
    """A table, and what each seat may do; None for a seat that the caller does not see."""

    id: str
    version: int
    state: TableState
    legal_actions: list[list[Action] | None]


class Event(TypedDict):
    """An event of the log; of one that is none of the caller's business only its place."""

    position: int
    stream: NotRequired[str]
    type: NotRequired[str]
    public: NotRequired[JSON]
    slots: NotRequired[list[JSON]]
    hash: str


class Recorded(TypedDict):
    """What a write recorded, where table and log stand after it, and what each seat may do."""

    version: int
    position: int
    events: list[Event]
    state: TableState
    legal_actions: list[list[Action] | None]


class Settlement(TypedDict):
    """Who pays whom for a hand; `totals` by seat sum to zero, `seats` are members."""

    seats: list[str]
    end: str
    totals: list[int]
    payments: list[JSON]


class Hand(TypedDict):
    """A hand with its events; the settlement comes when it is over."""

    seats: list[str]
    state: HandState
    events: list[Event]
    settlement: Settlement | None
    position: int


class ListedHand(TypedDict):
    """A hand in the list."""

    table: str
    number: int
    state: Literal["running", "ended", "settled"]
    totals: list[int] | None


class Balance(TypedDict):
    """A member's points: a score, without cash value."""

    id: str
    code: str
    name: str
    points: int
    hands: int

"""Every event that can happen, kind of stream by kind of stream.

An event has a public part and, in a type that has any, private slots: one per seat and one
for the table, which always stand there, empty ones too. Structs here are for ever: a field's
order decides the bytes that are hashed. A change of meaning is a new version of the type.
Times are whole microseconds of UTC, tiles are text, points are whole numbers.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from msgspec import Struct

from ledger.outcome import HandEnd, KongHow, WinHow

Cause = Literal["player", "auto", "timeout"]
Seat = int
Until = Literal["own_draw", "own_move", "hand"]
MatchEnd = Literal["played", "dissolved", "closed"]


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """The public part of an event."""


class Private(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an event holds for one audience alone: a seat, or the table."""


class Nothing(Private, frozen=True):
    """The slot of an audience for which a type never holds anything."""


class Event(Struct, frozen=True):
    """One thing that happened: its public part, and its slots in the order of their audiences.

    `slots` is empty for a type without private parts; else it has an entry per seat and the
    table's last. None is an empty slot, or one that the viewer may not see.
    """

    fact: Fact
    slots: tuple[Private | None, ...] = ()


P = TypeVar("P", bound=Private)


def slot(event: Event, audience: int, kind: type[P]) -> P | None:
    """The private part of an event for one audience, or None where it is empty or not shown."""
    part = event.slots[audience] if event.slots else None
    return part if isinstance(part, kind) else None


def slots(players: int, parts: dict[int, Private]) -> tuple[Private | None, ...]:
    """The slots of an event at a table: a part for the audiences named, the others empty."""
    return tuple(parts.get(audience) for audience in range(players + 1))


# --- club and members -------------------------------------------------------------------------


class ClubFounded(Fact, frozen=True):
    """A club begins, with the zone and the cutoff of its business day (minutes after midnight)."""

    zone: str
    day_cutoff: int


class KeyIssued(Fact, frozen=True):
    """An API key of the club, with its roles; a member's key names the member."""

    key: str
    roles: tuple[str, ...]
    member: str | None
    expires_at: int | None


class KeyRevoked(Fact, frozen=True):
    """An API key that opens nothing any more."""

    key: str


class MemberJoined(Fact, frozen=True):
    """A member of the club, with the code that records and account names show."""

    code: str


# --- table 牌桌: one match --------------------------------------------------------------------


class TableOpened(Fact, frozen=True):
    """A match is opened 开桌. Texts (room, floor, ref) are digests; seats are member ids.

    `low_score`: a match whose best total stays below it counts as 低分局.
    """

    ruleset: str
    options: dict[str, Any]
    hands: int
    low_score: int
    seats: tuple[str, ...]
    dealer: Seat
    recorder: str
    room: str | None
    floor: str | None
    ref: str | None
    at: int


class TableClosed(Fact, frozen=True):
    """A match ends, with its totals by seat as they stood then."""

    at: int
    reason: MatchEnd
    note: str | None
    hands: int
    totals: tuple[int, ...]


class HandStarted(Fact, frozen=True):
    """A hand begins, with all that it needs from before: its state is folded from here.

    `totals` are the match's points by seat before this hand, `tiles` the length of the wall.
    """

    at: int
    number: int
    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    dealer: Seat
    streak: int
    hands: int
    low_score: int
    recorder: str
    totals: tuple[int, ...]
    wilds: tuple[str, ...]
    tiles: int


class WallBuilt(Private, frozen=True):
    """The table's own: every tile in the order it will be taken, and the hand's secret (hex)."""

    wall: str = ""
    secret: str = ""


class Dealt(Fact, frozen=True):
    """Fourteen tiles to the dealer, thirteen to each other seat."""

    at: int


class DealtTiles(Private, frozen=True):
    """A seat's own tiles as dealt, sorted."""

    tiles: str = ""


class Drawn(Fact, frozen=True):
    """A seat takes the next tile of the wall; `replacement` after a kong."""

    at: int
    seat: Seat
    replacement: bool


class DrawnTile(Private, frozen=True):
    """The tile drawn, for the seat that drew it."""

    tile: str = ""


class Lock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a pass costs a seat: `what` it may no longer do, until when, and on which kind."""

    what: str
    until: Until
    tile: str = ""


class Passed(Private, frozen=True):
    """The locks that a discard or a kong set, and the tile of a discard laid face down."""

    locks: tuple[Lock, ...] = ()
    tile: str = ""


class Discarded(Fact, frozen=True):
    """A seat discards; `tile` is None when it is laid face down, `declares` a ready hand 报听."""

    at: int
    seat: Seat
    tile: str | None
    declares: str | None
    cause: Cause


class Offered(Fact, frozen=True):
    """A claim window opens on a discard, or on an added kong that may be robbed."""

    at: int
    seat: Seat


class Offer(Private, frozen=True):
    """What a seat may answer besides a pass."""

    may: tuple[str, ...] = ()


class Answered(Fact, frozen=True):
    """Somebody asked has answered; who and what lie in the slot of the seat."""

    at: int


class Answer(Private, frozen=True):
    """A seat's answer in a claim window or to a prompt, and the locks it sets."""

    choice: str = ""
    cause: Cause = "player"
    locks: tuple[Lock, ...] = ()


class Punged(Fact, frozen=True):
    """A seat takes a discard for a pung 碰."""

    at: int
    seat: Seat
    tile: str
    from_seat: Seat


class KongAnnounced(Fact, frozen=True):
    """A seat shows the fourth tile of its pung; the kong is made only if nobody robs it 抢杠."""

    at: int
    seat: Seat
    tile: str
    late: bool
    touzi: bool
    cause: Cause


class Konged(Fact, frozen=True):
    """A kong is made 杠; an added kong's `from_seat` is who fed the pung."""

    at: int
    seat: Seat
    how: KongHow
    tile: str
    from_seat: Seat | None
    late: bool
    touzi: bool
    cause: Cause


class Won(Fact, frozen=True):
    """A seat wins 胡 with a tile; several winners of one tile are several events in turn order."""

    at: int
    seat: Seat
    tile: str
    how: WinHow
    from_seat: Seat | None
    cause: Cause


class BirdsTurned(Fact, frozen=True):
    """The bird tiles 鸟 turned after a win, in order; the winning tile where none was left."""

    at: int
    tiles: tuple[str, ...]
    taken: int


class HandEnded(Fact, frozen=True):
    """A hand ends, and shows its secret: with it anybody can check every slot of the hand."""

    at: int
    end: HandEnd
    secret: str
    weekday: int | None
    booked_date: str
    effective_date: str


# --- hand 一局: its money ---------------------------------------------------------------------


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
    end: HandEnd
    totals: tuple[int, ...]
    payments: tuple[Paid, ...]
    wins: tuple[Scored, ...]
    not_counted: tuple[Void, ...]
    ended_at: int
    ended_position: int
    booked_date: str
    effective_date: str


ClubFact = ClubFounded | KeyIssued | KeyRevoked
MemberFact = MemberJoined
TableFact = (
    TableOpened
    | TableClosed
    | HandStarted
    | Dealt
    | Drawn
    | Discarded
    | Offered
    | Answered
    | Punged
    | KongAnnounced
    | Konged
    | Won
    | BirdsTurned
    | HandEnded
)
SettlementFact = HandSettled
AnyFact = ClubFact | MemberFact | TableFact | SettlementFact

"""What happens at a table 牌桌: one match, hand by hand, action by action."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ledger.events.event import Fact, Private, Seat
from ledger.outcome import HandEnd, KongHow, Suit, WinHow

Cause = Literal["player", "auto", "timeout"]
Until = Literal["own_draw", "own_move", "hand"]
MatchEnd = Literal["played", "dissolved", "closed"]
Prompt = Literal["bet", "void_suit", "as_dealt"]
"""What seats are asked before the first turn, in this order."""


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


class TableTicked(Fact, frozen=True):
    """Somebody has looked at the points of a match that ended, and found them right 对账.

    Not `ticked`: he takes it back. `note` is a digest of what he held them against, or of why.
    """

    at: int
    ticked: bool
    note: str | None


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat said to the wish to dissolve, and after how many seconds; silent: nothing."""

    seat: Seat
    answer: Literal["agreed", "refused", "silent"]
    seconds: int


class DissolutionVoted(Fact, frozen=True):
    """A seat wished to dissolve the match 申请解散; what the others said, and what came of it.

    `scores` are the match's points by seat then.
    """

    at: int
    seat: Seat
    votes: tuple[Vote, ...]
    passed: bool
    scores: tuple[int, ...]


class SeatsChanged(Fact, frozen=True):
    """Between two hands members change seats 换座, or another one takes a seat over 换人.

    `lines` names for each seat the former seat whose points, and whose deal, it goes on with.
    """

    at: int
    seats: tuple[str, ...]
    lines: tuple[Seat, ...]


class HandStarted(Fact, frozen=True):
    """A hand begins, with all that it needs from before: its state is folded from here.

    `totals` are the match's points by seat before this hand, `tiles` the length of the wall.
    `cap` is what a seat can lose in it 单局封顶. Where the club's limits asked for it, `balances`
    is the digest of a text that tells what each member had at a position of the log,
    `balances_at`: what one has is not for the others at his table to read.
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
    cap: int | None = None
    balances: str | None = None
    balances_at: int = 0


class UncappedHandStarted(Fact, frozen=True):
    """A hand begins, as it was told before clubs had limits: HandStarted/1."""

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


class Prompted(Fact, frozen=True):
    """Seats are asked before the first turn: for a bet 估卖, a void suit 定缺, or as dealt.

    As dealt the dealer may win 天胡, or others declare 硬报: whom it is and what for lies in the
    slots, since it tells what they hold.
    """

    at: int
    prompt: Prompt


class BetsShown(Fact, frozen=True):
    """All have bet 估卖, and the bets are shown together, by seat."""

    at: int
    bets: tuple[int, ...]


class VoidSuitsShown(Fact, frozen=True):
    """All have chosen the suit that they do without 定缺, shown together, by seat."""

    at: int
    suits: tuple[Suit, ...]


class ReadyShown(Fact, frozen=True):
    """All who were asked as dealt have answered; the seats that declared 硬报, shown together."""

    at: int
    seats: tuple[Seat, ...]


class WeekdaySet(Fact, frozen=True):
    """The weekday that counts in a hand 星期鸡 where it is not the one of its end."""

    at: int
    weekday: int


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


class FaceDownOffered(Fact, frozen=True):
    """A claim window opens on a discard laid face down 倒扣; who has a claim sees the tile."""

    at: int
    seat: Seat


class FaceDownOffer(Private, frozen=True):
    """What a seat may answer besides a pass, and the tile that it is shown for that."""

    may: tuple[str, ...] = ()
    tile: str = ""


class ChickenThrown(Fact, frozen=True):
    """The tile just discarded is the first of a default chicken; it charges 冲锋鸡 if it stands."""

    at: int
    seat: Seat
    tile: str


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


class ChickenFlipped(Fact, frozen=True):
    """The next tile of the wall, turned after a win for the chickens 翻鸡."""

    at: int
    tile: str


class HandEntered(Fact, frozen=True):
    """A hand that was played elsewhere is entered: by its outcome, or by its points alone.

    `outcome` is the public format as it was entered, options filled in. `totals` are the points
    by seat where nothing else is known. `next_dealer` deals after it where the rules cannot tell.
    """

    at: int
    outcome: dict[str, Any] | None
    totals: tuple[int, ...] | None
    next_dealer: Seat | None


class HandEnded(Fact, frozen=True):
    """A hand ends, and shows its secret: with it anybody can check every slot of the hand."""

    at: int
    end: HandEnd | Literal["unknown"]
    secret: str
    weekday: int | None
    booked_date: str
    effective_date: str


class HandVoided(Fact, frozen=True):
    """A running hand is spoiled and does not count 作废; like any end it shows its secret.

    `note` is the digest of why, `hands` the number now planned: one more, since the match goes on.
    """

    at: int
    secret: str
    note: str
    hands: int

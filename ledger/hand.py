"""The state of a hand 一局 at one moment, and the outcome it leaves when it ends."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger import outcome as o
from ledger.events import Cause, Lock, Prompt, Seat
from ledger.outcome import HandEnd, KongHow, Suit, WinHow
from ledger.tiles import Tile, Tiles, parse_tile, parse_tiles, tile_text, tiles_text

DEAL = 13
End = HandEnd | Literal["void", "unknown"]
"""How a hand ends; a void one leaves no outcome, nor one of which only the points are known."""


class Meld(Struct, frozen=True):
    """A pung or a kong as it lies on the table."""

    tile: Tile
    how: Literal["pung", "concealed", "exposed", "added"]
    from_seat: Seat | None
    late: bool = False
    feeder_declared: bool = False


class Player(Struct, frozen=True):
    """A seat during a hand; `hand` is sorted and holds a tile just drawn.

    `drawn` are the tiles drawn since its last discard.
    """

    hand: Tiles = ()
    melds: tuple[Meld, ...] = ()
    river: Tiles = ()
    dealt: Tiles = ()
    discards: int = 0
    declared: str | None = None
    locks: tuple[Lock, ...] = ()
    drawn: Tiles = ()
    bet: int = 0
    void_suit: Suit | None = None


class Turn(Struct, frozen=True):
    """Whose turn it is, how it came, and the tile that came with it."""

    seat: Seat
    by: Literal["deal", "draw", "replacement", "pung"]
    tile: Tile | None = None


class Kong(Struct, frozen=True):
    """A kong of the turn that runs, or one that is shown and may yet be robbed."""

    seat: Seat
    how: KongHow
    tile: Tile
    late: bool
    touzi: bool
    cause: Cause = "player"


class Discard(Struct, frozen=True):
    """A discard that lies open to claims; `chicken`: it is the first of a default chicken."""

    seat: Seat
    tile: Tile
    face_down: bool = False
    chicken: bool = False


class Chicken(Struct, frozen=True):
    """The first discard of a default chicken, and the seats that took it."""

    tile: Tile
    by: Seat
    takers: tuple[Seat, ...] = ()


class Window(Struct, frozen=True):
    """A claim window on a tile: what each seat may answer, what it has answered, and why so.

    A prompt before the first turn is one without a tile.
    """

    seat: Seat
    tile: Tile | None
    kong: Kong | None
    may: tuple[tuple[str, ...], ...]
    answers: tuple[str | None, ...]
    causes: tuple[Cause | None, ...]
    prompt: Prompt | None = None


class Due(Struct, frozen=True):
    """The draw that must follow when nobody claims."""

    seat: Seat
    replacement: bool = False


class Win(Struct, frozen=True):
    """A win as the outcome tells it."""

    seat: Seat
    tile: Tile
    how: WinHow
    from_seat: Seat | None
    first_turn: bool


class Entered(Struct, frozen=True):
    """What was told of a hand that was not played here: its outcome as JSON, or its points."""

    outcome: dict[str, Any] | None
    totals: tuple[int, ...] | None
    next_dealer: Seat | None


class Hand(Struct, frozen=True):
    """A hand at one moment. `taken` counts the tiles taken from the wall; the rest are left.

    `prompts` are those that have been answered; `cap` is what a seat can lose in it.
    """

    number: int
    ruleset: str
    options: dict[str, Any]
    dealer: Seat
    streak: int
    wilds: Tiles
    wall: Tiles
    secret: str
    at: int
    seats: tuple[Player, ...]
    taken: int = 0
    turn: Turn | None = None
    window: Window | None = None
    due: Due | None = None
    shown: Kong | None = None
    last: Discard | None = None
    kong: Kong | None = None
    prompts: tuple[Prompt, ...] = ()
    chickens: tuple[Chicken, ...] = ()
    wins: tuple[Win, ...] = ()
    birds: Tiles | None = None
    flip: Tile | None = None
    weekday: int | None = None
    entered: Entered | None = None
    cap: int | None = None
    end: End | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def left(self) -> int:
        """The number of tiles left in the wall."""
        return len(self.wall) - self.taken

    def after(self, seat: Seat, steps: int = 1) -> Seat:
        """The seat so many places on in turn order."""
        return (seat + steps) % self.players


def leaves_outcome(hand: Hand) -> bool:
    """Whether a hand has ended with an outcome.

    A void one has none, nor one dissolved before its deal, nor one entered by its points.
    """
    known = hand.taken > 0 if hand.entered is None else hand.entered.outcome is not None
    return known and hand.end not in (None, "void")


def outcome(hand: Hand) -> o.Outcome:
    """The outcome that an ended hand leaves for its settlement: as played, or as entered."""
    if hand.entered is not None and hand.entered.outcome is not None:
        return o.read_outcome(hand.entered.outcome)
    assert hand.end not in (None, "void", "unknown")
    return o.Outcome(
        ruleset=hand.ruleset,
        options=hand.options,
        dealer=hand.dealer,
        streak=hand.streak,
        wilds=tuple(map(tile_text, hand.wilds)),
        weekday=hand.weekday,
        seats=tuple(map(_seat_outcome, hand.seats)),
        end=hand.end,  # type: ignore[arg-type]
        wins=tuple(
            o.Win(win.seat, tile_text(win.tile), win.how, win.from_seat, win.first_turn)
            for win in hand.wins
        ),
        first_chickens=tuple(
            o.FirstChicken(tile_text(one.tile), one.by, one.takers) for one in hand.chickens
        ),
        after_kong=_after_kong(hand),
        flip=None if hand.flip is None else tile_text(hand.flip),
        birds=tuple(map(tile_text, hand.birds or ())),
    )


def _seat_outcome(player: Player) -> o.SeatOutcome:
    return o.SeatOutcome(
        hand=tiles_text(player.hand),
        melds=tuple(map(_meld_outcome, player.melds)),
        river=tiles_text(player.river),
        declared=player.declared,  # type: ignore[arg-type]
        bet=player.bet,
        void_suit=player.void_suit,
        dealt=tiles_text(player.dealt),
        self_draw_only=any(lock.what == "taken_win" for lock in player.locks),
    )


def _meld_outcome(meld: Meld) -> o.Meld:
    tile = tile_text(meld.tile)
    if meld.how == "pung":
        return o.Meld("pung", tile, None, meld.from_seat)
    return o.Meld("kong", tile, meld.how, meld.from_seat, meld.late, meld.feeder_declared)


def _after_kong(hand: Hand) -> o.AfterKong | None:
    if not hand.wins or hand.kong is None:
        return None
    return o.AfterKong(hand.kong.how, hand.kong.late, hand.kong.touzi)


def as_told(hand: Hand, told: o.Outcome) -> Hand:
    """A hand that was not played here, with all that its outcome tells of the table's end."""
    return replace(
        hand,
        seats=tuple(map(_player, told.seats)),
        weekday=told.weekday,
        chickens=tuple(
            Chicken(parse_tile(one.tile), one.by, one.takers) for one in told.first_chickens
        ),
        wins=tuple(
            Win(win.seat, parse_tile(win.tile), win.how, win.from_seat, win.first_turn)
            for win in told.wins
        ),
        flip=None if told.flip is None else parse_tile(told.flip),
        birds=tuple(map(parse_tile, told.birds)) or None,
    )


def _player(seat: o.SeatOutcome) -> Player:
    river = parse_tiles(seat.river)
    return Player(
        hand=tuple(sorted(parse_tiles(seat.hand))),
        melds=tuple(map(_meld, seat.melds)),
        river=river,
        discards=len(river),
        declared=seat.declared,
        bet=seat.bet,
        void_suit=seat.void_suit,
    )


def _meld(meld: o.Meld) -> Meld:
    tile = parse_tile(meld.tile)
    return Meld(tile, meld.how or "pung", meld.from_seat, meld.late, meld.feeder_declared)

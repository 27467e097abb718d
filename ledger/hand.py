"""The state of a hand 一局 at one moment, and the outcome it leaves when it ends."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ledger import outcome as o
from ledger.events import Cause, Lock, Seat
from ledger.outcome import HandEnd, KongHow, WinHow
from ledger.tiles import Tile, Tiles, tile_text, tiles_text

DEAL = 13
End = HandEnd | Literal["void"]
"""How a hand ends; a void one leaves no outcome."""


class Meld(Struct, frozen=True):
    """A pung or a kong as it lies on the table."""

    tile: Tile
    how: Literal["pung", "concealed", "exposed", "added"]
    from_seat: Seat | None
    late: bool = False


class Player(Struct, frozen=True):
    """A seat during a hand; `hand` is sorted and holds a tile just drawn."""

    hand: Tiles = ()
    melds: tuple[Meld, ...] = ()
    river: Tiles = ()
    dealt: Tiles = ()
    discards: int = 0
    declared: str | None = None
    locks: tuple[Lock, ...] = ()


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


class Window(Struct, frozen=True):
    """A claim window on a tile: what each seat may answer, what it has answered, and why so."""

    seat: Seat
    tile: Tile
    kong: Kong | None
    may: tuple[tuple[str, ...], ...]
    answers: tuple[str | None, ...]
    causes: tuple[Cause | None, ...]


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


class Hand(Struct, frozen=True):
    """A hand at one moment. `taken` counts the tiles taken from the wall; the rest are left."""

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
    last: tuple[Seat, Tile] | None = None
    kong: Kong | None = None
    wins: tuple[Win, ...] = ()
    birds: Tiles | None = None
    weekday: int | None = None
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


def outcome(hand: Hand) -> o.Outcome:
    """The outcome that an ended hand leaves for its settlement; a void one leaves none."""
    assert hand.end is not None
    assert hand.end != "void"
    return o.Outcome(
        ruleset=hand.ruleset,
        options=hand.options,
        dealer=hand.dealer,
        streak=hand.streak,
        wilds=tuple(map(tile_text, hand.wilds)),
        weekday=hand.weekday,
        seats=tuple(map(_seat_outcome, hand.seats)),
        end=hand.end,
        wins=tuple(
            o.Win(win.seat, tile_text(win.tile), win.how, win.from_seat, win.first_turn)
            for win in hand.wins
        ),
        after_kong=_after_kong(hand),
        birds=tuple(map(tile_text, hand.birds or ())),
    )


def _seat_outcome(player: Player) -> o.SeatOutcome:
    return o.SeatOutcome(
        hand=tiles_text(player.hand),
        melds=tuple(
            o.Meld("pung", tile_text(meld.tile), None, meld.from_seat)
            if meld.how == "pung"
            else o.Meld("kong", tile_text(meld.tile), meld.how, meld.from_seat, meld.late)
            for meld in player.melds
        ),
        river=tiles_text(player.river),
        declared=player.declared,  # type: ignore[arg-type]
        dealt=tiles_text(player.dealt),
    )


def _after_kong(hand: Hand) -> o.AfterKong | None:
    if not hand.wins or hand.kong is None:
        return None
    return o.AfterKong(hand.kong.how, hand.kong.late, hand.kong.touzi)

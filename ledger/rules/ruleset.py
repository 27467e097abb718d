"""What a ruleset is: a frozen value that answers the questions of the table.

A question that forbids answers with a `Bar`, the refusal's code and the paragraph behind it, or
None: so what is legal and why something is not are one truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ledger.events import Fact, Lock, Prompt, Seat
from ledger.hand import Hand
from ledger.outcome import Outcome, Settlement, WinHow
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules.options import write_options
from ledger.tiles import Tile, Tiles

Answers = tuple[tuple[str, ...], ...]
"""What each seat may answer, seat by seat, in the words of a claim window."""


class Bar(NamedTuple):
    """Why a choice is not open: a stable code, and the paragraph of the rules that says so.

    `points`: how many this table asks for, where too few are what forbids it.
    """

    code: str
    rule: str
    points: int | None = None

    def refused(self, pointer: str = "", **params: object) -> Refused:
        """The refusal of what is barred."""
        asked = {} if self.points is None else {"points": self.points}
        return Refused(self.code, rule=self.rule, pointer=pointer, **asked, **params)


@dataclass(frozen=True)
class Ruleset:
    """The rules of one table: a region's rules with its options filled in.

    Questions about a tile speak of a tile offered to the seat, or held by it. `win_bar`: may
    the seat win with it; None as the tile is a win on the own turn. `kong_bar`: may it kong,
    and with `touzi`. `must_win`: is a win that is open to the seat forced. `claim_locks`:
    what an answer to an offer costs. `move_locks`: what a discard or a kong passes up. `turned`:
    the tiles turned after a win, as a fact. `winning_tile`: the tile a self-drawn win is told by.

    What only some games have: `declares` is what a discard may declare, "ready" face down, "soft"
    open, and `declare_bar` why it may not. `prompt`: what seats are asked before the first turn.
    `is_late`: does a kong come too late 憨包豆. `touzi`: may a kong freeze the hand 骰. `reserve`
    tiles of the wall are never drawn.
    `wild_count` different kinds of `wild_kinds` are drawn to be wild in a hand. Of `chickens` the
    first discard is told apart. `weekday`: which day's number a hand is stamped with.
    """

    key: str
    options: Any
    players: int
    kinds: Tiles
    one_winner: bool
    discard_bar: Callable[[Hand, Seat, Tile], Bar | None]
    win_bar: Callable[[Hand, Seat, Tile | None, WinHow], Bar | None]
    pung_bar: Callable[[Hand, Seat, Tile], Bar | None]
    kong_bar: Callable[[Hand, Seat, Tile, str, bool], Bar | None]
    must_win: Callable[[Hand, Seat], bool]
    claim_locks: Callable[[Hand, Seat, str], tuple[Lock, ...]]
    move_locks: Callable[[Hand, Seat, Literal["discard", "kong"]], tuple[Lock, ...]]
    winning_tile: Callable[[Hand, Seat], Tile]
    turned: Callable[[Hand, int], Fact | None]
    next_dealer: Callable[[Hand], Seat]
    settle: Callable[[Outcome], Settlement]
    declares: Literal["ready", "soft"] | None = None
    declare_bar: Callable[[Hand, Seat, Tile], Bar | None] = lambda hand, seat, tile: None
    prompt: Callable[[Hand], tuple[Prompt, Answers] | None] | None = None
    is_late: Callable[[Hand, Seat, Tile], bool] = lambda hand, seat, tile: False
    touzi: bool = False
    reserve: int = 0
    wild_kinds: Tiles = ()
    wild_count: int = 0
    chickens: Tiles = ()
    weekday: Literal["end", "opening"] | None = None

    def is_exhausted(self, hand: Hand) -> bool:
        """Whether nothing can be drawn from the wall any more."""
        return hand.left <= self.reserve

    @property
    def written_options(self) -> dict[str, Any]:
        """All options as plain JSON values, defaults filled in."""
        return write_options(self.options)


def touzi_of(hand: Hand, choice: Choice) -> bool:
    """Whether a kong counts as made under 骰: chosen so, or by a hand already frozen by it."""
    return choice.touzi or hand.seats[choice.seat].declared == "frozen"

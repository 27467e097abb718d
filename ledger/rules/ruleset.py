"""What a ruleset is: a frozen value that answers the questions of the table.

A question that forbids answers with a `Bar`, the refusal's code and the paragraph behind it, or
None: so what is legal and why something is not are one truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ledger.events import Fact, Lock, Seat
from ledger.hand import Hand
from ledger.outcome import Outcome, Settlement, WinHow
from ledger.record import Choice
from ledger.rules.options import write_options
from ledger.tiles import Tile, Tiles


class Bar(NamedTuple):
    """Why a choice is not open: a stable code, and the paragraph of the rules that says so."""

    code: str
    rule: str


@dataclass(frozen=True)
class Ruleset:
    """The rules of one table: a region's rules with its options filled in.

    Questions about a tile speak of a tile offered to the seat, or held by it. `win_bar`: may
    the seat win with it; None as the tile is a win on the own turn. `kong_bar`: may it kong,
    and with `touzi`. `must_win`: is the seat's win on its own turn forced. `claim_locks`:
    what an answer to an offer costs. `discard_locks`: what a discard passes up. `turned`: the
    tiles turned after a win, as a fact. `winning_tile`: the tile a self-drawn win is told by.
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
    discard_locks: Callable[[Hand, Seat], tuple[Lock, ...]]
    winning_tile: Callable[[Hand, Seat], Tile]
    turned: Callable[[Hand, int], Fact | None]
    next_dealer: Callable[[Hand], Seat]
    settle: Callable[[Outcome], Settlement]

    @property
    def written_options(self) -> dict[str, Any]:
        """All options as plain JSON values, defaults filled in."""
        return write_options(self.options)


def touzi_of(hand: Hand, choice: Choice) -> bool:
    """Whether a kong counts as made under 骰: chosen so, or by a hand already frozen by it."""
    return choice.touzi or hand.seats[choice.seat].declared == "frozen"

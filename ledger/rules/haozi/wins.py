"""Who may win with which tile in 耗子. Source: A3."""

from __future__ import annotations

from msgspec import Struct

from ledger.outcome import WinHow
from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import Waiting, win_value
from ledger.rules.ruleset import Bar
from ledger.tiles import Tile

WILD_DISCARD = Bar("wild_not_won", "haozi/1 A3.1")
NOT_DECLARED = Bar("win_not_declared", "haozi/1 A3.4")
NOT_COMPLETE = Bar("hand_not_complete", "haozi/1 A3.4")
NO_NATURAL_WAIT = Bar("no_natural_wait", "haozi/1 A3.4")
BELOW_FLOOR = Bar("win_below_floor", "haozi/1 A3.4")
PASSED = Bar("own_draw_left", "haozi/1 A3.5")
NO_ROBBING = Bar("no_robbing", "haozi/1 A3.8")
WILD_KONG = Bar("wild_not_won", "haozi/1 A3.8")


class Claimant(Struct, frozen=True):
    """A seat that could win: its hand, whether it has declared 报听, and has passed a win 过胡."""

    hand: Waiting
    declared: bool
    self_draw_only: bool


def win_bar(options: Options, seat: Claimant, tile: Tile, how: WinHow) -> Bar | None:
    """Why a seat may not win with a tile that it draws, is offered or could rob."""
    if options.win_requires_declaration and not seat.declared:
        return NOT_DECLARED
    barred = None if how == "self_draw" else _taking_bar(options, seat, tile, how)
    return barred or _value_bar(options, seat.hand, tile)


def _taking_bar(options: Options, seat: Claimant, tile: Tile, how: WinHow) -> Bar | None:
    """Why a seat may not win somebody else's tile, whatever it would be worth."""
    robs = how == "rob_kong"
    if robs and not options.rob_added_kong:
        return NO_ROBBING
    if tile in seat.hand.wild_kinds:
        return WILD_KONG if robs else WILD_DISCARD
    return PASSED if seat.self_draw_only else None


def _value_bar(options: Options, hand: Waiting, tile: Tile) -> Bar | None:
    value = win_value(options, hand, tile)
    if value:
        floor = options.min_win_points
        return BELOW_FLOOR._replace(points=floor) if value < floor else None
    return NO_NATURAL_WAIT if tile in hand.wild_kinds else NOT_COMPLETE

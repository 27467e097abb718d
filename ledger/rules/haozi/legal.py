"""What the table of 耗子 forbids, forces and remembers. Source: A1, A3."""

from __future__ import annotations

from typing import Literal

from ledger.events import Lock, Seat
from ledger.hand import Hand, Player
from ledger.outcome import WinHow
from ledger.rules.haozi import wins
from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import (
    Waiting,
    best_dealt_tile,
    may_declare,
    natural_waits,
    not_ready,
)
from ledger.rules.haozi.wins import Claimant
from ledger.rules.ruleset import Bar
from ledger.tiles import Tile, Tiles, take, tile_text

WILD_MELD = Bar("wild_not_melded", "haozi/1 A3.1")
FACE_DOWN = Bar("not_asked", "haozi/1 A3.2")
FROZEN = Bar("hand_frozen", "haozi/1 A3.3")
WAIT_LOST = Bar("kong_loses_wait", "haozi/1 A3.3")
WAITS_CHANGED = Bar("kong_changes_waits", "haozi/1 A3.3")
KONG_LOST = Bar("kong_passed", "haozi/1 A3.7")

SELF_DRAW_ONLY = Lock("taken_win", "hand")
"""What a passed win costs 过胡: every win with somebody else's tile."""

_FROM_HAND = {"concealed": 4, "exposed": 3, "added": 1}
_NEWLY_MELDED = {"concealed": 4, "exposed": 4, "added": 1}


def discard_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a tile may not be discarded: each may, a wild one too. A3.1"""
    return None


def declare_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a seat may not declare 报听 with a discard. A3.2"""
    player = hand.seats[seat]
    kept = Waiting(take(player.hand, tile), melded(player), hand.wilds)
    return None if may_declare(options, kept) else not_ready(options)


def win_bar(options: Options, hand: Hand, seat: Seat, tile: Tile | None, how: WinHow) -> Bar | None:
    """Why a seat may not win with a tile, None for what it has drawn. A3.4, A3.5, A3.8"""
    if how == "discard" and lies_apart(options, hand):
        return FACE_DOWN
    player = hand.seats[seat]
    if tile is None:
        tile = winning_tile(options, hand, seat)
        waiting = Waiting(take(player.hand, tile), melded(player), hand.wilds)
    else:
        waiting = Waiting(player.hand, melded(player), hand.wilds)
    claimant = Claimant(waiting, player.declared is not None, SELF_DRAW_ONLY in player.locks)
    return wins.win_bar(options, claimant, tile, how)


def pung_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a seat with two of the tile may not pung it. A3.1, A3.3"""
    if hand.seats[seat].declared is not None:
        return FROZEN
    if lies_apart(options, hand):
        return FACE_DOWN
    return _wild_bar(options, hand, tile)


def kong_bar(
    options: Options, hand: Hand, seat: Seat, tile: Tile, how: str, touzi: bool
) -> Bar | None:
    """Why a seat that has the tiles may not kong. A3.1, A3.3, A3.7"""
    player = hand.seats[seat]
    if how == "exposed" and lies_apart(options, hand):
        return FACE_DOWN
    if Lock("kong", "hand", tile_text(tile)) in player.locks:
        return KONG_LOST
    barred = _wild_bar(options, hand, tile)
    if barred is None and player.declared is not None:
        return _declared_kong_bar(options, hand, player, tile, how)
    return barred


def lies_apart(options: Options, hand: Hand) -> bool:
    """Whether the tile that lies open is one of a declaration that nobody may claim 倒扣. A3.2"""
    face_down = hand.last is not None and hand.last.face_down
    return face_down and not options.face_down_claimable


def _wild_bar(options: Options, hand: Hand, tile: Tile) -> Bar | None:
    wild = tile in hand.wilds and not options.wild_pung_kong_as_natural
    return WILD_MELD if wild else None


def _declared_kong_bar(
    options: Options, hand: Hand, player: Player, tile: Tile, how: str
) -> Bar | None:
    """A declared hand kongs only with the tile that came, and keeps a wait that is worth it."""
    drawn = None if hand.turn is None else hand.turn.tile
    if how != "exposed" and tile != drawn:
        return FROZEN
    before = player.hand if how == "exposed" else take(player.hand, tile)
    left = take(player.hand, tile, _FROM_HAND[how])
    own = melded(player)
    now = Waiting(left, own + (tile,) * _NEWLY_MELDED[how], hand.wilds)
    if not may_declare(options, now):
        return WAIT_LOST._replace(points=options.min_declare_points)
    waits = natural_waits(options, Waiting(before, own, hand.wilds))
    changes = options.no_kong_if_wait_changes and waits != natural_waits(options, now)
    return WAITS_CHANGED if changes else None


def melded(player: Player) -> Tiles:
    """Every tile that lies in a seat's melds."""
    return tuple(meld.tile for meld in player.melds for _ in range(3 + (meld.how != "pung")))


def must_win(options: Options, hand: Hand, seat: Seat) -> bool:
    """Whether a win that is offered or has been drawn is played by itself 有胡必胡. A3.5"""
    return options.must_win and (hand.turn is None or has_drawn_win(options, hand, seat))


def has_drawn_win(options: Options, hand: Hand, seat: Seat) -> bool:
    """Whether the seat whose turn it is may win; after a pung it has drawn nothing."""
    assert hand.turn is not None
    return hand.turn.by != "pung" and win_bar(options, hand, seat, None, "self_draw") is None


def claim_locks(options: Options, hand: Hand, seat: Seat, word: str) -> tuple[Lock, ...]:
    """What an answer costs: a win passed 过胡, or the fourth tile after a pung 过杠. A3.5, A3.7"""
    window, declared = hand.window, hand.seats[seat].declared
    assert window is not None
    assert window.tile is not None
    if word != "win" and "win" in window.may[seat] and declared is not None:
        return (SELF_DRAW_ONLY,)
    if word == "pung" and "kong" in window.may[seat]:
        return (Lock("kong", "hand", tile_text(window.tile)),)
    return ()


def move_locks(
    options: Options, hand: Hand, seat: Seat, move: Literal["discard", "kong"]
) -> tuple[Lock, ...]:
    """What a discard or a kong passes up: the win just drawn, and added kongs. A3.5, A3.7"""
    player = hand.seats[seat]
    free = player.declared is None or SELF_DRAW_ONLY in player.locks
    passed = () if free or not has_drawn_win(options, hand, seat) else (SELF_DRAW_ONLY,)
    if move == "kong" or options.reoffer_added_kong:
        return passed
    return passed + _kongs_passed(options, hand, seat)


def _kongs_passed(options: Options, hand: Hand, seat: Seat) -> tuple[Lock, ...]:
    """The added kongs that a discard passes up, where the house lets them be lost by that.

    After a pung there is none: a fourth tile that the hand holds by then has been passed before.
    """
    player = hand.seats[seat]
    if hand.left <= options.wall_reserve:
        return ()
    return tuple(
        Lock("kong", "hand", tile_text(meld.tile))
        for meld in player.melds
        if meld.how == "pung"
        and meld.tile in player.hand
        and kong_bar(options, hand, seat, meld.tile, "added", False) is None
    )


def winning_tile(options: Options, hand: Hand, seat: Seat) -> Tile:
    """The tile a self-drawn win is told by: the one drawn, or of dealt tiles the best. A4"""
    turn = hand.turn
    assert turn is not None
    if turn.tile is not None:
        return turn.tile
    return best_dealt_tile(options, hand.seats[seat].hand, hand.wilds)


def turned(options: Options, hand: Hand, at: int) -> None:
    """The tiles turned after a win: there are none in this game."""


def next_dealer(options: Options, hand: Hand) -> Seat:
    """Who deals next: the winner, and the same dealer where nobody won. A1"""
    return hand.wins[0].seat if hand.wins else hand.dealer

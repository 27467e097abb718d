"""What the table of 捉鸡 forbids, tells apart and remembers. Source: B1, B3."""

from __future__ import annotations

from typing import Literal

from ledger.events import ChickenFlipped, Lock, Seat
from ledger.hand import Hand, Player
from ledger.outcome import WinHow
from ledger.rules.ruleset import Bar
from ledger.rules.zhuoji.booking import paragraph
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.patterns import Holding, Reading, best_reading, has_void, is_ready
from ledger.rules.zhuoji.possible_wins import NO_PASS, NOT_COMPLETE, VOID_HELD, lacks_pass
from ledger.tiles import COPIES, Tile, Tiles, suit, take, tile_text

VOID_FIRST = Bar("void_suit_first", paragraph("B1.2"))
VOID_MELD = Bar("void_suit_melded", paragraph("B1.2"))
WIN_PASSED = Bar("kind_passed", paragraph("B3.5"))
HEAVENLY_PASSED = Bar("heavenly_win_passed", paragraph("B3.6"))
TOO_LATE = Bar("declared_too_late", paragraph("B3.7"))
NOT_READY = Bar("discard_not_ready", paragraph("B3.7"))
FROZEN = Bar("hand_frozen", paragraph("B3.8"))


def holding(player: Player, hand: Tiles) -> Holding:
    """What a seat in play holds, with some tiles as its hand."""
    return Holding(
        hand=hand,
        pungs=tuple(meld.tile for meld in player.melds if meld.how == "pung"),
        kongs=tuple(meld.tile for meld in player.melds if meld.how != "pung"),
        void_suit=player.void_suit,
    )


def discard_bar(hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a tile may not be discarded: the void suit goes first 定缺. B1.2"""
    player = hand.seats[seat]
    held = any(_is_void(player, one) for one in player.hand)
    return VOID_FIRST if held and not _is_void(player, tile) else None


def declare_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a seat may not declare 软报 with a discard. B3.7"""
    player = hand.seats[seat]
    if player.discards or player.melds:
        return TOO_LATE
    kept = holding(player, take(player.hand, tile))
    return None if is_ready(kept, options) else NOT_READY


def win_bar(options: Options, hand: Hand, seat: Seat, tile: Tile | None, how: WinHow) -> Bar | None:
    """Why a seat may not win with a tile, None for what it has drawn. B1.2, B3.3, B3.5, B3.6"""
    player = hand.seats[seat]
    if tile is None:
        return _own_win_bar(options, hand, player)
    if how == "discard" and _passed(tile) in player.locks:
        return WIN_PASSED
    held = holding(player, player.hand)
    found = _read(options, held, tile)
    if isinstance(found, Bar):
        return found
    free = how == "rob_kong" or _needs_no_pass(hand, player)
    return NO_PASS if lacks_pass(held, found, free=free) else None


def _own_win_bar(options: Options, hand: Hand, player: Player) -> Bar | None:
    """Why the tile drawn does not win; the tiles as dealt do so only when that is asked 天胡."""
    turn = hand.turn
    assert turn is not None
    kept = player.hand if turn.tile is None else take(player.hand, turn.tile)
    found = _read(options, holding(player, kept), turn.tile)
    if isinstance(found, Bar):
        return found
    return HEAVENLY_PASSED if turn.tile is None else None


def _read(options: Options, held: Holding, tile: Tile | None) -> Reading | Bar:
    """What tiles are read as, with a last one or as dealt, or why they are no win."""
    if has_void(held, *(() if tile is None else (tile,))):
        return VOID_HELD
    return best_reading(held, tile, options) or NOT_COMPLETE


def _needs_no_pass(hand: Hand, player: Player) -> bool:
    """Whether nobody needs a pass 通行证 for the discard: 热炮, or one of the two has declared."""
    assert hand.last is not None
    declared = player.declared or hand.seats[hand.last.seat].declared
    return declared is not None or hand.kong is not None


def pung_bar(hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a seat with two of the tile may not pung it. B1.2, B3.8"""
    player = hand.seats[seat]
    if player.declared is not None:
        return FROZEN
    return VOID_MELD if _is_void(player, tile) else None


def kong_bar(hand: Hand, seat: Seat, tile: Tile, how: str, touzi: bool) -> Bar | None:
    """Why a seat that has the tiles may not kong: what keeps it from a pung, and nothing else."""
    return pung_bar(hand, seat, tile)


def _is_void(player: Player, tile: Tile) -> bool:
    return suit(tile) == player.void_suit


def is_late(hand: Hand, seat: Seat, tile: Tile) -> bool:
    """Whether an own kong comes in a later turn than its fourth tile did 憨包豆. B3.2

    Of four dealt tiles that is any turn but the first, which the first discard ends.
    """
    player = hand.seats[seat]
    in_time = player.discards == 0 and player.dealt.count(tile) == COPIES
    return tile not in player.drawn and not in_time


def must_win(hand: Hand, seat: Seat) -> bool:
    """Whether a win is forced: none is, not even on who has declared. B3.8"""
    return False


def claim_locks(hand: Hand, seat: Seat, word: str) -> tuple[Lock, ...]:
    """What an answer costs: a discard passed is closed by its kind, a robbery never. B3.5"""
    window = hand.window
    assert window is not None
    assert window.tile is not None
    passed = word != "win" and "win" in window.may[seat] and window.kong is None
    return (_passed(window.tile),) if passed else ()


def _passed(tile: Tile) -> Lock:
    return Lock("discard_win", "own_move", tile_text(tile))


def move_locks(hand: Hand, seat: Seat, move: Literal["discard", "kong"]) -> tuple[Lock, ...]:
    """What a discard or a kong passes up: nothing that closes a win. B3.5"""
    return ()


def winning_tile(hand: Hand, seat: Seat) -> Tile:
    """The tile a self-drawn win is told by: the one drawn, or of dealt tiles the first in order.

    As dealt no tile came last, so none is worth more than another. B4
    """
    turn = hand.turn
    assert turn is not None
    return hand.seats[seat].hand[0] if turn.tile is None else turn.tile


def turned(hand: Hand, at: int) -> ChickenFlipped | None:
    """The tile flipped after a win 翻鸡, if the win did not take the last of the wall. B5.3"""
    return ChickenFlipped(at, tile_text(hand.wall[hand.taken])) if hand.left else None


def next_dealer(hand: Hand) -> Seat:
    """Who deals next: the winner; of two the first in turn order from who gave the tile; who gave
    it where three won; where nobody did, the same. B1.1
    """
    if not hand.wins:
        return hand.dealer
    giver = hand.wins[0].from_seat
    if giver is None or len(hand.wins) == 1:
        return hand.wins[0].seat
    if len(hand.wins) > 2:
        return giver
    return min((win.seat for win in hand.wins), key=lambda seat: (seat - giver) % hand.players)

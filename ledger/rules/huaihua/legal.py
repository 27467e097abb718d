"""What the table of 怀化 forbids, forces and remembers. Source: C1, C3."""

from __future__ import annotations

from typing import Literal

from ledger.events import BirdsTurned, Lock, Seat
from ledger.hand import Hand, Player
from ledger.outcome import WinHow
from ledger.rules import shapes
from ledger.rules.huaihua.options import Options
from ledger.rules.huaihua.patterns import Winning, best_reading, is_win
from ledger.rules.ruleset import Bar
from ledger.tiles import NUMBERS, ZHONG, Tile, Tiles, take, tile_text

ZHONG_DISCARD = Bar("zhong_not_discarded", "huaihua/1 C1")
ZHONG_MELD = Bar("zhong_not_melded", "huaihua/1 C3.1")
ONLY_ZHONG_LEFT = Bar("pung_leaves_no_discard", "huaihua/1 C3.1")
KONG_LOST = Bar("kong_passed", "huaihua/1 C3.2")
FROZEN = Bar("hand_frozen", "huaihua/1 C3.3")
NOT_READY = Bar("touzi_not_ready", "huaihua/1 C3.3")
SELF_DRAW_ONLY = Bar("self_draw_only", "huaihua/1 C3.5")
SMALL_WIN = Bar("small_win_on_discard", "huaihua/1 C3.5")
WIN_PASSED = Bar("win_passed", "huaihua/1 C3.6")
NO_ROBBING = Bar("no_robbing", "huaihua/1 C3.7")
NOT_COMPLETE = Bar("hand_not_complete", "huaihua/1 C4")

_LOCK_UNTIL = {"until_own_draw": "own_draw", "rest_of_hand": "hand"}


def kinds(options: Options) -> Tiles:
    """The kinds in play: the three suits, and 红中 where it is wild."""
    return (*NUMBERS, ZHONG) if options.zhong_wild else NUMBERS


def discard_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a tile may not be discarded: 红中 never is."""
    return ZHONG_DISCARD if tile == ZHONG else None


def win_bar(options: Options, hand: Hand, seat: Seat, tile: Tile | None, how: WinHow) -> Bar | None:
    """Why a seat may not win with a tile."""
    barred = mode_bar(options, how)
    if barred is not None:
        return barred
    if how == "discard" and any(lock.what == "discard_win" for lock in hand.seats[seat].locks):
        return WIN_PASSED
    win = winning(hand, seat, tile, how)
    return small_bar(options, win) if is_win(win, options) else NOT_COMPLETE


def mode_bar(options: Options, how: WinHow) -> Bar | None:
    """Why a way of winning is not open at this table at all."""
    if how == "discard" and options.win_mode == "self_draw":
        return SELF_DRAW_ONLY
    if how == "rob_kong":
        by_mode = options.win_mode == "discard" or options.rob_allowed_in_self_draw_mode
        return None if options.rob_kong and by_mode else NO_ROBBING
    return None


def small_bar(options: Options, win: Winning) -> Bar | None:
    """Why a small win 小胡 may not take somebody else's tile."""
    if win.how == "self_draw" or options.win_mode != "discard" or not options.no_small_discard:
        return None
    if win.how == "rob_kong" and options.rob_kong_exempt_from_small:
        return None
    reading = best_reading(win, options)
    return None if reading is not None and reading.k > 0 else SMALL_WIN


def winning(hand: Hand, seat: Seat, tile: Tile | None, how: WinHow) -> Winning:
    """A seat's hand as it would win with a tile, or with what it has drawn."""
    player = hand.seats[seat]
    replacement = hand.turn is not None and hand.turn.by == "replacement"
    return Winning(
        tiles=player.hand if tile is None else (*player.hand, tile),
        melded=tuple(meld.tile for meld in player.melds),
        how=how,
        first_turn=not player.melds and not player.discards,
        dealer=seat == hand.dealer,
        dealt=player.dealt,
        touzi=replacement and hand.kong is not None and hand.kong.touzi,
    )


def pung_bar(options: Options, hand: Hand, seat: Seat, tile: Tile) -> Bar | None:
    """Why a seat with two of the tile may not pung it."""
    player = hand.seats[seat]
    if player.declared is not None:
        return FROZEN
    only_zhong = all(other == ZHONG for other in take(player.hand, tile, 2))
    return ONLY_ZHONG_LEFT if only_zhong else None


def kong_bar(
    options: Options, hand: Hand, seat: Seat, tile: Tile, how: str, touzi: bool
) -> Bar | None:
    """Why a seat that has the tiles may not kong, or not by 骰."""
    player = hand.seats[seat]
    if tile == ZHONG:
        return ZHONG_MELD
    if how == "added" and any(
        lock.what == "kong" and lock.tile == tile_text(tile) for lock in player.locks
    ):
        return KONG_LOST
    if player.declared is not None:
        return _frozen_kong_bar(options, hand, seat, tile, how, touzi)
    return NOT_READY if touzi and not ready_after_kong(options, player, tile, how) else None


def _frozen_kong_bar(
    options: Options, hand: Hand, seat: Seat, tile: Tile, how: str, touzi: bool
) -> Bar | None:
    """A frozen hand kongs only with the tile just drawn or offered, and stays ready."""
    came = tile if how == "exposed" else hand.turn.tile if hand.turn else None
    if touzi or not options.kong_after_touzi or tile != came:
        return FROZEN
    ready = ready_after_kong(options, hand.seats[seat], tile, how)
    return None if ready else FROZEN


def ready_after_kong(options: Options, player: Player, tile: Tile, how: str) -> bool:
    """Whether the tiles left after a kong are ready 听牌."""
    left = take(player.hand, tile, {"concealed": 4, "exposed": 3, "added": 1}[how])
    melded = [meld.tile for meld in player.melds for _ in range(3 + (meld.how != "pung"))]
    return is_ready(options, left, (*left, *melded, *(tile,) * 4))


def is_ready(options: Options, concealed: Tiles, held: Tiles) -> bool:
    """Whether concealed tiles wait for a kind of which the player does not hold all four."""
    wild = (ZHONG,) if options.zhong_wild else ()
    tiles, wilds = shapes.split(concealed, wild)
    return bool(shapes.waits(tiles, wilds, kinds(options), wild, held))


def must_win(options: Options, hand: Hand, seat: Seat) -> bool:
    """Whether a frozen seat has drawn 红中, which it can neither discard nor keep. C3.4"""
    turn = hand.turn
    frozen = hand.seats[seat].declared is not None
    return frozen and turn is not None and turn.tile == ZHONG


def claim_locks(options: Options, hand: Hand, seat: Seat, word: str) -> tuple[Lock, ...]:
    """What an answer costs: a discard win passed, or the fourth tile after a pung. C3.2, C3.6"""
    window = hand.window
    assert window is not None
    assert window.tile is not None
    locks: list[Lock] = []
    until = _LOCK_UNTIL.get(options.pass_win_lock)
    if word != "win" and "win" in window.may[seat] and window.kong is None and until:
        locks.append(Lock("discard_win", until))  # type: ignore[arg-type]
    if word == "pung" and "kong" in window.may[seat]:
        locks.append(Lock("kong", "hand", tile_text(window.tile)))
    return tuple(locks)


def move_locks(
    options: Options, hand: Hand, seat: Seat, move: Literal["discard", "kong"]
) -> tuple[Lock, ...]:
    """The added kongs that a discard passes up, lost for the hand. C3.2"""
    player, turn = hand.seats[seat], hand.turn
    if move == "kong" or turn is None or turn.by == "pung" or hand.left == 0:
        return ()
    return tuple(
        Lock("kong", "hand", tile_text(meld.tile))
        for meld in player.melds
        if meld.how == "pung"
        and meld.tile in player.hand
        and kong_bar(options, hand, seat, meld.tile, "added", False) is None
    )


def winning_tile(options: Options, hand: Hand, seat: Seat) -> Tile:
    """The tile a self-drawn win is told by: the one drawn, or of dealt tiles the first in order.

    No tile of a dealt hand is worth more than another here.
    """
    turn = hand.turn
    assert turn is not None
    return hand.seats[seat].hand[0] if turn.tile is None else turn.tile


def turned(options: Options, hand: Hand, at: int) -> BirdsTurned | None:
    """The birds after a win: as many as there are; with no tile left, the winning tile. C5.3"""
    if options.bird_count == 0:
        return None
    birds = hand.wall[hand.taken :][: options.bird_count]
    shown = birds or (hand.wins[0].tile,)
    return BirdsTurned(at, tuple(map(tile_text, shown)), len(birds))


def next_dealer(options: Options, hand: Hand) -> Seat:
    """Who deals next: the winner, with several the discarder or robbed seat, else the same. C1"""
    if not hand.wins:
        return hand.dealer
    first = hand.wins[0]
    several = len(hand.wins) > 1 and first.from_seat is not None
    return first.from_seat if several and first.from_seat is not None else first.seat

"""The patterns of 捉鸡, the reading of a hand that is worth most, and its waits. Source: B4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from ledger.outcome import Suit
from ledger.rules import shapes
from ledger.rules.zhuoji.options import Options
from ledger.tiles import COPIES, NUMBERS, Tile, Tiles, suit


class Shape(NamedTuple):
    """What a shape is worth, and its name and worth in one suit."""

    value: int
    one_suit: str
    one_suit_value: int


SHAPES = {
    "ping_hu": Shape(1, "qing_yi_se", 10),
    "da_dui_zi": Shape(5, "qing_da_dui", 15),
    "dan_diao": Shape(10, "shuang_qing", 20),
    "qi_dui": Shape(10, "qing_qi_dui", 20),
    "long_qi_dui": Shape(20, "qing_long_bei", 30),
    "di_long": Shape(30, "qing_di_long", 40),
}
TONG_SAN = 3
"""What 通三 adds to every pattern but 平胡, and what it makes of that."""


class Holding(Struct, frozen=True):
    """What a seat holds: concealed tiles, a tile of each pung and kong, and its void suit 定缺."""

    hand: Tiles
    pungs: Tiles = ()
    kongs: Tiles = ()
    void_suit: Suit | None = None

    @property
    def held(self) -> Tiles:
        """Every tile of it."""
        return (*self.hand, *self.pungs * 3, *self.kongs * COPIES)


class Reading(Struct, frozen=True):
    """What a winning hand is read as, and what that is worth, P."""

    pattern: str
    value: int


def has_void(holding: Holding, *more: Tile) -> bool:
    """Whether a tile of the void suit is held, in the hand or in a meld, or is among `more`."""
    if holding.void_suit is None:
        return False
    tiles = (*more, *holding.hand, *holding.pungs, *holding.kongs)
    return any(suit(one) == holding.void_suit for one in tiles)


@lru_cache(maxsize=1 << 12)
def best_reading(holding: Holding, tile: Tile | None, options: Options) -> Reading | None:
    """The reading worth most of a hand that wins with a tile, or None where it is no win.

    Without a tile the hand wins as dealt 天胡: fourteen tiles, of which none came last.
    """
    last = () if tile is None else (tile,)
    if has_void(holding, *last):
        return None
    tiles = (*holding.hand, *last)
    one_suit = len({suit(one) for one in (*tiles, *holding.pungs, *holding.kongs)}) == 1
    found = _shapes(holding, tiles, tile, options)
    readings = [_reading(SHAPES[name], name, one_suit, options) for name in found]
    return max(readings, key=lambda reading: reading.value, default=None)


def _reading(shape: Shape, name: str, one_suit: bool, options: Options) -> Reading:
    pattern, value = (shape.one_suit, shape.one_suit_value) if one_suit else (name, shape.value)
    if options.dealer_mode == "tong_san":
        value = TONG_SAN if pattern == "ping_hu" else value + TONG_SAN
    return Reading(pattern, value)


def _shapes(holding: Holding, tiles: Tiles, tile: Tile | None, options: Options) -> Iterator[str]:
    """Every shape that the tiles have with the last one among them."""
    if shapes.is_standard(tiles, 0):
        yield _sets(tiles)
    if shapes.is_seven_pairs(tiles, 0):
        dragon = tile is not None and tiles.count(tile) == COPIES
        yield "long_qi_dui" if dragon else "qi_dui"
    if options.di_long and tile is not None and holding.pungs == (tile,) and _five_pairs(holding):
        yield "di_long"


def _sets(tiles: Tiles) -> str:
    """What four sets and a pair are: without a run 大对子, with nothing but the pair left 单吊."""
    if not shapes.is_all_triplets(tiles, 0):
        return "ping_hu"
    return "dan_diao" if len(tiles) == 2 else "da_dui_zi"


def _five_pairs(holding: Holding) -> bool:
    """Whether beside one meld the hand is five pairs, of which four of a kind are two 地龙."""
    pairs = all(copies % 2 == 0 for copies in Counter(holding.hand).values())
    return pairs and len(holding.hand) == 10


@lru_cache(maxsize=1 << 12)
def waits(holding: Holding, options: Options) -> Tiles:
    """The kinds a hand waits for 听牌, in order; it is ready with any.

    A hand with a tile of its void suit waits for nothing; one without waits for none of it, since
    a tile that completes a hand joins another of its suit.
    """
    if has_void(holding):
        return ()
    found = shapes.waits(holding.hand, 0, NUMBERS, (), holding.held)
    if options.di_long and len(holding.pungs) == 1 and _five_pairs(holding):
        return tuple(sorted({*found, *holding.pungs}))
    return found


def is_ready(holding: Holding, options: Options) -> bool:
    """Whether a hand waits for anything 听牌, found more quickly than what it waits for.

    Where a wild tile would complete the hand, so does some kind of which not all four are held:
    if there are four of none, it need not be looked for.
    """
    held = holding.held
    if options.di_long or has_void(holding) or any(held.count(one) == COPIES for one in set(held)):
        return bool(waits(holding, options))
    return shapes.is_complete(holding.hand, 1)


def best_wait(holding: Holding, options: Options) -> Reading | None:
    """The reading worth most that a hand could still win with, or None if it is not ready."""
    found = (best_reading(holding, tile, options) for tile in waits(holding, options))
    readings = [reading for reading in found if reading is not None]
    return max(readings, key=lambda reading: reading.value, default=None)

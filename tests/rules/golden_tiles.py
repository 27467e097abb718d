"""The tiles that a golden hand does not tell: filled in so that they matter to nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ledger.rules import shapes
from ledger.rules.zhuoji import KEY as ZHUOJI
from ledger.tiles import ZHONG, Tile, Tiles, parse_tile, parse_tiles

CHICKENS = parse_tiles("1s8p3p")
"""幺鸡, 乌骨鸡 and, where 2p is turned, the chicken beside it: idle tiles of 捉鸡 are none."""


def filled(
    left: Counter[Tile], given: Tiles, count: int, kinds: Tiles, wild: Tiles, aside: Tiles = ()
) -> Tiles:
    """Given tiles and others taken from what is left, to so many, waiting for nothing.

    What is filled in are single tiles of kinds that the seat has not: they claim nothing. Kinds
    set aside are none of them.
    """
    free = Counter({tile: copies for tile, copies in left.items() if tile not in aside})
    hand = next((hand for hand in _fillings(free, given, count, kinds, wild)), None)
    assert hand is not None, "no idle tiles are left to fill a hand with"
    left.subtract(hand[len(given) :])
    return hand


def _fillings(
    left: Counter[Tile], given: Tiles, count: int, kinds: Tiles, wild: Tiles
) -> Iterator[Tiles]:
    lacking = count - len(given)
    assert lacking >= 0, f"{len(given)} tiles are told of {count}"
    if lacking == 0:
        yield given
        return
    spread = sorted(kinds, key=lambda tile: (tile % 3 + tile // 9) % 3)
    free = [tile for tile in spread if left[tile] > 0 and tile not in (*wild, *given)]
    free.sort(key=lambda tile: -left[tile])
    for start in range(len(free) - lacking + 1):
        hand = (*given, *free[start : start + lacking])
        if _idle(hand, kinds, wild):
            yield hand


def _idle(hand: Tiles, kinds: Tiles, wild: Tiles) -> bool:
    """Whether a hand is neither ready nor, with a tile drawn, complete."""
    tiles, wilds = shapes.split(hand, wild)
    if len(hand) % 3 == 2:
        return not shapes.is_complete(tiles, wilds)
    return not shapes.waits(tiles, wilds, kinds, wild)


def wild_kinds(options: dict[str, Any], drawn: tuple[str, ...]) -> Tiles:
    """The kinds that stand for others: those drawn as 耗子, or 红中 by its option."""
    zhong = (ZHONG,) if options.get("zhong_wild") else ()
    return (*zhong, *map(parse_tile, drawn))


def aside(ruleset: str) -> Tiles:
    """The kinds that are no idle tiles in a game, since they earn something by themselves."""
    return CHICKENS if ruleset == ZHUOJI else ()

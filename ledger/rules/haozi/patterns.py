"""What a hand of 耗子 waits for, what a tile is worth to it, and how it is read. Source: A4."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from ledger.rules import shapes
from ledger.rules.haozi.options import Options
from ledger.rules.ruleset import Bar
from ledger.tiles import HONOURS, KINDS, NUMBERS, Tile, Tiles, rank, take

HONOUR_POINTS = 10
NOT_READY = Bar("declared_not_ready", "haozi/1 A3.2")


class Waiting(NamedTuple):
    """A hand that waits for a tile: 3k+1 concealed tiles, every tile of its melds, the wild kinds.

    The wild kinds are those drawn for the hand 耗子; copies of them count as wild where they are
    concealed, and as what they are in a meld.
    """

    concealed: Tiles
    melded: Tiles
    wild_kinds: Tiles


def kinds(options: Options) -> Tiles:
    """The kinds in play: the three suits, and the honours unless the table plays 不带风."""
    return NUMBERS + HONOURS if options.with_honours else NUMBERS


def wild_choices(options: Options) -> tuple[Tiles, int]:
    """The kinds of which 耗子 are drawn, and how many are."""
    if options.variant == "double_rat":
        return kinds(options), 2
    return HONOURS[:4] if options.wild_honours == "winds" else HONOURS, 1


def points(tile: Tile) -> int:
    """The points of a tile: its number, ten for an honour."""
    return HONOUR_POINTS if tile in HONOURS else rank(tile)


def natural_waits(options: Options, hand: Waiting) -> Tiles:
    """The kinds other than 耗子 that complete a hand 听口, in the order of the kinds. A3.2"""
    return _natural_waits(hand, options.with_honours)


@lru_cache(maxsize=1 << 12)
def _natural_waits(hand: Waiting, honours: bool) -> Tiles:
    tiles, wilds = shapes.split(hand.concealed, hand.wild_kinds)
    natural = _natural_kinds(hand.wild_kinds, honours)
    return shapes.waits(tiles, wilds, natural, (), hand.concealed + hand.melded)


@lru_cache(maxsize=1 << 12)
def _natural_kinds(wild_kinds: Tiles, honours: bool) -> Tiles:
    in_play = range(KINDS if honours else len(NUMBERS))
    return tuple(kind for kind in in_play if kind not in wild_kinds)


def highest(waits: Tiles) -> int:
    """The points of the best of some kinds; none of no kinds."""
    return max(map(points, waits), default=0)


def may_declare(options: Options, hand: Waiting) -> bool:
    """Whether a hand is ready and one of its natural waits reaches the floor 报听. A3.2"""
    waits = natural_waits(options, hand)
    return bool(waits) and highest(waits) >= options.min_declare_points


def not_ready(options: Options) -> Bar:
    """Why a hand that is not worth it cannot be declared 报听. A3.2"""
    return NOT_READY._replace(points=options.min_declare_points)


def win_value(options: Options, hand: Waiting, tile: Tile) -> int:
    """The value v of a hand with a tile, 0 where it does not complete the hand.

    A natural tile is worth its points; a wild one, which only its drawer has, the best wait.
    """
    waits = natural_waits(options, hand)
    if tile in hand.wild_kinds:
        return highest(waits)
    return points(tile) if tile in waits else 0


def best_dealt_tile(options: Options, tiles: Tiles, wild_kinds: Tiles) -> Tile:
    """Of the dealer's fourteen tiles that by which a dealt win is worth most; of equals the first.

    Source: docs/formats.md.
    """
    dealt = tuple(sorted(tiles))

    def worth(tile: Tile) -> int:
        return win_value(options, Waiting(take(dealt, tile), (), wild_kinds), tile)

    return max(dict.fromkeys(dealt), key=worth)


def pattern(tiles: Tiles, wild_kinds: Collection[Tile]) -> str:
    """What a complete hand is read as: four sets and a pair where it can be, else seven pairs."""
    standard = shapes.is_standard(*shapes.split(tiles, wild_kinds))
    return "standard" if standard else "seven_pairs"

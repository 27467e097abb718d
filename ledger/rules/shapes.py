"""Shapes 牌型: which hands are complete 胡牌 and what a hand waits for 听牌, with wildcards 癞子.

One solver for every ruleset. A hand comes as its natural tiles and the number of its wildcards,
apart (`split`). A wildcard may stand for any kind, even for a fifth copy; five natural copies of
a kind are no hand of a real set and complete nothing. Melds stay outside: a complete hand is
3k+2 tiles and a waiting one 3k+1, whatever k is. Every tile must be known.

How it works: for each suit, the fewest wildcards that make all its tiles into sets, and how many
more the pair takes. In a hand of 3k+2 tiles the wildcards left over are a multiple of three, and
three wildcards are a set, so the hand is standard when it has as many as its suits need. Copies
of a kind are alike, so a shape takes every natural tile that fits it, and the first tile of a
suit has three choices: triplet, run, pair. A run begins at its lowest natural tile: one that
would end past 9 needs as many wildcards below.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from ledger.tiles import COPIES, HONOURS, KINDS, NUMBERS, Tile, Tiles

Need = tuple[int, int]
"""The fewest wildcards that make tiles into sets, and how many more make them sets and a pair."""

_NEVER: Need = (99, 0)
_SETS = (bytes((3,)), bytes((1, 1, 1)))
_PAIR = bytes((2,))
_SUIT = 9
_RUNS = (True, True, True, False)
_SEVEN_PAIRS = 14


def split(hand: Tiles, wild_kinds: Collection[Tile]) -> tuple[Tiles, int]:
    """The natural tiles of a hand, in its order, and the number of its wildcards."""
    naturals = tuple(tile for tile in hand if tile not in wild_kinds)
    return naturals, len(hand) - len(naturals)


def is_complete(tiles: Tiles, wilds: int) -> bool:
    """Whether a hand is complete: standard 胡牌矩阵 or seven pairs 七对."""
    return is_standard(tiles, wilds) or is_seven_pairs(tiles, wilds)


def is_standard(tiles: Tiles, wilds: int) -> bool:
    """Whether a hand is all sets 面子 (run 顺子 or triplet 刻子) and one pair 将."""
    return (len(tiles) + wilds) % 3 == 2 and _fewest(tiles, runs=True) <= wilds


def is_all_triplets(tiles: Tiles, wilds: int) -> bool:
    """Whether a hand is all triplets and one pair 碰碰胡 (大对子)."""
    return (len(tiles) + wilds) % 3 == 2 and _fewest(tiles, runs=False) <= wilds


def has_straight(tiles: Tiles, wilds: int, suit_index: int) -> bool:
    """Whether a standard reading holds 123, 456 and 789 of a suit (0 万, 1 筒, 2 条) 一条龙."""
    line = range(suit_index * _SUIT, (suit_index + 1) * _SUIT)
    rest = list(tiles)
    for tile in set(tiles).intersection(line):
        rest.remove(tile)
    left = wilds - (_SUIT - len(tiles) + len(rest))
    return is_standard(tiles, wilds) and is_standard(tuple(rest), left)


def is_seven_pairs(tiles: Tiles, wilds: int) -> bool:
    """Whether a hand is seven pairs 七对, of which four of a kind are two."""
    if len(tiles) + wilds != _SEVEN_PAIRS:
        return False
    copies = _copies(tiles)
    return _odd(copies) <= wilds and max(copies) <= COPIES


def pairs_make_quad(tiles: Tiles, wilds: int) -> bool:
    """Whether a hand is seven pairs that can hold four of a kind 龙七对.

    Three of it are there, or two wildcards are left to be a second pair of any kind.
    """
    copies = _copies(tiles)
    quad = max(copies) >= COPIES - 1 or wilds - _odd(copies) >= 2
    return quad and is_seven_pairs(tiles, wilds)


def quad_fillings(
    tiles: Tiles, wilds: int, kinds: Tiles = NUMBERS + HONOURS
) -> tuple[tuple[Tile, int], ...]:
    """Every kind that can stand four times in the hand 四归一, with the fewest wildcards it takes.

    Natural quads (0 wildcards) come first. Whether the hand stays complete is not looked at: ask
    that of `(*tiles, *(kind,) * used)` and `wilds - used`.
    """
    copies = _copies(tiles)
    fillings = ((kind, max(0, COPIES - copies[kind])) for kind in kinds)
    possible = [(kind, used) for kind, used in fillings if used <= wilds]
    return tuple(sorted(possible, key=lambda filling: filling[1]))


def waits(
    tiles: Tiles,
    wilds: int,
    kinds: Tiles,
    wild_kinds: Collection[Tile] = (),
    held: Tiles = (),
) -> Tiles:
    """The kinds a hand of 3k+1 tiles waits for 听牌, in the order of `kinds`; ready with any.

    A kind waits when one more of it completes the hand; one of `wild_kinds` comes as a wildcard.
    A kind of which `held` (all the player holds: hand, wildcards and melds) has all four copies
    is left out, as is one of which `tiles` has. Tiles seen elsewhere do not matter. So, for a
    hand with its wildcards in it: `waits(*split(hand, wild), kinds, wild, held)`.
    """
    if not is_complete(tiles, wilds + 1):
        return ()
    own = _copies(held)
    by_natural = _standard_waits(tiles, wilds) | _pairs_waits(tiles, wilds)
    return tuple(
        kind for kind in kinds if (kind in wild_kinds or kind in by_natural) and own[kind] < COPIES
    )


def _standard_waits(tiles: Tiles, wilds: int) -> set[Tile]:
    """The kinds that make a hand of 3k+1 tiles standard."""
    suits = tuple(zip(_by_suit(tiles), _RUNS, strict=True))
    needs = [_need(suit, runs) for suit, runs in suits]
    found: set[Tile] = set()
    for index, (suit, runs) in enumerate(suits):
        one, two, three = needs[:index] + needs[index + 1 :]
        for place, need in enumerate(_one_more(suit, runs)):
            if _together(one, two, three, need) <= wilds:
                found.add(index * _SUIT + place)
    return found


def _pairs_waits(tiles: Tiles, wilds: int) -> set[Tile]:
    """The kinds that make a hand of 13 tiles seven pairs."""
    if not is_seven_pairs(tiles, wilds + 1):
        return set()
    copies = _copies(tiles)
    room = wilds - _odd(copies)
    return {kind for kind, have in enumerate(copies) if have < COPIES and (1, -1)[have % 2] <= room}


def _odd(copies: bytes) -> int:
    """How many kinds have a tile without a partner."""
    return copies.count(1) + copies.count(3)


def _copies(tiles: Tiles) -> bytes:
    """How many copies of each kind there are, kind by kind."""
    copies = [0] * KINDS
    for tile in tiles:
        copies[tile] += 1
    return bytes(copies)


def _by_suit(tiles: Tiles) -> tuple[bytes, bytes, bytes, bytes]:
    """How many copies of each kind there are, suit by suit."""
    copies = _copies(tiles)
    return copies[:9], copies[9:18], copies[18:27], copies[27:]


def _fewest(tiles: Tiles, *, runs: bool) -> int:
    """The fewest wildcards that make all tiles into sets and one pair."""
    m, p, s, z = _by_suit(tiles)
    return _together(_need(m, runs), _need(p, runs), _need(s, runs), _need(z, False))


def _together(one: Need, two: Need, three: Need, four: Need) -> int:
    """The fewest wildcards that make four suits into sets and one pair, which one of them holds."""
    return one[0] + two[0] + three[0] + four[0] + min(one[1], two[1], three[1], four[1])


@lru_cache(maxsize=1 << 14)
def _one_more(suit: bytes, runs: bool) -> tuple[Need, ...]:
    """The need of a suit with one more tile of each of its kinds in turn."""
    return tuple(
        _need(suit[:place] + bytes((have + 1,)) + suit[place + 1 :], runs)
        for place, have in enumerate(suit)
    )


@lru_cache(maxsize=1 << 16)
def _need(suit: bytes, runs: bool) -> Need:
    """The need of a suit, the least over what may become of its first tile."""
    line = suit.strip(b"\0")
    if not line:
        return 0, 2
    if max(line) > COPIES:
        return _NEVER
    sets = [_after(line, shape, runs) for shape in _SETS[: 1 + runs]]
    fewest = min(rest for rest, _ in sets)
    paired = min(_after(line, _PAIR, runs)[0], *(rest + pair for rest, pair in sets))
    return fewest, paired - fewest


def _after(line: bytes, shape: bytes, runs: bool) -> Need:
    """The need once the first tiles went into a shape, its own wildcards counted."""
    line = line.ljust(len(shape), b"\0")
    laid = tuple(zip(line, shape, strict=False))
    used = sum(max(0, wanted - have) for have, wanted in laid)
    rest = bytes(max(0, have - wanted) for have, wanted in laid) + line[len(shape) :]
    sets, pair = _need(rest, runs)
    return used + sets, pair

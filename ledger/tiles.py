"""Tiles 牌: the 34 kinds as whole numbers, and their text form.

A tile is the number of its kind, 0 to 33 in the order m p s z; the four copies of a kind are
the same tile. The text form is `1m-9m` 万, `1p-9p` 筒, `1s-9s` 条, `1z-7z` 东南西北中发白;
a run of one suit may share the letter (`123m55p`). Source: common conventions, "Tiles".
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ledger.refusal import Refused

Tile = int
Tiles = tuple[Tile, ...]

SUITS = "mpsz"
KINDS = 34
COPIES = 4
NUMBERS: Tiles = tuple(range(27))
HONOURS: Tiles = tuple(range(27, 34))
ZHONG: Tile = 31
UNKNOWN: Tile = -1
"""A tile that the viewer may not see. It sorts before every kind and has no text form but `?`."""

_TEXT = tuple(f"{kind % 9 + 1}{SUITS[kind // 9]}" for kind in range(KINDS))
_TILE = {text: kind for kind, text in enumerate(_TEXT)}
TILE = "[1-9][mps]|[1-7]z"
"""The text form of one tile, as a pattern."""
_RUN = re.compile(r"([1-9]+)([mpsz])")


def tile_text(tile: Tile) -> str:
    """The text form of one tile: 4 -> "5m"; an unknown tile is "?"."""
    return "?" if tile == UNKNOWN else _TEXT[tile]


def parse_tile(text: str) -> Tile:
    """The tile of a text form; refuses anything but one tile (`tile_unknown`)."""
    tile = _TILE.get(text)
    if tile is None:
        raise Refused("tile_unknown", tile=text)
    return tile


@lru_cache(maxsize=4096)
def parse_tiles(text: str) -> Tiles:
    """The tiles of a run form, in the order written: "12m5z" -> (0, 1, 31)."""
    tiles: list[Tile] = []
    end = 0
    for run in _RUN.finditer(text):
        if run.start() != end:
            break
        tiles += [parse_tile(digit + run[2]) for digit in run[1]]
        end = run.end()
    if end != len(text):
        raise Refused("tile_unknown", tile=text[end : end + 8])
    return tuple(tiles)


def tiles_text(tiles: Iterable[Tile]) -> str:
    """The run form of tiles in their own order: (0, 1, 31) -> "12m5z"; unknown tiles are "?"."""
    parts: list[str] = []
    for tile in tiles:
        text = tile_text(tile)
        if parts and text != "?" and parts[-1][-1] == text[1]:
            parts[-1] = parts[-1][:-1] + text
        else:
            parts.append(text)
    return "".join(parts)


def wall_text(tiles: Iterable[Tile]) -> str:
    """Tiles two letters each, the form of a wall: (0, 1, 31) -> "1m2m5z"."""
    return "".join(map(tile_text, tiles))


def shuffled(tiles: Iterable[Tile], secret: bytes) -> Tiles:
    """Tiles in the order that a secret gives them, whatever order they come in.

    Each tile, at its place in sorted order from 0 on, goes by HMAC-SHA-256(secret, "wall" ‖ u8
    place). Nobody can foresee it without the secret, and whoever has it can do it again.
    Source: docs/adr/0013-walls.md.
    """
    places = enumerate(sorted(tiles))
    keyed = ((hmac.digest(secret, b"wall%c" % place, "sha256"), tile) for place, tile in places)
    return tuple(tile for _, tile in sorted(keyed))


def drawn(kinds: Iterable[Tile], count: int, secret: bytes) -> Tiles:
    """So many different kinds, drawn by a secret: those that come first by HMAC-SHA-256.

    The message is "wild" ‖ u8 kind. Source: docs/adr/0013-walls.md.
    """
    keyed = sorted((hmac.digest(secret, b"wild%c" % kind, "sha256"), kind) for kind in kinds)
    return tuple(sorted(kind for _, kind in keyed[:count]))


def parse_seen(text: str) -> Tiles:
    """The tiles of a run form in which "?" stands for a tile that is not shown."""
    return (UNKNOWN,) * text.count("?") + parse_tiles(text.replace("?", ""))


def rank(tile: Tile) -> int:
    """The number on a tile, 1 to 9 (honours 1 to 7 in the order 东南西北中发白)."""
    return tile % 9 + 1


def suit(tile: Tile) -> str:
    """The suit letter of a tile: m, p, s or z."""
    return SUITS[tile // 9]


def tile_set(kinds: Iterable[Tile]) -> Counter[Tile]:
    """The whole set of a game: four copies of each kind in it."""
    return Counter(dict.fromkeys(kinds, COPIES))


def put(hand: Tiles, *tiles: Tile) -> Tiles:
    """A sorted hand with tiles added."""
    return tuple(sorted((*hand, *tiles)))


def take(hand: Tiles, tile: Tile, copies: int = 1) -> Tiles:
    """A sorted hand with copies of a tile taken out; unknown tiles go where the tile is not seen.

    The hand must hold that many seen or unknown tiles: an event that takes more contradicts
    its own stream.
    """
    left = list(hand)
    for _ in range(copies):
        left.remove(tile if tile in left else UNKNOWN)
    return tuple(left)

"""Words for the tests of shapes: hands and waits in their text form."""

from __future__ import annotations

from functools import cache

from ledger.rules.shapes import waits
from ledger.tiles import HONOURS, NUMBERS, Tiles, parse_tiles, tiles_text

ALL = NUMBERS + HONOURS


@cache
def t(text: str) -> Tiles:
    """The tiles of a text form."""
    return parse_tiles(text)


def waits_text(text: str, wilds: int = 0, kinds: Tiles = ALL) -> str:
    """The waits of a hand, both in text form."""
    return tiles_text(waits(t(text), wilds, kinds))

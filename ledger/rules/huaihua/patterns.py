"""The patterns of 怀化, and the reading of a hand that is worth most. Source: C4."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ledger.outcome import WinHow
from ledger.rules import shapes
from ledger.rules.huaihua.options import Options
from ledger.rules.huaihua.texts import PATTERNS
from ledger.tiles import HONOURS, ZHONG, Tiles, rank, suit

_PLACE = {name: place for place, name in enumerate(PATTERNS)}
"""The place of each pattern in the table: of readings equal in worth the earlier ones count."""

_SMALL = {"ping_hu", "si_hong_zhong"}
_BY_DEAL_EXCLUDES = {"si_gui_yi", "yi_tiao_long"}
_WILD = (ZHONG,)


class Winning(Struct, frozen=True):
    """A hand about to win: its concealed tiles with the winning one, and how it came about.

    `melded` is a tile of each meld. `dealt` matters on a first turn only.
    """

    tiles: Tiles
    melded: Tiles
    how: WinHow
    first_turn: bool
    dealer: bool
    dealt: Tiles
    touzi: bool


class Reading(Struct, frozen=True):
    """What a hand is read as: its patterns in the order of the table, `k` of them big 大胡."""

    patterns: tuple[str, ...]
    k: int

    @property
    def fan(self) -> int:
        """番 F = 2^k."""
        return 1 << self.k


def is_win(win: Winning, options: Options) -> bool:
    """Whether a hand wins at all: it is complete, or its deal alone wins on a first turn."""
    complete = shapes.is_complete(*shapes.split(win.tiles, _WILD))
    return complete or any(True for _ in _by_deal(win, options))


def best_reading(win: Winning, options: Options) -> Reading | None:
    """The reading of a hand worth most, or None where it is no win."""
    readings = [_reading(names) for names in _readings(win, options)]
    return min(readings, key=_worth, default=None)


def _reading(names: set[str]) -> Reading:
    patterns = tuple(sorted(names or {"ping_hu"}, key=_PLACE.__getitem__))
    return Reading(patterns, len(names - _SMALL))


def _worth(reading: Reading) -> tuple[int, tuple[int, ...]]:
    return -reading.k, tuple(_PLACE[name] for name in reading.patterns)


def _readings(win: Winning, options: Options) -> Iterator[set[str]]:
    """Every reading a hand allows; a complete one joins what its shape, tiles and turn give."""
    by_deal = set(_by_deal(win, options))
    tiles, wilds = shapes.split(win.tiles, _WILD)
    complete = shapes.is_complete(tiles, wilds)
    always = set(_always(win, options)) if complete else set()
    if always & {"tian_hu", "di_hu"}:
        by_deal = set()
    big_by_deal = by_deal - _SMALL
    for shape in _shapes(tiles, wilds, options):
        yield shape | always
        for name in big_by_deal:
            yield (shape | always | {name}) - _BY_DEAL_EXCLUDES
    if not complete:
        for name in by_deal:
            yield {name}


def _always(win: Winning, options: Options) -> Iterator[str]:
    """The patterns of a complete hand that do not depend on how its sets are read."""
    natural = [tile for tile in (*win.tiles, *win.melded) if tile not in HONOURS]
    if len({suit(tile) for tile in natural}) == 1:
        yield "qing_yi_se"
    if "jiang_jiang_hu" in options.patterns and all(rank(tile) % 3 == 2 for tile in natural):
        yield "jiang_jiang_hu"
    if win.touzi and win.how == "self_draw":
        yield "gang_shang_kai_hua"
    if win.first_turn and win.how != "rob_kong":
        name = "tian_hu" if win.dealer else "di_hu"
        if name in options.patterns:
            yield name


def _by_deal(win: Winning, options: Options) -> Iterator[str]:
    """The patterns that the dealt tiles alone give on a first turn, whatever was drawn. C3.8"""
    if not win.first_turn or win.how != "self_draw":
        return
    numbers = [tile for tile in win.dealt if tile != ZHONG]
    if "ban_ban_hu" in options.patterns and all(rank(tile) % 3 != 2 for tile in numbers):
        yield "ban_ban_hu"
    if "que_yi_se" in options.patterns and len({suit(tile) for tile in numbers}) < 3:
        yield "que_yi_se"
    if len(win.dealt) - len(numbers) == 4:
        yield "si_hong_zhong"


def _shapes(tiles: Tiles, wilds: int, options: Options) -> Iterator[set[str]]:
    """What each way of reading the sets gives; an empty set is a plain standard hand."""
    if shapes.is_seven_pairs(tiles, wilds):
        yield {"qi_dui"}
        if "long_qi_dui" in options.patterns and shapes.pairs_make_quad(tiles, wilds):
            yield {"qi_dui", "long_qi_dui"}
    yield from _standard_shapes(tiles, wilds, options)
    if "si_gui_yi" in options.patterns:
        yield from _four_in_one(tiles, wilds, options)


def _standard_shapes(tiles: Tiles, wilds: int, options: Options) -> Iterator[set[str]]:
    if not shapes.is_standard(tiles, wilds):
        return
    yield set()
    if shapes.is_all_triplets(tiles, wilds):
        yield {"peng_peng_hu"}
    straight = any(shapes.has_straight(tiles, wilds, line) for line in range(3))
    if straight and "yi_tiao_long" in options.patterns:
        yield {"yi_tiao_long"}


def _four_in_one(tiles: Tiles, wilds: int, options: Options) -> Iterator[set[str]]:
    """The readings with four of a kind in the concealed hand, wilds standing for some. C6.11"""
    for kind, used in shapes.quad_fillings(tiles, wilds):
        if used == 0 or options.si_gui_yi_wild:
            filled, left = (*tiles, *(kind,) * used), wilds - used
            for shape in _standard_shapes(filled, left, options):
                yield shape | {"si_gui_yi"}
            if shapes.is_seven_pairs(filled, left):
                yield {"qi_dui", "si_gui_yi"}

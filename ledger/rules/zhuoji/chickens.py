"""The chickens 鸡 of 捉鸡: which tiles they are, where they count, and how much. Source: B5.3."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ledger.outcome import Outcome
from ledger.rules.possible import held
from ledger.rules.zhuoji.options import Options
from ledger.tiles import Tile, Tiles, parse_tile, parse_tiles

YAO_JI: Tile = 18
WUGU_JI: Tile = 16
WIND: Tile = 13
"""The flipped 5p that blows every chicken away 风吹鸡."""
NAMES = {YAO_JI: "yao_ji", WUGU_JI: "wugu_ji"}
VALUES = {YAO_JI: 1, WUGU_JI: 2}
CHARGE = {YAO_JI: 2, WUGU_JI: 4}
"""What the first of a kind counts that was discarded and stood 冲锋鸡; 通三 adds one to 幺鸡."""


class Turned(Struct, frozen=True):
    """What makes chickens of a hand: the flipped tile and the weekday.

    `sorts`: the kinds that count a point a tile, each by what it is called. `golden`: the default
    kinds that count double 金鸡. `blown`: nothing counts 风吹鸡.
    """

    sorts: tuple[tuple[str, Tile], ...] = ()
    golden: Tiles = ()
    blown: bool = False


class Chicken(Struct, frozen=True):
    """Chickens of one kind that a seat has, and the points they count together."""

    name: str
    kind: Tile
    points: int


def default_kinds(options: Options) -> Tiles:
    """The kinds that are always chickens: 幺鸡, and 乌骨鸡 where it is chosen."""
    return (YAO_JI, WUGU_JI) if options.wugu_ji else (YAO_JI,)


def turned(options: Options, outcome: Outcome) -> Turned:
    """What the flipped tile and the weekday make chickens of; there may be neither."""
    day = outcome.weekday
    week = [("week_ji", line + day - 1) for line in (0, 9, 18)] if day is not None else []
    if outcome.flip is None:
        return Turned(tuple(week))
    tile, defaults = parse_tile(outcome.flip), default_kinds(options)
    steps = {"next": (1,), "swing": (-1, 1), "none": ()}[options.flip_mode]
    made = [("flip_chicken", tile - tile % 9 + (tile + step) % 9) for step in steps]
    made += [("ben_ji", tile)] if options.ben_ji else []
    plus_one = () if options.ben_on_default == "gold" else (("ben_ji", tile),)
    golden = tuple(kind for one in made if (kind := one[1]) in defaults and one not in plus_one)
    sorts = [one for one in made if one[1] not in golden]
    return Turned((*sorts, *week), golden, options.wind_blow_ji and tile == WIND)


def counted(options: Options, outcome: Outcome, seat: int, flip: Turned) -> Iterator[Chicken]:
    """Every chicken that counts for a seat: default kinds in its river too, others with 满堂鸡."""
    kept, river = _kept(outcome, seat), parse_tiles(outcome.seats[seat].river)
    yield from _defaults(options, (*kept, *river), charged(outcome, seat), flip.golden)
    yield from _chosen((*kept, *river) if options.full_hall_ji else kept, flip)


def uncounted(options: Options, outcome: Outcome, seat: int, flip: Turned) -> Iterator[Chicken]:
    """The chickens in a seat's river that would count with 满堂鸡 alone."""
    if not options.full_hall_ji:
        yield from _chosen(parse_tiles(outcome.seats[seat].river), flip)


def laid_out(options: Options, outcome: Outcome, seat: int, flip: Turned) -> Iterator[Chicken]:
    """The default chickens in a seat's melds and river, for which it pays if unready 包鸡."""
    concealed = len(parse_tiles(outcome.seats[seat].hand))
    melded = tuple(held(outcome.seats[seat]))[concealed:]
    golden = flip.golden if options.gold_doubles_liability else ()
    tiles = (*melded, *parse_tiles(outcome.seats[seat].river))
    yield from _defaults(options, tiles, charged(outcome, seat), golden)


def _kept(outcome: Outcome, seat: int) -> Tiles:
    """What a seat holds at the end, a winner with the tile won."""
    won = (parse_tile(win.tile) for win in outcome.wins if win.seat == seat)
    return (*held(outcome.seats[seat]), *won)


def charged(outcome: Outcome, seat: int) -> Tiles:
    """The default kinds whose first discard was this seat's, and stood 冲锋鸡."""
    return tuple(
        parse_tile(first.tile)
        for first in outcome.first_chickens
        if first.by == seat and not first.takers
    )


def _defaults(options: Options, tiles: Tiles, charging: Tiles, golden: Tiles) -> Iterator[Chicken]:
    """The default chickens among tiles, of which one of a charging kind counts more."""
    for kind in default_kinds(options):
        gold, times = ("golden_", 2) if kind in golden else ("", 1)
        plain = tiles.count(kind) - (kind in charging)
        if kind in charging:
            points = CHARGE[kind] + (options.dealer_mode == "tong_san" and kind == YAO_JI)
            yield Chicken(f"{gold}charge_{NAMES[kind]}", kind, points * times)
        if plain:
            yield Chicken(f"{gold}{NAMES[kind]}", kind, plain * VALUES[kind] * times)


def _chosen(tiles: Tiles, flip: Turned) -> Iterator[Chicken]:
    """The chickens that the flipped tile and the weekday make among tiles, a point each."""
    for name, kind in flip.sorts:
        copies = tiles.count(kind)
        if copies:
            yield Chicken(name, kind, copies)

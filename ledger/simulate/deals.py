"""Walls: shuffled, or stacked so that seats are dealt hands close to what they would like.

A stacked wall is still a wall of the game: four of each kind in play, in some order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from ledger.events import Seat
from ledger.hand import DEAL
from ledger.rules.ruleset import Ruleset
from ledger.simulate.tastes import Taste, any_kind, draw_tastes, one_suit, some_kinds, two_suits
from ledger.tiles import COPIES, HONOURS, Tile, Tiles, suit, tile_set

Deal = tuple[Tiles, tuple[Taste, ...]]
"""A wall, and what each seat would like its hand to become."""
TRIES = 200
"""As many pieces of a hand are tried until it is whole."""
FIVE_PAIRS = 10
"""So many tiles of pairs leave three to throw after pungs."""
ROBBED = 0.8
"""How often somebody who has a pair of the contested kind also draws the last."""
RIPE = 0.3
"""How often chickens, and what makes them, come first in what is drawn."""
SOON = 12
"""Within so many draws comes what a lucky hand lacks."""


def shuffled_wall(rng: random.Random, rules: Ruleset) -> Tiles:
    """Every tile of the game, in any order."""
    wall = list(rules.kinds * COPIES)
    rng.shuffle(wall)
    return tuple(wall)


def lucky_deal(rng: random.Random, rules: Ruleset, dealer: Seat) -> Deal:
    """Some seats are dealt hands to their taste.

    What they lack comes soon, to themselves or to others, and so do more of what they hold.
    """
    stack = _Stack(rng, rules, dealer)
    tastes = draw_tastes(rng, rules)
    for seat in rng.sample(range(rules.players), rng.randint(1, rules.players)):
        made = _made(rng, stack.left, tastes[seat])
        lacks = made[: rng.choice((0, 0, 1, 1, 2, 3))]
        stack.deal(seat, made[len(lacks) :])
        triplets = [tile for tile in set(made) if made.count(tile) == COPIES - 1]
        more = rng.sample(made, rng.randint(0, min(len(made), 6)))
        for tile in (*lacks, *triplets, *more):
            stack.soon(tile)
    return stack.wall(), tastes


def contested_deal(rng: random.Random, rules: Ruleset, dealer: Seat) -> Deal:
    """Seats wait for what the dealer does not like: several may win it.

    Or they do not wait yet, and somebody has a pair of it and draws the last when they do: then
    a kong may be robbed 抢杠. Or the next one throws it too, so that who passed it once must wait.
    """
    stack, players = _Stack(rng, rules, dealer), rules.players
    kinds = rng.choice((any_kind, two_suits))(rng, rules.kinds)
    wanted = rng.choice([kind for kind in kinds if kind % 9 < 7 and suit(kind) != "z"])
    others = tuple(kind for kind in kinds if kind != wanted)
    tastes = [Taste("runs", rules.kinds)] * players
    tastes[dealer] = Taste("runs", others)
    stack.deal(dealer, (wanted,))
    owner = rng.choice([seat for seat in range(players) if seat != dealer])
    copies = rng.choice((0, 1, 2, 2, 2))
    robbed = copies == 2 and rng.random() < ROBBED
    stack.deal(owner, (wanted,) * copies)
    if copies:
        tastes[owner] = Taste("triplets", rules.kinds) if copies == 2 else tastes[dealer]
    lacks = 1 if robbed else 0
    if robbed:
        stack.draw(wanted, players - 1 + players * rng.randint(0, 1))
    for seat in rng.sample(range(players), rng.randint(1, players)):
        if (copies and seat == owner) or (seat == dealer and not robbed):
            continue
        made = _made(rng, stack.left, Taste("runs", others), (wanted + 1, wanted + 2))
        stack.deal(seat, made[lacks:])
        for tile in made[:lacks]:
            stack.draw(tile, (seat - owner - 1) % players)
    return stack.wall(), tuple(tastes)


def fed_deal(rng: random.Random, rules: Ruleset, dealer: Seat) -> Deal:
    """A seat is dealt pairs, and the next one throws what makes pungs of them."""
    stack = _Stack(rng, rules, dealer)
    tastes = list(draw_tastes(rng, rules))
    owner = rng.randrange(rules.players)
    feeder = (owner + 1) % rules.players
    liked = rng.choice((some_kinds, one_suit))(rng, rules.kinds)
    kinds = tuple(kind for kind in rules.kinds if kind in liked or kind in HONOURS)
    fed = Taste(rng.choice(("pungs", "pairs")), kinds)
    made = tuple(sorted(_made(rng, stack.left, fed)))[: DEAL - 1]
    stack.deal(owner, made)
    stack.deal(feeder, made[:2] if fed.shape == "pairs" else made[::2])
    tastes[owner] = fed
    tastes[feeder] = Taste("runs", tuple(kind for kind in rules.kinds if kind not in made))
    return stack.wall(), tuple(tastes)


class _Stack:
    """A wall that is being stacked: places that are still free, and tiles that are left."""

    def __init__(self, rng: random.Random, rules: Ruleset, dealer: Seat) -> None:
        self.rng = rng
        self.left: Counter[Tile] = tile_set(rules.kinds)
        self.places: list[Tile | None] = [None] * (len(rules.kinds) * COPIES)
        self.first = {
            (dealer + step) % rules.players: DEAL * step + (step > 0)
            for step in range(rules.players)
        }
        self.dealt = DEAL * rules.players + 1
        self.dealer = dealer
        self.ripe = {kind for chicken in rules.chickens for kind in _near(chicken)}

    def deal(self, seat: Seat, tiles: Tiles) -> None:
        """Deals tiles to a seat, as far as it has room for them."""
        begin = self.first[seat]
        end = begin + DEAL + (seat == self.dealer)
        for tile in tiles:
            self._put(tile, range(begin, end))

    def soon(self, tile: Tile) -> None:
        """Lays one more of a kind among what is dealt, or drawn before long."""
        self._put(tile, range(self.dealt if self.rng.random() < 0.7 else 0, self.dealt + SOON))

    def draw(self, tile: Tile, number: int) -> None:
        """Lays a tile so that it is drawn after so many others."""
        self._put(tile, range(self.dealt + number, self.dealt + number + 1))

    def _put(self, tile: Tile, places: range) -> None:
        """Lays a tile in one of some places, if there is one and such a tile is left."""
        free = [place for place in places if self.places[place] is None]
        if free and self.left[tile]:
            self.places[self.rng.choice(free)] = tile
            self.left[tile] -= 1

    def wall(self) -> Tiles:
        """The wall, with the tiles that are left in the places that are free.

        Now and then those are drawn first that are chickens, or make such when they are turned.
        """
        rest = list(self.left.elements())
        self.rng.shuffle(rest)
        if self.rng.random() < RIPE:
            free = self.places[: self.dealt].count(None)
            ripe = [tile for tile in rest if tile in self.ripe]
            others = [tile for tile in rest if tile not in self.ripe]
            rest = others[:free] + ripe + others[free:]
        filling = iter(rest)
        return tuple(next(filling) if tile is None else tile for tile in self.places)


def _near(tile: Tile) -> Tiles:
    """A kind and the two beside it, of which nine and one are such too."""
    first = tile - tile % 9
    return tuple(first + (tile + step) % 9 for step in (-1, 0, 1))


def _made(rng: random.Random, left: Counter[Tile], taste: Taste, begun: Tiles = ()) -> Tiles:
    """Fourteen tiles to a taste, as far as there are such, in any order; with some begun, 13."""
    made: list[Tile] = list(begun)
    most = FIVE_PAIRS if taste.shape == "pungs" else DEAL + 1 - len(begun) // 2
    for block in _blocks(rng, taste):
        wanted = Counter((*made, *block))
        if wanted.total() <= most and all(left[tile] >= copies for tile, copies in wanted.items()):
            made += block
    made = made[len(begun) :]
    rng.shuffle(made)
    return (*made, *begun)


def _blocks(rng: random.Random, taste: Taste) -> Iterator[Tiles]:
    """Pieces of a hand to a taste, more than it takes: those that fit make it."""
    kinds = taste.kinds
    if taste.shape == "four":
        yield (rng.choice([kind for kind in kinds if kind in HONOURS] or kinds),) * COPIES
        return
    if taste.shape == "pungs":
        yield (rng.choice([kind for kind in kinds if kind in HONOURS] or kinds),) * 2
    if taste.shape == "straight":
        yield _straight(rng, kinds)
    if taste.shape not in ("pairs", "pungs"):
        yield (rng.choice(kinds),) * 2
    size = {"pairs": 2, "pungs": 2, "quads": 4}.get(taste.shape, 3)
    for _ in range(TRIES):
        tile = rng.choice(kinds)
        run = (tile, tile + 1, tile + 2)
        runs = taste.shape in ("runs", "straight") and rng.random() < 0.8
        if runs and tile % 9 < 7 and set(run) <= set(kinds) and suit(tile) != "z":
            yield run
        elif not runs:
            yield (tile,) * size


def _straight(rng: random.Random, kinds: Tiles) -> Tiles:
    """One to nine of a suit, or no tile where it is not liked."""
    first = rng.choice(kinds) // 9 * 9
    line = tuple(range(first, first + 9))
    return line if set(line) <= set(kinds) else ()

"""What a player would like his hand to become, and what he does for it."""

from __future__ import annotations

import random
from typing import NamedTuple

from ledger.events import Seat
from ledger.hand import Hand, Player
from ledger.record import Choice
from ledger.rules import shapes
from ledger.rules.ruleset import Ruleset
from ledger.simulate.beginner import NEAR
from ledger.tiles import NUMBERS, Tile, Tiles, parse_tile, rank, suit, take

LIKED = 50
"""How much more a tile of a liked kind weighs than any other."""

WAITING = 20
"""How much less a tile weighs without which the hand waits 听牌."""
PATIENT = ("runs", "pairs")
"""The shapes for which that matters: who wants others would rather go on."""


class Taste(NamedTuple):
    """A hand somebody would like: of what shape, and of which kinds."""

    shape: str
    kinds: Tiles


class Temper(NamedTuple):
    """How likely a player takes what is open to him: by action, and anything at all."""

    take: dict[str, float]
    anything: float


EAGER = Temper({"win": 1, "kong": 0.95, "declare": 0.9, "pung": 1}, 0.02)
"""Takes every win and nearly every kong and declaration 报听."""
HESITANT = Temper({"win": 0.4, "kong": 0.25, "declare": 0.6, "pung": 0.5}, 0.1)
"""Passes wins 过胡 and kongs 过杠, and comes back to a kong late 憨包豆."""
GREEDY = Temper({"win": 0.1, "kong": 0.5, "declare": 0.9, "pung": 1}, 0.02)
"""Melds whatever he can and hardly ever wins, so that his hand grows old."""
TEMPERS = (EAGER, EAGER, HESITANT, GREEDY)

PUNGS = {
    "runs": 0.4,
    "straight": 0.1,
    "triplets": 1,
    "quads": 0.5,
    "pairs": 0.4,
    "pungs": 1,
    "four": 0.5,
}
"""By shape, how gladly a pung is taken of a kind that is liked."""


def draw_tastes(rng: random.Random, rules: Ruleset) -> tuple[Taste, ...]:
    """A taste for each seat, by lot."""
    return tuple(_draw_taste(rng, rules.kinds) for _ in range(rules.players))


def _draw_taste(rng: random.Random, kinds: Tiles) -> Taste:
    return Taste(rng.choice(tuple(PUNGS)), some_kinds(rng, kinds))


def some_kinds(rng: random.Random, kinds: Tiles) -> Tiles:
    """Kinds that go together: all, those of a suit or two, or the like."""
    return rng.choice((any_kind, any_kind, one_suit, two_suits, _middle, _no_middle))(rng, kinds)


def any_kind(rng: random.Random, kinds: Tiles) -> Tiles:
    """All kinds."""
    return kinds


def one_suit(rng: random.Random, kinds: Tiles) -> Tiles:
    """The kinds of one suit 清一色."""
    one = rng.choice("mps")
    return tuple(kind for kind in kinds if suit(kind) == one)


def two_suits(rng: random.Random, kinds: Tiles) -> Tiles:
    """All kinds but a suit 缺一门."""
    missing = rng.choice("mps")
    return tuple(kind for kind in kinds if suit(kind) != missing)


def _middle(rng: random.Random, kinds: Tiles) -> Tiles:
    """The twos, fives and eights 将."""
    return tuple(kind for kind in NUMBERS if rank(kind) % 3 == 2)


def _no_middle(rng: random.Random, kinds: Tiles) -> Tiles:
    return tuple(kind for kind in kinds if rank(kind) % 3 != 2 or suit(kind) == "z")


def pursue(
    rng: random.Random, hand: Hand, choices: tuple[Choice, ...], taste: Taste, temper: Temper
) -> Choice:
    """What a seat does of all that is legal for it, to get a hand to its taste."""
    if rng.random() < temper.anything:
        return rng.choice(choices)
    seat = choices[0].seat
    if choices[0].action == "void_suit":
        return min(choices, key=lambda one: _of_suit(hand.seats[seat].hand, one.suit))
    for action in ("win", "declare", "kong", "pung"):
        open_ = [one for one in choices if one.action == action or _declares(one, action)]
        if open_ and rng.random() < temper.take[action] * _appetite(hand, seat, action, taste):
            return rng.choice(open_)
    discards = [one for one in choices if one.action == "discard" and not one.declare]
    if discards:
        player = hand.seats[seat]
        return min(discards, key=lambda one: (_weight(player, one, taste), rng.random()))
    return rng.choice([one for one in choices if one.action == "pass"] or choices)


def _of_suit(hand: Tiles, name: str | None) -> int:
    """How many tiles of a suit there are 定缺."""
    return sum(suit(tile) == name for tile in hand)


def _declares(choice: Choice, action: str) -> bool:
    """Whether a discard declares, for who is about to declare."""
    return choice.declare and action == "declare"


def _appetite(hand: Hand, seat: Seat, action: str, taste: Taste) -> float:
    """How gladly a claim is taken by who has a taste."""
    if action != "pung" or hand.window is None or hand.window.tile is None:
        return 1
    if taste.shape == "pairs" and hand.seats[seat].melds:
        return 0
    return PUNGS[taste.shape] * (hand.window.tile in taste.kinds)


def _weight(player: Player, discard: Choice, taste: Taste) -> float:
    """How much a player would miss a tile."""
    tile = parse_tile(discard.tile or "")
    waits = taste.shape in PATIENT and shapes.is_complete(take(player.hand, tile), 1)
    liked = LIKED * (tile in taste.kinds) - WAITING * waits
    return liked + _company(player.hand, tile, taste.shape)


def _company(hand: Tiles, tile: Tile, shape: str) -> float:
    """How well a tile goes with the others of a hand, for a shape."""
    copies = hand.count(tile)
    if shape in ("triplets", "quads", "pungs", "four"):
        return 4 * copies
    if shape == "pairs":
        return 4 * (copies % 2 == 0)
    near = sum(weight for other, weight in NEAR[tile] if other in hand)
    return near + 2 * (copies - 1)

"""The kinds of play: how the wall of a hand is built, and who sits at the table."""

from __future__ import annotations

import random
from collections.abc import Callable

from ledger.events import Seat
from ledger.hand import Hand
from ledger.record import Choice
from ledger.rules.ruleset import Ruleset
from ledger.simulate.beginner import choose
from ledger.simulate.deals import contested_deal, fed_deal, lucky_deal, shuffled_wall
from ledger.simulate.tastes import TEMPERS, Taste, Temper, pursue
from ledger.tiles import Tiles

Player = Callable[[Hand, tuple[Choice, ...]], Choice]
"""Who decides for a table: of all that is legal at a moment, what is done."""
Kind = Callable[[random.Random, Ruleset, Seat], tuple[Tiles, Player]]
"""A kind of play: a wall, and who plays with it, for a dealer."""

LUCK = (lucky_deal, lucky_deal, contested_deal, fed_deal)
"""The lucky deals, the usual one twice."""


def _beginner(rng: random.Random, rules: Ruleset, dealer: Seat) -> tuple[Tiles, Player]:
    """Beginners with a shuffled wall."""
    return shuffled_wall(rng, rules), lambda hand, legal: choose(rng, legal)


def _lucky(rng: random.Random, rules: Ruleset, dealer: Seat) -> tuple[Tiles, Player]:
    """Players of all tempers, who are dealt what they like, or what others wait for."""
    wall, tastes = rng.choice(LUCK)(rng, rules, dealer)
    return wall, _seated(rng, tastes, tuple(rng.choice(TEMPERS) for _ in tastes))


def _seated(rng: random.Random, tastes: tuple[Taste, ...], tempers: tuple[Temper, ...]) -> Player:
    """A table at which each seat has its own taste and temper."""

    def decide(hand: Hand, legal: tuple[Choice, ...]) -> Choice:
        seat = rng.choice(legal).seat
        own = tuple(choice for choice in legal if choice.seat == seat)
        return pursue(rng, hand, own, tastes[seat], tempers[seat])

    return decide


KINDS_OF_PLAY: dict[str, Kind] = {
    "beginner": _beginner,
    "lucky": _lucky,
}
ALL = "all"
"""All kinds of play, mixed hand by hand."""

"""A beginner: judges by the list of what is legal alone, as a client would.

He keeps tiles that stand close together, so that real wins happen, and now and then does
anything at all.
"""

from __future__ import annotations

import random

from ledger.record import Choice
from ledger.tiles import KINDS, parse_tile, suit

WIN = 0.9
ANYTHING = 0.04
DECLARE = 0.8
TAKE = {"kong": 0.7, "pung": 0.4, "declare": DECLARE}

NEAR = tuple(
    tuple(
        (other, 3 - abs(other - tile))
        for other in range(max(0, tile - 2), tile + 3)
        if other != tile and other // 9 == tile // 9 and suit(tile) != "z"
    )
    for tile in range(KINDS)
)
"""The kinds that may stand in a run with each kind: one next to it weighs two, one apart one."""


def choose(rng: random.Random, choices: tuple[Choice, ...]) -> Choice:
    """One of the legal choices of all seats asked: likely a win, else what a beginner would do."""
    wins = [choice for choice in choices if choice.action == "win"]
    if wins and rng.random() < WIN:
        return rng.choice(wins)
    asked = rng.choice(choices)
    if rng.random() < ANYTHING:
        return asked
    own = [choice for choice in choices if choice.seat == asked.seat]
    takes = [choice for choice in own if rng.random() < TAKE.get(choice.action, 0)]
    if takes:
        return rng.choice(takes)
    declaring = [choice for choice in own if choice.declare]
    if declaring and rng.random() < DECLARE:
        return rng.choice(declaring)
    discards = [choice for choice in own if choice.action == "discard" and not choice.declare]
    if discards:
        return _loneliest(rng, discards)
    return rng.choice([choice for choice in own if choice.action == "pass"] or own)


def _loneliest(rng: random.Random, discards: list[Choice]) -> Choice:
    """A discard of the tile with the fewest kinds near it, as far as one can see."""
    tiles = [parse_tile(choice.tile or "") for choice in discards]
    company = [sum(weight for other, weight in NEAR[tile] if other in tiles) for tile in tiles]
    least = min(company)
    ties = zip(discards, company, strict=True)
    return rng.choice([choice for choice, near in ties if near == least])

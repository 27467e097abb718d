"""What somebody might try although it is not legal: to find out what is refused, and why."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ledger.events import Seat
from ledger.hand import Hand
from ledger.record import Choice, Does
from ledger.rules.ruleset import Bar, Ruleset
from ledger.rules.turns import bar
from ledger.tiles import Tiles, tile_text

OFTEN = 0.25
"""At how many own turns something is tried; in windows, of which there are few, always."""
BARE: tuple[Does, ...] = (
    "win",
    "pass",
    "pung",
    "kong",
    "declare",
    "discard",
    "bet",
    "void_suit",
)


def refusals(rng: random.Random, moments: tuple[Hand, ...], rules: Ruleset) -> Iterator[Bar]:
    """Why what is tried in windows, on own turns drawn by lot, and at the end, is not open."""
    for hand in moments:
        if hand.turn is None or rng.random() < OFTEN:
            found = (bar(hand, choice, rules) for choice in attempts(rng, hand))
            yield from (one for one in found if one is not None)


def attempts(rng: random.Random, hand: Hand) -> Iterator[Choice]:
    """What might be tried: by every seat each action, by one also with all sorts of tiles."""
    for seat in range(hand.players):
        yield from (Choice(seat, action) for action in BARE)
    acting = hand.turn is not None and rng.random() < 0.8
    seat = hand.turn.seat if hand.turn and acting else rng.randrange(hand.players)
    yield Choice(seat, "kong", touzi=True)
    yield Choice(seat, "bet", points=1)
    yield Choice(seat, "void_suit", suit="p")
    for tile in sorted({*hand.seats[seat].hand, rng.choice(hand.wall), *_offered(hand)}):
        yield from _with_tile(seat, tile_text(tile))


def _offered(hand: Hand) -> Tiles:
    """The tile on which a window is open, if one is."""
    window = hand.window
    return () if window is None or window.tile is None else (window.tile,)


def _with_tile(seat: Seat, tile: str) -> Iterator[Choice]:
    for action in ("discard", "kong", "pung", "win"):
        yield Choice(seat, action, tile)
    yield Choice(seat, "discard", tile, declare=True)
    yield Choice(seat, "kong", tile, touzi=True)

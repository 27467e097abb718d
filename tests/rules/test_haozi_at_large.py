"""Settlements of 耗子 at large: whatever is won, points only change hands, and always the same."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ledger.outcome import Meld, Outcome, SeatOutcome, Settlement, Win, read_outcome
from ledger.refusal import Refused
from ledger.rules.catalog import settle
from ledger.tiles import HONOURS, KINDS, NUMBERS, Tile, tile_set, tile_text, tiles_text

FLAGS = (
    "feeder_pays_kong",
    "discarder_pays_kongs",
    "must_win",
    "draw_voids_kongs",
    "takeover_voids_own_kongs",
    "win_requires_declaration",
)
ENDS = ("win", "win", "win", "win", "exhausted", "dissolved")


@settings(max_examples=250)
@given(st.integers(0, 2**32))
def test_points_only_change_hands(seed: int) -> None:
    outcome = some_outcome(Random(seed))
    found = settled(outcome)
    assume(found is not None)
    assert found is not None
    assert sum(found.totals) == 0
    for one in found.payments:
        assert one.points == (one.parts[0].points or 0) * prod(
            part.factor or 0 for part in one.parts[1:]
        )
        assert one.points > 0
        assert one.payer != one.payee
    assert settle(read_outcome(msgspec.to_builtins(outcome))) == found
    assert bool(found.wins) == (outcome.end == "win")


def settled(outcome: Outcome) -> Settlement | None:
    """Its settlement, None where the tile is worth too little or a nearer seat had to win."""
    try:
        return settle(outcome)
    except Refused as refusal:
        if refusal.code in {"win_below_floor", "declared_not_ready", "nearer_winner"}:
            return None
        raise


def some_outcome(random: Random) -> Outcome:
    """A hand with kongs here and there, and a winner who lacked one tile of sets and a pair."""
    options: dict[str, Any] = {name: random.random() < 0.5 for name in FLAGS}
    options |= {"players": random.choice((2, 3, 4)), "base_score": random.choice((1, 5))}
    options |= {"variant": random.choice(("wind_rat", "double_rat"))}
    left = tile_set((*NUMBERS, *HONOURS))
    double = options["variant"] == "double_rat"
    wilds = random.sample(range(KINDS) if double else HONOURS, 1 + double)
    end = random.choice(ENDS)
    winner = random.randrange(options["players"])
    kongs = [_kong(random, left, seat, options["players"]) for seat in range(options["players"])]
    hand, tile = _lacking_one(random, left, 4 - len(kongs[winner]), wilds)
    seats = tuple(
        SeatOutcome(hand, melds, "", "ready")
        if seat == winner
        else SeatOutcome(_rest(random, left, 13 - 3 * len(melds)), melds)
        for seat, melds in enumerate(kongs)
    )
    wins = (_win(random, winner, tile, options["players"]),) if end == "win" else ()
    drawn = tuple(map(tile_text, wilds))
    return Outcome("haozi/1", seats, 0, end, options, wilds=drawn, wins=wins)  # type: ignore[arg-type]


def _kong(random: Random, left: Counter[Tile], owner: int, players: int) -> tuple[Meld, ...]:
    if random.random() < 0.5:
        return ()
    tile = random.choice([kind for kind in left if left[kind] == 4])
    left[tile] = 0
    how = random.choice(("concealed", "exposed", "added"))
    fed = None if how == "concealed" else (owner + 1) % players
    return (Meld("kong", tile_text(tile), how, fed),)  # type: ignore[arg-type]


def _lacking_one(
    random: Random, left: Counter[Tile], sets: int, wilds: list[Tile]
) -> tuple[str, str]:
    """A hand that lacks a natural tile, and that tile; both are taken from what is left."""
    while True:
        suit = [start for start in NUMBERS if start % 9 < 7]
        runs = [(start, start + 1, start + 2) for start in random.sample(suit, sets)]
        pair = random.choice(NUMBERS + HONOURS)
        tiles = [pair, pair, *(tile for run in runs for tile in run)]
        lacked = random.choice([tile for tile in tiles if tile not in wilds])
        if not Counter(tiles) - left:
            left.subtract(tiles)
            tiles.remove(lacked)
            return tiles_text(sorted(tiles)), tile_text(lacked)


def _rest(random: Random, left: Counter[Tile], count: int) -> str:
    tiles = random.sample(sorted(left.elements()), count)
    left.subtract(tiles)
    return tiles_text(sorted(tiles))


def _win(random: Random, seat: int, tile: str, players: int) -> Win:
    if random.random() < 0.4:
        return Win(seat, tile, "self_draw")
    return Win(seat, tile, "discard", (seat + random.randrange(1, players)) % players)

"""What holds of every settlement of 捉鸡, whatever was held and whatever the options are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.outcome import FirstChicken, Meld, Outcome, SeatOutcome, Win
from ledger.refusal import Refused
from ledger.rules.options import describe_options
from ledger.rules.zhuoji import KEY, Options
from ledger.tiles import NUMBERS, Tile, Tiles, parse_tiles, suit, tile_set, tile_text, tiles_text
from tests.rules.zhuoji_table import settle

SEEDS = range(300)
EXPECTED = {"pass_card_missing", "void_suit_kept"}
"""Why an outcome that is made here may be refused after all."""


class Made:
    """An outcome that a seed makes: A has won, or nobody; the others hold this and that."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.left = tile_set(NUMBERS)
        self.options = dict(self._options())
        self.players: int = self.options["players"]

    def outcome(self) -> Outcome:
        seats = [self._seat(index) for index in range(self.players)]
        wins = self._wins(seats)
        return Outcome(
            ruleset=KEY,
            options=self.options,
            seats=tuple(seats),
            dealer=self.rng.randrange(self.players),
            end="win" if wins else "exhausted",
            streak=self.rng.randint(1, 4),
            weekday=self.rng.randint(1, 7) if self.options["week_ji"] else None,
            wins=wins,
            first_chickens=tuple(self._firsts(seats, wins)),
            flip=tile_text(self._one(NUMBERS)) if wins else None,
        )

    def _options(self) -> Iterator[tuple[str, Any]]:
        for info in describe_options(Options):
            values = {"flag": (True, False), "number": (1, 2, 10)}.get(info.kind, info.choices)
            yield info.name, self.rng.choice(values)

    def _take(self, sets: list[Tiles]) -> Tiles:
        """One of the sets that can still be had, or nothing."""
        for found in self.rng.sample(sets, len(sets)):
            if all(self.left[tile] >= copies for tile, copies in Counter(found).items()):
                self.left.subtract(found)
                return found
        return ()

    def _one(self, kinds: Tiles) -> Tile:
        return self._take([(kind,) for kind in kinds])[0]

    def _seat(self, index: int) -> SeatOutcome:
        void = None if self.players == 4 else self.rng.choice("mps")
        kinds = tuple(kind for kind in NUMBERS if suit(kind) != void)
        melds = tuple(self._melds(index, kinds))
        waits = index == 0 or self.rng.random() < 0.5
        hand = self._waiting(kinds, 4 - len(melds)) if waits else self._random(13 - 3 * len(melds))
        river = tiles_text(self._random(self.rng.randrange(4)))
        bet = self.rng.randint(0, 2) if self.options["gumai"] else 0
        return SeatOutcome(tiles_text(hand), melds, river, None, bet, void)  # type: ignore[arg-type]

    def _random(self, count: int) -> list[Tile]:
        return [self._one(NUMBERS) for _ in range(count)]

    def _waiting(self, kinds: Tiles, sets: int) -> list[Tile]:
        """Sets and a pair, of which the last tile is left to be won."""
        pair = self._take([(kind,) * 2 for kind in kinds])
        triplets: list[Tiles] = [(kind,) * 3 for kind in kinds]
        runs: list[Tiles] = [(kind, kind + 1, kind + 2) for kind in kinds if kind % 9 < 7]
        tiles = [tile for _ in range(sets) for tile in self._take(triplets + runs * 3)]
        self.left[pair[0]] += 1
        return [pair[0], *tiles]

    def _melds(self, owner: int, kinds: Tiles) -> Iterator[Meld]:
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            how = self.rng.choice(("pung", "concealed", "exposed", "added"))
            found = self._take([(kind,) * (3 + (how != "pung")) for kind in kinds])
            if not found:
                return
            tile = tile_text(found[0])
            fed = (owner + self.rng.randint(1, self.players - 1)) % self.players
            late = how in ("concealed", "added") and self.rng.random() < 0.3
            if how == "pung":
                yield Meld("pung", tile, None, fed)
            else:
                yield Meld("kong", tile, how, None if how == "concealed" else fed, late)  # type: ignore[arg-type]

    def _wins(self, seats: list[SeatOutcome]) -> tuple[Win, ...]:
        """A's win, by what is left of the tile that he waits for."""
        tile = parse_tiles(seats[0].hand)[0]
        if self.rng.random() < 0.2 or not self.left[tile]:
            return ()
        self.left[tile] -= 1
        how = self.rng.choice(("self_draw", "discard"))
        return (Win(0, tile_text(tile), how, 1 if how == "discard" else None),)  # type: ignore[arg-type]

    def _firsts(self, seats: list[SeatOutcome], wins: tuple[Win, ...]) -> Iterator[FirstChicken]:
        for kind in ("1s", "8p") if self.options["wugu_ji"] else ("1s",):
            stood = [FirstChicken(kind, by) for by, one in enumerate(seats) if _lies(one, kind)]
            taken = [
                FirstChicken(kind, meld.from_seat, (taker,))
                for taker, one in enumerate(seats)
                for meld in one.melds
                if meld.tile == kind and meld.from_seat is not None
            ]
            won = [
                FirstChicken(kind, win.from_seat, (win.seat,))
                for win in wins
                if win.tile == kind and win.from_seat is not None
            ]
            yield from (stood or taken or won)[:1]


def _lies(seat: SeatOutcome, kind: str) -> bool:
    return parse_tiles(kind)[0] in parse_tiles(seat.river)


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Many outcomes that can be; those that need a pass nobody has are left out."""
    found = [Made(seed).outcome() for seed in SEEDS]
    return [outcome for outcome in found if _is_possible(outcome)]


def _is_possible(outcome: Outcome) -> bool:
    try:
        settle(outcome)
    except Refused as refusal:
        if refusal.code in EXPECTED:
            return False
        raise
    return True


def test_totals_sum_to_zero_and_payments_are_positive(outcomes: list[Outcome]) -> None:
    assert len(outcomes) > 200
    for outcome in outcomes:
        found = settle(outcome)
        assert sum(found.totals) == 0
        assert all(one.points > 0 and one.payer != one.payee for one in found.payments)
        totals = [0] * len(outcome.seats)
        for one in found.payments:
            totals[one.payer] -= one.points
            totals[one.payee] += one.points
        assert found.totals == tuple(totals)


def test_the_parts_of_a_payment_read_from_left_to_right_are_its_points(
    outcomes: list[Outcome],
) -> None:
    for outcome in outcomes:
        for one in settle(outcome).payments:
            points = 0
            for part in one.parts:
                points = points * part.factor if part.factor else points + (part.points or 0)
            assert points == one.points


def test_the_same_outcome_settles_to_the_same_bytes(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        again = msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)
        assert msgspec.json.encode(settle(again)) == msgspec.json.encode(settle(outcome))


def test_payments_stand_by_paragraph_then_payee_then_payer(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        order = [(one.rule, one.payee, one.payer) for one in settle(outcome).payments]
        assert order == sorted(order)


def test_all_reasons_for_a_payment_occur(outcomes: list[Outcome]) -> None:
    reasons = {one.reason for outcome in outcomes for one in settle(outcome).payments}
    assert reasons == {
        "win",
        "kong",
        "kong_penalty",
        "chickens",
        "chicken_liability",
        "responsibility_chicken",
        "ready_check",
    }

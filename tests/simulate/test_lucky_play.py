"""Lucky play: stacked walls that are walls of the game, and players with tastes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ledger.hand import Hand
from ledger.record import Choice, Does
from ledger.rules.catalog import CATALOG, ruleset
from ledger.simulate import Played, play_match
from ledger.simulate.deals import Deal, contested_deal, fed_deal, lucky_deal
from ledger.simulate.tastes import EAGER, GREEDY, HESITANT, Taste, Temper, pursue
from ledger.tiles import NUMBERS, Tiles, parse_tiles, tile_text

SEEDS = range(40)
TRIES = 200
SEAT = 0
every_ruleset = pytest.mark.parametrize("key", CATALOG)


def played(key: str, seed: int, hands: int = 1) -> list[Played]:
    return list(play_match(random.Random(seed), key, {}, hands, "lucky"))


@every_ruleset
@pytest.mark.parametrize("deal", [lucky_deal, contested_deal, fed_deal])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_stacked_wall_has_four_of_each_kind_in_play(
    key: str, deal: Callable[..., Deal], players: int
) -> None:
    rules = ruleset(key, {"players": players})
    for seed in SEEDS:
        wall, tastes = deal(random.Random(seed), rules, seed % players)
        assert Counter(wall) == dict.fromkeys(rules.kinds, 4)
        assert len(tastes) == players


@every_ruleset
def test_the_same_seed_plays_the_same_lucky_hands(key: str) -> None:
    assert played(key, 5, 3) == played(key, 5, 3)
    assert played(key, 5) != played(key, 6)


def holding(tiles: str) -> Hand:
    """A hand of 怀化 in which A holds some tiles."""
    hand = played("huaihua/1", 1)[0].moments[0]
    player = replace(hand.seats[SEAT], hand=parse_tiles(tiles), melds=())
    return replace(hand, seats=(player, *hand.seats[1:]), window=None)


def thrown(tiles: str, shape: str, kinds: Tiles) -> Counter[str | None]:
    """What A throws of some tiles by his taste, in many tries."""
    hand, rng = holding(tiles), random.Random(1)
    choices = tuple(Choice(SEAT, "discard", tile_text(one)) for one in set(parse_tiles(tiles)))
    taste = Taste(shape, kinds)
    return Counter(pursue(rng, hand, choices, taste, EAGER).tile for _ in range(TRIES))


def test_who_likes_some_kinds_throws_the_others() -> None:
    found = thrown("123m456m789m11m456p5s", "runs", parse_tiles("123456789m"))
    assert found["4p"] + found["5p"] + found["6p"] + found["5s"] > TRIES * 0.9


def test_who_likes_triplets_throws_what_is_single() -> None:
    found = thrown("111m222p3334445s9m", "triplets", NUMBERS)
    assert found["5s"] + found["9m"] > TRIES * 0.9


def test_who_likes_pairs_throws_the_third_of_a_kind_as_gladly_as_a_single() -> None:
    found = thrown("112233m44556668p", "pairs", NUMBERS)
    assert min(found["6p"], found["8p"]) > TRIES * 0.3


def test_who_likes_runs_keeps_a_hand_that_waits() -> None:
    """Without 9p it waits for 3s and 6s, though 1m 1m stands as lonely."""
    assert thrown("11m234m456p789s45s9p", "runs", NUMBERS)["9p"] > TRIES * 0.9


@pytest.mark.parametrize(
    ("temper", "action", "least", "most"),
    [
        (EAGER, "win", 0.95, 1),
        (HESITANT, "win", 0.25, 0.6),
        (GREEDY, "win", 0.05, 0.25),
        (EAGER, "kong", 0.85, 1),
        (HESITANT, "kong", 0.15, 0.5),
    ],
)
def test_tempers_differ_in_what_they_take(
    temper: Temper, action: Does, least: float, most: float
) -> None:
    hand, rng, taste = holding("11m"), random.Random(1), Taste("runs", NUMBERS)
    choices = (Choice(SEAT, action), Choice(SEAT, "pass"))
    taken = [pursue(rng, hand, choices, taste, temper).action for _ in range(TRIES)]
    assert least * TRIES <= taken.count(action) <= most * TRIES


def test_the_suit_of_which_there_is_least_is_void() -> None:
    hand, taste = holding("11m2345p678999s1s"), Taste("runs", NUMBERS)
    choices = tuple(Choice(SEAT, "void_suit", suit=suit) for suit in ("m", "p", "s"))
    rng = random.Random(1)
    found = Counter(pursue(rng, hand, choices, taste, EAGER).suit for _ in range(TRIES))
    assert found["m"] > TRIES * 0.9

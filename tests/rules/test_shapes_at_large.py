"""Winning shapes and waits: held to brute force and to cases from outside (tests/cases/)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.shapes import (
    has_straight,
    is_all_triplets,
    is_complete,
    is_seven_pairs,
    is_standard,
    pairs_make_quad,
    waits,
)
from ledger.tiles import HONOURS, NUMBERS, ZHONG, Tile, Tiles
from tests.rules.shapes_in_words import ALL, t

# --- against brute force -----------------------------------------------------------------------

SETS_OF_A_SUIT = [(k, k, k) for k in range(9)] + [(k, k + 1, k + 2) for k in range(7)]


def sums(sets: Sequence[Tiles], pairs: Sequence[Tile], count: int) -> set[Tiles]:
    """Every hand of so many of these sets and one of these pairs, by adding them up."""
    return {
        tuple(sorted((pair, pair, *(tile for one in chosen for tile in one))))
        for chosen in combinations_with_replacement(sets, count)
        for pair in pairs
    }


def possible(hand: Tiles) -> bool:
    """Whether a real set of tiles can hold a hand."""
    return max(Counter(hand).values(), default=0) <= 4


def less(hands: set[Tiles], wilds: int) -> set[Tiles]:
    """What is left of hands when wildcards take the place of so many tiles, in every way."""
    for _ in range(wilds):
        hands = {hand[:place] + hand[place + 1 :] for hand in hands for place in range(len(hand))}
    return {hand for hand in hands if possible(hand)}


@pytest.mark.parametrize("size", [2, 5, 8])
def test_of_all_hands_of_one_suit_those_that_add_up_are_standard(size: int) -> None:
    complete = sums(SETS_OF_A_SUIT, range(9), size // 3)
    for wilds in range(size + 1):
        hands = filter(possible, combinations_with_replacement(range(9), size - wilds))
        assert {hand for hand in hands if is_standard(hand, wilds)} == less(complete, wilds)


@pytest.mark.parametrize("size", [2, 5, 8])
def test_of_all_hands_of_one_suit_those_that_add_up_are_all_triplets(size: int) -> None:
    complete = sums(SETS_OF_A_SUIT[:9], range(9), size // 3)
    for wilds in range(size + 1):
        hands = filter(possible, combinations_with_replacement(range(9), size - wilds))
        assert {hand for hand in hands if is_all_triplets(hand, wilds)} == less(complete, wilds)


def test_of_all_hands_of_honours_those_that_add_up_are_standard() -> None:
    complete = sums([(k, k, k) for k in HONOURS], HONOURS, 2)
    for wilds in range(9):
        hands = filter(possible, combinations_with_replacement(HONOURS, 8 - wilds))
        assert {hand for hand in hands if is_standard(hand, wilds)} == less(complete, wilds)


@cache
def straights_with_one_set_more() -> set[Tiles]:
    """Every hand of one suit that is a straight, one more set and a pair."""
    return {
        tuple(sorted((*range(9), *one, pair, pair))) for one in SETS_OF_A_SUIT for pair in range(9)
    }


@pytest.mark.parametrize("wilds", [0, 1, 2, 3])
def test_hands_that_add_up_to_a_straight_hold_one_and_others_do_not(wilds: int) -> None:
    straight = less(straights_with_one_set_more(), wilds)
    assert all(has_straight(hand, wilds, 0) for hand in straight)
    moved = {
        tuple(sorted((*hand[:place], tile, *hand[place + 1 :])))
        for hand in sorted(straight)[:: 7 * (1 + 5 * wilds)]
        for place in range(0, len(hand), 2)
        for tile in range(9)
    }
    assert all(
        has_straight(hand, wilds, 0) == (hand in straight) for hand in filter(possible, moved)
    )


def adds_up(hand: Tiles) -> bool:
    """Whether natural tiles are sets and a pair: every pair tried, then every set of the lowest."""
    pairs = {kind for kind in hand if hand.count(kind) >= 2}
    return len(hand) % 3 == 2 and any(all_sets(without(hand, (kind, kind))) for kind in pairs)


def all_sets(hand: Tiles) -> bool:
    """Whether natural tiles are all sets."""
    if not hand:
        return True
    low = hand[0]
    sets = [(low, low, low)]
    if low < 27 and low % 9 < 7:
        sets.append((low, low + 1, low + 2))
    return any(all_sets(without(hand, one)) for one in sets if not Counter(one) - Counter(hand))


def without(hand: Tiles, tiles: Tiles) -> Tiles:
    """A hand without tiles that it holds."""
    return tuple(sorted((Counter(hand) - Counter(tiles)).elements()))


def brute(hand: Tiles, wilds: int) -> bool:
    """Whether some substitution of every wildcard, of every kind that can matter, adds up."""
    near = {kind + step for kind in hand if kind < 27 for step in (-2, -1, 0, 1, 2)}
    kinds = sorted((near & set(range(27))) | set(hand) | {0})
    return any(
        adds_up(tuple(sorted((*hand, *chosen))))
        for chosen in combinations_with_replacement(kinds, wilds)
    )


FEW_KINDS = t("1234m789p56s12z")


@st.composite
def any_hands(draw: st.DrawFn, sizes: tuple[int, ...], wilds: int) -> tuple[Tiles, int]:
    """A hand of several suits and up to so many wildcards, of kinds close to each other."""
    size = draw(st.sampled_from(sizes))
    wild = draw(st.integers(0, min(wilds, size)))
    wall = [kind for kind in FEW_KINDS for _ in range(4)]
    return tuple(sorted(draw(st.permutations(wall))[: size - wild])), wild


@st.composite
def made_hands(draw: st.DrawFn) -> tuple[Tiles, int]:
    """A hand made complete from sets and a pair of any suits, then up to 8 tiles made wild."""
    count = draw(st.integers(0, 4))
    runs = [(k, k + 1, k + 2) for k in NUMBERS if k % 9 < 7]
    shapes = st.sampled_from(runs + [(k, k, k) for k in ALL])
    pair = draw(st.sampled_from(ALL))
    made = [pair, pair, *(tile for _ in range(count) for tile in draw(shapes))]
    mixed = draw(st.permutations(made))
    wild = draw(st.integers(0, min(8, len(made))))
    natural = list(mixed[wild:])
    while not possible(tuple(natural)):
        natural.remove(Counter(natural).most_common(1)[0][0])
    return tuple(sorted(natural)), len(made) - len(natural)


@given(any_hands((2, 5, 8, 11, 14), 2))
def test_standard_is_what_some_substitution_adds_up_to(hand: tuple[Tiles, int]) -> None:
    assert is_standard(*hand) == brute(*hand)


@given(any_hands((5, 8), 2), st.sampled_from(FEW_KINDS))
def test_a_kind_waits_when_some_substitution_adds_up_with_it(
    hand: tuple[Tiles, int], kind: Tile
) -> None:
    tiles, wilds = hand[0][1:], hand[1]
    completes = tiles.count(kind) < 4 and brute(tuple(sorted((*tiles, kind))), wilds)
    assert (kind in waits(tiles, wilds, FEW_KINDS)) == (completes and len(tiles) + wilds in (4, 7))


@given(made_hands())
def test_a_hand_made_of_sets_and_a_pair_is_standard_with_any_tiles_made_wild(
    hand: tuple[Tiles, int],
) -> None:
    assert is_standard(*hand)


@given(made_hands(), st.data())
def test_one_tile_short_of_a_complete_hand_waits_for_that_tile(
    hand: tuple[Tiles, int], data: st.DataObject
) -> None:
    tiles, wilds = hand
    missing = data.draw(st.sampled_from(tiles)) if tiles else 0
    left = without(tiles, (missing,)) if tiles else ()
    assert missing in waits(left, wilds if tiles else wilds - 1, ALL)


@given(any_hands((14,), 8))
def test_a_wait_is_a_kind_that_completes_and_a_ready_hand_is_one_a_wildcard_completes(
    hand: tuple[Tiles, int],
) -> None:
    tiles, wilds = hand[0][1:], hand[1]
    expected = tuple(k for k in ALL if len(tiles) + wilds == 13 and is_complete((*tiles, k), wilds))
    assert waits(tiles, wilds, ALL) == expected
    assert (waits(tiles, wilds, (ZHONG,), (ZHONG,)) == (ZHONG,)) == is_complete(tiles, wilds + 1)


@given(any_hands((14,), 8))
def test_the_order_of_the_tiles_does_not_matter(hand: tuple[Tiles, int]) -> None:
    tiles, wilds = hand
    assert is_complete(tiles, wilds) == is_complete(tiles[::-1], wilds)
    assert has_straight(tiles, wilds, 0) == has_straight(tiles[::-1], wilds, 0)


@given(st.permutations([kind for kind in FEW_KINDS[:5] for _ in range(4)]), st.integers(0, 8))
def test_seven_pairs_hold_a_quad_when_some_substitution_has_one(
    wall: list[Tile], wilds: int
) -> None:
    tiles = tuple(sorted(wall[: 14 - wilds]))
    pairs = [
        Counter((*tiles, *chosen)) for chosen in combinations_with_replacement(FEW_KINDS[:5], wilds)
    ]
    even = [copies for copies in pairs if not any(n % 2 for n in copies.values())]
    assert is_seven_pairs(tiles, wilds) == bool(even)
    assert pairs_make_quad(tiles, wilds) == any(max(c.values()) >= 4 for c in even)


# --- against cases from outside (tests/cases/README.md) ----------------------------------------


@cache
def cases(name: str) -> list[Any]:
    """The rows of a file of cases."""
    path = Path(__file__).parents[1] / "cases" / f"{name}.json"
    rows: list[Any] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return rows


def made_wild(hand: Tiles, count: int) -> Iterator[Tiles]:
    """What is left of a hand when so many of its tiles become wildcards, in every way."""
    return iter(set(combinations(hand, len(hand) - count)))


def test_every_hand_of_the_shanten_cases_is_standard_where_they_say_so() -> None:
    for text, regular, _ in cases("shanten"):
        assert is_standard(t(text), 0) == (regular == -1), text


@pytest.mark.parametrize(("shanten", "step"), [(-1, 1), (0, 1), (1, 4), (2, 24)])
def test_a_hand_of_shanten_s_needs_s_plus_1_of_its_tiles_to_be_wildcards(
    shanten: int, step: int
) -> None:
    hands = [t(text) for text, regular, _ in cases("shanten") if regular == shanten]
    for hand in hands[::step]:
        enough = shanten + 1
        assert any(is_standard(left, enough) for left in made_wild(hand, enough)), hand
        too_few = made_wild(hand, enough - 1) if enough else ()
        assert not any(is_standard(left, enough - 1) for left in too_few), hand


def test_every_hand_of_the_shanten_cases_is_seven_pairs_where_they_say_so() -> None:
    """The cases want seven different pairs, so those with a triplet or quad say less."""
    for text, _, pairs in cases("shanten"):
        hand = t(text)
        if pairs == -1 or max(Counter(hand).values()) < 3:
            assert is_seven_pairs(hand, 0) == (pairs == -1), text


@pytest.mark.parametrize(("shanten", "step"), [(0, 1), (1, 8)])
def test_pairs_of_shanten_s_need_s_plus_1_of_their_tiles_to_be_wildcards(
    shanten: int, step: int
) -> None:
    rows = [t(text) for text, _, pairs in cases("shanten") if pairs == shanten]
    hands = [hand for hand in rows if max(Counter(hand).values()) < 3]
    for hand in hands[::step]:
        enough = shanten + 1
        assert any(is_seven_pairs(left, enough) for left in made_wild(hand, enough)), hand
        assert not any(is_seven_pairs(left, shanten) for left in made_wild(hand, shanten)), hand


def test_every_hand_of_the_waits_cases_waits_as_they_say() -> None:
    for text, _, regular, _, pairs in cases("waits"):
        expected = set(t(regular)) | set(t(pairs))
        assert set(waits(t(text), 0, ALL)) == expected, text


def test_every_hand_of_the_waits_cases_is_completed_in_the_form_they_say() -> None:
    for text, regular_shanten, regular, pairs_shanten, pairs in cases("waits"):
        hand = t(text)
        assert is_standard(hand, 1) == (regular_shanten == 0), text
        assert is_seven_pairs(hand, 1) == (pairs_shanten == 0), text
        for kind in t(regular):
            assert is_standard((*hand, kind), 0), text
        for kind in t(pairs):
            assert is_seven_pairs((*hand, kind), 0), text


def test_every_hand_of_the_wildcards_cases_is_standard_where_they_say_so() -> None:
    for text, wilds, win in cases("wildcards"):
        assert is_standard(t(text), wilds) == win, (text, wilds)


def test_every_hand_of_the_complete_hands_cases_is_complete_where_they_say_so() -> None:
    for row in cases("complete_hands"):
        assert is_complete(t(row["tiles"]), 0) == row["win"], row


def test_every_hand_that_another_engine_got_wrong_is_right_here() -> None:
    for row in (row for row in cases("known_pitfalls") if "win" in row):
        assert is_complete(t(row["tiles"]), row["jokers"]) == row["win"], row


def test_a_hand_that_another_engine_called_ready_waits_for_nothing_but_a_fifth_copy() -> None:
    for row in (row for row in cases("known_pitfalls") if "tiles13" in row):
        assert row["shanten_regular"] == 1
        assert waits(t(row["tiles"]), 0, ALL) == (), row


def test_a_shanten_that_another_engine_got_wrong_is_right_here() -> None:
    for row in (row for row in cases("known_pitfalls") if "tiles14" in row):
        hand, shanten = t(row["tiles"]), row["shanten_regular"]
        assert any(is_standard(left, shanten + 1) for left in made_wild(hand, shanten + 1)), row
        assert not any(is_standard(left, shanten) for left in made_wild(hand, shanten)), row

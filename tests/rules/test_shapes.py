"""Winning shapes and waits: `ledger/rules/shapes.py` held to examples, brute force and cases."""

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
    quad_fillings,
    split,
    waits,
)
from ledger.tiles import HONOURS, KINDS, NUMBERS, ZHONG, Tile, Tiles, parse_tiles, tiles_text

ALL = NUMBERS + HONOURS


@cache
def t(text: str) -> Tiles:
    """The tiles of a text form."""
    return parse_tiles(text)


def waits_text(text: str, wilds: int = 0, kinds: Tiles = ALL) -> str:
    """The waits of a hand, both in text form."""
    return tiles_text(waits(t(text), wilds, kinds))


# --- a hand with its wildcards in it -----------------------------------------------------------


def test_a_hand_is_split_into_its_natural_tiles_and_the_number_of_its_wildcards() -> None:
    assert split(t("12m5z9s5z"), (ZHONG,)) == (t("12m9s"), 2)


def test_a_hand_without_wild_kinds_is_all_natural() -> None:
    assert split(t("12m5z"), frozenset()) == (t("12m5z"), 0)


# --- standard 胡牌矩阵 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    [
        "123m456p789s555z11s",
        "111222333m55p999s",  # three triplets or three runs
        "11123m",  # one set and the pair: the other three are melds
        "55z",  # the pair alone: 单吊 after four melds
        "33455556667788m",  # 33 456 555 678 678
        "11112233m",  # 11 123 123
    ],
)
def test_sets_and_one_pair_are_standard(hand: str) -> None:
    assert is_standard(t(hand), 0)


@pytest.mark.parametrize(
    "hand",
    [
        "123m456p789s555z12s",  # no pair
        "123m456p789s123z11s",  # honours make no run
        "89m1p22s",  # a run does not pass from suit to suit
        "891m22s",  # nor from 9 to 1
        "123s",  # sets but no pair
        "1122m",  # two pairs
        "11m22p33s44z55z66z77z",  # seven pairs only
        "",
    ],
)
def test_anything_else_is_not_standard(hand: str) -> None:
    assert not is_standard(t(hand), 0)


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("13m22p", 1),  # the middle of a run
        ("89m22p", 1),  # the end of a run
        ("9m22p", 2),  # one tile of a run or triplet
        ("123m5z", 1),  # half of the pair
        ("123m", 2),  # the whole pair
        ("22p", 3),  # a set of nothing but wildcards
        ("", 2),
        ("", 8),
        ("1245m78p", 8),
        ("1111m", 1),  # 111 and 1 with the wildcard as a fifth copy
    ],
)
def test_a_wildcard_stands_for_any_tile_of_a_standard_hand(hand: str, wilds: int) -> None:
    assert is_standard(t(hand), wilds)


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("14m22p", 1),  # too far apart
        ("12z33m", 1),
        ("4m4p4s4z", 4),  # four lone tiles need seven
        ("159m159p159s12z", 3),
        ("123m22p", 1),  # no hand of 3k+2 tiles
    ],
)
def test_too_few_wildcards_do_not_make_a_hand_standard(hand: str, wilds: int) -> None:
    assert not is_standard(t(hand), wilds)


def test_five_natural_copies_of_a_kind_complete_nothing() -> None:
    assert not is_standard(t("44555555m123p678s"), 0)
    assert not is_all_triplets(t("11111m"), 0)
    assert not is_seven_pairs(t("111111m22p33s4455z"), 0)
    assert not has_straight(t("1111123456789m"), 1, 0)
    assert waits(t("11111m22m"), 0, ALL) == ()


# --- seven pairs 七对 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("11m22p33s44z55z66z77z", 0),
        ("1111m22p33s44z55z66z", 0),  # a quad is two pairs
        ("1111m2222p3333s44z", 0),
        ("1m2p3s44z55z66z77z", 3),  # each wildcard pairs a tile
        ("111m2p33s44z55z66z", 2),
        ("11m22p33s44z55z66z", 2),  # two wildcards are a pair
        ("147m147p", 8),
    ],
)
def test_fourteen_tiles_in_pairs_are_seven_pairs(hand: str, wilds: int) -> None:
    assert is_seven_pairs(t(hand), wilds)
    assert is_complete(t(hand), wilds)


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("11m22p33s44z55z66z67z", 0),
        ("123m4p33s44z55z66z", 2),  # four lone tiles, two wildcards
        ("111m22p33s44z55z777z", 0),
        ("11m22p33s44z55z", 0),  # ten tiles: there is a meld
    ],
)
def test_a_lone_tile_or_a_meld_is_not_seven_pairs(hand: str, wilds: int) -> None:
    assert not is_seven_pairs(t(hand), wilds)


def test_a_hand_is_complete_when_it_is_standard_or_seven_pairs() -> None:
    assert is_complete(t("11123m"), 0)
    assert is_complete(t("1199p1133557799s"), 0)
    assert not is_complete(t("1199p1133557789s"), 0)


# --- four of a kind in seven pairs 龙七对 -------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("1111m22p33s44z55z66z", 0),  # four natural copies
        ("111m22p33s44z55z66z", 1),  # three and the wildcard that pairs the third
        ("11m22p33s44z55z66z", 2),  # two wildcards as a second pair of any kind
        ("1m22p33s44z55z66z", 3),  # one pairs the 1m, two are left
    ],
)
def test_seven_pairs_can_hold_four_of_a_kind(hand: str, wilds: int) -> None:
    assert pairs_make_quad(t(hand), wilds)


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("11m22p33s44z55z66z77z", 0),
        ("1m2p33s44z55z66z77z", 2),  # both wildcards are needed for the pairs
        ("1111m22p33s44z55z67z", 0),  # four of a kind, but no seven pairs
        ("1111m22p33s44z", 0),
    ],
)
def test_seven_pairs_cannot_hold_four_of_a_kind(hand: str, wilds: int) -> None:
    assert not pairs_make_quad(t(hand), wilds)


# --- all triplets 碰碰胡 ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("222m444p666s88s999p", 0),
        ("55z", 0),
        ("222m44p6s88s999p", 3),
        ("222m444p666s888s", 2),  # the pair is of two wildcards
        ("22m44p66s88s", 3),
        ("1111m", 1),  # a fifth copy
        ("2222m", 4),  # 222 and 2 with a fifth, and three wildcards
    ],
)
def test_triplets_and_a_pair_are_all_triplets(hand: str, wilds: int) -> None:
    assert is_all_triplets(t(hand), wilds)


@pytest.mark.parametrize(
    ("hand", "wilds"),
    [
        ("123m22p", 0),  # standard, but with a run
        ("123m44p66s88s", 2),
        ("222m55p", 1),  # six tiles
        ("22m44p66s88s", 0),
    ],
)
def test_a_hand_with_a_run_is_not_all_triplets(hand: str, wilds: int) -> None:
    assert not is_all_triplets(t(hand), wilds)


# --- the straight 一条龙 ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "wilds", "suit_index"),
    [
        ("123456789m11122z", 0, 0),
        ("123456789p11p", 0, 1),
        ("123456789s999s11z", 0, 2),
        ("12346789m11122z", 1, 0),  # the wildcard is the 5m
        ("159m33p", 6, 0),
        ("123456789m11p", 3, 0),  # the wildcards are a set
    ],
)
def test_three_runs_of_a_suit_are_a_straight(hand: str, wilds: int, suit_index: int) -> None:
    assert has_straight(t(hand), wilds, suit_index)


@pytest.mark.parametrize(
    ("hand", "wilds", "suit_index"),
    [
        ("123456789m11122z", 0, 1),  # of another suit
        ("123456m789p11122z", 0, 0),  # of two suits
        ("123456789m11223z", 0, 0),  # the rest is no set and pair
        ("11223344556789m", 0, 0),  # all nine ranks, but 12345 is left
        ("1234567m11122z33p", 0, 0),  # 8 and 9 are missing
        ("123m11p", 0, 0),
        ("11223344556699m", 0, 0),  # seven pairs and three pairs of runs, no 789
    ],
)
def test_other_hands_hold_no_straight(hand: str, wilds: int, suit_index: int) -> None:
    assert not has_straight(t(hand), wilds, suit_index)


def test_wildcards_needed_elsewhere_do_not_fill_a_straight() -> None:
    assert has_straight(t("12345678m11122z"), 1, 0)
    assert is_standard(t("12345678m1112z"), 2)
    assert not has_straight(t("12345678m1122z3p"), 1, 0)


# --- four of a kind with wildcards 四归一 -------------------------------------------------------


def test_a_natural_quad_takes_no_wildcard() -> None:
    assert quad_fillings(t("1111m23m"), 0) == ((0, 0),)


def test_a_kind_takes_as_many_wildcards_as_it_lacks_natural_quads_first() -> None:
    assert quad_fillings(t("11m222m3333m"), 1) == ((2, 0), (1, 1))
    assert quad_fillings(t("11m222m3333m"), 2) == ((2, 0), (1, 1), (0, 2))


def test_four_wildcards_can_stand_for_a_kind_that_is_not_in_the_hand() -> None:
    assert quad_fillings(t("1m"), 4, kinds=(0, 1)) == ((0, 3), (1, 4))
    assert len(quad_fillings(t("1m"), 4)) == KINDS


def test_no_kind_stands_four_times_without_wildcards_enough() -> None:
    assert quad_fillings(t("11m22m"), 1) == ()


# --- waits 听牌 --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123m456p789s55s67p", "58p"),
        ("1112345678999m", "123456789m"),  # nine gates
        ("1z", "1z"),  # 单吊
        ("11m22p", "1m2p"),
        ("11m22p33s44z55z66z7z", "7z"),  # seven pairs
        ("223344m55p66p77p8p", "58p"),  # seven pairs and 8 twice as a standard pair
        ("123m456p789s12z34z", ""),
        ("123m22p", ""),  # 3k+2 tiles do not wait
    ],
)
def test_a_hand_waits_for_the_kinds_that_complete_it(hand: str, expected: str) -> None:
    assert waits_text(hand) == expected


def test_only_the_kinds_asked_for_are_waits_and_in_their_order() -> None:
    assert waits(t("55s67p"), 0, t("8p5p1m")) == t("8p5p")
    assert waits(t("55s67p"), 0, t("5p")) == t("5p")


def test_a_wildcard_alone_in_hand_waits_for_every_kind() -> None:
    assert waits((), 1, NUMBERS) == NUMBERS


def test_a_wild_kind_comes_as_a_wildcard_so_every_ready_hand_waits_for_it() -> None:
    assert waits(t("55s67p"), 0, (*NUMBERS, ZHONG), (ZHONG,)) == t("58p5z")
    assert waits(t("55s67p"), 0, ALL, frozenset(t("1z"))) == t("58p1z")
    assert waits(t("55s19p"), 0, ALL, (ZHONG,)) == ()


def test_a_hand_with_its_wildcards_in_it_is_asked_through_split() -> None:
    hand = t("55s6p5z")
    assert waits(*split(hand, (ZHONG,)), NUMBERS, (ZHONG,), hand) == t("45678p5s")


def test_a_kind_of_which_the_hand_holds_all_four_is_no_wait() -> None:
    assert waits_text("1111m") == ""
    assert waits_text("1111m23m") == ""
    assert waits(t("1111m"), 0, ALL, held=t("1111m")) == ()


def test_a_kind_of_which_hand_and_melds_hold_all_four_is_no_wait() -> None:
    assert waits(t("1m"), 0, ALL, held=t("1m111m")) == ()
    assert waits(t("55s67p"), 0, ALL, held=t("55s67p8888p")) == t("5p")
    assert waits(t("55s67p"), 0, ALL, held=t("55s67p888p")) == t("58p")


def test_a_wild_kind_of_which_the_hand_holds_all_four_is_no_wait_either() -> None:
    hand = t("123m5555z")
    assert waits(*split(hand, (ZHONG,)), (0, ZHONG), (ZHONG,), hand) == (0,)


def test_a_hand_that_waits_only_for_its_own_fifth_copy_still_waits_for_a_wild_kind() -> None:
    assert waits(t("1111m"), 0, (*NUMBERS, ZHONG), (ZHONG,), held=t("1111m")) == (ZHONG,)


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

"""Winning shapes and waits 牌型: `ledger/rules/shapes.py` by example."""

from __future__ import annotations

import pytest

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
from ledger.tiles import KINDS, NUMBERS, ZHONG
from tests.rules.shapes_in_words import ALL, t, waits_text

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

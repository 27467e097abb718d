"""A3.2 and A4 of 耗子: what a hand waits for, what a tile is worth to it, how it is read."""

from __future__ import annotations

import pytest

from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import (
    Waiting,
    best_dealt_tile,
    may_declare,
    natural_waits,
    pattern,
    points,
    win_value,
)
from ledger.tiles import parse_tile, parse_tiles, tile_text, tiles_text
from tests.rules.haozi_table import read

NO_HONOURS = Options(variant="double_rat", with_honours=False)


def hand(concealed: str, melded: str = "", wilds: str = "1z") -> Waiting:
    return Waiting(parse_tiles(concealed), parse_tiles(melded), parse_tiles(wilds))


def waits(
    concealed: str, melded: str = "", wilds: str = "1z", options: Options | None = None
) -> str:
    return tiles_text(natural_waits(options or Options(), hand(concealed, melded, wilds)))


def value(concealed: str, tile: str, wilds: str = "1z", options: Options | None = None) -> int:
    return win_value(options or Options(), hand(concealed, "", wilds), parse_tile(tile))


# --- points -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "expected"),
    [("1m", 1), ("9p", 9), ("5s", 5), ("1z", 10), ("4z", 10), ("5z", 10), ("7z", 10)],
)
def test_a_number_tile_is_worth_its_number_and_an_honour_ten(tile: str, expected: int) -> None:
    assert points(parse_tile(tile)) == expected


# --- natural waits ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("concealed", "expected"),
    [
        ("123m456m789m78p22s", "69p"),
        ("123m456p789s55z44z", "45z"),
        ("123456789s11p78s", "369s"),
        ("234s345m55m45p678p", "369p"),
        ("11s22s44p66p88m99m3z", "3z"),
        ("147m258p369s1234z", ""),
    ],
)
def test_a_hand_waits_for_the_kinds_that_complete_it(concealed: str, expected: str) -> None:
    assert waits(concealed, wilds="6z") == expected


def test_a_wild_kind_is_never_a_wait() -> None:
    assert waits("123m456p789s55z66z", wilds="4z") == "56z"
    assert waits("123m456m789m78p22s", wilds="6p9s", options=NO_HONOURS) == "9p"


def test_two_wild_tiles_and_a_pair_wait_for_every_natural_kind() -> None:
    every = "123456789m123456789p123456789s134567z"
    assert waits("123m456p789s77z22z", wilds="2z") == every


def test_a_last_tile_that_is_wild_waits_for_every_natural_kind_in_play() -> None:
    every = "123456789m123456789p123456789s"
    assert waits("123m456m789m456p1z") == every + "234567z"
    assert waits("123m456m789m456p2s", wilds="2s9s", options=NO_HONOURS) == every.replace(
        "123456789s", "1345678s"
    )


def test_a_kind_of_which_the_player_has_all_four_is_no_wait() -> None:
    assert waits("123m456m789m78p22s") == "69p"
    assert waits("123m456m78p22s", "9999p") == "6p"
    assert waits("1111m234p456s777z") == ""
    assert waits("456m789m456p7z", "777z") == ""


def test_a_wild_tile_may_stand_for_a_kind_of_which_the_player_has_all_four() -> None:
    assert waits("12m1z456p789s5s", "3333m") == "5s"


def test_a_wild_tile_makes_seven_pairs() -> None:
    assert waits("11s22s44p66p88m9m3z1z") == "9m3z"


def test_copies_of_a_wild_kind_in_a_meld_are_what_they_are() -> None:
    assert waits("123m456m78p22s", "111z") == "69p"


# --- declaring --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("concealed", "floor", "expected"),
    [
        ("123m456m789m78p22s", 6, True),
        ("123m456m789m78p22s", 9, True),
        ("123m456m789m78p22s", 10, False),
        ("123m456m789m23p22s", 6, False),
        ("123m456m789m34p22s", 6, False),
        ("123m456m789m34p22s", 5, True),
        ("147m258p369s1234z", 0, False),
        ("1111m234p456s777z", 0, False),
    ],
)
def test_one_natural_wait_of_enough_points_is_enough_to_declare(
    concealed: str, floor: int, expected: bool
) -> None:
    assert may_declare(Options(min_declare_points=floor), hand(concealed)) is expected


# --- the value --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("concealed", "tile", "expected"),
    [
        ("123m456m789m78p22s", "6p", 6),
        ("123m456m789m78p22s", "9p", 9),
        ("123m456m789m78p22s", "1z", 9),
        ("123m456m789m78p22s", "5p", 0),
        ("123456789s11p78s", "3s", 3),
        ("123m456p789s55z44z", "5z", 10),
        ("123m456p789s55z44z", "1z", 10),
        ("123m456m789m456p1z", "9s", 9),
        ("123m456m789m456p1z", "1p", 1),
        ("123m456m789m456p1z", "1z", 10),
        ("147m258p369s1234z", "1z", 0),
        ("1111m234p456s777z", "1z", 0),
    ],
)
def test_a_natural_tile_is_worth_its_points_and_a_wild_one_the_best_wait(
    concealed: str, tile: str, expected: int
) -> None:
    assert value(concealed, tile) == expected


def test_without_honours_a_wild_tile_on_a_lone_wild_tile_is_worth_nine() -> None:
    assert value("123m456m789m456p2s", "2s", "2s9p", NO_HONOURS) == 9


# --- readings ---------------------------------------------------------------------------------


def test_a_hand_that_can_be_read_both_ways_is_told_as_four_sets_and_a_pair() -> None:
    assert read("112233m445566p8s", "8s") == "standard 8"


def test_seven_pairs_are_told_where_the_hand_is_nothing_else() -> None:
    assert read("11s22s44p66p88m99m3z", "3z") == "seven_pairs 10"
    assert read("1111s44p66p88m99m3z", "3z", wilds="2z") == "seven_pairs 10"


@pytest.mark.parametrize(
    ("concealed", "tile", "expected"),
    [
        ("123456789s11p78s", "9s", "standard 9"),
        ("1122334567899s", "9s", "standard 9"),
        ("11s22s44s55s77s88s9s", "9s", "seven_pairs 9"),
    ],
)
def test_one_suit_and_a_straight_and_seven_pairs_add_nothing(
    concealed: str, tile: str, expected: str
) -> None:
    assert read(concealed, tile) == expected


def test_wild_tiles_fill_both_shapes() -> None:
    assert pattern(parse_tiles("123m456m789m78p22s1z"), parse_tiles("1z")) == "standard"
    assert pattern(parse_tiles("11s22s44p66p88m99m3z7p"), parse_tiles("3m7p")) == "seven_pairs"


# --- a win as dealt ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("123m456m789m678p22s", "9m"),
        ("123m456m234m345p88s", "8s"),
        ("999m999p123s456s55p", "9m"),
        ("123m456m789m456p71z", "1z"),
        ("123m456m789m555z22s", "5z"),
    ],
)
def test_a_win_as_dealt_is_told_by_its_best_tile_of_equals_the_first(
    tiles: str, expected: str
) -> None:
    found = best_dealt_tile(Options(), parse_tiles(tiles), parse_tiles("1z"))
    assert tile_text(found) == expected

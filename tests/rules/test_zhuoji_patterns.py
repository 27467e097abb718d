"""B4 of 捉鸡: what a winning hand is read as, its value P, and what a hand waits for."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.zhuoji import Options
from ledger.rules.zhuoji.patterns import Holding, Reading, best_reading, best_wait, is_ready, waits
from ledger.tiles import parse_tile, parse_tiles, tiles_text
from tests.rules.table import self_draw
from tests.rules.zhuoji_table import ended, read, seat, settle

FOUR_PUNGS = "pung 2m B, pung 9p C, pung 4s D, pung 8s B"
EARTH = "1144m6699p33s"
"""Five pairs beside a pung of 8s."""


# --- 平胡, 大对子, 单吊 -------------------------------------------------------------------------


def test_four_sets_and_a_pair_are_ping_hu() -> None:
    assert read("123678m55p34578s", "9s") == "ping_hu 1"


def test_melds_make_no_other_pattern_of_it() -> None:
    assert read("123m55p34578s", "9s", "concealed 7m") == "ping_hu 1"


def test_triplets_and_a_pair_are_da_dui_zi() -> None:
    assert read("222m55p777s333m99p", "5p") == "da_dui_zi 5"
    assert read("222m55p77s", "7s", "pung 9p B, concealed 4s") == "da_dui_zi 5"


def test_triplets_count_rather_than_the_runs_they_could_be() -> None:
    assert read("222333444m55p77s", "7s") == "da_dui_zi 5"


def test_four_melds_and_the_pair_are_dan_diao_in_its_place() -> None:
    assert read("6p", "6p", FOUR_PUNGS) == "dan_diao 10"


def test_a_concealed_kong_counts_among_the_four_melds() -> None:
    assert read("6p", "6p", "pung 2m B, pung 9p C, pung 4s D, concealed 8s") == "dan_diao 10"


def test_three_melds_and_a_concealed_triplet_are_not_dan_diao() -> None:
    assert read("888s6p", "6p", "pung 2m B, pung 9p C, pung 4s D") == "da_dui_zi 5"


# --- 七对, 龙七对 -----------------------------------------------------------------------------


def test_seven_pairs_are_qi_dui() -> None:
    assert read("1144m6699p33588s", "5s") == "qi_dui 10"


def test_four_of_a_kind_held_before_are_two_pairs_and_no_dragon() -> None:
    assert read("14444m6699p3388s", "1m") == "qi_dui 10"


def test_the_fourth_of_a_kind_held_three_times_makes_the_dragon() -> None:
    assert read("11444m6699p3388s", "4m") == "long_qi_dui 20"


def test_several_fours_are_one_dragon() -> None:
    assert read("11114446666p33s", "4p") == "long_qi_dui 20"
    assert read("111144m6666p333s", "3s") == "long_qi_dui 20"


def test_seven_pairs_count_rather_than_the_runs_they_could_be() -> None:
    assert read("112233m445566p7s", "7s") == "qi_dui 10"


# --- 地龙 -------------------------------------------------------------------------------------


def test_a_pung_and_five_pairs_are_di_long_with_the_fourth_of_the_pung() -> None:
    assert read(EARTH, "8s", "pung 8s B", di_long=True) == "di_long 30"


def test_four_of_a_kind_are_two_of_the_five_pairs() -> None:
    assert read("1111m6699p33s", "8s", "pung 8s B", di_long=True) == "di_long 30"


@pytest.mark.parametrize(
    ("hand", "melded", "options"),
    [
        (EARTH, "pung 8s B", Options()),
        (EARTH, "pung 7s B", Options(di_long=True)),
        (EARTH, "concealed 7s", Options(di_long=True)),
        ("1144m669p33s", "pung 8s B, pung 9p C", Options(di_long=True)),
        ("1144m6679p33s", "pung 8s B", Options(di_long=True)),
    ],
)
def test_there_is_no_di_long_without_the_option_another_meld_or_other_pairs(
    hand: str, melded: str, options: Options
) -> None:
    pungs = [words.split()[1] for words in melded.split(", ") if words.startswith("pung")]
    kongs = [words.split()[1] for words in melded.split(", ") if words.startswith("conc")]
    holding = Holding(parse_tiles(hand), _kinds(pungs), _kinds(kongs))
    assert best_reading(holding, parse_tile("8s"), options) is None


def _kinds(texts: list[str]) -> tuple[int, ...]:
    return tuple(map(parse_tile, texts))


# --- one suit ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "tile", "melded", "found"),
    [
        ("3445567899m", "9m", "added 2m D", "qing_yi_se 10"),
        ("222444666m88m33m", "3m", "", "qing_da_dui 15"),
        ("6p", "6p", "pung 2p B, pung 9p C, pung 4p D, concealed 8p", "shuang_qing 20"),
        ("1133557799m446m", "6m", "", "qing_qi_dui 20"),
        ("2233445566777s", "7s", "", "qing_long_bei 30"),
        ("1133557799m", "8m", "pung 8m B", "qing_di_long 40"),
    ],
)
def test_one_suit_adds_ten_and_makes_ping_hu_ten(
    hand: str, tile: str, melded: str, found: str
) -> None:
    assert read(hand, tile, melded, di_long=True) == found


def test_one_suit_looks_at_the_melds_and_the_winning_tile_too() -> None:
    assert read("3445567899m", "9m", "added 2s D") == "ping_hu 1"
    assert read("5p", "5p", "pung 2m B, pung 9m C, pung 4m D, pung 8m B") == "dan_diao 10"


def test_the_reading_worth_most_counts() -> None:
    """223344556677 are runs too: seven pairs of one suit are worth twice as much."""
    assert read("2233445566778s", "8s") == "qing_qi_dui 20"


# --- 天胡, 通三 -------------------------------------------------------------------------------


def test_four_of_a_kind_dealt_to_the_dealer_are_two_pairs_and_no_dragon() -> None:
    win = self_draw("A", "4m", first_turn=True)
    found = settle(ended({"A": seat("11444m6699p3388s")}, win, dealer="A"))
    assert [(one.patterns, one.value) for one in found.wins] == [(("qi_dui",), 10)]


@pytest.mark.parametrize(
    ("hand", "tile", "found"),
    [
        ("123678m55p34578s", "9s", "ping_hu 3"),
        ("222m55p777s333m99p", "5p", "da_dui_zi 8"),
        ("3445567899m222m", "9m", "qing_yi_se 13"),
        ("11444m6699p3388s", "4m", "long_qi_dui 23"),
    ],
)
def test_tong_san_makes_ping_hu_three_and_adds_three_to_the_rest(
    hand: str, tile: str, found: str
) -> None:
    assert read(hand, tile, dealer_mode="tong_san") == found


# --- waits ------------------------------------------------------------------------------------


def waiting(
    hand: str, pungs: str = "", kongs: str = "", void: str | None = None, **options: Any
) -> str:
    """What a hand waits for, in run form."""
    held = Holding(parse_tiles(hand), parse_tiles(pungs), parse_tiles(kongs), void)  # type: ignore[arg-type]
    return tiles_text(waits(held, Options(**options)))


def test_a_hand_waits_for_what_makes_sets_or_seven_pairs() -> None:
    assert waiting("123678m55p34578s") == "69s"
    assert waiting("1144m6699p33588s") == "5s"
    assert waiting("139m145668p2368s") == ""


def test_a_kind_of_which_all_four_are_held_is_no_wait() -> None:
    assert waiting("1111m") == ""
    assert waiting("123m55p34578s", kongs="9s") == "6s"


def test_di_long_waits_for_the_kind_of_its_pung_where_it_is_played() -> None:
    assert waiting(EARTH, pungs="8s", di_long=True) == "8s"
    assert waiting(EARTH, pungs="8s") == ""


def test_a_hand_may_wait_for_di_long_and_sets_at_once() -> None:
    assert waiting("1122334455m", pungs="8s", di_long=True) == "1245m8s"
    assert waiting("1122334455m", pungs="8s") == "1245m"


def test_a_hand_waits_for_nothing_while_a_tile_of_its_void_suit_is_in_it() -> None:
    assert waiting("123678m3455578p", void="s") == "69p"
    assert waiting("123678m3455578p", void="m") == ""
    assert waiting("123m3455578p", pungs="6s", void="s") == ""
    assert waiting("123m3455578p", kongs="6s", void="s") == ""


@pytest.mark.parametrize(
    ("holding", "options", "found"),
    [
        (Holding(parse_tiles("123678m55p34578s")), Options(), True),
        (Holding(parse_tiles("139m145668p2368s")), Options(), False),
        (Holding(parse_tiles("1111m")), Options(), False),
        (Holding(parse_tiles("8s9s9s9s"), pungs=parse_tiles("1m9p"), kongs=(3,)), Options(), True),
        (Holding(parse_tiles("123m55p34578s"), kongs=parse_tiles("9s")), Options(), True),
        (Holding(parse_tiles(EARTH), pungs=parse_tiles("8s")), Options(), False),
        (Holding(parse_tiles(EARTH), pungs=parse_tiles("8s")), Options(di_long=True), True),
        (Holding(parse_tiles("123678m55p34578s"), void_suit="p"), Options(), False),
    ],
)
def test_a_hand_is_ready_if_it_waits_for_anything(
    holding: Holding, options: Options, found: bool
) -> None:
    assert is_ready(holding, options) is found


def test_the_best_wait_is_the_one_worth_most() -> None:
    hand = Holding(parse_tiles("1234566788s"), kongs=parse_tiles("9s"))
    assert best_wait(hand, Options()) == Reading("qing_yi_se", 10)
    dragon = Holding(parse_tiles("11444m6699p3388s"))
    assert best_wait(dragon, Options()) == Reading("long_qi_dui", 20)
    assert best_wait(Holding(parse_tiles("139m145668p2368s")), Options()) is None


def test_a_hand_with_its_void_suit_wins_with_nothing() -> None:
    hand = Holding(parse_tiles("123678m55p34578s"), void_suit="p")
    assert best_reading(hand, parse_tile("9s"), Options()) is None

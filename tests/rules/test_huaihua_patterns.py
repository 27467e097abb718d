"""C4 of 怀化: what a winning hand is read as, and its value F."""

from __future__ import annotations

import pytest

from ledger.outcome import AfterKong
from ledger.rules.catalog import settle
from tests.rules.table import ended, on_discard, read, refusal_of, seat, self_draw

EVERY = [
    "long_qi_dui",
    "jiang_jiang_hu",
    "ban_ban_hu",
    "tian_hu",
    "di_hu",
    "si_gui_yi",
    "yi_tiao_long",
    "que_yi_se",
]


# --- 平胡, 七对, 龙七对 -------------------------------------------------------------------------


def test_a_hand_without_a_big_pattern_is_ping_hu_and_counts_once() -> None:
    assert read("123m456p789s55s67p", "8p", patterns=EVERY) == "ping_hu ×1"


def test_seven_pairs_are_one_big_pattern() -> None:
    assert read("11m33m55m77p99p22s8s", "8s") == "qi_dui ×2"


def test_seven_pairs_count_more_than_the_runs_they_could_be() -> None:
    assert read("112233m445566p7s", "7s") == "qi_dui ×2"


def test_four_of_a_kind_are_two_pairs_and_nothing_more_without_the_option() -> None:
    assert read("11m3333m55p77p99s6s", "6s") == "qi_dui ×2"


def test_the_dragon_of_seven_pairs_counts_in_addition_to_seven_pairs() -> None:
    hand = "11m3333m55p77p99s6s"
    assert read(hand, "6s", patterns=["long_qi_dui"]) == "qi_dui long_qi_dui ×4"


def test_several_quads_are_one_dragon() -> None:
    hand = "1111m3333m55p77p9s"
    assert read(hand, "9s", patterns=["long_qi_dui"]) == "qi_dui long_qi_dui ×4"


def test_a_wild_tile_is_the_fourth_of_the_quad() -> None:
    found = read("11m333m55p77p99s66s", "5z", zhong_wild=True, patterns=["long_qi_dui"])
    assert found == "qi_dui long_qi_dui ×4"


def test_two_wild_tiles_are_a_second_pair_of_any_kind() -> None:
    found = read("11m33m55p77p99s66s5z", "5z", zhong_wild=True, patterns=["long_qi_dui"])
    assert found == "qi_dui long_qi_dui ×4"


def test_a_wild_tile_that_must_pair_a_single_makes_no_dragon() -> None:
    found = read("11m33m55p77p99s66s5z", "8s", zhong_wild=True, patterns=["long_qi_dui"])
    assert found == "qi_dui ×2"


# --- 碰碰胡, 清一色, 将将胡 ---------------------------------------------------------------------


def test_all_triplets_are_one_big_pattern() -> None:
    assert read("222m444p666s88s99p", "9p") == "peng_peng_hu ×2"


def test_pungs_and_kongs_of_every_sort_are_triplets() -> None:
    melded = "pung 2m B, concealed 4p, exposed 6s C, added 9p D"
    assert read("8s", "8s", melded) == "peng_peng_hu ×2"


def test_a_wild_tile_completes_a_triplet() -> None:
    assert read("222m44p5z666s88s99p", "9p", zhong_wild=True) == "peng_peng_hu ×2"


def test_triplets_count_more_than_the_runs_they_could_be() -> None:
    assert read("222333444m55p66s", "6s") == "peng_peng_hu ×2"


def test_one_suit_with_wild_tiles_is_still_one_suit() -> None:
    assert read("12345678m99m1m55z", "2m", zhong_wild=True) == "qing_yi_se ×2"


def test_one_suit_may_be_seven_pairs() -> None:
    assert read("1133557799m44m2m", "2m") == "qi_dui qing_yi_se ×4"


def test_one_suit_looks_at_the_melds_too() -> None:
    assert read("123456m7899m", "9m", "pung 1m B") == "qing_yi_se ×2"
    assert read("123456m7899m", "9m", "pung 1p B") == "ping_hu ×1"


def test_one_suit_and_all_triplets_add() -> None:
    assert read("222444666m88m33m", "3m") == "peng_peng_hu qing_yi_se ×4"


def test_all_two_five_eight_in_triplets_is_also_all_triplets() -> None:
    found = read("222m555m888p22s55s", "5s", patterns=["jiang_jiang_hu"])
    assert found == "peng_peng_hu jiang_jiang_hu ×4"


def test_all_two_five_eight_may_be_seven_pairs() -> None:
    found = read("22m55m88m22p55p88p2s", "2s", patterns=["jiang_jiang_hu"])
    assert found == "qi_dui jiang_jiang_hu ×4"


def test_all_two_five_eight_ignores_wild_tiles_and_looks_at_melds() -> None:
    chosen = ["jiang_jiang_hu"]
    found = read("222m55m5z888p5s", "5s", "pung 2p B", zhong_wild=True, patterns=chosen)
    assert found == "peng_peng_hu jiang_jiang_hu ×4"
    found = read("222m55m5z888p5s", "5s", "pung 3p B", zhong_wild=True, patterns=chosen)
    assert found == "peng_peng_hu ×2"


def test_all_two_five_eight_without_the_option_is_only_what_it_is_besides() -> None:
    assert read("222m555m888p22s55s", "5s") == "peng_peng_hu ×2"


def test_all_two_five_eight_wins_only_with_a_complete_hand() -> None:
    hand = seat("22m55m88m22p55p8p2s5s")
    outcome = ended({"A": hand}, self_draw("A", "8s"), patterns=["jiang_jiang_hu"])
    assert refusal_of(outcome) == ("hand_not_complete", "/wins/0")


# --- 杠上开花 ---------------------------------------------------------------------------------


def test_the_replacement_tile_of_a_touzi_wins_one_big_pattern_more() -> None:
    assert read("123m456p55s67p", "8p", "exposed 9s C", touzi=True) == "gang_shang_kai_hua ×2"


def test_without_touzi_a_replacement_tile_wins_as_any_other() -> None:
    assert read("123m456p55s67p", "8p", "exposed 9s C") == "ping_hu ×1"


def test_the_replacement_tile_adds_to_what_the_hand_is() -> None:
    found = read("111m444p55s77p", "7p", "added 9s C", touzi=True)
    assert found == "peng_peng_hu gang_shang_kai_hua ×4"


# --- 天胡, 地胡 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "chosen", "found"),
    [
        (True, ["tian_hu"], "tian_hu ×2"),
        (True, ["di_hu"], "ping_hu ×1"),
        (False, ["di_hu"], "di_hu ×2"),
        (False, ["tian_hu"], "ping_hu ×1"),
    ],
)
def test_a_first_turn_win_is_tian_hu_for_the_dealer_and_di_hu_for_the_others(
    dealer: bool, chosen: list[str], found: str
) -> None:
    hand = "123m456p789s55s67p"
    assert read(hand, "8p", first_turn=True, dealer=dealer, patterns=chosen) == found


def test_di_hu_may_be_a_discard_before_the_first_draw() -> None:
    hand = "123m456p789s55s67p"
    assert read(hand, "8p", how="discard", first_turn=True, patterns=EVERY) == "di_hu ×2"


def test_di_hu_is_never_a_robbed_tile() -> None:
    hand = "123m456p789s55s67p"
    assert read(hand, "8p", how="rob_kong", first_turn=True, patterns=EVERY) == "ping_hu ×1"


def test_a_later_win_is_no_di_hu() -> None:
    assert read("123m456p789s55s67p", "8p", patterns=["di_hu"]) == "ping_hu ×1"


def test_di_hu_adds_to_seven_pairs_and_one_suit() -> None:
    found = read("1133557799m44m2m", "2m", first_turn=True, patterns=EVERY)
    assert found == "qi_dui qing_yi_se di_hu ×8"


@pytest.mark.parametrize(("dealer", "name"), [(True, "tian_hu"), (False, "di_hu")])
def test_tian_hu_and_di_hu_absorb_what_the_deal_alone_would_win(dealer: bool, name: str) -> None:
    hand = "111m333m444m666p9p"
    found = read(hand, "9p", first_turn=True, dealer=dealer, patterns=EVERY)
    assert found == f"peng_peng_hu {name} ×4"


def test_tian_hu_absorbs_four_wild_tiles() -> None:
    hand = "123m456p789s5555z"
    found = read(
        hand, "1m", first_turn=True, dealer=True, zhong_wild=True, patterns=["tian_hu", "que_yi_se"]
    )
    assert found == "tian_hu ×2"


# --- 四归一 -----------------------------------------------------------------------------------


def test_four_of_a_kind_as_a_triplet_and_in_a_run_are_four_in_one() -> None:
    hand = "33345m678p77s"
    assert read(hand, "3m", "pung 9s B", patterns=["si_gui_yi"]) == "si_gui_yi ×2"
    assert read(hand, "3m", "pung 9s B") == "ping_hu ×1"


def test_a_wild_tile_stands_for_one_of_the_four_unless_the_house_says_otherwise() -> None:
    def found(*, wild: bool) -> str:
        return read(
            "3345m5z678p77s",
            "3m",
            "pung 9s B",
            zhong_wild=True,
            patterns=["si_gui_yi"],
            si_gui_yi_wild=wild,
        )

    assert found(wild=True) == "si_gui_yi ×2"
    assert found(wild=False) == "ping_hu ×1"


def test_natural_fours_count_where_wild_tiles_may_not() -> None:
    found = read(
        "33345m67p5z77s",
        "3m",
        "pung 9s B",
        zhong_wild=True,
        patterns=["si_gui_yi"],
        si_gui_yi_wild=False,
    )
    assert found == "si_gui_yi ×2"


def test_a_wild_tile_may_make_the_four_of_all_triplets() -> None:
    found = read("222m444p666s777s8s", "5z", zhong_wild=True, patterns=["si_gui_yi"])
    assert found == "peng_peng_hu ×2"
    found = read("222m444p666s777s5z", "7s", zhong_wild=True, patterns=["si_gui_yi"])
    assert found == "peng_peng_hu si_gui_yi ×4"


def test_a_pung_and_the_fourth_in_the_hand_are_not_four_in_one() -> None:
    hand = "345m678p77s55p"
    assert read(hand, "5p", "pung 3m B", patterns=["si_gui_yi"]) == "ping_hu ×1"


def test_a_kong_is_not_four_in_one() -> None:
    hand = "456m678p77s55p"
    assert read(hand, "5p", "concealed 3m", patterns=["si_gui_yi"]) == "ping_hu ×1"


def test_several_fours_are_one_four_in_one() -> None:
    assert read("333344445m7s", "7s", "pung 9s B", patterns=["si_gui_yi"]) == "si_gui_yi ×2"


def test_four_in_one_adds_to_seven_pairs() -> None:
    hand = "11m3333m55p77p99s6s"
    assert read(hand, "6s", patterns=["si_gui_yi"]) == "qi_dui si_gui_yi ×4"


def test_four_in_one_and_the_dragon_never_count_together_and_the_dragon_is_told() -> None:
    hand = "11m3333m55p77p99s6s"
    found = read(hand, "6s", patterns=["si_gui_yi", "long_qi_dui"])
    assert found == "qi_dui long_qi_dui ×4"


# --- 一条龙 -----------------------------------------------------------------------------------


def test_a_straight_is_one_big_pattern_where_chosen() -> None:
    assert read("12345678m55p678s", "9m", patterns=["yi_tiao_long"]) == "yi_tiao_long ×2"
    assert read("12345678m55p678s", "9m") == "ping_hu ×1"


def test_a_wild_tile_fills_a_straight() -> None:
    found = read("1234567m5z55p678s", "9m", zhong_wild=True, patterns=["yi_tiao_long"])
    assert found == "yi_tiao_long ×2"


def test_a_straight_of_three_suits_is_none() -> None:
    assert read("123m456p789s55s67p", "8p", patterns=["yi_tiao_long"]) == "ping_hu ×1"


def test_all_nine_numbers_that_are_not_three_runs_are_no_straight() -> None:
    assert read("1112345678899m", "9m", patterns=["yi_tiao_long"]) == "qing_yi_se ×2"


def test_a_straight_adds_to_four_in_one() -> None:
    found = read("123456789m33m55p", "3m", patterns=["yi_tiao_long", "si_gui_yi"])
    assert found == "si_gui_yi yi_tiao_long ×4"


# --- 杠上炮 -----------------------------------------------------------------------------------


def test_a_discard_after_a_touzi_is_no_big_pattern_for_who_wins_it() -> None:
    """C22: 杠上炮 is not a 大胡."""
    outcome = ended(
        {
            "A": seat("123m456p789s55s67p"),
            "B": seat("111m222m33m44m", "exposed 1p C", frozen=True),
        },
        on_discard("A", "8p", "B"),
        after=AfterKong("exposed", touzi=True),
        win_mode="discard",
    )
    assert settle(outcome).wins[0].patterns == ("ping_hu",)

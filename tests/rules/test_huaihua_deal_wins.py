"""C3.8 and C4 of 怀化: the wins that the dealt tiles alone give, 板板胡, 缺一色 and 四红中."""

from __future__ import annotations

from typing import Any

from tests.rules.table import ended, on_discard, read, refusal_of, seat, self_draw


def first(hand: str, tile: str, **options: Any) -> str:
    """What A's first turn is read as; A is no dealer unless said."""
    return read(hand, tile, first_turn=True, **options)


def refused(hand: str, tile: str, *, dealer: str = "D", **options: Any) -> bool:
    """Whether A's first turn is no win at all."""
    win = self_draw("A", tile, first_turn=True)
    outcome = ended({"A": seat(hand)}, win, dealer=dealer, **options)
    return refusal_of(outcome) == ("hand_not_complete", "/wins/0")


# --- 板板胡 -----------------------------------------------------------------------------------


def test_dealt_tiles_without_two_five_eight_win_in_any_shape() -> None:
    assert first("1346m1379p13467s", "9s", patterns=["ban_ban_hu"]) == "ban_ban_hu ×2"


def test_the_drawn_tile_may_be_a_two_five_or_eight() -> None:
    assert first("1346m1379p13467s", "5s", patterns=["ban_ban_hu"]) == "ban_ban_hu ×2"


def test_all_fourteen_tiles_of_the_dealer_must_lack_two_five_eight() -> None:
    hand = "1346m1379p13467s"
    assert first(hand, "9s", dealer=True, patterns=["ban_ban_hu"]) == "ban_ban_hu ×2"
    assert refused(hand, "5s", dealer="A", patterns=["ban_ban_hu"])


def test_a_single_dealt_five_spoils_it() -> None:
    assert refused("1356m1379p13467s", "9s", patterns=["ban_ban_hu"])


def test_a_wild_tile_is_not_looked_at() -> None:
    found = first("1346m1379p1346s5z", "9s", zhong_wild=True, patterns=["ban_ban_hu"])
    assert found == "ban_ban_hu ×2"


def test_without_the_option_such_a_deal_is_no_win() -> None:
    assert refused("1346m1379p13467s", "9s", patterns=["que_yi_se"])


# --- 缺一色 -----------------------------------------------------------------------------------


def test_dealt_tiles_that_lack_a_suit_win_in_any_shape() -> None:
    assert first("1357899m1246s88s", "3s", patterns=["que_yi_se"]) == "que_yi_se ×2"


def test_the_drawn_tile_may_be_of_the_missing_suit() -> None:
    assert first("1357899m1246s88s", "3p", patterns=["que_yi_se"]) == "que_yi_se ×2"


def test_the_fourteenth_tile_of_the_dealer_may_not_be_of_the_missing_suit() -> None:
    hand = "1357899m1246s88s"
    assert first(hand, "3s", dealer=True, patterns=["que_yi_se"]) == "que_yi_se ×2"
    assert refused(hand, "3p", dealer="A", patterns=["que_yi_se"])


def test_a_wild_tile_is_no_suit() -> None:
    found = first("1357899m1246s8s5z", "3s", zhong_wild=True, patterns=["que_yi_se"])
    assert found == "que_yi_se ×2"


def test_all_three_suits_dealt_is_no_win() -> None:
    assert refused("1357899m1246s8s1p", "3s", patterns=["que_yi_se"])


# --- 四红中 -----------------------------------------------------------------------------------


def test_four_wild_tiles_dealt_win_in_any_shape_as_a_small_win() -> None:
    assert first("149m258p369s5555z", "2m", zhong_wild=True) == "si_hong_zhong ×1"


def test_three_wild_tiles_dealt_and_the_fourth_drawn_do_not() -> None:
    assert refused("149m258p3699s555z", "5z", zhong_wild=True)


def test_the_dealer_has_his_four_among_fourteen() -> None:
    found = first("149m258p3699s555z", "5z", dealer=True, zhong_wild=True)
    assert found == "si_hong_zhong ×1"


def test_four_wild_tiles_in_a_complete_hand_are_told_as_ping_hu() -> None:
    assert first("123m456p789s5555z", "2m", zhong_wild=True) == "ping_hu ×1"


def test_a_big_pattern_by_the_deal_is_worth_more_than_four_wild_tiles() -> None:
    found = first("149m2588p36p5555z", "2m", zhong_wild=True, patterns=["que_yi_se"])
    assert found == "que_yi_se ×2"


# --- when --------------------------------------------------------------------------------------


def test_none_of_them_wins_on_a_discard() -> None:
    win = on_discard("A", "9s", "D", first_turn=True)
    outcome = ended(
        {"A": seat("1346m1379p13467s")},
        win,
        dealer="D",
        win_mode="discard",
        patterns=["ban_ban_hu", "di_hu"],
    )
    assert refusal_of(outcome) == ("hand_not_complete", "/wins/0")


def test_none_of_them_wins_after_the_first_turn() -> None:
    outcome = ended({"A": seat("1346m1379p13467s")}, self_draw("A", "9s"), patterns=["ban_ban_hu"])
    assert refusal_of(outcome) == ("hand_not_complete", "/wins/0")


# --- with other patterns -----------------------------------------------------------------------


def test_with_both_only_one_big_pattern_is_scored_and_ban_ban_hu_is_told() -> None:
    found = first("13467m13467s113s", "9s", patterns=["ban_ban_hu", "que_yi_se"])
    assert found == "ban_ban_hu ×2"


def test_a_plain_complete_hand_takes_the_pattern_of_its_deal() -> None:
    assert first("123m456m789s55s67s", "8s", patterns=["que_yi_se"]) == "que_yi_se ×2"


def test_the_deal_adds_to_all_triplets() -> None:
    found = first("111m333m555m77p99p", "9p", patterns=["que_yi_se"])
    assert found == "peng_peng_hu que_yi_se ×4"


def test_the_deal_adds_to_seven_pairs() -> None:
    found = first("11m33m44m66m77p99p1p", "1p", patterns=["que_yi_se", "ban_ban_hu"])
    assert found == "qi_dui ban_ban_hu ×4"


def test_the_deal_adds_to_one_suit_and_to_the_dragon() -> None:
    found = first("1133557799m33m2m", "2m", patterns=["que_yi_se", "long_qi_dui"])
    assert found == "qi_dui long_qi_dui qing_yi_se que_yi_se ×16"


def test_the_deal_and_four_in_one_exclude_each_other() -> None:
    found = first("333345678m11p99p", "9p", patterns=["si_gui_yi", "que_yi_se"])
    assert found == "si_gui_yi ×2"


def test_where_four_in_one_and_the_deal_are_worth_the_same_four_in_one_is_told() -> None:
    found = first("11m3333m55m77p99p6p", "6p", patterns=["si_gui_yi", "que_yi_se"])
    assert found == "qi_dui si_gui_yi ×4"


def test_the_deal_and_a_straight_exclude_each_other() -> None:
    found = first("12345678m11p999p", "9m", patterns=["yi_tiao_long", "que_yi_se"])
    assert found == "yi_tiao_long ×2"


def test_a_straight_with_four_in_one_is_worth_more_than_the_deal_alone() -> None:
    chosen = ["yi_tiao_long", "si_gui_yi", "que_yi_se"]
    assert first("123456789m33m55p", "3m", patterns=chosen) == "si_gui_yi yi_tiao_long ×4"


def test_tian_hu_not_chosen_leaves_the_deal_to_a_complete_dealer() -> None:
    hand = "111m333m444m666p9p"
    found = first(hand, "9p", dealer=True, patterns=["ban_ban_hu"])
    assert found == "peng_peng_hu ban_ban_hu ×4"

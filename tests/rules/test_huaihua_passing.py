"""C3.5, C3.6 and C3.8 of 怀化: wins on a discard, passed wins, and wins of the first turn."""

from __future__ import annotations

from ledger.hand import outcome
from tests.rules.table import Table, locks

B_WINS = "123m456p789s55s67p"
"""Waits for 5p and 8p; 平胡."""


# --- C3.5 -------------------------------------------------------------------------------------


def test_in_the_self_draw_mode_a_discard_is_not_won() -> None:
    table = Table("9m", hands={"A": "8p", "B": B_WINS, "D": "88p"})
    table.does("A discard 8p")
    assert table.log[-1] == "offered: D pung"
    assert table.refuses("B win") == "self_draw_only, huaihua/1 C3.5"


def test_in_the_discard_mode_it_is() -> None:
    table = Table("9m", hands={"A": "8p", "B": B_WINS}, win_mode="discard")
    table.does("A discard 8p")
    assert table.may("B") == ["win", "pass"]


def test_small_wins_may_be_kept_from_discards() -> None:
    hands = {"A": "8p", "B": B_WINS, "C": "11m33m55m44s77s22s8p"}
    table = Table("9m", hands=hands, win_mode="discard", no_small_discard=True)
    table.does("A discard 8p")
    assert table.log[-1] == "offered: C win"
    assert table.refuses("B win") == "small_win_on_discard, huaihua/1 C3.5"


def test_a_small_win_by_self_draw_is_never_kept_back() -> None:
    table = Table("8p", hands={"A": "1m", "B": B_WINS}, win_mode="discard", no_small_discard=True)
    table.does("A discard 1m")
    assert table.may("B") == ["win"]


# --- C3.6 -------------------------------------------------------------------------------------


def test_after_passing_a_win_a_seat_wins_no_discard_until_it_draws() -> None:
    hands = {"A": "8p", "C": B_WINS, "D": "55p"}
    table = Table("5p", hands=hands, win_mode="discard")
    table.does("A discard 8p", "C pass")
    assert locks(table.hand, "C") == ["discard_win own_draw"]
    assert table.does("B discard 5p")[-1] == "offered: D pung"
    assert table.refuses("C win") == "win_passed, huaihua/1 C3.6"


def test_the_own_next_draw_lifts_it() -> None:
    table = Table("9s9m5p", hands={"A": "8p", "C": B_WINS, "D": "2s"}, win_mode="discard")
    table.does("A discard 8p", "C pass", "B discard 9s")
    assert locks(table.hand, "C") == []
    table.does("C discard 9m")
    assert table.does("D discard 5p")[-1] == "offered: C win"


def test_a_replacement_tile_is_an_own_draw_too() -> None:
    hands = {"A": "8p", "C": "123m456p55s67888p"}
    table = Table("9s", hands=hands, win_mode="discard")
    table.does("A discard 8p", "C kong")
    assert table.log[-1] == "C replaces 9s"
    assert locks(table.hand, "C") == []


def test_a_pung_does_not_lift_it() -> None:
    hands = {"A": "8p", "C": "123m456p789s5588p"}
    table = Table("9s", hands=hands, win_mode="discard")
    table.does("A discard 8p", "C pung")
    assert locks(table.hand, "C") == ["discard_win own_draw"]


def test_a_house_may_bar_discards_for_the_rest_of_the_hand() -> None:
    table = Table(
        "9s9m5p",
        hands={"A": "8p", "C": B_WINS, "D": "2s", "B": "55p"},
        win_mode="discard",
        pass_win_lock="rest_of_hand",
    )
    table.does("A discard 8p", "C pass", "B discard 9s", "C discard 9m")
    assert locks(table.hand, "C") == ["discard_win hand"]
    assert table.does("D discard 5p")[-1] == "offered: B pung"
    assert table.refuses("C win") == "win_passed, huaihua/1 C3.6"


def test_a_house_may_forgive_a_passed_win() -> None:
    table = Table("5p", hands={"A": "8p", "C": B_WINS}, win_mode="discard", pass_win_lock="none")
    table.does("A discard 8p", "C pass")
    assert locks(table.hand, "C") == []
    assert table.does("B discard 5p")[-1] == "offered: C win"


def test_a_barred_seat_may_still_win_by_its_own_draw() -> None:
    table = Table(
        "9s5p",
        hands={"A": "8p", "C": B_WINS},
        win_mode="discard",
        pass_win_lock="rest_of_hand",
    )
    table.does("A discard 8p", "C pass", "B discard 9s")
    assert table.may("C") == ["win"]


def test_a_barred_seat_may_still_rob_a_kong() -> None:
    table = Table(
        "9m9m9m8p",
        hands={"A": "8p", "B": "88p6s", "C": B_WINS},
        win_mode="discard",
        pass_win_lock="rest_of_hand",
    )
    table.does("A discard 8p", "C pass", "B pung", "B discard 6s")
    table.does("C discard 9m", "D discard 9m", "A discard 9m")
    assert locks(table.hand, "C") == ["discard_win hand"]
    assert table.does("B kong 8p")[-1] == "offered: C win"


def test_passing_a_self_drawn_win_bars_nothing() -> None:
    table = Table("8p9s5p", hands={"A": "1m", "B": B_WINS}, win_mode="discard")
    table.does("A discard 1m", "B discard 8p")
    assert locks(table.hand, "B") == []
    table.does("C discard 9s")
    assert table.does("D discard 5p")[-1] == "offered: B win"


# --- C3.8 and the passing of first-turn wins (C3.6) -------------------------------------------

NO_258 = "1346m1379p13467s"


def test_the_deal_wins_at_the_first_draw_whatever_is_drawn() -> None:
    table = Table("5s", hands={"A": "9s", "B": NO_258}, patterns=["ban_ban_hu"])
    table.does("A discard 9s")
    assert table.may("B") == ["win"]
    table.does("B win")
    win = outcome(table.hand).wins[0]
    assert (win.tile, win.how, win.first_turn) == ("5s", "self_draw", True)


def test_a_first_turn_win_passed_once_is_lost() -> None:
    table = Table(
        "5s9m9m9m9p", hands={"A": "9s", "B": NO_258}, patterns=["ban_ban_hu", "que_yi_se"]
    )
    table.does("A discard 9s", "B discard 5s", "C discard 9m", "D discard 9m", "A discard 9m")
    assert table.log[-1] == "B draws 9p"
    assert table.may("B") == []
    assert table.refuses("B win") == "hand_not_complete, huaihua/1 C4"


def test_the_dealer_may_win_as_dealt_and_loses_it_by_a_kong() -> None:
    table = Table("9m", hands={"A": "1111m3m79p3467s1s66p"}, patterns=["ban_ban_hu"])
    assert table.may("A") == ["win", "kong 1m"]
    table.does("A kong 1m")
    assert table.may("A") == []


def test_an_own_meld_ends_the_first_turn() -> None:
    table = Table("9m", hands={"A": "3s", "B": "1346m1379p13367s"}, patterns=["ban_ban_hu"])
    table.does("A discard 3s", "B pung")
    assert table.may("B") == []


def test_a_seat_passed_over_still_has_its_first_turn() -> None:
    table = Table("9m5s", hands={"A": "2s", "B": NO_258, "D": "22s4p"}, patterns=["ban_ban_hu"])
    table.does("A discard 2s", "D pung", "D discard 4p", "A discard 9m")
    assert table.log[-1] == "B draws 5s"
    assert table.may("B") == ["win"]


def test_four_wild_tiles_dealt_may_win_at_the_first_draw_only() -> None:
    hands = {"A": "9s", "B": "149m258p369s5555z"}
    table = Table("2m9m9m9m9p", hands=hands, zhong_wild=True)
    table.does("A discard 9s")
    assert table.may("B") == ["win"]
    table.does("B discard 2m", "C discard 9m", "D discard 9m", "A discard 9m")
    assert table.may("B") == []


def test_three_wild_tiles_dealt_and_one_drawn_do_not_win() -> None:
    table = Table("5z", hands={"A": "1s", "B": "149m258p3699s555z"}, zhong_wild=True)
    table.does("A discard 1s")
    assert table.may("B") == []


def test_di_hu_may_be_a_discard_before_the_first_draw() -> None:
    table = Table(hands={"A": "8p", "B": B_WINS}, win_mode="discard", patterns=["di_hu"])
    table.does("A discard 8p", "B win")
    found = outcome(table.hand)
    assert (found.wins[0].how, found.wins[0].first_turn) == ("discard", True)
    assert table.rules.settle(found).wins[0].patterns == ("di_hu",)


def test_di_hu_on_a_discard_is_not_open_in_the_self_draw_mode() -> None:
    table = Table("9m", hands={"A": "8p", "B": B_WINS}, patterns=["di_hu"])
    assert table.does("A discard 8p") == ["A discards 8p", "B draws 9m"]


def test_a_win_after_the_first_discard_is_no_di_hu() -> None:
    table = Table("9s9m9m9m8p", hands={"A": "1m", "B": B_WINS}, patterns=["di_hu"])
    table.does("A discard 1m", "B discard 9s", "C discard 9m", "D discard 9m", "A discard 9m")
    table.does("B win")
    assert not outcome(table.hand).wins[0].first_turn
    assert table.rules.settle(outcome(table.hand)).wins[0].patterns == ("ping_hu",)

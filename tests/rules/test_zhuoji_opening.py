"""B3.0 and B3.6 of 捉鸡: what is asked before the first turn, 估卖, 天胡 and 硬报."""

from __future__ import annotations

from ledger.record import Choice
from ledger.rules import play
from tests.rules.table import NOW
from tests.rules.zhuoji_table import PLAIN, READY, Table

DEALT_WIN = "123456789m11p234s"
"""Fourteen tiles that are a plain win."""
BETS = "asked bet: A bet_0 bet_1 bet_2, B bet_0 bet_1 bet_2"


# --- the order --------------------------------------------------------------------------------


def test_at_an_ordinary_table_nothing_is_asked() -> None:
    table = Table()
    assert table.log == ["Dealt"]
    assert table.asked() == "A"


def test_everything_is_asked_in_its_order() -> None:
    """Bets, the deal, void suits, the dealer's win, the others' declarations, the first turn."""
    hands = {"A": "123456789m11234p", "B": "345678m5567788p"}
    table = Table(hands=hands, players=2, gumai=True, bets="01", voids="ss")
    assert table.log == [
        BETS,
        "answered: A bet_0",
        "answered: B bet_1",
        "bets: 0 1",
        "Dealt",
        "asked void_suit: A void_m void_p void_s, B void_m void_p void_s",
        "answered: A void_s",
        "answered: B void_s",
        "void suits: s s",
        "asked as_dealt: A win",
    ]
    assert table.does("A pass") == [
        "answered: A pass",
        "declared: nobody",
        "asked as_dealt: B declare",
    ]
    assert table.does("B declare") == ["answered: B declare", "declared: B"]
    assert table.asked() == "A"


# --- 估卖 -------------------------------------------------------------------------------------


def test_the_deal_waits_until_all_have_bet() -> None:
    table = Table(gumai=True)
    assert table.asked() == "ABCD"
    assert table.all("A") == ["bet 0", "bet 1", "bet 2"]
    assert table.does("C bet 2") == ["answered: C bet_2"]
    table.does("D bet 0", "B bet 1")
    assert (table.asked(), table.hand.taken) == ("A", 0)
    assert table.does("A bet 1") == ["answered: A bet_1", "bets: 1 1 2 0", "Dealt"]


def test_a_bet_is_unseen_until_all_are_shown() -> None:
    table = Table(players=2, gumai=True)
    table.does("B bet 2")
    seen = table.seen("A")
    assert seen.window is not None
    assert (seen.window.answers, seen.seats[1].bet) == ((None, None), 0)
    table.does("A bet 1")
    assert [seat.bet for seat in table.seen("A").seats] == [1, 2]


def test_a_bet_is_nought_one_or_two_and_is_made_once() -> None:
    table = Table(gumai=True)
    assert table.refuses("A bet") == "points_missing, common 11"
    assert table.refuses("A bet 3") == "points_missing, common 11"
    assert table.refuses("A pass") == "points_missing, common 11"
    assert table.refuses("A void m") == "points_missing, common 11"
    table.does("A bet 0")
    assert table.refuses("A bet 0") == "already_answered, common 4"


def test_who_lets_the_time_run_out_bets_nothing() -> None:
    table = Table(players=2, gumai=True, bets="2")
    happened = play.play(table.hand, Choice(1, "bet", points=0), table.rules, NOW, "timeout")
    table._fold(happened)
    assert [seat.bet for seat in table.hand.seats] == [2, 0]


def test_bets_are_asked_with_their_option_alone() -> None:
    assert Table().refuses("A bet 1") == "not_asked, common 4"


def test_bets_are_paid() -> None:
    """A's 天胡: 平胡 1, 自摸 1, 20, one for the dealer, and the bets of both."""
    table = Table(hands={"A": DEALT_WIN}, gumai=True, bets="2012", flip_mode="none")
    table.does("A win")
    assert table.settles().totals == (78, -25, -26, -27)


# --- 天胡 -------------------------------------------------------------------------------------


def test_a_dealer_with_a_dealt_win_is_asked_first_and_alone() -> None:
    table = Table(hands={"A": DEALT_WIN, "B": READY["B"]})
    assert table.log == ["Dealt", "asked as_dealt: A win"]
    assert table.all("A") == ["win", "pass"]
    assert table.refuses("A win 2m") == "not_with_this_action, common 5"
    assert table.refuses("A discard 1m") == "prompt_open, common 11"
    assert table.refuses("B declare") == "prompt_open, common 11"


def test_he_wins_with_the_first_of_his_tiles() -> None:
    table = Table("9p", hands={"A": DEALT_WIN, "B": READY["B"]})
    assert table.does("A win") == [
        "answered: A win",
        "A wins 1m self_draw",
        "flipped 9p",
        "ended: win",
    ]
    assert table.outcome().wins[0].first_turn
    assert table.outcome().seats[0].hand == "23456789m11p234s"


def test_it_counts_as_a_hard_declaration() -> None:
    """平胡 1, 自摸 1, 20, and one for the dealer."""
    table = Table(hands={"A": DEALT_WIN}, flip_mode="none")
    table.does("A win")
    assert table.settles().totals == (69, -23, -23, -23)


def test_four_of_a_kind_dealt_are_two_pairs() -> None:
    """七对 10, never 龙七对 20: 32 from each."""
    table = Table("9p", hands={"A": "11112233m445566p"})
    table.does("A win")
    assert table.settles().wins[0].patterns == ("qi_dui",)
    assert table.settles().totals == (96, -32, -32, -32)


def test_a_dealer_who_passes_does_not_declare_and_is_not_asked_again() -> None:
    table = Table("9p", hands={"A": DEALT_WIN})
    assert table.does("A pass") == ["answered: A pass", "declared: nobody"]
    assert table.hand.seats[0].declared is None
    assert table.may("A") == []
    assert table.refuses("A win") == "heavenly_win_passed, zhuoji/1 B3.6"


def test_a_replacement_tile_in_the_same_turn_is_a_win_of_its_own() -> None:
    """Passed with 111m and 123m, the hand kongs 1m and completes 23m with 4m 杠开."""
    table = Table("4m", hands={"A": "111123m55p456789s"})
    table.does("A pass")
    assert table.does("A kong 1m") == ["A kongs 1m concealed", "A replaces 4m"]
    assert table.may("A") == ["win"]
    table.does("A win")
    assert not table.outcome().wins[0].first_turn


def test_who_is_dealt_no_win_has_none_in_that_turn() -> None:
    assert Table(hands={"A": PLAIN + "9m"}).refuses("A win") == "hand_not_complete, zhuoji/1 B4"


def test_a_dealer_elsewhere_at_the_table_is_asked_just_so() -> None:
    table = Table(dealer="C", hands={"C": DEALT_WIN, "A": READY["B"]})
    assert table.log[-1] == "asked as_dealt: C win"
    assert table.does("C pass")[-1] == "asked as_dealt: A declare"


# --- 硬报 -------------------------------------------------------------------------------------


def test_all_who_are_ready_as_dealt_are_asked_together() -> None:
    table = Table(hands={"A": "9m", "B": PLAIN, "D": READY["D"]})
    assert table.log == ["Dealt", "asked as_dealt: B declare, D declare"]
    assert (table.asked(), table.all("B")) == ("BD", ["declare", "pass"])
    assert table.does("D declare") == ["answered: D declare"]
    assert table.does("B pass") == ["answered: B pass", "declared: D"]
    assert [seat.declared for seat in table.hand.seats] == [None, None, None, "hard"]


def test_until_they_have_answered_the_dealer_neither_discards_nor_kongs() -> None:
    table = Table("9p", hands={"A": "9999m", "B": PLAIN})
    assert table.asked() == "B"
    assert table.refuses("A discard 9m") == "prompt_open, common 11"
    assert table.refuses("A kong 9m") == "prompt_open, common 11"
    table.does("B pass")
    assert table.may("A") == ["kong 9m"]


def test_a_dealer_who_is_ready_is_not_asked() -> None:
    table = Table(hands={"A": PLAIN + "9m"})
    assert table.log == ["Dealt"]
    assert table.refuses("A declare") == "not_asked, common 4"


def test_who_is_not_ready_is_not_asked() -> None:
    table = Table(hands={"B": PLAIN})
    assert table.refuses("C declare") == "prompt_open, common 11"
    assert table.refuses("C pass") == "prompt_open, common 11"


def test_a_kind_of_which_one_holds_all_four_is_no_wait() -> None:
    """The hand would wait for 6s alone, of which it has all four."""
    assert Table(hands={"B": "123m456789p6666s"}).log == ["Dealt"]


def test_an_answer_is_unseen_until_all_are_shown_and_so_is_who_was_asked() -> None:
    table = Table(hands={"B": PLAIN, "D": READY["D"]})
    table.does("D declare")
    seen = table.seen("A")
    assert seen.window is not None
    assert (seen.window.may, seen.window.answers) == (((),) * 4, (None,) * 4)
    assert seen.seats[3].declared is None
    table.does("B pass")
    assert table.seen("A").seats[3].declared == "hard"


def test_both_questions_about_dealt_tiles_look_alike_to_the_others() -> None:
    win = Table(hands={"A": DEALT_WIN}).seen("C")
    ready = Table(hands={"B": PLAIN}).seen("C")
    assert win.window == ready.window


def test_who_passes_it_has_lost_nothing_else() -> None:
    table = Table("9m", hands={"A": "8m", "B": PLAIN}, undeclared="B")
    table.does("A discard 8m")
    assert table.declares("B") == ["6m", "9m"]


def test_a_hard_declaration_is_told_at_the_end_with_the_tiles_dealt() -> None:
    """Drawn by B himself: 平胡 1, 自摸 1, 硬报 20, and one from the dealer."""
    table = Table("9s9p", hands={"A": "8m", "B": PLAIN}, hard="B")
    table.does("A discard 8m", "B win")
    assert table.outcome().seats[1].declared == "hard"
    assert table.settles().totals == (-23, 67, -22, -22)

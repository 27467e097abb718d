"""B5.1 of 捉鸡: what a win is paid, in points worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import Outcome, Part, Payment, WinScore
from tests.rules.table import on_discard, robbing, self_draw
from tests.rules.zhuoji_table import (
    PLAIN,
    READY,
    after,
    dealt_in,
    ended,
    in_vain,
    ready,
    seat,
    settle,
    terms,
)

TRIPLETS = seat("222m55p77s", "pung 9p C, pung 4s D")
"""Waits for 5p and 7s; 大对子, 5 points."""
KONGED = seat("123m55p34578s", "concealed 7m")
"""Waits for 6s and 9s with a kong of 7m; 平胡."""


def drawn(**more: Any) -> Outcome:
    """A draws 9s and wins plainly."""
    return ended({"A": seat(PLAIN)}, self_draw("A", "9s"), **more)


# --- payers and terms -------------------------------------------------------------------------


def test_every_other_player_pays_a_self_draw() -> None:
    found = settle(drawn())
    assert terms(found, "win") == [
        "B>A 2: ping_hu 1, self_draw 1",
        "C>A 2: ping_hu 1, self_draw 1",
        "D>A 2: ping_hu 1, self_draw 1",
    ]
    assert found.totals == (6, -2, -2, -2)
    assert found.wins == (WinScore(0, ("ping_hu",), 1),)


def test_a_payment_cites_its_paragraph() -> None:
    parts = (Part("da_dui_zi", points=5),)
    assert dealt_in(TRIPLETS, "7s").payments == (Payment(1, 0, 5, "win", parts, "zhuoji/1 B5.1"),)


def test_three_players_pay_a_self_draw_between_two() -> None:
    hands = {"A": seat("123678m3455578p", void_suit="s")}
    hands |= {letter: seat("", void_suit="m") for letter in "BC"}
    found = settle(ended(hands, self_draw("A", "9p"), players=3, flip="2s", without="1s8p"))
    assert found.totals == (4, -2, -2)


def test_two_players_settle_between_themselves() -> None:
    hands = {"A": seat("123678m3455578p", void_suit="s"), "B": seat("", void_suit="m")}
    found = settle(ended(hands, self_draw("A", "9p"), players=2, flip="2s", without="1s8p"))
    assert found.totals == (2, -2)


def test_the_base_score_multiplies_the_sum() -> None:
    assert terms(settle(drawn(base_score=5)), "win")[0] == (
        "B>A 10: ping_hu 1, self_draw 1, base_score ×5"
    )


def test_each_winner_of_one_discard_is_paid_by_his_own_hand() -> None:
    wins = (on_discard("A", "7s", "C"), on_discard("D", "7s", "C"))
    hands = {"A": TRIPLETS, "D": seat("11m44m66p88p33s99s7s")}
    found = settle(ended(hands, *wins, without="1s3p"))
    assert terms(found, "win") == ["C>A 5: da_dui_zi 5", "C>D 10: qi_dui 10"]
    assert found.totals == (5, 0, -15, 10)


def test_winners_are_told_in_turn_order_from_the_discarder() -> None:
    wins = (on_discard("A", "7s", "C"), on_discard("D", "7s", "C"))
    hands = {"A": TRIPLETS, "D": seat("11m44m66p88p33s99s7s")}
    found = settle(ended(hands, *wins, without="1s3p"))
    assert [(win.seat, win.value) for win in found.wins] == [(3, 10), (0, 5)]


# --- M: self-draw, 杠开 -----------------------------------------------------------------------


def test_the_replacement_tile_of_a_kong_earns_three_instead_of_one() -> None:
    found = settle(ended({"A": KONGED}, self_draw("A", "9s"), after_kong=after("concealed")))
    assert terms(found, "win")[0] == "B>A 4: ping_hu 1, kong_draw_win 3"


def test_it_does_so_after_a_late_kong_too() -> None:
    hands = {"A": seat("123m55p34578s", "late concealed 7m")}
    kong = after("concealed", late=True)
    found = settle(ended(hands, self_draw("A", "9s"), after_kong=kong))
    assert terms(found, "win")[0] == "B>A 4: ping_hu 1, kong_draw_win 3"


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("double", "B>A 10: da_dui_zi 5, self_draw_doubles 5"),
        ("both", "B>A 11: da_dui_zi 5, self_draw_doubles 5, self_draw 1"),
    ],
)
def test_a_self_draw_may_double_the_pattern(mode: str, told: str) -> None:
    found = settle(ended({"A": TRIPLETS}, self_draw("A", "7s"), self_draw_mode=mode))
    assert terms(found, "win")[0] == told


@pytest.mark.parametrize("mode", ["double", "both"])
def test_where_it_doubles_a_kong_still_earns_three_and_a_discard_is_not_doubled(mode: str) -> None:
    kong = after("concealed")
    hand = {"A": KONGED}
    found = settle(ended(hand, self_draw("A", "9s"), after_kong=kong, self_draw_mode=mode))
    assert terms(found, "win")[0] == "B>A 5: ping_hu 1, self_draw_doubles 1, kong_draw_win 3"
    assert terms(dealt_in(TRIPLETS, "7s", self_draw_mode=mode), "win") == ["B>A 5: da_dui_zi 5"]


# --- R: 硬报, 软报, 天胡, 杀听 ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("hard", "B>A 22: ping_hu 1, self_draw 1, hard_ready 20"),
        ("soft", "B>A 12: ping_hu 1, self_draw 1, soft_ready 10"),
    ],
)
def test_a_declaration_is_added_to_the_pattern(declared: str, told: str) -> None:
    found = settle(ended({"A": seat(PLAIN, declared=declared)}, self_draw("A", "9s")))
    assert terms(found, "win")[0] == told


def test_a_win_as_dealt_is_worth_a_hard_declaration() -> None:
    found = settle(drawn_as_dealt())
    assert terms(found, "win")[0] == "B>A 22: ping_hu 1, self_draw 1, tian_hu 20"


def drawn_as_dealt(**more: Any) -> Outcome:
    """The dealer A wins with the tiles dealt."""
    win = self_draw("A", "9s", first_turn=True)
    return ended({"A": seat(PLAIN)}, win, dealer="A", **more)


def test_the_first_draw_of_another_seat_is_an_ordinary_self_draw() -> None:
    found = settle(ended({"A": seat(PLAIN)}, self_draw("A", "9s", first_turn=True)))
    assert terms(found, "win")[0] == "B>A 2: ping_hu 1, self_draw 1"


@pytest.mark.parametrize(("declared", "points"), [("hard", 20), ("soft", 10)])
def test_a_declared_payer_pays_for_it_and_the_others_do_not(declared: str, points: int) -> None:
    hands = {"A": seat(PLAIN)} | ready("B", declared=declared)
    found = settle(ended(hands, self_draw("A", "9s")))
    assert terms(found, "win") == [
        f"B>A {points + 2}: ping_hu 1, self_draw 1, kill_declared {points}",
        "C>A 2: ping_hu 1, self_draw 1",
        "D>A 2: ping_hu 1, self_draw 1",
    ]


def test_winner_and_payer_may_both_have_declared() -> None:
    hands = {"A": seat(PLAIN, declared="soft")} | ready("B", declared="hard")
    found = settle(ended(hands, on_discard("A", "9s", "B")))
    assert terms(found, "win") == ["B>A 31: ping_hu 1, soft_ready 10, kill_declared 20"]


def test_by_house_rule_the_larger_of_pattern_and_declaration_counts_alone() -> None:
    house: dict[str, Any] = {"ready_bonus_adds_to_pattern": False}
    soft = {"A": seat(PLAIN, declared="soft")}
    found = settle(ended(soft, self_draw("A", "9s"), **house))
    assert terms(found, "win")[0] == "B>A 11: self_draw 1, soft_ready 10"
    assert in_vain(found) == ["A ping_hu: larger_counts (zhuoji/1 B5.1)"]
    dragon = {"A": seat("11444m6699p3388s", declared="soft")}
    found = settle(ended(dragon, self_draw("A", "4m"), without="1s3p", **house))
    assert terms(found, "win")[0] == "B>A 21: long_qi_dui 20, self_draw 1"
    assert in_vain(found) == ["A soft_ready: larger_counts (zhuoji/1 B5.1)"]


def test_of_equals_the_pattern_counts_and_a_doubled_pattern_is_compared_doubled() -> None:
    house: dict[str, Any] = {"ready_bonus_adds_to_pattern": False, "self_draw_mode": "double"}
    pairs = {"A": seat("1144m6699p33588s", declared="hard")}
    found = settle(ended(pairs, self_draw("A", "5s"), without="1s3p", **house))
    assert terms(found, "win")[0] == "B>A 20: qi_dui 10, self_draw_doubles 10"


def test_by_house_rule_a_win_as_dealt_counts_alone_too_and_who_has_not_declared_as_ever() -> None:
    found = settle(drawn_as_dealt(ready_bonus_adds_to_pattern=False))
    assert terms(found, "win")[0] == "B>A 21: self_draw 1, tian_hu 20"
    assert settle(drawn(ready_bonus_adds_to_pattern=False)).totals == (6, -2, -2, -2)


# --- Z: dealer --------------------------------------------------------------------------------


def test_one_two_adds_a_point_where_the_dealer_wins_or_pays() -> None:
    assert settle(drawn(dealer="A", dealer_mode="one_two")).totals == (9, -3, -3, -3)
    found = settle(drawn(dealer="B", dealer_mode="one_two"))
    assert terms(found, "win")[:2] == [
        "B>A 3: ping_hu 1, self_draw 1, one_two 1",
        "C>A 2: ping_hu 1, self_draw 1",
    ]


def test_streak_adds_as_many_points_as_hands_the_dealer_has_dealt() -> None:
    found = settle(drawn(dealer="C", streak=3, dealer_mode="streak"))
    assert terms(found, "win")[1] == "C>A 5: ping_hu 1, self_draw 1, streak 3"
    assert found.totals == (9, -2, -5, -2)


@pytest.mark.parametrize(("streak", "points"), [(1, 2), (3, 4)])
def test_by_house_rule_the_first_hand_of_a_streak_counts_nothing(streak: int, points: int) -> None:
    found = settle(drawn(dealer="B", streak=streak, dealer_mode="streak", streak_first_hand=0))
    assert found.totals == (4 + points, -points, -2, -2)


@pytest.mark.parametrize("mode", ["none", "tong_san"])
def test_the_dealer_makes_no_difference_otherwise(mode: str) -> None:
    told = {"none": (6, -2, -2, -2), "tong_san": (9, -3, -3, -3)}
    assert settle(drawn(dealer="A", streak=9, dealer_mode=mode)).totals == told[mode]


# --- 通三 -------------------------------------------------------------------------------------


def test_tong_san_raises_the_pattern_and_adds_nothing_for_a_self_draw() -> None:
    found = settle(drawn(dealer_mode="tong_san"))
    assert terms(found, "win")[0] == "B>A 3: ping_hu 3"
    assert in_vain(found) == ["A self_draw 9s: tong_san (zhuoji/1 B5.1)"]


def test_tong_san_keeps_the_three_of_a_replacement_tile() -> None:
    kong = after("concealed")
    found = settle(
        ended({"A": KONGED}, self_draw("A", "9s"), after_kong=kong, dealer_mode="tong_san")
    )
    assert terms(found, "win")[0] == "B>A 6: ping_hu 3, kong_draw_win 3"
    assert in_vain(found) == []


@pytest.mark.parametrize("mode", ["double", "both"])
def test_tong_san_never_gives_the_point_of_a_self_draw(mode: str) -> None:
    found = settle(drawn(dealer_mode="tong_san", self_draw_mode=mode))
    assert terms(found, "win")[0] == "B>A 6: ping_hu 3, self_draw_doubles 3"


def test_a_win_as_dealt_has_no_point_for_its_self_draw_under_tong_san() -> None:
    found = settle(drawn_as_dealt(dealer_mode="tong_san"))
    assert terms(found, "win")[0] == "B>A 23: ping_hu 3, tian_hu 20"


# --- H: 热炮 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kong", "plain", "tong_san"),
    [
        ("concealed 7m", 1, 9),
        ("added 7m C", 1, 9),
        ("exposed 7m C", 1, 6),
        ("late concealed 7m", 1, 1),
        ("late added 7m C", 1, 1),
    ],
)
def test_the_first_discard_after_a_kong_costs_more(kong: str, plain: int, tong_san: int) -> None:
    how = kong.removeprefix("late ").split()[0]
    behind = after(how, late=kong.startswith("late"))
    hands = {"A": seat("222m44p777s333m99p"), "B": seat("", kong)}
    outcome = ended(hands, on_discard("A", "4p", "B"), after_kong=behind)
    assert terms(settle(outcome), "win") == [f"B>A {5 + plain}: da_dui_zi 5, hot_deal_in {plain}"]
    by_three = ended(hands, on_discard("A", "4p", "B"), after_kong=behind, dealer_mode="tong_san")
    assert terms(settle(by_three), "win") == [
        f"B>A {8 + tong_san}: da_dui_zi 8, hot_deal_in {tong_san}"
    ]


def test_after_a_kong_every_winner_of_the_discard_is_paid_more() -> None:
    hands = {"A": TRIPLETS, "D": seat("11m44m66p88p33s99s7s"), "C": seat("", "concealed 1p")}
    wins = (on_discard("A", "7s", "C"), on_discard("D", "7s", "C"))
    found = settle(ended(hands, *wins, after_kong=after("concealed"), without="1s3p"))
    assert found.totals == (6, 0, -17, 11)


# --- Q: 抢杠 ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["none", "tong_san"])
def test_a_robbed_kong_costs_nine(mode: str) -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "pung 9s C")}
    found = settle(
        ended(hands, robbing("A", "9s", "B"), after_kong=after("added"), dealer_mode=mode)
    )
    assert (
        terms(found, "win")
        == {
            "none": ["B>A 10: ping_hu 1, rob_kong 9"],
            "tong_san": ["B>A 12: ping_hu 3, rob_kong 9"],
        }[mode]
    )
    assert in_vain(found) == ["B added_kong 9s: robbed (zhuoji/1 B3.9)"]


def test_a_late_kong_robbed_costs_the_pattern_alone() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "pung 9s C")}
    kong = after("added", late=True)
    found = settle(ended(hands, robbing("A", "9s", "B"), after_kong=kong))
    assert terms(found, "win") == ["B>A 1: ping_hu 1"]
    assert in_vain(found) == [
        "A rob_kong 9s: late (zhuoji/1 B5.1)",
        "B added_kong 9s: robbed (zhuoji/1 B3.9)",
    ]


def test_several_robbers_are_each_paid() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "pung 9s D"), "C": seat("345345m77744p78s")}
    wins = (robbing("A", "9s", "B"), robbing("C", "9s", "B"))
    found = settle(ended(hands, *wins, after_kong=after("added")))
    assert found.totals == (10, -20, 10, 0)


# --- G: 估卖 ----------------------------------------------------------------------------------


def bets(**more: Any) -> Outcome:
    hands = {
        "A": seat(PLAIN, bet=2),
        "B": seat(READY["B"], bet=1),
        "C": seat(READY["C"]),
        "D": seat(READY["D"], bet=2),
    }
    return ended(hands, self_draw("A", "9s"), gumai=True, **more)


def test_the_bets_of_winner_and_payer_are_added() -> None:
    assert terms(settle(bets()), "win") == [
        "B>A 5: ping_hu 1, self_draw 1, gumai 3",
        "C>A 4: ping_hu 1, self_draw 1, gumai 2",
        "D>A 6: ping_hu 1, self_draw 1, gumai 4",
    ]


def test_the_base_score_multiplies_bets_unless_the_house_says_otherwise() -> None:
    assert terms(settle(bets(base_score=3)), "win")[0] == (
        "B>A 15: ping_hu 1, self_draw 1, gumai 3, base_score ×3"
    )
    assert terms(settle(bets(base_score=3, base_scales_gumai=False)), "win")[0] == (
        "B>A 9: ping_hu 1, self_draw 1, base_score ×3, gumai 3"
    )


# --- everything at once -----------------------------------------------------------------------


def test_all_terms_add_in_their_order() -> None:
    hands = {
        "A": seat("222m44p777s333m99p", declared="soft", bet=1),
        "B": seat("", "concealed 1p", bet=2),
    }
    found = settle(
        ended(
            hands,
            on_discard("A", "4p", "B"),
            dealer="B",
            streak=2,
            after_kong=after("concealed"),
            dealer_mode="streak",
            gumai=True,
            base_score=2,
        )
    )
    assert terms(found, "win") == [
        "B>A 42: da_dui_zi 5, soft_ready 10, streak 2, hot_deal_in 1, gumai 3, base_score ×2"
    ]

"""B5.4 of 捉鸡: a drawn hand 荒庄, its comparison of hands 查叫, and a dissolved one."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import Payment, SeatOutcome
from tests.rules.table import paid
from tests.rules.zhuoji_table import PLAIN, READY, ended, first, in_vain, ready, seat, settle, terms

REASON = "ready_check"


def drawn(seats: dict[str, SeatOutcome], **more: Any) -> list[str]:
    """What is paid for ready hands when nobody has won."""
    return terms(settle(ended(seats, **more)), REASON)


# --- 查叫 -------------------------------------------------------------------------------------


def test_each_unready_player_pays_each_ready_one_his_best_pattern() -> None:
    hands = {"A": seat(PLAIN), "B": seat("11444m6699p3388s")}
    assert drawn(hands) == [
        "C>A 1: ping_hu 1",
        "D>A 1: ping_hu 1",
        "C>B 20: long_qi_dui 20",
        "D>B 20: long_qi_dui 20",
    ]


def test_the_payments_cite_their_paragraph() -> None:
    found = settle(ended(ready("ABC")))
    assert [one.rule for one in found.payments] == ["zhuoji/1 B5.4"] * 3
    assert found.totals == (1, 1, 1, -3)
    assert found.wins == ()


def test_nobody_pays_where_all_are_ready_or_none_is() -> None:
    assert drawn(ready("ABCD")) == []
    assert drawn({}) == []


def test_di_long_is_a_wait_where_it_is_played() -> None:
    hands = {"A": seat("1144m6699p33s", "pung 8s B")}
    assert drawn(hands, di_long=True)[0] == "B>A 30: di_long 30"
    assert drawn(hands) == []


def test_tong_san_and_the_base_score_count_and_nothing_else() -> None:
    hands = ready("A", declared="hard", bet=2) | {"D": seat("", bet=1)}
    more = {"dealer": "D", "gumai": True, "base_score": 2}
    assert drawn(hands, dealer_mode="tong_san", **more)[2] == "D>A 6: ping_hu 3, base_score ×2"
    assert drawn(hands, dealer_mode="one_two", **more)[2] == "D>A 2: ping_hu 1, base_score ×2"
    double = drawn(hands, self_draw_mode="double", **more)
    assert double[2] == "D>A 2: ping_hu 1, base_score ×2"


def test_a_hand_with_its_void_suit_is_not_ready() -> None:
    hands = {
        "A": seat(PLAIN, void_suit="p"),
        "B": seat("123678m3456678p", void_suit="s"),
        "C": seat("", void_suit="m"),
    }
    found = ended(hands, players=3, without="1s8p")
    assert terms(settle(found), REASON) == ["A>B 1: ping_hu 1", "C>B 1: ping_hu 1"]


# --- kongs and chickens -----------------------------------------------------------------------


def test_kongs_of_ready_players_are_paid_and_of_others_not() -> None:
    hands = {
        "A": seat("123m55p34578s", "concealed 7m"),
        "B": seat("23445699m67s", "exposed 1p D"),
        "C": seat("", "added 9p B"),
    }
    found = settle(ended(hands))
    assert paid(found, "kong") == ["B>A 3", "C>A 3", "D>A 3", "D>B 3"]
    assert in_vain(found) == ["C added_kong 9p: not_ready (zhuoji/1 B5.4)"]


def test_default_and_week_chickens_of_ready_players_are_paid_by_all_others() -> None:
    hands = {"A": seat("11s456m678m789p67s"), "B": seat(READY["B"], "", "1s")}
    found = settle(ended(hands, firsts=(first("1s", "B"),), week_ji=True, weekday=6))
    assert terms(found, "chickens") == [
        "B>A 5: yao_ji 2, week_ji 3",
        "C>A 5: yao_ji 2, week_ji 3",
        "D>A 5: yao_ji 2, week_ji 3",
        "A>B 4: charge_yao_ji 2, week_ji 2",
        "C>B 4: charge_yao_ji 2, week_ji 2",
        "D>B 4: charge_yao_ji 2, week_ji 2",
    ]


def test_a_ready_taker_of_the_first_chicken_is_paid_by_its_discarder() -> None:
    hands = {"B": seat("22678m57p789s", "pung 1s D")}
    found = settle(ended(hands, firsts=(first("1s", "D", "B"),)))
    assert paid(found, "responsibility_chicken") == ["D>B 1"]


def test_an_unready_taker_pays_nobody_and_gets_nothing() -> None:
    hands = {"B": seat("", "pung 1s D")} | ready("D")
    found = settle(ended(hands, firsts=(first("1s", "D", "B"),)))
    assert paid(found, "responsibility_chicken") == []
    assert in_vain(found) == [
        "B yao_ji 1s: not_ready (zhuoji/1 B5.4)",
        "B responsibility_chicken 1s: not_ready (zhuoji/1 B5.4)",
    ]


def test_unready_players_pay_nothing_for_what_they_have_laid_out() -> None:
    hands = {"C": seat("", "concealed 9p", "1s")} | ready("AB")
    found = settle(ended(hands, firsts=(first("1s", "C"),), dealer_mode="tong_san"))
    assert {one.reason for one in found.payments} == {REASON}


def test_by_house_rule_hands_alone_are_compared() -> None:
    hands = {
        "A": seat("123m55p34578s", "concealed 7m"),
        "B": seat("22456m57p789s", "pung 1s D"),
    }
    taken = (first("1s", "D", "B"),)
    found = settle(ended(hands, firsts=taken, draw_scores_ready_players=False))
    assert paid(found, REASON) == ["C>A 1", "D>A 1", "C>B 1", "D>B 1"]
    assert found.totals == (2, 2, -2, -2)
    assert in_vain(found) == [
        "A concealed_kong 7m: drawn_hand (zhuoji/1 B5.4)",
        "B yao_ji 1s: drawn_hand (zhuoji/1 B5.4)",
        "B responsibility_chicken 1s: drawn_hand (zhuoji/1 B5.4)",
    ]


# --- dissolved --------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["none", "tong_san"])
def test_nobody_pays_anything_for_a_dissolved_hand(mode: str) -> None:
    hands = {
        "A": seat("123m55p34578s", "concealed 7m"),
        "B": seat("22456m57p789s", "pung 1s D"),
        "C": seat("", "late concealed 9p"),
    }
    taken = (first("1s", "D", "B"),)
    found = settle(ended(hands, end="dissolved", firsts=taken, dealer_mode=mode))
    nothing: tuple[Payment, ...] = ()
    assert found.payments == nothing
    assert in_vain(found) == [
        "A concealed_kong 7m: dissolved (zhuoji/1 B5.4)",
        "C concealed_kong 9p: dissolved (zhuoji/1 B5.4)",
        "B yao_ji 1s: dissolved (zhuoji/1 B5.4)",
        "B responsibility_chicken 1s: dissolved (zhuoji/1 B5.4)",
    ]

"""B5.2 of 捉鸡: who is paid for kongs 豆, and who is not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import on_discard, paid, robbing, self_draw
from tests.rules.zhuoji_table import PLAIN, after, ended, in_vain, ready, seat, settle, terms

KONGS = ["concealed 1p", "added 1p C", "exposed 1p C"]
WAITING = "123678m55p78s"
"""With a meld it waits for 6s and 9s."""


@pytest.mark.parametrize(
    ("kong", "payments"),
    [
        ("concealed 1p", ["A>B 3", "C>B 3", "D>B 3"]),
        ("added 1p C", ["A>B 3", "C>B 3", "D>B 3"]),
        ("exposed 1p C", ["C>B 3"]),
        ("pung 1p C", []),
    ],
)
def test_a_ready_owner_is_paid_by_the_sort_of_his_kong(kong: str, payments: list[str]) -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(WAITING, kong)}
    found = settle(ended(hands, self_draw("A", "4p")))
    assert paid(found, "kong") == payments
    assert in_vain(found) == []


def test_a_winner_is_paid_for_his_kongs_each() -> None:
    hands = {"A": seat("23455s78m", "concealed 1p, exposed 7p C")}
    found = settle(ended(hands, self_draw("A", "9m")))
    assert paid(found, "kong") == ["B>A 3", "C>A 3", "C>A 3", "D>A 3"]


def test_the_base_score_multiplies_them_and_nothing_else_does() -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(WAITING, "exposed 1p C", bet=2)}
    found = settle(ended(hands, self_draw("A", "4p"), base_score=4, gumai=True))
    assert terms(found, "kong") == ["C>B 12: exposed_kong 3, base_score ×4"]
    assert {one.rule for one in found.payments if one.reason == "kong"} == {"zhuoji/1 B5.2"}


@pytest.mark.parametrize("kong", ["late concealed 1p", "late added 1p C"])
def test_a_late_kong_earns_nothing(kong: str) -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(WAITING, kong)}
    found = settle(ended(hands, self_draw("A", "4p")))
    assert paid(found, "kong") == []
    how = kong.split()[1]
    assert in_vain(found) == [f"B {how}_kong 1p: late (zhuoji/1 B5.2)"]


@pytest.mark.parametrize("kong", KONGS)
def test_an_unready_owner_gets_nothing(kong: str) -> None:
    hands = {"A": seat(PLAIN), "B": seat("", kong)}
    found = settle(ended(hands, self_draw("A", "9s")))
    assert paid(found, "kong") == []
    assert in_vain(found) == [f"B {kong.split(maxsplit=1)[0]}_kong 1p: not_ready (zhuoji/1 B5.2)"]


@pytest.mark.parametrize("waiting", [WAITING, ""])
def test_who_deals_in_right_after_a_kong_gets_nothing_for_any(waiting: str) -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(waiting, "added 1p C")}
    found = settle(ended(hands, on_discard("A", "4p", "B"), after_kong=after("added")))
    assert paid(found, "kong") == []
    assert in_vain(found) == ["B added_kong 1p: burned (zhuoji/1 B5.2)"]


def test_who_is_robbed_gets_nothing_for_his_other_kongs_either() -> None:
    hands = {"A": seat(PLAIN), "B": seat("55p78m345m", "pung 9s D, concealed 1p")}
    found = settle(ended(hands, robbing("A", "9s", "B"), after_kong=after("added")))
    assert paid(found, "kong") == []
    assert in_vain(found) == [
        "B added_kong 9s: robbed (zhuoji/1 B3.9)",
        "B concealed_kong 1p: burned (zhuoji/1 B5.2)",
    ]


def test_a_discarder_whose_kong_lies_further_back_is_paid_for_it() -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(WAITING, "exposed 1p C")}
    found = settle(ended(hands, on_discard("A", "4p", "B")))
    assert paid(found, "kong") == ["C>B 3"]


# --- house rule -------------------------------------------------------------------------------


def test_by_house_rule_kongs_of_unready_players_are_paid() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "concealed 1p, late concealed 7p")}
    found = settle(ended(hands, self_draw("A", "9s"), unready_kong_scores=True))
    assert paid(found, "kong") == ["A>B 3", "C>B 3", "D>B 3"]
    assert in_vain(found) == ["B concealed_kong 7p: late (zhuoji/1 B5.2)"]


def test_even_so_not_those_of_a_burned_player() -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat("", "added 1p C")}
    win = on_discard("A", "4p", "B")
    found = settle(ended(hands, win, after_kong=after("added"), unready_kong_scores=True))
    assert paid(found, "kong") == []


def test_even_so_not_on_a_drawn_hand() -> None:
    found = settle(ended({"B": seat("", "concealed 1p")}, unready_kong_scores=True))
    assert paid(found, "kong") == []
    assert in_vain(found) == ["B concealed_kong 1p: not_ready (zhuoji/1 B5.4)"]


# --- 通三 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kong", KONGS)
def test_tong_san_makes_an_unready_owner_pay_every_live_player(kong: str) -> None:
    hands = {"A": seat(PLAIN), "B": seat("", kong)} | ready("C")
    found = settle(ended(hands, self_draw("A", "9s"), dealer_mode="tong_san"))
    assert paid(found, "kong") == []
    assert paid(found, "kong_penalty") == ["B>A 3", "B>C 3"]
    assert terms(found, "kong_penalty")[0] == f"B>A 3: {kong.split(maxsplit=1)[0]}_kong 3"


def test_tong_san_asks_nothing_for_a_late_kong_or_of_a_ready_owner() -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat("", "late concealed 1p")}
    hands["C"] = seat(WAITING, "exposed 7p D")
    found = settle(ended(hands, self_draw("A", "4p"), dealer_mode="tong_san"))
    assert paid(found, "kong_penalty") == []
    assert paid(found, "kong") == ["D>C 3"]


def test_a_burned_owner_who_is_unready_still_pays_and_a_ready_one_does_not() -> None:
    def penalties(waiting: str) -> list[str]:
        hands = {"A": seat("222m44p777s333m99p"), "B": seat(waiting, "added 1p C")}
        win = on_discard("A", "4p", "B")
        kong = after("added")
        return paid(
            settle(ended(hands, win, after_kong=kong, dealer_mode="tong_san")), "kong_penalty"
        )

    assert penalties("") == ["B>A 3"]
    assert penalties(WAITING) == []


def test_a_burned_player_is_paid_no_penalty() -> None:
    hands = {
        "A": seat("222m44p777s333m99p"),
        "B": seat(WAITING, "added 1p C"),
        "C": seat("", "concealed 7p"),
    }
    win = on_discard("A", "4p", "B")
    found = settle(ended(hands, win, after_kong=after("added"), dealer_mode="tong_san"))
    assert paid(found, "kong_penalty") == ["C>A 3"]


def test_the_penalty_stands_where_kongs_of_unready_players_would_be_paid() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "concealed 1p")}
    house: dict[str, Any] = {"unready_kong_scores": True, "dealer_mode": "tong_san"}
    found = settle(ended(hands, self_draw("A", "9s"), **house))
    assert paid(found, "kong") == []
    assert paid(found, "kong_penalty") == ["B>A 3"]


def test_the_base_score_multiplies_the_penalty() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "concealed 1p")}
    found = settle(ended(hands, self_draw("A", "9s"), base_score=2, dealer_mode="tong_san"))
    assert terms(found, "kong_penalty") == ["B>A 6: concealed_kong 3, base_score ×2"]

"""B5.3.3 and B5.3.4 of 捉鸡: what unready players pay 包鸡, and who is responsible 责任鸡."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import SeatOutcome, Settlement
from tests.rules.table import on_discard, paid, robbing, self_draw
from tests.rules.zhuoji_table import (
    PLAIN,
    after,
    ended,
    first,
    in_vain,
    ready,
    seat,
    settle,
    terms,
)

RIVER_STANDS = (first("1s", "B"),)
"""B discarded the first 幺鸡, and nobody took it."""


def drawn(seats: dict[str, SeatOutcome], **more: Any) -> Settlement:
    """A draws 9s and wins plainly without a chicken."""
    return settle(ended({"A": seat(PLAIN)} | seats, self_draw("A", "9s"), **more))


# --- 包鸡, 包冲锋鸡 ---------------------------------------------------------------------------


def test_an_unready_player_pays_every_live_one_for_the_default_chickens_he_has_laid_out() -> None:
    hands = {"C": seat("139m14568p236s57m", "", "11s")} | ready("B")
    found = drawn(hands, firsts=(first("1s", "C"),))
    assert terms(found, "chicken_liability") == [
        "C>A 3: charge_yao_ji 2, yao_ji 1",
        "C>B 3: charge_yao_ji 2, yao_ji 1",
    ]
    rules = {one.rule for one in found.payments if one.reason == "chicken_liability"}
    assert rules == {"zhuoji/1 B5.3.3"}


@pytest.mark.parametrize(
    ("melded", "firsts", "points"),
    [
        ("pung 1s D", (first("1s", "D", "C"),), 3),
        ("exposed 1s D", (first("1s", "D", "C"),), 4),
        ("concealed 1s", (), 4),
    ],
)
def test_he_pays_for_those_in_his_melds_concealed_kongs_included(
    melded: str, firsts: Any, points: int
) -> None:
    found = drawn({"C": seat("", melded)}, firsts=firsts)
    assert paid(found, "chicken_liability") == [f"C>A {points}"]


def test_he_pays_nothing_for_chickens_in_his_hand_or_of_another_sort() -> None:
    hands = {"C": seat("1s139m1468p236s57m", "", "3p5s")}
    found = drawn(hands, weekday=5, week_ji=True, full_hall_ji=True)
    assert paid(found, "chicken_liability") == []


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"flip": "9s"}, 6),
        ({"flip": "9s", "gold_doubles_liability": False}, 3),
        ({"dealer_mode": "tong_san"}, 4),
        ({"dealer_mode": "tong_san", "flip": "9s"}, 8),
        ({"base_score": 2}, 6),
        ({"flip": "1s", "ben_ji": True, "ben_on_default": "plus_one", "full_hall_ji": True}, 3),
    ],
)
def test_gold_tong_san_and_base_count_for_what_he_pays(
    options: dict[str, Any], points: int
) -> None:
    """The first 1s and another stand in C's river: 2 + 1."""
    hands = {"C": seat("139m14568p236s57m", "", "11s")}
    found = drawn(hands, firsts=(first("1s", "C"),), **options)
    assert paid(found, "chicken_liability") == [f"C>A {points}"]


def test_he_pays_for_8p_four_if_it_was_the_first_and_two_else() -> None:
    hands = {"C": seat("139m14567p236s57m", "", "88p")}
    found = drawn(hands, firsts=(first("8p", "C"),), wugu_ji=True)
    assert terms(found, "chicken_liability") == ["C>A 6: charge_wugu_ji 4, wugu_ji 2"]


def test_a_burned_player_who_is_unready_pays_and_a_ready_one_does_not() -> None:
    def found(waiting: str) -> list[str]:
        hands = {"A": seat("222m44p777s333m99p"), "B": seat(waiting, "added 1p C", "1s")}
        win = on_discard("A", "4p", "B")
        outcome = ended(hands, win, after_kong=after("added"), firsts=RIVER_STANDS)
        return paid(settle(outcome), "chicken_liability")

    assert found("") == ["B>A 2"]
    assert found("123678m55p78s") == []


def test_a_burned_player_is_paid_nothing_by_the_unready() -> None:
    hands = {
        "A": seat("222m44p777s333m99p"),
        "B": seat("123678m55p78s", "added 1p C"),
        "C": seat("", "", "1s"),
    }
    win = on_discard("A", "4p", "B")
    found = settle(ended(hands, win, after_kong=after("added"), firsts=(first("1s", "C"),)))
    assert paid(found, "chicken_liability") == ["C>A 2"]


# --- 责任鸡 -----------------------------------------------------------------------------------

TAKEN = (first("1s", "D", "B"),)
"""D discarded the first 1s, and B took it."""
TAKER = "22678m57p789s"
"""Waits for 6p beside a pung."""


def responsibility(seats: dict[str, SeatOutcome], firsts: Any = TAKEN, **more: Any) -> list[str]:
    return terms(drawn(seats, firsts=firsts, **more), "responsibility_chicken")


@pytest.mark.parametrize("meld", ["pung", "exposed"])
@pytest.mark.parametrize("discarder", ["", "ready"])
def test_who_discarded_the_first_pays_a_live_taker_whatever_his_own_state(
    meld: str, discarder: str
) -> None:
    hands = {"B": seat(TAKER, f"{meld} 1s D")} | (ready("D") if discarder else {})
    assert responsibility(hands) == ["D>B 1: responsibility_yao_ji 1"]


def test_for_8p_he_pays_two() -> None:
    hands = {"B": seat("22678m57p789s", "pung 8p D")}
    firsts = (first("8p", "D", "B"),)
    assert responsibility(hands, firsts, wugu_ji=True) == ["D>B 2: responsibility_wugu_ji 2"]


def test_each_winner_who_took_it_is_paid() -> None:
    hands = {"A": seat("123678m55p78923s", declared="soft"), "D": seat("222m44p777s333m11s")}
    wins = (on_discard("A", "1s", "B"), on_discard("D", "1s", "B"))
    found = settle(ended(hands, *wins, firsts=(first("1s", "B", "AD"),), dealer="C"))
    assert paid(found, "responsibility_chicken") == ["B>A 1", "B>D 1"]


def test_an_unready_taker_pays_a_live_discarder_instead() -> None:
    hands = {"B": seat("", "pung 1s D")} | ready("D")
    assert responsibility(hands) == ["B>D 1: responsibility_yao_ji 1"]


def test_between_two_unready_players_nobody_pays() -> None:
    found = drawn({"B": seat("", "pung 1s D")}, firsts=TAKEN)
    assert paid(found, "responsibility_chicken") == []
    told = "B responsibility_chicken 1s: not_ready (zhuoji/1 B5.3.4)"
    assert told in in_vain(found)


def burned_taker(waiting: str, **seats: SeatOutcome) -> Settlement:
    """B took D's first 1s, and deals in right after a kong of 9m."""
    hands = {"A": seat("222m44p777s333m66p"), "B": seat(waiting, "pung 1s D, concealed 9m")}
    win = on_discard("A", "4p", "B")
    return settle(ended(hands | seats, win, after_kong=after("concealed"), firsts=TAKEN))


def test_a_burned_taker_who_is_ready_gets_nothing_and_pays_nothing() -> None:
    found = burned_taker("55p78s678m", **ready("D"))
    assert paid(found, "responsibility_chicken") == []
    assert "B responsibility_chicken 1s: burned (zhuoji/1 B5.3.4)" in in_vain(found)


def test_a_burned_taker_who_is_unready_pays() -> None:
    found = burned_taker("", D=seat("456m55p56788s345s"))
    assert paid(found, "responsibility_chicken") == ["B>D 1"]


def test_a_burned_discarder_is_not_paid_by_an_unready_taker_but_pays_a_live_one() -> None:
    def found(taker: str) -> list[str]:
        hands = {
            "A": seat("222m44p777s333m66p"),
            "B": seat(taker, "pung 1s D"),
            "D": seat("456m55p56788s", "concealed 9m"),
        }
        win = on_discard("A", "4p", "D")
        outcome = ended(hands, win, after_kong=after("concealed"), firsts=TAKEN)
        return paid(settle(outcome), "responsibility_chicken")

    assert found("") == []
    assert found("678m5799p345s") == ["D>B 1"]


@pytest.mark.parametrize(("doubled", "points"), [(False, 1), (True, 2)])
def test_gold_doubles_it_only_by_house_rule(doubled: bool, points: int) -> None:
    hands = {"B": seat(TAKER, "pung 1s D")}
    found = responsibility(hands, flip="9s", gold_doubles_responsibility=doubled, without="1s8p")
    assert found == [f"D>B {points}: responsibility_yao_ji {points}"]


def test_the_house_rule_doubles_gold_alone_and_the_base_score_all() -> None:
    hands = {"B": seat(TAKER, "pung 1s D")}
    assert responsibility(hands, gold_doubles_responsibility=True, base_score=2) == [
        "D>B 2: responsibility_yao_ji 1, base_score ×2"
    ]


def test_a_robbed_pung_of_the_first_chicken_makes_its_owner_burned() -> None:
    hands = {"A": seat("123678m55p78923s"), "B": seat("678m57p222p44m", "pung 1s D")}
    outcome = ended(
        hands, robbing("A", "1s", "B"), after_kong=after("added"), firsts=TAKEN, flip="5s"
    )
    found = settle(outcome)
    assert terms(found, "win") == ["B>A 10: ping_hu 1, rob_kong 9"]
    assert terms(found, "chickens")[0] == "B>A 1: yao_ji 1"
    assert paid(found, "responsibility_chicken") == []

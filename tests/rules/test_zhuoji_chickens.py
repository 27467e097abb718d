"""B5.3 of 捉鸡: which tiles are chickens 鸡, what they count, and who pays for them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import Outcome, SeatOutcome, Settlement
from tests.rules.table import on_discard, paid, self_draw
from tests.rules.zhuoji_table import (
    PLAIN,
    READY,
    after,
    ended,
    first,
    in_vain,
    seat,
    settle,
    terms,
)

RIVER_STANDS = (first("1s", "B"),)
"""B discarded the first 幺鸡, and nobody took it."""


def drawn(seats: dict[str, SeatOutcome], **more: Any) -> Settlement:
    """A draws 9s and wins plainly without a chicken."""
    return settle(ended({"A": seat(PLAIN)} | seats, self_draw("A", "9s"), **more))


def flock(hand: str, river: str = "", *, melded: str = "", **more: Any) -> list[str]:
    """What A is paid for the chickens of a ready hand that B sees, by D's win on nothing else."""
    hands = {"A": seat(hand, melded, river), "D": seat("222m44p777s333m99p")}
    found = settle(ended(hands, self_draw("D", "4p"), dealer="D", **more))
    return [line.split(": ")[1] for line in terms(found, "chickens") if line.startswith("B>A")]


# --- default chickens -------------------------------------------------------------------------


def test_every_other_player_pays_for_each_yao_ji_of_a_ready_player() -> None:
    hands = {"B": seat("11s456m678m789p67s")}
    found = drawn(hands)
    assert terms(found, "chickens") == ["A>B 2: yao_ji 2", "C>B 2: yao_ji 2", "D>B 2: yao_ji 2"]
    assert {one.rule for one in found.payments} == {"zhuoji/1 B5.1", "zhuoji/1 B5.3.1"}


def test_ready_players_pay_each_other_so_that_the_difference_remains() -> None:
    hands = {"B": seat("11s456m678m789p67s"), "C": seat("1s345m456m666p678s")}
    found = drawn(hands)
    assert paid(found, "chickens") == ["A>B 2", "C>B 2", "D>B 2", "A>C 1", "B>C 1", "D>C 1"]


def test_the_winning_tile_belongs_to_the_winner() -> None:
    found = settle(ended({"A": seat("123678m55p78923s")}, self_draw("A", "1s")))
    assert terms(found, "chickens")[0] == "B>A 1: yao_ji 1"


def test_each_of_several_winners_counts_the_winning_tile() -> None:
    hands = {"A": seat("123678m55p78923s", declared="soft"), "D": seat("222m44p777s333m11s")}
    wins = (on_discard("A", "1s", "B"), on_discard("D", "1s", "B"))
    found = settle(ended(hands, *wins, firsts=(first("1s", "B", "AD"),), dealer="C"))
    assert [line for line in terms(found, "chickens") if line.startswith("C")] == [
        "C>A 1: yao_ji 1",
        "C>D 3: yao_ji 3",
    ]


def test_a_pung_is_three_tiles_and_a_kong_four() -> None:
    taken = (first("1s", "C", "A"),)
    assert flock("456678m55p78s", melded="pung 1s C", firsts=taken) == ["yao_ji 3"]
    assert flock("456678m55p78s", melded="exposed 1s C", firsts=taken) == ["yao_ji 4"]
    assert flock("456678m55p78s", melded="late concealed 1s") == ["yao_ji 4"]


def test_a_yao_ji_in_the_own_river_counts_without_full_hall() -> None:
    hands = {
        "A": seat("456678m55p78s222p", "", "11s"),
        "B": seat("", "", "1s"),
        "D": seat("222m44p777s333m99p"),
    }
    found = settle(ended(hands, self_draw("D", "4p"), firsts=(first("1s", "B"),)))
    assert terms(found, "chickens")[0] == "B>A 2: yao_ji 2"


def test_8p_is_worth_two_where_it_is_chosen() -> None:
    assert flock("456678m55p78s888p", wugu_ji=True) == ["wugu_ji 6"]
    assert flock("456678m55p78s888p") == []


def test_the_base_score_multiplies_chickens() -> None:
    assert flock("456678m11s78s777p", base_score=3) == ["yao_ji 2, base_score ×3"]


# --- the flipped tile -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "ben", "flip", "hand", "found"),
    [
        ("next", False, "5m", "456678m55p78s222p", ["flip_chicken 2"]),
        ("next", False, "9p", "111p456678m55p78s", ["flip_chicken 3"]),
        ("swing", False, "5m", "456678m55p78s222p", ["flip_chicken 3"]),
        ("swing", False, "9p", "111p88p456678m78s", ["flip_chicken 5"]),
        ("swing", False, "1m", "456678m55p78s999m", ["flip_chicken 3"]),
        ("none", False, "5m", "456678m55p78s222p", []),
        ("next", True, "5m", "456678m55p78s222p", ["flip_chicken 2, ben_ji 1"]),
        ("swing", True, "5m", "456678m55p78s222p", ["flip_chicken 3, ben_ji 1"]),
        ("none", True, "5m", "456678m55p78s222p", ["ben_ji 1"]),
    ],
)
def test_the_kinds_beside_the_flipped_tile_and_itself_may_be_chickens(
    mode: str, ben: bool, flip: str, hand: str, found: list[str]
) -> None:
    assert flock(hand, flip_mode=mode, ben_ji=ben, flip=flip) == found


def test_8p_beside_the_flipped_tile_is_a_plain_chicken_where_it_is_no_default_one() -> None:
    assert flock("456678m55p78s888p", flip="7p") == ["flip_chicken 3"]


def test_without_a_flipped_tile_the_default_chickens_count_alone() -> None:
    assert flock("456678m11s78s777p", flip=None) == ["yao_ji 2"]


def test_chickens_of_the_flipped_tile_in_a_river_count_with_full_hall_alone() -> None:
    def found(**options: Any) -> Settlement:
        hands = {"B": seat(READY["B"], "", "3p9m")}
        return drawn(hands, **options)

    assert paid(found(), "chickens") == []
    assert in_vain(found()) == ["B flip_chicken 3p: in_river (zhuoji/1 B5.3)"]
    assert paid(found(full_hall_ji=True), "chickens") == ["A>B 1", "C>B 1", "D>B 1"]
    assert in_vain(found(full_hall_ji=True)) == []


# --- gold -------------------------------------------------------------------------------------


def test_a_default_chicken_beside_the_flipped_tile_counts_double_and_no_more() -> None:
    assert flock("456678m11s78s777p", flip="9s") == ["golden_yao_ji 4"]
    assert flock("456678m55p78s888p", flip="7p", wugu_ji=True) == ["golden_wugu_ji 12"]
    assert flock("456678m11s78s777p", flip="2s", flip_mode="swing") == ["golden_yao_ji 4"]


def test_a_flipped_default_chicken_makes_itself_golden_unless_the_house_says_otherwise() -> None:
    assert flock("456678m11s78s777p", flip="1s", ben_ji=True) == ["golden_yao_ji 4"]
    house: dict[str, Any] = {"ben_ji": True, "ben_on_default": "plus_one"}
    assert flock("456678m11s78s777p", flip="1s", **house) == ["yao_ji 2, ben_ji 2"]
    assert flock("456678m11s78s777p", flip="9s", **house) == ["golden_yao_ji 4"]


@pytest.mark.parametrize(("full", "points"), [(False, 2), (True, 3)])
def test_its_point_more_counts_in_a_river_with_full_hall_alone(full: bool, points: int) -> None:
    house = {"ben_ji": True, "ben_on_default": "plus_one", "full_hall_ji": full}
    hands = {"B": seat(READY["B"], "", "1s")}
    found = drawn(hands, flip="1s", firsts=RIVER_STANDS, **house)
    assert paid(found, "chickens") == [f"{payer}>B {points}" for payer in "ACD"]


# --- weekday ----------------------------------------------------------------------------------


def test_the_rank_of_the_weekday_counts_a_point_in_every_suit() -> None:
    assert flock("456678m55p78s222p", weekday=5, week_ji=True) == ["week_ji 3"]


def test_it_counts_on_top_of_anything_else() -> None:
    assert flock("456678m11s78s777p", weekday=1, week_ji=True) == ["yao_ji 2, week_ji 2"]
    assert flock("456678m55p78s222p", weekday=6, week_ji=True, flip="5m") == [
        "flip_chicken 2, week_ji 2"
    ]


@pytest.mark.parametrize(("full", "points"), [(False, 2), (True, 3)])
def test_it_counts_in_a_river_with_full_hall_alone_even_on_a_first_chicken(
    full: bool, points: int
) -> None:
    hands = {"A": seat("222m44p777s333m99p"), "B": seat(READY["C"], "", "1s")}
    outcome = ended(
        hands,
        self_draw("A", "4p"),
        firsts=RIVER_STANDS,
        weekday=1,
        week_ji=True,
        full_hall_ji=full,
    )
    assert f"A>B {points}" in paid(settle(outcome), "chickens")


# --- 冲锋鸡 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "river", "told"),
    [
        ({}, "1s", "charge_yao_ji 2"),
        ({}, "11s", "charge_yao_ji 2, yao_ji 1"),
        ({"flip": "9s"}, "11s", "golden_charge_yao_ji 4, golden_yao_ji 2"),
        ({"dealer_mode": "tong_san"}, "1s", "charge_yao_ji 3"),
        ({"dealer_mode": "tong_san", "flip": "9s"}, "1s", "golden_charge_yao_ji 6"),
    ],
)
def test_the_first_yao_ji_that_stands_counts_more(
    options: dict[str, Any], river: str, told: str
) -> None:
    found = drawn({"B": seat(READY["B"], "", river)}, firsts=RIVER_STANDS, **options)
    assert [line.split(": ")[1] for line in terms(found, "chickens")] == [told] * 3


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "charge_wugu_ji 4"),
        ({"flip": "7p"}, "golden_charge_wugu_ji 8"),
        ({"dealer_mode": "tong_san"}, "charge_wugu_ji 4"),
    ],
)
def test_the_first_8p_that_stands_counts_more_whatever_tong_san(
    options: dict[str, Any], told: str
) -> None:
    hands = {"B": seat(READY["B"], "", "8p")}
    found = drawn(hands, firsts=(first("8p", "B"),), wugu_ji=True, **options)
    assert [line.split(": ")[1] for line in terms(found, "chickens")] == [told] * 3


def test_the_two_kinds_have_each_a_first() -> None:
    hands = {"B": seat(READY["B"], "", "1s"), "C": seat(READY["C"], "", "8p")}
    found = drawn(hands, firsts=(first("1s", "B"), first("8p", "C")), wugu_ji=True)
    assert paid(found, "chickens") == ["A>B 2", "C>B 2", "D>B 2", "A>C 4", "B>C 4", "D>C 4"]


# --- who is not paid --------------------------------------------------------------------------


def test_an_unready_player_gets_nothing_and_pays_for_what_others_have() -> None:
    hands = {"B": seat("11s456m678m789p67s"), "C": seat("1s139m1468p236s57m")}
    found = drawn(hands)
    assert paid(found, "chickens") == ["A>B 2", "C>B 2", "D>B 2"]
    assert "C yao_ji 1s: not_ready (zhuoji/1 B5.3.3)" in in_vain(found)


def test_a_burned_player_gets_nothing() -> None:
    hands = {"A": seat("222p44p777s333m99p"), "B": seat("11s456m789p67s", "late concealed 2m")}
    kong = after("concealed", late=True)
    found = settle(ended(hands, on_discard("A", "4p", "B"), after_kong=kong, flip="5m"))
    assert paid(found, "chickens") == []
    assert "B yao_ji 1s: burned (zhuoji/1 B5.3.2)" in in_vain(found)


def test_a_burned_player_still_pays_for_what_others_have() -> None:
    hands = {"A": seat("11s678m44p777s333m"), "B": seat("", "concealed 9p")}
    found = settle(ended(hands, on_discard("A", "4p", "B"), after_kong=after("concealed")))
    assert paid(found, "chickens") == ["B>A 2", "C>A 2", "D>A 2"]


# --- 风吹鸡 -----------------------------------------------------------------------------------


def blown(**options: Any) -> Outcome:
    """Flip 5p; B is ready with 11s, unready C has the first 1s in his river, D's was taken."""
    hands = {
        "A": seat("123678m44p34578s"),
        "B": seat("11s456m678m789p67s"),
        "C": seat("", "", "1s"),
    }
    return ended(
        hands,
        self_draw("A", "9s"),
        firsts=(first("1s", "C"),),
        flip="5p",
        without="1s8p6p",
        **options,
    )


def test_a_flipped_5p_blows_every_chicken_away() -> None:
    found = settle(blown(wind_blow_ji=True))
    assert {one.reason for one in found.payments} == {"win"}
    assert in_vain(found) == [
        "B yao_ji 1s: wind_blow (zhuoji/1 B5.3)",
        "C charge_yao_ji 1s: wind_blow (zhuoji/1 B5.3)",
    ]


def test_it_blows_responsibility_away_too() -> None:
    hands = {"A": seat("123678m44p34578s"), "B": seat("22678m88p789s", "pung 1s D")}
    outcome = ended(
        hands,
        self_draw("A", "9s"),
        firsts=(first("1s", "D", "B"),),
        flip="5p",
        wind_blow_ji=True,
        without="1s6p",
    )
    assert paid(settle(outcome), "responsibility_chicken") == []


def test_without_the_option_a_5p_is_as_any_other_tile() -> None:
    found = settle(blown())
    assert paid(found, "chickens") == ["A>B 2", "C>B 2", "D>B 2"]
    assert paid(found, "chicken_liability") == ["C>A 2", "C>B 2"]

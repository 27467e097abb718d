"""A3.5 of 耗子: what passing a win costs 过胡."""

from __future__ import annotations

from typing import Any

from ledger.hand import outcome
from tests.rules.haozi_table import Table

SIX_NINE = "123456789m78p22s"
OTHER = "234567m345s78p11s"
"""Both wait for 6p and 9p."""
FIVES = "123456m22p55567s"
"""Waits for 2p, 5s and 8s, and keeps 8s when it kongs 5s."""
LOCKED = ["taken_win hand"]


def alone(draws: str, hand: str = SIX_NINE, **more: Any) -> Table:
    """B alone has declared; C and D have thrown 4z and 5z, and A draws the first tile."""
    hands = {"B": hand + "3z"} | more.pop("hands", {})
    table = Table("4z5z" + draws, dealer="B", hands=hands, **more)
    table.does("B declare 3z", "C discard 4z", "D discard 5z")
    return table


def both(draws: str = "9p") -> Table:
    """B and C have declared, D has thrown 5z, and A draws the first tile."""
    table = Table("4z5z" + draws, dealer="B", hands={"B": SIX_NINE + "3z", "C": OTHER})
    table.does("B declare 3z", "C declare 4z", "D discard 5z")
    return table


def free(draws: str, **more: Any) -> Table:
    """B may win without a declaration and has not declared; A is to throw 5z."""
    hands = {"A": "9p5z", "B": SIX_NINE}
    return Table(draws, hands=hands, win_requires_declaration=False, **more)


# --- what is a pass ---------------------------------------------------------------------------


def test_who_passes_a_discard_wins_by_the_own_draw_alone_for_the_rest_of_the_hand() -> None:
    table = alone("9p2z6p", hands={"D": "66p"})
    table.does("A discard 9p", "B pass")
    assert table.locks("B") == LOCKED
    assert table.does("C discard 6p")[-1] == "offered: D pung"
    assert table.refuses("B win") == "own_draw_left, haozi/1 A3.5"


def test_the_own_draw_still_wins() -> None:
    table = alone("9p6p")
    table.does("A discard 9p", "B pass")
    assert table.all("B") == ["win", "pass"]
    table.does("B win")
    assert outcome(table.hand).seats[1].self_draw_only
    assert table.settles().totals == (-12, 36, -12, -12)


def test_a_wild_tile_drawn_still_wins() -> None:
    table = alone("9p1z")
    table.does("A discard 9p", "B pass")
    assert table.all("B") == ["win", "pass"]


def test_who_passes_his_own_draw_has_passed_a_win() -> None:
    table = alone("2z9p4z")
    table.does("A discard 2z")
    assert table.does("B pass") == ["B discards 9p", "C draws 4z"]
    assert table.locks("B") == LOCKED


def test_to_pass_again_costs_nothing_more() -> None:
    table = alone("9p6p4z")
    table.does("A discard 9p", "B pass", "B pass")
    assert table.log[-2:] == ["B discards 6p", "C draws 4z"]
    assert table.locks("B") == LOCKED


def test_to_kong_a_discard_that_one_could_have_won_is_to_pass_it() -> None:
    table = alone("5s2z", FIVES, min_win_points=5)
    table.does("A discard 5s")
    assert table.may("B") == ["win", "kong", "pass"]
    table.does("B kong")
    assert table.locks("B") == LOCKED


def test_to_kong_a_tile_drawn_that_one_could_have_won_with_is_to_pass_it() -> None:
    table = alone("2z5s6z", FIVES, min_win_points=5)
    table.does("A discard 2z")
    assert table.all("B") == ["win", "kong 5s", "pass"]
    table.does("B kong 5s")
    assert table.locks("B") == LOCKED


def test_a_kong_where_there_was_no_win_passes_none() -> None:
    table = alone("2z5s6z", FIVES)
    table.does("A discard 2z")
    assert table.all("B") == ["kong 5s", "pass"]
    table.does("B kong 5s")
    assert table.locks("B") == []


def test_a_tile_worth_too_little_passes_no_win() -> None:
    table = alone("2z3s6z", "123456789s11p78s")
    assert table.does("A discard 2z")[-3:] == ["B draws 3s", "B discards 3s (auto)", "C draws 6z"]
    assert table.locks("B") == []


def test_an_added_kong_that_is_not_robbed_is_a_win_passed() -> None:
    hands = {"B": "88s4m", "C": "234567m345p67s11p", "D": "8s"}
    table = Table("2z6z7z8s2z", dealer="D", hands=hands)
    table.does("D discard 8s", "B pung", "B discard 4m", "C declare 2z", "D discard 6z")
    table.does("A discard 7z", "B kong 8s", "C pass")
    assert table.locks("C") == LOCKED


def test_what_has_been_passed_keeps_a_seat_from_robbing() -> None:
    """C waits for 6s and 9s, lets 6s go by, and cannot rob 9s any more."""
    hands = {"B": "99s4m", "C": "234567m345p78s11p", "D": "9s"}
    table = Table("2z6s7z9s6z", dealer="D", hands=hands)
    table.does("D discard 9s", "B pung", "B discard 4m", "C declare 2z", "D discard 6s")
    table.does("C pass", "A discard 7z")
    assert table.does("B kong 9s") == ["B kongs 9s added of D", "B replaces 6z"]


# --- what is none -----------------------------------------------------------------------------


def test_a_pass_counts_even_if_a_nearer_seat_takes_the_tile() -> None:
    table = both()
    table.does("A discard 9p", "C pass", "B win")
    assert [seat.self_draw_only for seat in outcome(table.hand).seats] == [
        False,
        False,
        True,
        False,
    ]


def test_a_win_lost_to_a_nearer_seat_is_no_pass() -> None:
    table = both()
    table.does("A discard 9p", "C win", "B win")
    assert not any(seat.self_draw_only for seat in outcome(table.hand).seats)


def test_a_seat_that_is_not_asked_any_more_has_passed_nothing() -> None:
    table = both()
    table.does("A discard 9p", "B win")
    assert not any(seat.self_draw_only for seat in outcome(table.hand).seats)


def test_who_passes_and_then_sees_a_farther_seat_win_has_passed() -> None:
    table = both()
    table.does("A discard 9p", "C win", "B pass")
    assert outcome(table.hand).seats[1].self_draw_only
    assert table.settles().totals == (-27, 0, 27, 0)


def test_an_undeclared_seat_loses_nothing_by_a_pass() -> None:
    table = free("2z")
    table.does("A discard 9p", "B pass")
    assert table.locks("B") == []


def test_nor_by_its_own_turn() -> None:
    table = free("9p2z")
    table.does("A discard 5z")
    assert table.may("B") == ["win"]
    table.does("B discard 1m")
    assert table.locks("B") == []


def test_nor_when_it_passes_its_own_draw_and_declares() -> None:
    """It had not declared when it passed."""
    table = free("9p2z")
    table.does("A discard 5z", "B declare 9p")
    assert table.hand.seats[1].declared == "ready"
    assert table.locks("B") == []


def test_what_a_pass_cost_is_known_to_its_seat_alone() -> None:
    table = alone("9p2z4z")
    table.does("A discard 9p", "B pass")
    assert [bool(table.seen(viewer).seats[1].locks) for viewer in "ABCD"] == [
        False,
        True,
        False,
        False,
    ]

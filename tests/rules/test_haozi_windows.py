"""A3.4 and A3.6 of 耗子: who may win a discard, and that one seat alone does 截胡."""

from __future__ import annotations

from typing import Any

from ledger.hand import outcome
from tests.rules.haozi_table import Table, paid

SIX_NINE = "123456789m78p22s"
OTHER = "234567m345s78p11s"
"""Both wait for 6p and 9p."""
LONE_WILD = "123456789m456p1z"
"""Waits for every natural kind 单吊耗子."""


def both(draws: str = "9p", **more: Any) -> Table:
    """B and C have declared, D has thrown 5z, and A draws the first tile."""
    hands = {"B": SIX_NINE + "3z", "C": OTHER} | more.pop("hands", {})
    table = Table("4z5z" + draws, dealer="B", hands=hands, **more)
    table.does("B declare 3z", "C declare 4z", "D discard 5z")
    return table


def alone(draws: str, hand: str = SIX_NINE, **more: Any) -> Table:
    """B alone has declared; C and D have thrown 2p and 3p, and A draws the first tile."""
    hands = {"B": hand + "3z"} | more.pop("hands", {})
    table = Table("2p3p" + draws, dealer="B", hands=hands, **more)
    table.does("B declare 3z", "C discard 2p", "D discard 3p")
    return table


# --- A3.4 -------------------------------------------------------------------------------------


def test_a_declared_seat_wins_a_discard_that_it_waits_for() -> None:
    table = alone("9p")
    assert table.does("A discard 9p") == ["A discards 9p", "offered: B win"]
    assert table.may("B") == ["win", "pass"]
    assert table.does("B win")[1:] == ["B wins 9p discard of A", "ended: win"]
    assert table.settles().totals == (-27, 27, 0, 0)


def test_a_seat_that_has_not_declared_does_not() -> None:
    table = Table(hands={"A": "9p", "B": SIX_NINE, "D": "99p"})
    assert table.does("A discard 9p")[-1] == "offered: D pung"
    assert table.refuses("B win") == "win_not_declared, haozi/1 A3.4"


def test_unless_the_house_lets_anybody_win() -> None:
    table = Table(hands={"A": "9p", "B": SIX_NINE}, win_requires_declaration=False)
    assert table.does("A discard 9p")[-1] == "offered: B win"


def test_a_wait_below_the_floor_is_not_won() -> None:
    """Waits for 3s, 6s and 9s; three points are too few."""
    table = alone("3s", "123456789s11p78s", hands={"D": "33s"})
    assert table.does("A discard 3s")[-1] == "offered: D pung"
    assert table.refuses("B win") == "win_below_floor, haozi/1 A3.4"


def test_nor_by_the_own_draw() -> None:
    table = alone("2z3s", "123456789s11p78s")
    assert table.does("A discard 2z")[1:3] == ["B draws 3s", "B discards 3s (auto)"]


def test_the_floor_is_the_houses() -> None:
    table = alone("3s", "123456789s11p78s", min_win_points=3)
    assert table.does("A discard 3s")[-1] == "offered: B win"
    table = alone("9s4z6z", "123456789s11p78s", min_win_points=10)
    assert table.does("A discard 9s")[1:] == ["B draws 4z", "B discards 4z (auto)", "C draws 6z"]


def test_a_discarded_wild_tile_is_never_won() -> None:
    table = alone("1z", LONE_WILD, hands={"D": "11z"})
    assert table.does("A discard 1z")[-1] == "offered: D pung"
    assert table.refuses("B win") == "wild_not_won, haozi/1 A3.1"


def test_a_hand_whose_last_tile_is_wild_wins_a_discard_for_its_own_points() -> None:
    table = alone("9s", LONE_WILD)
    assert table.does("A discard 9s")[-1] == "offered: B win"
    table.does("B win")
    assert table.settles().totals == (-27, 27, 0, 0)


def test_with_a_wild_tile_drawn_it_is_worth_the_best_of_all() -> None:
    table = alone("2m1z", LONE_WILD)
    table.does("A discard 2m", "B win")
    assert table.log[-2] == "B wins 1z self_draw"
    assert table.settles().totals == (-20, 60, -20, -20)


# --- A3.6 -------------------------------------------------------------------------------------


def test_everybody_who_could_win_is_asked() -> None:
    table = both(hands={"D": "99p"})
    assert table.does("A discard 9p")[-1] == "offered: B win, C win, D pung"
    assert table.asked() == "BCD"


def test_the_nearest_seat_wins_and_nobody_farther_is_asked_any_more() -> None:
    table = both()
    table.does("A discard 9p")
    assert table.does("B win") == ["answered: B win", "B wins 9p discard of A", "ended: win"]
    assert table.refuses("C win") == "hand_over, common 2"
    assert [win.seat for win in outcome(table.hand).wins] == [1]
    assert paid(table.settles()) == ["A>B 27"]


def test_a_farther_seat_that_answers_first_waits_for_the_nearer_one() -> None:
    table = both(hands={"D": "99p"})
    table.does("A discard 9p")
    assert table.does("C win") == ["answered: C win"]
    assert table.asked() == "B"
    assert table.may("B") == ["win", "pass"]
    assert table.refuses("D pung") == "claim_outranked, common 4"
    assert table.does("B win")[1:] == ["B wins 9p discard of A", "ended: win"]


def test_a_farther_seat_wins_where_the_nearer_one_passes() -> None:
    table = both()
    table.does("A discard 9p", "C win")
    assert table.does("B pass") == ["answered: B pass", "C wins 9p discard of A", "ended: win"]
    assert paid(table.settles()) == ["A>C 27"]
    assert table.rules.next_dealer(table.hand) == 2


def test_the_order_is_counted_from_who_discards() -> None:
    """From D on, A comes first: here B, then C."""
    table = both("2z2z6z9p")
    table.does("A discard 2z")
    assert table.log[-1] == "D draws 9p"
    assert table.does("D discard 9p")[-1] == "offered: B win, C win"
    table.does("C win")
    assert table.asked() == "B"


def test_between_two_players_too_the_discarder_pays() -> None:
    table = Table("9p", dealer="B", hands={"B": SIX_NINE + "3z"}, players=2)
    table.does("B declare 3z", "A discard 9p", "B win")
    assert table.settles().totals == (-9, 9)

"""B3.5 of 捉鸡: what passing a win costs 过胡限制."""

from __future__ import annotations

from typing import Any

from tests.rules.zhuoji_table import Table

TRIPLETS = "222m333m444p88s99s"
"""大对子, waits for 8s and 9s."""
LOCKED = ["discard_win 9s own_move"]


def passed(draws: str, hand: str = TRIPLETS, **more: Any) -> Table:
    """C, the dealer, has thrown 9s, and B has passed it; D draws the first tile."""
    opening = more or {"undeclared": "B"}
    table = Table(draws, hands={"B": hand, "C": "9s"}, dealer="C", **opening)
    table.does("C discard 9s", "B pass")
    return table


# --- what is closed, and how long -------------------------------------------------------------


def test_who_passes_a_discard_wins_no_other_of_its_kind() -> None:
    table = passed("9s5m")
    assert table.locks("B") == LOCKED
    assert table.does("D discard 9s")[-1] == "offered: B pung"
    assert table.refuses("B win") == "kind_passed, zhuoji/1 B3.5"


def test_other_kinds_stay_open() -> None:
    assert passed("8s").does("D discard 8s")[-1] == "offered: B win pung"


def test_each_kind_that_is_passed_is_closed() -> None:
    table = passed("8s5m")
    table.does("D discard 8s", "B pass")
    assert table.locks("B") == ["discard_win 9s own_move", "discard_win 8s own_move"]


def test_the_next_own_draw_opens_it_again() -> None:
    table = passed("5m6m1p9s")
    table.does("D discard 5m", "A discard 6m")
    assert table.locks("B") == []
    table.does("B discard 1p")
    assert table.does("C discard 9s")[-1] == "offered: B win pung"


def test_so_does_a_pung() -> None:
    table = passed("8s")
    table.does("D discard 8s")
    assert table.locks("B") == LOCKED
    table.does("B pung")
    assert table.locks("B") == []


def test_and_a_kong() -> None:
    table = passed("4p5m")
    assert table.does("D discard 4p")[-1] == "offered: B pung kong"
    table.does("B kong")
    assert table.locks("B") == []


def test_to_pung_a_tile_that_one_could_have_won_passes_it_and_opens_it_at_once() -> None:
    table = Table("5m", hands={"B": TRIPLETS, "C": "9s"}, dealer="C", undeclared="B")
    assert table.does("C discard 9s")[-1] == "offered: B win pung"
    table.does("B pung")
    assert table.locks("B") == []


def test_what_another_draws_opens_nothing() -> None:
    table = passed("5m6m")
    table.does("D discard 5m")
    assert table.locks("B") == LOCKED


# --- what is not ------------------------------------------------------------------------------


def test_the_own_draw_wins_what_was_passed() -> None:
    table = passed("5m6m9s")
    table.does("D discard 5m", "A discard 6m")
    assert table.may("B") == ["win"]


def test_to_pass_the_own_draw_costs_nothing() -> None:
    table = Table("9s1p", hands={"A": "7p", "B": TRIPLETS, "C": "9s"}, undeclared="B")
    table.does("A discard 7p", "B discard 9s")
    assert table.locks("B") == []


def test_a_declared_seat_that_passes_what_it_drew_may_win_the_same_kind_next() -> None:
    table = Table("9s9s", hands={"A": "7p", "B": TRIPLETS}, hard="B")
    table.does("A discard 7p")
    assert table.all("B") == ["win", "pass"]
    table.does("B pass")
    assert table.does("C discard 9s")[-1] == "offered: B win"


def test_a_declared_seat_that_passes_a_discard_is_under_it_like_all() -> None:
    table = passed("9s5m", hard="B")
    assert table.does("D discard 9s") == ["D discards 9s", "A draws 5m"]


def test_a_win_that_was_closed_for_want_of_a_pass_was_not_passed() -> None:
    hands = {"B": "123678m55p34578s", "C": "9s", "D": "99s"}
    table = Table("5m", hands=hands, dealer="C", undeclared="B")
    table.does("C discard 9s", "D pass")
    assert table.locks("B") == []


def test_to_pass_a_robbery_costs_nothing() -> None:
    """A adds 9s to his pung; B, who waits for it, passes."""
    hands = {"A": "99s1p", "B": "123678m55p34578s", "D": "9s"}
    table = Table("2p3p4p9s", hands=hands, dealer="D", undeclared="B")
    table.does("D discard 9s", "A pung", "A discard 1p", "B discard 2p", "C discard 3p")
    table.does("D discard 4p")
    assert table.does("A kong 9s")[-1] == "offered: B win"
    table.does("B pass")
    assert table.locks("B") == []


def test_a_robbery_is_open_to_who_has_passed_that_kind() -> None:
    """B passes the 9s that A pungs, and has not drawn when A adds the last one."""
    hands = {"A": "99s1p", "B": "11122233355s78s", "C": "11p2p", "D": "9s"}
    table = Table("3p9s", hands=hands, dealer="D", undeclared="B")
    table.does("D discard 9s", "B pass", "A pung", "A discard 1p", "C pung", "C discard 2p")
    table.does("D discard 3p")
    assert table.locks("B") == LOCKED
    assert table.does("A kong 9s")[-1] == "offered: B win"


def test_what_was_passed_is_known_to_its_seat_alone() -> None:
    table = passed("5m")
    assert [bool(table.seen(letter).seats[1].locks) for letter in "ABCD"] == [
        False,
        True,
        False,
        False,
    ]

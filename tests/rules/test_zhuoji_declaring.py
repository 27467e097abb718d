"""B3.7 and B3.8 of 捉鸡: declaring with the first discard 软报, and what binds who has declared."""

from __future__ import annotations

import pytest

from tests.rules.zhuoji_table import PLAIN, READY, Table

LOOSE = "1369m2479p13589s"
"""Waits for nothing, whatever is thrown."""


# --- B3.7 -------------------------------------------------------------------------------------


def test_who_is_ready_after_the_first_discard_may_declare_with_it() -> None:
    table = Table("9p", hands={"A": PLAIN + "9m"})
    assert table.declares("A") == ["6m", "9m"]
    assert table.does("A declare 9m") == ["A declares 9m", "B draws 9p"]
    assert table.hand.seats[0].declared == "soft"


def test_it_need_not() -> None:
    table = Table("9p", hands={"A": PLAIN + "9m"})
    assert table.does("A discard 9m") == ["A discards 9m", "B draws 9p"]
    assert table.hand.seats[0].declared is None


def test_a_hand_that_is_not_ready_after_it_does_not() -> None:
    table = Table(hands={"A": LOOSE + "5m"})
    assert table.declares("A") == []
    assert table.refuses("A declare 5m") == "discard_not_ready, zhuoji/1 B3.7"


def test_with_a_later_discard_it_is_too_late() -> None:
    table = Table("1p2p3p9m", hands={"A": PLAIN + "9m"})
    table.does("A discard 9m", "B discard 1p", "C discard 2p", "D discard 3p")
    assert table.declares("A") == []
    assert table.refuses("A declare 9m") == "declared_too_late, zhuoji/1 B3.7"


def test_even_if_the_first_one_was_taken() -> None:
    hands = {"A": PLAIN + "9m", "B": "99m1p"}
    table = Table("2p3p9m", hands=hands)
    table.does("A discard 9m", "B pung", "B discard 1p", "C discard 2p", "D discard 3p")
    assert table.declares("A") == []


def test_after_a_pung_nobody_declares() -> None:
    hands = {"A": "7m", "B": "123779m55p34578s"}
    table = Table(hands=hands)
    table.does("A discard 7m", "B pung")
    assert table.declares("B") == []
    assert table.refuses("B declare 9m") == "declared_too_late, zhuoji/1 B3.7"


def test_nor_after_a_kong() -> None:
    table = Table("9p", hands={"A": "123m55p34578s7777m"})
    table.does("A kong 7m")
    assert table.refuses("A declare 9p") == "declared_too_late, zhuoji/1 B3.7"


def test_it_is_no_matter_how_often_others_have_played() -> None:
    """B's first turn comes after a pung of C and one of D."""
    hands = {"A": "9m", "B": PLAIN, "C": "99m1p", "D": "11p2p"}
    table = Table("3p9p", hands=hands, undeclared="B")
    table.does("A discard 9m", "C pung", "C discard 1p", "D pung", "D discard 2p", "A discard 3p")
    assert "9p" in table.declares("B")


def test_a_dealer_who_has_passed_his_dealt_win_may_declare() -> None:
    table = Table("9p", hands={"A": "123456789m11p234s"})
    table.does("A pass")
    assert "1m" in table.declares("A")
    table.does("A declare 1m")
    assert table.hand.seats[0].declared == "soft"


def test_the_tile_itself_counts_as_a_declared_players() -> None:
    """B needs no pass for it: 平胡 1, 杀听 10, and one for the dealer."""
    hands = {"A": "111345m45677p46s9s", "B": PLAIN}
    table = Table(hands=hands, undeclared="B", flip_mode="none")
    assert table.does("A declare 9s") == ["A declares 9s", "offered: B win"]
    table.does("B win")
    assert table.settles().totals == (-12, 12, 0, 0)


def test_without_the_declaration_it_does_not() -> None:
    hands = {"A": "111345m45677p46s9s", "B": PLAIN}
    table = Table("9p", hands=hands, undeclared="B")
    assert table.does("A discard 9s") == ["A discards 9s", "B draws 9p"]


def test_it_lies_open_and_may_be_punged() -> None:
    hands = {"A": PLAIN + "9m", "C": "99m"}
    table = Table(hands=hands)
    assert table.does("A declare 9m")[-1] == "offered: C pung"
    assert table.seen("B").seats[0].river == (8,)


# --- B3.8 -------------------------------------------------------------------------------------

declared = pytest.mark.parametrize("how", ["hard", "soft"])


def bound(how: str, draws: str, hand: str = PLAIN, **more: str) -> Table:
    """B has declared in one way or the other, and A is to throw 9p."""
    hands = {"A": "9p", "B": hand} | more
    if how == "hard":
        return Table(draws, hands=hands, hard="B")
    table = Table("8p7p1p" + draws, hands=hands | {"B": hand + "9m"}, dealer="B")
    table.does("B declare 9m", "C discard 8p", "D discard 7p")
    return table


@declared
def test_what_it_draws_and_does_not_win_with_is_discarded_by_itself(how: str) -> None:
    table = bound(how, "9m2p")
    assert table.does("A discard 9p")[1:4] == [
        "B draws 9m",
        "B discards 9m (auto)",
        "C draws 2p",
    ]


@declared
def test_a_win_that_it_draws_it_takes_or_passes(how: str) -> None:
    table = bound(how, "9s2p")
    table.does("A discard 9p")
    assert table.all("B") == ["win", "pass"]
    assert table.refuses("B discard 9s") == "hand_frozen, common 6"
    assert table.does("B pass") == ["B discards 9s", "C draws 2p"]


@declared
def test_a_discard_it_wins_or_passes(how: str) -> None:
    hands = {"A": "9p9s"}
    table = bound(how, "", **hands)
    assert table.does("A discard 9s")[-1] == "offered: B win"
    assert table.all("B") == ["win", "pass"]


@declared
def test_it_makes_no_pung_and_no_kong_of_a_discard(how: str) -> None:
    """It holds 444p."""
    table = bound(how, "2p", hand=READY["B"], A="9p4p")
    assert table.does("A discard 4p")[1] == "B draws 2p"


@declared
def test_nor_one_with_what_it_draws(how: str) -> None:
    """The fourth 4p is discarded."""
    table = bound(how, "4p2p", hand=READY["B"])
    assert table.does("A discard 9p")[1:3] == ["B draws 4p", "B discards 4p (auto)"]


def test_whoever_asks_is_told_why() -> None:
    """C throws 4p, with which D wins and which B, who holds three, may not kong."""
    hands = {"A": "9p", "B": READY["B"], "C": "4p", "D": "1112223335688p"}
    table = Table("9m", hands=hands, dealer="C", undeclared="D", hard="B")
    assert table.does("C discard 4p")[-1] == "offered: D win"
    assert table.refuses("B kong") == "hand_frozen, zhuoji/1 B3.8"
    assert table.refuses("B pung") == "hand_frozen, zhuoji/1 B3.8"


def test_its_own_four_are_no_kong_where_it_may_win() -> None:
    hands = {"A": "9p", "B": "555567m22p78s345s"}
    table = Table("9s", hands=hands, hard="B")
    table.does("A discard 9p")
    assert table.all("B") == ["win", "pass"]
    assert table.refuses("B kong 5m") == "hand_frozen, zhuoji/1 B3.8"


def test_who_has_declared_does_not_declare_again() -> None:
    table = Table("9s2p", hands={"A": "9p", "B": PLAIN}, hard="B")
    table.does("A discard 9p")
    assert table.refuses("B declare 9s") == "hand_frozen, common 6"

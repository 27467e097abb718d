"""B1.2 of 捉鸡: the suit that each of two or three players is to be without 定缺."""

from __future__ import annotations

import pytest

from tests.rules.zhuoji_table import Table

MIXED = "123678m55p34578s"
PAIRS = "113355m2244668p"
"""七对, waits for 8p."""
TWO_SUITS = "123678m3455578p"
"""Waits for 6p and 9p, and has no 条."""
ASKED = "asked void_suit: A void_m void_p void_s, B void_m void_p void_s"


# --- the choice -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_players_choose_after_the_deal(players: int) -> None:
    table = Table(players=players)
    assert table.log[0] == "Dealt"
    assert table.log[1].startswith(ASKED)
    assert table.asked() == "ABC"[:players]
    assert table.all("B") == ["void m", "void p", "void s"]


def test_four_players_do_not() -> None:
    table = Table()
    assert table.log == ["Dealt"]
    assert table.refuses("A void m") == "not_asked, common 4"


def test_choices_are_secret_until_all_are_shown() -> None:
    table = Table(players=3)
    table.does("C void m", "A void s")
    seen = table.seen("B")
    assert seen.window is not None
    assert seen.window.answers == (None, None, None)
    assert table.does("B void p") == ["answered: B void_p", "void suits: s p m"]
    assert [seat.void_suit for seat in table.seen("B").seats] == ["s", "p", "m"]


def test_everybody_must_name_a_suit_and_nobody_plays_before() -> None:
    table = Table(hands={"A": "9m"}, players=2)
    assert table.refuses("A void") == "suit_missing, common 11"
    assert table.refuses("A pass") == "suit_missing, common 11"
    assert table.refuses("A discard 9m") == "suit_missing, common 11"
    table.does("A void m")
    assert table.refuses("A void p") == "already_answered, common 4"


def test_any_suit_may_be_chosen_whatever_is_held() -> None:
    table = Table(hands={"A": "123456789m12345p"}, players=2, voids="mm")
    assert table.hand.seats[0].void_suit == "m"


# --- discards ---------------------------------------------------------------------------------


def test_while_a_tile_of_it_is_held_only_such_a_tile_is_discarded() -> None:
    table = Table(hands={"A": MIXED + "9m"}, players=2, voids="pm")
    assert table.discards("A") == "5p"
    assert table.refuses("A discard 9m") == "void_suit_first, zhuoji/1 B1.2"


def test_then_any_tile_is() -> None:
    table = Table(hands={"A": TWO_SUITS + "9m"}, players=2, voids="sm")
    assert table.discards("A") == "1236789m34578p"


def test_a_tile_of_it_that_is_drawn_goes_first() -> None:
    hands = {"A": "12m", "B": TWO_SUITS}
    table = Table("1s", hands=hands, players=2, voids="ms", undeclared="B")
    table.does("A discard 1m")
    assert table.discards("B") == "1s"


def test_after_a_pung_too() -> None:
    hands = {"A": "5p1m", "B": "55p134679m1379s2p"}
    table = Table(hands=hands, players=2, voids="ps")
    table.does("A discard 5p", "B pung")
    assert table.discards("B") == "1379s"


def test_with_four_players_everything_may_be_discarded() -> None:
    assert Table(hands={"A": MIXED + "9m"}).discards("A") == "1236789m5p34578s"


# --- pungs and kongs --------------------------------------------------------------------------


def test_no_pung_is_made_of_it() -> None:
    hands = {"A": "5p1m", "B": "55p134679m1379s2p"}
    table = Table("9s", hands=hands, players=2, voids="pp")
    assert table.does("A discard 5p") == ["A discards 5p", "B draws 9s"]


def test_nor_a_kong_of_a_discard() -> None:
    hands = {"A": "5p", "B": "555p13467m1379s2p"}
    table = Table("9s", hands=hands, players=2, voids="pp")
    assert table.does("A discard 5p") == ["A discards 5p", "B draws 9s"]


def test_nor_one_on_the_own_turn() -> None:
    table = Table(hands={"A": "5555p"}, players=2, voids="pm")
    assert table.may("A") == []
    assert table.refuses("A kong 5p") == "void_suit_melded, zhuoji/1 B1.2"


def test_whoever_asks_is_told_why() -> None:
    """B could pung 8p, but is void in 筒; C wins with it."""
    hands = {"A": "8p", "B": "88p", "C": PAIRS}
    table = Table(hands=hands, players=3, voids="pps", undeclared="C")
    assert table.does("A discard 8p")[-1] == "offered: C win"
    assert table.refuses("B pung") == "void_suit_melded, zhuoji/1 B1.2"


def test_of_the_other_suits_one_pungs_and_kongs_while_it_is_still_held() -> None:
    hands = {"A": "5p1m", "B": "555p13467m1379s2m"}
    table = Table("4m", hands=hands, players=2, voids="ps")
    assert table.does("A discard 5p")[-1] == "offered: B pung kong"
    table.does("B kong")
    assert table.discards("B") == "1379s"


def test_a_concealed_kong_of_another_suit_is_made_while_it_is_still_held() -> None:
    table = Table("4m", hands={"A": "5555p19m19s"}, players=2, voids="sm")
    assert table.may("A") == ["kong 5p"]


# --- wins -------------------------------------------------------------------------------------


def test_a_discard_of_it_is_not_won() -> None:
    """B waits for 8p, and is void in 条, or in 筒."""
    hands = {"A": "8p", "B": PAIRS}
    table = Table(hands=hands, players=2, voids="ps", undeclared="B")
    assert table.does("A discard 8p")[-1] == "offered: B win"
    table = Table("9s", hands=hands, players=2, voids="pp")
    assert table.does("A discard 8p") == ["A discards 8p", "B draws 9s"]


def test_a_hand_that_holds_one_neither_wins_nor_is_ready() -> None:
    """B waits for 8p and is void in 万, of which it has six."""
    hands = {"A": "8p", "B": PAIRS}
    table = Table("9s", hands=hands, players=2, voids="pm")
    assert "asked as_dealt: B declare" not in table.log
    assert table.does("A discard 8p") == ["A discards 8p", "B draws 9s"]


def test_nor_does_it_win_what_it_draws() -> None:
    table = Table("8p", hands={"A": "1s", "B": PAIRS}, players=2, voids="sm")
    table.does("A discard 1s")
    assert table.may("B") == []
    assert table.refuses("B win") == "void_suit_held, zhuoji/1 B1.2"


def test_it_is_no_win_as_dealt_either() -> None:
    hands = {"A": PAIRS + "8p"}
    assert Table(hands=hands, players=2, voids="sm").log[-1] == "asked as_dealt: A win"
    table = Table(hands=hands, players=2, voids="mm")
    assert table.log[-1] == "void suits: m m"
    assert table.refuses("A win") == "void_suit_held, zhuoji/1 B1.2"


def test_nor_does_it_declare() -> None:
    hands = {"A": PAIRS + "9p"}
    assert Table(hands=hands, players=2, voids="sm").declares("A") == ["8p", "9p"]
    table = Table(hands={"A": PAIRS + "9m"}, players=2, voids="mm")
    assert table.declares("A") == []
    assert table.refuses("A declare 9m") == "discard_not_ready, zhuoji/1 B3.7"


@pytest.mark.parametrize(
    ("void", "undeclared", "shown"),
    [("s", "C", "A shows 8p"), ("p", "", "A kongs 8p added of B")],
)
def test_nor_does_it_rob_a_kong(void: str, undeclared: str, shown: str) -> None:
    """C has no 条 and waits for 5p and 8p."""
    hands = {"A": "88p1m", "B": "8p", "C": "12345699m11167p"}
    voids = f"mp{void}"
    table = Table("99p8p", dealer="B", hands=hands, players=3, voids=voids, undeclared=undeclared)
    table.does("B discard 8p", "A pung", "A discard 1m", "B discard 9p", "C discard 9p")
    assert table.does("A kong 8p")[0] == shown


# --- what follows -----------------------------------------------------------------------------


def test_a_declared_seat_discards_what_it_draws_of_it() -> None:
    hands = {"A": "12m", "B": TWO_SUITS}
    table = Table("1s2s", hands=hands, players=2, voids="ms", hard="B")
    assert table.does("A discard 1m")[1:4] == [
        "B draws 1s",
        "B discards 1s (auto)",
        "first chicken 1s",
    ]


def test_who_deals_in_with_another_suit_has_nothing_left_of_it() -> None:
    """七对 10 and one for the dealer."""
    hands = {"A": "8p", "B": PAIRS}
    table = Table(hands=hands, players=2, voids="ps", undeclared="B", flip_mode="none")
    table.does("A discard 8p", "B win")
    assert table.settles().totals == (-11, 11)
    assert [seat.void_suit for seat in table.outcome().seats] == ["p", "s"]


def test_a_hand_dissolved_before_all_have_chosen_leaves_none() -> None:
    table = Table(players=2, voids="s")
    table.dissolves()
    assert [seat.void_suit for seat in table.outcome().seats] == [None, None]
    assert table.settles().totals == (0, 0)

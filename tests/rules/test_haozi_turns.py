"""A1 and A3.1 of 耗子: the tiles, the own turn, how a hand ends, and who deals next."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.hand import outcome
from ledger.outcome import Win
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import ruleset
from ledger.tiles import tiles_text
from tests.rules.haozi_table import Table
from tests.rules.table import NOW

SIX_NINE = "123456789m78p22s"
"""Waits for 6p and 9p."""
UNDECLARED: dict[str, Any] = {"win_requires_declaration": False}


# --- A1 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({}, 136 - 53),
        ({"players": 3}, 136 - 40),
        ({"players": 2}, 136 - 27),
        ({"variant": "double_rat"}, 136 - 53),
        ({"variant": "double_rat", "with_honours": False}, 108 - 53),
        ({"variant": "double_rat", "with_honours": False, "players": 2}, 108 - 27),
    ],
)
def test_all_tiles_in_play_lie_in_the_wall_the_wild_ones_too(
    options: dict[str, Any], left: int
) -> None:
    assert Table(**options).hand.left == left


@pytest.mark.parametrize(
    ("options", "count", "kinds"),
    [
        ({}, 1, "1234567z"),
        ({"wild_honours": "winds"}, 1, "1234z"),
        ({"variant": "double_rat"}, 2, "123456789m123456789p123456789s1234567z"),
        (
            {"variant": "double_rat", "with_honours": False},
            2,
            "123456789m123456789p123456789s",
        ),
    ],
)
def test_wild_kinds_are_drawn_by_the_variant(
    options: dict[str, Any], count: int, kinds: str
) -> None:
    rules = ruleset("haozi/1", options)
    assert (rules.wild_count, tiles_text(rules.wild_kinds)) == (count, kinds)


def test_the_winner_deals_next() -> None:
    table = Table("9p", dealer="C", hands={"C": "5z", "D": SIX_NINE}, **UNDECLARED)
    table.does("C discard 5z", "D win")
    assert table.rules.next_dealer(table.hand) == 3


def test_after_a_drawn_hand_the_dealer_stays() -> None:
    table = Table(ends=True, dealer="C", hands={"C": "5z"})
    assert table.does("C discard 5z") == ["C discards 5z", "ended: exhausted"]
    assert table.rules.next_dealer(table.hand) == 2


# --- the own turn -----------------------------------------------------------------------------


def test_every_tile_may_be_discarded_a_wild_one_too() -> None:
    table = Table("9s", hands={"A": "1m1z"})
    assert "1z" in table.discards("A")
    assert table.does("A discard 1z") == ["A discards 1z", "B draws 9s"]


def test_the_turn_goes_round_the_seats_that_play() -> None:
    table = Table("3z4z", dealer="B", hands={"B": "5z"}, players=2)
    table.does("B discard 5z")
    assert table.does("A discard 3z") == ["A discards 3z", "B draws 4z"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A win", "win_not_declared, haozi/1 A3.4"),
        ("A discard 7z", "tile_not_held, common 5"),
        ("A declare 7z", "tile_not_held, common 5"),
        ("A declare 5z", "declared_not_ready, haozi/1 A3.2"),
        ("A declare", "not_in_this_game, common 5"),
        ("A kong 5z", "no_four_of_a_kind, common 5"),
        ("A pass", "nothing_to_pass, common 5"),
        ("A bet", "not_in_this_game, common 5"),
        ("A touzi 5z", "not_with_this_action, common 5"),
        ("B declare 5z", "not_your_turn, common 5"),
    ],
)
def test_what_is_not_open_on_a_turn_is_refused_with_its_paragraph(line: str, why: str) -> None:
    assert Table(hands={"A": "15z"}).refuses(line) == why


@pytest.mark.parametrize("action", ["kong", "pung", "win", "pass"])
def test_only_a_discard_declares(action: Any) -> None:
    table = Table(hands={"A": SIX_NINE + "5z"})
    with pytest.raises(Refused) as refused:
        play.play(table.hand, Choice(0, action, declare=True), table.rules, NOW)
    assert refused.value.code == "not_with_this_action"


# --- a win without a declaration (house rule) -------------------------------------------------


def test_a_house_may_let_anybody_win() -> None:
    table = Table("9p", hands={"A": "5z", "B": SIX_NINE}, **UNDECLARED)
    table.does("A discard 5z")
    assert table.may("B") == ["win"]
    assert table.does("B win") == ["B wins 9p self_draw", "ended: win"]
    assert table.settles().totals == (-18, 54, -18, -18)


def test_then_the_dealer_may_win_as_dealt_with_his_best_tile() -> None:
    table = Table(hands={"A": "123456789m678p22s"}, **UNDECLARED)
    assert table.may("A") == ["win"]
    assert table.does("A win") == ["A wins 9m self_draw", "ended: win"]
    assert outcome(table.hand).wins == (Win(0, "9m", "self_draw", None, True),)
    assert table.settles().totals == (54, -18, -18, -18)


def test_a_wild_tile_among_those_dealt_counts_as_drawn() -> None:
    """Told by the wild tile the hand waits for 7z, told by 7z for every kind: 10 either way."""
    table = Table(hands={"A": "123456789m456p17z"}, **UNDECLARED)
    assert table.does("A win")[0] == "A wins 1z self_draw"
    assert table.settles().totals == (60, -20, -20, -20)


def test_a_win_as_dealt_needs_the_points_too() -> None:
    table = Table(hands={"A": "111222333444m55p"}, min_win_points=6, **UNDECLARED)
    assert table.may("A") == []
    assert table.refuses("A win") == "win_below_floor, haozi/1 A3.4"


def test_a_dealer_who_must_declare_does_not_win_as_dealt() -> None:
    table = Table(hands={"A": "123456789m678p22s"})
    assert table.may("A") == []
    assert table.refuses("A win") == "win_not_declared, haozi/1 A3.4"


# --- the end of the wall ----------------------------------------------------------------------


def test_tiles_may_be_left_in_the_wall() -> None:
    """With one tile left in the wall and one reserved, nobody can draw any more."""
    table = Table("9s", ends=True, hands={"A": "5z"}, wall_reserve=1)
    assert table.does("A discard 5z") == ["A discards 5z", "ended: exhausted"]
    table = Table("9s3s", ends=True, hands={"A": "5z"}, wall_reserve=1)
    assert table.does("A discard 5z") == ["A discards 5z", "B draws 9s"]


def test_more_tiles_reserved_than_there_are_end_the_hand_with_the_first_discard() -> None:
    table = Table(hands={"A": "5z"}, wall_reserve=136)
    assert table.does("A discard 5z") == ["A discards 5z", "ended: exhausted"]


def test_before_the_reserve_there_is_neither_pung_nor_kong_but_a_win() -> None:
    hands = {"A": "9p", "B": SIX_NINE, "C": "999p"}
    table = Table("3z", ends=True, hands=hands, wall_reserve=1, **UNDECLARED)
    assert table.does("A discard 9p")[-1] == "offered: B win"
    assert table.refuses("C pung") == "last_tile, common 3"
    assert table.refuses("C kong") == "last_tile, common 3"


def test_a_kong_needs_a_tile_before_the_reserve() -> None:
    table = Table("5z3s", ends=True, hands={"A": "3z", "B": "555z"}, wall_reserve=1)
    table.does("A discard 3z")
    assert table.may("B") == []
    assert table.refuses("B kong 5z") == "last_tile, common 3"


def test_a_dissolved_hand_pays_nothing() -> None:
    table = Table(hands={"A": "5555z"})
    table.does("A kong 5z")
    assert table.dissolves() == ["ended: dissolved"]
    assert table.settles().totals == (0, 0, 0, 0)

"""A3.3 of 耗子: the hand of a seat that has declared 报听, and the kongs it may make."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.hand import outcome
from ledger.outcome import AfterKong
from tests.rules.haozi_table import Table

SIX_NINE = "123456789m78p22s"
"""Waits for 6p and 9p."""
TRIPLET = "555z123456m78p22s"
"""The same with a triplet of 5z in it."""


def declared(draws: str, hand: str = SIX_NINE, **more: Any) -> Table:
    """A has declared with 3z; B, C and D have thrown 4z, 6z and 7z, and A draws the first tile."""
    hands = {"A": hand + "3z"} | more.pop("hands", {})
    table = Table("4z6z7z" + draws, hands=hands, **more)
    table.does("A declare 3z", "B discard 4z", "C discard 6z", "D discard 7z")
    return table


# --- frozen -----------------------------------------------------------------------------------


def test_what_it_draws_and_does_not_win_with_is_thrown_at_once_and_openly() -> None:
    table = declared("9s2z")
    assert table.log[-3:] == ["A draws 9s", "A discards 9s (auto)", "B draws 2z"]


def test_others_may_claim_what_it_throws() -> None:
    table = declared("9s", hands={"C": "99s"})
    assert table.log[-2:] == ["A discards 9s (auto)", "offered: C pung"]


def test_it_is_asked_where_it_can_win_and_may_pass() -> None:
    table = declared("9p2z")
    assert table.all("A") == ["win", "pass"]
    assert table.does("A pass") == ["A discards 9p", "B draws 2z"]


def test_it_wins_with_the_tile_it_draws() -> None:
    table = declared("9p")
    assert table.does("A win") == ["A wins 9p self_draw", "ended: win"]
    assert table.settles().totals == (54, -18, -18, -18)


def test_it_wins_with_a_wild_tile_it_draws_for_its_best_wait() -> None:
    table = declared("1z")
    assert table.does("A win") == ["A wins 1z self_draw", "ended: win"]
    assert table.settles().totals == (54, -18, -18, -18)


def test_it_cannot_discard_as_it_likes() -> None:
    table = declared("9p2z")
    assert table.refuses("A discard 2s") == "hand_frozen, common 6"
    assert table.refuses("A discard 9p") == "hand_frozen, common 6"


def test_it_takes_no_pung() -> None:
    table = Table("2s4z", hands={"A": SIX_NINE + "3z"})
    table.does("A declare 3z")
    assert table.does("B discard 2s") == ["B discards 2s", "C draws 4z"]


def test_it_is_told_why_it_takes_no_pung() -> None:
    hands = {"A": "123456789m78p88s3z", "D": "234m567m345p67s99s"}
    table = Table("8s", hands=hands, win_requires_declaration=False)
    table.does("A declare 3z")
    assert table.does("B discard 8s")[-1] == "offered: D win"
    assert table.refuses("A pung") == "hand_frozen, haozi/1 A3.3"


# --- kongs ------------------------------------------------------------------------------------


def test_it_may_kong_the_tile_it_draws() -> None:
    table = declared("5z2z9p", TRIPLET)
    assert table.all("A") == ["kong 5z", "pass"]
    assert table.does("A kong 5z") == [
        "A kongs 5z concealed",
        "A replaces 2z",
        "A discards 2z (auto)",
        "B draws 9p",
    ]


def test_it_may_pass_the_kong_and_then_discards_the_tile() -> None:
    table = declared("5z2z", TRIPLET)
    assert table.does("A pass") == ["A discards 5z", "B draws 2z"]
    assert table.locks("A") == []


def test_it_may_kong_a_tile_that_it_is_offered() -> None:
    table = Table("5z9p", hands={"A": TRIPLET + "3z"})
    table.does("A declare 3z", "B discard 5z")
    assert table.may("A") == ["kong", "pass"]
    assert table.does("A kong")[1:] == ["A kongs 5z exposed of B", "A replaces 9p"]
    assert table.all("A") == ["win", "pass"]
    table.does("A win")
    assert outcome(table.hand).after_kong == AfterKong("exposed")


def test_it_may_add_the_tile_it_draws_to_its_pung() -> None:
    hands = {"A": "55z123456m78p22s3z", "D": "5z"}
    table = Table("4z6z7z5z2z2z", dealer="D", hands=hands)
    table.does("D discard 5z", "A pung", "A declare 3z", "B discard 4z", "C discard 6z")
    assert table.does("D discard 7z")[1:] == ["A draws 5z"]
    assert table.all("A") == ["kong 5z", "pass"]
    assert table.does("A kong 5z")[:2] == ["A kongs 5z added of D", "A replaces 2z"]


def test_it_kongs_nothing_but_the_tile_that_came() -> None:
    """A holds four 1m, of which one stands in a run, and draws something else."""
    hand = "111123m456s78p22s"
    assert declared("8s2z", hand).log[-3:] == ["A draws 8s", "A discards 8s (auto)", "B draws 2z"]
    table = declared("9p2z", hand)
    assert table.all("A") == ["win", "pass"]
    assert table.refuses("A kong 1m") == "hand_frozen, haozi/1 A3.3"


def test_it_kongs_only_while_it_keeps_a_wait_of_the_points_asked() -> None:
    """Waits for 1s, 4s and 9p; with 4s konged only 1s would be left."""
    hand = "123456m99p23444s"
    assert declared("4s2z", hand).log[-2:] == ["A discards 4s (auto)", "B draws 2z"]
    table = declared("4s2z", hand, min_win_points=4)
    assert table.all("A") == ["win", "pass"]
    assert table.refuses("A kong 4s") == "kong_loses_wait, haozi/1 A3.3"


def test_the_floor_of_a_house_counts_for_the_wait_that_is_kept() -> None:
    """With 4s konged 1s is left, which is worth one."""
    table = declared("4s2z", "123456m99p23444s", min_declare_points=1)
    assert table.all("A") == ["kong 4s", "pass"]


def test_the_wait_that_is_kept_is_natural() -> None:
    """With 4s konged 1s is left, and it is wild."""
    double: dict[str, Any] = {"min_declare_points": 1, "variant": "double_rat", "wilds": "1s2z"}
    table = declared("4s5z", "123456m99p23444s", **double)
    assert table.log[-2:] == ["A discards 4s (auto)", "B draws 5z"]


def test_a_discard_is_konged_only_while_it_keeps_its_wait() -> None:
    table = Table("4s4z", hands={"A": "123456m99p23444s3z"})
    table.does("A declare 3z")
    assert table.does("B discard 4s") == ["B discards 4s", "C draws 4z"]


def test_a_wait_for_the_konged_kind_itself_is_none() -> None:
    """Waits for 2p and 7s; with 7s konged only 7s would be left, and there is no fifth."""
    table = Table("7s4z", hands={"A": "123456m22p77789s3z"})
    table.does("A declare 3z", "B discard 7s")
    assert table.may("A") == ["win", "pass"]
    assert table.refuses("A kong") == "kong_loses_wait, haozi/1 A3.3"


def test_its_waits_may_change_by_a_kong() -> None:
    """Waits for 2p, 5s and 8s before, for 8s afterwards."""
    table = declared("5s2z9s", "123456m22p55567s")
    assert table.all("A") == ["kong 5s", "pass"]


def test_a_house_may_bar_kongs_that_change_the_waits() -> None:
    """改变听口不能杠."""
    hand, option = "123456m22p55567s", {"no_kong_if_wait_changes": True}
    assert declared("5s2z", hand, **option).log[-2:] == ["A discards 5s (auto)", "B draws 2z"]
    table = declared("5s2z", hand, min_win_points=5, **option)
    assert table.all("A") == ["win", "pass"]
    assert table.refuses("A kong 5s") == "kong_changes_waits, haozi/1 A3.3"


def test_then_a_discard_is_not_konged_either() -> None:
    table = Table("5s4z", hands={"A": "123456m22p55567s3z"}, no_kong_if_wait_changes=True)
    table.does("A declare 3z")
    assert table.does("B discard 5s") == ["B discards 5s", "C draws 4z"]


def test_a_kong_that_leaves_the_waits_as_they_are_is_open_even_then() -> None:
    table = declared("5z2z9s", TRIPLET, no_kong_if_wait_changes=True)
    assert table.all("A") == ["kong 5z", "pass"]
    table = Table("5z9p", hands={"A": TRIPLET + "3z"}, no_kong_if_wait_changes=True)
    table.does("A declare 3z", "B discard 5z")
    assert table.may("A") == ["kong", "pass"]


def with_wilds(**options: Any) -> Table:
    """A has declared with three wild tiles; others have thrown what is worth too little."""
    hands = {"A": "123456m78p22s111z3z"}
    table = Table("4m3m2m1z9p", hands=hands, **options)
    table.does("A declare 3z", "B discard 4m", "C discard 3m", "D discard 2m")
    return table


def test_wild_tiles_may_be_konged_as_what_they_are() -> None:
    """Three wild tiles and a fourth: it may win with it, or kong and wait for 6p and 9p."""
    table = with_wilds()
    assert table.all("A") == ["win", "kong 1z", "pass"]
    assert table.does("A kong 1z") == ["A kongs 1z concealed", "A replaces 9p"]
    table = with_wilds(wild_pung_kong_as_natural=False)
    assert table.all("A") == ["win", "pass"]
    assert table.refuses("A kong 1z") == "wild_not_melded, haozi/1 A3.1"


def test_with_an_empty_wall_it_kongs_nothing() -> None:
    table = declared("5z", TRIPLET, ends=True)
    assert table.log[-2:] == ["A discards 5z (auto)", "ended: exhausted"]


def test_an_undeclared_hand_kongs_what_it_likes() -> None:
    """With 4s konged it would wait for 1s alone."""
    table = Table("2z", hands={"A": "4444s123456m99p23s"}, no_kong_if_wait_changes=True)
    assert table.may("A") == ["kong 4s"]


@pytest.mark.parametrize("tile", ["9s", "9p"])
def test_a_match_broken_off_leaves_a_declared_hand_that_can_be(tile: str) -> None:
    """Also in the middle of its turn, with fourteen tiles."""
    table = declared(tile + "2z")
    table.dissolves()
    assert table.settles().totals == (0, 0, 0, 0)

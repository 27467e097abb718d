"""A3.5 of 耗子 with 有胡必胡: nobody passes a win, the ledger plays it."""

from __future__ import annotations

from typing import Any

from ledger.hand import outcome
from tests.rules.haozi_table import Table

SIX_NINE = "123456789m78p22s"
OTHER = "234567m345s78p11s"
"""Both wait for 6p and 9p."""
TRIPLET = "666z123456m78p22s"


def both(draws: str, **more: Any) -> Table:
    """B and C have declared, D has thrown 5z, and A draws the first tile."""
    hands = {"B": SIX_NINE + "3z", "C": OTHER} | more.pop("hands", {})
    table = Table("4z5z" + draws, dealer="B", hands=hands, must_win=True, **more)
    table.does("B declare 3z", "C declare 4z", "D discard 5z")
    return table


# --- the own draw -----------------------------------------------------------------------------


def test_a_win_that_is_drawn_is_played_at_once() -> None:
    table = both("2z9p")
    assert table.does("A discard 2z")[1:] == [
        "B draws 9p",
        "B wins 9p self_draw (auto)",
        "ended: win",
    ]
    assert table.settles().totals == (-18, 54, -18, -18)


def test_so_is_one_with_a_wild_tile() -> None:
    table = both("2z1z")
    assert table.does("A discard 2z")[2:] == ["B wins 1z self_draw (auto)", "ended: win"]


def test_so_is_one_that_could_be_konged() -> None:
    """By the house 5s is enough; drawn it could be konged or won with."""
    hands = {"B": "123456m22p55567s3z", "C": "1379m2468p13s467z"}
    table = Table("4z5z2z5s", dealer="B", hands=hands, must_win=True, min_win_points=5)
    table.does("B declare 3z", "C discard 4z", "D discard 5z")
    assert table.does("A discard 2z")[2:] == ["B wins 5s self_draw (auto)", "ended: win"]


def test_so_is_one_that_replaces_a_kong() -> None:
    table = both("2z6z9p", hands={"B": TRIPLET + "3z"})
    table.does("A discard 2z")
    assert table.does("B kong 6z")[1:] == [
        "B replaces 9p",
        "B wins 9p self_draw (auto)",
        "ended: win",
    ]


def test_a_tile_below_the_floor_is_thrown_as_ever() -> None:
    table = both("2z3s6z", hands={"B": "123456789s11p78s3z", "C": "234567m345m78p11s"})
    assert table.does("A discard 2z")[2] == "B discards 3s (auto)"


def test_a_kong_is_still_asked_about() -> None:
    table = both("2z6z7z", hands={"B": TRIPLET + "3z"})
    table.does("A discard 2z")
    assert table.all("B") == ["kong 6z", "pass"]


# --- what others throw ------------------------------------------------------------------------


def test_a_discard_is_won_by_the_nearest_seat_and_nobody_is_asked() -> None:
    table = both("9p", hands={"D": "99p"})
    assert table.does("A discard 9p") == [
        "A discards 9p",
        "B wins 9p discard of A (auto)",
        "ended: win",
    ]
    assert [win.seat for win in outcome(table.hand).wins] == [1]
    assert table.settles().totals == (-27, 27, 0, 0)


def test_a_nearer_seat_that_may_not_win_it_does_not_stand_in_the_way() -> None:
    """B waits for 9s and others, C for 9p."""
    table = both("9p", hands={"B": "123456789s11p78s3z", "C": "234567m345m78p11s"})
    assert table.does("A discard 9p")[1] == "C wins 9p discard of A (auto)"


def test_a_tile_that_nobody_can_win_is_offered_as_ever() -> None:
    table = both("9s", hands={"D": "99s"})
    assert table.does("A discard 9s")[-1] == "offered: D pung"


def test_a_tile_laid_face_down_is_won_too() -> None:
    table = both("6p", hands={"A": "123456789s11p78s"})
    assert table.does("A declare 6p") == [
        "A declares 6p",
        "B wins 6p discard of A (auto)",
        "ended: win",
    ]
    assert table.settles().totals == (-6, 18, -6, -6)


def test_unless_it_may_not_be_claimed() -> None:
    table = both("6p2z", hands={"A": "123456789s11p78s"}, face_down_claimable=False)
    assert table.does("A declare 6p")[:2] == ["A declares 6p", "B draws 2z"]


def test_an_added_kong_is_robbed() -> None:
    hands = {"D": "8s", "B": "88s4m", "C": "234567m345p67s11p"}
    table = Table("2z3z4z8s5z", dealer="D", hands=hands, must_win=True)
    table.does("D discard 8s", "B pung", "B discard 4m")
    table.does("C declare 2z", "D discard 3z", "A discard 4z")
    assert table.does("B kong 8s") == [
        "B shows 8s",
        "C wins 8s rob_kong of B (auto)",
        "ended: win",
    ]
    assert table.settles().totals == (0, -24, 24, 0)


def test_nobody_is_ever_locked() -> None:
    table = both("9p")
    table.does("A discard 9p")
    assert [table.locks(letter) for letter in "ABCD"] == [[], [], [], []]


# --- where nobody need declare ----------------------------------------------------------------


def free(draws: str = "", **more: Any) -> Table:
    return Table(draws, must_win=True, win_requires_declaration=False, **more)


def test_the_dealer_wins_as_dealt() -> None:
    table = free(hands={"A": "123456789m678p22s"})
    assert table.log == ["Dealt", "A wins 9m self_draw (auto)", "ended: win"]
    assert outcome(table.hand).wins[0].first_turn


def test_an_undeclared_seat_wins_what_it_draws() -> None:
    table = free("9p", hands={"A": "5z", "B": SIX_NINE})
    assert table.does("A discard 5z")[-2] == "B wins 9p self_draw (auto)"


def test_and_what_others_throw() -> None:
    table = free(hands={"A": "9p", "B": SIX_NINE})
    assert table.does("A discard 9p")[1] == "B wins 9p discard of A (auto)"


def test_where_it_must_declare_it_does_not() -> None:
    table = Table("9p", hands={"A": "5z", "B": SIX_NINE}, must_win=True)
    assert table.does("A discard 5z")[-1] == "B draws 9p"
    assert table.may("B") == []


def test_after_a_pung_nothing_has_been_drawn_and_nothing_is_won() -> None:
    """1p is worth too little to be won; with it punged the hand is complete, and B discards."""
    table = free("4z", hands={"A": "1p", "B": "123456m789p11p22s"})
    assert table.does("A discard 1p")[-1] == "offered: B pung"
    table.does("B pung")
    assert table.may("B") == []
    assert table.refuses("B win") == "no_tile_drawn, common 5"
    assert table.does("B discard 2s")[0] == "B discards 2s"

"""A3.2 of 耗子: declaring ready 报听, and the tile that is laid face down 倒扣."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.events import Discarded
from ledger.hand import outcome
from ledger.tiles import tiles_text
from tests.rules.haozi_table import Table

SIX_NINE = "123456789m78p22s"
"""Waits for 6p and 9p."""
OTHER = "234567m345s78p11s"
"""Waits for 6p and 9p too."""


def river(table: Table, viewer: str) -> str:
    """A's river as a seat sees it."""
    return tiles_text(table.seen(viewer).seats[0].river)


# --- who may declare --------------------------------------------------------------------------


def test_a_seat_may_declare_with_the_discard_that_leaves_it_ready() -> None:
    assert Table(hands={"A": SIX_NINE + "3z"}).declares("A") == ["3z"]


def test_it_need_not() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z"})
    assert table.does("A discard 3z") == ["A discards 3z", "B draws 4z"]
    assert table.hand.seats[0].declared is None


def test_who_has_not_declared_may_do_so_later() -> None:
    table = Table("4z5z6z7z", hands={"A": SIX_NINE + "3z"})
    table.does("A discard 3z", "B discard 4z", "C discard 5z", "D discard 6z")
    assert table.declares("A") == ["7z"]


def test_a_hand_that_is_not_ready_cannot_declare() -> None:
    table = Table(hands={"A": "1379m2468p1357s34z"})
    assert table.declares("A") == []
    assert table.refuses("A declare 3z") == "declared_not_ready, haozi/1 A3.2"


@pytest.mark.parametrize(
    ("hand", "options", "may"),
    [
        ("123456789m23p22s", {}, False),
        ("123456789m34p22s", {}, False),
        ("123456789m45p22s", {}, True),
        ("123456789m34p22s", {"min_declare_points": 5}, True),
        ("123456789m78p22s", {"min_declare_points": 9}, True),
        ("123456789m78p22s", {"min_declare_points": 10}, False),
        ("123456m789p5544z", {"min_declare_points": 10}, True),
        ("123456789s11p78s", {}, True),
    ],
)
def test_the_best_wait_must_have_the_points(hand: str, options: dict[str, Any], may: bool) -> None:
    table = Table(hands={"A": hand + "3z"}, **options)
    assert ("3z" in table.declares("A")) is may


def test_a_wild_kind_is_no_wait() -> None:
    """The hand waits for 6p and 9p, and both are wild."""
    hands = {"A": SIX_NINE + "3z"}
    assert Table(hands=hands, variant="double_rat", wilds="69p").declares("A") == []
    assert Table(hands=hands, variant="double_rat", wilds="68m").declares("A") != []


def test_a_kind_of_which_the_player_has_all_four_is_no_wait() -> None:
    table = Table(hands={"A": "1111m234p456s777z3z"}, min_declare_points=0)
    assert "3z" not in table.declares("A")


def test_a_wild_tile_may_be_the_one_that_declares() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "1z"})
    assert table.does("A declare 1z") == ["A declares 1z", "B draws 4z"]


def test_the_discard_after_a_pung_may_declare() -> None:
    table = Table("4z", hands={"A": "5z", "B": "55z123456m78p22s3z"})
    table.does("A discard 5z", "B pung")
    assert table.declares("B") == ["3z"]
    table.does("B declare 3z")
    assert table.hand.seats[1].declared == "ready"


def test_the_discard_after_a_kong_may_declare() -> None:
    table = Table("3z", hands={"A": "5555z123456m78p22s"})
    table.does("A kong 5z")
    assert table.declares("A") == ["3z"]


def test_nobody_declares_twice() -> None:
    table = Table("4z5z6z9p", hands={"A": SIX_NINE + "3z"})
    table.does("A declare 3z", "B discard 4z", "C discard 5z", "D discard 6z")
    assert table.refuses("A declare 9p") == "hand_frozen, common 6"


# --- the tile laid face down ------------------------------------------------------------------


def test_the_tile_is_laid_face_down_and_only_its_own_seat_knows_it() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z"})
    assert table.does("A declare 3z") == ["A declares 3z", "B draws 4z"]
    fact = table.events[-2].fact
    assert isinstance(fact, Discarded)
    assert (fact.tile, fact.declares) == (None, "ready")
    assert [river(table, viewer) for viewer in "ABCD"] == ["3z", "?", "?", "?"]


def test_who_has_a_claim_sees_it_while_he_is_asked() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z", "C": "33z"})
    assert table.does("A declare 3z") == ["A declares 3z", "offered face down: C pung 3z"]
    assert table.asked() == "C"
    shown = [table.seen(viewer).window for viewer in "BCD"]
    assert [window and tiles_text((window.tile or 0,)) for window in shown] == ["?", "3z", "?"]


def test_a_tile_that_nobody_takes_stays_hidden_from_who_saw_it_too() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z", "C": "33z"})
    table.does("A declare 3z")
    assert table.does("C pass") == ["answered: C pass", "B draws 4z"]
    assert [river(table, viewer) for viewer in "ABCD"] == ["3z", "?", "?", "?"]


def test_it_may_be_punged() -> None:
    table = Table(hands={"A": SIX_NINE + "3z", "C": "33z"})
    table.does("A declare 3z")
    assert table.does("C pung") == ["answered: C pung", "C pungs 3z of A"]
    assert (river(table, "B"), table.hand.seats[0].declared) == ("", "ready")


def test_it_may_be_konged_and_was_fed_by_a_declared_seat() -> None:
    table = Table("4z5z", hands={"A": SIX_NINE + "3z", "C": "333z"})
    table.does("A declare 3z")
    assert table.may("C") == ["pung", "kong", "pass"]
    table.does("C kong")
    assert table.hand.seats[2].melds[0].feeder_declared


def test_an_open_discard_feeds_a_kong_of_an_undeclared_seat() -> None:
    table = Table("4z5z", hands={"A": SIX_NINE + "3z", "C": "333z"})
    table.does("A discard 3z", "C kong")
    assert not table.hand.seats[2].melds[0].feeder_declared


def test_it_may_be_won_and_is_the_discard_of_a_declared_seat() -> None:
    """The 6p is worth 6, and all pay it: A had declared by then."""
    hands = {"A": "123456789s11p78s", "B": OTHER + "3z"}
    table = Table("4z5z6p", dealer="B", hands=hands)
    table.does("B declare 3z", "C discard 4z", "D discard 5z")
    assert table.does("A declare 6p")[-1] == "offered face down: B win 6p"
    assert table.does("B win")[1:] == ["B wins 6p discard of A", "ended: win"]
    assert table.settles().totals == (-6, 18, -6, -6)


@pytest.mark.parametrize(
    ("claims", "offered"),
    [
        ({"B": "234567m345s777p3z"}, "offered face down: B win 3z"),
        ({"C": "33z"}, "offered face down: C pung 3z"),
        ({"C": "333z"}, "offered face down: C pung kong 3z"),
    ],
)
def test_a_house_may_keep_it_from_everybody(claims: dict[str, str], offered: str) -> None:
    hands = {"A": SIX_NINE + "3z", **claims}
    table = Table("4z", hands=hands, win_requires_declaration=False)
    assert table.does("A declare 3z")[-1] == offered
    table = Table("4z", hands=hands, win_requires_declaration=False, face_down_claimable=False)
    assert table.does("A declare 3z") == ["A declares 3z", "B draws 4z"]


def test_what_is_drawn_and_thrown_after_it_may_be_claimed_as_ever() -> None:
    hands = {"A": SIX_NINE + "3z", "C": "44z"}
    table = Table("4z", hands=hands, face_down_claimable=False)
    table.does("A declare 3z")
    assert table.does("B discard 4z")[-1] == "offered: C pung"


# --- nobody learns of it from a refusal -------------------------------------------------------


@pytest.mark.parametrize("tile", ["1z", "3z"])
@pytest.mark.parametrize("line", ["D win", "D pung", "D kong", "D pass", "D win 1z"])
def test_who_is_not_asked_is_not_told_why(tile: str, line: str) -> None:
    """He hears the same whether the tile is wild or not."""
    table = Table("4z", hands={"A": SIX_NINE + tile, "C": tile * 2})
    table.does(f"A declare {tile}")
    assert table.refuses(line) == "not_asked, common 4"


def test_who_is_asked_is_told_why_he_may_not_do_something_else() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z", "C": "33z"})
    table.does("A declare 3z")
    assert table.refuses("C kong") == "no_four_of_a_kind, common 5"
    assert table.refuses("C win") == "win_not_declared, haozi/1 A3.4"
    assert table.refuses("A pung") == "window_open, common 4"


def test_an_open_discard_tells_why() -> None:
    table = Table("4z", hands={"A": SIX_NINE + "3z", "C": "33z"})
    table.does("A discard 3z")
    assert table.refuses("D win") == "win_not_declared, haozi/1 A3.4"
    assert table.refuses("D pung") == "no_pair_for_pung, common 5"


def test_a_kong_shown_after_it_lies_open_to_all() -> None:
    hands = {"A": SIX_NINE, "B": "88s4m", "C": "234567m345p67s11p", "D": "8s"}
    table = Table("2z6z3z8s", dealer="D", hands=hands)
    table.does("D discard 8s", "B pung", "B discard 4m", "C declare 2z", "D discard 6z")
    table.does("A declare 3z")
    assert table.does("B kong 8s") == ["B shows 8s", "offered: C win"]
    assert table.refuses("D win") == "win_not_declared, haozi/1 A3.4"


def test_at_the_end_everything_is_in_the_outcome() -> None:
    table = Table(ends=True, hands={"A": SIX_NINE + "3z"})
    table.does("A declare 3z")
    found = outcome(table.hand).seats[0]
    assert (found.river, found.declared) == ("3z", "ready")

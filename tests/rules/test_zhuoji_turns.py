"""B1 of 捉鸡: the tiles, the own turn, how a hand ends, what is turned then, who deals next."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.hand import Win
from ledger.outcome import WinHow
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import ruleset
from ledger.tiles import tiles_text
from tests.rules.table import NOW, seat_of
from tests.rules.zhuoji_table import PLAIN, Table

# --- the tiles --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "left"), [(4, 108 - 53), (3, 108 - 40), (2, 108 - 27)])
def test_all_tables_play_with_the_tiles_of_three_suits(players: int, left: int) -> None:
    table = Table(players=players)
    assert tiles_text(table.rules.kinds) == "123456789m123456789p123456789s"
    assert (len(table.wall), table.hand.left) == (108, left)


@pytest.mark.parametrize(
    ("options", "kinds"), [({}, "1s"), ({"wugu_ji": True}, "8p1s"), ({"ben_ji": True}, "1s")]
)
def test_the_first_discard_of_default_chickens_is_told(options: dict[str, Any], kinds: str) -> None:
    assert tiles_text(sorted(ruleset("zhuoji/1", options).chickens)) == kinds


# --- the own turn -----------------------------------------------------------------------------


def test_a_plain_hand_wins_by_its_own_draw() -> None:
    """平胡 1, 自摸 1, and one from the dealer; the tile flipped makes 3m, which A has once."""
    table = Table("9s2m", hands={"A": "8p", "B": PLAIN}, undeclared="B")
    table.does("A discard 8p")
    assert table.may("B") == ["win"]
    assert table.does("B win") == ["B wins 9s self_draw", "flipped 2m", "ended: win"]
    assert [one.points for one in table.settles().payments if one.reason == "win"] == [3, 2, 2]


def test_it_need_not() -> None:
    table = Table("9s2m", hands={"A": "8p", "B": PLAIN}, undeclared="B")
    table.does("A discard 8p")
    assert table.does("B discard 9s") == ["B discards 9s", "C draws 2m"]


def test_after_a_pung_there_is_neither_a_win_nor_a_kong() -> None:
    hands = {"A": "9p", "B": "99p9999m444s5558s"}
    table = Table(hands=hands)
    table.does("A discard 9p", "B pung")
    assert table.may("B") == []
    assert table.refuses("B win") == "no_tile_drawn, common 5"
    assert table.refuses("B kong 9m") == "no_tile_drawn, common 5"


def test_what_other_games_have_is_refused() -> None:
    table = Table(hands={"A": "9999m"})
    with pytest.raises(Refused) as refused:
        play.play(table.hand, Choice(0, "kong", "9m", touzi=True), table.rules, NOW)
    assert refused.value.code == "not_with_this_action"
    assert table.refuses("A pass") == "nothing_to_pass, common 5"


# --- the end ----------------------------------------------------------------------------------


def test_a_hand_is_drawn_when_a_seat_must_draw_and_nothing_is_left() -> None:
    table = Table(ends=True, hands={"A": "9p"})
    assert table.does("A discard 9p") == ["A discards 9p", "ended: exhausted"]
    assert table.outcome().flip is None


def test_the_last_discard_is_won_but_neither_punged_nor_konged() -> None:
    hands = {"A": "9p", "B": "113355m224466p9p", "C": "99p"}
    table = Table(ends=True, hands=hands, undeclared="B")
    assert table.does("A discard 9p")[-1] == "offered: B win"
    assert table.refuses("C pung") == "last_tile, common 3"


def test_no_kong_is_declared_when_nothing_is_left() -> None:
    table = Table(ends=True, hands={"A": "9999m"})
    assert table.refuses("A kong 9m") == "last_tile, common 3"


def test_a_hand_dissolved_pays_nothing() -> None:
    table = Table("9s", hands={"A": "8p", "B": PLAIN}, hard="B")
    table.does("A discard 8p")
    assert table.dissolves() == ["ended: dissolved"]
    assert table.settles().totals == (0, 0, 0, 0)


# --- the tile flipped -------------------------------------------------------------------------


@pytest.mark.parametrize("flip_mode", ["next", "swing", "none"])
def test_after_a_win_the_next_tile_is_flipped_under_every_option(flip_mode: str) -> None:
    table = Table("9s2m", hands={"A": "8p", "B": PLAIN}, undeclared="B", flip_mode=flip_mode)
    table.does("A discard 8p", "B win")
    assert table.outcome().flip == "2m"


def test_a_win_with_the_last_tile_flips_none() -> None:
    table = Table("9999m9s", ends=True, hands={"A": "8p", "B": PLAIN}, undeclared="B")
    table.does("A discard 8p", "B discard 9m", "C discard 9m", "D discard 9m", "A discard 9m")
    assert table.does("B win") == ["B wins 9s self_draw", "ended: win"]
    assert table.outcome().flip is None
    assert table.settles().totals == (-3, 7, -2, -2)


# --- 星期鸡 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "day"),
    [
        ({}, None),
        ({"weekday_source": "room_creation"}, None),
        ({"week_ji": True}, 2),
        ({"week_ji": True, "weekday_source": "room_creation"}, 5),
    ],
)
def test_the_weekday_is_that_of_the_end_or_of_the_opening(
    options: dict[str, Any], day: int | None
) -> None:
    """The hand ends on a Tuesday; the room was opened on a Friday."""
    opening = 5 if ruleset("zhuoji/1", options).weekday == "opening" else None
    table = Table(ends=True, hands={"A": "9p"}, weekday=opening, **options)
    table.does("A discard 9p")
    assert table.outcome().weekday == day


# --- B1.1 -------------------------------------------------------------------------------------


def next_dealer(winners: str, source: str, how: WinHow = "discard") -> str:
    """Who deals after C did and so many won, in whatever order they are told."""
    origin = seat_of(source) if source else None
    wins = tuple(Win(seat_of(letter), 0, how, origin, False) for letter in winners)
    table = Table(dealer="C")
    return "ABCD"[table.rules.next_dealer(replace(table.hand, wins=wins))]


@pytest.mark.parametrize(
    ("winners", "source", "dealer"),
    [
        ("", "", "C"),
        ("A", "B", "A"),
        ("C", "B", "C"),
        ("AD", "B", "D"),
        ("DA", "B", "D"),
        ("AC", "D", "A"),
        ("ABD", "C", "C"),
        ("BCD", "A", "A"),
    ],
)
def test_the_winner_deals_next(winners: str, source: str, dealer: str) -> None:
    """Of two the first after who gave the tile, after three who gave it, without one the same."""
    assert next_dealer(winners, source) == dealer


def test_who_was_robbed_gave_the_tile() -> None:
    assert next_dealer("BD", "C", "rob_kong") == "D"
    assert next_dealer("ACD", "B", "rob_kong") == "B"


def test_who_wins_by_the_own_draw_deals_next() -> None:
    assert next_dealer("B", "", "self_draw") == "B"

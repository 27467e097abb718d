"""C5 of 怀化: who pays whom, in points worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.outcome import NotCounted, Outcome, Part, read_outcome
from ledger.rules.catalog import settle
from tests.rules.table import (
    ended,
    kongs,
    on_discard,
    paid,
    refusal_of,
    robbing,
    seat,
    self_draw,
)

VECTORS = json.loads(Path(__file__).parent.parent.joinpath("vectors/huaihua.json").read_text())

PLAIN = seat("123m456p789s55s67p")
"""Waits for 5p and 8p; 平胡."""
PAIRS = seat("11m33m55m77p99p22s8s")
"""Waits for 8s; 七对."""


REFUSED = {
    "E01": "tile_copies",
    "E02": "hand_length",
    "E03": "hand_not_complete",
    "E04": "self_draw_only",
    "E05": "option_unknown",
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_worked_example(vector: dict[str, Any]) -> None:
    if vector["id"] in REFUSED:
        assert vector["error"]
        assert refusal_of(read_outcome(vector["outcome"]))[0] == REFUSED[vector["id"]]
        return
    found = settle(read_outcome(vector["outcome"]))
    assert list(found.totals) == vector["totals"]
    assert [list(win.patterns) for win in found.wins] == vector["patterns"]


def plain(**more: Any) -> Outcome:
    """A draws 8p and wins plainly."""
    return ended({"A": PLAIN}, self_draw("A", "8p"), **more)


def dealt_in(**more: Any) -> Outcome:
    """C discards 8p and A wins plainly."""
    return ended({"A": PLAIN}, on_discard("A", "8p", "C"), win_mode="discard", **more)


# --- C5.1 self-draw, C5.2 discard and robbing -------------------------------------------------


def test_each_other_player_pays_two_for_a_self_draw() -> None:
    found = settle(plain())
    assert paid(found) == ["B>A 2", "C>A 2", "D>A 2"]
    assert found.totals == (6, -2, -2, -2)
    assert {one.rule for one in found.payments} == {"huaihua/1 C5.1"}


def test_with_fewer_players_a_self_draw_earns_less() -> None:
    assert settle(plain(players=3)).totals == (4, -2, -2)
    assert settle(plain(players=2)).totals == (2, -2)


def test_the_discarder_alone_pays_one() -> None:
    found = settle(dealt_in())
    assert paid(found) == ["C>A 1"]
    assert found.totals == (1, 0, -1, 0)
    assert found.payments[0].rule == "huaihua/1 C5.2"


def test_the_robbed_seat_pays_as_a_discarder_and_gets_nothing_for_its_kong() -> None:
    outcome = ended({"A": PLAIN, "D": seat("", "pung 8p B")}, robbing("A", "8p", "D"))
    found = settle(outcome)
    assert paid(found) == ["D>A 1"]
    assert found.payments[0].rule == "huaihua/1 C5.2"
    assert kongs(found) == []
    assert found.not_counted == (NotCounted(3, "added_kong", "8p", "robbed", "huaihua/1 C3.7"),)


def test_big_patterns_multiply_what_is_paid() -> None:
    outcome = ended({"B": PAIRS}, self_draw("B", "8s"))
    assert paid(settle(outcome)) == ["A>B 4", "C>B 4", "D>B 4"]


def test_each_winner_of_one_discard_is_paid_by_his_own_hand() -> None:
    winners = (on_discard("A", "8p", "D"), on_discard("C", "8p", "D"))
    hands = {"A": PLAIN, "C": seat("11m33m55m77s99s22s8p")}
    found = settle(ended(hands, *winners, win_mode="discard"))
    assert paid(found) == ["D>A 1", "D>C 2"]
    assert found.totals == (1, 0, 2, -3)


def test_several_robbers_are_each_paid_by_the_robbed_seat() -> None:
    winners = (robbing("A", "8p", "D"), robbing("C", "8p", "D"))
    hands = {"A": PLAIN, "C": seat("234m234p888s99s67p"), "D": seat("", "pung 8p B")}
    found = settle(ended(hands, *winners))
    assert found.totals == (1, 0, 1, -2)
    assert len(found.not_counted) == 1


def test_winners_are_told_in_turn_order_from_the_discarder_and_payments_by_payee() -> None:
    winners = (on_discard("A", "8p", "C"), on_discard("D", "8p", "C"))
    hands = {"A": PLAIN, "D": seat("234m234p888s99s67p")}
    found = settle(ended(hands, *winners, win_mode="discard"))
    assert [win.seat for win in found.wins] == [3, 0]
    assert paid(found) == ["C>A 1", "C>D 1"]


def test_the_base_score_multiplies_wins_and_kongs() -> None:
    hands = {"A": seat("123m456p55s67p", "exposed 9s C")}
    found = settle(ended(hands, self_draw("A", "8p"), base_score=5))
    assert paid(found) == ["B>A 10", "C>A 10", "D>A 10"]
    assert kongs(found) == ["C>A 15"]


def test_a_payment_says_how_its_points_come_about() -> None:
    outcome = ended({"B": PAIRS}, self_draw("B", "8s"), birds="1p", bird_count=1, base_score=3)
    first = settle(outcome).payments[0]
    assert first.points == 2 * 2 * 2 * 3
    assert first.parts == (
        Part("self_draw", points=2),
        Part("qi_dui", factor=2),
        Part("birds", factor=2),
        Part("base_score", factor=3),
    )


# --- C5.4 kongs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("melded", "bao_gang", "payments"),
    [
        ("exposed 9s C", True, ["C>A 3"]),
        ("exposed 9s C", False, ["C>A 1"]),
        ("added 9s C", True, ["B>A 1", "C>A 1", "D>A 1"]),
        ("added 9s C", False, ["B>A 1", "C>A 1", "D>A 1"]),
        ("concealed 9s", True, ["B>A 2", "C>A 2", "D>A 2"]),
        ("pung 9s C", True, []),
    ],
)
def test_a_kong_is_paid_by_its_sort(melded: str, bao_gang: bool, payments: list[str]) -> None:
    outcome = ended({"A": seat("", melded)}, end="exhausted", bao_gang=bao_gang)
    found = settle(outcome)
    assert kongs(found) == payments
    assert all(one.rule == "huaihua/1 C5.4" for one in found.payments)


@pytest.mark.parametrize(("players", "points"), [(4, 3), (3, 2), (2, 1)])
def test_the_feeder_pays_a_share_for_every_other_player(players: int, points: int) -> None:
    outcome = ended({"A": seat("", "exposed 9s B")}, end="exhausted", players=players)
    assert kongs(settle(outcome)) == [f"B>A {points}"]


def test_kongs_are_paid_whoever_wins_and_without_his_factors() -> None:
    hands = {"B": PAIRS, "C": seat("", "concealed 1p")}
    found = settle(ended(hands, self_draw("B", "8s"), birds="1s", bird_count=1))
    assert paid(found) == ["A>B 8", "C>B 8", "D>B 8"]
    assert kongs(found) == ["A>C 2", "B>C 2", "D>C 2"]


def test_kongs_are_paid_by_payee_and_then_payer() -> None:
    hands = {"B": seat("", "concealed 1p, added 2p A"), "A": seat("", "added 3p C")}
    found = settle(ended(hands, end="exhausted", players=3))
    assert kongs(found) == ["B>A 1", "C>A 1", "A>B 2", "A>B 1", "C>B 2", "C>B 1"]


@pytest.mark.parametrize("end", ["exhausted", "dissolved"])
def test_kongs_of_a_drawn_or_dissolved_hand_are_paid(end: str) -> None:
    found = settle(ended({"A": seat("", "added 8s B")}, end=end))
    assert found.totals == (3, -1, -1, -1)


@pytest.mark.parametrize(("end", "why"), [("exhausted", "drawn_hand"), ("dissolved", "dissolved")])
def test_where_they_are_void_nobody_pays_and_the_settlement_says_why(end: str, why: str) -> None:
    hands = {"A": seat("", "concealed 7p"), "B": seat("", "added 8s A")}
    found = settle(ended(hands, end=end, void_kongs_on_draw=True))
    assert found.totals == (0, 0, 0, 0)
    assert found.payments == ()
    assert found.not_counted == (
        NotCounted(0, "concealed_kong", "7p", why, "huaihua/1 C5.4"),
        NotCounted(1, "added_kong", "8s", why, "huaihua/1 C5.4"),
    )


def test_void_kongs_are_paid_when_somebody_wins() -> None:
    hands = {"A": PLAIN, "B": seat("", "added 1s A")}
    found = settle(ended(hands, self_draw("A", "8p"), void_kongs_on_draw=True))
    assert kongs(found) == ["A>B 1", "C>B 1", "D>B 1"]


# --- C5.5 drawn hands -------------------------------------------------------------------------


def test_nothing_else_is_paid_on_a_drawn_hand_ready_or_not() -> None:
    found = settle(ended({"A": PLAIN}, end="exhausted"))
    assert found.totals == (0, 0, 0, 0)
    assert (found.payments, found.wins, found.not_counted) == ((), (), ())


def test_a_winner_whose_hand_is_no_win_is_refused() -> None:
    outcome = ended({"A": PLAIN}, self_draw("A", "1m"))
    assert refusal_of(outcome) == ("hand_not_complete", "/wins/0")

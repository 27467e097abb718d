"""A5 of 耗子: who pays whom, in points worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.outcome import NotCounted, Outcome, Part, SeatOutcome, read_outcome
from ledger.rules.catalog import settle
from tests.rules.haozi_table import (
    ended,
    idle,
    kongs,
    on_discard,
    paid,
    refusal_of,
    robbing,
    seat,
    self_draw,
    void,
)

VECTORS = json.loads(Path(__file__).parent.parent.joinpath("vectors/haozi.json").read_text())
REFUSED = {
    "E01": "tile_copies",
    "E02": "hand_length /seats/0/hand",
    "E03": "win_not_declared /wins/0 haozi/1 A3.4",
    "E04": "wild_not_won /wins/0 haozi/1 A3.1",
    "E05": "option_unknown",
}

SIX_NINE = seat("123m456m789m78p22s")
"""Waits for 6p and 9p."""
READY = seat("234m567m345s78p11s")
"""Waits for 6p and 9p too."""


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_worked_example(vector: dict[str, Any]) -> None:
    if vector["id"] in REFUSED:
        assert vector["error"]
        assert refusal_of(read_outcome(vector["outcome"])) == REFUSED[vector["id"]]
        return
    found = settle(read_outcome(vector["outcome"]))
    assert list(found.totals) == vector["totals"]
    assert [list(win.patterns) for win in found.wins] == vector["patterns"]


def drawn(**more: Any) -> Outcome:
    """A draws 9p and wins nine points."""
    return ended({"A": SIX_NINE}, self_draw("A", "9p"), **more)


# --- A5.1 self-draw ---------------------------------------------------------------------------


def test_each_other_player_pays_the_value_twice_for_a_self_draw() -> None:
    found = settle(drawn())
    assert paid(found) == ["B>A 18", "C>A 18", "D>A 18"]
    assert found.totals == (54, -18, -18, -18)
    assert {one.rule for one in found.payments} == {"haozi/1 A5.1"}
    assert found.not_counted == ()


def test_with_fewer_players_fewer_pay_for_a_self_draw() -> None:
    assert settle(drawn(players=3)).totals == (36, -18, -18)
    assert settle(drawn(players=2)).totals == (18, -18)


def test_the_base_score_multiplies_a_win() -> None:
    assert settle(drawn(base_score=5)).totals == (270, -90, -90, -90)


def test_a_payment_for_a_self_draw_says_how_its_points_come_about() -> None:
    assert settle(drawn(base_score=5)).payments[0].parts == (
        Part("tile_value", points=9),
        Part("self_draw", factor=2),
        Part("base_score", factor=5),
    )


def test_a_self_drawn_wild_tile_is_paid_as_the_best_wait() -> None:
    found = settle(ended({"A": SIX_NINE}, self_draw("A", "1z")))
    assert paid(found) == ["B>A 18", "C>A 18", "D>A 18"]
    assert found.wins[0].value == 9


def test_a_natural_tile_is_paid_by_its_own_points_though_another_wait_is_worth_more() -> None:
    found = settle(ended({"A": SIX_NINE}, self_draw("A", "6p")))
    assert found.totals == (36, -12, -12, -12)


# --- A5.2 and A5.3 discard, robbed kong -------------------------------------------------------


def dealt_in(giver: str = "B", **more: Any) -> Outcome:
    """B, who has not declared, discards 9p and A wins; so with C, who has declared."""
    return ended({"A": SIX_NINE, "C": READY}, on_discard("A", "9p", giver), **more)


def test_a_declared_discarder_shares_the_win_with_the_others() -> None:
    found = settle(dealt_in("C"))
    assert paid(found) == ["B>A 9", "C>A 9", "D>A 9"]
    assert {one.rule for one in found.payments} == {"haozi/1 A5.2"}
    assert found.payments[0].parts == (
        Part("tile_value", points=9),
        Part("base_score", factor=1),
    )


def test_an_undeclared_discarder_pays_the_shares_of_all() -> None:
    found = settle(dealt_in("B", base_score=2))
    assert paid(found) == ["B>A 54"]
    assert found.payments[0].rule == "haozi/1 A5.3"
    assert found.payments[0].parts == (
        Part("tile_value", points=9),
        Part("shares", factor=3),
        Part("base_score", factor=2),
    )


def test_with_fewer_players_an_undeclared_discarder_pays_fewer_shares() -> None:
    assert settle(dealt_in("B", players=3)).totals == (18, -18, 0)
    outcome = ended({"A": SIX_NINE}, on_discard("A", "9p", "B"), players=2)
    assert settle(outcome).totals == (9, -9)


@pytest.mark.parametrize(
    ("robbed", "expected"),
    [
        (idle("pung 9p C"), ["B>A 27"]),
        (seat("234m567m67s88s", "pung 9p C"), ["B>A 9", "C>A 9", "D>A 9"]),
    ],
)
def test_a_robbed_seat_pays_as_if_it_had_discarded_and_has_no_kong(
    robbed: SeatOutcome, expected: list[str]
) -> None:
    found = settle(ended({"A": SIX_NINE, "B": robbed}, robbing("A", "9p", "B")))
    assert paid(found) == expected
    assert kongs(found) == []
    assert found.not_counted == (NotCounted(1, "added_kong", "9p", "robbed", "haozi/1 A3.8"),)


# --- A5.4 kongs -------------------------------------------------------------------------------


def konged(melded: str, others: dict[str, SeatOutcome] | None = None, **more: Any) -> Outcome:
    """A has a kong and draws 8s, which is worth eight points."""
    return ended(
        {"A": seat("234p678p67s55p", melded), **(others or {})}, self_draw("A", "8s"), **more
    )


def test_each_other_player_pays_a_concealed_kong_twice() -> None:
    found = settle(konged("concealed 9m", base_score=3))
    assert kongs(found) == ["B>A 54", "C>A 54", "D>A 54"]
    assert found.payments[-1].rule == "haozi/1 A5.4"
    assert found.payments[-1].parts == (
        Part("tile_value", points=9),
        Part("concealed_kong", factor=2),
        Part("base_score", factor=3),
    )


@pytest.mark.parametrize("how", ["added", "exposed"])
def test_each_other_player_pays_an_added_or_exposed_kong_once(how: str) -> None:
    found = settle(konged(f"{how} 9m B"))
    assert kongs(found) == ["B>A 9", "C>A 9", "D>A 9"]
    assert found.payments[-1].parts == (
        Part("tile_value", points=9),
        Part(f"{how}_kong", factor=1),
        Part("base_score", factor=1),
    )


def test_an_undeclared_feeder_pays_all_shares_where_the_table_says_so() -> None:
    found = settle(konged("exposed 9m B", feeder_pays_kong=True))
    assert kongs(found) == ["B>A 27"]
    assert found.payments[0].rule == "haozi/1 A5.1"
    assert found.payments[-1].rule == "haozi/1 A5.4"
    assert Part("shares", factor=3) in found.payments[-1].parts


def test_a_feeder_who_had_declared_shares_the_kong_with_the_others() -> None:
    found = settle(konged("exposed 9m B!", {"B": READY}, feeder_pays_kong=True))
    assert kongs(found) == ["B>A 9", "C>A 9", "D>A 9"]


def test_a_feeder_who_declared_only_later_pays_all_shares() -> None:
    found = settle(konged("exposed 9m B", {"B": READY}, feeder_pays_kong=True))
    assert kongs(found) == ["B>A 27"]


@pytest.mark.parametrize(("melded", "each"), [("added 9m B", 9), ("concealed 9m", 18)])
def test_the_feeder_of_an_added_kong_pays_no_more_than_the_others(melded: str, each: int) -> None:
    found = settle(konged(melded, feeder_pays_kong=True))
    assert kongs(found) == [f"B>A {each}", f"C>A {each}", f"D>A {each}"]


def test_a_kong_of_honours_counts_ten_and_of_ones_one() -> None:
    assert kongs(settle(konged("exposed 3z B"))) == ["B>A 10", "C>A 10", "D>A 10"]
    assert kongs(settle(konged("exposed 1m B"))) == ["B>A 1", "C>A 1", "D>A 1"]


def test_a_kong_of_a_wild_kind_counts_as_what_it_is() -> None:
    assert kongs(settle(konged("exposed 1z B"))) == ["B>A 10", "C>A 10", "D>A 10"]
    wild_two = konged("exposed 2m B", variant="double_rat", wilds="2m9s")
    assert kongs(settle(wild_two)) == ["B>A 2", "C>A 2", "D>A 2"]


def test_the_kongs_of_all_seats_are_paid_whoever_wins() -> None:
    outcome = ended({"A": SIX_NINE, "D": idle("concealed 6s, added 3s A")}, self_draw("A", "9p"))
    found = settle(outcome)
    assert kongs(found) == ["A>D 12", "A>D 3", "B>D 12", "B>D 3", "C>D 12", "C>D 3"]
    assert found.totals == (39, -33, -33, 27)


def test_with_fewer_players_a_kong_has_fewer_shares() -> None:
    found = settle(konged("exposed 9m B", feeder_pays_kong=True, players=3))
    assert kongs(found) == ["B>A 18"]
    assert kongs(settle(konged("exposed 9m B", players=2))) == ["B>A 9"]


# --- A5.5 taking over the kongs ---------------------------------------------------------------

KONGS = {
    "A": seat("234p678p67s55p", "exposed 9m B"),
    "C": idle("added 7m A"),
    "D": idle("concealed 6m"),
}
"""A waits for 5s and 8s and has a kong of nines; C and D have kongs too."""


def all_kongs(giver: str = "C", **more: Any) -> Outcome:
    """C, who has not declared, discards 8s."""
    return ended(KONGS, on_discard("A", "8s", giver), discarder_pays_kongs=True, **more)


def test_an_undeclared_discarder_pays_every_kong_of_the_others_and_loses_his_own() -> None:
    found = settle(all_kongs())
    assert paid(found) == ["C>A 24"]
    assert kongs(found) == ["C>A 27", "C>D 36"]
    assert found.totals == (51, 0, -87, 36)
    assert found.not_counted == (
        NotCounted(2, "added_kong", "7m", "discarder_pays_kongs", "haozi/1 A5.5"),
    )
    assert found.payments[-1].rule == "haozi/1 A5.5"
    assert found.payments[-1].parts == (
        Part("tile_value", points=6),
        Part("concealed_kong", factor=2),
        Part("shares", factor=3),
        Part("base_score", factor=1),
    )


def test_who_takes_the_kongs_over_keeps_his_own_where_the_house_says_so() -> None:
    found = settle(all_kongs(takeover_voids_own_kongs=False))
    assert kongs(found) == ["A>C 7", "B>C 7", "D>C 7", "C>A 27", "C>D 36"]
    assert void(found) == []


def test_taking_over_goes_before_the_feeder_who_pays() -> None:
    found = settle(all_kongs(feeder_pays_kong=True))
    assert kongs(found) == ["C>A 27", "C>D 36"]


def test_without_the_option_an_undeclared_discarder_pays_kongs_like_the_others() -> None:
    found = settle(ended(KONGS, on_discard("A", "8s", "C")))
    assert found.totals == (32, -28, -24, 20)


def test_nobody_takes_over_the_kongs_of_a_self_draw() -> None:
    found = settle(ended(KONGS, self_draw("A", "8s"), discarder_pays_kongs=True))
    assert found.totals == (56, -44, -16, 4)
    assert void(found) == []


def test_a_declared_discarder_takes_no_kongs_over() -> None:
    hands = {"A": KONGS["A"], "B": READY, "D": idle("concealed 3z")}
    found = settle(ended(hands, on_discard("A", "8s", "B"), discarder_pays_kongs=True))
    assert kongs(found) == ["B>A 9", "C>A 9", "D>A 9", "A>D 20", "B>D 20", "C>D 20"]


def test_an_undeclared_robbed_seat_takes_the_kongs_over() -> None:
    hands = {"A": SIX_NINE, "B": idle("pung 9p C, concealed 3s"), "D": idle("exposed 5s A")}
    found = settle(ended(hands, robbing("A", "9p", "B"), discarder_pays_kongs=True))
    assert paid(found) == ["B>A 27"]
    assert kongs(found) == ["B>D 15"]
    assert void(found) == ["B concealed_kong 3s discarder_pays_kongs", "B added_kong 9p robbed"]


# --- A5.6 hands without a winner --------------------------------------------------------------


def unwon(end: str, **more: Any) -> Outcome:
    """Nobody has won; A has declared, and C has fed D, who has not, an exposed kong."""
    return ended(
        {"A": READY, "B": idle("concealed 9s"), "D": idle("exposed 3z C")}, end=end, **more
    )


@pytest.mark.parametrize(("end", "why"), [("exhausted", "drawn_hand"), ("dissolved", "dissolved")])
def test_kongs_are_void_when_nobody_wins(end: str, why: str) -> None:
    found = settle(unwon(end))
    assert found.totals == (0, 0, 0, 0)
    assert found.payments == ()
    assert found.wins == ()
    assert found.not_counted == (
        NotCounted(1, "concealed_kong", "9s", why, "haozi/1 A5.6"),
        NotCounted(3, "exposed_kong", "3z", why, "haozi/1 A5.6"),
    )


def test_the_kongs_of_an_exhausted_hand_are_paid_where_the_house_says_so() -> None:
    found = settle(unwon("exhausted", draw_voids_kongs=False))
    assert kongs(found) == ["A>B 18", "C>B 18", "D>B 18", "A>D 10", "B>D 10", "C>D 10"]
    fed = settle(unwon("exhausted", draw_voids_kongs=False, feeder_pays_kong=True))
    assert kongs(fed) == ["A>B 18", "C>B 18", "D>B 18", "C>D 30"]


def test_a_dissolved_hand_never_pays() -> None:
    found = settle(unwon("dissolved", draw_voids_kongs=False))
    assert found.payments == ()
    assert void(found) == ["B concealed_kong 9s dissolved", "D exposed_kong 3z dissolved"]


# --- the order --------------------------------------------------------------------------------


def test_payments_stand_by_paragraph_then_payee_then_payer() -> None:
    found = settle(all_kongs(takeover_voids_own_kongs=False))
    told = [(one.rule.split()[1], one.payee, one.payer) for one in found.payments]
    assert told == [
        ("A5.3", 0, 2),
        ("A5.4", 2, 0),
        ("A5.4", 2, 1),
        ("A5.4", 2, 3),
        ("A5.5", 0, 2),
        ("A5.5", 3, 2),
    ]

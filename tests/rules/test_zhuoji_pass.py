"""B3.3 of 捉鸡: who may win a discard with a plain hand 通行证, and which hands win at all."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import Outcome, SeatOutcome
from tests.rules.table import on_discard, robbing, self_draw
from tests.rules.zhuoji_table import PLAIN, READY, after, ended, refusal_of, seat, settle

TRIPLETS = "222m44p777s333m99p"
ROBBED = {"A": seat(PLAIN), "B": seat("", "pung 9s C")}


def dealt_in(
    winner: SeatOutcome, tile: str, giver: SeatOutcome | None = None, **more: Any
) -> Outcome:
    hands = {"A": winner} | ({"B": giver} if giver else {})
    return ended(hands, on_discard("A", tile, "B"), **more)


NO_PASS = ("pass_card_missing", "/wins/0", "zhuoji/1 B3.3")


def test_a_hand_that_is_no_win_is_refused() -> None:
    outcome = ended({"A": seat(PLAIN)}, self_draw("A", "9m"))
    assert refusal_of(outcome) == ("hand_not_complete", "/wins/0", "zhuoji/1 B4")


def test_a_plain_hand_wins_no_discard_without_a_pass() -> None:
    assert refusal_of(dealt_in(seat(PLAIN), "9s")) == NO_PASS
    assert refusal_of(dealt_in(seat("123m55p34578s", "pung 7m C"), "9s")) == NO_PASS


@pytest.mark.parametrize(
    "kong",
    ["concealed 7m", "exposed 7m C", "added 7m C", "late concealed 7m", "late added 7m C"],
)
def test_any_kong_is_a_pass(kong: str) -> None:
    assert settle(dealt_in(seat("123m55p34578s", kong), "9s")).wins[0].value == 1


@pytest.mark.parametrize("declared", ["hard", "soft"])
def test_none_is_needed_by_or_against_who_has_declared(declared: str) -> None:
    points = {"hard": 21, "soft": 11}[declared]
    for outcome in (
        dealt_in(seat(PLAIN, declared=declared), "9s"),
        dealt_in(seat(PLAIN), "9s", seat(READY["B"], declared=declared)),
    ):
        assert settle(outcome).totals[:2] == (points, -points)


def test_none_is_needed_right_after_a_kong() -> None:
    outcome = dealt_in(seat(PLAIN), "9s", seat("", "concealed 9m"), after_kong=after("concealed"))
    assert settle(outcome).totals[:2] == (2, -2)


def test_a_kong_that_lies_further_back_frees_nobody_else() -> None:
    assert refusal_of(dealt_in(seat(PLAIN), "9s", seat("", "concealed 9m"))) == NO_PASS


def test_none_is_needed_with_any_other_pattern_or_to_rob() -> None:
    assert settle(dealt_in(seat(TRIPLETS), "4p")).totals[:2] == (5, -5)
    assert settle(dealt_in(seat("3445567899m222m"), "9m")).totals[0] == 10
    robbed = ended(ROBBED, robbing("A", "9s", "B"), after_kong=after("added"))
    assert settle(robbed).totals[:2] == (10, -10)


def test_of_several_winners_each_needs_his_own() -> None:
    hands = {"A": seat("123m55p34578s", "concealed 7m"), "C": seat("345345m77744p78s")}
    outcome = ended(hands, on_discard("A", "9s", "B"), on_discard("C", "9s", "B"))
    assert refusal_of(outcome) == ("pass_card_missing", "/wins/1", "zhuoji/1 B3.3")

"""A3 of 耗子: who may win with which tile, and who may not, by code, place and paragraph."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.outcome import Outcome
from ledger.refusal import Refused
from ledger.rules.catalog import settle
from tests.rules.haozi_table import (
    ended,
    idle,
    on_discard,
    passed,
    refusal_of,
    robbing,
    seat,
    self_draw,
)

SIX_NINE = seat("123m456m789m78p22s")
"""Waits for 6p and 9p."""
UNDECLARED = replace(SIX_NINE, declared=None)
OTHER = seat("234m567m345s78p11s")
"""Waits for 6p and 9p too."""

REFUSED: dict[str, tuple[Outcome, str]] = {
    "two winners": (
        ended({"A": SIX_NINE, "C": OTHER}, on_discard("A", "9p", "B"), on_discard("C", "9p", "B")),
        "several_winners /wins haozi/1 A3.6",
    ),
    "a winner who has not declared": (
        ended({"A": UNDECLARED}, self_draw("A", "9p")),
        "win_not_declared /wins/0 haozi/1 A3.4",
    ),
    "a dealer who wins as dealt where one must declare": (
        ended({"A": UNDECLARED}, self_draw("A", "9p", first_turn=True)),
        "win_not_declared /wins/0 haozi/1 A3.4",
    ),
    "a first turn of a seat that has declared": (
        ended({"A": SIX_NINE}, self_draw("A", "9p", first_turn=True)),
        "not_first_turn /wins/0/first_turn",
    ),
    "a tile that completes nothing": (
        ended({"A": SIX_NINE}, on_discard("A", "8p", "B")),
        "hand_not_complete /wins/0 haozi/1 A3.4",
    ),
    "a tile below the floor": (
        ended({"A": seat("123456789s11p78s")}, self_draw("A", "3s")),
        "win_below_floor /wins/0 haozi/1 A3.4",
    ),
    "a self-drawn wild tile below the floor": (
        ended({"A": SIX_NINE}, self_draw("A", "1z"), min_win_points=10),
        "win_below_floor /wins/0 haozi/1 A3.4",
    ),
    "a self-drawn wild tile of a hand without a natural wait": (
        ended(
            {"A": replace(seat("2222m234p456s777z"), declared=None)},
            self_draw("A", "1z"),
            win_requires_declaration=False,
        ),
        "no_natural_wait /wins/0 haozi/1 A3.4",
    ),
    "a discarded wild tile": (
        ended({"A": SIX_NINE}, on_discard("A", "1z", "B")),
        "wild_not_won /wins/0 haozi/1 A3.1",
    ),
    "a robbed kong of a wild kind": (
        ended({"A": SIX_NINE, "B": idle("pung 1z C")}, robbing("A", "1z", "B")),
        "wild_not_won /wins/0 haozi/1 A3.8",
    ),
    "a robbed kong where none is robbed": (
        ended(
            {"A": SIX_NINE, "B": idle("pung 9p C")}, robbing("A", "9p", "B"), rob_added_kong=False
        ),
        "no_robbing /wins/0 haozi/1 A3.8",
    ),
    "a discard won after a passed win": (
        ended({"A": passed(SIX_NINE)}, on_discard("A", "9p", "B")),
        "own_draw_left /wins/0 haozi/1 A3.5",
    ),
    "a kong robbed after a passed win": (
        ended({"A": passed(SIX_NINE), "B": idle("pung 9p C")}, robbing("A", "9p", "B")),
        "own_draw_left /wins/0 haozi/1 A3.5",
    ),
    "a farther winner where wins are forced": (
        ended({"A": SIX_NINE, "C": OTHER}, on_discard("A", "9p", "B"), must_win=True),
        "nearer_winner /wins/0/seat haozi/1 A3.5",
    ),
    "a farther robber where wins are forced": (
        ended(
            {"A": SIX_NINE, "C": OTHER, "B": idle("pung 9p D")},
            robbing("A", "9p", "B"),
            must_win=True,
        ),
        "nearer_winner /wins/0/seat haozi/1 A3.5",
    ),
    "a farther winner past an undeclared one where nobody need declare": (
        ended(
            {"A": SIX_NINE, "C": replace(OTHER, declared=None)},
            on_discard("A", "9p", "B"),
            must_win=True,
            win_requires_declaration=False,
        ),
        "nearer_winner /wins/0/seat haozi/1 A3.5",
    ),
    "a win as dealt that is told by a lesser tile": (
        ended(
            {"A": replace(seat("123m456m789m67p22s"), declared=None)},
            self_draw("A", "8p", first_turn=True),
            win_requires_declaration=False,
        ),
        "dealt_win_tile /wins/0/tile haozi/1 A4",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_haozi_refuses(case: str) -> None:
    outcome, expected = REFUSED[case]
    assert refusal_of(outcome) == expected


ACCEPTED: dict[str, tuple[Outcome, tuple[int, ...]]] = {
    "a self-draw after a passed win": (
        ended({"A": passed(SIX_NINE)}, self_draw("A", "9p")),
        (54, -18, -18, -18),
    ),
    "a low wait of a hand that has a high one, where the house has no floor": (
        ended({"A": seat("123456789s11p78s")}, self_draw("A", "3s"), min_win_points=0),
        (18, -6, -6, -6),
    ),
    "an undeclared winner where nobody need declare": (
        ended({"A": UNDECLARED}, on_discard("A", "9p", "B"), win_requires_declaration=False),
        (27, -27, 0, 0),
    ),
    "an undeclared winner of a hand that could not declare": (
        ended(
            {"A": replace(seat("123m456m789m34p22s"), declared=None)},
            self_draw("A", "5p"),
            win_requires_declaration=False,
            min_win_points=5,
        ),
        (30, -10, -10, -10),
    ),
    "a dealer who wins as dealt where nobody need declare": (
        ended(
            {"A": replace(seat("123m456m78m678p22s"), declared=None)},
            self_draw("A", "9m", first_turn=True),
            win_requires_declaration=False,
        ),
        (54, -18, -18, -18),
    ),
    "a first tile of another than the dealer, by any of his tiles": (
        ended(
            {"A": replace(seat("123m456m789m67p22s"), declared=None)},
            self_draw("A", "8p", first_turn=True),
            dealer="B",
            win_requires_declaration=False,
        ),
        (48, -16, -16, -16),
    ),
    "a farther winner where the nearer may pass": (
        ended({"A": SIX_NINE, "C": OTHER}, on_discard("A", "9p", "B")),
        (27, -27, 0, 0),
    ),
    "a forced win of the nearest": (
        ended({"A": SIX_NINE, "C": OTHER}, on_discard("C", "9p", "B"), must_win=True),
        (0, -27, 27, 0),
    ),
    "a forced win past a seat that has not declared": (
        ended(
            {"A": SIX_NINE, "C": replace(OTHER, declared=None)},
            on_discard("A", "9p", "B"),
            must_win=True,
        ),
        (27, -27, 0, 0),
    ),
    "a forced win past a seat that waits for other tiles": (
        ended(
            {"A": seat("123456789s11p78s"), "C": seat("234m567m345p55m78p")},
            on_discard("A", "6s", "B"),
            must_win=True,
        ),
        (18, -18, 0, 0),
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_haozi_settles(case: str) -> None:
    outcome, expected = ACCEPTED[case]
    assert settle(outcome).totals == expected


def test_a_refusal_names_the_nearer_seat_and_the_better_tile() -> None:
    for case, name, told in (
        ("a farther winner where wins are forced", "nearer", 2),
        ("a win as dealt that is told by a lesser tile", "tile", "9m"),
    ):
        with pytest.raises(Refused) as refused:
            settle(REFUSED[case][0])
        assert refused.value.params[name] == told

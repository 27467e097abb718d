"""Which outcomes 耗子 refuses, wins apart, by code, place and paragraph. Source: A1, A3."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.outcome import AfterKong, FirstChicken, Meld, Outcome, SeatOutcome
from ledger.refusal import Refused
from ledger.rules.catalog import settle
from tests.rules import table
from tests.rules.haozi_table import (
    ended,
    idle,
    passed,
    refusal_of,
    robbing,
    seat,
    self_draw,
)

SIX_NINE = seat("123m456m789m78p22s")
"""Waits for 6p and 9p."""


def won(**changes: Any) -> Outcome:
    """A draws 9p and wins; then something about the outcome is changed."""
    return replace(ended({"A": SIX_NINE}, self_draw("A", "9p")), **changes)


def with_seat(**changes: Any) -> Outcome:
    """A's win, with something about his seat changed."""
    return with_first(won(), **changes)


def with_first(outcome: Outcome, **changes: Any) -> Outcome:
    return replace(outcome, seats=(replace(outcome.seats[0], **changes), *outcome.seats[1:]))


def with_meld(meld: Meld) -> Outcome:
    """A drawn hand in which A has a meld that no words tell."""
    return with_first(unwon({"A": idle("pung 9s B")}), melds=(meld,))


def unwon(seats: dict[str, SeatOutcome], **more: Any) -> Outcome:
    return ended(seats, end="exhausted", **more)


# --- what is refused --------------------------------------------------------------------------

FOREIGN = "fact_of_another_ruleset"

REFUSED: dict[str, tuple[Outcome, str]] = {
    "a weekday": (won(weekday=1), f"{FOREIGN} /weekday"),
    "first chickens": (
        won(first_chickens=(FirstChicken("1s", 1),)),
        f"{FOREIGN} /first_chickens",
    ),
    "a flipped tile": (won(flip="2p"), f"{FOREIGN} /flip"),
    "birds": (won(birds=("2p",)), f"{FOREIGN} /birds"),
    "a bet": (with_seat(bet=1), f"{FOREIGN} /seats/0/bet"),
    "a void suit": (with_seat(void_suit="m"), f"{FOREIGN} /seats/0/void_suit"),
    "a declaration of another game": (with_seat(declared="hard"), f"{FOREIGN} /seats/0/declared"),
    "a late kong": (
        with_meld(Meld("kong", "9s", "added", 1, late=True)),
        f"{FOREIGN} /seats/0/melds/0/late",
    ),
    "a late kong before the win": (
        won(after_kong=AfterKong("added", late=True)),
        f"{FOREIGN} /after_kong/late",
    ),
    "a touzi": (won(after_kong=AfterKong("added", touzi=True)), f"{FOREIGN} /after_kong/touzi"),
    "honours where none are played": (
        unwon({"A": idle("pung 5z B")}, variant="double_rat", with_honours=False, wilds="1m2m"),
        "tile_not_in_game",
    ),
    "no wild kind": (won(wilds=()), "wilds_drawn /wilds haozi/1 A1"),
    "two wild kinds of one": (won(wilds=("1z", "2z")), "wilds_drawn /wilds haozi/1 A1"),
    "a number as the wild kind": (won(wilds=("1m",)), "wilds_drawn /wilds haozi/1 A1"),
    "a dragon as the wild kind of winds": (
        won(wilds=("5z",), options={"wild_honours": "winds"}),
        "wilds_drawn /wilds haozi/1 A1",
    ),
    "one wild kind of two": (
        won(options={"variant": "double_rat"}),
        "wilds_drawn /wilds haozi/1 A1",
    ),
    "the same wild kind twice": (
        won(wilds=("1z", "1z"), options={"variant": "double_rat"}),
        "wilds_drawn /wilds haozi/1 A1",
    ),
    "a wild kind that is not in play": (
        won(wilds=("1m", "1z"), options={"variant": "double_rat", "with_honours": False}),
        "wilds_drawn /wilds haozi/1 A1",
    ),
    "a declared hand that waits for nothing": (
        unwon({"C": seat("147m258p369s2345z")}),
        "declared_not_ready /seats/2 haozi/1 A3.2",
    ),
    "a declared hand whose waits are worth too little": (
        unwon({"C": seat("123m456m789m34p22s")}),
        "declared_not_ready /seats/2 haozi/1 A3.2",
    ),
    "a declared hand below the floor of the house": (
        unwon({"C": SIX_NINE}, min_declare_points=10),
        "declared_not_ready /seats/2 haozi/1 A3.2",
    ),
    "a declared hand that waits for tiles it has, with no floor": (
        unwon({"C": seat("2222m234p456s777z")}, min_declare_points=0),
        "declared_not_ready /seats/2 haozi/1 A3.2",
    ),
    "a declared hand cut short that no tile leaves ready": (
        ended({"C": seat("147m258p369s23456z")}, end="dissolved"),
        "declared_not_ready /seats/2 haozi/1 A3.2",
    ),
    "a passed win of a seat that has not declared": (
        unwon({"B": passed(idle())}),
        "no_win_passed /seats/1/self_draw_only haozi/1 A3.5",
    ),
    "a passed win where wins are forced": (
        unwon({"B": passed(SIX_NINE)}, must_win=True),
        "no_win_passed /seats/1/self_draw_only haozi/1 A3.5",
    ),
    "a pung of a wild kind where there is none": (
        unwon({"B": idle("pung 9s A, pung 1z A")}, wild_pung_kong_as_natural=False),
        "wild_not_melded /seats/1/melds/1 haozi/1 A3.1",
    ),
    "a kong of a wild kind where there is none": (
        unwon({"B": idle("concealed 1z")}, wild_pung_kong_as_natural=False),
        "wild_not_melded /seats/1/melds/0 haozi/1 A3.1",
    ),
    "a declared feeder of an added kong": (
        unwon({"A": SIX_NINE, "B": idle("added 9s A!")}),
        "feeder_not_declared /seats/1/melds/0/feeder_declared haozi/1 A5.4",
    ),
    "a declared feeder of a concealed kong": (
        with_meld(Meld("kong", "9s", "concealed", None, feeder_declared=True)),
        "feeder_not_declared /seats/0/melds/0/feeder_declared haozi/1 A5.4",
    ),
    "a declared feeder of a pung": (
        with_meld(Meld("pung", "9s", None, 1, feeder_declared=True)),
        "feeder_not_declared /seats/0/melds/0/feeder_declared haozi/1 A5.4",
    ),
    "a feeder who had declared and has not": (
        unwon({"B": idle("exposed 9s A!")}),
        "feeder_not_declared /seats/1/melds/0/feeder_declared haozi/1 A5.4",
    ),
    "a kong behind a win that is not there": (
        won(after_kong=AfterKong("exposed")),
        "after_kong /after_kong",
    ),
    "a kong behind no win": (
        unwon({"A": idle("exposed 9s B")}, after=AfterKong("exposed")),
        "after_kong /after_kong",
    ),
    "a robbed kong that was not added": (
        ended(
            {"A": SIX_NINE, "B": idle("pung 9p C")},
            robbing("A", "9p", "B"),
            after=AfterKong("exposed"),
        ),
        "after_kong /after_kong",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_haozi_refuses_an_outcome_with(case: str) -> None:
    outcome, expected = REFUSED[case]
    assert refusal_of(outcome) == expected


# --- what is not refused ----------------------------------------------------------------------

ACCEPTED: dict[str, tuple[Outcome, tuple[int, ...]]] = {
    "a wind as the wild kind of winds": (
        won(wilds=("4z",), options={"wild_honours": "winds"}),
        (54, -18, -18, -18),
    ),
    "two wild kinds in play": (
        won(wilds=("1m", "9s"), options={"variant": "double_rat", "with_honours": False}),
        (54, -18, -18, -18),
    ),
    "the replacement tile of a kong": (
        ended(
            {"A": seat("123m456m78p22s", "concealed 3z")},
            self_draw("A", "9p"),
            after=AfterKong("concealed"),
        ),
        (114, -38, -38, -38),
    ),
    "a robbed kong": (
        ended(
            {"A": SIX_NINE, "B": idle("pung 9p C")},
            robbing("A", "9p", "B"),
            after=AfterKong("added"),
        ),
        (27, -27, 0, 0),
    ),
    "a declared hand cut short with the tile it drew": (
        ended({"C": seat("123m456m789m78p22s5z")}, end="dissolved"),
        (0, 0, 0, 0),
    ),
    "a pung of a natural kind where wild kinds are not melded": (
        unwon({"B": idle("pung 9s A")}, wild_pung_kong_as_natural=False),
        (0, 0, 0, 0),
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_haozi_settles_an_outcome_with(case: str) -> None:
    outcome, expected = ACCEPTED[case]
    assert settle(outcome).totals == expected


def test_a_passed_win_is_a_fact_of_haozi_alone() -> None:
    ours = table.ended({"A": table.seat("123m456p789s55s67p")}, table.self_draw("A", "8p"))
    assert table.refusal_of(with_first(ours, self_draw_only=True)) == (
        FOREIGN,
        "/seats/0/self_draw_only",
    )


def test_a_refusal_names_the_wild_kinds_that_could_be() -> None:
    with pytest.raises(Refused) as refused:
        settle(won(wilds=("5z",), options={"wild_honours": "winds"}))
    assert refused.value.params == {"count": 1, "allowed": "1234z"}

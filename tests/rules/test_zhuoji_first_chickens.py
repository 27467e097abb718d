"""Which first chickens 捉鸡 refuses: who threw them, where they went, and when there is one."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import FirstChicken, Outcome
from tests.rules.table import on_discard, robbing, self_draw
from tests.rules.zhuoji_table import PLAIN, after, ended, first, refusal_of, seat, settle

B53 = "zhuoji/1 B5.3"
PUNGED = seat("22678m57p789s", "pung 1s D")
WON = seat("222m44p777s333m11s")
PLACE = ("first_chicken_place", "/first_chickens/0", B53)
MISSING = ("first_chicken_missing", "/first_chickens", B53)


def chickens(*firsts: FirstChicken, **more: Any) -> Outcome:
    """A's win; B has punged the 1s of D, and C has 8p in his river."""
    hands = {"A": seat(PLAIN), "B": PUNGED, "C": seat("", "", "8p")}
    return ended(hands, self_draw("A", "9s"), firsts=firsts, **more)


def taken_by_winners(*firsts: FirstChicken, river: str = "") -> Outcome:
    """A and D win the 1s that B discards; C has a river."""
    hands = {"A": seat("123678m55p78923s", declared="soft"), "D": WON, "C": seat("", "", river)}
    wins = (on_discard("A", "1s", "B"), on_discard("D", "1s", "B"))
    return ended(hands, *wins, firsts=firsts, dealer="C")


CHICKENS: dict[str, tuple[Outcome, tuple[str, str, str | None]]] = {
    "a kind that is no default one": (
        chickens(first("3p", "C")),
        ("first_chicken_kind", "/first_chickens/0/tile", B53),
    ),
    "8p where it is none": (
        chickens(first("8p", "C")),
        ("first_chicken_kind", "/first_chickens/0/tile", B53),
    ),
    "the same kind twice": (
        chickens(first("1s", "D", "B"), first("1s", "D", "B")),
        ("first_chicken_twice", "/first_chickens/1", B53),
    ),
    "a discarder who is not there": (
        chickens(FirstChicken("1s", 4)),
        ("number_range", "/first_chickens/0/by", None),
    ),
    "a taker who is not there": (
        chickens(FirstChicken("1s", 3, (4,))),
        ("number_range", "/first_chickens/0/takers", None),
    ),
    "a taker who discarded it himself": (chickens(first("1s", "B", "B")), PLACE),
    "a taker twice": (chickens(first("1s", "D", "BB")), PLACE),
    "one that stands in no river": (chickens(first("1s", "D")), PLACE),
    "one taken from another seat": (chickens(first("1s", "C", "B")), PLACE),
    "one taken by a seat without the meld": (chickens(first("1s", "D", "C")), PLACE),
    "two takers of a pung": (chickens(first("1s", "D", "BC")), PLACE),
    "none though one was punged": (chickens(), MISSING),
    "none though one lies in a river": (
        chickens(first("1s", "D", "B"), wugu_ji=True),
        MISSING,
    ),
    "none though one was won": (taken_by_winners(), MISSING),
    "one of two winners alone": (taken_by_winners(first("1s", "B", "A")), PLACE),
    "a seat beside the winners": (taken_by_winners(first("1s", "B", "ADC")), PLACE),
    "another seat than the one that was won from": (
        taken_by_winners(first("1s", "C", "AD")),
        PLACE,
    ),
    "one won though another was discarded before": (
        taken_by_winners(first("1s", "B", "AD"), river="1s"),
        PLACE,
    ),
    "one robbed, which was not discarded": (
        ended(
            {"A": seat("123678m55p78923s"), "B": seat("", "pung 1s D")},
            robbing("A", "1s", "B"),
            after_kong=after("added"),
            firsts=(first("1s", "B", "A"),),
        ),
        PLACE,
    ),
}


@pytest.mark.parametrize("case", CHICKENS)
def test_a_first_chicken_is_refused(case: str) -> None:
    outcome, refusal = CHICKENS[case]
    assert refusal_of(outcome) == refusal


def test_first_chickens_that_went_where_it_is_said_are_accepted() -> None:
    both = chickens(first("1s", "D", "B"), first("8p", "C"), wugu_ji=True)
    assert {one.reason for one in settle(both).payments} >= {"responsibility_chicken"}
    assert settle(taken_by_winners(first("1s", "B", "DA"))).wins[0].seat == 3
    assert settle(taken_by_winners(first("1s", "C"), river="1s")).wins[0].seat == 3


def test_a_concealed_kong_of_yao_ji_discards_none() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "concealed 1s")}
    assert settle(ended(hands, self_draw("A", "9s"))).totals == (10, -6, -2, -2)

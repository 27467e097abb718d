"""Which outcomes 怀化 refuses beyond what holds in every game, by code and place."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import AfterKong, FirstChicken, Meld, Outcome, Win
from ledger.refusal import Refused
from ledger.rules.catalog import settle
from tests.rules.table import ended, on_discard, refusal_of, robbing, seat, self_draw
from tests.rules.test_possible import MELD, OTHER, PLAIN, exhausted, with_meld, with_seat, won

FROZEN = seat("123m456p55s67p", "exposed 9s C", frozen=True)


def with_win(win: Win, **more: Any) -> Outcome:
    return ended({"A": PLAIN, "C": OTHER}, win, win_mode="discard", **more)


HUAIHUA: dict[str, tuple[Outcome, str, str]] = {
    "wild kinds drawn": (won(wilds=("1z",)), "fact_of_another_ruleset", "/wilds"),
    "a weekday": (won(weekday=1), "fact_of_another_ruleset", "/weekday"),
    "first chickens": (
        won(first_chickens=(FirstChicken("1s", 1),)),
        "fact_of_another_ruleset",
        "/first_chickens",
    ),
    "a flipped tile": (won(flip="2p"), "fact_of_another_ruleset", "/flip"),
    "a bet": (with_seat(bet=1), "fact_of_another_ruleset", "/seats/0/bet"),
    "a void suit": (with_seat(void_suit="m"), "fact_of_another_ruleset", "/seats/0/void_suit"),
    "a ready declaration": (
        with_seat(declared="ready"),
        "fact_of_another_ruleset",
        "/seats/0/declared",
    ),
    "a late kong": (
        with_meld(Meld("kong", "9s", "added", 1, late=True)),
        "fact_of_another_ruleset",
        f"{MELD}/late",
    ),
    "a feeder who declared": (
        with_meld(Meld("kong", "9s", "exposed", 1, feeder_declared=True)),
        "fact_of_another_ruleset",
        f"{MELD}/feeder_declared",
    ),
    "a late kong before the win": (
        won(after_kong=AfterKong("added", late=True)),
        "fact_of_another_ruleset",
        "/after_kong/late",
    ),
    "a wild tile in a river": (
        exhausted({"A": seat("", river="5z")}, zhong_wild=True),
        "zhong_not_played",
        "/seats/0",
    ),
    "a pung of wild tiles": (
        exhausted({"B": seat("", "pung 5z A")}, zhong_wild=True),
        "zhong_not_played",
        "/seats/1",
    ),
    "a wild tile won as a discard": (
        with_win(on_discard("A", "5z", "B"), zhong_wild=True),
        "zhong_not_played",
        "/wins/0",
    ),
    "a frozen hand without a kong": (
        exhausted({"A": seat("123m456p789s55s67p", frozen=True)}),
        "frozen_not_ready",
        "/seats/0",
    ),
    "a frozen hand that waits for nothing": (
        exhausted({"A": seat("147m258p369s1p", "concealed 9m", frozen=True)}),
        "frozen_not_ready",
        "/seats/0",
    ),
    "birds without the option": (won(birds=("1m",)), "birds_count", "/birds"),
    "no bird with the option": (
        won(options={"bird_count": 2}),
        "birds_count",
        "/birds",
    ),
    "more birds than the option": (
        won(options={"bird_count": 1}, birds=("1m", "2m")),
        "birds_count",
        "/birds",
    ),
    "birds on a drawn hand": (
        exhausted({}, birds="1m", bird_count=1),
        "birds_count",
        "/birds",
    ),
    "a kong before no win": (
        exhausted({"A": FROZEN}, after=AfterKong("exposed")),
        "after_kong",
        "/after_kong",
    ),
    "a kong before the win that is not there": (
        won(after_kong=AfterKong("added")),
        "after_kong",
        "/after_kong",
    ),
    "a touzi of a hand that is not frozen": (
        ended(
            {"A": seat("123m456p55s67p", "exposed 9s C")},
            self_draw("A", "8p"),
            after=AfterKong("exposed", touzi=True),
        ),
        "after_kong",
        "/after_kong",
    ),
    "a robbed kong that was not added": (
        ended(
            {"A": PLAIN, "B": seat("", "pung 8p C")},
            robbing("A", "8p", "B"),
            after=AfterKong("exposed"),
        ),
        "after_kong",
        "/after_kong",
    ),
    "a robbed kong with its touzi": (
        ended(
            {"A": PLAIN, "B": seat("", "pung 8p C")},
            robbing("A", "8p", "B"),
            after=AfterKong("added", touzi=True),
        ),
        "after_kong",
        "/after_kong",
    ),
    "a hand that is no win": (with_win(self_draw("A", "1m")), "hand_not_complete", "/wins/0"),
    "a discard where only self-draws win": (
        ended({"A": PLAIN}, on_discard("A", "8p", "B")),
        "self_draw_only",
        "/wins/0",
    ),
    "a small win on a discard where it may not": (
        with_win(on_discard("A", "8p", "B"), no_small_discard=True),
        "small_win_on_discard",
        "/wins/0",
    ),
    "a robbed kong where none is robbed": (
        ended({"A": PLAIN, "B": seat("", "pung 8p C")}, robbing("A", "8p", "B"), rob_kong=False),
        "no_robbing",
        "/wins/0",
    ),
    "the second of two winners without a win": (
        ended(
            {"A": PLAIN, "C": seat("234m234p888s99s66p")},
            on_discard("A", "8p", "B"),
            on_discard("C", "8p", "B"),
            win_mode="discard",
        ),
        "hand_not_complete",
        "/wins/1",
    ),
}


@pytest.mark.parametrize("case", HUAIHUA)
def test_huaihua_refuses_an_outcome_with(case: str) -> None:
    outcome, code, pointer = HUAIHUA[case]
    assert refusal_of(outcome) == (code, pointer)


@pytest.mark.parametrize(
    ("win", "after"),
    [
        (self_draw("A", "8p"), AfterKong("exposed", touzi=True)),
        (self_draw("A", "8p"), None),
        (on_discard("B", "8p", "A"), AfterKong("exposed", touzi=True)),
    ],
)
def test_a_kong_before_a_win_that_is_there_is_accepted(win: Win, after: AfterKong | None) -> None:
    hands = {"A": FROZEN, "B": seat("234m234p888s77s67p")}
    settle(ended(hands, win, after=after, win_mode="discard"))


@pytest.mark.parametrize("win", [self_draw("A", "8p"), on_discard("B", "8p", "A")])
def test_a_frozen_hand_has_made_its_last_kong_by_touzi(win: Win) -> None:
    """C3.3: what froze it was 骰, and every kong that it may make later counts as one."""
    hands = {"A": FROZEN, "B": seat("234m234p888s77s67p")}
    with pytest.raises(Refused, match="after_kong"):
        settle(ended(hands, win, after=AfterKong("exposed"), win_mode="discard"))


def test_a_frozen_hand_cut_short_with_the_tile_it_drew_is_accepted() -> None:
    hands = {"A": seat("147m258p369s12p", "concealed 9m", frozen=True)}
    settle(ended(hands, end="dissolved"))

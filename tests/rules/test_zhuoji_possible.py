"""Which outcomes 捉鸡 refuses beyond what holds in every game, by code, place and paragraph."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.outcome import AfterKong, Meld, Outcome, SeatOutcome
from tests.rules.table import on_discard, robbing, self_draw
from tests.rules.zhuoji_table import (
    PLAIN,
    READY,
    after,
    ended,
    ready,
    refusal_of,
    seat,
    settle,
)

FOREIGN = "fact_of_another_ruleset"
THREE = {
    "A": seat("123678m3455578p", void_suit="s"),
    "B": seat("", void_suit="m"),
    "C": seat("", void_suit="m"),
}


def won(**changes: Any) -> Outcome:
    """A draws 9s and wins; then something about the outcome is changed."""
    return replace(ended({"A": seat(PLAIN)}, self_draw("A", "9s")), **changes)


def with_seat(**changes: Any) -> Outcome:
    """A's win, with something about his seat changed."""
    outcome = won()
    return replace(outcome, seats=(replace(outcome.seats[0], **changes), *outcome.seats[1:]))


def beside(letter: str, told: SeatOutcome, **more: Any) -> Outcome:
    """A's win, beside a seat that is told."""
    return ended({"A": seat(PLAIN), letter: told}, self_draw("A", "9s"), **more)


def three(**changes: SeatOutcome) -> Outcome:
    """A's win among three players, A void in 条, B and C in 万."""
    win = self_draw("A", "9p")
    return ended(THREE | changes, win, players=3, flip="2s", without="1s8p")


def as_dealt(seats: dict[str, SeatOutcome], **more: Any) -> Outcome:
    win = self_draw("A", "9s", first_turn=True)
    return ended({"A": seat(PLAIN)} | seats, win, dealer="A", **more)


# --- facts of other rulesets, facts without their option, facts left out -----------------------

FACTS: dict[str, tuple[Outcome, tuple[str, str, str | None]]] = {
    "wild kinds": (won(wilds=("1z",)), (FOREIGN, "/wilds", None)),
    "birds": (won(birds=("5m",)), (FOREIGN, "/birds", None)),
    "a ready declaration of 耗子": (
        with_seat(declared="ready"),
        (FOREIGN, "/seats/0/declared", None),
    ),
    "a frozen hand": (with_seat(declared="frozen"), (FOREIGN, "/seats/0/declared", None)),
    "a seat that wins by its own draw alone": (
        with_seat(self_draw_only=True),
        (FOREIGN, "/seats/0/self_draw_only", None),
    ),
    "a feeder who had declared": (
        with_seat(melds=(Meld("kong", "7m", "exposed", 1, feeder_declared=True),)),
        (FOREIGN, "/seats/0/melds/0/feeder_declared", None),
    ),
    "a touzi": (
        won(after_kong=AfterKong("concealed", touzi=True)),
        (FOREIGN, "/after_kong/touzi", None),
    ),
    "a bet without bets": (
        with_seat(bet=1),
        ("fact_without_option", "/seats/0/bet", "zhuoji/1 B3.0"),
    ),
    "a bet of three": (
        with_seat(bet=3),
        ("number_range", "/seats/0/bet", None),
    ),
    "a weekday without its chicken": (
        won(weekday=2),
        ("fact_without_option", "/weekday", "zhuoji/1 B5.3"),
    ),
    "no weekday with its chicken": (
        won(options={"week_ji": True}),
        ("fact_missing", "/weekday", "zhuoji/1 B5.3"),
    ),
    "an eighth day of the week": (
        won(options={"week_ji": True}, weekday=8),
        ("number_range", "/weekday", None),
    ),
    "an honour": (with_seat(hand="123678m55p34571z"), ("tile_not_in_game", "", None)),
    "four seats at a table of three": (
        won(options={"players": 3}),
        ("seats_count", "/seats", None),
    ),
}


@pytest.mark.parametrize("case", FACTS)
def test_an_outcome_is_refused_with(case: str) -> None:
    outcome, refusal = FACTS[case]
    assert refusal_of(outcome) == refusal


# --- the flipped tile -------------------------------------------------------------------------

B53 = "zhuoji/1 B5.3"


def test_a_flipped_tile_is_refused_without_a_win() -> None:
    drawn = replace(ended(ready("A")), flip="2p")
    assert refusal_of(drawn) == ("flip_without_win", "/flip", B53)


def test_a_win_that_took_the_last_tile_turns_none() -> None:
    assert settle(won(flip=None)).totals == (6, -2, -2, -2)


def test_a_robbed_tile_and_one_of_a_first_turn_are_never_the_last() -> None:
    hands = {"A": seat(PLAIN), "B": seat("", "pung 9s C")}
    robbed = ended(hands, robbing("A", "9s", "B"), after_kong=after("added"), flip=None)
    assert refusal_of(robbed) == ("flip_missing", "/flip", B53)
    assert refusal_of(as_dealt({}, flip=None)) == ("flip_missing", "/flip", B53)


@pytest.mark.parametrize(
    ("flip", "code"), [("1z", "tile_not_in_game"), ("0m", "tile_unknown"), ("8m", "tile_copies")]
)
def test_the_flipped_tile_is_one_of_the_set_and_no_fifth(flip: str, code: str) -> None:
    hands = {"A": seat(PLAIN), "B": seat(READY["B"], "", "888m")}
    outcome = replace(ended(hands, self_draw("A", "9s")), flip=flip)
    assert refusal_of(outcome)[0] == code


def test_the_winning_tile_is_a_copy_too() -> None:
    outcome = beside("B", seat(READY["B"], "", "99s"), flip="9s")
    assert settle(outcome).totals == (6, -2, -2, -2)
    outcome = beside("B", seat(READY["B"], "", "999s"), flip="9s")
    assert refusal_of(outcome)[:2] == ("tile_copies", "/flip")


# --- 定缺 -------------------------------------------------------------------------------------

B12 = "zhuoji/1 B1.2"

VOID: dict[str, tuple[Outcome, tuple[str, str, str | None]]] = {
    "none of three": (
        three(C=seat("")),
        ("fact_missing", "/seats/2/void_suit", B12),
    ),
    "one of four": (
        with_seat(void_suit="m"),
        ("fact_without_option", "/seats/0/void_suit", B12),
    ),
    "a pung of it": (
        three(C=seat("", "pung 9s A, pung 9m A", void_suit="m")),
        ("void_suit_melded", "/seats/2/melds/1", B12),
    ),
    "a winner who still holds it": (
        three(A=seat("123678m3455578p", void_suit="m")),
        ("void_suit_held", "/wins/0", B12),
    ),
    "a winner with a tile of it": (
        ended(
            THREE | {"A": seat("123678m3455588p", void_suit="s")},
            self_draw("A", "9s"),
            players=3,
            flip="2s",
            without="1s8p",
        ),
        ("void_suit_held", "/wins/0", B12),
    ),
    "a discarder who should have thrown it first": (
        ended(
            THREE | {"A": seat("22299m44477755p", void_suit="s")},
            on_discard("A", "5p", "B"),
            players=3,
            flip="2s",
            without="1s8p",
        ),
        ("void_suit_kept", "/wins/0", B12),
    ),
    "a declared seat that holds it": (
        three(C=seat("123678m44p34577s", void_suit="m", declared="soft")),
        ("declared_waits_for_nothing", "/seats/2", "zhuoji/1 B3.7"),
    ),
}


@pytest.mark.parametrize("case", VOID)
def test_a_void_suit_refuses(case: str) -> None:
    outcome, refusal = VOID[case]
    assert refusal_of(outcome) == refusal


def test_who_still_holds_his_void_suit_may_deal_in_with_a_tile_of_it() -> None:
    hands = THREE | {
        "A": seat("2224447779m555p", void_suit="s"),
        "B": seat("569m1346p245679s", void_suit="m"),
    }
    outcome = ended(hands, on_discard("A", "9m", "B"), players=3, flip="2s", without="1s8p3s")
    assert settle(outcome).totals == (5, -5, 0)


def test_in_a_hand_cut_short_void_suits_and_the_weekday_may_be_untold() -> None:
    outcome = ended({}, end="dissolved", players=3, week_ji=True)
    assert settle(outcome).totals == (0, 0, 0)
    assert settle(replace(outcome, weekday=3)).totals == (0, 0, 0)


# --- declarations -----------------------------------------------------------------------------

DECLARED: dict[str, tuple[Outcome, tuple[str, str, str | None]]] = {
    "硬报 of a hand that waits for nothing": (
        beside("B", seat("139m145668p2368s", declared="hard")),
        ("declared_waits_for_nothing", "/seats/1", "zhuoji/1 B3.6"),
    ),
    "软报 of a hand that waits for nothing": (
        beside("B", seat("139m145668p2368s", declared="soft")),
        ("declared_waits_for_nothing", "/seats/1", "zhuoji/1 B3.7"),
    ),
    "硬报 of the dealer": (
        beside("B", seat(READY["B"], declared="hard"), dealer="B"),
        ("dealer_declares_hard", "/seats/1", "zhuoji/1 B3.6"),
    ),
    "a pung of a declared seat": (
        beside("B", seat("23456799m67s", "pung 4p C", declared="soft")),
        ("declared_melded", "/seats/1", "zhuoji/1 B3.8"),
    ),
    "a kong of a declared seat": (
        beside("B", seat("23456799m67s", "concealed 4p", declared="hard")),
        ("declared_melded", "/seats/1", "zhuoji/1 B3.8"),
    ),
    "硬报 of other tiles than dealt": (
        beside("B", seat(READY["B"], declared="hard", dealt="23456799m444p68s")),
        ("dealt_differs", "/seats/1/dealt", "zhuoji/1 B3.8"),
    ),
}


@pytest.mark.parametrize("case", DECLARED)
def test_a_declaration_refuses(case: str) -> None:
    outcome, refusal = DECLARED[case]
    assert refusal_of(outcome) == refusal


def test_declarations_that_can_be_are_accepted() -> None:
    hands = {
        "A": seat(PLAIN, declared="soft"),
        "B": seat(READY["B"], declared="hard", dealt="67s444p99m234567m"),
        "D": seat(READY["D"], declared="soft", dealt="2m11345m45677p468s"),
    }
    assert settle(ended(hands, self_draw("A", "9s"))).totals == (66, -32, -12, -22)


def test_a_declared_hand_cut_short_with_the_tile_it_drew_is_not_asked_for_its_waits() -> None:
    outcome = ended({"A": seat("139m145668p23689s", declared="soft")}, end="dissolved")
    assert settle(outcome).totals == (0, 0, 0, 0)


# --- first turns ------------------------------------------------------------------------------

FIRST = ("not_first_turn", "/wins/0/first_turn", None)

NOT_FIRST: dict[str, Outcome] = {
    "a win as dealt after a discard": as_dealt({"B": seat("", "", "9m")}),
    "a win as dealt after a meld": as_dealt({"B": seat("", "pung 9m C")}),
    "a win as dealt after a declaration": as_dealt(ready("B", declared="hard")),
    "a first turn after 软报, which takes a discard": ended(
        {"A": seat(PLAIN, declared="soft")}, self_draw("A", "9s", first_turn=True)
    ),
}


@pytest.mark.parametrize("case", NOT_FIRST)
def test_no_first_turn_is(case: str) -> None:
    assert refusal_of(NOT_FIRST[case]) == FIRST


def test_another_seat_may_win_on_its_first_turn_with_its_hard_declaration() -> None:
    hands = {"A": seat(PLAIN, declared="hard"), "D": seat("", "", "9m")}
    outcome = ended(hands, self_draw("A", "9s", first_turn=True))
    assert settle(outcome).totals == (66, -22, -22, -22)


# --- late kongs, and the kong behind a win ----------------------------------------------------


@pytest.mark.parametrize(
    "meld",
    [Meld("kong", "9m", "exposed", 2, late=True), Meld("pung", "9m", None, 2, late=True)],
)
def test_only_concealed_and_added_kongs_are_late(meld: Meld) -> None:
    outcome = beside("B", seat("", "pung 9m C"))
    told = replace(outcome.seats[1], melds=(meld,))
    seats = (outcome.seats[0], told, *outcome.seats[2:])
    refusal = refusal_of(replace(outcome, seats=seats))
    assert refusal == ("kong_never_late", "/seats/1/melds/0/late", "zhuoji/1 B3.2")


KONGED = {"A": seat("123m55p34578s", "concealed 7m"), "B": seat("", "late added 9m C")}
ROBBED = {"A": seat(PLAIN), "B": seat("", "pung 9s C")}
BEHIND = ("after_kong", "/after_kong", None)

AFTER_KONG: dict[str, tuple[Outcome, tuple[str, str, str | None]]] = {
    "another sort than the winner's": (
        ended(KONGED, self_draw("A", "9s"), after_kong=after("exposed")),
        BEHIND,
    ),
    "a late one where it was not": (
        ended(KONGED, self_draw("A", "9s"), after_kong=after("concealed", late=True)),
        BEHIND,
    ),
    "the winner's where the discarder's is meant": (
        ended(KONGED, on_discard("A", "9s", "B"), after_kong=after("concealed")),
        BEHIND,
    ),
    "one that was not late where the discarder's was": (
        ended(KONGED, on_discard("A", "9s", "B"), after_kong=after("added")),
        BEHIND,
    ),
    "a robbed one that was not added": (
        ended(ROBBED, robbing("A", "9s", "B"), after_kong=after("concealed")),
        BEHIND,
    ),
    "none though one was robbed": (
        ended(ROBBED, robbing("A", "9s", "B")),
        ("robbed_kong_untold", "/after_kong", "zhuoji/1 B3.9"),
    ),
    "one without a win": (ended(KONGED, after_kong=after("concealed")), BEHIND),
}


@pytest.mark.parametrize("case", AFTER_KONG)
def test_the_kong_behind_a_win_is_refused(case: str) -> None:
    outcome, refusal = AFTER_KONG[case]
    assert refusal_of(outcome) == refusal

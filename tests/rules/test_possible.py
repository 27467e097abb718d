"""Which outcomes are refused as impossible, by code and by the place in what was sent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.outcome import Meld, Outcome, SeatOutcome, Win, read_outcome
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG, settle
from tests.rules.table import ended, on_discard, refusal_of, robbing, seat, self_draw

PLAIN = seat("123m456p789s55s67p")
OTHER = seat("234m234p888s99s67p")
"""Both wait for 5p and 8p."""


def won(**changes: Any) -> Outcome:
    """A draws 8p and wins; then something about the outcome is changed."""
    return msgspec.structs.replace(ended({"A": PLAIN}, self_draw("A", "8p")), **changes)


def exhausted(seats: dict[str, SeatOutcome], **more: Any) -> Outcome:
    return ended(seats, end="exhausted", **more)


def with_meld(meld: Meld) -> Outcome:
    """A drawn hand in which A has a meld that the builder would not write."""
    outcome = exhausted({"A": seat("", "pung 9s B")})
    first = msgspec.structs.replace(outcome.seats[0], melds=(meld,))
    return msgspec.structs.replace(outcome, seats=(first, *outcome.seats[1:]))


def with_seat(**changes: Any) -> Outcome:
    """A's win, with something about his seat changed."""
    outcome = won()
    first = msgspec.structs.replace(outcome.seats[0], **changes)
    return msgspec.structs.replace(outcome, seats=(first, *outcome.seats[1:]))


def test_an_ordinary_outcome_is_not_refused() -> None:
    assert settle(won()).totals == (6, -2, -2, -2)


# --- form -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"ruleset": "huaihua/1", "seats": [], "dealer": 0, "end": "won"},
        {"ruleset": "huaihua/1", "seats": [], "dealer": 0, "end": "exhausted", "extra": 1},
        {"ruleset": "huaihua/1", "seats": [{}], "dealer": 0, "end": "exhausted"},
    ],
)
def test_what_has_not_the_form_of_an_outcome_is_refused(data: object) -> None:
    with pytest.raises(Refused) as refused:
        read_outcome(data)
    assert refused.value.code == "outcome_malformed"


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        settle(won(ruleset="riichi/1"))
    assert refused.value.code == "ruleset_unknown"
    assert refused.value.params == {"ruleset": "riichi/1", "allowed": ", ".join(CATALOG)}
    assert {"huaihua/1", "haozi/1"} <= set(CATALOG)


# --- what holds in every game -----------------------------------------------------------------

MELD = "/seats/0/melds/0"

EVERYWHERE: dict[str, tuple[Outcome, str, str]] = {
    "three seats at a table of four": (won(seats=won().seats[:3]), "seats_count", "/seats"),
    "a dealer who is not there": (won(dealer=4), "number_range", "/dealer"),
    "no hand dealt yet": (won(streak=0), "number_range", "/streak"),
    "no tile in the hand": (with_seat(hand="123m456q"), "tile_unknown", "/seats/0/hand"),
    "no tile in the river": (with_seat(river="0m"), "tile_unknown", "/seats/0/river"),
    "no tile dealt": (with_seat(dealt="m"), "tile_unknown", "/seats/0/dealt"),
    "no tile as a bird": (won(birds=("1m", "12m")), "tile_unknown", "/birds/1"),
    "no tile won": (won(wins=(self_draw("A", "8q"),)), "tile_unknown", "/wins/0/tile"),
    "no tile melded": (with_meld(Meld("pung", "", None, 1)), "tile_unknown", f"{MELD}/tile"),
    "a pung with a sort": (with_meld(Meld("pung", "9s", "added", 1)), "meld_how", f"{MELD}/how"),
    "a kong without one": (with_meld(Meld("kong", "9s", None, 1)), "meld_how", f"{MELD}/how"),
    "a pung from nobody": (with_meld(Meld("pung", "9s", None)), "meld_from", f"{MELD}/from"),
    "a concealed kong from somebody": (
        with_meld(Meld("kong", "9s", "concealed", 1)),
        "meld_from",
        f"{MELD}/from",
    ),
    "a pung from oneself": (with_meld(Meld("pung", "9s", None, 0)), "meld_from", f"{MELD}/from"),
    "a pung from outside": (with_meld(Meld("pung", "9s", None, 4)), "number_range", f"{MELD}/from"),
    "the same tile melded twice": (
        exhausted({"A": seat("", "pung 9s B, added 9s C")}),
        "meld_twice",
        "/seats/0/melds",
    ),
    "a tile too few": (exhausted({"B": seat("123m456p789s")}), "hand_length", "/seats/1/hand"),
    "a tile too many": (
        exhausted({"B": seat("123m456p789s55s678p")}),
        "hand_length",
        "/seats/1/hand",
    ),
    "two turns cut short": (
        ended({"A": seat("123m456p789s55s678p"), "B": seat("1114m456p789s4478p")}, end="dissolved"),
        "hand_length",
        "/seats/1/hand",
    ),
    "a win without winners": (won(wins=()), "end_and_wins", "/end"),
    "winners of a drawn hand": (won(end="exhausted"), "end_and_wins", "/end"),
    "a winner who is not there": (
        won(wins=(Win(4, "8p", "self_draw"),)),
        "number_range",
        "/wins/0/seat",
    ),
    "a self-draw from somebody": (
        won(wins=(Win(0, "8p", "self_draw", 1),)),
        "win_from",
        "/wins/0/from",
    ),
    "a discard from nobody": (won(wins=(Win(0, "8p", "discard"),)), "win_from", "/wins/0/from"),
    "a discard from oneself": (
        won(wins=(Win(0, "8p", "discard", 0),)),
        "win_from",
        "/wins/0/from",
    ),
    "a discard from outside": (
        won(wins=(Win(0, "8p", "discard", 4),)),
        "number_range",
        "/wins/0/from",
    ),
    "a winner told twice": (
        ended({"A": PLAIN}, on_discard("A", "8p", "B"), on_discard("A", "8p", "B")),
        "winner_twice",
        "/wins",
    ),
    "winners of different tiles": (
        ended({"A": PLAIN, "C": OTHER}, on_discard("A", "8p", "B"), on_discard("C", "5p", "B")),
        "wins_differ",
        "/wins",
    ),
    "two self-draws": (
        ended({"A": PLAIN, "C": OTHER}, self_draw("A", "8p"), self_draw("C", "8p")),
        "wins_differ",
        "/wins",
    ),
    "a kong robbed that is no pung": (
        ended({"A": PLAIN, "B": seat("", "pung 1s C")}, robbing("A", "8p", "B")),
        "robbed_without_pung",
        "/wins/0/from",
    ),
    "a first turn after a discard": (
        ended({"A": seat("123m456p789s55s67p", river="9p")}, self_draw("A", "8p", first_turn=True)),
        "not_first_turn",
        "/wins/0/first_turn",
    ),
    "a first turn with a meld": (
        ended({"A": seat("123m456p55s67p", "pung 9s B")}, self_draw("A", "8p", first_turn=True)),
        "not_first_turn",
        "/wins/0/first_turn",
    ),
    "a first turn after a tile of one's own was taken": (
        ended({"A": PLAIN, "B": seat("", "pung 1s A")}, self_draw("A", "8p", first_turn=True)),
        "not_first_turn",
        "/wins/0/first_turn",
    ),
    "a dealer's first turn on a discard": (
        ended({"A": PLAIN}, on_discard("A", "8p", "B", first_turn=True)),
        "not_first_turn",
        "/wins/0/first_turn",
    ),
    "an honour": (exhausted({"A": seat("123m456p789s55s61z")}), "tile_not_in_game", ""),
    "a wild tile where none is played": (
        exhausted({"A": seat("123m456p789s55s65z")}),
        "tile_not_in_game",
        "",
    ),
    "five of a kind": (
        exhausted({"A": seat("1m", "concealed 1m, pung 2m B, pung 3m B, pung 4m B")}),
        "tile_copies",
        "",
    ),
    "five of a kind dealt": (
        msgspec.structs.replace(
            won(),
            seats=tuple(
                msgspec.structs.replace(one, dealt=dealt)
                for one, dealt in zip(
                    won().seats,
                    ("1111234567899m1p", "1m2345678p12345s", None, None),
                    strict=True,
                )
            ),
        ),
        "tile_copies",
        "",
    ),
    "a wrong number dealt": (
        with_seat(dealt="123m456p789s55s67p"),
        "dealt_length",
        "/seats/0/dealt",
    ),
    "a first turn with other tiles than dealt": (
        msgspec.structs.replace(
            with_seat(dealt="123m456p789s55s669p"),
            wins=(self_draw("A", "8p", first_turn=True),),
        ),
        "dealt_differs",
        "/seats/0/dealt",
    ),
}


@pytest.mark.parametrize("case", EVERYWHERE)
def test_an_outcome_is_refused_with(case: str) -> None:
    outcome, code, pointer = EVERYWHERE[case]
    assert refusal_of(outcome) == (code, pointer)


# --- what is possible -------------------------------------------------------------------------


def test_a_hand_dissolved_in_a_turn_may_show_one_tile_more() -> None:
    outcome = ended({"A": seat("123m456p789s55s678p")}, end="dissolved")
    assert settle(outcome).totals == (0, 0, 0, 0)


def test_dealt_tiles_that_fit_a_first_turn_are_accepted() -> None:
    outcome = msgspec.structs.replace(
        with_seat(dealt="123m456p789s55s678p"), wins=(self_draw("A", "8p", first_turn=True),)
    )
    assert settle(outcome).totals == (6, -2, -2, -2)


def test_dealt_tiles_of_a_seat_that_played_on_may_differ_from_its_hand() -> None:
    assert settle(with_seat(dealt="1357m2468p13579s9p")).totals == (6, -2, -2, -2)

"""C5.3 of 怀化: birds 抓鸟, in the normal and in the 159 mode."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.outcome import Outcome
from ledger.rules.catalog import settle
from tests.rules.table import ended, on_discard, paid, refusal_of, robbing, seat, self_draw

PLAIN = seat("123m456p789s55s67p")
OTHER = seat("234m234p888s99s67p")
"""Both wait for 5p and 8p; 平胡."""


def drawn(birds: str, *, winner: str = "A", count: int = 3, **more: Any) -> list[str]:
    """What is paid when a plain hand draws 8p and these birds are turned."""
    outcome = ended({winner: PLAIN}, self_draw(winner, "8p"), birds=birds, bird_count=count, **more)
    return paid(settle(outcome))


def dealt_in(birds: str, **more: Any) -> list[str]:
    """What is paid when D discards 8p to A."""
    outcome = ended(
        {"A": PLAIN},
        on_discard("A", "8p", "D"),
        birds=birds,
        bird_count=3,
        win_mode="discard",
        **more,
    )
    return paid(settle(outcome))


def both(birds: str, source: str = "D", **more: Any) -> list[str]:
    """What is paid when D discards 8p to A and C."""
    wins = (on_discard("A", "8p", source), on_discard("C", "8p", source))
    outcome = ended(
        {"A": PLAIN, "C": OTHER}, *wins, birds=birds, bird_count=3, win_mode="discard", **more
    )
    return paid(settle(outcome))


# --- whom a bird hits -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bird", "hit"),
    [
        *[("1m", "B"), ("2m", "C"), ("3m", "D"), ("4m", "A"), ("5m", "B")],
        *[("6m", "C"), ("7m", "D"), ("8m", "A"), ("9m", "B")],
    ],
)
def test_a_bird_is_counted_round_the_table_from_the_winner(bird: str, hit: str) -> None:
    expected = {
        "A": ["A>B 4", "C>B 2", "D>B 2"],
        "B": ["A>B 4", "C>B 4", "D>B 4"],
        "C": ["A>B 2", "C>B 4", "D>B 2"],
        "D": ["A>B 2", "C>B 2", "D>B 4"],
    }
    assert drawn(bird, winner="B") == expected[hit]


@pytest.mark.parametrize(
    ("bird", "payments"),
    [
        ("1m", ["B>A 4", "C>A 4"]),
        ("2m", ["B>A 4", "C>A 2"]),
        ("3m", ["B>A 2", "C>A 4"]),
        ("4m", ["B>A 4", "C>A 4"]),
        ("5m", ["B>A 4", "C>A 2"]),
        ("9m", ["B>A 2", "C>A 4"]),
    ],
)
def test_with_three_players_the_count_goes_round_three(bird: str, payments: list[str]) -> None:
    assert drawn(bird, players=3) == payments


def test_with_two_players_every_bird_doubles() -> None:
    assert drawn("1m2m", players=2) == ["B>A 8"]


def test_a_wild_tile_turned_up_counts_as_one() -> None:
    assert drawn("5z", zhong_wild=True) == ["B>A 4", "C>A 4", "D>A 4"]


# --- what a bird does -------------------------------------------------------------------------


def test_no_birds_change_nothing() -> None:
    assert drawn("", count=0) == ["B>A 2", "C>A 2", "D>A 2"]


def test_a_bird_on_a_payer_doubles_what_he_pays() -> None:
    assert drawn("6m") == ["B>A 4", "C>A 2", "D>A 2"]


def test_birds_on_winner_and_payer_multiply() -> None:
    assert drawn("1m2p") == ["B>A 8", "C>A 4", "D>A 4"]


def test_each_further_bird_on_a_seat_doubles_again() -> None:
    assert drawn("1m5m9m") == ["B>A 16", "C>A 16", "D>A 16"]


def test_on_a_discard_only_winner_and_discarder_matter() -> None:
    assert dealt_in("2m3m") == ["D>A 1"]
    assert dealt_in("4m") == ["D>A 2"]
    assert dealt_in("4m1m") == ["D>A 4"]


def test_a_robbed_seat_is_hit_as_a_discarder() -> None:
    outcome = ended(
        {"A": PLAIN, "D": seat("", "pung 8p B")},
        robbing("A", "8p", "D"),
        birds="4m",
        bird_count=1,
    )
    assert paid(settle(outcome)) == ["D>A 2"]


# --- several winners --------------------------------------------------------------------------


def test_with_several_winners_the_count_starts_at_the_discarder() -> None:
    assert both("1m") == ["D>A 2", "D>C 2"]
    assert both("2m") == ["D>A 2", "D>C 1"]
    assert both("4m") == ["D>A 1", "D>C 2"]
    assert both("3m") == ["D>A 1", "D>C 1"]


def test_with_several_robbers_the_count_starts_at_the_robbed_seat() -> None:
    outcome = ended(
        {"A": PLAIN, "C": OTHER, "D": seat("", "pung 8p B")},
        robbing("A", "8p", "D"),
        robbing("C", "8p", "D"),
        birds="2m",
        bird_count=1,
    )
    assert paid(settle(outcome)) == ["D>A 2", "D>C 1"]


# --- 159 --------------------------------------------------------------------------------------


def test_in_the_159_mode_every_one_five_nine_doubles_for_everybody() -> None:
    assert drawn("1m3p9s", bird_mode="159") == ["B>A 8", "C>A 8", "D>A 8"]
    assert drawn("2m6p7s", bird_mode="159") == ["B>A 2", "C>A 2", "D>A 2"]


def test_in_the_159_mode_a_wild_tile_is_a_hit() -> None:
    found = drawn("5z4p", bird_mode="159", zhong_wild=True)
    assert found == ["B>A 4", "C>A 4", "D>A 4"]


def test_in_the_159_mode_a_discard_is_doubled_too() -> None:
    assert dealt_in("5m5p", bird_mode="159") == ["D>A 4"]


def test_in_the_159_mode_all_winners_share_one_set_of_birds() -> None:
    assert both("5m2m", bird_mode="159") == ["D>A 2", "D>C 2"]


# --- the last tile ----------------------------------------------------------------------------


def last_tile(win_by: str, **more: Any) -> Outcome:
    win = self_draw("A", "5p") if win_by == "self_draw" else on_discard("A", "5p", "D")
    return ended({"A": PLAIN}, win, birds="5p", bird_count=3, win_mode="discard", **more)


def test_the_winning_tile_of_an_empty_wall_is_the_only_bird() -> None:
    assert paid(settle(last_tile("self_draw"))) == ["B>A 4", "C>A 4", "D>A 4"]
    assert paid(settle(last_tile("discard"))) == ["D>A 2"]


def test_so_it_is_in_the_159_mode() -> None:
    assert paid(settle(last_tile("self_draw", bird_mode="159"))) == ["B>A 4", "C>A 4", "D>A 4"]
    assert paid(settle(last_tile("discard", bird_mode="159"))) == ["D>A 2"]


def test_that_bird_is_no_further_copy_of_the_tile() -> None:
    hands = {"A": PLAIN, "B": seat("55p147m258s3699s1s")}
    outcome = ended(hands, self_draw("A", "5p"), birds="5p", bird_count=1)
    assert settle(outcome).totals == (12, -4, -4, -4)
    outcome = ended(hands, self_draw("A", "5p"), birds="5p1m", bird_count=2)
    assert refusal_of(outcome) == ("tile_copies", "")

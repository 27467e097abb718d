"""Legal random play: the same seed plays the same match, and all of it is legal."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from ledger.record import Choice, Does, choice
from ledger.rules.catalog import entry, ruleset, settle
from ledger.rules.options import describe_options
from ledger.simulate import (
    Match,
    Played,
    choose,
    play_match,
    play_matches,
    random_options,
    record_of,
)

KEY = "huaihua/1"
TRIES = 200


def matches(seed: int, hands: int, options: dict[str, Any] | None = None) -> list[Match]:
    return list(play_matches(random.Random(seed), KEY, options, hands))


@pytest.fixture(scope="module")
def played() -> list[Played]:
    """Hands under many options."""
    return [hand for match in matches(1, 64) for hand in match.hands]


def test_the_same_seed_plays_the_same_hands() -> None:
    assert matches(7, 3) == matches(7, 3)
    assert matches(7, 1) != matches(8, 1)


def test_hands_come_in_matches_of_eight() -> None:
    assert [len(match.hands) for match in matches(1, 10, {"players": 2})] == [8, 2]


def test_each_match_has_options_of_its_own_unless_they_are_given() -> None:
    drawn = [match.options for match in matches(1, 9)]
    assert drawn[0] != drawn[1]
    given = [match.options["players"] for match in matches(1, 9, {"players": 2})]
    assert given == [2, 2]


def test_every_action_was_legal_when_it_was_chosen(played: list[Played]) -> None:
    for action in (action for hand in played for action in hand.recorded.actions):
        assert isinstance(action.legal, tuple)
        assert choice(action) in action.legal


def test_every_hand_ends_and_sums_to_zero(played: list[Played]) -> None:
    for hand in played:
        assert hand.recorded.outcome is not None
        assert hand.settlement == settle(hand.recorded.outcome)
        assert hand.recorded.totals == hand.settlement.totals
        assert sum(hand.settlement.totals) == 0
    assert {hand.hand.end for hand in played} == {"win", "exhausted"}
    assert {win.how for hand in played for win in hand.hand.wins} >= {"self_draw", "discard"}


def test_most_hands_are_won_and_not_only_by_their_deal(played: list[Played]) -> None:
    read = Counter(name for hand in played for win in hand.settlement.wins for name in win.patterns)
    assert sum(hand.hand.end == "win" for hand in played) > len(played) / 2
    assert read["ping_hu"] > len(played) / 4


def test_dealers_and_streaks_follow_the_rules() -> None:
    rules = ruleset(KEY, {})
    hands = [one.hand for one in play_match(random.Random(2), KEY, {}, 12)]
    assert hands[0].streak == 1
    for before, after in pairwise(hands):
        assert after.dealer == rules.next_dealer(before)
        assert after.streak == (before.streak + 1 if after.dealer == before.dealer else 1)


def test_a_record_tells_what_was_legal_only_if_asked() -> None:
    (match,) = matches(3, 1)
    told = msgspec.json.encode(record_of(match, "a", with_legal=True))
    short = msgspec.json.encode(record_of(match, "a"))
    assert b'"legal":[{"seat":' in told
    assert b"legal" not in short


def chosen(*choices: Choice) -> Counter[Choice]:
    """What is chosen of these in many tries."""
    rng = random.Random(1)
    return Counter(choose(rng, choices) for _ in range(TRIES))


def does(action: Does, tile: str | None = None, seat: int = 0) -> Choice:
    return Choice(seat, action, tile)


def test_a_win_is_mostly_taken() -> None:
    found = chosen(does("win"), does("pass"), does("pung", seat=1), does("pass", seat=1))
    assert found[does("win")] > TRIES * 0.8
    assert found.total() - found[does("win")] > 0


def test_the_tile_that_stands_alone_is_mostly_discarded() -> None:
    tiles = ("1m", "2m", "3m", "5m", "9p", "4s", "5s")
    found = chosen(*(does("discard", tile) for tile in tiles))
    assert found[does("discard", "9p")] > TRIES * 0.8
    assert len(found) > 1


def test_tiles_of_different_suits_are_no_company() -> None:
    found = chosen(*(does("discard", tile) for tile in ("8m", "9m", "1p")))
    assert found[does("discard", "1p")] > TRIES * 0.8


@pytest.mark.parametrize("action", ["pung", "kong"])
def test_a_claim_is_sometimes_taken_and_sometimes_passed(action: Does) -> None:
    found = chosen(does(action), does("pass"))
    assert min(found[does(action)], found[does("pass")]) > TRIES * 0.2


def test_the_only_choice_is_taken() -> None:
    assert set(chosen(does("bet"))) == {does("bet")}


def test_random_options_are_options_and_meet_every_choice() -> None:
    rng = random.Random(1)
    drawn = [random_options(rng, KEY) for _ in range(TRIES)]
    assert all(ruleset(KEY, options).written_options == options for options in drawn[:20])
    for info in describe_options(entry(KEY).options):
        met = [options[info.name] for options in drawn]
        if info.kind in ("flag", "choice"):
            assert set(met) == set(info.choices or (True, False))
        elif info.kind == "set":
            assert {name for names in met for name in names} == set(info.choices)
        else:
            assert info.minimum in met
            assert len(set(met)) > 5

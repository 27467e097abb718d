"""Random play meets everything that a ruleset knows, and all of it is sound.

What is listed here as never met cannot happen at a table; what is rare may, and is seen to be
right elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec
import pytest

from ledger.outcome import read_outcome
from ledger.rules.catalog import CATALOG, settle
from ledger.simulate import Match, Report, play_matches
from ledger.simulate.names import names

MUST = ("patterns", "payments", "not_counted", "ends", "wins", "refusals")

NO_PROMPTS = {
    "points_missing common 11": "nobody bets in this game",
    "suit_missing common 11": "nobody chooses a void suit in this game",
    "prompt_open common 11": "nothing is asked before the first turn in this game",
}
NEVER = {
    "huaihua/1": {
        **NO_PROMPTS,
        "no_robbing huaihua/1 C3.7": "where nobody may rob, no window opens on the kong",
    },
    "haozi/1": {
        **NO_PROMPTS,
        "no_robbing haozi/1 A3.8": "where nobody may rob, no window opens on the kong",
        "wild_not_won haozi/1 A3.8": "nobody may rob a wild tile, so no window opens on it",
        "not_asked haozi/1 A3.2": "who has no claim on a face-down tile is told common 4, no more",
    },
    "zhuoji/1": {
        "not_in_this_game common 5": "everything that can be asked before the deal is asked here",
        "void_suit_kept zhuoji/1 B1.2": "the void suit is thrown first: of an entered outcome only",
    },
}
"""What cannot happen at a table, and why."""
RARE = {
    "zhuoji/1": {
        "golden_charge_yao_ji burned",
        "golden_charge_wugu_ji burned",
    },
}
"""What takes a golden chicken, a charging one and a burned seat at once."""
MANY = {"huaihua/1": 4000, "haozi/1": 5000, "zhuoji/1": 8000}

every_ruleset = pytest.mark.parametrize("key", CATALOG)


def check(match: Match) -> None:
    """What holds of every hand."""
    for hand in match.hands:
        assert hand.hand.end is not None
        assert all(moment.end is None for moment in hand.moments[:-1])
        assert sum(hand.settlement.totals) == 0
        told = msgspec.json.decode(msgspec.json.encode(hand.recorded.outcome))
        assert settle(read_outcome(told)) == hand.settlement


def report(key: str, hands: int, kind: str, seed: int = 1) -> dict[str, dict[str, int]]:
    """What was met in so many hands, of which each is sound."""
    met = Report(key, random.Random(seed))
    for match in play_matches(random.Random(seed), key, None, hands, kind):
        check(match)
        met.see(match)
    return {sort: met.written()[sort] for sort in names(key)}


def missing(key: str, met: dict[str, dict[str, int]]) -> set[str]:
    """What should have been met and was not."""
    return {name for sort in MUST for name, times in met[sort].items() if not times}


@lru_cache
def few(key: str) -> dict[str, dict[str, int]]:
    """What a few hands of all kinds of play meet."""
    return report(key, 80, "all")


@every_ruleset
def test_few_hands_meet_what_ordinary_play_is_made_of(key: str) -> None:
    found = {name for counts in few(key).values() for name, times in counts.items() if times}
    assert found >= ORDINARY | ORDINARY_HERE[key]


ORDINARY = {
    *("win", "exhausted", "dissolved", "self_draw", "discard"),
    *("Dealt", "Drawn", "Discarded", "Offered", "Answered", "Punged", "Konged", "Won"),
    *("kong", "pung", "pass"),
    *("hand_over common 2", "not_your_turn common 5", "window_open common 4"),
    *("not_asked common 4", "not_the_tile_offered common 4", "tile_not_held common 5"),
    *("no_four_of_a_kind common 5", "no_pair_for_pung common 5", "no_tile_drawn common 5"),
    *("not_on_own_turn common 5", "not_with_this_action common 5", "tile_missing common 5"),
    "nothing_to_pass common 5",
}
ORDINARY_HERE = {
    "huaihua/1": {
        *("ping_hu", "peng_peng_hu", "qi_dui", "qing_yi_se"),
        *("win huaihua/1 C5.1", "win huaihua/1 C5.2", "kong huaihua/1 C5.4"),
        *("BirdsTurned", "kong touzi", "hand_not_complete huaihua/1 C4"),
        *("kong_passed huaihua/1 C3.2", "touzi_not_ready huaihua/1 C3.3"),
        *("self_draw_only huaihua/1 C3.5", "zhong_not_discarded huaihua/1 C1"),
    },
    "haozi/1": {
        *("standard", "seven_pairs", "discard declare", "FaceDownOffered"),
        *("win haozi/1 A5.1", "win haozi/1 A5.2", "win haozi/1 A5.3", "kong haozi/1 A5.4"),
        *("declared_not_ready haozi/1 A3.2", "win_not_declared haozi/1 A3.4"),
        *("hand_not_complete haozi/1 A3.4", "no_natural_wait haozi/1 A3.4"),
    },
    "zhuoji/1": {
        *("ping_hu", "da_dui_zi", "qi_dui", "bet", "void_suit", "declare", "discard declare"),
        *("win zhuoji/1 B5.1", "kong zhuoji/1 B5.2", "chickens zhuoji/1 B5.3.1"),
        *("chicken_liability zhuoji/1 B5.3.3", "ready_check zhuoji/1 B5.4"),
        *("ChickenThrown", "ChickenFlipped", "VoidSuitsShown", "ReadyShown", "BetsShown"),
        *("void_suit_first zhuoji/1 B1.2", "pass_card_missing zhuoji/1 B3.3"),
    },
}


@every_ruleset
def test_nothing_is_met_that_the_ruleset_does_not_name(key: str) -> None:
    assert all_names(few(key)) == all_names(names(key))


def all_names(sorts: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """The names of each sort."""
    return {sort: set(found) for sort, found in sorts.items()}


@pytest.mark.deep
@every_ruleset
def test_many_hands_meet_everything(key: str) -> None:
    met = report(key, 200, "beginner")
    for sort, counts in report(key, MANY[key], "lucky").items():
        for name, times in counts.items():
            met[sort][name] = met[sort].get(name, 0) + times
    rare = RARE.get(key, set())
    assert missing(key, met) - rare == set(NEVER[key])
    assert all_names(met) == all_names(names(key))

"""Common 10 and C2 of 怀化: reading a table's options, refusing them, telling them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG, ruleset
from ledger.rules.huaihua.options import CHOSEN_PATTERNS, Options
from ledger.rules.options import GROUPS, OptionInfo, describe_options, read_options, write_options
from ledger.simulate import random_options

DEFAULTS = {
    "players": 4,
    "zhong_wild": False,
    "win_mode": "self_draw",
    "no_small_discard": False,
    "rob_kong": True,
    "bao_gang": True,
    "void_kongs_on_draw": False,
    "bird_count": 0,
    "bird_mode": "normal",
    "patterns": [],
    "base_score": 1,
    "pass_win_lock": "until_own_draw",
    "rob_kong_exempt_from_small": True,
    "rob_allowed_in_self_draw_mode": True,
    "kong_after_touzi": False,
    "si_gui_yi_wild": True,
}


def told(name: str) -> OptionInfo:
    return next(info for info in describe_options(Options) if info.name == name)


def test_what_is_missing_has_its_default() -> None:
    assert write_options(read_options(Options, {})) == DEFAULTS
    assert list(write_options(Options())) == list(DEFAULTS)


def test_what_is_given_stands() -> None:
    given = {"players": 3, "zhong_wild": True, "bird_mode": "159", "base_score": 1000}
    assert write_options(read_options(Options, given)) == DEFAULTS | given


def test_options_that_were_written_read_the_same() -> None:
    options = read_options(Options, {"patterns": ["di_hu", "tian_hu"], "bird_count": 20})
    assert read_options(Options, write_options(options)) == options


def test_a_selection_stands_in_its_own_order_however_it_was_given() -> None:
    options = read_options(Options, {"patterns": ["que_yi_se", "long_qi_dui", "di_hu"]})
    assert options.patterns == ("long_qi_dui", "di_hu", "que_yi_se")


def test_an_unknown_option_is_refused_with_the_names_that_are_known() -> None:
    with pytest.raises(Refused) as refused:
        read_options(Options, {"kan_gang": True})
    assert refused.value.code == "option_unknown"
    assert refused.value.params == {"option": "kan_gang", "allowed": ", ".join(DEFAULTS)}


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("players", 1, "4, 3, 2"),
        ("players", 5, "4, 3, 2"),
        ("players", "4", "4, 3, 2"),
        ("players", True, "4, 3, 2"),
        ("players", 4.0, "4, 3, 2"),
        ("zhong_wild", 1, "true, false"),
        ("zhong_wild", None, "true, false"),
        ("win_mode", "either", "self_draw, discard"),
        ("bird_mode", 159, "normal, 159"),
        ("bird_count", -1, "0–20"),
        ("bird_count", 21, "0–20"),
        ("bird_count", True, "0–20"),
        ("base_score", 0, "1–1000"),
        ("base_score", 1001, "1–1000"),
        ("pass_win_lock", "forever", "none, until_own_draw, rest_of_hand"),
        ("patterns", "di_hu", ", ".join(CHOSEN_PATTERNS)),
        ("patterns", ["ping_hu"], ", ".join(CHOSEN_PATTERNS)),
        ("patterns", ["di_hu", "di_hu"], ", ".join(CHOSEN_PATTERNS)),
        ("patterns", [["di_hu"]], ", ".join(CHOSEN_PATTERNS)),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(Refused) as refused:
        read_options(Options, {name: value})
    assert refused.value.code == "option_value"
    assert refused.value.params == {
        "option": name,
        "value": json.dumps(value, separators=(",", ":")),
        "allowed": allowed,
    }


def test_an_option_tells_what_a_form_needs() -> None:
    assert told("bird_count") == OptionInfo(
        "bird_count", "birds", "Birds", "抓鸟", "number", 0, False, (), 0, 20, {}
    )
    assert told("patterns").kind == "set"
    assert told("patterns").choices == CHOSEN_PATTERNS
    assert told("players").choices == (4, 3, 2)


def test_the_last_five_options_are_house_rules() -> None:
    infos = describe_options(Options)
    assert [info.house_rule for info in infos] == [False] * 11 + [True] * 5


def test_small_wins_are_asked_about_only_in_the_discard_mode() -> None:
    assert told("no_small_discard").needs == {"win_mode": "discard"}
    assert told("rob_kong_exempt_from_small").needs == {"win_mode": "discard"}
    assert told("rob_allowed_in_self_draw_mode").needs == {"win_mode": "self_draw"}


def test_an_option_that_has_no_effect_is_accepted() -> None:
    options = read_options(Options, {"win_mode": "self_draw", "no_small_discard": True})
    assert options.no_small_discard


# --- of every ruleset -------------------------------------------------------------------------

every_ruleset = pytest.mark.parametrize("key", CATALOG)


@every_ruleset
def test_every_option_has_both_labels(key: str) -> None:
    for info in describe_options(CATALOG[key].options):
        assert info.en
        assert info.zh


@every_ruleset
def test_an_option_matters_only_with_a_value_that_another_can_have(key: str) -> None:
    infos = {info.name: info for info in describe_options(CATALOG[key].options)}
    for info in infos.values():
        for name, value in info.needs.items():
            assert infos[name].kind == "flag" or value in infos[name].choices


@every_ruleset
def test_house_rules_come_last(key: str) -> None:
    house = [info.house_rule for info in describe_options(CATALOG[key].options)]
    assert house == sorted(house)


@every_ruleset
@pytest.mark.parametrize("seed", range(20))
def test_options_drawn_by_lot_are_written_as_they_are_read(key: str, seed: int) -> None:
    options = random_options(Random(seed), key)
    written = ruleset(key, options).written_options
    assert ruleset(key, written).written_options == written
    assert written.keys() == options.keys()


@every_ruleset
def test_every_option_has_its_group(key: str) -> None:
    """A form that shows the groups one after another leaves no option out."""
    infos = describe_options(CATALOG[key].options)
    assert {info.group for info in infos} <= set(GROUPS)
    assert {"table", "winning", "kongs"} <= {info.group for info in infos}

"""A2 of 耗子: what a club may choose, and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.refusal import Refused
from ledger.rules.haozi import Options
from ledger.rules.options import describe_options, read_options
from ledger.texts import sentence


def test_wind_rat_is_never_played_without_honours() -> None:
    with pytest.raises(Refused) as refused:
        read_options(Options, {"with_honours": False})
    assert sentence(refused.value, "en") == (
        "with_honours can be false only where variant is double_rat."
    )
    found = read_options(Options, {"with_honours": False, "variant": "double_rat"})
    assert found.with_honours is False


def test_every_option_has_the_default_of_the_page() -> None:
    assert {info.name: info.default for info in describe_options(Options)} == {
        "players": 4,
        "variant": "wind_rat",
        "with_honours": True,
        "feeder_pays_kong": False,
        "discarder_pays_kongs": False,
        "no_kong_if_wait_changes": False,
        "must_win": False,
        "base_score": 1,
        "min_declare_points": 6,
        "min_win_points": 6,
        "win_requires_declaration": True,
        "wild_honours": "all",
        "face_down_claimable": True,
        "reoffer_added_kong": True,
        "draw_voids_kongs": True,
        "rob_added_kong": True,
        "takeover_voids_own_kongs": True,
        "wall_reserve": 0,
        "wild_pung_kong_as_natural": True,
    }


def test_all_from_the_floor_of_a_declaration_on_are_house_rules() -> None:
    names = [info.name for info in describe_options(Options) if not info.house_rule]
    assert names[-1] == "base_score"
    assert len(names) == 8


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("players", (2, 3, 4), (1, 5)),
        ("base_score", (1, 1000), (0, 1001)),
        ("min_declare_points", (0, 10), (-1, 11)),
        ("min_win_points", (0, 10), (-1, 11)),
        ("wall_reserve", (0, 136), (-1, 137)),
        ("wild_honours", ("all", "winds"), ("dragons",)),
        ("variant", ("wind_rat", "double_rat"), ("rat",)),
    ],
)
def test_an_option_has_its_range(name: str, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    for value in good:
        assert getattr(read_options(Options, {name: value}), name) == value
    for value in bad:
        with pytest.raises(Refused, match="option_value"):
            read_options(Options, {name: value})

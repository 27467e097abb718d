"""B2 of 捉鸡: the options of a table, their defaults, and which values are refused."""

from __future__ import annotations

import pytest

from ledger.refusal import Refused
from ledger.rules.options import describe_options, read_options, write_options
from ledger.rules.zhuoji import Options

DEFAULTS = {
    "players": 4,
    "flip_mode": "next",
    "ben_ji": False,
    "wugu_ji": False,
    "week_ji": False,
    "wind_blow_ji": False,
    "full_hall_ji": False,
    "di_long": False,
    "gumai": False,
    "dealer_mode": "one_two",
    "base_score": 1,
    "self_draw_mode": "plus_one",
    "streak_first_hand": 1,
    "base_scales_gumai": True,
    "draw_scores_ready_players": True,
    "unready_kong_scores": False,
    "ready_bonus_adds_to_pattern": True,
    "weekday_source": "settlement_time",
    "gold_doubles_liability": True,
    "gold_doubles_responsibility": False,
    "ben_on_default": "gold",
}


def test_what_is_missing_has_its_default() -> None:
    assert write_options(read_options(Options, {})) == DEFAULTS


def test_the_ten_options_from_what_a_self_draw_adds_on_are_house_rules() -> None:
    told = [info.name for info in describe_options(Options) if info.house_rule]
    assert told == list(DEFAULTS)[11:]


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("players", [4, 3, 2]),
        ("flip_mode", ["next", "swing", "none"]),
        ("dealer_mode", ["none", "one_two", "streak", "tong_san"]),
        ("base_score", [1, 2, 10]),
        ("self_draw_mode", ["plus_one", "double", "both"]),
        ("streak_first_hand", [0, 1]),
        ("weekday_source", ["settlement_time", "room_creation"]),
        ("ben_on_default", ["gold", "plus_one"]),
    ],
)
def test_an_option_takes_each_of_its_values(option: str, values: list[object]) -> None:
    for value in values:
        assert write_options(read_options(Options, {option: value}))[option] == value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 5),
        ("flip_mode", "both"),
        ("dealer_mode", ["one_two", "tong_san"]),
        ("base_score", 0),
        ("base_score", 11),
        ("streak_first_hand", 2),
        ("ben_ji", 1),
    ],
)
def test_any_other_value_is_refused(option: str, value: object) -> None:
    with pytest.raises(Refused, match="option_value") as refused:
        read_options(Options, {option: value})
    assert refused.value.params["option"] == option


@pytest.mark.parametrize(
    ("option", "needs"),
    [
        ("streak_first_hand", {"dealer_mode": "streak"}),
        ("base_scales_gumai", {"gumai": True}),
        ("weekday_source", {"week_ji": True}),
        ("ben_on_default", {"ben_ji": True}),
    ],
)
def test_an_option_says_beside_which_other_it_matters(
    option: str, needs: dict[str, object]
) -> None:
    told = {info.name: info.needs for info in describe_options(Options)}
    assert told[option] == needs

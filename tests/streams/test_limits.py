"""Limits: what may be set, what holds for one member, and whom it keeps from a table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from ledger import events as e
from ledger.refusal import Refused
from ledger.streams.limits import (
    Limits,
    Room,
    Standing,
    check_limits,
    check_seat,
    check_start,
    limits_of,
    room,
)
from ledger.texts import books

FREE = Limits(None, None, None, None, None, tables=1)
LIMITED = Limits(
    entry_floor=100, entry_ceiling=5000, pause_floor=50, day_loss=300, alarm=80, tables=2
)
AT_REST = Standing("mem_1", points=1000, lost_today=0, tables=0)
CLUBS = e.LimitsSet(100, 5000, 50, 64, 300, 80, 2, 1000, 500)
OWN_NONE = e.MemberLimitsSet(None, None, None, None, None)


def kept_from_a_seat(standing: Standing, limits: Limits = LIMITED) -> dict[str, Any]:
    """The refusal of a seat: its code, its place and its parameters."""
    with pytest.raises(Refused) as refusal:
        check_seat(limits, standing, "/seats/2")
    return {"code": refusal.value.code, "at": refusal.value.pointer, **refusal.value.params}


def kept_from_a_hand(standing: Standing, limits: Limits = LIMITED) -> dict[str, Any]:
    with pytest.raises(Refused) as refusal:
        check_start(limits, standing)
    return {"code": refusal.value.code, "at": refusal.value.pointer, **refusal.value.params}


# --- whose they are ---------------------------------------------------------------------------


def test_the_clubs_limits_hold_for_a_member_who_has_none() -> None:
    assert limits_of(CLUBS, OWN_NONE) == LIMITED


def test_a_members_own_limits_stand_in_the_place_of_the_clubs() -> None:
    """0 is a limit too; what he has none of is the club's, and his tables are always."""
    own = e.MemberLimitsSet(0, None, -200, 1000, None)
    assert limits_of(CLUBS, own) == Limits(0, 5000, -200, 1000, 80, 2)


# --- sitting down -----------------------------------------------------------------------------


@pytest.mark.parametrize("points", [100, 5000])
def test_one_sits_down_at_the_floor_and_at_the_ceiling(points: int) -> None:
    check_seat(LIMITED, replace(AT_REST, points=points, lost_today=299, tables=1), "/seats/2")


def test_below_the_entry_floor_is_no_seat() -> None:
    assert kept_from_a_seat(replace(AT_REST, points=70)) == {
        "code": "below_entry_floor",
        "at": "/seats/2",
        "member": "mem_1",
        "points": 70,
        "limit": 100,
        "missing": 30,
    }


def test_above_the_entry_ceiling_is_no_seat() -> None:
    assert kept_from_a_seat(replace(AT_REST, points=5003)) == {
        "code": "above_entry_ceiling",
        "at": "/seats/2",
        "member": "mem_1",
        "points": 5003,
        "limit": 5000,
        "missing": 3,
    }


@pytest.mark.parametrize(("lost", "beyond"), [(300, 0), (340, 40)])
def test_who_has_lost_enough_today_gets_no_seat(lost: int, beyond: int) -> None:
    assert kept_from_a_seat(replace(AT_REST, lost_today=lost)) == {
        "code": "day_loss_reached",
        "at": "/seats/2",
        "member": "mem_1",
        "points": lost,
        "limit": 300,
        "missing": beyond,
    }


def test_who_sits_at_as_many_tables_as_are_allowed_gets_no_other_seat() -> None:
    assert kept_from_a_seat(replace(AT_REST, tables=2)) == {
        "code": "table_elsewhere",
        "at": "/seats/2",
        "member": "mem_1",
        "tables": 2,
        "limit": 2,
    }
    assert kept_from_a_seat(replace(AT_REST, tables=1), FREE)["code"] == "table_elsewhere"


@pytest.mark.parametrize(
    ("standing", "code"),
    [
        (replace(AT_REST, barred=True), "member_barred"),
        (replace(AT_REST, left=True), "member_left"),
        (replace(AT_REST, barred=True, left=True), "member_left"),
        (replace(AT_REST, forgotten=True), "member_forgotten"),
        (replace(AT_REST, left=True, forgotten=True), "member_forgotten"),
    ],
)
def test_who_is_barred_or_has_left_gets_no_seat(standing: Standing, code: str) -> None:
    """Whatever his points are."""
    for limits in (FREE, LIMITED):
        told = {"code": code, "at": "/seats/2", "member": "mem_1"}
        assert kept_from_a_seat(standing, limits) == told


def test_without_limits_anybody_sits_down_who_sits_nowhere_else() -> None:
    check_seat(FREE, Standing("mem_1", -1_000_000, 1_000_000, 0), "/seats/0")


# --- the next hand ----------------------------------------------------------------------------


def test_a_hand_starts_between_the_pause_floor_and_the_days_loss() -> None:
    """The entry floor and ceiling, and other tables, are of no account once he sits."""
    check_start(LIMITED, Standing("mem_1", 50, 299, 9))
    check_start(LIMITED, Standing("mem_1", 9000, -8000, 0))
    check_start(FREE, Standing("mem_1", -1_000_000, 1_000_000, 0))


def test_who_is_barred_or_has_left_plays_his_table_to_its_end() -> None:
    check_start(LIMITED, replace(AT_REST, barred=True, left=True))


def test_below_the_pause_floor_no_hand_starts() -> None:
    assert kept_from_a_hand(replace(AT_REST, points=-10)) == {
        "code": "below_pause_floor",
        "at": "",
        "member": "mem_1",
        "points": -10,
        "limit": 50,
        "missing": 60,
    }


def test_no_hand_starts_with_one_who_has_lost_enough_today() -> None:
    assert kept_from_a_hand(replace(AT_REST, lost_today=301)) == {
        "code": "day_loss_reached",
        "at": "",
        "member": "mem_1",
        "points": 301,
        "limit": 300,
        "missing": 1,
    }


# --- before it bites --------------------------------------------------------------------------


def test_how_far_each_limit_is_away_can_be_seen_before() -> None:
    assert room(LIMITED, Standing("mem_1", points=90, lost_today=250, tables=1)) == (
        Room("entry_floor", 100, 90, -10, reached=True),
        Room("entry_ceiling", 5000, 90, 4910, reached=False),
        Room("pause_floor", 50, 90, 40, reached=False),
        Room("day_loss", 300, 250, 50, reached=False),
        Room("alarm", 80, 90, 10, reached=False),
        Room("tables", 2, 1, 1, reached=False),
    )


def test_floors_and_ceilings_allow_what_they_name_and_the_others_do_not() -> None:
    """At an alarm of 80 the club is told of one who has 80."""
    limits = Limits(80, 80, 80, 300, 80, 2)
    reached = {one.name: one.reached for one in room(limits, Standing("mem_1", 80, 300, 2))}
    assert reached == {
        "entry_floor": False,
        "entry_ceiling": False,
        "pause_floor": False,
        "day_loss": True,
        "alarm": True,
        "tables": True,
    }


def test_a_limit_that_there_is_not_is_not_shown() -> None:
    assert room(FREE, AT_REST) == (Room("tables", 1, 0, 1, reached=False),)


def test_who_has_won_today_may_lose_that_too() -> None:
    (_, _, _, day_loss, _, _) = room(LIMITED, replace(AT_REST, lost_today=-120))
    assert day_loss == Room("day_loss", 300, -120, 420, reached=False)


# --- what may be set --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("entry_floor", -1_000_000_000, 1_000_000_000),
        ("entry_ceiling", -1_000_000_000, 1_000_000_000),
        ("pause_floor", -1_000_000_000, 1_000_000_000),
        ("hand_cap", 1, 1_000_000_000),
        ("day_loss", 1, 1_000_000_000),
        ("alarm", -1_000_000_000, 1_000_000_000),
        ("tables", 1, 999),
        ("allowance", 0, 1_000_000_000),
        ("correction", 0, 1_000_000_000),
    ],
)
def test_each_limit_has_its_range(name: str, low: int, high: int) -> None:
    """What one can lose is a point at least; 0 for allowance and correction: always two people."""
    others = {**asdict(CLUBS), "entry_floor": None, "entry_ceiling": None, "pause_floor": None}
    for value in (low, high):
        check_limits({**others, name: value})
    for value in (low - 1, high + 1):
        with pytest.raises(Refused) as refusal:
            check_limits({**others, name: value})
        assert (refusal.value.code, refusal.value.pointer) == ("number_range", f"/{name}")
        assert refusal.value.params == {"value": value, "low": low, "high": high}


@pytest.mark.parametrize(
    ("floor", "ceiling", "pause", "crossed"),
    [
        (101, 100, None, ("entry_floor", 101, "entry_ceiling", 100)),
        (100, None, 101, ("pause_floor", 101, "entry_floor", 100)),
        (None, 100, 101, ("pause_floor", 101, "entry_ceiling", 100)),
    ],
)
def test_limits_that_keep_everybody_away_are_refused(
    floor: int | None, ceiling: int | None, pause: int | None, crossed: tuple[str, int, str, int]
) -> None:
    given = {"entry_floor": floor, "entry_ceiling": ceiling, "pause_floor": pause}
    with pytest.raises(Refused) as refusal:
        check_limits(given)
    lower, low, upper, high = crossed
    assert (refusal.value.code, refusal.value.pointer) == ("limits_crossed", f"/{lower}")
    assert refusal.value.params == {"lower": lower, "low": low, "upper": upper, "high": high}


def test_floor_ceiling_and_pause_floor_may_be_the_same() -> None:
    check_limits({"entry_floor": 100, "entry_ceiling": 100, "pause_floor": 100})


@pytest.mark.parametrize(
    "code",
    [
        "member_left",
        "member_barred",
        "below_entry_floor",
        "above_entry_ceiling",
        "below_pause_floor",
        "day_loss_reached",
        "table_elsewhere",
    ],
)
def test_who_is_kept_from_a_table_is_told_why(code: str) -> None:
    """It may be tried again when he stands otherwise: 409."""
    assert f"\n{code} 409\n" in books.REFUSALS

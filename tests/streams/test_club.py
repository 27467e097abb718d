"""What a club sets for itself: its limits and the deadlines of its disputes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.refusal import Refused
from ledger.streams import club
from ledger.streams.club import Club, ClubCommand, SetDeadlines, SetLimits
from ledger.streams.now import Now

NOW = Now(1_800_000_000_000_000, lambda at: "2027-01-15", lambda at: 5)
FOUNDED = Club("Asia/Shanghai", 300)
LIMITS = SetLimits(
    entry_floor=100,
    entry_ceiling=5000,
    pause_floor=50,
    hand_cap=64,
    day_loss=300,
    alarm=80,
    tables=2,
    allowance=1000,
    correction=0,
)
NOTHING = SetLimits(None, None, None, None, None, None, 1, None, None)
DEADLINES = SetDeadlines(file_hours=72, answer_hours=12, decide_hours=168, appeal_hours=1)


def after(state: Club, command: ClubCommand) -> Club:
    for event in club.decide(state, command, NOW):
        state = club.evolve(state, event)
    return state


def refused(command: ClubCommand, state: Club | None = FOUNDED) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        club.decide(state, command, NOW)
    return refusal.value.code, refusal.value.pointer


def test_a_club_that_has_set_nothing_allows_everything_but_a_second_table() -> None:
    """A dispute is filed and answered within 24 hours, decided and appealed within 48."""
    assert FOUNDED.limits == e.LimitsSet(None, None, None, None, None, None, 1, None, None)
    assert FOUNDED.deadlines == e.DeadlinesSet(24, 24, 48, 48)


def test_limits_are_set_as_a_whole() -> None:
    (event,) = club.decide(FOUNDED, LIMITS, NOW)
    assert event.fact == e.LimitsSet(100, 5000, 50, 64, 300, 80, 2, 1000, 0)
    assert club.evolve(FOUNDED, event).limits == event.fact
    assert after(after(FOUNDED, LIMITS), NOTHING) == FOUNDED


def test_limits_that_stand_are_not_set_again() -> None:
    assert club.decide(FOUNDED, NOTHING, NOW) == ()
    assert club.decide(after(FOUNDED, LIMITS), LIMITS, NOW) == ()


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        (replace(LIMITS, hand_cap=0), ("number_range", "/hand_cap")),
        (replace(LIMITS, tables=1000), ("number_range", "/tables")),
        (replace(LIMITS, entry_floor=5001), ("limits_crossed", "/entry_floor")),
        (replace(LIMITS, pause_floor=101), ("limits_crossed", "/pause_floor")),
    ],
)
def test_limits_that_cannot_be_are_refused(limits: SetLimits, refusal: tuple[str, str]) -> None:
    assert refused(limits) == refusal


def test_deadlines_are_set_as_a_whole() -> None:
    (event,) = club.decide(FOUNDED, DEADLINES, NOW)
    assert event.fact == e.DeadlinesSet(72, 12, 168, 1)
    assert club.evolve(FOUNDED, event).deadlines == event.fact


def test_deadlines_that_stand_are_not_set_again() -> None:
    assert club.decide(FOUNDED, SetDeadlines(24, 24, 48, 48), NOW) == ()
    assert club.decide(after(FOUNDED, DEADLINES), DEADLINES, NOW) == ()


@pytest.mark.parametrize(
    ("deadlines", "pointer"),
    [
        (replace(DEADLINES, file_hours=0), "/file_hours"),
        (replace(DEADLINES, file_hours=73), "/file_hours"),
        (replace(DEADLINES, answer_hours=0), "/answer_hours"),
        (replace(DEADLINES, decide_hours=169), "/decide_hours"),
        (replace(DEADLINES, appeal_hours=0), "/appeal_hours"),
    ],
)
def test_a_deadline_is_hours_and_at_most_days(deadlines: SetDeadlines, pointer: str) -> None:
    """Three days to file, a week for each of the others."""
    assert refused(deadlines) == ("number_range", pointer)


@pytest.mark.parametrize("command", [LIMITS, DEADLINES])
def test_without_a_club_nothing_is_set(command: ClubCommand) -> None:
    assert refused(command, None) == ("club_unknown", "")

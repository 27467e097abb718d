"""Limits 额度与限制: what may be set, and whom it keeps from a seat or from the next hand.

Nobody is kept from anything by a limit that he could not see before: `room` tells how far away
each of them is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from ledger import events as e
from ledger.refusal import Refused

LimitName = Literal["entry_floor", "entry_ceiling", "pause_floor", "day_loss", "alarm", "tables"]

MOST_POINTS = 1_000_000_000
"""The most points that anything is about; far above any game, far below what a column holds."""
_ANY = (-MOST_POINTS, MOST_POINTS)
_SOME = (1, MOST_POINTS)
_NONE_OR_SOME = (0, MOST_POINTS)
RANGES: dict[str, tuple[int, int]] = {
    "entry_floor": _ANY,
    "entry_ceiling": _ANY,
    "pause_floor": _ANY,
    "hand_cap": _SOME,
    "day_loss": _SOME,
    "alarm": _ANY,
    "tables": (1, 999),
    "allowance": _NONE_OR_SOME,
    "correction": _NONE_OR_SOME,
}
"""From where to where each limit may be set; at 0 it always takes two people."""

_ORDER = (
    ("entry_floor", "entry_ceiling"),
    ("pause_floor", "entry_floor"),
    ("pause_floor", "entry_ceiling"),
)
"""Pairs of which the first may not be above the second, or nobody could play on."""

_AT_A_SEAT: dict[LimitName, str] = {
    "entry_floor": "below_entry_floor",
    "entry_ceiling": "above_entry_ceiling",
    "day_loss": "day_loss_reached",
    "tables": "table_elsewhere",
}
_AT_A_START: dict[LimitName, str] = {
    "pause_floor": "below_pause_floor",
    "day_loss": "day_loss_reached",
}
"""The limits that hold when somebody sits down, and when a hand starts, by what they refuse."""


class Limits(Struct, frozen=True):
    """What holds for one member; None is without limit."""

    entry_floor: int | None
    entry_ceiling: int | None
    pause_floor: int | None
    day_loss: int | None
    alarm: int | None
    tables: int


class Standing(Struct, frozen=True):
    """Where a member stands: his points, what he has lost that day, at how many tables he sits.

    The day is that of the seat or of the hand. `lost_today` is below 0 for one who has won.
    `tables` are open ones beside the one in question.
    """

    member: str
    points: int
    lost_today: int
    tables: int
    barred: bool = False
    left: bool = False
    forgotten: bool = False


class Room(Struct, frozen=True):
    """How far one limit is away from a member: `left` is what may still go before it is there.

    `has` is what it is about: his points, what he has lost today, or his open tables. `reached`
    says that it keeps him from a seat or a hand; of an alarm, that the club is told.
    """

    name: LimitName
    limit: int
    has: int
    left: int
    reached: bool


def limits_of(club: e.LimitsSet, own: e.MemberLimitsSet) -> Limits:
    """What holds for a member: the club's limits, and his own in their place where he has any."""
    named = {name: getattr(club, name) for name in Limits.__struct_fields__}
    named.update({name: value for name, value in asdict(own).items() if value is not None})
    return Limits(**named)


def check_limits(given: Mapping[str, int | None]) -> None:
    """Refuse a limit out of its range (`number_range`), and two that cross (`limits_crossed`)."""
    for name, value in given.items():
        if value is not None:
            check_range(value, RANGES[name], f"/{name}")
    for lower, upper in _ORDER:
        low, high = given[lower], given[upper]
        if low is not None and high is not None and low > high:
            pointer = f"/{lower}"
            raise Refused(
                "limits_crossed", pointer=pointer, lower=lower, low=low, upper=upper, high=high
            )


def check_range(value: int, allowed: tuple[int, int], pointer: str) -> None:
    """Refuse a number that is not between two others, both included (`number_range`)."""
    low, high = allowed
    if not low <= value <= high:
        raise Refused("number_range", pointer=pointer, value=value, low=low, high=high)


def check_seat(limits: Limits, standing: Standing, pointer: str) -> None:
    """Refuse a seat to one who was forgotten, has left, is barred, or whom a limit keeps from it.

    A limit's refusal tells the member, the `limit`, his `points` (for a day's loss those lost
    today), and as `missing` how many he has too few, too many, or has lost beyond it; where it is
    about tables, how many `tables` he sits at. `pointer` is the place of the seat.
    """
    if standing.forgotten:
        raise Refused("member_forgotten", pointer=pointer, member=standing.member)
    if standing.left:
        raise Refused("member_left", pointer=pointer, member=standing.member)
    if standing.barred:
        raise Refused("member_barred", pointer=pointer, member=standing.member)
    _check(limits, standing, _AT_A_SEAT, pointer)


def check_start(limits: Limits, standing: Standing) -> None:
    """Refuse the next hand where a limit keeps a member who sits from it; as `check_seat` does.

    One who was barred, or has left, plays his table to its end.
    """
    _check(limits, standing, _AT_A_START, "")


def room(limits: Limits, standing: Standing) -> tuple[Room, ...]:
    """How far a member is from each limit that there is for him."""
    return tuple(_rooms(limits, standing))


def _rooms(limits: Limits, standing: Standing) -> Iterator[Room]:
    """At a floor or a ceiling one may stand; a loss, the alarm and the tables are reached there."""
    points, lost = standing.points, standing.lost_today
    if limits.entry_floor is not None:
        yield _room("entry_floor", limits.entry_floor, points, points - limits.entry_floor, 0)
    if limits.entry_ceiling is not None:
        yield _room("entry_ceiling", limits.entry_ceiling, points, limits.entry_ceiling - points, 0)
    if limits.pause_floor is not None:
        yield _room("pause_floor", limits.pause_floor, points, points - limits.pause_floor, 0)
    if limits.day_loss is not None:
        yield _room("day_loss", limits.day_loss, lost, limits.day_loss - lost, 1)
    if limits.alarm is not None:
        yield _room("alarm", limits.alarm, points, points - limits.alarm, 1)
    yield _room("tables", limits.tables, standing.tables, limits.tables - standing.tables, 1)


def _room(name: LimitName, limit: int, has: int, left: int, needed: int) -> Room:
    return Room(name, limit, has, left, reached=left < needed)


def _check(
    limits: Limits, standing: Standing, codes: Mapping[LimitName, str], pointer: str
) -> None:
    for one in _rooms(limits, standing):
        if one.reached and one.name in codes:
            raise _refusal(codes[one.name], standing.member, one).at(pointer)


def _refusal(code: str, member: str, one: Room) -> Refused:
    if one.name == "tables":
        return Refused(code, member=member, tables=one.has, limit=one.limit)
    return Refused(code, member=member, points=one.has, limit=one.limit, missing=-one.left)

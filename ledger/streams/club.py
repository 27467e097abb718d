"""A club 亲友圈: its founding, the keys that open its API, its limits and its deadlines."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict, replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.limits import check_limits, check_range
from ledger.streams.now import Now
from ledger.streams.roles import check_roles

LAST_MINUTE = 24 * 60 - 1
NO_LIMITS = e.LimitsSet(
    None, None, None, None, None, None, tables=1, allowance=None, correction=None
)
"""What a club allows that has set nothing: everything, but one open table for each member."""
DEADLINES = e.DeadlinesSet(file_hours=24, answer_hours=24, decide_hours=48, appeal_hours=48)
"""The hours that a club gives that has set none."""
HOURS = {
    "file_hours": (1, 72),
    "answer_hours": (1, 168),
    "decide_hours": (1, 168),
    "appeal_hours": (1, 168),
}
"""From where to where each deadline may be set."""


class Club(Struct, frozen=True):
    """A club at one moment: its zone, its business day's cutoff, its keys, what it has set."""

    zone: str
    day_cutoff: int
    keys: dict[str, bool] = {}
    limits: e.LimitsSet = NO_LIMITS
    deadlines: e.DeadlinesSet = DEADLINES


class FoundClub(Struct, frozen=True):
    """Founds a club; the cutoff is in minutes after midnight of the club's zone."""

    zone: str
    day_cutoff: int


class IssueKey(Struct, frozen=True):
    """Makes an API key with roles; a member's key names the member."""

    key: str
    roles: tuple[str, ...]
    member: str | None = None
    expires_at: int | None = None


class RevokeKey(Struct, frozen=True):
    """Makes an API key useless for ever."""

    key: str


class SetLimits(Struct, frozen=True):
    """Sets what the club allows from now on, whole, in the words of the event."""

    entry_floor: int | None
    entry_ceiling: int | None
    pause_floor: int | None
    hand_cap: int | None
    day_loss: int | None
    alarm: int | None
    tables: int
    allowance: int | None
    correction: int | None


class SetDeadlines(Struct, frozen=True):
    """Sets the hours of matches that end, and of disputes that are filed, from now on."""

    file_hours: int
    answer_hours: int
    decide_hours: int
    appeal_hours: int


ClubCommand = FoundClub | IssueKey | RevokeKey | SetLimits | SetDeadlines


def fold(events: Iterable[Event]) -> Club | None:
    """The state of a club from its events."""
    club: Club | None = None
    for event in events:
        club = evolve(club, event)
    return club


def evolve(club: Club | None, event: Event) -> Club:
    """The club after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.ClubFounded):
        return Club(fact.zone, fact.day_cutoff)
    assert club is not None
    if isinstance(fact, e.KeyIssued):
        return replace(club, keys={**club.keys, fact.key: True})
    if isinstance(fact, e.LimitsSet):
        return replace(club, limits=fact)
    if isinstance(fact, e.DeadlinesSet):
        return replace(club, deadlines=fact)
    assert isinstance(fact, e.KeyRevoked)
    return replace(club, keys={**club.keys, fact.key: False})


def decide(club: Club | None, command: ClubCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on a club; nothing where the wanted state stands already."""
    if isinstance(command, FoundClub):
        return _found(club, command)
    if club is None:
        raise Refused("club_unknown")
    if isinstance(command, IssueKey):
        return _issue(club, command, now)
    if isinstance(command, SetLimits):
        return _set_limits(club, command)
    if isinstance(command, SetDeadlines):
        return _set_deadlines(club, command)
    if command.key not in club.keys:
        raise Refused("key_unknown", key=command.key)
    return (Event(e.KeyRevoked(command.key)),) if club.keys[command.key] else ()


def _found(club: Club | None, command: FoundClub) -> tuple[Event, ...]:
    if club is not None:
        raise Refused("club_exists")
    check_range(command.day_cutoff, (0, LAST_MINUTE), "/day_cutoff")
    return (Event(e.ClubFounded(command.zone, command.day_cutoff)),)


def _issue(club: Club, command: IssueKey, now: Now) -> tuple[Event, ...]:
    if command.key in club.keys:
        raise Refused("key_exists", key=command.key)
    check_roles(command.roles, command.member)
    if command.expires_at is not None and command.expires_at <= now.clock:
        raise Refused("expired_already", pointer="/expires_at")
    issued = e.KeyIssued(command.key, command.roles, command.member, command.expires_at)
    return (Event(issued),)


def _set_limits(club: Club, command: SetLimits) -> tuple[Event, ...]:
    """Limits in their ranges, of which no two keep everybody away between them."""
    given = asdict(command)
    check_limits(given)
    wanted = e.LimitsSet(**given)
    return () if wanted == club.limits else (Event(wanted),)


def _set_deadlines(club: Club, command: SetDeadlines) -> tuple[Event, ...]:
    given = asdict(command)
    for name, hours in given.items():
        check_range(hours, HOURS[name], f"/{name}")
    wanted = e.DeadlinesSet(**given)
    return () if wanted == club.deadlines else (Event(wanted),)

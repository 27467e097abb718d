"""A club 亲友圈: its founding, and the keys that open its API."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.now import Now
from ledger.streams.roles import check_roles

LAST_MINUTE = 24 * 60 - 1


class Club(Struct, frozen=True):
    """A club at one moment: its zone, the cutoff of its business day, and its keys."""

    zone: str
    day_cutoff: int
    keys: dict[str, bool] = {}


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


ClubCommand = FoundClub | IssueKey | RevokeKey


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
    if command.key not in club.keys:
        raise Refused("key_unknown", key=command.key)
    return (Event(e.KeyRevoked(command.key)),) if club.keys[command.key] else ()


def _found(club: Club | None, command: FoundClub) -> tuple[Event, ...]:
    if club is not None:
        raise Refused("club_exists")
    if not 0 <= command.day_cutoff <= LAST_MINUTE:
        raise Refused(
            "number_range",
            pointer="/day_cutoff",
            value=command.day_cutoff,
            low=0,
            high=LAST_MINUTE,
        )
    return (Event(e.ClubFounded(command.zone, command.day_cutoff)),)


def _issue(club: Club, command: IssueKey, now: Now) -> tuple[Event, ...]:
    if command.key in club.keys:
        raise Refused("key_exists", key=command.key)
    check_roles(command.roles, command.member)
    if command.expires_at is not None and command.expires_at <= now.clock:
        raise Refused("expired_already", pointer="/expires_at")
    issued = e.KeyIssued(command.key, command.roles, command.member, command.expires_at)
    return (Event(issued),)

"""A membership of a club: an invitation, the person who accepted it, and the roles he has."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.now import Now
from ledger.streams.roles import ROLES, check_roles

PERSONAL = tuple(role for role in ROLES if role != "recorder")
"""The roles of people; a game server has a key."""


class Membership(Struct, frozen=True):
    """A membership at one moment; without a person it is an invitation that waits."""

    roles: tuple[str, ...]
    member: str | None
    expires_at: int
    person: str | None = None
    revoked: bool = False
    forgotten: bool = False


class Invite(Struct, frozen=True):
    """Invites whoever will hold the link, until a time, into roles; as a member, as which."""

    roles: tuple[str, ...]
    member: str | None
    expires_at: int


class Accept(Struct, frozen=True):
    """Takes up an invitation, for a person."""

    person: str


class Revoke(Struct, frozen=True):
    """Takes an invitation back."""


class ChangeRoles(Struct, frozen=True):
    """Gives a person other roles; none lets him leave. Without a member he stays the one he is."""

    roles: tuple[str, ...]
    member: str | None = None


class IssueLink(Struct, frozen=True):
    """Makes a link by which the person signs in once."""

    link: str
    expires_at: int


class ForgetPerson(Struct, frozen=True):
    """Says that the person is known no longer, once he has left."""


MembershipCommand = Invite | Accept | Revoke | ChangeRoles | IssueLink | ForgetPerson


def fold(events: Iterable[Event]) -> Membership | None:
    """The state of a membership from its events."""
    membership: Membership | None = None
    for event in events:
        membership = evolve(membership, event)
    return membership


def evolve(membership: Membership | None, event: Event) -> Membership:
    """The membership after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.Invited):
        return Membership(fact.roles, fact.member, fact.expires_at)
    assert membership is not None
    if isinstance(fact, e.InvitationAccepted):
        return replace(membership, person=fact.person)
    if isinstance(fact, e.InvitationRevoked):
        return replace(membership, revoked=True)
    if isinstance(fact, e.RolesChanged):
        return replace(membership, roles=fact.roles, member=fact.member)
    if isinstance(fact, e.PersonForgotten):
        return replace(membership, forgotten=True)
    assert isinstance(fact, e.LinkIssued)
    return membership


def decide(
    membership: Membership | None, command: MembershipCommand, now: Now
) -> tuple[Event, ...]:
    """The events of a command on a membership; nothing where the wanted state stands already."""
    if isinstance(command, Invite):
        return _invite(membership, command, now)
    if membership is None:
        raise Refused("membership_unknown")
    if isinstance(command, Accept):
        return _accept(membership, command, now)
    if isinstance(command, Revoke):
        return _revoke(membership)
    if membership.person is None:
        raise Refused("invitation_open")
    if isinstance(command, ChangeRoles):
        return _change(membership, command)
    if isinstance(command, ForgetPerson):
        return () if membership.forgotten else (Event(e.PersonForgotten(membership.person)),)
    _check_end(command.expires_at, now)
    if not membership.roles:
        raise Refused("membership_ended")
    return (Event(e.LinkIssued(command.link, command.expires_at)),)


def _invite(membership: Membership | None, command: Invite, now: Now) -> tuple[Event, ...]:
    if membership is not None:
        raise Refused("membership_exists")
    check_roles(command.roles, command.member, PERSONAL)
    _check_end(command.expires_at, now)
    return (Event(e.Invited(command.roles, command.member, command.expires_at)),)


def _accept(membership: Membership, command: Accept, now: Now) -> tuple[Event, ...]:
    """A link opens once: what was accepted, revoked or is too old opens nothing."""
    spent = membership.person is not None or membership.revoked
    if spent or membership.expires_at <= now.clock:
        raise Refused("link_invalid")
    return (Event(e.InvitationAccepted(command.person)),)


def _revoke(membership: Membership) -> tuple[Event, ...]:
    if membership.person is not None:
        raise Refused("invitation_accepted")
    return () if membership.revoked else (Event(e.InvitationRevoked()),)


def _change(membership: Membership, command: ChangeRoles) -> tuple[Event, ...]:
    """Other roles, or another member; who was a member once can be it again."""
    if command.member is not None and "member" not in command.roles:
        raise Refused("key_member", pointer="/member")
    member = command.member or membership.member
    if (command.roles, member) == (membership.roles, membership.member):
        return ()
    if membership.forgotten:
        raise Refused("person_forgotten")
    if command.roles:
        check_roles(command.roles, member if "member" in command.roles else None, PERSONAL)
    return (Event(e.RolesChanged(command.roles, member)),)


def _check_end(expires_at: int, now: Now) -> None:
    if expires_at <= now.clock:
        raise Refused("expired_already", pointer="/expires_at")

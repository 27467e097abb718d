"""What happens to a club: its keys, its members, and the people who have roles in it."""

from __future__ import annotations

from ledger.events.event import Fact


class ClubFounded(Fact, frozen=True):
    """A club begins, with the zone and the cutoff of its business day (minutes after midnight)."""

    zone: str
    day_cutoff: int


class KeyIssued(Fact, frozen=True):
    """An API key of the club, with its roles; a member's key names the member."""

    key: str
    roles: tuple[str, ...]
    member: str | None
    expires_at: int | None


class KeyRevoked(Fact, frozen=True):
    """An API key that opens nothing any more."""

    key: str


class MemberJoined(Fact, frozen=True):
    """A member of the club, with the code that records and account names show."""

    code: str


# --- memberships: which person has which roles in the club -------------------------------------


class Invited(Fact, frozen=True):
    """Whoever holds the invitation's link may come in with these roles; as a member, as which."""

    roles: tuple[str, ...]
    member: str | None
    expires_at: int


class InvitationAccepted(Fact, frozen=True):
    """A person came in by an invitation; who that is stands outside of events."""

    person: str


class InvitationRevoked(Fact, frozen=True):
    """An invitation that nobody can accept any more."""


class RolesChanged(Fact, frozen=True):
    """The roles that a person has from now on, and the member as whom he acts while he is one.

    None: he has left the club.
    """

    roles: tuple[str, ...]
    member: str | None


class LinkIssued(Fact, frozen=True):
    """A link by which a person who belongs to the club can sign in to it once."""

    link: str
    expires_at: int


# --- forgetting: what was kept of somebody outside of events is gone ---------------------------


class PersonForgotten(Fact, frozen=True):
    """The person of a membership was forgotten: his name and all that he was known by is gone."""

    person: str


class MemberForgotten(Fact, frozen=True):
    """A member whose name was forgotten; his code, his points and his hands stay."""

"""What officers do to a club: the commands read back from its events, and who had which role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger import access
from ledger import events as e
from ledger.access import Caller
from ledger.audit.recorded import Otherwise, Recorded
from ledger.rights import INVITED, WORKER, Command
from ledger.streams.club import FoundClub, IssueKey, RevokeKey
from ledger.streams.member import ForgetMember, Join, code_text
from ledger.streams.membership import (
    Accept,
    ChangeRoles,
    ForgetPerson,
    Invite,
    IssueLink,
    Revoke,
)

COMMANDS: dict[type[e.Fact], Callable[[Any], Command]] = {
    e.ClubFounded: lambda fact: FoundClub(fact.zone, fact.day_cutoff),
    e.KeyIssued: lambda fact: IssueKey(fact.key, fact.roles, fact.member, fact.expires_at),
    e.KeyRevoked: lambda fact: RevokeKey(fact.key),
    e.MemberJoined: lambda fact: Join(fact.code),
    e.MemberForgotten: lambda _: ForgetMember(),
    e.Invited: lambda fact: Invite(fact.roles, fact.member, fact.expires_at),
    e.InvitationAccepted: lambda fact: Accept(fact.person),
    e.InvitationRevoked: lambda _: Revoke(),
    e.RolesChanged: lambda fact: ChangeRoles(
        fact.roles, fact.member if "member" in fact.roles else None
    ),
    e.LinkIssued: lambda fact: IssueLink(fact.link, fact.expires_at),
    e.PersonForgotten: lambda _: ForgetPerson(),
}
"""The command that each event of an officer came of."""


class Offices:
    """Who is in a club and has which role in it, as the events so far have it."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, ...]] = {
            access.OPERATOR: (access.OPERATOR,),
            WORKER: (WORKER,),
        }
        self._invited: dict[str, tuple[str, ...]] = {}
        self._people: dict[str, str] = {}
        self._members = 0

    def caller(self, club: str, place: Recorded) -> Caller:
        """Who recorded an event, with the roles that he had; an invitation is its holder's."""
        fact, held = place.event.fact, self._held.get(place.actor, ())
        if isinstance(fact, e.InvitationAccepted) and fact.person == place.actor:
            held = (INVITED,)
        return Caller(place.actor, club, held)

    def take(self, stream: str, place: Recorded) -> None:
        """Take an event of a stream for who is there now, and in which role.

        Raises `Otherwise` for a member whose code is not the next one, which nobody has had.
        """
        fact, membership = place.event.fact, stream.partition("/")[2]
        if isinstance(fact, e.MemberJoined):
            self._members += 1
            if fact.code != code_text(self._members):
                raise Otherwise(place)
        elif isinstance(fact, e.KeyIssued):
            self._held[fact.key] = fact.roles
        elif isinstance(fact, e.KeyRevoked):
            self._held.pop(fact.key, None)
        elif isinstance(fact, e.Invited):
            self._invited[membership] = fact.roles
        elif isinstance(fact, e.InvitationAccepted):
            self._people[membership] = fact.person
            self._held[fact.person] = self._invited[membership]
        elif isinstance(fact, e.RolesChanged):
            self._held[self._people[membership]] = fact.roles

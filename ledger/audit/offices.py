"""Who is in a club and has which role in it, and what holds between the streams of its log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger import access
from ledger import events as e
from ledger.access import Caller
from ledger.audit.recorded import Otherwise, Recorded
from ledger.refusal import Refused
from ledger.rights import INVITED, WORKER
from ledger.streams import membership
from ledger.streams.member import code_text
from ledger.streams.membership import Membership

BUILT_IN = {access.OPERATOR: (access.OPERATOR,), WORKER: (WORKER,)}
"""Who acts without key or membership, in the role of his own name, which nobody else has."""
PERSON = re.compile("per_[0-9a-z]{1,60}", re.ASCII)
KEY = re.compile("key_[0-9a-z]{1,60}", re.ASCII)
"""The ids of people and of keys, so that neither is named as the other or as a built-in actor."""
NAMED: dict[type[e.Fact], Callable[[Any], Iterable[str | None]]] = {
    e.KeyIssued: lambda fact: (fact.member,),
    e.Invited: lambda fact: (fact.member,),
    e.RolesChanged: lambda fact: (fact.member,),
    e.TableOpened: lambda fact: fact.seats,
    e.SeatsChanged: lambda fact: fact.seats,
    e.AllowanceRequested: lambda fact: (line.member for line in fact.lines),
}
"""The members whom an event names, by its type; they have joined before."""


def is_actor(name: str) -> bool:
    """Whether somebody can be called so who records events."""
    return name in BUILT_IN or any(form.fullmatch(name) for form in (PERSON, KEY))


class Key(Struct, frozen=True):
    """A key as the events so far have it."""

    roles: tuple[str, ...]
    member: str | None
    expires_at: int | None
    revoked: bool = False


class Offices:
    """The keys, members and memberships of a club, as the events so far have them.

    `keys` and `memberships` are by id, those that have ended too.
    """

    def __init__(self) -> None:
        self.keys: dict[str, Key] = {}
        self.memberships: dict[str, Membership] = {}
        self._holders: dict[str, str] = {}
        self._members: set[str] = set()
        self._forgotten: set[str] = set()
        self._refs: set[str] = set()

    def caller(self, club: str, place: Recorded) -> Caller:
        """Who recorded an event, with the roles that he had; an invitation is its holder's."""
        fact, actor = place.event.fact, place.actor
        if isinstance(fact, e.InvitationAccepted) and fact.person == actor:
            return Caller(actor, club, (INVITED,))
        return Caller(actor, club, self._roles(actor), self._member(actor))

    def _roles(self, actor: str) -> tuple[str, ...]:
        """The roles of a built-in actor, of a key or of a person: no two share a name."""
        if actor in BUILT_IN:
            return BUILT_IN[actor]
        if KEY.fullmatch(actor):
            key = self.keys.get(actor)
            return () if key is None or key.revoked else key.roles
        held = self._holders.get(f"person/{actor}")
        return () if held is None else self.memberships[held].roles

    def _member(self, actor: str) -> str | None:
        """The member as whom a key or a person acts."""
        if KEY.fullmatch(actor):
            key = self.keys.get(actor)
            return None if key is None else key.member
        held = self.memberships.get(self._holders.get(f"person/{actor}", ""))
        return held.member if held is not None and "member" in held.roles else None

    def take(self, stream: str, place: Recorded) -> None:
        """Take an event of a stream for who is there now, and in which role.

        Refuses what no stream forbids by itself, and raises `Otherwise` for an id or a code that
        can be none.
        """
        fact, subject = place.event.fact, stream.partition("/")[2]
        for member in NAMED.get(type(fact), lambda _: ())(fact):
            if member is not None and member not in self._members:
                raise Refused("member_unknown", member=member)
        if isinstance(fact, e.MemberJoined):
            self._take_member(subject, fact, place)
        elif isinstance(fact, e.KeyIssued | e.KeyRevoked):
            self._take_key(fact, place)
        elif isinstance(fact, e.TableOpened):
            self._take_ref(fact.ref, subject)
        elif stream.startswith("membership/"):
            self._take_membership(subject, place)

    def _take_member(self, name: str, fact: e.MemberJoined, place: Recorded) -> None:
        """A member has the next code, which nobody has had."""
        self._members.add(name)
        if fact.code != code_text(len(self._members)):
            raise Otherwise(place)

    def _take_key(self, fact: e.KeyIssued | e.KeyRevoked, place: Recorded) -> None:
        if isinstance(fact, e.KeyRevoked):
            self.keys[fact.key] = replace(self.keys[fact.key], revoked=True)
            return
        if not KEY.fullmatch(fact.key):
            raise Otherwise(place)
        self.keys[fact.key] = Key(fact.roles, fact.member, fact.expires_at)

    def _take_ref(self, ref: str | None, table: str) -> None:
        """A sender's own name of a match is one table's for ever."""
        if ref is None:
            return
        if ref in self._refs:
            raise Refused("ref_taken", table=table)
        self._refs.add(ref)

    def _take_membership(self, name: str, place: Recorded) -> None:
        before, fact = self.memberships.get(name), place.event.fact
        after = membership.evolve(before, place.event)
        if isinstance(fact, e.InvitationAccepted) and not PERSON.fullmatch(fact.person):
            raise Otherwise(place)
        if isinstance(fact, e.InvitationAccepted) and fact.person in self._forgotten:
            raise Refused("person_forgotten")
        if isinstance(fact, e.PersonForgotten):
            self._check_left(after)
            self._forgotten.add(fact.person)
        if before is not None:
            self._move(name, before, after)
            self._check_owner_left(name, before, after, place)
        self.memberships[name] = after

    def _check_left(self, left: Membership) -> None:
        if left.roles:
            raise Refused("forgotten_in_club")

    def _move(self, name: str, before: Membership, after: Membership) -> None:
        """Each person and each member has one membership with roles."""
        given, taken = _held(before), _held(after)
        for one in taken:
            if self._holders.get(one, name) != name:
                is_member = one.startswith("member/")
                raise Refused("member_taken" if is_member else "already_in_club")
        for one in given - taken:
            del self._holders[one]
        self._holders.update(dict.fromkeys(taken, name))

    def _check_owner_left(
        self, name: str, before: Membership, after: Membership, place: Recorded
    ) -> None:
        """A club keeps an owner who is a person, unless the operator takes him away."""
        if "owner" not in before.roles or "owner" in after.roles or place.role == access.OPERATOR:
            return
        others = (one for other, one in self.memberships.items() if other != name)
        if not any(one.person is not None and "owner" in one.roles for one in others):
            raise Refused("last_owner")


def _held(one: Membership) -> set[str]:
    """What a membership has for itself while somebody has roles by it."""
    if one.person is None or not one.roles:
        return set()
    return {f"person/{one.person}"} | ({f"member/{one.member}"} if "member" in one.roles else set())

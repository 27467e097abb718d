"""Whom somebody is or has been 当事人: the members as whom a key or a person ever acted in a club.

A person's roles change, and the member that he is; what he played before he played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import Connection, select

from ledger import access, codec, people, store
from ledger import events as e
from ledger.access import Caller

OFFICERS = ("referee", "owner", access.OPERATOR)
"""The roles in which somebody doubts a hand in which he did not sit."""


def ever(connection: Connection, club: str, caller: Caller) -> tuple[str, ...]:
    """The members that a caller is or has been in a club, the one that he is now first."""
    mine = people.memberships.c.club == club, people.memberships.c.person == caller.actor
    names = select(people.memberships.c.membership).where(*mine)
    held = [
        member_in(codec.unseal(row.type, row.public).fact)
        for name in connection.execute(names.order_by(people.memberships.c.membership)).scalars()
        for row in store.read_stream(connection, club, f"membership/{name}")
    ]
    return _in_turn(caller.member, held)


def member_in(fact: e.Fact) -> str | None:
    """The member as whom an event of a membership, or of a key, lets somebody act."""
    return fact.member if isinstance(fact, e.Invited | e.RolesChanged | e.KeyIssued) else None


def _in_turn(now: str | None, been: Iterable[str | None]) -> tuple[str, ...]:
    """The member that somebody is, if he is one, then the others that he has been."""
    past = sorted({one for one in been if one is not None and one != now})
    return (*past,) if now is None else (now, *past)


class Parties:
    """Whom each key and each person of a club is or has been, as its log tells on its way."""

    def __init__(self) -> None:
        self._held: dict[str, list[str | None]] = defaultdict(list)
        self._streams: dict[str, list[str]] = defaultdict(list)

    def take(self, stream: str, fact: e.Fact) -> None:
        """Take the next event of a stream."""
        if isinstance(fact, e.InvitationAccepted):
            self._streams[fact.person].append(stream)
        elif isinstance(fact, e.KeyIssued):
            self._held[fact.key].append(fact.member)
        elif (member := member_in(fact)) is not None:
            self._held[stream].append(member)

    def ever(self, caller: Caller) -> tuple[str, ...]:
        """The members that a caller is or has been, the one that he is now first."""
        streams = self._streams.get(caller.actor, [])
        held = [member for name in (caller.actor, *streams) for member in self._held.get(name, [])]
        return _in_turn(caller.member, held)

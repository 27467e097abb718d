"""A club of six whose officers have keys, and its books: what the tests of giving points share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger import acts, audit, granting
from ledger.access import Caller, operator
from ledger.acts import Desk
from ledger.events import Granting, Line
from ledger.granting import Grant
from ledger.refusal import Refused
from projections import standing
from tests.world import World


class Office:
    """A club, and the desks of those who act in it, each with a key that its log tells."""

    def __init__(self, world: World, members: int = 6) -> None:
        world.ledger = replace(world.ledger, books=standing)
        self.world = world
        self.club = world.club(members)
        self.members = self.club.members

    def desk(self, *roles: str, member: str | None = None) -> Desk:
        """The desk of somebody with these roles, and a new key."""
        issuing = Desk(self.world.ledger, operator(), self.club.id)
        key = acts.issue_key(issuing, roles, roles[0], member).key
        return Desk(self.world.ledger, Caller(key, self.club.id, roles, member), self.club.id)

    @property
    def operator(self) -> Desk:
        return Desk(self.world.ledger, operator(), self.club.id)

    def points(self) -> list[int]:
        """What the members have, by their codes."""
        self.club.catch_up()
        had = self.club.balances()
        return [had[member] for member in self.members]

    def check_sound(self) -> None:
        assert audit.verify(self.world.database, self.club.id).fault is None


def give(desk: Desk, member: str, points: int, kind: Granting = "allowance") -> str:
    """Ask that a member be given points; says the allowance."""
    reason = "opening" if kind == "opening" else "other"
    done = granting.request(desk, Grant(kind, (Line(member, points),), reason))
    return done.stream.removeprefix("allowance/")


def refusal(raised: pytest.ExceptionInfo[Refused]) -> tuple[str, str]:
    """A refusal's code and place."""
    return raised.value.code, raised.value.pointer

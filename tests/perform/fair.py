"""A club whose people come by keys and sessions of their own, for tests of what is fair to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import asdict

from ledger import acts, admission, audit, dealing, disputing, governing, people, sessions
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.audit import Fault
from ledger.claiming import Claim
from ledger.disputing import Verdict
from ledger.events import Ruling
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.streams.club import NO_LIMITS, SetDeadlines, SetLimits
from ledger.streams.dispute import Dispute
from tests.world import KEY, OPTIONS, SECOND, World

Totals = tuple[int, ...]
HOUR = 3600 * SECOND
STRANGER = Caller("nobody", None, ())
BOOKED: Totals = (9, -3, -3, -3)
"""What the one hand of the match comes to as it was entered."""


class Person:
    """Somebody who came in by an invitation, and calls by a session that outlasts his roles."""

    def __init__(self, fair: Fair, roles: tuple[str, ...], member: str | None) -> None:
        ledger, own = fair.world.ledger, fair.desk(operator())
        made = admission.invite(own, roles, "Ann", member)
        entered = sessions.enter_by_link(ledger, STRANGER, Asked("in"), made.token or "", "Ann")
        self._fair, self._membership = fair, made.id
        token = admission.operator_link(ledger, entered.session.person)
        self._session = sessions.enter_by_link(ledger, STRANGER, Asked("on"), token).session

    def become(self, *roles: str, member: str | None = None) -> None:
        """Have other roles, as another member if one is named."""
        admission.change_roles(self._fair.desk(operator()), self._membership, roles, member)

    @property
    def caller(self) -> Caller:
        """He as he calls now."""
        session = self._session
        stranger = Caller(session.person, None, (), session=session.session)
        with self._fair.world.database.read() as connection:
            return people.in_club(connection, stranger, self._fair.club)


class Fair:
    """A match of four with one hand that is settled, a fifth member, and two referees."""

    def __init__(self, world: World, *, cap: int | None = None) -> None:
        club = world.club(members=5)
        self.world, self.club, self.members = world, club.id, club.members
        self.owner, self.recorder = self.key("owner"), self.key("recorder")
        self.referees = [self.key("referee"), self.key("referee")]
        self.players = [self.key("member", member=member) for member in self.members]
        self.limit(hand_cap=cap)
        opening = Opening(KEY, OPTIONS, self.members[:4], 8, dealer=0)
        opened = acts.open_table(self.desk(self.recorder), opening)
        self.table = opened.stream.removeprefix("table/")
        dealing.enter_hand(self.desk(self.recorder), self.table, totals=BOOKED)
        world.settle()

    def key(self, *roles: str, member: str | None = None) -> Caller:
        """Somebody who calls with a key of his own."""
        made = acts.issue_key(self.desk(operator()), roles, roles[0], member)
        return Caller(made.key, self.club, roles, member)

    def desk(self, caller: Caller) -> Desk:
        """Where somebody asks."""
        return Desk(self.world.ledger, caller, self.club)

    def limit(self, **limits: int | None) -> None:
        """Let the club have limits."""
        wanted = SetLimits(**{**asdict(NO_LIMITS), "tables": 99, **limits})
        governing.set_limits(self.desk(operator()), wanted)

    def allow(self, *hours: int) -> None:
        """Let the club give so many hours to file, to answer, to decide and to appeal."""
        governing.set_deadlines(self.desk(operator()), SetDeadlines(*hours))

    def later(self, hours: int) -> None:
        """Let time go by."""
        self.world.now += hours * HOUR

    def end(self) -> None:
        """Let the match end."""
        acts.end_table(self.desk(self.owner), self.table, dissolve=True)

    def file(self, by: Caller, totals: Totals | None = None) -> str:
        """The id of a dispute about the hand, just filed."""
        return _id(disputing.file(self.desk(by), self.table, 1, Claim(totals), "wrong"))

    def answered(self) -> str:
        """A dispute of the second player, whose claim of nothing the third one has answered."""
        dispute = self.file(self.players[1], (0, 0, 0, 0))
        disputing.answer(self.desk(self.players[2]), dispute, "no")
        return dispute

    def decide(self, by: Caller, dispute: str, right: Totals | Ruling) -> Done:
        """A ruling: what is right, or another one."""
        return disputing.decide(self.desk(by), dispute, verdict(right))

    def correct(self, by: Caller, right: Totals | Ruling) -> str:
        """The id of a dispute, filed and decided in one step."""
        return _id(disputing.correct(self.desk(by), self.table, 1, verdict(right)))

    def found(self, dispute: str) -> Dispute:
        """A dispute as its events make it."""
        with self.world.database.read() as connection:
            return disputing.find(connection, self.club, dispute)

    def fault(self) -> Fault | None:
        """What an audit finds in the log."""
        return audit.verify(self.world.database, self.club).fault


def verdict(right: Totals | Ruling) -> Verdict:
    """A ruling with a note: what is right, or another one."""
    if isinstance(right, tuple):
        return Verdict("correct", "rules", note="x", right=Claim(right))
    return Verdict(right, "rules", note="x")


def refusal(act: Callable[..., object], *given: object) -> str:
    """The code of the refusal of an act."""
    with pytest.raises(Refused) as caught:
        act(*given)
    return caught.value.code


def _id(done: Done) -> str:
    return done.stream.removeprefix("dispute/")

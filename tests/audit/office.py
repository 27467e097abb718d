"""A club with officers, and how a forger lets its log tell something else of them."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from ledger import acts, codec, dealing
from ledger import events as e
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.audit import Fault
from ledger.events import Event
from ledger.perform import Ledger
from ledger.store import Stored
from tests.lies.forging import NOON, House, Rows, hashed_again

OPERATOR = ("operator", "operator")
PERSON, OTHER = "per_1", "per_2"
"""Two people, by their ids."""


class Office:
    """A club with members, keys and a match opened by one of them, and the rows of its log."""

    def __init__(self, honest: House) -> None:
        ledger = Ledger(honest.database, lambda: NOON, Random(1).randbytes, lambda *_: None)
        self.club = acts.found_club(
            ledger, operator(), Asked("f"), "Jade", "Asia/Shanghai", 300
        ).club
        own = Desk(ledger, operator(), self.club)
        names = [acts.join_member(own, name).stream for name in "ABCD"]
        self.seats = tuple(name.removeprefix("member/") for name in names)
        self.manager = acts.issue_key(own, ("manager",), "office").key
        self.recorder = acts.issue_key(own, ("recorder",), "desk").key
        self.second = acts.issue_key(own, ("recorder",), "second desk").key
        desk = Desk(ledger, Caller(self.recorder, self.club, ("recorder",)), self.club)
        table = acts.open_table(desk, Opening("huaihua/1", {}, self.seats, hands=3)).stream
        dealing.enter_hand(desk, table.removeprefix("table/"), totals=(3, -1, -1, -1))
        officer = Desk(ledger, Caller(self.manager, self.club, ("manager",)), self.club)
        acts.join_member(officer, "E")
        acts.revoke_key(own, self.manager)
        self.rows: Rows = honest.rows(self.club)

    def last(self, kind: str) -> Stored:
        return next(row for row in reversed(self.rows) if row.type == kind)

    def more(self, row: Stored, stream: str, **values: object) -> Rows:
        """The log with one more event at its end, like another but for some columns."""
        version = max((one.version for one in self.rows if one.stream == stream), default=0) + 1
        place = {"position": len(self.rows) + 1, "stream": stream, "version": version}
        return [*self.rows, replace(row, **place, command=b"", **values)]


def told(rows: Rows, stream: str, fact: e.Fact, by: tuple[str, str], command: bytes = b"") -> Rows:
    """The log with one more event at its end, by an actor in a role."""
    version = max((one.version for one in rows if one.stream == stream), default=0) + 1
    sealed = codec.seal(Event(fact), version, b"")
    place = {"position": len(rows) + 1, "stream": stream, "version": version}
    said = {"type": sealed.type, "public": sealed.public, "slots": (), "digests": ()}
    actor, role = by
    return [*rows, replace(rows[-1], **place, **said, actor=actor, role=role, command=command)]


def invited(rows: Rows, name: str, *roles: str, member: str | None = None) -> Rows:
    """The log, and the operator has invited somebody into roles."""
    far = NOON + 1_000_000_000_000
    return told(rows, f"membership/{name}", e.Invited(roles, member, far), OPERATOR)


def came(rows: Rows, name: str, person: str, *roles: str, member: str | None = None) -> Rows:
    """The log, and a person has come in by an invitation into roles."""
    rows = invited(rows, name, *roles, member=member)
    return told(rows, f"membership/{name}", e.InvitationAccepted(person), (person, "invited"))


def given(
    rows: Rows, name: str, *roles: str, by: tuple[str, str] = OPERATOR, member: str | None = None
) -> Rows:
    """The log, and a membership has got other roles."""
    return told(rows, f"membership/{name}", e.RolesChanged(roles, member), by)


def taken_in(rows: Rows, actor: str, role: str, code: str = "M-0006") -> Rows:
    """The log, and somebody has taken a member in."""
    return told(rows, f"member/mem_{code[-1]}", e.MemberJoined(code), (actor, role))


def fault(other: House, rows: Rows) -> Fault | None:
    """What an audit finds in a log, hashed again."""
    other.keep(hashed_again(rows))
    return other.verify(rows[0].club).fault


def changed(rows: Rows, position: int, **values: object) -> Rows:
    """The log with other columns of one event."""
    return [replace(row, **values) if row.position == position else row for row in rows]


def refused(row: Stored, code: str) -> Fault:
    """The fault of an event that was not open to who brought it about."""
    return Fault(row.position, "refused", row.stream, row.version, code)


def otherwise(row: Stored) -> Fault:
    """The fault of an event that is not what should stand there."""
    return Fault(row.position, "otherwise", row.stream, row.version)

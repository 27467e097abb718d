"""What an audit of a log finds of officers: who did it had the role, and it was open to him."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from ledger import acts
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.audit import Fault
from ledger.perform import Ledger
from ledger.store import Stored
from tests.lies.forging import NOON, House, Rows, hashed_again, house, public


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
        acts.enter_hand(desk, table.removeprefix("table/"), totals=(3, -1, -1, -1))
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


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with house() as honest:
        yield Office(honest)


@pytest.fixture
def other() -> Iterator[House]:
    with house() as made:
        yield made


def fault(other: House, rows: Rows) -> Fault | None:
    other.keep(hashed_again(rows))
    return other.verify(rows[0].club).fault


def changed(rows: Rows, position: int, **values: object) -> Rows:
    return [replace(row, **values) if row.position == position else row for row in rows]


def refused(row: Stored, code: str) -> Fault:
    return Fault(row.position, "refused", row.stream, row.version, code)


def test_what_officers_did_is_decided_again(office: Office, other: House) -> None:
    """Given a founding, members, keys and a revocation, then nothing is wrong with them."""
    assert fault(other, office.rows) is None


@pytest.mark.lie("an officer who had not the role")
def test_a_key_that_nobody_has_issued(office: Office, other: House) -> None:
    """Whoever is told to have acted has no role in the club."""
    row = office.last("MemberJoined/1")
    rows = changed(office.rows, row.position, actor="key_of_nobody")
    assert fault(other, rows) == refused(row, "role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_a_recorder_who_takes_a_member_in(office: Office, other: House) -> None:
    """A recorder's key plays, and is no officer of the club."""
    row = office.last("MemberJoined/1")
    rows = changed(office.rows, row.position, actor=office.recorder, role="manager")
    assert fault(other, rows) == refused(row, "role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_a_role_that_the_key_has_not(office: Office, other: House) -> None:
    """The manager's key is told to have acted as the owner's."""
    row = office.last("MemberJoined/1")
    rows = changed(office.rows, row.position, role="owner")
    assert fault(other, rows) == refused(row, "role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_a_key_that_acts_after_its_end(office: Office, other: House) -> None:
    """The manager's key was revoked; what it is told to have done since, it cannot have done."""
    joined = office.last("MemberJoined/1")
    told = msgspec.json.encode({"code": "M-0006"})
    rows = office.more(joined, "member/mem_late", public=told)
    assert fault(other, rows) == refused(rows[-1], "role_missing")


@pytest.mark.lie("a hand recorded by somebody else's key")
def test_another_recorder_at_the_table(office: Office, other: House) -> None:
    """A table is recorded by the key that opened it."""
    start = office.last("HandStarted/2")
    order = (start.stream, start.command, start.recorded_at)
    rows = [
        replace(row, actor=office.second)
        if (row.stream, row.command, row.recorded_at) == order and row.version >= start.version
        else row
        for row in office.rows
    ]
    assert fault(other, rows) == refused(start, "not_the_recorder")


@pytest.mark.lie("one order by two people")
def test_the_end_of_a_hand_by_another_than_its_start(office: Office, other: House) -> None:
    """What one command came to has one giver."""
    end = office.last("HandEnded/1")
    rows = changed(office.rows, end.position, actor=office.second)
    assert fault(other, rows) == Fault(end.position, "otherwise", end.stream, end.version)


@pytest.mark.lie("an act of an officer that was not open to him")
def test_a_member_who_joins_twice(office: Office, other: House) -> None:
    """Who is in the club cannot be taken in."""
    joined = next(row for row in office.rows if row.type == "MemberJoined/1")
    rows = office.more(joined, joined.stream)
    assert fault(other, rows) == refused(rows[-1], "member_exists")


@pytest.mark.lie("an act of an officer that was not open to him")
def test_a_key_revoked_twice(office: Office, other: House) -> None:
    """The second time nothing has to happen, so nothing is written."""
    revoked = office.last("KeyRevoked/1")
    rows = office.more(revoked, "club")
    assert fault(other, rows) == Fault(len(rows), "otherwise", "club", rows[-1].version)


@pytest.mark.lie("a code that a member had before")
def test_a_code_that_is_not_the_next(office: Office, other: House) -> None:
    """Codes are never used again: each is one more than the last."""
    row = office.last("MemberJoined/1")
    rows = changed(office.rows, row.position, public=public(row, code="M-0004").public)
    assert fault(other, rows) == Fault(row.position, "otherwise", row.stream, row.version)


@pytest.mark.lie("an officer who had not the role")
def test_a_worker_who_is_none(office: Office, other: House) -> None:
    """An opening by the worker, who settles and does nothing else."""
    opened = office.last("TableOpened/1")
    rows = changed(office.rows, opened.position, actor="worker", role="worker")
    assert fault(other, rows) == refused(opened, "role_missing")

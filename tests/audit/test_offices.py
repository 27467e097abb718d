"""What an audit of a log finds of officers: who did it had the role, and it was open to him."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from ledger.audit import Fault
from tests.audit.office import Office, changed, fault, refused
from tests.lies.forging import House, public


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

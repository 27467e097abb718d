"""What a club allows and whom: its limits and deadlines, and what each member may do."""

from __future__ import annotations

from sqlalchemy import Connection

from ledger import access, parties, seating
from ledger.acts import Desk, club_of, members_of, noted, order_on
from ledger.names import check_text
from ledger.perform import Beside, Done
from ledger.refusal import Refused
from ledger.rights import Command, as_now
from ledger.streams.club import SetDeadlines, SetLimits
from ledger.streams.member import Bar, Group, Leave, Readmit, Return, SetMemberLimits


def set_limits(desk: Desk, limits: SetLimits) -> Done:
    """Set what the club allows from now on, whole."""
    return order_on(desk, "club", limits, lambda _: None)


def set_deadlines(desk: Desk, deadlines: SetDeadlines) -> Done:
    """Set the hours of the disputes that come."""
    return order_on(desk, "club", deadlines, lambda _: None)


def set_member_limits(desk: Desk, member: str, limits: SetMemberLimits) -> Done:
    """Set a member's own limits, whole."""
    return _of_another(desk, member, limits, lambda _: None)


def bar(desk: Desk, member: str, note: str | None) -> Done:
    """Let a member sit down no more; the table at which he sits is played to its end."""
    digest, keep = noted(desk, note)
    return _of_another(desk, member, Bar(digest), keep)


def readmit(desk: Desk, member: str, note: str | None) -> Done:
    """Let a member who was barred sit down again."""
    digest, keep = noted(desk, note)
    return _of_another(desk, member, Readmit(digest), keep)


def leave(desk: Desk, member: str, note: str | None) -> Done:
    """Let a member leave; refuses one who sits at an open table (`member_at_table`)."""
    digest, keep = noted(desk, note)
    (member,) = members_of(desk, (member,), "")

    def beside(connection: Connection) -> None:
        if seating.tables_of(connection, desk.club, (member,))[member]:
            raise Refused("member_at_table", member=member)
        keep(connection)

    return _of_member(desk, member, Leave(digest), beside)


def come_back(desk: Desk, member: str) -> Done:
    """Let a member in again who has left, under his old code."""
    return _of_member(desk, member, Return(), lambda _: None)


def group(desk: Desk, member: str, name: str | None) -> Done:
    """Put a member into a group, or out of any."""
    if name is None:
        return _of_member(desk, member, Group(None), lambda _: None)
    check_text("/group", name)
    club = club_of(desk)

    def keep(connection: Connection) -> None:
        access.keep_text(connection, club, name)

    return _of_member(desk, member, Group(access.text_digest(club, name)), keep)


def _of_another(desk: Desk, member: str, command: Command, keep: Beside) -> Done:
    """What nobody does to the member that he is, or has been (`own_affair`), but the operator."""
    (found,) = members_of(desk, (member,), "")

    def beside(connection: Connection) -> None:
        caller = as_now(connection, desk.caller, desk.club)
        if found in parties.ever(connection, desk.club, caller):
            raise Refused("own_affair", member=found)
        keep(connection)

    return order_on(desk, f"member/{found}", command, beside)


def _of_member(desk: Desk, member: str, command: Command, beside: Beside) -> Done:
    (found,) = members_of(desk, (member,), "")
    return order_on(desk, f"member/{found}", command, beside)

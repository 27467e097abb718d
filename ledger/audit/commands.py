"""The commands that events came of, read back from what the events tell.

A stream's kind that is not in `READERS` has an entry in `COMMANDS` for each event that can be the
first of what a command came to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import astuple

from ledger import events as e
from ledger.access import Caller
from ledger.audit import books, disputes, tables
from ledger.audit.books import Books
from ledger.audit.recorded import Recorded
from ledger.rights import Command
from ledger.streams.club import FoundClub, IssueKey, RevokeKey, SetDeadlines, SetLimits
from ledger.streams.member import (
    Bar,
    ForgetMember,
    Group,
    Join,
    Leave,
    Readmit,
    Return,
    SetMemberLimits,
)
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
    e.LimitsSet: lambda fact: SetLimits(*astuple(fact)),
    e.DeadlinesSet: lambda fact: SetDeadlines(*astuple(fact)),
    e.MemberJoined: lambda fact: Join(fact.code),
    e.MemberLimitsSet: lambda fact: SetMemberLimits(*astuple(fact)),
    e.MemberBarred: lambda fact: Bar(fact.note),
    e.MemberReadmitted: lambda fact: Readmit(fact.note),
    e.MemberLeft: lambda fact: Leave(fact.note),
    e.MemberReturned: lambda _: Return(),
    e.MemberGrouped: lambda fact: Group(fact.group),
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
"""The command that an event came of which tells all of it."""

READERS: dict[str, books.Reader] = {
    "table": tables.command,
    "hand": books.revision,
    "allowance": books.allowance,
    "dispute": disputes.dispute,
    "period": books.period,
}
"""How to read a command from several events and the state before them, by the kind of stream."""


def command(
    kind: str, state: Any, recorded: Sequence[Recorded], caller: Caller, kept: Books
) -> Command:
    """The command that the first of some events of a stream came of."""
    if kind in READERS:
        return READERS[kind](state, recorded, caller, kept)
    fact = recorded[0].event.fact
    return COMMANDS[type(fact)](fact)

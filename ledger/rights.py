"""Rights: who may give which command, and whether he still may when it is written."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ledger import access, people
from ledger.access import Caller
from ledger.refusal import Refused
from ledger.streams.allowance import (
    AllowanceCommand,
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)
from ledger.streams.club import (
    ClubCommand,
    FoundClub,
    IssueKey,
    RevokeKey,
    SetDeadlines,
    SetLimits,
)
from ledger.streams.dispute import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    DecideDispute,
    DisputeCommand,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
)
from ledger.streams.member import (
    Bar,
    ForgetMember,
    Group,
    Join,
    Leave,
    MemberCommand,
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
    MembershipCommand,
    Revoke,
)
from ledger.streams.period import (
    ClosePeriod,
    ConfirmBalance,
    ContestBalance,
    PeriodCommand,
    ReopenPeriod,
)
from ledger.streams.settlement import MoneyCommand, ReviseHand, SettleHand
from ledger.streams.table import (
    Act,
    ChangeSeats,
    CloseTable,
    Dissolve,
    EnterHand,
    KeepPlaying,
    OpenTable,
    StartHand,
    TableCommand,
    Tick,
    Void,
)

Command = (
    ClubCommand
    | MemberCommand
    | MembershipCommand
    | TableCommand
    | MoneyCommand
    | AllowanceCommand
    | DisputeCommand
    | PeriodCommand
)
WORKER = "worker"
INVITED = "invited"
"""The role of one who holds an invitation, for nothing but to accept it."""

_OWNER = ("owner", access.OPERATOR)
_OFFICER = ("owner", "manager", access.OPERATOR)
_RECORDER = ("recorder",)
_TREASURER = ("owner", "treasurer", access.OPERATOR)
_REFEREE = ("referee", "owner", access.OPERATOR)
RIGHTS: dict[type[Command], tuple[str, ...]] = {
    FoundClub: (access.OPERATOR,),
    IssueKey: _OWNER,
    RevokeKey: _OWNER,
    Join: _OFFICER,
    Invite: _OFFICER,
    Accept: (INVITED,),
    Revoke: _OFFICER,
    ChangeRoles: _OWNER,
    IssueLink: _OWNER,
    ForgetPerson: (access.OPERATOR,),
    ForgetMember: (access.OPERATOR,),
    OpenTable: _RECORDER,
    StartHand: _RECORDER,
    EnterHand: (*_OFFICER, "recorder"),
    Act: _RECORDER,
    Dissolve: (*_OFFICER, "recorder"),
    CloseTable: _OFFICER,
    Void: _OFFICER,
    KeepPlaying: (*_OFFICER, "recorder"),
    ChangeSeats: (*_OFFICER, "recorder"),
    Tick: (*_OFFICER, "referee", "treasurer"),
    SettleHand: (WORKER,),
    SetLimits: _OWNER,
    SetDeadlines: _OWNER,
    SetMemberLimits: _OFFICER,
    Bar: _OFFICER,
    Readmit: _OFFICER,
    Leave: _OFFICER,
    Return: _OFFICER,
    Group: _OFFICER,
    RequestAllowance: _TREASURER,
    ApproveAllowance: _TREASURER,
    RefuseAllowance: _TREASURER,
    ReverseAllowance: _TREASURER,
    FileDispute: (*_REFEREE, "member"),
    AnswerDispute: ("member",),
    DecideDispute: _REFEREE,
    ApproveDecision: _REFEREE,
    AppealDispute: ("member",),
    WithdrawDispute: (*_REFEREE, "member"),
    ExpireDispute: (WORKER,),
    ReviseHand: _REFEREE,
    ClosePeriod: _OWNER,
    ReopenPeriod: _OWNER,
    ConfirmBalance: ("member",),
    ContestBalance: ("member",),
}
"""Who may give which command: a caller acts in the first of these roles that he has."""


def allow(caller: Caller, club: str, command: Command, state: Any) -> str:
    """The role in which a caller may give a command; outside his club there is nothing."""
    if caller.club != club and not caller.has(access.OPERATOR, WORKER):
        raise Refused("club_unknown", club=club)
    allowed = RIGHTS[type(command)]
    role = next((one for one in allowed if caller.has(one)), "")
    check_role(caller, role, command, state)
    return role


def check_role(caller: Caller, role: str, command: Command, state: Any) -> None:
    """Refuses a command to one who has not this role, or may not give it in it.

    Who has several roles may have given it in any of them that allows it.
    """
    allowed = RIGHTS[type(command)]
    if role not in allowed or not caller.has(role):
        raise access.role_missing(allowed)
    if role == "manager" and not _is_for_members(command, state):
        raise access.role_missing(_OWNER)
    if role == "recorder" and not isinstance(command, OpenTable):
        _check_recorder(caller, state)


def as_now(connection: Connection, caller: Caller, club: str) -> Caller:
    """A caller with the roles that he has now: a person's may have changed since he asked."""
    if caller.session is None or caller.has(INVITED):
        return caller
    return people.in_club(connection, caller, club)


def check_same(asked: Caller, present: Caller) -> None:
    """Refuse a person who plays as another member than when he asked (`caller_changed`).

    What he asked for names the member that he was.
    """
    if asked.member != present.member:
        raise Refused("caller_changed")


def check_still(
    connection: Connection, caller: Caller, club: str, role: str, now: int
) -> tuple[str, ...]:
    """Refuse who was let in and has lost his key, his session or his role; else say his roles.

    Asked inside the transaction that writes: whoever takes a right away may rely on it that
    nothing follows.
    """
    if caller.session is None:
        if access.has_ended(connection, caller.actor, now):
            raise Refused("key_invalid")
        return caller.roles
    people.check_open(connection, caller.session, now)
    present = as_now(connection, caller, club)
    check_same(caller, present)
    if not present.has(role):
        raise access.role_missing((role,))
    return present.roles


def _is_for_members(command: Command, state: Any) -> bool:
    """Whether a command gives nobody, and touches nobody with, more than the role of a member."""
    if isinstance(command, Invite):
        return set(command.roles) <= {"member"}
    takes_back = isinstance(command, Revoke) and state is not None
    return not takes_back or set(state.roles) <= {"member"}


def _check_recorder(caller: Caller, state: Any) -> None:
    """Refuses a table that another records; to the club's other keys it is there, not theirs."""
    if state is None:
        raise Refused("table_unknown")
    if state.recorder != caller.actor:
        raise Refused("not_the_recorder")

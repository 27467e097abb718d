"""Rights: who may give which command, and whether he still may when it is written."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ledger import access, people
from ledger.access import Caller
from ledger.refusal import Refused
from ledger.streams.club import ClubCommand, FoundClub, IssueKey, RevokeKey
from ledger.streams.member import ForgetMember, Join, MemberCommand
from ledger.streams.membership import (
    Accept,
    ChangeRoles,
    ForgetPerson,
    Invite,
    IssueLink,
    MembershipCommand,
    Revoke,
)
from ledger.streams.settlement import SettleHand
from ledger.streams.table import (
    Act,
    CloseTable,
    Dissolve,
    EnterHand,
    OpenTable,
    StartHand,
    TableCommand,
    Void,
)

Command = ClubCommand | MemberCommand | MembershipCommand | TableCommand | SettleHand
WORKER = "worker"
INVITED = "invited"
"""The role of one who holds an invitation, for nothing but to accept it."""

_OWNER = ("owner", access.OPERATOR)
_OFFICER = ("owner", "manager", access.OPERATOR)
_RECORDER = ("recorder",)
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
    SettleHand: (WORKER,),
}
"""Who may give which command: a caller acts in the first of these roles that he has."""


def allow(caller: Caller, club: str, command: Command, state: Any) -> str:
    """The role in which a caller may give a command; outside his club there is nothing."""
    if caller.club != club and not caller.has(access.OPERATOR, WORKER):
        raise Refused("club_unknown", club=club)
    allowed = RIGHTS[type(command)]
    held = [role for role in allowed if caller.has(role)]
    if not held or (held[0] == "manager" and not _is_for_members(command, state)):
        raise access.role_missing(allowed if not held else _OWNER)
    if held == ["recorder"] and not isinstance(command, OpenTable):
        _check_recorder(caller, state)
    return held[0]


def check_still(connection: Connection, caller: Caller, club: str, role: str, now: int) -> None:
    """Refuse who was let in and has lost his key, his session or his role since.

    Asked inside the transaction that writes: whoever takes a right away may rely on it that
    nothing follows.
    """
    if caller.session is None:
        if access.has_ended(connection, caller.actor, now):
            raise Refused("key_invalid")
        return
    people.check_open(connection, caller.session, now)
    if role != INVITED and not people.in_club(connection, caller, club).has(role):
        raise access.role_missing((role,))


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

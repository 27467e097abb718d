"""Who may give which command, role by role."""

from __future__ import annotations

import pytest

from ledger.access import OPERATOR, Caller
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rights import INVITED, RIGHTS, WORKER, Command, allow
from ledger.streams.allowance import (
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)
from ledger.streams.club import FoundClub, IssueKey, RevokeKey, SetDeadlines, SetLimits
from ledger.streams.dispute import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    Deadlines,
    DecideDispute,
    Evidence,
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
    Member,
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
    Membership,
    Revoke,
)
from ledger.streams.period import ClosePeriod, ConfirmBalance, ContestBalance, ReopenPeriod
from ledger.streams.roles import ROLES
from ledger.streams.settlement import ReviseHand, SettleHand
from ledger.streams.table import (
    Act,
    ChangeSeats,
    CloseTable,
    Dissolve,
    EnterHand,
    KeepPlaying,
    OpenTable,
    StartHand,
    Table,
    Tick,
    Void,
    Wish,
)

TABLE = Table(
    ruleset="huaihua/1",
    options={},
    seats=("mem_a", "mem_b"),
    hands=1,
    low_score=0,
    recorder="key_server",
    dealer=0,
    totals=(0, 0),
    at=0,
)
REFEREE = Membership(("referee",), None, 9, "per_1")
OPENING = OpenTable("huaihua/1", {}, ("mem_a", "mem_b"), 1, 0, 0, "key_server")

OWNERS = {"owner", "operator"}
OFFICERS = {"owner", "manager", "operator"}
TREASURERS = {"owner", "treasurer", "operator"}
REFEREES = {"owner", "referee", "operator"}
CHECKERS = OFFICERS | TREASURERS | REFEREES
HOURS = Deadlines(24, 24, 48, 48)
FILING = FileDispute(
    table="tbl_1",
    number=1,
    seats=("mem_a", "mem_b"),
    revision=1,
    booked=(0, 0),
    members=(),
    officer=True,
    totals=None,
    outcome=None,
    claimed=None,
    note="digest",
    by="key_server",
    table_ended_at=None,
    hours=HOURS,
    evidence=Evidence(1, 2, 3, "huaihua/1", 4, ""),
)
RULING = DecideDispute(
    ruling="uphold",
    reason="other",
    rule=None,
    note=None,
    totals=None,
    outcome=None,
    by="key_server",
    members=(),
    moves=0,
    limit=None,
    revision=1,
    hours=HOURS,
)

MAY: list[tuple[Command, object, set[str]]] = [
    (FoundClub("UTC", 0), None, {"operator"}),
    (IssueKey("key_1", ("owner",)), None, {"owner", "operator"}),
    (RevokeKey("key_1"), None, {"owner", "operator"}),
    (Join("M-0001"), None, {"owner", "manager", "operator"}),
    (Invite(("member",), "mem_a", 9), None, {"owner", "manager", "operator"}),
    (Invite(("referee",), None, 9), None, {"owner", "operator"}),
    (Accept("per_1"), REFEREE, {"invited"}),
    (Revoke(), REFEREE, {"owner", "operator"}),
    (ChangeRoles(("owner",)), REFEREE, {"owner", "operator"}),
    (IssueLink("lnk_1", 9), REFEREE, {"owner", "operator"}),
    (ForgetPerson(), REFEREE, {"operator"}),
    (ForgetMember(), Member("M-0001"), {"operator"}),
    (OPENING, None, {"recorder"}),
    (StartHand((), ""), TABLE, {"recorder"}),
    (EnterHand(""), TABLE, {"owner", "manager", "recorder", "operator"}),
    (Act(Choice(0, "pass")), TABLE, {"recorder"}),
    (Void(1, "digest"), TABLE, {"owner", "manager", "operator"}),
    (Dissolve(), TABLE, {"owner", "manager", "recorder", "operator"}),
    (CloseTable(), TABLE, {"owner", "manager", "operator"}),
    (KeepPlaying(Wish(0)), TABLE, {"owner", "manager", "recorder", "operator"}),
    (ChangeSeats(("mem_a", "mem_b")), TABLE, {"owner", "manager", "recorder", "operator"}),
    (Tick(ticked=True), TABLE, CHECKERS),
    (SetLimits(None, None, None, None, None, None, 1, None, None), None, OWNERS),
    (SetDeadlines(24, 24, 48, 48), None, OWNERS),
    (SetMemberLimits(None, None, None, None, None), None, OFFICERS),
    (Bar(), None, OFFICERS),
    (Readmit(), None, OFFICERS),
    (Leave(), None, OFFICERS),
    (Return(), None, OFFICERS),
    (Group(None), None, OFFICERS),
    (
        RequestAllowance("allowance", (), "other", None, None, "key_server", None, None),
        None,
        TREASURERS,
    ),
    (ApproveAllowance("key_server", None), None, TREASURERS),
    (RefuseAllowance(None, "key_server"), None, TREASURERS),
    (ReverseAllowance(None, "key_server"), None, TREASURERS),
    (FILING, None, {*REFEREES, "member"}),
    (AnswerDispute("mem_a", None, "key_server"), None, {"member"}),
    (RULING, None, REFEREES),
    (ApproveDecision("key_server", (), 1, HOURS), None, REFEREES),
    (AppealDispute("mem_a", None, "key_server", HOURS), None, {"member"}),
    (WithdrawDispute(None, "key_server", None), None, {*REFEREES, "member"}),
    (ExpireDispute(), None, {"worker"}),
    (ReviseHand("dsp_1", "void", 1, {}), None, REFEREES),
    (ClosePeriod("2026-11-30", "carry", (), (), (), 0, 1, None, "key_1", ""), None, OWNERS),
    (ReopenPeriod(1, "digest", "key_server"), None, OWNERS),
    (ConfirmBalance(1, "mem_a", "key_server"), None, {"member"}),
    (ContestBalance(1, "mem_a", "digest", "key_server"), None, {"member"}),
]
EVERYBODY = {*ROLES, OPERATOR, INVITED, WORKER}


@pytest.mark.parametrize(("command", "state", "roles"), MAY, ids=range(len(MAY)))
def test_a_command_is_given_in_its_roles_and_no_other(
    command: Command, state: object, roles: set[str]
) -> None:
    """The event then says in which of them."""
    for role in EVERYBODY:
        caller = Caller("key_server", "club_1", (role,))
        if role in roles:
            assert allow(caller, "club_1", command, state) == role
        else:
            with pytest.raises(Refused, match="role_missing"):
                allow(caller, "club_1", command, state)


def test_every_command_has_its_roles_and_is_looked_at_here() -> None:
    """All but the settlement, which the worker alone gives, and which needs a hand to stand on."""
    assert set(RIGHTS) == {type(command) for command, _, _ in MAY} | {SettleHand}
    assert RIGHTS[SettleHand] == (WORKER,)


@pytest.mark.parametrize("command", [command for command, _, _ in MAY], ids=range(len(MAY)))
def test_outside_of_his_club_a_role_is_worth_nothing(command: Command) -> None:
    everything = Caller("key_server", "club_2", ROLES)
    with pytest.raises(Refused, match="club_unknown"):
        allow(everything, "club_1", command, None)


def test_several_roles_act_in_the_highest_that_allows_it() -> None:
    both = Caller("per_1", "club_1", ("member", "manager", "owner"), "mem_a")
    assert allow(both, "club_1", Join("M-0001"), None) == "owner"


def test_a_manager_touches_members_alone() -> None:
    """He takes an invitation of a member back; who is let in again is the owner's affair."""
    manager = Caller("per_1", "club_1", ("manager",))
    member = Membership(("member",), "mem_a", 9)
    assert allow(manager, "club_1", Revoke(), member) == "manager"
    with pytest.raises(Refused, match="role_missing"):
        allow(manager, "club_1", IssueLink("lnk_1", 9), member)
    assert allow(manager, "club_1", Revoke(), None) == "manager"

"""What a club may do with a member: limit, bar, group him, let him leave and return."""

from __future__ import annotations

import pytest

from ledger import events as e
from ledger.events import Event, Fact
from ledger.refusal import Refused
from ledger.streams import member
from ledger.streams.member import (
    Bar,
    ForgetMember,
    Group,
    Join,
    Leave,
    Member,
    MemberCommand,
    Readmit,
    Return,
    SetMemberLimits,
)
from ledger.streams.now import Now

NOW = Now(1_800_000_000_000_000, lambda at: "2027-01-15", lambda at: 5)
LIMITS = SetMemberLimits(entry_floor=500, entry_ceiling=None, pause_floor=0, day_loss=50, alarm=100)
CLUBS = SetMemberLimits(None, None, None, None, None)


def after(*commands: MemberCommand) -> Member:
    """A member to whom all this was done, one after the other."""
    events: list[Event] = []
    for command in (Join("M-0007"), *commands):
        events.extend(member.decide(member.fold(events), command, NOW))
    state = member.fold(events)
    assert state is not None
    return state


def decided(state: Member, command: MemberCommand) -> list[Fact]:
    return [event.fact for event in member.decide(state, command, NOW)]


def refused(state: Member | None, command: MemberCommand) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        member.decide(state, command, NOW)
    return refusal.value.code, refusal.value.pointer


def test_a_new_member_has_the_clubs_limits_and_may_play() -> None:
    clubs = e.MemberLimitsSet(None, None, None, None, None)
    assert after() == Member("M-0007", False, clubs, barred=False, left=False, group=None)


def test_a_member_gets_limits_of_his_own() -> None:
    assert decided(after(), LIMITS) == [e.MemberLimitsSet(500, None, 0, 50, 100)]
    assert after(LIMITS).limits == e.MemberLimitsSet(500, None, 0, 50, 100)
    assert after(LIMITS, CLUBS) == after()


def test_limits_that_cannot_be_are_refused() -> None:
    none = SetMemberLimits(None, None, None, 0, None)
    assert refused(after(), none) == ("number_range", "/day_loss")
    crossed = SetMemberLimits(500, 499, None, None, None)
    assert refused(after(), crossed) == ("limits_crossed", "/entry_floor")


def test_a_member_is_barred_and_readmitted() -> None:
    assert decided(after(), Bar("why")) == [e.MemberBarred("why")]
    assert after(Bar()).barred
    assert decided(after(Bar()), Readmit("enough")) == [e.MemberReadmitted("enough")]
    assert after(Bar(), Readmit()) == after()


def test_a_member_leaves_and_returns_under_his_old_code() -> None:
    """With the limits and the group that he had."""
    assert decided(after(), Leave("moved")) == [e.MemberLeft("moved")]
    assert after(Leave()).left
    assert decided(after(Leave()), Return()) == [e.MemberReturned()]
    assert after(LIMITS, Group("aa"), Leave(), Return()) == after(LIMITS, Group("aa"))


def test_a_member_belongs_to_one_group_or_none() -> None:
    assert decided(after(), Group("aa")) == [e.MemberGrouped("aa")]
    assert after(Group("aa"), Group("bb")).group == "bb"
    assert decided(after(Group("aa")), Group(None)) == [e.MemberGrouped(None)]
    assert after(Group("aa"), Group(None)) == after()


@pytest.mark.parametrize(
    ("done", "again"),
    [
        (LIMITS, LIMITS),
        (Leave("moved"), Leave("moved away")),
        (Bar("why"), Bar("why else")),
        (Group("aa"), Group("aa")),
        (ForgetMember(), ForgetMember()),
    ],
)
def test_what_is_so_already_is_not_done_again(done: MemberCommand, again: MemberCommand) -> None:
    """A reason that is told later changes nothing either."""
    assert decided(after(done), again) == []


@pytest.mark.parametrize("command", [CLUBS, Readmit(), Return(), Group(None)])
def test_of_a_new_member_nothing_is_taken_back(command: MemberCommand) -> None:
    assert decided(after(), command) == []


def test_a_bar_outlasts_leaving() -> None:
    """Else one would leave and return to be free of it."""
    assert after(Bar(), Leave(), Return()).barred


def test_who_has_left_may_be_barred() -> None:
    """So that nobody lets him play again who does not know; readmitted he is before he returns."""
    assert decided(after(Leave()), Bar("found out")) == [e.MemberBarred("found out")]
    assert after(Leave(), Bar(), Return()).barred
    assert decided(after(Leave(), Bar()), Readmit()) == [e.MemberReadmitted(None)]


@pytest.mark.parametrize("command", [LIMITS, Group("aa")])
def test_who_has_left_gets_no_limits_and_no_group(command: MemberCommand) -> None:
    """Another was meant."""
    assert refused(after(Leave()), command) == ("member_left", "")


@pytest.mark.parametrize("command", [LIMITS, Group("aa")])
def test_who_was_forgotten_gets_no_limits_and_no_group(command: MemberCommand) -> None:
    """Nobody knows any more who he is, whether he has left or not."""
    assert refused(after(ForgetMember()), command) == ("member_forgotten", "")
    assert refused(after(Leave(), ForgetMember()), command) == ("member_forgotten", "")


def test_who_was_forgotten_does_not_return() -> None:
    assert refused(after(Leave(), ForgetMember()), Return()) == ("member_forgotten", "")


def test_who_was_forgotten_can_still_be_kept_from_the_tables() -> None:
    assert decided(after(ForgetMember()), Bar()) == [e.MemberBarred(None)]
    assert decided(after(ForgetMember()), Leave()) == [e.MemberLeft(None)]


@pytest.mark.parametrize("command", [LIMITS, Bar(), Readmit(), Leave(), Return(), Group("aa")])
def test_nothing_is_done_with_a_member_who_is_not_there(command: MemberCommand) -> None:
    assert refused(None, command) == ("member_unknown", "")

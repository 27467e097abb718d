"""A membership: an invitation, who accepted it, and the roles that he has."""

from __future__ import annotations

import pytest

from ledger import events as e
from ledger.events import Event, Fact
from ledger.refusal import Refused
from ledger.streams import membership
from ledger.streams.membership import (
    Accept,
    ChangeRoles,
    ForgetPerson,
    Invite,
    IssueLink,
    Membership,
    MembershipCommand,
    Revoke,
)
from ledger.streams.now import Now

NOW = Now(1_000_000, lambda at: "2027-01-15", lambda at: 5)
LATER = 2_000_000
TOO_LATE = Now(LATER, lambda at: "2027-01-15", lambda at: 5)
REFEREE = Invite(("referee",), None, LATER)
PLAYER = Invite(("member",), "mem_1", LATER)
ANN = Accept("per_ann")


def after(*commands: MembershipCommand) -> Membership:
    """The membership that these commands make, one after the other."""
    events: list[Event] = []
    for command in commands:
        events.extend(membership.decide(membership.fold(events), command, NOW))
    state = membership.fold(events)
    assert state is not None
    return state


def decided(state: Membership | None, command: MembershipCommand) -> list[Fact]:
    return [event.fact for event in membership.decide(state, command, NOW)]


def refused(
    state: Membership | None, command: MembershipCommand, now: Now = NOW
) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        membership.decide(state, command, now)
    return refusal.value.code, refusal.value.pointer


def test_an_invitation_says_the_roles_the_member_and_how_long_it_holds() -> None:
    assert decided(None, PLAYER) == [e.Invited(("member",), "mem_1", LATER)]
    assert after(PLAYER) == Membership(("member",), "mem_1", LATER)


@pytest.mark.parametrize(
    ("invite", "refusal"),
    [
        (Invite((), None, LATER), ("role_unknown", "/roles")),
        (Invite(("king",), None, LATER), ("role_unknown", "/roles/0")),
        (Invite(("owner", "recorder"), None, LATER), ("role_unknown", "/roles/1")),
        (Invite(("member",), None, LATER), ("key_member", "/member")),
        (Invite(("owner",), "mem_1", LATER), ("key_member", "/member")),
        (Invite(("owner",), None, NOW.at), ("expired_already", "/expires_at")),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(invite: Invite, refusal: tuple[str, str]) -> None:
    """A game server is no person: it has a key, not an invitation."""
    assert refused(None, invite) == refusal


def test_an_invitation_is_made_once() -> None:
    assert refused(after(REFEREE), REFEREE) == ("membership_exists", "")


def test_an_invitation_is_accepted_once_and_in_time() -> None:
    assert decided(after(REFEREE), ANN) == [e.InvitationAccepted("per_ann")]
    assert after(REFEREE, ANN).person == "per_ann"
    assert refused(after(REFEREE, ANN), Accept("per_ben")) == ("link_invalid", "")
    assert refused(after(REFEREE), ANN, TOO_LATE) == ("link_invalid", "")


def test_an_invitation_that_was_taken_back_opens_nothing() -> None:
    assert decided(after(REFEREE), Revoke()) == [e.InvitationRevoked()]
    assert refused(after(REFEREE, Revoke()), ANN) == ("link_invalid", "")
    assert decided(after(REFEREE, Revoke()), Revoke()) == []


def test_what_was_accepted_is_not_taken_back() -> None:
    assert refused(after(REFEREE, ANN), Revoke()) == ("invitation_accepted", "")


def test_roles_are_changed_and_taken_away() -> None:
    inside = after(REFEREE, ANN)
    assert decided(inside, ChangeRoles(("owner",))) == [e.RolesChanged(("owner",), None)]
    assert decided(inside, ChangeRoles(("referee",))) == []
    assert after(REFEREE, ANN, ChangeRoles(())).roles == ()


def test_one_who_plays_stays_the_member_that_he_is() -> None:
    """Another role beside it is allowed; what member he was is kept for when he is one again."""
    both = after(PLAYER, ANN, ChangeRoles(("member", "manager")))
    assert (both.roles, both.member) == (("member", "manager"), "mem_1")
    owner = e.RolesChanged(("owner",), "mem_1")
    assert decided(after(PLAYER, ANN), ChangeRoles(("owner",))) == [owner]
    again = after(PLAYER, ANN, ChangeRoles(()), ChangeRoles(("member",)))
    assert (again.roles, again.member) == (("member",), "mem_1")


def test_one_who_does_not_play_becomes_a_member_that_is_named() -> None:
    """A referee who wants to play too; the member is named with the role, and never without."""
    playing = ChangeRoles(("referee", "member"), "mem_2")
    assert decided(after(REFEREE, ANN), playing) == [e.RolesChanged(("referee", "member"), "mem_2")]
    assert refused(after(REFEREE, ANN), ChangeRoles(("member",))) == ("key_member", "/member")
    named = ChangeRoles(("owner",), "mem_2")
    assert refused(after(REFEREE, ANN), named) == ("key_member", "/member")


def test_one_who_was_taken_for_another_member_becomes_the_right_one() -> None:
    other = after(PLAYER, ANN, ChangeRoles(("member",), "mem_2"))
    assert (other.roles, other.member) == (("member",), "mem_2")


def test_a_link_lets_a_person_in_who_belongs_to_the_club() -> None:
    issue = IssueLink("lnk_1", LATER)
    assert decided(after(REFEREE, ANN), issue) == [e.LinkIssued("lnk_1", LATER)]
    assert after(REFEREE, ANN, issue) == after(REFEREE, ANN)
    old = IssueLink("lnk_1", NOW.at)
    assert refused(after(REFEREE, ANN), old) == ("expired_already", "/expires_at")
    assert refused(after(REFEREE, ANN, ChangeRoles(())), issue) == ("membership_ended", "")


def test_a_person_is_forgotten_once_and_gets_no_roles_any_more() -> None:
    gone = after(REFEREE, ANN, ChangeRoles(()), ForgetPerson())
    assert decided(after(REFEREE, ANN, ChangeRoles(())), ForgetPerson()) == [
        e.PersonForgotten("per_ann")
    ]
    assert decided(gone, ForgetPerson()) == []
    assert decided(gone, ChangeRoles(())) == []
    assert refused(gone, ChangeRoles(("owner",))) == ("person_forgotten", "")


@pytest.mark.parametrize(
    "command", [ChangeRoles(("owner",)), IssueLink("lnk_1", LATER), ForgetPerson()]
)
def test_while_nobody_has_accepted_there_is_nobody_to_change(command: MembershipCommand) -> None:
    assert refused(after(REFEREE), command) == ("invitation_open", "")


def test_without_an_invitation_there_is_no_membership() -> None:
    assert refused(None, ANN) == ("membership_unknown", "")

"""What holds between the streams of a club's log: one person, one member, one name, one order."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.audit import Fault
from tests.audit.office import (
    OPERATOR,
    OTHER,
    PERSON,
    Office,
    came,
    changed,
    fault,
    given,
    invited,
    otherwise,
    refused,
    taken_in,
    told,
)
from tests.lies.forging import House, Rows, public

ORDER = bytes(range(32))
"""A command id."""


# --- in which role one acts ---------------------------------------------------------------------


def test_an_act_in_one_of_several_roles(office: Office, other: House) -> None:
    """Given a manager who was made owner while he took a member in, he may have done it as either.

    His roles are those of the place in the log; the role was his when he asked.
    """
    rows = came(office.rows, "mbs_1", PERSON, "manager", "owner")
    rows = taken_in(taken_in(rows, PERSON, "manager"), PERSON, "owner", "M-0007")
    assert fault(other, rows) is None


@pytest.mark.lie("an officer who had not the role")
def test_a_manager_who_is_owner_too_invites_an_owner(office: Office, other: House) -> None:
    """What was done as a manager has a manager's bounds, whatever else he is."""
    rows = came(office.rows, "mbs_1", PERSON, "manager", "owner")
    rows = invited(rows, "mbs_2", "owner")
    rows = changed(rows, rows[-1].position, actor=PERSON, role="manager")
    assert fault(other, rows) == refused(rows[-1], "role_missing")


def test_several_commands_of_one_order(office: Office, other: House) -> None:
    """Given a person who comes in, acts, leaves and is forgotten at one moment, all of it holds."""
    rows = taken_in(came(office.rows, "mbs_1", PERSON, "manager"), PERSON, "manager")
    rows = given(rows, "mbs_1")
    rows = told(rows, "membership/mbs_1", e.PersonForgotten(PERSON), OPERATOR)
    assert fault(other, rows) is None


@pytest.mark.lie("an officer who had not the role")
def test_a_key_that_acts_on_in_the_order_that_ends_it(office: Office, other: House) -> None:
    """What a command takes away is gone for the next one of the same order."""
    issued = e.KeyIssued("key_1", ("owner",), None, None)
    rows = told(office.rows, "club", issued, OPERATOR, ORDER)
    rows = told(rows, "club", e.KeyRevoked("key_1"), OPERATOR, ORDER)
    rows = told(rows, "club", replace(issued, key="key_2"), ("key_1", "owner"))
    assert fault(other, rows) == refused(rows[-1], "role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_roles_that_their_holder_gives_himself_back(office: Office, other: House) -> None:
    """Given an owner who was made an auditor at the same moment, then he gives no roles."""
    rows = came(office.rows, "mbs_1", PERSON, "owner")
    rows = given(given(rows, "mbs_1", "auditor"), "mbs_1", "owner", by=(PERSON, "owner"))
    assert fault(other, rows) == refused(rows[-1], "role_missing")


# --- who is called how --------------------------------------------------------------------------


@pytest.mark.lie("a key or a person under somebody else's name")
@pytest.mark.parametrize("name", ["operator", "worker", PERSON, "key_\n"])
def test_a_key_that_is_named_as_none_is(office: Office, other: House, name: str) -> None:
    """Keys, people and those who are built in have names that tell them apart."""
    issued = e.KeyIssued(name, ("recorder",), None, None)
    rows = told(office.rows, "club", issued, OPERATOR)
    assert fault(other, rows) == otherwise(rows[-1])


@pytest.mark.lie("a key or a person under somebody else's name")
@pytest.mark.parametrize("name", ["operator", "worker", "key_1"])
def test_a_person_who_is_named_as_none_is(office: Office, other: House, name: str) -> None:
    """An invitation is taken up by a person."""
    rows = came(office.rows, "mbs_1", name, "manager")
    assert fault(other, rows) == otherwise(rows[-1])


# --- what each has once -------------------------------------------------------------------------


@pytest.mark.lie("two memberships of one person")
def test_a_person_who_comes_in_twice(office: Office, other: House) -> None:
    """Who has roles in a club gets others at the membership that he has."""
    rows = came(office.rows, "mbs_1", PERSON, "manager")
    rows = came(rows, "mbs_2", PERSON, "owner")
    assert fault(other, rows) == refused(rows[-1], "already_in_club")


@pytest.mark.lie("two memberships of one person")
def test_a_membership_that_was_left_raised_again(office: Office, other: House) -> None:
    """Given a person who left and came back by another invitation, the first stays as it is."""
    rows = given(came(office.rows, "mbs_1", PERSON, "manager"), "mbs_1")
    rows = given(came(rows, "mbs_2", PERSON, "auditor"), "mbs_1", "manager")
    assert fault(other, rows) == refused(rows[-1], "already_in_club")


@pytest.mark.lie("a member who is two people")
def test_a_member_who_is_held_by_two(office: Office, other: House) -> None:
    """A member is one person's."""
    member = office.seats[0]
    rows = came(office.rows, "mbs_1", PERSON, "member", member=member)
    rows = came(rows, "mbs_2", OTHER, "member", member=member)
    assert fault(other, rows) == refused(rows[-1], "member_taken")


def test_a_place_that_was_given_up_is_anothers(office: Office, other: House) -> None:
    """Given a person who left, then he may come back, and the member may be another's."""
    member = office.seats[0]
    rows = given(
        came(office.rows, "mbs_1", PERSON, "member", member=member), "mbs_1", member=member
    )
    rows = came(rows, "mbs_2", OTHER, "member", member=member)
    rows = given(rows, "mbs_1", "manager", member=member)
    assert fault(other, taken_in(rows, PERSON, "manager")) is None


@pytest.mark.lie("one name for two matches")
def test_a_ref_of_two_tables(office: Office, other: House) -> None:
    """A sender's own name of a match is one table's for ever."""
    opened = public(office.last("TableOpened/1"), ref="ab" * 32)
    first = changed(office.rows, opened.position, public=opened.public)
    more = {"position": len(first) + 1, "stream": "table/tbl_2"}
    rows = [*first, replace(opened, **more, recorded_at=first[-1].recorded_at)]
    assert fault(other, rows) == refused(rows[-1], "ref_taken")


# --- who must be there --------------------------------------------------------------------------


@pytest.mark.lie("a member who never joined")
def test_seats_of_nobody(office: Office, other: House) -> None:
    """At a table sit members."""
    opened = office.last("TableOpened/1")
    seats = ["mem_w", *office.seats[1:]]
    rows = changed(office.rows, opened.position, public=public(opened, seats=seats).public)
    assert fault(other, rows) == refused(opened, "member_unknown")


@pytest.mark.lie("a member who never joined")
def test_the_key_of_a_member_who_is_none(office: Office, other: House) -> None:
    """A member's key is that of a member."""
    issued = e.KeyIssued("key_1", ("member",), "mem_nobody", None)
    rows = told(office.rows, "club", issued, OPERATOR)
    assert fault(other, rows) == refused(rows[-1], "member_unknown")


@pytest.mark.lie("a member who never joined")
def test_an_invitation_as_a_member_who_is_none(office: Office, other: House) -> None:
    """Who is invited as a member is invited as one who is there."""
    rows = invited(office.rows, "mbs_1", "member", member="mem_nobody")
    assert fault(other, rows) == refused(rows[-1], "member_unknown")


@pytest.mark.lie("a member who never joined")
def test_roles_as_a_member_who_is_none(office: Office, other: House) -> None:
    """Who gets the role of a member gets it as one who is there."""
    rows = came(office.rows, "mbs_1", PERSON, "manager")
    rows = given(rows, "mbs_1", "member", member="mem_nobody")
    assert fault(other, rows) == refused(rows[-1], "member_unknown")


@pytest.mark.lie("a club that its last owner left")
def test_the_last_owner_leaves(office: Office, other: House) -> None:
    """A club keeps an owner who is a person."""
    rows = came(office.rows, "mbs_1", PERSON, "owner")
    rows = given(rows, "mbs_1", by=(PERSON, "owner"))
    assert fault(other, rows) == refused(rows[-1], "last_owner")


def test_an_owner_leaves_who_is_not_the_last(office: Office, other: House) -> None:
    """Another owner stays; the operator alone takes the last one away."""
    rows = came(came(office.rows, "mbs_1", PERSON, "owner"), "mbs_2", OTHER, "owner")
    rows = given(given(rows, "mbs_1", by=(PERSON, "owner")), "mbs_2")
    assert fault(other, rows) is None


# --- who was forgotten --------------------------------------------------------------------------


@pytest.mark.lie("somebody who was forgotten and is still there")
def test_a_person_who_is_forgotten_with_his_roles(office: Office, other: House) -> None:
    """Who is forgotten leaves first."""
    rows = came(office.rows, "mbs_1", PERSON, "manager")
    rows = told(rows, "membership/mbs_1", e.PersonForgotten(PERSON), OPERATOR)
    assert fault(other, rows) == refused(rows[-1], "forgotten_in_club")


@pytest.mark.lie("somebody who was forgotten and is still there")
def test_a_forgotten_person_comes_in(office: Office, other: House) -> None:
    """Who comes back is somebody whom nobody knows."""
    rows = given(came(office.rows, "mbs_1", PERSON, "manager"), "mbs_1")
    rows = told(rows, "membership/mbs_1", e.PersonForgotten(PERSON), OPERATOR)
    rows = came(rows, "mbs_2", PERSON, "manager")
    assert fault(other, rows) == refused(rows[-1], "person_forgotten")


# --- who records, and by which command ----------------------------------------------------------


@pytest.mark.lie("a hand recorded by somebody else's key")
@pytest.mark.parametrize("who", ["second", "nobody"])
def test_a_match_opened_for_another_recorder(office: Office, other: House, who: str) -> None:
    """Who opens a match records it."""
    opened = office.last("TableOpened/1")
    recorder = {"second": office.second, "nobody": "key_nobody"}[who]
    rows = changed(office.rows, opened.position, public=public(opened, recorder=recorder).public)
    assert fault(other, rows) == otherwise(opened)


def two_keys(office: Office, first: bytes, second: bytes) -> Rows:
    """The log, and the operator has made two keys, with something between."""
    rows = told(office.rows, "club", e.KeyIssued("key_1", ("owner",), None, None), OPERATOR, first)
    rows = taken_in(rows, *OPERATOR)
    return told(rows, "club", e.KeyIssued("key_2", ("owner",), None, None), OPERATOR, second)


@pytest.mark.lie("a command that was done twice")
def test_a_command_id_that_comes_again(office: Office, other: House) -> None:
    """A command is done once, and what came of it stands together."""
    rows = two_keys(office, ORDER, ORDER)
    assert fault(other, rows) == refused(rows[-1], "idempotency_key_reused")


@pytest.mark.lie("a command that was done twice")
def test_a_command_id_of_two_people(office: Office, other: House) -> None:
    """A command has one who gave it."""
    issued = e.KeyIssued("key_1", ("owner",), None, None)
    rows = told(office.rows, "club", issued, OPERATOR, ORDER)
    rows = told(rows, "club", replace(issued, key="key_2"), ("key_1", "owner"), ORDER)
    assert fault(other, rows) == refused(rows[-1], "idempotency_key_reused")


def test_commands_with_ids_of_their_own_and_without(office: Office, other: House) -> None:
    assert fault(other, two_keys(office, ORDER, bytes(32))) is None


@pytest.mark.lie("a command that was done twice")
def test_a_command_id_that_can_be_none(office: Office, other: House) -> None:
    """It has the bytes of a SHA-256, or none."""
    rows = two_keys(office, ORDER[:5], b"")
    place = rows[-3]
    malformed = Fault(place.position, "malformed", place.stream, place.version)
    assert fault(other, rows) == malformed

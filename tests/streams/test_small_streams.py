"""The short streams: a club, a member, the settlement of a hand."""

from __future__ import annotations

import pytest

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams import club, member, settlement
from ledger.streams.club import Club, ClubCommand, FoundClub, IssueKey, RevokeKey
from ledger.streams.member import ForgetMember, Join, code_text
from ledger.streams.now import Now
from ledger.streams.settlement import SettleHand
from ledger.streams.table import StartHand
from tests.streams.test_table import OPENING, SECRET, WON_AT_ONCE, after, played_out

NOW = Now(1_800_000_000_000_000, lambda at: "2027-01-15", lambda at: 5)


def refused(state: Club | None, command: ClubCommand) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        club.decide(state, command, NOW)
    return refusal.value.code, refusal.value.pointer


def club_after(*commands: ClubCommand) -> Club:
    state: Club | None = None
    for command in commands:
        for event in club.decide(state, command, NOW):
            state = club.evolve(state, event)
    assert state is not None
    return state


# --- a club -----------------------------------------------------------------------------------


def test_a_club_is_founded_once_with_its_zone_and_cutoff() -> None:
    found = FoundClub("Asia/Shanghai", 300)
    (founded,) = club.decide(None, found, NOW)
    assert founded.fact == e.ClubFounded("Asia/Shanghai", 300)
    assert club.fold([founded]) == Club("Asia/Shanghai", 300)
    assert refused(club_after(found), found) == ("club_exists", "")


@pytest.mark.parametrize("cutoff", [-1, 1440])
def test_the_cutoff_is_a_minute_of_the_day(cutoff: int) -> None:
    assert refused(None, FoundClub("UTC", cutoff)) == ("number_range", "/day_cutoff")


def test_a_key_is_issued_with_its_roles_and_revoked_for_ever() -> None:
    state = club_after(FoundClub("UTC", 0), IssueKey("key_1", ("owner",)))
    assert state.keys == {"key_1": True}
    (revoked,) = club.decide(state, RevokeKey("key_1"), NOW)
    assert revoked.fact == e.KeyRevoked("key_1")
    assert club.decide(club.evolve(state, revoked), RevokeKey("key_1"), NOW) == ()


@pytest.mark.parametrize(
    ("key", "refusal"),
    [
        (IssueKey("key_1", ("owner",)), ("key_exists", "")),
        (IssueKey("key_2", ()), ("role_unknown", "/roles")),
        (IssueKey("key_2", ("owner", "king")), ("role_unknown", "/roles/1")),
        (IssueKey("key_2", ("member",)), ("key_member", "/member")),
        (IssueKey("key_2", ("owner",), member="mem_a"), ("key_member", "/member")),
        (IssueKey("key_2", ("owner",), None, NOW.at), ("expired_already", "/expires_at")),
        (RevokeKey("key_2"), ("key_unknown", "")),
    ],
)
def test_a_key_that_cannot_be_is_refused(key: ClubCommand, refusal: tuple[str, str]) -> None:
    state = club_after(FoundClub("UTC", 0), IssueKey("key_1", ("owner",)))
    assert refused(state, key) == refusal


def test_without_a_club_there_are_no_keys() -> None:
    assert refused(None, RevokeKey("key_1")) == ("club_unknown", "")


# --- a member ---------------------------------------------------------------------------------


def test_a_member_joins_once_under_a_code() -> None:
    (joined,) = member.decide(None, Join("M-0007"), NOW)
    assert joined.fact == e.MemberJoined("M-0007")
    state = member.fold([joined])
    assert state is not None
    assert state.code == "M-0007"
    with pytest.raises(Refused, match="member_exists"):
        member.decide(state, Join("M-0007"), NOW)


def test_a_member_is_forgotten_once_and_keeps_his_code() -> None:
    joined = member.fold(member.decide(None, Join("M-0007"), NOW))
    (forgotten,) = member.decide(joined, ForgetMember(), NOW)
    assert forgotten.fact == e.MemberForgotten()
    state = member.evolve(joined, forgotten)
    assert (state.code, state.forgotten) == ("M-0007", True)
    assert member.decide(state, ForgetMember(), NOW) == ()
    with pytest.raises(Refused, match="member_unknown"):
        member.decide(None, ForgetMember(), NOW)


def test_codes_are_counted_with_four_digits_or_more() -> None:
    assert [code_text(number) for number in (7, 12_345)] == ["M-0007", "M-12345"]


# --- a hand's money ---------------------------------------------------------------------------


def settle_hand() -> SettleHand:
    hand = played_out(after(OPENING, StartHand(WON_AT_ONCE, SECRET))).hand
    assert hand is not None
    ended = e.HandEnded(5, "win", SECRET, None, "2027-01-15", "2027-01-14")
    return SettleHand("tbl_1", OPENING.seats, hand, ended, 99)


def test_a_hand_is_settled_with_the_dates_of_its_end() -> None:
    (settled,) = settlement.decide(None, settle_hand(), NOW)
    fact = settled.fact
    assert isinstance(fact, e.HandSettled)
    assert (fact.table, fact.number, fact.end) == ("tbl_1", 1, "win")
    assert (fact.ended_at, fact.ended_position) == (5, 99)
    assert (fact.booked_date, fact.effective_date) == ("2027-01-15", "2027-01-14")
    assert sum(fact.totals) == 0
    assert [payment.points for payment in fact.payments] == [2, 2, 2]
    assert {payment.rule for payment in fact.payments} == {"huaihua/1 C5.1"}


def test_a_hand_that_is_settled_is_not_settled_again() -> None:
    first: tuple[Event, ...] = settlement.decide(None, settle_hand(), NOW)
    assert settlement.decide(settlement.fold(first), settle_hand(), NOW) == ()

"""What parties to a dispute 争议 can rely on: who judges, what is final, until when."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from ledger import codec, disputing, docket, store
from ledger import events as e
from ledger.claiming import Claim
from tests.perform.fair import BOOKED, HOUR, Fair, Person, refusal
from tests.world import World

OTHER = (30, -10, -10, -10)


@pytest.fixture
def fair(world: World) -> Fair:
    return Fair(world)


# --- who judges ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["no member", "another member"])
def test_who_sat_there_decides_nothing_whoever_he_is_since(fair: Fair, way: str) -> None:
    """Given an owner who sat in the hand, when he is no member any more, or another one."""
    person = Person(fair, ("owner", "member"), fair.members[0])
    dispute = fair.answered()
    if way == "no member":
        person.become("owner")
    else:
        person.become("owner", "member", member=fair.members[4])
    assert refusal(fair.decide, person.caller, dispute, OTHER) == "decider_is_party"
    assert refusal(fair.correct, person.caller, OTHER) == "dispute_open"
    fair.decide(fair.referees[0], dispute, OTHER)
    assert fair.fault() is None


def test_who_sat_there_agrees_to_nothing_whoever_he_is_since(fair: Fair) -> None:
    """Nor does one who was invited anew: it is the person that counts."""
    fair.limit(correction=0)
    person = Person(fair, ("owner", "member"), fair.members[0])
    dispute = fair.answered()
    fair.decide(fair.referees[0], dispute, OTHER)
    person.become()
    person.become("referee")
    agreeing = fair.desk(person.caller), dispute, 4
    assert refusal(disputing.approve, *agreeing) == "decider_is_party"
    assert fair.fault() is None


def test_who_was_a_member_elsewhere_decides(fair: Fair) -> None:
    """Given an owner who is the fifth member, who did not sit there."""
    person = Person(fair, ("owner", "member"), fair.members[4])
    dispute = fair.answered()
    person.become("owner")
    fair.decide(person.caller, dispute, OTHER)
    assert fair.fault() is None


def test_a_referee_who_sat_there_files_as_a_member(fair: Fair) -> None:
    """Then the others are waited for, and he has a member's hours; so too once he is no member."""
    party = fair.key("referee", "member", member=fair.members[0])
    dispute = fair.file(party, OTHER)
    assert fair.found(dispute).member == fair.members[0]
    assert refusal(fair.decide, fair.referees[0], dispute, OTHER) == "dispute_unanswered"
    disputing.withdraw(fair.desk(party), dispute, None)
    person = Person(fair, ("referee", "member"), fair.members[1])
    person.become("referee")
    dispute = fair.file(person.caller, OTHER)
    assert fair.found(dispute).member == fair.members[1]
    disputing.withdraw(fair.desk(person.caller), dispute, None)
    fair.end()
    fair.later(25)
    for caller in (party, person.caller):
        assert refusal(fair.file, caller, OTHER) == "filing_over"
        assert refusal(fair.correct, caller, OTHER) == "filing_over"
    assert fair.fault() is None


# --- what is final ------------------------------------------------------------------------------


def test_no_other_dispute_stands_before_an_appeal(fair: Fair) -> None:
    """Whoever likes how it was ruled files nothing meanwhile, an officer neither."""
    dispute = fair.answered()
    fair.decide(fair.referees[0], dispute, OTHER)
    for caller in (fair.players[0], fair.referees[0], fair.owner):
        assert refusal(fair.file, caller, BOOKED) == "appeal_instead"
    fair.later(47)
    disputing.appeal(fair.desk(fair.players[1]), dispute, "unjust")
    assert (fair.found(dispute).state, fair.fault()) == ("appealed", None)


def test_nobody_is_above_what_was_decided_on_appeal(fair: Fair) -> None:
    dispute = fair.answered()
    fair.decide(fair.referees[0], dispute, OTHER)
    disputing.appeal(fair.desk(fair.players[1]), dispute, "unjust")
    fair.decide(fair.referees[1], dispute, BOOKED)
    for caller in (fair.referees[0], fair.owner):
        assert refusal(fair.correct, caller, OTHER) == "hand_final"
        assert refusal(fair.file, caller) == "hand_final"
    assert fair.fault() is None


def test_a_ruling_that_nobody_appealed_against_may_be_corrected(fair: Fair) -> None:
    """Once the hours for an appeal are over; against the next ruling there are hours again."""
    fair.correct(fair.referees[0], OTHER)
    fair.later(49)
    again = fair.correct(fair.referees[1], (12, -4, -4, -4))
    disputing.appeal(fair.desk(fair.players[1]), again, "unjust")
    assert fair.fault() is None


# --- two persons --------------------------------------------------------------------------------


def test_a_decision_is_agreed_to_as_it_was_read(fair: Fair) -> None:
    """Given a small correction that waits, when its referee puts a large one in its place."""
    fair.limit(correction=0)
    dispute = fair.correct(fair.referees[0], (12, -4, -4, -4))
    fair.decide(fair.referees[0], dispute, (30000, -10000, -10000, -10000))
    agreeing = fair.desk(fair.referees[1])
    assert refusal(disputing.approve, agreeing, dispute, 3) == "version_stale"
    disputing.approve(agreeing, dispute, 4)
    assert fair.fault() is None


def test_many_small_corrections_are_one_large_one(fair: Fair) -> None:
    """One moves 10 alone: 9 are moved, and with 9 more it would be 18; back to the first are 9."""
    fair.limit(correction=10)
    first, second = (18, -6, -6, -6), (27, -9, -9, -9)
    assert fair.found(fair.correct(fair.referees[0], first)).state == "decided"
    fair.later(49)
    told = disputing.preview(fair.desk(fair.owner), fair.table, 1, Claim(second))
    assert (told.moves, told.takes_two) == (9, True)
    waiting = fair.correct(fair.referees[0], second)
    assert fair.found(waiting).state == "open"
    fair.decide(fair.referees[0], waiting, BOOKED)
    assert (fair.found(waiting).state, fair.fault()) == ("decided", None)


# --- until when ---------------------------------------------------------------------------------


def test_a_club_that_gives_fewer_hours_takes_none_away(fair: Fair) -> None:
    """Given 24 to file when the match ended: still 24; and 24, 48, 48 when it was filed.

    Given one hour for everything since, the dispute that is filed then has it.
    """
    fair.end()
    fair.later(20)
    fair.allow(1, 1, 1, 1)
    late = fair.file(fair.players[1], OTHER)
    found = fair.found(late)
    assert (found.decide_until - found.answer_until) // HOUR == 1
    disputing.withdraw(fair.desk(fair.players[1]), late, None)
    fair.allow(1, 24, 48, 48)
    dispute = fair.answered()
    fair.allow(1, 1, 1, 1)
    fair.later(40)
    fair.decide(fair.referees[0], dispute, OTHER)
    fair.later(47)
    disputing.appeal(fair.desk(fair.players[1]), dispute, "unjust")
    fair.later(47)
    fair.decide(fair.referees[1], dispute, BOOKED)
    assert fair.fault() is None


def test_a_club_that_gives_more_hours_gives_none_to_a_match_that_ended(fair: Fair) -> None:
    """Given 24 to file when it ended, and 72 since; whoever ends a match then has 72."""
    fair.end()
    fair.allow(72, 24, 48, 48)
    fair.later(25)
    assert refusal(fair.file, fair.players[1]) == "filing_over"
    assert fair.fault() is None


def test_the_hours_are_those_that_stand_where_it_is_written(
    fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an owner who sets others, and a limit, while a correction is being decided."""
    seen = docket.law

    def law(connection: Connection, club: str) -> object:
        monkeypatch.setattr(docket, "law", seen)
        told = seen(connection, club)
        fair.limit(correction=5)
        fair.allow(1, 1, 1, 1)
        return told

    monkeypatch.setattr(docket, "law", law)
    waiting = fair.found(fair.correct(fair.referees[0], OTHER))
    assert (waiting.state, waiting.decide_until - waiting.answer_until) == ("open", HOUR)
    assert fair.fault() is None


# --- under a cap --------------------------------------------------------------------------------


def test_a_claim_is_worth_what_it_can_move(world: World) -> None:
    """Given a cap of 20: of -300 there are -20, and 9 -3 -3 -3 is 29 away from -20 6 7 7."""
    fair = Fair(world, cap=20)
    claim = (-300, 100, 100, 100)
    dispute = fair.file(fair.players[1], claim)
    with world.database.read() as connection:
        filed = store.read_stream(connection, fair.club, f"dispute/{dispute}")[0]
    fact = codec.unseal(filed.type, filed.public).fact
    assert isinstance(fact, e.DisputeFiled)
    told = disputing.preview(fair.desk(fair.owner), fair.table, 1, Claim(claim))
    assert (fact.totals, fact.stake, told.moves) == (claim, 29, 29)
    assert (sum(told.after), told.after[0]) == (0, -20)
    assert told.comparison.claimed == told.after
    assert fair.fault() is None


def test_a_correction_changes_something(fair: Fair) -> None:
    """Given a hand that was voided: to void it, or to correct it to nothing, is refused."""
    fair.correct(fair.referees[0], "void")
    fair.later(49)
    for right in ("void", (0, 0, 0, 0)):
        assert refusal(fair.correct, fair.referees[0], right) == "correction_same"
    fair.correct(fair.referees[0], BOOKED)
    assert fair.fault() is None

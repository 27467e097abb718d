"""A house that rules on disputes 争议 by other rules, and signs it: an audit decides it again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger import disputing, docket, parties
from ledger.store import Guard
from ledger.streams import settlement
from tests.lies.forging import House
from tests.perform.fair import BOOKED, Fair, Person
from tests.world import World

OTHER = (30, -10, -10, -10)
Patch = pytest.MonkeyPatch


@pytest.fixture
def fair(other: House) -> Fair:
    return Fair(World(other.database))


def found(fair: Fair) -> tuple[str, str, str | None]:
    """What an audit finds, and in which kind of stream."""
    fault = fair.fault()
    assert fault is not None
    return fault.why, (fault.stream or "").partition("/")[0], fault.code


def forgetful(patch: Patch) -> None:
    """The house looks only at who somebody is now."""
    patch.setattr(
        parties, "ever", lambda _, __, caller: () if caller.member is None else (caller.member,)
    )


def test_a_decider_who_sat_there_as_another(fair: Fair, monkeypatch: Patch) -> None:
    """Given an owner who sat in the hand, and dropped the role of a member to rule on it."""
    person = Person(fair, ("owner", "member"), fair.members[0])
    dispute = fair.answered()
    person.become("owner")
    forgetful(monkeypatch)
    fair.decide(person.caller, dispute, OTHER)
    assert found(fair) == ("refused", "dispute", "decider_is_party")


def test_an_approver_who_sat_there_as_another(fair: Fair, monkeypatch: Patch) -> None:
    fair.limit(correction=0)
    person = Person(fair, ("owner", "member"), fair.members[0])
    dispute = fair.answered()
    fair.decide(fair.referees[0], dispute, OTHER)
    person.become("owner")
    forgetful(monkeypatch)
    disputing.approve(fair.desk(person.caller), dispute, 4)
    assert found(fair) == ("refused", "dispute", "decider_is_party")


def test_an_officer_who_filed_as_if_he_had_not_sat_there(fair: Fair, monkeypatch: Patch) -> None:
    """The event names no member; it should name the one that he was."""
    party = fair.key("referee", "member", member=fair.members[0])
    monkeypatch.setattr(parties, "ever", lambda *_: ())
    fair.file(party, OTHER)
    assert found(fair) == ("otherwise", "dispute", None)


def unguarded(patch: Patch) -> None:
    """The house does not look what was ruled on the hand before."""
    patch.setattr(docket, "_earlier", lambda *_: None)
    patch.setattr(docket, "newest", lambda _, name: Guard(name, None, name))


@pytest.mark.parametrize("act", [Fair.file, Fair.correct])
def test_a_dispute_beside_a_ruling_that_can_be_appealed_against(
    fair: Fair, monkeypatch: Patch, act: Callable[..., str]
) -> None:
    fair.decide(fair.referees[0], fair.answered(), OTHER)
    unguarded(monkeypatch)
    act(fair, fair.owner, BOOKED)
    assert found(fair) == ("refused", "dispute", "appeal_instead")


def test_a_correction_of_what_was_decided_on_appeal(fair: Fair, monkeypatch: Patch) -> None:
    dispute = fair.answered()
    fair.decide(fair.referees[0], dispute, OTHER)
    disputing.appeal(fair.desk(fair.players[1]), dispute, "unjust")
    fair.decide(fair.referees[1], dispute, BOOKED)
    unguarded(monkeypatch)
    fair.correct(fair.referees[0], OTHER)
    assert found(fair) == ("refused", "dispute", "hand_final")


@pytest.mark.parametrize("right", [(20, 0, -10, -10), "void"])
def test_more_than_one_person_may_move(fair: Fair, monkeypatch: Patch, right: object) -> None:
    """11 points of a limit of 8: what is booked shows it; a hand that is void moves 9."""
    fair.limit(correction=8)
    monkeypatch.setattr(docket, "measure", lambda *_: 0)
    fair.correct(fair.referees[0], right)  # type: ignore[arg-type]
    assert found(fair) == ("refused", "hand", "second_person")


def test_many_small_corrections(fair: Fair, monkeypatch: Patch) -> None:
    """Each of 9, of a limit of 10: the second one is 18 away from the settlement."""
    fair.limit(correction=10)
    fair.correct(fair.referees[0], (18, -6, -6, -6))
    fair.later(49)
    monkeypatch.setattr(docket, "measure", lambda *_: 9)
    fair.correct(fair.referees[0], (27, -9, -9, -9))
    assert found(fair) == ("refused", "hand", "second_person")


def test_hours_that_were_taken_away(fair: Fair, monkeypatch: Patch) -> None:
    """Given a dispute of before, then by the new hours its ruling is appealed against for one."""
    dispute = fair.answered()
    fair.allow(1, 1, 1, 1)
    monkeypatch.setattr(docket, "_hours_at", lambda *_: docket.law(*_[:2])[1])
    fair.decide(fair.referees[0], dispute, OTHER)
    assert found(fair) == ("otherwise", "dispute", None)


def test_hours_that_were_given_to_a_match_that_was_over(fair: Fair, monkeypatch: Patch) -> None:
    fair.end()
    fair.allow(72, 24, 48, 48)
    fair.later(25)
    monkeypatch.setattr(docket, "_hours_at", lambda *_: docket.law(*_[:2])[1])
    fair.file(fair.players[1], OTHER)
    assert found(fair) == ("refused", "dispute", "filing_over")


def test_a_stake_above_the_cap(other: House, monkeypatch: Patch) -> None:
    """The claim moves 29 under a cap of 20, and the event tells of 309."""
    fair = Fair(World(other.database), cap=20)
    monkeypatch.setattr(docket, "comes_to", lambda _, claim: claim.totals)
    fair.file(fair.players[1], (-300, 100, 100, 100))
    assert found(fair) == ("otherwise", "dispute", None)


def test_a_hand_that_was_voided_twice(fair: Fair, monkeypatch: Patch) -> None:
    fair.correct(fair.referees[0], "void")
    fair.later(49)
    monkeypatch.setattr(settlement, "check_stands", lambda _: None)
    fair.correct(fair.referees[0], "void")
    assert found(fair) == ("refused", "dispute", "correction_same")

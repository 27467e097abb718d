"""Rulings on disputes 争议 over HTTP: what they book, who decides, corrections in one step."""

from __future__ import annotations

from typing import Any

import pytest

from projections.projection import catch_up
from tests.api.conftest import Caller, Club
from tests.api.disputes import (
    BOOKED,
    FED,
    contested,
    decided,
    enter,
    filed,
    id_of,
    limited,
    settled,
)
from tests.api.everything import everything
from tests.api.test_people import code, person

NOTHING = [0, 0, 0, 0]


@pytest.fixture
def hand(new_club: Club) -> str:
    """A hand that is settled, the first of its table."""
    return f"{settled(new_club)}/hands/1"


@pytest.fixture
def referee(new_club: Club) -> Caller:
    return person(new_club, "referee")


@pytest.fixture
def answered(new_club: Club, hand: str) -> str:
    """A dispute that is answered, by which nobody has won."""
    return contested(new_club, hand)


def points(club: Club) -> list[int]:
    catch_up(club.ledger.database, club.id)
    listed = club.owner.get(f"{club.path}/balances").json["data"]
    return [row["points"] for row in listed][:4]


def changes(told: Any) -> list[tuple[int, int, int]]:
    return [(one["before"], one["change"], one["after"]) for one in told["balances"]]


def test_nobody_decides_before_the_others_were_heard(
    new_club: Club, hand: str, referee: Caller
) -> None:
    dispute = filed(new_club.players[1], hand, note="x")
    assert code(decided(referee, dispute, "void")) == (409, "dispute_unanswered")


def test_a_correction_is_booked_and_told(
    new_club: Club, hand: str, answered: str, referee: Caller
) -> None:
    """Two entries, the balances before and after, and what stands wherever the hand is shown."""
    table, club = hand.split("/")[3], new_club
    before = everything(club)
    body = {"ruling": "correct", "reason": "rules", "rule": "huaihua/1 C5.1", "totals": NOTHING}
    tried = referee.post(f"{answered}/decide?dry_run=true", body)
    assert changes(tried.json) == [(6, -6, 0), (-2, 2, 0), (-2, 2, 0), (-2, 2, 0)]
    assert everything(club) == before

    told = referee.post(f"{answered}/decide", body, Idempotency_Key="ruled").json
    [ruling] = told["rulings"]
    assert (told["state"], ruling["ruling"], ruling["rule"]) == (
        "decided",
        "correct",
        "huaihua/1 C5.1",
    )
    assert (ruling["by"], ruling["revision"], ruling["final"]) == (referee.id, 1, False)
    assert told["due"] == told["appeal_until"] == ruling["appeal_until"]
    assert changes(told) == changes(tried.json)
    undone, done = told["entries"]
    assert (undone["kind"], undone["totals"]) == ("reversal", [-6, 2, 2, 2])
    assert (done["kind"], done["totals"]) == ("correction", NOTHING)
    assert points(club) == NOTHING
    for entry in (undone, done):
        booked = club.owner.get(f"{club.path}/journal/{entry['id']}").json
        assert (booked["kind"], booked["dispute"]) == (entry["kind"], id_of(answered))

    shown = club.owner.get(hand).json
    assert (shown["revision"], shown["disputed"]) == (3, False)
    assert shown["settlement"]["totals"] == NOTHING
    assert (shown["settlement"]["revision"], shown["settlement"]["dispute"]) == (
        3,
        id_of(answered),
    )
    [first] = shown["undone"]
    assert (first["totals"], first["undone_by"]) == (BOOKED, id_of(answered))
    assert club.owner.get(f"{hand}/settlement").json == shown["settlement"]
    [listed] = club.owner.get(f"{club.path}/hands?table={table}").json["data"]
    assert (listed["totals"], listed["wins"], listed["revision"]) == (NOTHING, [], 3)
    assert (listed["state"], listed["revised_by"]) == ("settled", id_of(answered))
    assert club.owner.get(f"{club.path}/tables").json["data"][0]["totals"] == NOTHING


def test_a_ruling_again_is_answered_as_first(
    new_club: Club, hand: str, answered: str, referee: Caller
) -> None:
    """Balances and all, whatever has been booked since."""
    body = {"ruling": "void", "reason": "evidence", "note": "nobody knows"}
    first = referee.post(f"{answered}/decide", body, Idempotency_Key="ruled")
    enter(new_club, hand.removesuffix("/hands/1"), totals=BOOKED)
    assert points(new_club) == BOOKED
    again = referee.post(f"{answered}/decide", body, Idempotency_Key="ruled")
    assert (again.status_code, again.json) == (200, first.json)
    assert changes(again.json) == [(6, -6, 0), (-2, 2, 0), (-2, 2, 0), (-2, 2, 0)]


def test_a_void_ruling_leaves_nothing_standing(
    new_club: Club, hand: str, answered: str, referee: Caller
) -> None:
    """The hand is told without a settlement, under it the one that was; lists call it voided."""
    told = decided(referee, answered, "void").json
    assert [entry["kind"] for entry in told["entries"]] == ["reversal"]
    shown = new_club.owner.get(hand).json
    assert (shown["settlement"], shown["revision"]) == (None, 2)
    assert [one["totals"] for one in shown["undone"]] == [BOOKED]
    assert code(new_club.owner.get(f"{hand}/settlement")) == (409, "hand_voided")
    assert points(new_club) == NOTHING
    [listed] = new_club.owner.get(f"{new_club.path}/hands").json["data"]
    assert (listed["state"], listed["totals"], listed["end"]) == ("voided", None, "win")


@pytest.mark.parametrize("ruling", ["uphold", "no_fault"])
def test_what_stands_may_stand(new_club: Club, answered: str, referee: Caller, ruling: str) -> None:
    told = decided(referee, answered, ruling).json
    assert (told["entries"], told["rulings"][0]["ruling"]) == ([], ruling)
    assert changes(told) == [(6, 0, 6), (-2, 0, -2), (-2, 0, -2), (-2, 0, -2)]


def test_a_correction_by_an_outcome_is_settled_by_the_rules(
    new_club: Club, hand: str, answered: str, referee: Caller
) -> None:
    """Seat 1 discarded the tile: he pays 1 (C5.2), nobody else; it is told as it was amended."""
    decided(referee, answered, "correct", outcome=FED)
    settlement = new_club.owner.get(f"{hand}/settlement").json
    assert settlement["totals"] == [1, -1, 0, 0]
    assert settlement["outcome"]["wins"][0]["from"] == 1
    catch_up(new_club.ledger.database, new_club.id)
    [listed] = new_club.owner.get(f"{new_club.path}/hands").json["data"]
    [win] = listed["wins"]
    assert (win["how"], win["from"], win["value"]) == ("discard", 1, 1)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({"ruling": "correct", "reason": "rules"}, (422, "correction_form")),
        ({"ruling": "void", "reason": "rules", "totals": NOTHING}, (422, "correction_form")),
        ({"ruling": "correct", "reason": "rules", "totals": BOOKED}, (409, "correction_same")),
        ({"ruling": "void", "reason": "whim"}, (422, "body_invalid")),
        ({"ruling": "pay", "reason": "rules"}, (422, "body_invalid")),
        ({"ruling": "void", "reason": "rules", "rule": "because"}, (422, "body_invalid")),
        ({"reason": "rules"}, (422, "body_invalid")),
    ],
)
def test_a_ruling_has_a_form(
    new_club: Club, answered: str, referee: Caller, body: Any, wanted: tuple[int, str]
) -> None:
    before = everything(new_club)
    assert code(referee.post(f"{answered}/decide", body)) == wanted
    assert everything(new_club) == before


def test_who_decides_judges_and_has_no_part_in_it(new_club: Club, answered: str) -> None:
    """Neither members nor those who only read; nor a referee who sat in the hand himself."""
    auditor, manager = person(new_club, "auditor"), person(new_club, "manager")
    for caller in (new_club.players[0], new_club.recorder, auditor, manager):
        assert code(decided(caller, answered, "void")) == (403, "role_missing")
    party = person(new_club, "referee", "member", member=new_club.members[3])
    assert code(decided(party, answered, "void")) == (403, "decider_is_party")
    assert decided(new_club.owner, answered, "void").status_code == 200


def test_much_takes_two(new_club: Club, answered: str, referee: Caller) -> None:
    """Above the club's limit a decision is proposed: both see what it would book, once agreed."""
    limited(new_club, correction=5)
    told = decided(referee, answered, "void").json
    assert (told["state"], told["proposal"]["ruling"], told["entries"]) == ("answered", "void", [])
    assert changes(told) == [(6, -6, 0), (-2, 2, 0), (-2, 2, 0), (-2, 2, 0)]
    assert points(new_club) == BOOKED
    own = referee.post(f"{answered}/approve", If_Match='"4"')
    assert code(own) == (403, "second_person")
    agreed = person(new_club, "referee").post(f"{answered}/approve", If_Match='"4"').json
    assert (agreed["state"], agreed["proposal"]) == ("decided", None)
    assert agreed["rulings"][0]["proposed_by"] == referee.id
    assert changes(agreed) == [(6, -6, 0), (-2, 2, 0), (-2, 2, 0), (-2, 2, 0)]
    assert points(new_club) == NOTHING


def test_there_may_be_nothing_to_agree_to(new_club: Club, answered: str, referee: Caller) -> None:
    agreed = referee.post(f"{answered}/approve", If_Match='"3"')
    assert code(agreed) == (409, "nothing_proposed")


def test_a_decision_is_agreed_to_as_it_was_read(
    new_club: Club, answered: str, referee: Caller
) -> None:
    """Given another proposal since: the version must be told, and be that of what waits now."""
    limited(new_club, correction=5)
    second = person(new_club, "referee")
    decided(referee, answered, "void")
    decided(referee, answered, "correct", totals=[3000, -1000, -1000, -1000])
    assert code(second.post(f"{answered}/approve")) == (428, "version_missing")
    stale = second.post(f"{answered}/approve", If_Match='"4"')
    assert code(stale) == (412, "version_stale")
    assert stale.json["current_version"] == 5
    assert points(new_club) == BOOKED
    agreed = second.post(f"{answered}/approve", If_Match='"5"')
    assert agreed.json["rulings"][0]["ruling"] == "correct"


def test_an_appeal_goes_to_another_and_is_the_last(
    new_club: Club, hand: str, answered: str, referee: Caller
) -> None:
    """The first correction is reversed by the second; both stand under what stands."""
    decided(referee, answered, "correct", totals=NOTHING)
    appealed = new_club.players[0].post(f"{answered}/appeal", {"note": "I did win"}).json
    assert (appealed["state"], appealed["appeal"]["note"]) == ("appealed", "I did win")
    assert new_club.owner.get(hand).json["disputed"] is True
    assert code(decided(referee, answered, "uphold")) == (403, "decider_again")
    last = decided(new_club.owner, answered, "correct", outcome=FED).json
    assert (last["state"], last["due"]) == ("final", None)
    assert [one["final"] for one in last["rulings"]] == [False, True]
    assert changes(last) == [(0, 1, 1), (0, -1, -1), (0, 0, 0), (0, 0, 0)]
    shown = new_club.owner.get(hand).json
    assert (shown["revision"], shown["settlement"]["totals"]) == (5, [1, -1, 0, 0])
    assert [one["totals"] for one in shown["undone"]] == [NOTHING, BOOKED]
    again = new_club.players[0].post(f"{answered}/appeal", {"note": "still"})
    assert code(again) == (409, "dispute_over")
    doubted = new_club.owner.post(f"{hand}/disputes", {"note": "still"})
    assert code(doubted) == (409, "hand_final")


# --- one step ---------------------------------------------------------------------------------


def test_a_mistyped_hand_is_corrected_in_one_step(
    new_club: Club, hand: str, referee: Caller
) -> None:
    body = {"ruling": "correct", "reason": "mistyped", "totals": [2, -2, 0, 0], "note": "8p"}
    corrected = referee.post(f"{hand}/correct", body)
    told = corrected.json
    assert (corrected.status_code, told["state"], told["member"]) == (201, "decided", None)
    assert corrected.headers["Location"] == f"{new_club.path}/disputes/{told['id']}"
    assert changes(told) == [(6, -4, 2), (-2, 0, -2), (-2, 2, 0), (-2, 2, 0)]
    assert points(new_club) == [2, -2, 0, 0]
    again = new_club.owner.post(f"{hand}/correct", body)
    assert code(again) == (409, "appeal_instead")
    assert told["id"] in again.json["detail"]
    assert told["appeal_until"][:19] in again.json["detail"]


def test_a_trial_of_a_correction_writes_nothing(new_club: Club, hand: str, referee: Caller) -> None:
    before = everything(new_club)
    body = {"ruling": "void", "reason": "mistyped", "note": "another table's"}
    tried = referee.post(f"{hand}/correct?dry_run=true", body)
    assert changes(tried.json) == [(6, -6, 0), (-2, 2, 0), (-2, 2, 0), (-2, 2, 0)]
    assert everything(new_club) == before
    assert code(new_club.players[0].post(f"{hand}/correct", body)) == (403, "role_missing")
    upheld = {"ruling": "uphold", "reason": "mistyped"}
    assert code(referee.post(f"{hand}/correct", upheld)) == (422, "body_invalid")
    silent = {"ruling": "void", "reason": "mistyped"}
    assert code(referee.post(f"{hand}/correct", silent)) == (422, "complaint_empty")

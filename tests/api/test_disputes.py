"""Disputes 争议 over HTTP: filed, answered, decided, appealed; shown to whose business they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.api.edge import EXTENSION
from projections.projection import catch_up
from tests.api.conftest import Caller, Club, found_club
from tests.api.disputes import FED, OUTCOME, contested, decided, filed, id_of, settled
from tests.api.everything import everything
from tests.api.test_people import code, person
from tests.conftest import NO_KEY

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


# --- filing -----------------------------------------------------------------------------------


def test_a_member_doubts_a_hand(new_club: Club, hand: str) -> None:
    """What is claimed, what is at stake, until when, and on what it will be decided."""
    position, head = new_club.head()
    body = {"totals": NOTHING, "note": "no win 没胡"}
    answer = new_club.players[1].post(f"{hand}/disputes", body)
    told = answer.json
    table = hand.split("/")[3]
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"2"')
    assert answer.headers["Location"] == f"{new_club.path}/disputes/{told['id']}"
    assert (told["hand"], told["table"], told["number"]) == (f"{table}-1", table, 1)
    assert (told["state"], told["member"]) == ("open", new_club.members[1])
    assert told["opened_by"] == new_club.players[1].id
    assert (told["claim"], told["stake"]) == ({"totals": NOTHING, "outcome": None}, 6)
    assert told["note"] == "no win 没胡"
    assert told["revision"] == 1
    assert told["due"] == told["answer_until"]
    evidence = told["evidence"]
    assert (evidence["position"], evidence["head_hash"]) == (position, head.hex())
    assert (evidence["last"] - evidence["first"], evidence["ruleset"]) == (2, "huaihua/1")
    assert (evidence["replay"], evidence["evidence"]) == (hand, f"{hand}/evidence")
    assert (told["answers"], told["rulings"], told["entries"]) == ([], [], [])
    assert new_club.owner.get(answer.headers["Location"]).json == told


def test_what_is_doubted_is_signed(new_club: Club, hand: str) -> None:
    """The newest checkpoint lies behind the filing."""
    filed(new_club.players[1], hand, note="wrong")
    [newest] = new_club.owner.get(f"{new_club.path}/checkpoints?limit=1").json["data"]
    assert (newest["position"], newest["head_hash"]) == (
        new_club.head()[0],
        new_club.head()[1].hex(),
    )


def test_it_is_filed_though_nothing_can_be_signed(
    new_club: Club, hand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a key file that is gone, then the dispute stands, and the log as it was signed."""
    dispute = filed(new_club.players[1], hand, note="x")
    served = new_club.app.extensions[EXTENSION]
    unsigned = replace(served, signing_key=NO_KEY)
    monkeypatch.setitem(new_club.app.extensions, EXTENSION, unsigned)
    before = new_club.owner.get(f"{new_club.path}/checkpoints").json["data"]
    new_club.players[1].post(f"{dispute}/withdraw")
    filed(new_club.players[1], hand, note="y")
    assert new_club.owner.get(f"{new_club.path}/checkpoints").json["data"] == before


def test_an_outcome_is_claimed_whole(new_club: Club, hand: str) -> None:
    """In the public format with all that it left out, 1 from seat 1 alone: 5 points move."""
    dispute = filed(new_club.players[2], hand, outcome=FED)
    told = new_club.owner.get(dispute).json
    assert told["claim"]["totals"] is None
    assert told["claim"]["outcome"]["wins"][0]["from"] == 1
    assert told["claim"]["outcome"]["ruleset"] == "huaihua/1"
    assert told["stake"] == 5


@pytest.mark.parametrize(
    ("body", "wanted", "pointer"),
    [
        ({}, (422, "complaint_empty"), "/note"),
        ({"totals": NOTHING, "outcome": OUTCOME}, (422, "claim_form"), None),
        ({"totals": [1, 0, 0, 0]}, (422, "totals_sum"), "/totals"),
        ({"totals": [0, 0]}, (422, "seats_count"), "/totals"),
        ({"outcome": {**OUTCOME, "seats": OUTCOME["seats"][:2]}}, None, "/outcome"),
        ({"totals": NOTHING, "stake": 1}, (422, "body_invalid"), "/stake"),
        ({"note": ""}, (422, "body_invalid"), "/note"),
    ],
)
def test_a_claim_has_a_form(
    new_club: Club, hand: str, body: Any, wanted: tuple[int, str] | None, pointer: str | None
) -> None:
    """Refused at its place, and nothing is written."""
    before = everything(new_club)
    refused = new_club.players[1].post(f"{hand}/disputes", body)
    assert wanted is None or code(refused) == wanted
    assert refused.status_code == 422
    if pointer is not None:
        assert refused.json["errors"][0]["pointer"].startswith(pointer)
    assert everything(new_club) == before


def test_who_did_not_sit_there_doubts_nothing(new_club: Club, hand: str) -> None:
    """Another member is refused, and every role that does not judge."""
    assert code(new_club.other.post(f"{hand}/disputes", {"note": "x"})) == (403, "not_in_hand")
    for caller in (new_club.recorder, person(new_club, "treasurer"), person(new_club, "auditor")):
        refused = caller.post(f"{hand}/disputes", {"note": "x"})
        assert code(refused) == (403, "role_missing")
    for caller in (new_club.owner, new_club.operator, person(new_club, "referee")):
        assert caller.post(f"{hand}/disputes?dry_run=true", {"note": "x"}).status_code == 201


def test_a_hand_is_doubted_once_at_a_time(new_club: Club, hand: str) -> None:
    dispute = filed(new_club.players[1], hand, note="x")
    refused = new_club.players[2].post(f"{hand}/disputes", {"note": "y"})
    assert code(refused) == (409, "dispute_open")
    assert new_club.players[1].post(f"{dispute}/withdraw").json["state"] == "withdrawn"
    assert filed(new_club.players[2], hand, note="y") != dispute


def test_a_hand_that_is_not_settled_is_not_doubted(new_club: Club) -> None:
    table = settled(new_club)
    for number in (2, 999):
        refused = new_club.players[1].post(f"{table}/hands/{number}/disputes", {"note": "x"})
        assert code(refused) == (409, "hand_unsettled")


def test_the_same_request_again_is_the_same_dispute(new_club: Club, hand: str) -> None:
    """Its first answer, though it has been withdrawn since; a trial before it leaves nothing."""
    body, key = {"totals": NOTHING}, {"Idempotency_Key": "once"}
    before = everything(new_club)
    tried = new_club.players[1].post(f"{hand}/disputes?dry_run=true", body, **key)
    assert (tried.status_code, tried.headers["Dry-Run"]) == (201, "true")
    assert everything(new_club) == before
    first = new_club.players[1].post(f"{hand}/disputes", body, **key)
    assert first.json["id"] == tried.json["id"]
    new_club.players[1].post(f"{first.headers['Location']}/withdraw", {"note": "my mistake"})
    again = new_club.players[1].post(f"{hand}/disputes", body, **key)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    other = new_club.players[1].post(f"{hand}/disputes", {"note": "x"}, **key)
    assert code(other) == (422, "idempotency_key_reused")


# --- answers ----------------------------------------------------------------------------------


def test_the_others_answer_and_who_filed_does_not(new_club: Club, hand: str) -> None:
    dispute = filed(new_club.players[1], hand, note="x")
    answered = new_club.players[0].post(f"{dispute}/answer", {"note": "he saw it"})
    [said] = answered.json["answers"]
    assert (said["member"], said["note"]) == (new_club.members[0], "he saw it")
    assert (answered.json["state"], answered.headers["ETag"]) == ("answered", '"3"')
    assert answered.json["due"] == answered.json["decide_until"]
    refused = {
        "answer_own": new_club.players[1],
        "not_in_hand": new_club.other,
        "role_missing": new_club.owner,
    }
    for word, caller in refused.items():
        assert code(caller.post(f"{dispute}/answer")) == (403, word)
    again = new_club.players[0].post(f"{dispute}/answer", {"note": "and more"})
    assert code(again) == (409, "answered_before")


def test_a_version_that_was_seen_before_is_refused(new_club: Club, answered: str) -> None:
    """Given an answer since, then the withdrawal on the older version is refused with the newer."""
    refused = new_club.players[1].post(f"{answered}/withdraw", If_Match='"2"')
    assert code(refused) == (412, "version_stale")
    assert refused.json["current_version"] == 3
    done = new_club.players[1].post(f"{answered}/withdraw", {"note": "no"}, If_Match='"3"')
    assert done.json["withdrawal"]["note"] == "no"
    assert (done.json["due"], done.json["decide_until"]) == (None, None)


# --- who sees what ----------------------------------------------------------------------------


def test_a_dispute_is_shown_to_whose_business_it_is(new_club: Club, answered: str) -> None:
    """Those who run the club and who sat in the hand; not the treasurer, not another club's."""
    shown = [new_club.owner, new_club.operator, person(new_club, "auditor"), *new_club.players]
    for caller in shown:
        assert caller.get(answered).json["note"] == "no win 没胡"
    assert code(new_club.other.get(answered)) == (403, "not_in_hand")
    for caller in (new_club.recorder, person(new_club, "treasurer")):
        assert code(caller.get(answered)) == (403, "role_missing")
    other = found_club(new_club.app, "Elsewhere")
    assert code(other.owner.get(answered)) == (404, "club_unknown")
    elsewhere = answered.replace(new_club.id, other.id)
    assert code(other.owner.get(elsewhere)) == (404, "dispute_unknown")
    assert code(decided(other.owner, elsewhere, "void")) == (404, "dispute_unknown")


def test_the_list_has_what_each_may_see(new_club: Club) -> None:
    """By state, member, table and whether somebody must decide; page by page; told as one is."""
    table = settled(new_club, hands=2)
    first = filed(new_club.players[1], f"{table}/hands/1", note="x")
    second = filed(new_club.owner, f"{table}/hands/2", note="y")
    new_club.players[1].post(f"{first}/withdraw")
    catch_up(new_club.ledger.database, new_club.id)
    path = f"{new_club.path}/disputes"

    def ids(query: str, caller: Caller = new_club.owner) -> list[str]:
        return [f"{path}/{one['id']}" for one in caller.get(f"{path}?{query}").json["data"]]

    assert ids("") == [second, first]
    assert new_club.owner.get(f"{path}?limit=1").json["data"] == [new_club.owner.get(second).json]
    assert ids(f"limit=1&starting_after={id_of(second)}") == [first]
    assert ids("open=true") == ids("state=open") == [second]
    assert ids("open=false") == ids("state=withdrawn") == [first]
    assert ids(f"table={table.rpartition('/')[2]}") == [second, first]
    assert ids("table=tbl_none") == ids("member=M-0005") == []
    assert ids("member=M-0001", new_club.players[0]) == ids("", new_club.players[0])
    assert ids("", new_club.players[0]) == [second, first]
    assert ids("", new_club.other) == []
    asked = new_club.players[0].get(f"{path}?member=M-0002")
    assert code(asked) == (403, "role_missing")
    assert code(new_club.recorder.get(path)) == (403, "role_missing")
    assert code(new_club.owner.get(f"{path}?state=lost")) == (400, "query_invalid")


def test_the_list_waits_for_a_position(new_club: Club, hand: str) -> None:
    dispute = filed(new_club.players[1], hand, note="x")
    newest = f"min_position={new_club.head()[0]}"
    [listed] = new_club.owner.get(f"{new_club.path}/disputes?{newest}").json["data"]
    assert listed["id"] == id_of(dispute)


def test_a_hand_says_that_it_is_in_dispute(new_club: Club, hand: str) -> None:
    """Where it is shown and where it is listed, and its tag is another; until it is no more."""
    before = new_club.owner.get(hand)
    dispute = filed(new_club.players[1], hand, note="x")
    during = new_club.owner.get(hand)
    catch_up(new_club.ledger.database, new_club.id)
    [listed] = new_club.owner.get(f"{new_club.path}/hands").json["data"]
    assert (before.json["disputed"], during.json["disputed"], listed["disputed"]) == (
        False,
        True,
        True,
    )
    assert before.headers["ETag"] != during.headers["ETag"]
    new_club.players[1].post(f"{dispute}/withdraw")
    after = new_club.owner.get(hand)
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])

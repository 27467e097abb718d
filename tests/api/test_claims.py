"""Claimed and computed over HTTP: where a claim parts from the rules, and what it would move."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Club
from tests.api.disputes import BOOKED, FED, OUTCOME, decided, enter, filed, limited, settled
from tests.api.everything import everything
from tests.api.test_people import code, person


@pytest.fixture
def hand(new_club: Club) -> str:
    """A hand that is settled, the first of its table."""
    return f"{settled(new_club)}/hands/1"


def compared(club: Club, hand: str, **claim: Any) -> Any:
    answer = club.players[1].post(f"{hand}/claims", claim)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_right_claim_differs_in_nothing(new_club: Club, hand: str) -> None:
    told = compared(new_club, hand, outcome=OUTCOME)
    assert (told["stands"], told["computed"], told["claimed"]) == (BOOKED, BOOKED, BOOKED)
    assert [line["differs"] for line in told["lines"]] == [False, False, False]
    assert (told["difference"], told["moves"], told["takes_two"]) == (None, 0, False)
    assert compared(new_club, hand, totals=BOOKED)["difference"] is None


def test_the_first_line_that_differs_is_told_with_its_paragraph(new_club: Club, hand: str) -> None:
    """Won by a discard seat 1 would pay 1 (C5.2); by the self-draw he and each other pay 2."""
    limited(new_club, correction=4)
    told = compared(new_club, hand, outcome=FED)
    assert (told["claimed"], told["after"]) == ([1, -1, 0, 0], [1, -1, 0, 0])
    lines = [
        tuple(one and one["points"] for one in (line["computed"], line["claimed"]))
        for line in told["lines"]
    ]
    assert lines == [(2, 1), (2, None), (2, None)]
    difference = told["difference"]
    assert (difference["line"], difference["seat"]) == (0, 0)
    assert difference["rule"] == "huaihua/1 C5.1"
    assert (told["moves"], told["takes_two"]) == (5, True)


def test_points_are_compared_by_seat(new_club: Club, hand: str) -> None:
    """Without seat 3's payment: that one line explains it."""
    told = compared(new_club, hand, totals=[4, -2, -2, 0])
    difference = told["difference"]
    assert (told["lines"], difference["line"], difference["seat"]) == ([], None, 0)
    [missing] = difference["missing"]
    assert (missing["payer"], missing["payee"], missing["points"]) == (3, 0, 2)
    assert difference["rule"] == missing["rule"]
    assert told["moves"] == 2


def test_an_outcome_that_cannot_be_is_told_why(new_club: Club, hand: str) -> None:
    """A hand that is not complete with its tile; it moves nothing."""
    wrong = {**OUTCOME, "wins": [{"seat": 0, "tile": "1p", "how": "self_draw"}]}
    told = compared(new_club, hand, outcome=wrong)
    assert (told["claimed"], told["difference"], told["lines"]) == (None, None, [])
    assert told["refusal"]["code"] == "hand_not_complete"
    assert told["refusal"]["pointer"].startswith("/outcome")
    assert told["refusal"]["detail"].endswith(".")
    assert (told["moves"], told["after"]) == (0, BOOKED)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({}, (422, "claim_empty")),
        ({"totals": BOOKED, "outcome": OUTCOME}, (422, "claim_form")),
        ({"totals": [1, 0, 0, 0]}, (422, "totals_sum")),
        ({"outcome": {**OUTCOME, "ruleset": "haozi/1"}}, (422, "claim_differs")),
        ({"totals": BOOKED, "note": "x"}, (422, "body_invalid")),
    ],
)
def test_a_claim_has_a_form(new_club: Club, hand: str, body: Any, wanted: tuple[int, str]) -> None:
    assert code(new_club.players[1].post(f"{hand}/claims", body)) == wanted


def test_asking_writes_nothing_and_is_open_to_who_may_see_the_hand(
    new_club: Club, hand: str
) -> None:
    before = everything(new_club)
    body = {"totals": BOOKED}
    askers = [new_club.owner, new_club.operator, new_club.recorder, *new_club.players]
    for caller in askers:
        assert caller.post(f"{hand}/claims", body).status_code == 200
    assert everything(new_club) == before
    for caller in (new_club.other, person(new_club, "treasurer")):
        assert code(caller.post(f"{hand}/claims", body)) == (403, "table_not_yours")
    assert code(new_club.owner.post(f"{hand}/claims?dry_run=true", body)) == (400, "query_invalid")
    unsettled = hand.replace("/hands/1", "/hands/2")
    assert code(new_club.owner.post(f"{unsettled}/claims", body)) == (409, "hand_unsettled")


def test_who_took_a_seat_over_asks_about_his_own_hands(new_club: Club, hand: str) -> None:
    """Given the fifth member in the fourth's place from the second hand on."""
    table = hand.removesuffix("/hands/1")
    seats = [*new_club.members[:3], new_club.members[4]]
    assert new_club.recorder.post(f"{table}/seats", {"seats": seats}).status_code == 200
    enter(new_club, table, totals=BOOKED)
    body = {"totals": BOOKED}
    assert new_club.other.post(f"{table}/hands/2/claims", body).status_code == 200
    assert code(new_club.other.post(f"{hand}/claims", body)) == (403, "table_not_yours")


def test_a_claim_on_a_hand_that_was_voided(new_club: Club, hand: str) -> None:
    """Nothing stands; it is still compared with what the rules make of what was recorded."""
    dispute = filed(new_club.owner, hand, note="x")
    assert decided(new_club.operator, dispute, "void").status_code == 200
    told = compared(new_club, hand, totals=BOOKED)
    assert (told["stands"], told["computed"], told["after"]) == ([0, 0, 0, 0], BOOKED, BOOKED)
    assert (told["difference"], told["moves"], told["revision"]) == (None, 6, 2)

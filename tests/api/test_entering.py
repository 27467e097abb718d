"""A hand played at a real table is entered 补录: by its outcome, or by its points alone."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import settlement
from ledger.settings import load
from projections.projection import catch_up
from tests.api.conftest import Answer, Caller, Club, at_many_tables
from tests.api.hand import WALL

OUTCOME: dict[str, Any] = {
    "ruleset": "huaihua/1",
    "dealer": 0,
    "seats": [
        {"hand": "123m456p789s55s67p", "river": "9m"},
        {"hand": "1458m2358p23669s"},
        {"hand": "267899m1149p347s"},
        {"hand": "369m1223499p148s"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}
"""A plain win of the dealer by his own draw: 2 from each other seat (C5.1)."""


@pytest.fixture
def table(new_club: Club) -> str:
    return new_club.open_table()


def settled(club: Club) -> None:
    """Let the worker and the projections do what waits for them."""
    settlement.sweep(club.ledger, load({"PAIZHANG_DATA": "/nowhere"}))
    catch_up(club.ledger.database, club.id)


def enter(club: Club, table: str, caller: Caller | None = None, **entry: Any) -> Answer:
    return (caller or club.recorder).post(f"{table}/hands", entry)


def balances(club: Club) -> list[int]:
    listed = club.owner.get(f"{club.path}/balances").json["data"]
    points = {row["id"]: row["points"] for row in listed}
    return [points[member] for member in club.members[:4]]


def test_an_outcome_is_checked_settled_and_booked_as_any_other(new_club: Club, table: str) -> None:
    """Three events, a settlement with its payments, and the balances that follow."""
    entered = enter(new_club, table, outcome=OUTCOME)
    assert entered.status_code == 201, entered.text
    assert [event["type"] for event in entered.json["events"]] == [
        "HandStarted/2",
        "HandEntered/1",
        "HandEnded/1",
    ]
    assert entered.json["state"]["totals"] == [6, -2, -2, -2]
    settled(new_club)
    scored = new_club.owner.get(f"{table}/hands/1/settlement").json
    assert scored["totals"] == [6, -2, -2, -2]
    assert [payment["rule"] for payment in scored["payments"]] == ["huaihua/1 C5.1"] * 3
    assert balances(new_club) == [6, -2, -2, -2]


def test_an_entered_hand_is_marked_as_such(new_club: Club, table: str) -> None:
    """In the list, in the hand, and in the table's state."""
    enter(new_club, table, outcome=OUTCOME)
    settled(new_club)
    enter(new_club, table, totals=[4, 0, 0, -4])
    settled(new_club)
    listed = new_club.owner.get(f"{new_club.path}/hands").json["data"]
    assert [(hand["number"], hand["entered"], hand["end"]) for hand in listed] == [
        (2, "totals", "unknown"),
        (1, "outcome", "win"),
    ]
    assert listed[1]["wins"][0]["patterns"] == ["ping_hu"]
    assert new_club.owner.get(f"{table}/hands/1").json["state"]["entered"] == "outcome"
    assert new_club.owner.get(table).json["state"]["hand"]["entered"] == "totals"


def test_what_is_told_of_the_table_is_shown(new_club: Club, table: str) -> None:
    """The tiles as they lay at the end, and the outcome as it can be scored again."""
    enter(new_club, table, outcome=OUTCOME)
    settled(new_club)
    state = new_club.owner.get(f"{table}/hands/1").json["state"]
    hand = state["seats"][0]
    assert (hand["hand"], hand["river"]) == ("123m45667p55789s", "9m")
    assert state["wins"] == [
        {"seat": 0, "tile": "8p", "how": "self_draw", "from": None, "first_turn": False}
    ]
    told = new_club.owner.get(f"{table}/hands/1/outcome").json
    again = new_club.owner.post("/v1/rulesets/huaihua/1/settle", told)
    assert again.json["totals"] == [6, -2, -2, -2]


def test_points_alone_are_booked_as_they_are_told(new_club: Club, table: str) -> None:
    """The commonest sheet: nobody knows who won, so there is neither payment nor outcome."""
    entered = enter(new_club, table, totals=[10, -3, -3, -4])
    assert entered.status_code == 201, entered.text
    settled(new_club)
    scored = new_club.owner.get(f"{table}/hands/1/settlement").json
    assert (scored["totals"], scored["payments"], scored["end"]) == (
        [10, -3, -3, -4],
        [],
        "unknown",
    )
    missing = new_club.owner.get(f"{table}/hands/1/outcome")
    assert (missing.status_code, missing.json["code"]) == (409, "outcome_unknown")
    assert balances(new_club) == [10, -3, -3, -4]


def test_who_deals_after_points_is_told_with_them(new_club: Club, table: str) -> None:
    """Without a word of it the same seat deals again."""
    enter(new_club, table, totals=[0, 0, 0, 0])
    again = new_club.owner.get(table).json["state"]
    assert (again["dealer"], again["next_dealer"]) == (0, 0)
    at_many_tables(new_club)
    other = new_club.open_table()
    enter(new_club, other, totals=[0, 0, 0, 0], next_dealer=2)
    assert new_club.owner.get(other).json["state"]["next_dealer"] == 2


def test_a_first_hand_may_go_on_from_what_nobody_recorded(new_club: Club, table: str) -> None:
    """Dealer and streak are those of the outcome, and the next hand follows from them."""
    entered = enter(new_club, table, outcome={**OUTCOME, "dealer": 3, "streak": 4})
    state = entered.json["state"]
    assert (state["hand"]["dealer"], state["hand"]["streak"], state["next_dealer"]) == (3, 4, 0)


def test_the_match_goes_on_and_ends_as_planned(new_club: Club, table: str) -> None:
    """After an entered hand another is dealt by its winner; the last one planned closes it."""
    at_many_tables(new_club)
    enter(new_club, table, outcome=OUTCOME)
    settled(new_club)
    started = enter(new_club, table, wall=WALL)
    assert (started.json["state"]["hand"]["dealer"], started.json["state"]["hand"]["streak"]) == (
        0,
        2,
    )
    played = new_club.open_table(hands=1)
    closed = enter(new_club, played, totals=[1, -1, 0, 0])
    assert closed.json["events"][-1]["type"] == "TableClosed/1"
    assert closed.json["state"]["closed"] == "played"
    dissolved = {**OUTCOME, "end": "dissolved", "wins": []}
    ended = enter(new_club, new_club.open_table(), outcome=dissolved)
    assert (ended.json["state"]["closed"], ended.json["state"]["totals"]) == (
        "dissolved",
        [0, 0, 0, 0],
    )


def test_a_manager_may_enter_a_hand_and_it_stands_in_the_operator_log(
    new_club: Club, table: str
) -> None:
    made = new_club.owner.post(f"{new_club.path}/keys", {"roles": ["manager"], "label": "another"})
    manager = Caller(new_club.owner.client, made.json["token"], made.json["id"])
    assert enter(new_club, table, manager, totals=[2, -2, 0, 0]).status_code == 201
    assert enter(new_club, table, manager, wall=WALL).json["code"] == "role_missing"
    settled(new_club)
    [act] = new_club.owner.get(f"{new_club.path}/operator_log?limit=1").json["data"]
    assert (act["act"], act["after"]["totals"]) == ("hand_entered", [2, -2, 0, 0])


def test_an_entry_on_trial_writes_nothing(new_club: Club, table: str) -> None:
    before = new_club.head()
    tried = new_club.recorder.post(f"{table}/hands?dry_run=true", {"outcome": OUTCOME})
    assert (tried.status_code, tried.json["state"]["totals"]) == (201, [6, -2, -2, -2])
    assert new_club.head() == before


REFUSED: dict[str, tuple[dict[str, Any], str, str | None]] = {
    "points that do not add up": ({"totals": [1, 0, 0, 0]}, "totals_sum", "/totals"),
    "points of too few": ({"totals": [1, -1]}, "seats_count", "/totals"),
    "both": ({"totals": [1, -1, 0, 0], "outcome": OUTCOME}, "entry_empty", None),
    "points and a wall": ({"totals": [1, -1, 0, 0], "wall": WALL}, "entry_empty", None),
    "neither": ({"next_dealer": 1}, "entry_empty", None),
    "a seat that is not there": (
        {"totals": [0, 0, 0], "next_dealer": 3},
        "seat_unknown",
        "/next_dealer",
    ),
    "another dealer": (
        {"outcome": {**OUTCOME, "dealer": 1, "streak": 2}},
        "entry_differs",
        "/outcome/dealer",
    ),
    "another streak": ({"outcome": {**OUTCOME, "streak": 3}}, "entry_differs", "/outcome/streak"),
    "other options": (
        {"outcome": {**OUTCOME, "options": {"base_score": 2}}},
        "entry_differs",
        "/outcome/options/win_mode",
    ),
    "an option that is none": (
        {"outcome": {**OUTCOME, "options": {"fee": 2}}},
        "option_unknown",
        "/outcome/options",
    ),
    "another game": (
        {"outcome": {**OUTCOME, "ruleset": "tibet/1"}},
        "entry_differs",
        "/outcome/ruleset",
    ),
    "a hand that is no win": (
        {"outcome": {**OUTCOME, "wins": [{"seat": 1, "tile": "8p", "how": "self_draw"}]}},
        "hand_not_complete",
        "/outcome/wins/0",
    ),
    "tiles that are none": (
        {"outcome": {**OUTCOME, "seats": [{"hand": "0x"}, *OUTCOME["seats"][1:]]}},
        "tile_unknown",
        "/outcome/seats/0/hand",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_entered(club: Club, case: str) -> None:
    """Each is refused by name, at its place, and nothing is written."""
    entry, code, pointer = REFUSED[case]
    three = {"seats": list(club.members[:3]), "options": {"players": 3}}
    table = club.open_table(**(three if case == "a seat that is not there" else {}))
    if case in ("another dealer", "another streak"):
        enter(club, table, totals=[0, 0, 0, 0])
        settled(club)
    before = club.head()
    refused = enter(club, table, **entry)
    assert (refused.status_code, refused.json["code"]) == (422, code), refused.text
    faults = refused.json.get("errors", [{"pointer": None}])
    assert [fault["pointer"] for fault in faults] == [pointer]
    assert club.head() == before


def test_while_a_hand_runs_none_is_entered(club: Club) -> None:
    table = club.open_table()
    enter(club, table, wall=WALL)
    refused = enter(club, table, totals=[1, -1, 0, 0])
    assert (refused.status_code, refused.json["code"]) == (409, "hand_running")

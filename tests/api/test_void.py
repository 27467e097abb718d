"""A manager voids a running hand 作废 over HTTP, and the match goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Caller, Club, found_club
from tests.api.hand import BEFORE, DEALT, FED, PUNG, WALL, WIN

NOTE = {"note": "a tile fell 掉牌"}


@pytest.fixture
def table(club: Club) -> str:
    """A table in the middle of a window: seat 1 has answered, seat 2 is still asked."""
    path = club.open_table()
    club.recorder.post(f"{path}/hands", {"wall": WALL})
    actions = {"actions": [*BEFORE, FED, PUNG]}
    assert club.recorder.post(f"{path}/actions", actions, If_Match='"3"').status_code == 201
    return path


def key(club: Club, *roles: str) -> Caller:
    """Another key of the club."""
    made = club.owner.post(f"{club.path}/keys", {"roles": list(roles), "label": "another"})
    assert made.status_code == 201, made.text
    return Caller(club.owner.client, made.json["token"], made.json["id"])


def test_a_manager_voids_the_hand_that_runs(club: Club, table: str) -> None:
    """One event, in which the note is a digest; everything in the hand is shown."""
    voided = key(club, "manager").post(f"{table}/hands/1/void", NOTE)
    assert voided.status_code == 200
    [event] = voided.json["events"]
    assert (event["type"], event["role"]) == ("HandVoided/1", "manager")
    assert event["public"]["hands"] == 3
    assert "掉牌" not in voided.text
    state = voided.json["state"]
    assert (state["hands"], state["closed"], state["totals"]) == (3, None, [0, 0, 0, 0])
    assert (state["hand"]["end"], state["hand"]["wall"]) == ("void", WALL)
    assert (state["dealer"], state["next_dealer"]) == (0, 0)
    assert voided.json["legal_actions"] == [[], [], [], []]
    assert voided.headers["ETag"] == '"15"'


def test_its_players_see_it_whole_afterwards(club: Club, table: str) -> None:
    """Before, each his own tiles; after, every hand, and the secret that proves them."""
    before = club.players[3].get(table).json["state"]["hand"]["seats"]
    assert before[1]["hand"] == "?" * 13
    club.owner.post(f"{table}/hands/1/void", NOTE)
    after = club.players[3].get(table)
    assert after.json["state"]["hand"]["seats"][1]["hand"] == DEALT[1]
    assert after.headers["Cache-Control"] == "private, no-cache"


def test_the_match_goes_on_with_the_same_dealer(club: Club, table: str) -> None:
    """The next hand has the next number, and what is planned is one hand more."""
    club.owner.post(f"{table}/hands/1/void", NOTE)
    started = club.recorder.post(f"{table}/hands", {"wall": WALL})
    assert started.status_code == 201
    state = started.json["state"]
    assert (state["hand"]["number"], state["hand"]["dealer"], state["hand"]["streak"]) == (2, 0, 1)
    assert state["hands"] == 3


def test_the_recorder_learns_of_it_with_its_next_action(club: Club, table: str) -> None:
    """Its version is stale; with the new one no hand runs."""
    club.owner.post(f"{table}/hands/1/void", NOTE)
    stale = club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
    assert (stale.status_code, stale.json["current_version"]) == (412, 15)
    late = club.recorder.post(f"{table}/actions", WIN, If_Match='"15"')
    assert (late.status_code, late.json["code"]) == (409, "no_hand_running")


def test_asked_again_it_changes_nothing(club: Club, table: str) -> None:
    """Under the same key the first answer again, under another one no event."""
    first = club.owner.post(f"{table}/hands/1/void", NOTE, Idempotency_Key="void once")
    before = club.head()
    again = club.owner.post(f"{table}/hands/1/void", NOTE, Idempotency_Key="void once")
    other = club.owner.post(f"{table}/hands/1/void", {"note": "to be sure"})
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (other.status_code, other.json["events"]) == (200, [])
    assert other.headers["ETag"] == first.headers["ETag"]
    assert club.head() == before


def test_under_its_key_it_is_never_done_to_the_next_hand(club: Club, table: str) -> None:
    """A retry that comes late gets the first answer, and the hand that runs by then goes on."""
    first = club.owner.post(f"{table}/hands/1/void", NOTE, Idempotency_Key="void late")
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    again = club.owner.post(f"{table}/hands/1/void", NOTE, Idempotency_Key="void late")
    assert again.data == first.data
    assert club.owner.get(table).json["state"]["hand"]["end"] is None


def test_a_version_that_was_seen_is_held_to(club: Club, table: str) -> None:
    """With If-Match only the table as it was seen is changed."""
    before = club.head()
    stale = club.owner.post(f"{table}/hands/1/void", NOTE, If_Match='"13"')
    assert (stale.status_code, stale.json["code"]) == (412, "version_stale")
    assert club.head() == before


@pytest.mark.parametrize("who", ["recorder", "player", "auditor"])
def test_who_does_not_run_the_club_voids_nothing(club: Club, table: str, who: str) -> None:
    """Not even the table's recorder."""
    callers = {"recorder": club.recorder, "player": club.players[0]}
    caller = callers.get(who) or key(club, who)
    before = club.head()
    refused = caller.post(f"{table}/hands/1/void", NOTE)
    assert (refused.status_code, refused.json["code"]) == (403, "role_missing")
    assert club.head() == before


def test_another_clubs_owner_finds_no_such_table(club: Club, table: str) -> None:
    stranger = found_club(club.app, "Other")
    refused = stranger.owner.post(f"{table}/hands/1/void", NOTE)
    assert (refused.status_code, refused.json["code"]) == (404, "table_unknown")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/note", "field_missing"),
        ({"note": None}, "/note", "field_null"),
        ({"note": ""}, "/note", "text_length"),
        ({"note": "x" * 65}, "/note", "text_length"),
        ({"note": "a\nb"}, "/note", "text_form"),
        ({**NOTE, "hand": 1}, "/hand", "field_unknown"),
        ({**NOTE, "at": "noon"}, "/at", "time_form"),
    ],
)
def test_why_must_be_said(
    club: Club, table: str, body: dict[str, Any], pointer: str, code: str
) -> None:
    before = club.head()
    refused = club.owner.post(f"{table}/hands/1/void", body)
    assert refused.status_code == 422
    assert [(e["pointer"], e["code"]) for e in refused.json["errors"]] == [(pointer, code)]
    assert club.head() == before


def test_between_two_hands_there_is_nothing_to_void(club: Club) -> None:
    """Neither before the first hand nor after one that was played to its end."""
    path = club.open_table()
    early = club.owner.post(f"{path}/hands/1/void", NOTE)
    assert (early.status_code, early.json["code"]) == (409, "hand_not_running")
    club.recorder.post(f"{path}/hands", {"wall": WALL})
    club.recorder.post(f"{path}/actions", {"actions": [*BEFORE, FED, PUNG, WIN]}, If_Match='"3"')
    late = club.owner.post(f"{path}/hands/1/void", NOTE, Accept_Language="zh")
    assert (late.status_code, late.json["title"]) == (409, "此局不在进行")

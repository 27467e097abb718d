"""A match ticked 对账 over HTTP: asked, answered, listed, and taken away by a correction."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Club
from tests.api.disputes import BOOKED, caught_up
from tests.api.everything import everything
from tests.api.hand import WALL
from tests.api.test_people import person

RIGHT = {"ticked": True, "note": "as the game server says 与服务器一致"}


@pytest.fixture
def table(new_club: Club) -> str:
    """The path of a match that is over after its only hand."""
    return over(new_club)


def over(club: Club) -> str:
    table = club.open_table(hands=1)
    entered = club.recorder.post(f"{table}/hands", {"totals": BOOKED})
    assert entered.status_code == 201, entered.text
    caught_up(club)
    return table


def listed(club: Club, query: str = "") -> list[dict[str, Any]]:
    path = f"{club.path}/tables?min_position={club.head()[0]}{query}"
    return list(club.owner.get(path).json["data"])


def test_an_officer_ticks_a_match(new_club: Club, table: str) -> None:
    """The answer says who and when, and the list of tables says it too."""
    before = new_club.owner.get(table).json["version"]
    answer = new_club.owner.post(f"{table}/tick", RIGHT)
    assert answer.status_code == 200, answer.text
    told = answer.json
    assert told == {
        "object": "tick",
        "table": table.rpartition("/")[2],
        "ticked": True,
        "ticked_by": new_club.owner.id,
        "ticked_at": told["ticked_at"],
        "version": before + 1,
        "position": new_club.head()[0],
    }
    assert answer.headers["ETag"] == f'"{before + 1}"'
    [row] = listed(new_club)
    assert (row["ticked_by"], row["ticked_at"]) == (new_club.owner.id, told["ticked_at"])


def test_it_is_taken_back(new_club: Club, table: str) -> None:
    new_club.owner.post(f"{table}/tick", RIGHT)
    answer = new_club.owner.post(f"{table}/tick", {"ticked": False})
    assert (answer.json["ticked"], answer.json["ticked_by"]) == (False, None)
    [row] = listed(new_club)
    assert (row["ticked_by"], row["ticked_at"]) == (None, None)


def test_a_treasurer_who_sees_no_table_is_answered_with_the_tick_alone(
    new_club: Club, table: str
) -> None:
    treasurer = person(new_club, "treasurer")
    assert treasurer.get(table).status_code == 403
    answer = treasurer.post(f"{table}/tick", RIGHT)
    assert answer.json["ticked_by"] == treasurer.id
    assert not answer.json.keys() & {"state", "events"}


def test_what_is_asked_again_is_answered_as_before(new_club: Club, table: str) -> None:
    """By the same request, whatever was done since; and by another one, without a new event."""
    first = new_club.owner.post(f"{table}/tick", RIGHT, Idempotency_Key="once")
    other = person(new_club, "referee").post(f"{table}/tick", {"ticked": True})
    assert other.json == first.json
    new_club.owner.post(f"{table}/tick", {"ticked": False})
    again = new_club.owner.post(f"{table}/tick", RIGHT, Idempotency_Key="once")
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_tick_on_trial_writes_nothing(new_club: Club, table: str) -> None:
    before = everything(new_club)
    answer = new_club.owner.post(f"{table}/tick?dry_run=true", RIGHT)
    assert (answer.status_code, answer.json["ticked"]) == (200, True)
    assert everything(new_club) == before


def test_tables_are_asked_for_by_their_ticks(new_club: Club, table: str) -> None:
    new_club.owner.post(f"{table}/tick", RIGHT)
    waits, runs = over(new_club), new_club.open_table()
    paths = {f"/v1/tables/{row['id']}" for row in listed(new_club, "&ticked=false")}
    assert paths == {waits}
    assert {f"/v1/tables/{row['id']}" for row in listed(new_club, "&ticked=true")} == {table}
    assert len(listed(new_club)) == len({table, waits, runs})
    totals = new_club.owner.get(f"{new_club.path}/tables/totals").json
    assert (totals["tables"], totals["unticked"]) == (3, 1)
    assert new_club.owner.get(f"{new_club.path}/tables?ticked=yes").status_code == 400


def test_a_hand_that_is_corrected_takes_the_tick_away(new_club: Club, table: str) -> None:
    """It is ticked again as it is now; the answer tells that it was."""
    first = new_club.owner.post(f"{table}/tick", RIGHT)
    right = {"ruling": "correct", "reason": "mistyped", "totals": [9, -3, -3, -3], "note": "x"}
    corrected = new_club.operator.post(f"{table}/hands/1/correct", right)
    assert corrected.status_code == 201, corrected.text
    caught_up(new_club)
    [row] = listed(new_club)
    assert (row["ticked_by"], row["totals"]) == (None, [9, -3, -3, -3])
    second = new_club.owner.post(f"{table}/tick", RIGHT)
    assert second.json["position"] > first.json["position"]


def test_it_stands_in_the_operator_log_with_its_note(new_club: Club, table: str) -> None:
    new_club.owner.post(f"{table}/tick", RIGHT)
    path = f"{new_club.path}/operator_log?act=table_ticked&min_position={new_club.head()[0]}"
    [act] = new_club.owner.get(path).json["data"]
    assert (act["target"], act["after"]) == (table.rpartition("/")[2], {"ticked": True})
    assert (act["reason"], act["role"]) == (RIGHT["note"], "owner")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Its points can be checked off when it has ended."),
        ("zh", "本桌尚未结束，结束后才能对账。"),
    ],
)
def test_a_match_that_goes_on_is_refused(club: Club, language: str, sentence: str) -> None:
    table = club.open_table()
    answer = club.owner.post(f"{table}/tick", RIGHT, Accept_Language=language)
    assert (answer.status_code, answer.json["code"]) == (409, "table_runs")
    assert answer.json["detail"] == sentence


def test_of_a_match_that_goes_on_there_is_nothing_to_take_back(new_club: Club) -> None:
    """In the middle of a hand too; its events stay as they are, and nothing of it is told."""
    table = new_club.open_table()
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    before = new_club.head()
    answer = new_club.owner.post(f"{table}/tick", {"ticked": False})
    assert (answer.status_code, answer.json["ticked"]) == (200, False)
    assert answer.json.keys() == {
        *("object", "table", "ticked", "ticked_by", "ticked_at", "version", "position")
    }
    assert new_club.head() == before


def test_a_hand_that_is_not_settled_is_refused(new_club: Club) -> None:
    table = new_club.open_table(hands=1)
    new_club.recorder.post(f"{table}/hands", {"totals": BOOKED})
    answer = new_club.owner.post(f"{table}/tick", RIGHT)
    assert (answer.status_code, answer.json["code"]) == (409, "hands_unsettled")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/ticked"),
        ({"ticked": "yes"}, "/ticked"),
        ({"ticked": None}, "/ticked"),
        ({"ticked": True, "note": ""}, "/note"),
        ({"ticked": True, "at": "2026-11-28T20:00:00Z"}, "/at"),
    ],
    ids=["nothing", "a word", "null", "an empty note", "a time"],
)
def test_a_body_that_says_something_else(club: Club, body: Any, pointer: str) -> None:
    answer = club.owner.post(f"{club.open_table()}/tick", body)
    assert answer.status_code == 422
    assert [fault["pointer"] for fault in answer.json["errors"]] == [pointer]


def test_a_version_that_was_seen_may_be_told(new_club: Club, table: str) -> None:
    stale = new_club.owner.post(f"{table}/tick", RIGHT, If_Match='"1"')
    assert (stale.status_code, stale.json["code"]) == (412, "version_stale")
    version = new_club.owner.get(table).json["version"]
    fresh = new_club.owner.post(f"{table}/tick", RIGHT, If_Match=f'"{version}"')
    assert fresh.status_code == 200

"""Seats that change, and wishes to dissolve, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Club, found_club
from tests.api.everything import everything
from tests.api.hand import BEFORE, FED, PUNG, WALL, WIN
from tests.api.test_entering import settled
from tests.api.test_governing import give, limit, played
from tests.api.test_people import code, person

VOTES = [
    {"seat": 0, "answer": "agreed", "seconds": 4},
    {"seat": 1, "answer": "refused", "seconds": 9},
    {"seat": 3, "answer": "silent", "seconds": 60},
]
WISH = {"seat": 2, "votes": VOTES}


def swapped(club: Club) -> list[str]:
    """Seats 0 and 1 change places."""
    first, second, *others = club.members[:4]
    return [second, first, *others]


def test_members_change_seats_between_two_hands(new_club: Club) -> None:
    """Each takes his points of the match with him; the next hand is dealt to the new seats."""
    table = new_club.open_table()
    played(new_club, table)
    settled(new_club)
    changed = new_club.recorder.post(f"{table}/seats", {"seats": swapped(new_club)})
    assert changed.status_code == 200, changed.text
    [event] = changed.json["events"]
    assert (event["type"], event["public"]["lines"]) == ("SeatsChanged/1", [1, 0, 2, 3])
    assert changed.json["state"]["seats"] == swapped(new_club)
    assert changed.json["state"]["totals"] == [0, -1, 1, 0]
    started = new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    assert started.json["state"]["seats"] == swapped(new_club)


def test_another_one_takes_a_seat_over(new_club: Club) -> None:
    """He sees the table from then on, and may sit nowhere else; who stood up may."""
    table = new_club.open_table()
    assert new_club.other.get(table).status_code == 403
    seats = ["M-0005", "M-0002", "M-0003", "M-0004"]
    changed = new_club.owner.post(f"{table}/seats", {"seats": seats})
    assert changed.json["state"]["seats"][0] == new_club.members[4]
    assert new_club.other.get(table).status_code == 200
    seen = new_club.other.get(f"{new_club.path}/events?limit=1000").json["data"]
    assert "SeatsChanged/1" in [one.get("type") for one in seen]
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    own = new_club.other.get(table).json["state"]["hand"]["seats"]
    assert "?" not in own[0]["hand"]
    assert set(own[1]["hand"]) == {"?"}
    elsewhere = new_club.recorder.post(
        f"{new_club.path}/tables",
        {"ruleset": "huaihua/1", "hands": 1, "seats": ["M-0001", "M-0005"], "options": TWO},
    )
    assert code(elsewhere) == (409, "table_elsewhere")
    assert elsewhere.json["errors"][0]["pointer"] == "/seats/1"


TWO = {"players": 2}


@pytest.mark.parametrize(
    ("seats", "status", "why", "pointer"),
    [
        (["M-0001"], 422, "body_invalid", "/seats"),
        (["M-0001", "M-0002", "M-0003"], 422, "seats_count", "/seats"),
        (["M-0001", "M-0001", "M-0003", "M-0004"], 422, "member_seated_twice", "/seats"),
        (["M-0001", "M-0099", "M-0003", "M-0004"], 422, "member_unknown", "/seats/1"),
        (["M-0001", "x", "M-0003", "M-0004"], 422, "body_invalid", "/seats/1"),
    ],
)
def test_seats_have_their_form(
    new_club: Club, seats: list[str], status: int, why: str, pointer: str
) -> None:
    table = new_club.open_table()
    refused = new_club.recorder.post(f"{table}/seats", {"seats": seats})
    assert code(refused) == (status, why)
    assert refused.json["errors"][0]["pointer"] == pointer


def test_nobody_changes_seats_while_a_hand_runs(new_club: Club) -> None:
    table = new_club.open_table()
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    refused = new_club.recorder.post(f"{table}/seats", {"seats": swapped(new_club)})
    assert code(refused) == (409, "hand_running")


def test_who_comes_is_held_to_the_limits(new_club: Club) -> None:
    """As he would be at a new table; whoever sat there already stays, poor as he is."""
    table = new_club.open_table()
    give(new_club, m5=-5)
    limit(new_club, entry_floor=0)
    refused = new_club.recorder.post(
        f"{table}/seats", {"seats": ["M-0001", "M-0002", "M-0003", "M-0005"]}
    )
    assert code(refused) == (409, "below_entry_floor")
    assert refused.json["errors"][0]["pointer"] == "/seats/3"


def test_a_dissolution_tells_whose_wish_it_was(new_club: Club) -> None:
    """Who agreed, who refused, who was silent, and the scores then; then the table is closed."""
    table = new_club.open_table()
    ended = new_club.recorder.post(f"{table}/dissolve", {"wish": WISH})
    voted, closed = ended.json["events"]
    assert (voted["type"], closed["type"]) == ("DissolutionVoted/1", "TableClosed/1")
    said = voted["public"]
    assert (said["seat"], said["passed"], said["scores"]) == (2, True, [0, 0, 0, 0])
    assert said["votes"] == VOTES
    assert ended.json["state"]["closed"] == "dissolved"


def test_a_wish_that_came_to_nothing_is_told_too(new_club: Club) -> None:
    """In the middle of a hand; the hand runs on."""
    table = new_club.open_table()
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    told = new_club.recorder.post(f"{table}/votes", {"wish": WISH})
    assert told.status_code == 201, told.text
    [event] = told.json["events"]
    assert (event["type"], event["public"]["passed"]) == ("DissolutionVoted/1", False)
    actions = {"actions": [*BEFORE, FED, PUNG, WIN]}
    ended = new_club.recorder.post(f"{table}/actions", actions, If_Match=told.headers["ETag"])
    assert ended.json["state"]["hand"]["end"] == "win"


@pytest.mark.parametrize(
    ("wish", "why", "pointer"),
    [
        ({"seat": 4, "votes": []}, "field_range", "/wish/seat"),
        (
            {"seat": 0, "votes": [{**VOTES[1], "answer": "yes"}]},
            "field_choice",
            "/wish/votes/0/answer",
        ),
        (
            {"seat": 0, "votes": [{**VOTES[1], "seconds": -1}]},
            "field_range",
            "/wish/votes/0/seconds",
        ),
        ({"seat": 1, "votes": VOTES[:2]}, "voted_twice", "/wish/votes/1/seat"),
        (None, "field_null", "/wish"),
    ],
)
def test_a_wish_has_its_form(
    new_club: Club, wish: dict[str, Any] | None, why: str, pointer: str
) -> None:
    table = new_club.open_table()
    refused = new_club.recorder.post(f"{table}/votes", {"wish": wish})
    [fault] = refused.json["errors"]
    assert (refused.status_code, fault["code"], fault["pointer"]) == (422, why, pointer)


@pytest.mark.parametrize("way", ["seats", "votes"])
def test_the_recorder_and_officers_tell_of_a_table(new_club: Club, way: str) -> None:
    table = new_club.open_table()
    body = {"seats": {"seats": swapped(new_club)}, "votes": {"wish": WISH}}[way]
    made = new_club.owner.post(f"{new_club.path}/keys", {"roles": ["recorder"], "label": "x"})
    for caller in (new_club.players[0], person(new_club, "referee")):
        assert code(caller.post(f"{table}/{way}", body)) == (403, "role_missing")
    other = type(new_club.owner)(new_club.owner.client, made.json["token"])
    assert code(other.post(f"{table}/{way}", body)) == (403, "not_the_recorder")
    stranger = found_club(new_club.app, "Elsewhere")
    assert code(stranger.recorder.post(f"{table}/{way}", body)) == (404, "table_unknown")
    assert person(new_club, "manager").post(f"{table}/{way}", body).status_code in (200, 201)


@pytest.mark.parametrize("way", ["seats", "votes"])
def test_they_are_tried_repeated_and_versioned(new_club: Club, way: str) -> None:
    """A trial writes nothing, a retry has the first answer, a stale version is refused."""
    table = new_club.open_table()
    body = {"seats": {"seats": swapped(new_club)}, "votes": {"wish": WISH}}[way]
    before = everything(new_club)
    tried = new_club.recorder.post(f"{table}/{way}?dry_run=true", body)
    assert (tried.status_code in (200, 201), tried.headers["Dry-Run"]) == (True, "true")
    assert everything(new_club) == before
    key = {"Idempotency_Key": f"{way}-{new_club.id}"}
    first = new_club.recorder.post(f"{table}/{way}", body, If_Match='"1"', **key)
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    again = new_club.recorder.post(f"{table}/{way}", body, If_Match='"1"', **key)
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    stale = new_club.recorder.post(f"{table}/{way}", body, If_Match='"1"')
    assert code(stale) == (412, "version_stale")

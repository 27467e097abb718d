"""A hand over HTTP with a recorder's key, from the deal to the win."""

from __future__ import annotations

import pytest

from ledger.telling import time_text
from tests.api.conftest import Answer, Club
from tests.api.hand import BEFORE, DEALT, FED, PUNG, WALL, WIN


@pytest.fixture
def table(club: Club) -> str:
    """A table whose dealer is about to discard."""
    path = club.open_table(room="大厅")
    assert club.recorder.post(f"{path}/hands", {"wall": WALL}).status_code == 201
    return path


def test_one_hand_is_recorded_from_the_deal_to_the_win(club: Club) -> None:
    """Deal, a round of discards, a window with a pung and a win: every answer says what follows."""
    path = club.open_table()
    started = club.recorder.post(f"{path}/hands", {"wall": WALL})
    assert types(started) == ["HandStarted/2", "Dealt/1"]
    assert [seat["hand"] for seat in started.json["state"]["hand"]["seats"]] == list(DEALT)
    assert {"seat": 0, "action": "discard", "tile": "9s"} in started.json["legal_actions"][0]

    round_one = club.recorder.post(f"{path}/actions", {"actions": BEFORE}, If_Match='"3"')
    assert round_one.json["version"] == 11
    assert round_one.json["state"]["hand"]["turn"] == {"seat": 0, "by": "draw", "tile": "5p"}

    fed = club.recorder.post(f"{path}/actions", FED, If_Match=round_one.headers["ETag"])
    assert types(fed) == ["Discarded/1", "Offered/1"]
    may_pung = [{"seat": 1, "action": "pung"}, {"seat": 1, "action": "pass"}]
    may_win = [{"seat": 2, "action": "win"}, {"seat": 2, "action": "pass"}]
    assert fed.json["legal_actions"] == [[], may_pung, may_win, []]

    answered = club.recorder.post(f"{path}/actions", PUNG, If_Match='"13"')
    assert answered.json["legal_actions"] == [[], [], may_win, []]

    won = club.recorder.post(f"{path}/actions", WIN, If_Match='"14"')
    assert types(won) == ["Answered/1", "Won/1", "HandEnded/1"]
    assert won.json["state"]["hand"]["wins"] == [
        {"seat": 2, "tile": "5p", "how": "discard", "from": 0, "first_turn": False}
    ]
    assert won.json["state"]["hand"]["wall"] == WALL
    assert won.json["legal_actions"] == [[], [], [], []]


def test_an_answer_says_where_table_and_log_stand(club: Club, table: str) -> None:
    """Version, position and hash of its last event; the table shows the same state after it."""
    sent = club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"3"')
    position, last = club.head()
    assert (sent.status_code, sent.headers["ETag"]) == (201, '"5"')
    assert sent.json["version"] == 5
    assert (sent.json["position"], sent.json["head_hash"]) == (position, last.hex())
    assert sent.json["events"][-1]["hash"] == last.hex()
    seen = club.recorder.get(table)
    assert seen.headers["ETag"] == '"5"'
    assert seen.json["state"] == sent.json["state"]


def types(answer: Answer) -> list[str]:
    assert answer.status_code == 201, answer.text
    return [event["type"] for event in answer.json["events"]]


def test_an_illegal_action_is_refused_with_its_rule_and_nothing_is_written(
    club: Club, table: str
) -> None:
    """Seat 1 may not discard on seat 0's turn: common 5, and the log stays as it was."""
    before = club.head()
    refused = club.recorder.post(
        f"{table}/actions", {"seat": 1, "action": "discard", "tile": "5p"}, If_Match='"3"'
    )
    assert refused.status_code == 422
    assert refused.content_type == "application/problem+json"
    assert refused.json["code"] == "not_your_turn"
    assert refused.json["rule"] == "common 5"
    assert (
        refused.json["detail"] == "It is not the turn of seat 1, and no tile waits to be claimed."
    )
    assert club.head() == before


def test_a_list_of_actions_happens_whole_or_not_at_all(club: Club, table: str) -> None:
    """The third of three is not legal: none happens, and its place and reason are told."""
    before = club.head()
    actions = [*BEFORE[:2], {"seat": 2, "action": "discard", "tile": "9p"}]
    refused = club.recorder.post(f"{table}/actions", {"actions": actions}, If_Match='"3"')
    assert refused.status_code == 422
    assert refused.json["code"] == "tile_not_held"
    assert refused.json["errors"] == [
        {
            "pointer": "/actions/2",
            "code": "tile_not_held",
            "detail": "Seat 2 does not hold 9p.",
        }
    ]
    assert club.head() == before


def test_a_retry_gets_the_first_answer_byte_for_byte(club: Club, table: str) -> None:
    """The same key, body and old ETag, after the hand has gone on and even ended."""
    path = f"{table}/actions"
    club.recorder.post(path, {"actions": BEFORE}, If_Match='"3"')
    first = club.recorder.post(path, FED, If_Match='"11"', Idempotency_Key="fed")
    club.recorder.post(path, PUNG, If_Match='"13"')
    club.recorder.post(path, WIN, If_Match='"14"')
    before = club.head()

    again = club.recorder.post(path, FED, If_Match='"11"', Idempotency_Key="fed")
    assert again.data == first.data
    assert again.status_code == first.status_code == 201
    assert again.headers["ETag"] == first.headers["ETag"] == '"13"'
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert club.head() == before


@pytest.mark.parametrize("what", ["tables", "members"])
def test_a_retry_of_a_making_makes_nothing_new(club: Club, what: str) -> None:
    """A table opened twice with one key is one table, with its dealer drawn once."""
    body: dict[str, object] = {"name": "Li 李"}
    caller = club.owner
    if what == "tables":
        seats = list(club.members[:4])
        body, caller = {"ruleset": "huaihua/1", "seats": seats, "hands": 4}, club.recorder
    first = caller.post(f"{club.path}/{what}", body, Idempotency_Key="once")
    again = caller.post(f"{club.path}/{what}", body, Idempotency_Key="once")
    assert first.status_code == again.status_code == 201
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_keys_token_is_shown_once(club: Club) -> None:
    """A retry tells the same key without its secret, even after it was revoked."""
    body = {"roles": ["recorder"], "label": "server 2"}
    first = club.owner.post(f"{club.path}/keys", body, Idempotency_Key="one key")
    club.owner.post(f"{club.path}/keys/{first.json['id']}/revoke")
    again = club.owner.post(f"{club.path}/keys", body, Idempotency_Key="one key")
    assert first.json["token"].startswith("pz_")
    assert again.json == {**first.json, "token": None}


def test_the_same_key_with_another_body_changes_nothing(club: Club, table: str) -> None:
    """An Idempotency-Key is bound to its request for ever."""
    club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"3"', Idempotency_Key="bound")
    before = club.head()
    refused = club.recorder.post(
        f"{table}/actions", BEFORE[1], If_Match='"5"', Idempotency_Key="bound"
    )
    assert (refused.status_code, refused.json["code"]) == (422, "idempotency_key_reused")
    assert club.head() == before


def test_the_same_body_written_differently_is_the_same_request(club: Club, table: str) -> None:
    """Spaces and the order of fields do not make another request."""
    sent = (
        b'{"seat":0,"action":"discard","tile":"9s"}',
        b'{ "tile": "9s", "action": "discard",\n "seat": 0 }',
    )
    path, same = f"{table}/actions", {"If_Match": '"3"', "Idempotency_Key": "spaced"}
    answers = [club.recorder.send("POST", path, body, **same) for body in sent]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].data == answers[1].data


def test_a_stale_version_is_refused_with_the_current_one(club: Club, table: str) -> None:
    """Who has not seen the last discard decides again."""
    club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"3"')
    before = club.head()
    refused = club.recorder.post(f"{table}/actions", BEFORE[1], If_Match='"3"')
    assert (refused.status_code, refused.json["code"]) == (412, "version_stale")
    assert refused.json["current_version"] == 5
    assert club.head() == before


def test_actions_without_a_version_are_refused(club: Club, table: str) -> None:
    """If-Match is required with actions: 428."""
    refused = club.recorder.post(f"{table}/actions", BEFORE[0])
    assert (refused.status_code, refused.json["code"]) == (428, "version_missing")


def test_the_time_of_an_action_comes_from_its_sender(club: Club, table: str) -> None:
    """`at` is the event's occurred_at; one before the last, or far ahead, is refused."""
    minute, now = 60_000_000, club.ledger.clock()
    at = time_text(now + minute)
    sent = club.recorder.post(f"{table}/actions", {**BEFORE[0], "at": at}, If_Match='"3"')
    assert sent.json["events"][0]["occurred_at"] == at
    for shift, code in ((-1, "at_before_last"), (7, "at_in_future")):
        action = {**BEFORE[1], "at": time_text(now + shift * minute)}
        refused = club.recorder.post(f"{table}/actions", action, If_Match='"5"')
        assert (refused.status_code, refused.json["code"]) == (422, code)


def test_the_recorder_answers_for_a_silent_seat(club: Club, table: str) -> None:
    """An answer with the cause `timeout` does not hold up the table."""
    club.recorder.post(f"{table}/actions", {"actions": [*BEFORE, FED, PUNG]}, If_Match='"3"')
    silent = {"seat": 2, "action": "pass", "cause": "timeout"}
    passed = club.recorder.post(f"{table}/actions", silent, If_Match='"14"')
    assert passed.status_code == 201
    part = passed.json["events"][0]["slots"][2]["part"]
    assert (part["choice"], part["cause"]) == ("pass", "timeout")
    assert passed.json["state"]["hand"]["seats"][1]["melds"] == [
        {"kind": "pung", "how": None, "tile": "5p", "from": 0, "late": False}
    ]


def test_a_match_can_be_dissolved_in_the_middle_of_a_hand(club: Club, table: str) -> None:
    """The hand and the match end at once; asking again changes nothing."""
    ended = club.recorder.post(f"{table}/dissolve", {"note": "power cut"})
    assert ended.status_code == 200
    assert [event["type"] for event in ended.json["events"]] == ["HandEnded/1", "TableClosed/1"]
    assert ended.json["state"]["closed"] == "dissolved"
    again = club.owner.post(f"{table}/dissolve")
    assert (again.status_code, again.json["events"]) == (200, [])
    assert again.json["version"] == ended.json["version"]


def test_the_owner_closes_a_match_between_two_hands(club: Club) -> None:
    """Not while a hand runs, and a recorder not at all."""
    path = club.open_table()
    assert club.recorder.post(f"{path}/close").status_code == 403
    club.recorder.post(f"{path}/hands")
    assert club.owner.post(f"{path}/close").json["code"] == "hand_running"
    other = club.open_table()
    closed = club.owner.post(f"{other}/close", {"note": "closing time"})
    assert closed.json["state"]["closed"] == "closed"
    started = club.recorder.post(f"{other}/hands")
    assert (started.status_code, started.json["code"]) == (409, "table_closed")


def test_a_ref_names_one_match_of_the_club(club: Club) -> None:
    """The sender's own name of a match is unique."""
    table = club.open_table(ref="lobby-7/0042")
    seats = list(club.members[:4])
    body = {"ruleset": "huaihua/1", "seats": seats, "hands": 4, "ref": "lobby-7/0042"}
    refused = club.recorder.post(f"{club.path}/tables", body)
    assert (refused.status_code, refused.json["code"]) == (409, "ref_taken")
    assert refused.json["errors"][0]["pointer"] == "/ref"
    assert table.endswith(refused.json["detail"].split()[2])

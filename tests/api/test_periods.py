"""Closing the books over HTTP: the checklist, closing, opening again, each member's word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from ledger.api import edge
from tests.api.conftest import Answer, Caller, Club, found_club, once_served, serving
from tests.api.disputes import OUTCOME
from tests.api.everything import everything
from tests.api.hand import WALL
from tests.api.test_entering import settled
from tests.api.test_governing import give, played
from tests.api.test_people import code, person
from tests.conftest import KINDS

FIRST = "2025-11-28"
"""The business day on which the club is founded."""


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def later(database_url: str) -> Iterator[Club]:
    """A club, alone in its database, that gave M-0001 300 points and took 100 from M-0002.

    That was yesterday.
    """
    with serving(database_url) as app:
        yield once_served(app, since_yesterday)


def since_yesterday(app: Flask) -> Club:
    club = found_club(app)
    give(club, m1=300, m2=-100)
    skip(club)
    return club


def skip(club: Club, days: int = 1) -> None:
    club.app.extensions["clock"].skip(days)


def close(club: Club, last: str = FIRST, mode: str = "carry", **more: Any) -> Answer:
    return club.owner.post(f"{club.path}/periods", {"last": last, "mode": mode, **more})


def closed(club: Club, **more: Any) -> Answer:
    answer = close(club, **more)
    assert answer.status_code == 201, answer.text
    return answer


def said(club: Club, by: Caller, word: str, number: int = 1, **note: str) -> Answer:
    return by.post(f"{club.path}/periods/{number}/{word}", note)


def points(club: Club) -> list[int]:
    path = f"{club.path}/balances?min_position={club.head()[0]}"
    return [one["points"] for one in club.owner.get(path).json["data"]]


def lists(club: Club, path: str) -> Answer:
    """A list as it is after all that has happened."""
    joined = "&" if "?" in path else "?"
    return club.owner.get(f"{club.path}{path}{joined}min_position={club.head()[0]}")


# --- what stands in the way --------------------------------------------------------------------


def test_the_checklist_tells_what_each_would_have(later: Club) -> None:
    checked = later.owner.get(f"{later.path}/closing?last={FIRST}").json
    assert (checked["first"], checked["last"], checked["over"]) == (FIRST, FIRST, True)
    assert (checked["ready"], checked["open_tables"], checked["unsettled"]) == (True, [], [])
    assert (checked["carried"], checked["sum"]) == ([], 200)
    balances = sorted((one["code"], one["points"]) for one in checked["balances"])
    assert balances == [("M-0001", 300), ("M-0002", -100)]
    today = later.owner.get(f"{later.path}/closing?last=2025-11-29").json
    assert (today["over"], today["ready"]) == (False, False)


def test_open_tables_and_hands_that_wait_stand_in_the_way(database_url: str) -> None:
    """Each is named, and a closing is refused until they are closed and settled."""
    with serving(database_url) as app:
        club = found_club(app)
        table = club.open_table()
        played(club, table)
        skip(club)
        waits = club.owner.get(f"{club.path}/closing?last={FIRST}").json
        name = table.rpartition("/")[2]
        assert (waits["ready"], waits["open_tables"]) == (False, [name])
        assert waits["unsettled"] == [f"{name}-1"]
        assert code(close(club)) == (409, "tables_open")
        club.owner.post(f"{table}/close")
        assert code(close(club)) == (409, "hands_unsettled")
        settled(club)
        assert closed(club).json["sum"] == 0


def test_disputes_are_carried_over(database_url: str) -> None:
    with serving(database_url) as app:
        club = found_club(app)
        table = club.open_table(hands=1, options={})
        club.recorder.post(f"{table}/hands", {"outcome": OUTCOME})
        settled(club)
        filed = club.players[1].post(f"{table}/hands/1/disputes", {"totals": [3, -1, -1, -1]})
        assert filed.status_code == 201, filed.text
        skip(club)
        dispute = filed.json["id"]
        assert club.owner.get(f"{club.path}/closing?last={FIRST}").json["carried"] == [dispute]
        assert closed(club).json["carried"] == [dispute]


@pytest.mark.parametrize(
    ("body", "pointer", "why"),
    [
        ({"last": "2025-11-29"}, "/last", "period_not_over"),
        ({"last": "2025-11-27"}, "/last", "period_before_club"),
        ({"last": "yesterday"}, "/last", "date_form"),
        ({"mode": "burn"}, "/mode", "field_choice"),
        ({"mode": None}, "/mode", "field_null"),
        ({"note": ""}, "/note", "text_length"),
    ],
)
def test_a_closing_has_its_form(later: Club, body: dict[str, Any], pointer: str, why: str) -> None:
    refused = later.owner.post(f"{later.path}/periods", {"last": FIRST, "mode": "carry", **body})
    [fault] = refused.json["errors"]
    assert (refused.status_code, fault["pointer"], fault["code"]) == (422, pointer, why)
    asked = later.owner.get(f"{later.path}/closing?last=x")
    assert code(asked) == (400, "query_invalid")
    assert code(later.owner.get(f"{later.path}/closing")) == (400, "query_invalid")


# --- closing -----------------------------------------------------------------------------------


def test_a_closing_that_carries_books_nothing(later: Club) -> None:
    """It is told as it was made, with a signed checkpoint over it."""
    made = closed(later, note="十一月")
    told = made.json
    assert (told["id"], told["number"], told["state"]) == ("1", 1, "closed")
    assert (told["first"], told["last"], told["booked_date"]) == (FIRST, FIRST, "2025-11-29")
    assert (told["members"], told["sum"], told["note"]) == (2, 200, "十一月")
    assert told["words"] == {"confirmed": 0, "contested": 0, "silent": 2}
    assert (told["closed"]["by"], told["closed"]["role"]) == (later.owner.id, "owner")
    assert (told["entry"], told["reopened"], told["own"]) == (None, None, None)
    assert told["checkpoint"] == later.head()[0]
    signed = later.owner.get(f"{later.path}/checkpoints/{told['checkpoint']}")
    assert signed.status_code == 200
    assert made.headers["Location"] == f"{later.path}/periods/1"
    assert later.owner.get(made.headers["Location"]).json == told
    assert points(later)[:2] == [300, -100]


def test_a_closing_that_clears_leaves_nobody_anything(later: Club) -> None:
    """One entry against the points issued; opened again, all have theirs back."""
    cleared = closed(later, mode="clear")
    assert points(later)[:2] == [0, 0]
    entry = later.owner.get(f"{later.path}/journal/{cleared.json['entry']}").json
    assert (entry["kind"], entry["period"], entry["amount"]) == ("closing", 1, 300)
    opened = later.owner.post(f"{later.path}/periods/1/reopen", {"note": "one hand was missing"})
    assert (opened.status_code, opened.json["state"]) == (200, "reopened")
    assert opened.json["reopened"]["note"] == "one hand was missing"
    assert points(later)[:2] == [300, -100]
    undone = later.owner.get(f"{later.path}/journal/{opened.json['reversal']}").json
    assert undone["reverses"] == cleared.json["entry"]
    assert closed(later).json["number"] == 2


def test_nothing_is_booked_on_a_day_that_is_closed(later: Club) -> None:
    """Neither points for it nor a second closing of it; and only the last one opens again."""
    closed(later)
    late = later.owner.post(
        f"{later.path}/allowances",
        {
            "lines": [{"member": "M-0001", "points": 5}],
            "reason": "other",
            "effective_date": FIRST,
        },
    )
    assert code(late) == (409, "period_closed")
    assert code(close(later)) == (409, "period_closed")
    skip(later)
    closed(later, last="2025-11-29")
    path = f"{later.path}/periods/1/reopen"
    assert code(later.owner.post(path, {"note": "x"})) == (409, "period_not_last")
    refused = later.owner.post(path, {})
    assert refused.json["errors"][0]["pointer"] == "/note"
    unknown = later.owner.post(f"{later.path}/periods/7/reopen", {"note": "x"})
    assert code(unknown) == (404, "period_unknown")


def test_without_a_key_to_sign_with_a_closing_stands_all_the_same(
    later: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = later.app.extensions[edge.EXTENSION]
    nowhere = Path("/proc/nowhere/signing.key")
    monkeypatch.setitem(
        later.app.extensions,
        edge.EXTENSION,
        edge.Served(served.ledger, nowhere, served.operator_token),
    )
    made = closed(later)
    assert (made.json["state"], made.json["checkpoint"]) == ("closed", None)


def test_a_trial_tells_the_closing_and_writes_nothing(later: Club) -> None:
    """No checkpoint either."""
    before = everything(later)
    tried = later.owner.post(f"{later.path}/periods?dry_run=true", {"last": FIRST, "mode": "clear"})
    assert (tried.status_code, tried.headers["Dry-Run"]) == (201, "true")
    assert (tried.json["sum"], tried.json["checkpoint"]) == (200, None)
    assert everything(later) == before


def test_the_same_request_is_one_closing(later: Club) -> None:
    """Told as it was made, though it was opened again since, and others have spoken."""
    body, key = {"last": FIRST, "mode": "carry"}, {"Idempotency_Key": "close-1"}
    first = later.owner.post(f"{later.path}/periods", body, **key)
    said(later, later.players[0], "confirm")
    reopen, again_key = {"note": "x"}, {"Idempotency_Key": "reopen-1"}
    opened = later.owner.post(f"{later.path}/periods/1/reopen", reopen, If_Match='"2"', **again_key)
    closed(later)
    again = later.owner.post(f"{later.path}/periods", body, **key)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    once_more = later.owner.post(
        f"{later.path}/periods/1/reopen", reopen, If_Match='"2"', **again_key
    )
    assert once_more.json == opened.json
    stale = later.owner.post(f"{later.path}/periods/2/reopen", reopen, If_Match='"2"')
    assert code(stale) == (412, "version_stale")


def test_the_owner_alone_closes(later: Club) -> None:
    body = {"last": FIRST, "mode": "carry"}
    for role in ("manager", "accountant", "treasurer"):
        caller = person(later, role)
        assert code(caller.post(f"{later.path}/periods", body)) == (403, "role_missing")
        opened = caller.post(f"{later.path}/periods/1/reopen", {"note": "x"})
        assert code(opened) == (403, "role_missing")
    assert code(later.recorder.post(f"{later.path}/periods", body)) == (403, "role_missing")
    assert later.operator.post(f"{later.path}/periods", body).status_code == 201


def test_a_table_opens_and_plays_after_a_closing(later: Club) -> None:
    closed(later)
    table = later.open_table()
    assert later.recorder.post(f"{table}/hands", {"wall": WALL}).status_code == 201


# --- the word of each --------------------------------------------------------------------------


def test_a_member_agrees_to_what_he_has_or_does_not(later: Club) -> None:
    """His last word counts; what the others have and the club's note are not told to him."""
    closed(later, note="十一月")
    agreed = said(later, later.players[0], "confirm")
    assert (agreed.status_code, agreed.json["own"]) == (200, {"points": 300, "word": "confirmed"})
    assert [agreed.json[name] for name in ("note", "members", "sum", "words", "carried")] == [
        None
    ] * 5
    doubted = said(later, later.players[1], "contest", note="少了一局")
    assert doubted.json["own"] == {"points": -100, "word": "contested"}
    seen = later.owner.get(f"{later.path}/periods/1").json
    assert seen["words"] == {"confirmed": 1, "contested": 1, "silent": 0}
    said(later, later.players[1], "confirm")
    assert later.owner.get(f"{later.path}/periods/1").json["words"]["confirmed"] == 2


def test_who_has_nothing_has_nothing_to_agree_to(later: Club) -> None:
    """Nor has an officer for another; nor anybody once it is open again."""
    closed(later)
    assert code(said(later, later.players[2], "confirm")) == (404, "member_without_balance")
    assert code(said(later, later.owner, "confirm")) == (403, "role_missing")
    missing = said(later, later.players[0], "contest")
    assert missing.json["errors"][0]["pointer"] == "/note"
    later.owner.post(f"{later.path}/periods/1/reopen", {"note": "x"})
    assert code(said(later, later.players[0], "confirm")) == (409, "period_open")
    assert code(said(later, later.players[0], "confirm", 9)) == (404, "period_unknown")


@pytest.mark.parametrize(("word", "note"), [("confirm", {}), ("contest", {"note": "x"})])
def test_a_word_is_tried_and_repeated(later: Club, word: str, note: dict[str, str]) -> None:
    closed(later)
    path, member = f"{later.path}/periods/1/{word}", later.players[0]
    before = everything(later)
    tried = member.post(f"{path}?dry_run=true", note)
    assert everything(later) == before
    key = {"Idempotency_Key": word}
    first = member.post(path, note, If_Match='"1"', **key)
    assert first.json == tried.json
    said(later, later.players[1], "confirm")
    again = member.post(path, note, If_Match='"1"', **key)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    assert code(member.post(path, note, If_Match='"1"')) == (412, "version_stale")


# --- lists -------------------------------------------------------------------------------------


def test_closings_are_listed_the_newest_first(later: Club) -> None:
    """In the shape in which each is shown alone."""
    closed(later)
    skip(later)
    closed(later, last="2025-11-29", mode="clear")
    data = lists(later, "/periods").json["data"]
    assert [one["number"] for one in data] == [2, 1]
    assert data == [later.owner.get(f"{later.path}/periods/{number}").json for number in (2, 1)]
    page = lists(later, "/periods?limit=1")
    onward = later.owner.get(page.headers["Link"].split(">")[0].removeprefix("<"))
    assert [one["number"] for one in onward.json["data"]] == [1]
    assert code(later.owner.get(f"{later.path}/periods/3")) == (404, "period_unknown")
    shown = later.owner.get(f"{later.path}/periods/1")
    tag = shown.headers["ETag"]
    assert later.owner.get(f"{later.path}/periods/1", If_None_Match=tag).status_code == 304


def test_balances_of_a_closing_are_listed_with_the_words_of_their_members(later: Club) -> None:
    closed(later)
    said(later, later.players[1], "contest", note="少了一局")
    path = "/periods/1/balances"
    told = lists(later, path).json["data"]
    assert sorted((one["code"], one["points"], one["word"], one["note"]) for one in told) == [
        ("M-0001", 300, "silent", None),
        ("M-0002", -100, "contested", "少了一局"),
    ]
    only = lists(later, f"{path}?word=contested").json["data"]
    assert [one["said_by"] for one in only] == [later.players[1].id]
    assert lists(later, f"{path}?word=lost").status_code == 400
    assert code(later.owner.get(f"{later.path}/periods/2/balances")) == (404, "period_unknown")
    page = lists(later, f"{path}?limit=1")
    onward = later.owner.get(page.headers["Link"].split(">")[0].removeprefix("<"))
    assert (len(onward.json["data"]), onward.json["has_more"]) == (1, False)


def test_a_member_sees_closings_with_his_own_balance_alone(later: Club) -> None:
    """Others of the club see them whole; who keeps the points alone and recorders see none."""
    closed(later)
    shown = f"?min_position={later.head()[0]}"
    member = later.players[0]
    [seen] = member.get(f"{later.path}/periods{shown}").json["data"]
    assert (seen["own"], seen["sum"]) == ({"points": 300, "word": "silent"}, None)
    [own] = member.get(f"{later.path}/periods/1/balances{shown}").json["data"]
    assert (own["id"], own["points"]) == (later.members[0], 300)
    assert member.get(f"{later.path}/periods/1/balances{shown}&word=contested").json["data"] == []
    assert later.other.get(f"{later.path}/periods/1/balances{shown}").json["data"] == []
    assert code(member.get(f"{later.path}/closing?last={FIRST}")) == (403, "role_missing")
    for role in ("manager", "auditor", "referee"):
        caller = person(later, role)
        assert caller.get(f"{later.path}/periods/1").json["sum"] == 200
        assert caller.get(f"{later.path}/closing?last={FIRST}").status_code == 200
    for caller in (later.recorder, person(later, "treasurer")):
        for path in ("periods", "periods/1", "periods/1/balances", f"closing?last={FIRST}"):
            assert code(caller.get(f"{later.path}/{path}")) == (403, "role_missing")
    stranger = found_club(later.app, "Elsewhere").owner
    assert code(stranger.get(f"{later.path}/periods/1")) == (404, "club_unknown")

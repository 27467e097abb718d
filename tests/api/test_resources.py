"""Clubs, members, keys and rulesets over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.api.conftest import Club, found_club

FILES = sorted((Path(__file__).parents[1] / "vectors").glob("*.json"))
VECTORS = [vector for file in FILES for vector in json.loads(file.read_text())]
HUAIHUA = next(one for one in VECTORS if one["outcome"]["ruleset"] == "huaihua/1")


@pytest.fixture
def club(sqlite_club: Club) -> Club:
    """A club that others have used: no database changes what is shown here."""
    return sqlite_club


@pytest.fixture
def fresh(sqlite_app: Flask) -> Club:
    """A club just founded: fourteen events."""
    return found_club(sqlite_app)


def test_a_club_is_founded_once_and_seen_by_its_own(club: Club) -> None:
    """The operator founds it; its callers see its name, its clock and the head of its log."""
    body = {"name": "西湖 West Lake", "zone": "Asia/Shanghai", "day_cutoff": "04:30"}
    first = club.operator.post("/v1/clubs", body, Idempotency_Key=f"found-{club.id}")
    again = club.operator.post("/v1/clubs", body, Idempotency_Key=f"found-{club.id}")
    assert first.data == again.data
    assert first.headers["Location"] == f"/v1/clubs/{first.json['id']}"
    assert (first.json["object"], first.json["day_cutoff"], first.json["position"]) == (
        "club",
        "04:30",
        1,
    )
    seen = club.recorder.get(club.path)
    assert (seen.json["name"], seen.json["zone"]) == ("Jade Garden 翠苑", "Asia/Shanghai")
    assert (seen.json["position"], seen.json["head_hash"]) == (club.head()[0], club.head()[1].hex())


def test_members_are_listed_page_by_page(fresh: Club) -> None:
    """In the order of their codes, with a link to the next page, and back again."""
    first = fresh.owner.get(f"{fresh.path}/members?limit=2")
    assert [member["code"] for member in first.json["data"]] == ["M-0001", "M-0002"]
    assert first.json["has_more"] is True
    link = f"{fresh.path}/members?limit=2&starting_after={fresh.members[1]}"
    assert first.headers["Link"] == f'<{link}>; rel="next"'
    second = fresh.owner.get(link)
    assert [member["code"] for member in second.json["data"]] == ["M-0003", "M-0004"]
    last = fresh.owner.get(f"{fresh.path}/members?starting_after={fresh.members[3]}")
    assert ([one["code"] for one in last.json["data"]], last.json["has_more"]) == (
        ["M-0005"],
        False,
    )
    assert "Link" not in last.headers
    back = fresh.owner.get(f"{fresh.path}/members?limit=2&ending_before={fresh.members[3]}")
    assert [member["code"] for member in back.json["data"]] == ["M-0002", "M-0003"]


def test_a_member_is_shown_with_the_code_that_records_show(club: Club) -> None:
    """Ids are opaque, codes are counted."""
    shown = club.owner.get(f"{club.path}/members/{club.members[0]}").json
    assert {name: shown[name] for name in ("object", "id", "code", "name")} == {
        "object": "member",
        "id": club.members[0],
        "code": "M-0001",
        "name": "Member 0",
    }
    assert shown["created_at"].endswith("Z")


def test_keys_are_listed_without_their_secrets(fresh: Club) -> None:
    """Their roles, their labels, whose they are."""
    listed = fresh.owner.get(f"{fresh.path}/keys").json["data"]
    assert [key["roles"] for key in listed] == [["owner"], *[["member"]] * 5, ["recorder"]]
    assert listed[1]["member"] == fresh.members[0]
    text = fresh.owner.get(f"{fresh.path}/keys").text
    assert all(caller.token.split("_")[2] not in text for caller in (fresh.owner, fresh.recorder))


def test_rulesets_are_described_for_forms(club: Club) -> None:
    """Labels in two languages, kinds, choices, defaults, and what depends on what."""
    listed = club.players[0].get("/v1/rulesets").json["data"]
    [huaihua] = [one for one in listed if one["id"] == "huaihua/1"]
    assert club.players[0].get("/v1/rulesets/huaihua/1").json == huaihua
    assert (huaihua["id"], huaihua["label"]) == ("huaihua/1", {"en": "Huaihua", "zh": "怀化麻将"})
    options = {option["name"]: option for option in huaihua["options"]}
    assert options["rob_kong_exempt_from_small"] == {
        "name": "rob_kong_exempt_from_small",
        "label": {"en": "A small win may rob a kong", "zh": "小胡可抢杠"},
        "group": {"name": "winning", "label": {"en": "Winning", "zh": "胡牌"}},
        "kind": "flag",
        "default": True,
        "choices": [],
        "choice_labels": [],
        "minimum": None,
        "maximum": None,
        "house_rule": True,
        "needs": {"win_mode": "discard"},
    }
    assert options["players"]["choices"] == [4, 3, 2]
    assert options["win_mode"]["choices"] == ["self_draw", "discard"]
    assert options["win_mode"]["choice_labels"] == [
        {"en": "Self-draw", "zh": "自摸"},
        {"en": "Win on a discard", "zh": "接炮"},
    ]
    assert {"name": "added_kong", "label": {"en": "Added kong", "zh": "明杠"}} in huaihua["terms"]
    assert {"name": "tian_hu", "label": {"en": "Heavenly win", "zh": "天胡"}} in huaihua["patterns"]
    assert set(options["patterns"]["choices"]) <= {one["name"] for one in huaihua["patterns"]}


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['outcome']['ruleset']} {vector['id']}"
)
def test_an_outcome_is_scored_without_being_recorded(club: Club, vector: dict[str, Any]) -> None:
    """The totals of every vector; those that cannot be are refused."""
    before = club.head()
    outcome = vector["outcome"]
    scored = club.recorder.post(f"/v1/rulesets/{outcome['ruleset']}/settle", outcome)
    if "error" in vector:
        assert scored.status_code == 422
    else:
        assert (scored.status_code, scored.json["totals"]) == (200, vector["totals"])
        assert scored.json["payments"] == [] or scored.json["payments"][0]["rule"]
    assert club.head() == before


def test_an_outcome_of_another_ruleset_is_refused(club: Club) -> None:
    """The body may leave its ruleset out, and may not contradict the address."""
    outcome = HUAIHUA["outcome"]
    path = "/v1/rulesets/huaihua/1/settle"
    without = {name: value for name, value in outcome.items() if name != "ruleset"}
    assert club.owner.post(path, without).json["totals"] == HUAIHUA["totals"]
    refused = club.owner.post(path, {**outcome, "ruleset": "zhuoji/1"})
    assert (refused.status_code, refused.json["code"]) == (422, "ruleset_differs")


def test_events_are_listed_from_a_position(fresh: Club) -> None:
    """`after` and `limit` page through the log, with a link to the next page."""
    path = f"{fresh.path}/events"
    page = fresh.owner.get(f"{path}?after=2&limit=3")
    assert [event["id"] for event in page.json["data"]] == ["evt_3", "evt_4", "evt_5"]
    assert page.headers["Link"] == f'<{path}?after=5&limit=3>; rel="next"'
    end = fresh.owner.get(f"{path}?after={fresh.head()[0]}")
    assert (end.json["data"], end.json["has_more"]) == ([], False)
    lines = fresh.owner.get(f"{path}?after=2&limit=3", Accept="application/x-ndjson")
    assert [json.loads(line)["id"] for line in lines.text.splitlines()] == [
        "evt_3",
        "evt_4",
        "evt_5",
    ]


def test_a_slow_reader_of_lines_holds_no_connection(fresh: Club) -> None:
    """Between two pages the database is free, and every line is whole."""
    reader = fresh.app.test_client().get(
        f"{fresh.path}/events",
        headers={"Authorization": f"Bearer {fresh.owner.token}", "Accept": "application/x-ndjson"},
    )
    for page in reader.iter_encoded():
        assert page.endswith(b"}\n")
        assert fresh.ledger.database.reader.pool.status().endswith(
            "Current Checked out connections: 0"
        )
    reader.close()


def test_an_event_holds_the_exact_bytes_that_were_hashed(club: Club) -> None:
    """`public` written compactly, in its own order, is what lies in the log."""
    founded = club.owner.get(f"{club.path}/events?limit=1").json["data"][0]
    assert founded["type"] == "ClubFounded/1"
    assert '"public":{"zone":"Asia/Shanghai","day_cutoff":300}' in (
        club.owner.get(f"{club.path}/events?limit=1").text
    )


def test_what_concerns_a_member_alone_is_a_link_to_others(fresh: Club) -> None:
    """A member sees that something stands at a position, and its hashes."""
    events = fresh.players[0].get(f"{fresh.path}/events?limit=100").json["data"]
    told = [event.get("type", "–") for event in events[:8]]
    assert told == ["ClubFounded/1", "–", "MemberJoined/1", "–", "–", "–", "–", "KeyIssued/1"]
    assert list(events[1]) == ["object", "id", "position", "leaf", "hash"]


# --- reading lists, and reading again -----------------------------------------------------------


def test_what_was_read_holds_until_it_changes(fresh: Club) -> None:
    """304 without a body for who names the ETag that he has; 200 with another after a change."""
    path = f"{fresh.path}/members"
    first = fresh.owner.get(path)
    again = fresh.owner.get(path, If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    fresh.owner.post(path, {"name": "Neu"})
    changed = fresh.owner.get(path, If_None_Match=first.headers["ETag"])
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize("what", ["members", "keys", "memberships", "balances", "operator_log"])
def test_a_list_is_narrowed_by_when_its_objects_were_made(fresh: Club, what: str) -> None:
    """By bounds that are included, or not; the page after keeps to them."""
    fresh.owner.post(f"{fresh.path}/memberships", {"roles": ["referee"], "label": "x"})
    fresh.owner.post(f"{fresh.path}/memberships", {"roles": ["referee"], "label": "y"})
    path = f"{fresh.path}/{what}?min_position={fresh.head()[0]}".removesuffix("?min_position=")
    if what in ("members", "keys", "memberships"):
        path = f"{fresh.path}/{what}?limit=100"
    ids = {one["created_at"]: one["id"] for one in fresh.owner.get(path).json["data"]}
    times = sorted(ids)

    def within(**bounds: str) -> set[str]:
        asked = "".join(f"&created[{name}]={time}" for name, time in bounds.items())
        return {one["id"] for one in fresh.owner.get(path + asked).json["data"]}

    assert within(gte=times[1]) == {ids[time] for time in times[1:]}
    assert within(gt=times[0], lt=times[-1]) == {ids[time] for time in times[1:-1]}
    assert within(lte=times[0]) == {ids[times[0]]}
    limited = fresh.owner.get(f"{path.replace('limit=100', '')}&limit=1&created[gte]={times[0]}")
    if limited.json["has_more"]:
        assert f"created%5Bgte%5D={times[0].replace(':', '%3A')}" in limited.headers["Link"]

"""Limits, deadlines, and what each member may do, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import access
from tests.api.conftest import Answer, Club, found_club
from tests.api.disputes import OUTCOME
from tests.api.everything import everything
from tests.api.hand import BEFORE, FED, OPTIONS, PUNG, WALL, WIN
from tests.api.test_entering import settled
from tests.api.test_people import code, person

NO_LIMITS: dict[str, Any] = {
    "entry_floor": None,
    "entry_ceiling": None,
    "pause_floor": None,
    "hand_cap": None,
    "day_loss": None,
    "alarm": None,
    "tables": 1,
    "allowance": None,
    "correction": None,
}
OWN: dict[str, Any] = {
    "entry_floor": None,
    "entry_ceiling": None,
    "pause_floor": None,
    "day_loss": None,
    "alarm": None,
}
HOURS = {"file_hours": 12, "answer_hours": 24, "decide_hours": 36, "appeal_hours": 48}


def limit(club: Club, **limits: int) -> Answer:
    answer = club.owner.post(f"{club.path}/limits", {**NO_LIMITS, **limits})
    assert answer.status_code == 200, answer.text
    return answer


def give(club: Club, **points: int) -> None:
    """Give members points, by the numbers of their codes: m1=100."""
    lines = [
        {"member": f"M-000{name.removeprefix('m')}", "points": n} for name, n in points.items()
    ]
    given = club.owner.post(f"{club.path}/allowances", {"lines": lines, "reason": "other"})
    assert (given.status_code, given.json["state"]) == (201, "posted"), given.text


def opening(club: Club, **more: Any) -> Answer:
    body = {"ruleset": "huaihua/1", "options": OPTIONS, "seats": list(club.members[:4])}
    return club.recorder.post(f"{club.path}/tables", {**body, "hands": 2, "dealer": 0, **more})


def played(club: Club, table: str) -> None:
    """Play a hand of a table to its end: seat 2 wins with the dealer's discard."""
    started = club.recorder.post(f"{table}/hands", {"wall": WALL})
    assert started.status_code == 201, started.text
    actions = {"actions": [*BEFORE, FED, PUNG, WIN]}
    version = started.headers["ETag"]
    ended = club.recorder.post(f"{table}/actions", actions, If_Match=version)
    assert ended.status_code == 201, ended.text


def member(club: Club, number: int) -> str:
    return f"{club.path}/members/{club.members[number - 1]}"


# --- what the club allows ----------------------------------------------------------------------


def test_a_club_that_has_set_nothing_allows_everything_but_a_second_table(club: Club) -> None:
    fresh = found_club(club.app)
    assert fresh.owner.get(f"{fresh.path}/limits").json == {
        "object": "limits",
        **NO_LIMITS,
        "version": 8,
    }
    hours = fresh.owner.get(f"{fresh.path}/deadlines").json
    assert [hours[name] for name in HOURS] == [24, 24, 48, 48]


def test_everybody_of_the_club_sees_what_it_allows(new_club: Club) -> None:
    """Who plays, who records, who keeps the books: nobody is caught by what he could not see."""
    limit(new_club, entry_floor=-100)
    everybody = [new_club.owner, new_club.recorder, new_club.other]
    everybody.append(person(new_club, "treasurer"))
    for caller in everybody:
        seen = caller.get(f"{new_club.path}/limits")
        assert (seen.status_code, seen.json["entry_floor"]) == (200, -100)
        assert caller.get(f"{new_club.path}/deadlines").status_code == 200
    stranger = found_club(new_club.app, "Elsewhere").owner
    assert code(stranger.get(f"{new_club.path}/limits")) == (404, "club_unknown")


def test_the_owner_alone_sets_limits_and_deadlines(new_club: Club) -> None:
    manager = person(new_club, "manager")
    for caller in (manager, new_club.recorder, new_club.other):
        assert code(caller.post(f"{new_club.path}/limits", NO_LIMITS)) == (403, "role_missing")
        assert code(caller.post(f"{new_club.path}/deadlines", HOURS)) == (403, "role_missing")
    assert new_club.operator.post(f"{new_club.path}/deadlines", HOURS).json["file_hours"] == 12


def test_limits_are_set_whole(new_club: Club) -> None:
    """Who forgets one is told so, and takes none away by it."""
    body = {name: value for name, value in NO_LIMITS.items() if name != "alarm"}
    refused = new_club.owner.post(f"{new_club.path}/limits", body)
    [fault] = refused.json["errors"]
    assert (refused.status_code, fault["pointer"], fault["code"]) == (
        422,
        "/alarm",
        "field_missing",
    )
    few = {name: hours for name, hours in HOURS.items() if name != "answer_hours"}
    refused = new_club.owner.post(f"{new_club.path}/deadlines", few)
    assert refused.json["errors"][0]["pointer"] == "/answer_hours"


@pytest.mark.parametrize(
    ("wrong", "pointer", "why"),
    [
        ({"hand_cap": 0}, "/hand_cap", "field_range"),
        ({"tables": None}, "/tables", "field_null"),
        ({"day_loss": "9"}, "/day_loss", "field_type"),
        ({"entry_floor": 5, "entry_ceiling": 4}, "/entry_floor", "limits_crossed"),
        ({"fee": 1}, "/fee", "field_unknown"),
    ],
)
def test_a_limit_has_its_form(
    sqlite_club: Club, wrong: dict[str, Any], pointer: str, why: str
) -> None:
    refused = sqlite_club.owner.post(f"{sqlite_club.path}/limits", {**NO_LIMITS, **wrong})
    assert refused.status_code == 422
    assert (refused.json["errors"][0]["pointer"], refused.json["errors"][0]["code"]) == (
        pointer,
        why,
    )


def test_a_retry_tells_the_limits_as_they_were_set(new_club: Club) -> None:
    """Whatever was set since; and the same key with other limits is refused."""
    path, key = f"{new_club.path}/limits", {"Idempotency_Key": "limits-1"}
    first = new_club.owner.post(path, {**NO_LIMITS, "alarm": 5}, **key)
    limit(new_club, alarm=6)
    again = new_club.owner.post(path, {**NO_LIMITS, "alarm": 5}, **key)
    assert (again.json, again.headers["ETag"]) == (first.json, first.headers["ETag"])
    assert again.headers["Idempotent-Replayed"] == "true"
    other = new_club.owner.post(path, NO_LIMITS, **key)
    assert code(other) == (422, "idempotency_key_reused")
    assert new_club.owner.get(path).json["alarm"] == 6


def test_limits_are_set_on_the_version_that_was_seen(new_club: Club) -> None:
    path = f"{new_club.path}/limits"
    seen = new_club.owner.get(path).headers["ETag"]
    limit(new_club, alarm=5)
    stale = new_club.owner.post(path, NO_LIMITS, If_Match=seen)
    assert code(stale) == (412, "version_stale")
    now = new_club.owner.get(path)
    assert new_club.owner.get(path, If_None_Match=now.headers["ETag"]).status_code == 304
    assert new_club.owner.post(path, NO_LIMITS, If_Match=now.headers["ETag"]).json["alarm"] is None


def test_a_trial_of_limits_sets_none(new_club: Club) -> None:
    before = everything(new_club)
    for name, body in (("limits", {**NO_LIMITS, "alarm": 9}), ("deadlines", HOURS)):
        tried = new_club.owner.post(f"{new_club.path}/{name}?dry_run=true", body)
        assert (tried.status_code, tried.headers["Dry-Run"]) == (200, "true")
    assert everything(new_club) == before


# --- what limits do ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "has", "why"),
    [
        ({"entry_floor": 0}, {"m2": -10}, "below_entry_floor"),
        ({"entry_ceiling": 500}, {"m2": 501}, "above_entry_ceiling"),
    ],
)
def test_a_limit_keeps_a_member_from_a_seat(
    new_club: Club, limits: dict[str, int], has: dict[str, int], why: str
) -> None:
    """The refusal says at which seat, and where the limit lies."""
    give(new_club, **has)
    limit(new_club, **limits)
    refused = opening(new_club)
    assert code(refused) == (409, why)
    assert refused.json["errors"][0]["pointer"] == "/seats/1"
    assert all(str(limit) in refused.json["detail"] for limit in limits.values())


def test_a_members_own_limit_stands_in_the_place_of_the_clubs(new_club: Club) -> None:
    """The club lets everybody sit from 0 on, this one from -50 on."""
    limit(new_club, entry_floor=0)
    give(new_club, m2=-10)
    own = new_club.owner.post(f"{member(new_club, 2)}/limits", {**OWN, "entry_floor": -50})
    assert own.json["limits"] == {**OWN, "entry_floor": -50}
    assert opening(new_club).status_code == 201


def test_nobody_sits_at_a_second_table(new_club: Club) -> None:
    """Unless the club allows two; then not at a third."""
    assert opening(new_club).status_code == 201
    refused = opening(new_club)
    assert code(refused) == (409, "table_elsewhere")
    assert refused.json["errors"][0]["pointer"] == "/seats/0"
    limit(new_club, tables=2)
    assert opening(new_club).status_code == 201
    assert code(opening(new_club)) == (409, "table_elsewhere")


def test_a_hand_starts_when_the_one_before_is_settled(new_club: Club) -> None:
    """Until then the recorder is told to try again, and the same request is done then."""
    table = new_club.open_table()
    played(new_club, table)
    key = {"Idempotency_Key": "second-hand"}
    waits = new_club.recorder.post(f"{table}/hands", {"wall": WALL}, **key)
    assert code(waits) == (409, "settlement_pending")
    assert waits.json["retryable"] is True
    settled(new_club)
    started = new_club.recorder.post(f"{table}/hands", {"wall": WALL}, **key)
    assert (started.status_code, started.json["state"]["hand"]["number"]) == (201, 2)


def test_a_hand_does_not_start_below_the_pause_floor(new_club: Club) -> None:
    """The first one is lost by the dealer; he cannot start the next."""
    limit(new_club, pause_floor=0)
    table = new_club.open_table()
    played(new_club, table)
    settled(new_club)
    lost = new_club.owner.get(f"{new_club.path}/balances").json["data"][0]["points"]
    assert lost < 0
    refused = new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    assert code(refused) == (409, "below_pause_floor")
    give(new_club, m1=-lost)
    assert new_club.recorder.post(f"{table}/hands", {"wall": WALL}).status_code == 201


def test_a_hand_does_not_start_for_who_has_lost_enough_today(new_club: Club) -> None:
    """Points that are given do not help: he has lost what he has lost."""
    limit(new_club, day_loss=1)
    table = new_club.open_table()
    played(new_club, table)
    settled(new_club)
    give(new_club, m1=1000)
    assert code(new_club.recorder.post(f"{table}/hands", {"wall": WALL})) == (
        409,
        "day_loss_reached",
    )


def test_a_hand_begins_under_the_cap_and_on_the_balances_of_then(new_club: Club) -> None:
    """Its first event holds both; what is above the cap is given back when it is settled."""
    give(new_club, m1=100, m2=50)
    limit(new_club, hand_cap=1, pause_floor=-1000)
    table = new_club.open_table(options={})
    entered = new_club.recorder.post(f"{table}/hands", {"outcome": OUTCOME})
    started = entered.json["events"][0]["public"]
    seats = zip(new_club.members[:4], (100, 50, 0, 0), strict=True)
    had = ", ".join(f"{member} {points}" for member, points in seats)
    with new_club.ledger.database.read() as connection:
        assert access.find_text(connection, new_club.id, started["balances"]) == had
    assert started["cap"] == 1
    settled(new_club)
    paid = new_club.owner.get(f"{table}/hands/1/settlement").json
    assert paid["totals"] == [3, -1, -1, -1]
    back = [one for one in paid["payments"] if one["reason"] == "cap"]
    assert [(one["payer"], one["payee"], one["points"]) for one in back] == [
        (0, 1, 1),
        (0, 2, 1),
        (0, 3, 1),
    ]


def test_each_sees_how_far_a_limit_is_away(new_club: Club) -> None:
    """Officers, the treasurer, the recorder and the member himself; no other member."""
    give(new_club, m1=120)
    limit(new_club, entry_floor=100, day_loss=200, alarm=150)
    path = f"{member(new_club, 1)}/limits"
    seen = new_club.players[0].get(path)
    assert (seen.json["id"], seen.json["code"]) == (new_club.members[0], "M-0001")
    told = {one.pop("name"): tuple(one.values()) for one in seen.json["limits"]}
    assert told == {
        "entry_floor": (100, 120, 20, False),
        "day_loss": (200, 0, 200, False),
        "alarm": (150, 120, -30, True),
        "tables": (1, 0, 1, False),
    }
    for caller in (new_club.owner, new_club.recorder, person(new_club, "treasurer")):
        assert caller.get(path).status_code == 200
    assert code(new_club.players[1].get(path)) == (403, "role_missing")
    unknown = new_club.owner.get(f"{new_club.path}/members/M-0099/limits")
    assert code(unknown) == (404, "member_unknown")


def test_those_at_a_limit_or_near_it_are_listed(new_club: Club) -> None:
    """In the order of their codes, page by page, with the limits in question alone."""
    give(new_club, m1=99, m2=100, m3=130, m4=500, m5=95)
    limit(new_club, entry_floor=100, alarm=95)
    path = f"{new_club.path}/limits/reached"

    def at(query: str = "") -> list[Any]:
        data = new_club.owner.get(f"{path}{query}").json["data"]
        return [(one["code"], [limit["name"] for limit in one["limits"]]) for one in data]

    floor = ["entry_floor"]
    assert at() == [("M-0001", floor), ("M-0002", floor), ("M-0005", ["entry_floor", "alarm"])]
    near = [("M-0001", ["entry_floor", "alarm"]), ("M-0002", ["entry_floor", "alarm"])]
    assert at("?near=30")[:2] == near
    assert at("?near=30")[2:] == [("M-0003", floor), ("M-0005", ["entry_floor", "alarm"])]
    first = new_club.owner.get(f"{path}?limit=2")
    assert first.json["has_more"] is True
    onward = new_club.owner.get(first.headers["Link"].split(">")[0].removeprefix("<"))
    assert [one["code"] for one in onward.json["data"]] == ["M-0005"]
    assert onward.json["has_more"] is False
    third = onward.json["data"][0]["id"]
    assert [found for found, _ in at(f"?limit=1&ending_before={third}")] == ["M-0002"]


def test_a_long_club_is_gone_through_to_its_end(
    new_club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few are looked at together, forwards and backwards."""
    monkeypatch.setattr("ledger.api.governing.AT_ONCE", 2)
    give(new_club, m1=5, m5=5)
    limit(new_club, alarm=5)
    path = f"{new_club.path}/limits/reached?near=0"
    names = [one["code"] for one in new_club.owner.get(path).json["data"]]
    assert names == ["M-0001", "M-0002", "M-0003", "M-0004", "M-0005"]
    last = new_club.members[4]
    back = new_club.owner.get(f"{path}&limit=3&ending_before={last}").json
    assert [one["code"] for one in back["data"]] == ["M-0002", "M-0003", "M-0004"]
    assert back["has_more"] is True


def test_who_has_left_is_near_to_no_limit(new_club: Club) -> None:
    limit(new_club, alarm=5)
    new_club.owner.post(f"{member(new_club, 5)}/leave")
    listed = new_club.owner.get(f"{new_club.path}/limits/reached").json["data"]
    assert [one["code"] for one in listed] == ["M-0001", "M-0002", "M-0003", "M-0004"]
    assert code(new_club.other.get(f"{new_club.path}/limits/reached")) == (403, "role_missing")
    refused = new_club.owner.get(f"{new_club.path}/limits/reached?near=-1")
    assert (refused.status_code, refused.json["errors"][0]["parameter"]) == (400, "near")

"""Members over HTTP: what each may do, and what his officers do about it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.forgetting import forget_member
from tests.api.conftest import Club, found_club
from tests.api.everything import everything
from tests.api.hand import WALL
from tests.api.test_entering import settled
from tests.api.test_governing import OWN, give, member, opening
from tests.api.test_people import code, person


def test_a_member_is_told_with_his_status_his_group_and_his_limits(new_club: Club) -> None:
    joined = new_club.owner.post(f"{new_club.path}/members", {"name": "Neu"})
    assert (joined.json["status"], joined.json["group"], joined.json["limits"]) == (
        "active",
        None,
        OWN,
    )
    assert (joined.json["version"], joined.headers["ETag"]) == (1, '"1"')
    shown = new_club.owner.get(joined.headers["Location"])
    assert shown.json == joined.json
    assert new_club.owner.get(f"{new_club.path}/members?limit=100").json["data"][-1] == joined.json


def test_who_is_barred_sits_down_nowhere_until_he_is_readmitted(new_club: Club) -> None:
    """At the table where he sits he plays on."""
    table = new_club.open_table()
    barred = new_club.owner.post(f"{member(new_club, 1)}/bar", {"note": "吵架"})
    assert (barred.status_code, barred.json["status"]) == (200, "barred")
    assert new_club.recorder.post(f"{table}/hands", {"wall": WALL}).status_code == 201
    new_club.recorder.post(f"{table}/dissolve")
    settled(new_club)
    refused = opening(new_club)
    assert code(refused) == (409, "member_barred")
    readmitted = new_club.owner.post(f"{member(new_club, 1)}/readmit", {})
    assert readmitted.json["status"] == "active"
    assert opening(new_club).status_code == 201


def test_who_leaves_may_return_under_his_code(new_club: Club) -> None:
    """Not while he sits at an open table; and he keeps his points."""
    give(new_club, m1=70)
    table = new_club.open_table()
    assert code(new_club.owner.post(f"{member(new_club, 1)}/leave")) == (409, "member_at_table")
    new_club.recorder.post(f"{table}/dissolve")
    left = new_club.owner.post(f"{member(new_club, 1)}/leave", {"note": "moves away"})
    assert left.json["status"] == "left"
    assert code(opening(new_club)) == (409, "member_left")
    grouped = new_club.owner.post(f"{member(new_club, 1)}/group", {"group": "East"})
    assert code(grouped) == (409, "member_left")
    returned = new_club.owner.post(f"{member(new_club, 1)}/return")
    assert (returned.json["status"], returned.json["code"]) == ("active", "M-0001")
    assert new_club.owner.get(f"{new_club.path}/balances").json["data"][0]["points"] == 70


def test_a_member_is_put_into_a_group_and_out_of_it(new_club: Club) -> None:
    """Its name is told; the event holds a digest."""
    path = f"{member(new_club, 1)}/group"
    put = new_club.owner.post(path, {"group": "东风组"})
    assert put.json["group"] == "东风组"
    last = new_club.owner.get(f"{new_club.path}/events?after={new_club.head()[0] - 1}")
    assert "东风组" not in last.text
    assert new_club.owner.post(path, {"group": None}).json["group"] is None
    refused = new_club.owner.post(path, {})
    assert refused.json["errors"][0]["code"] == "field_missing"


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("bar", {}),
    ("readmit", {}),
    ("leave", {}),
    ("return", {}),
    ("group", {"group": "East"}),
    ("limits", OWN),
]


@pytest.mark.parametrize(("act", "body"), ACTS)
def test_officers_alone_act_on_members(new_club: Club, act: str, body: dict[str, Any]) -> None:
    path = f"{member(new_club, 1)}/{act}"
    for caller in (new_club.players[0], new_club.recorder, person(new_club, "treasurer")):
        assert code(caller.post(path, body)) == (403, "role_missing")
    assert person(new_club, "manager").post(path, body).status_code == 200
    stranger = found_club(new_club.app, "Elsewhere").owner
    assert code(stranger.post(path, body)) == (404, "club_unknown")
    unknown = new_club.owner.post(f"{new_club.path}/members/M-0099/{act}", body)
    assert code(unknown) == (404, "member_unknown")


@pytest.mark.parametrize(("act", "body"), ACTS)
def test_acts_on_members_are_tried_repeated_and_versioned(
    new_club: Club, act: str, body: dict[str, Any]
) -> None:
    """A trial writes nothing, a retry has the first answer, a stale version is refused."""
    path = f"{member(new_club, 2)}/{act}"
    if act == "return":
        new_club.owner.post(f"{member(new_club, 2)}/leave")
    if act == "readmit":
        new_club.owner.post(f"{member(new_club, 2)}/bar")
    changed = {"limits": {**OWN, "alarm": 7}}.get(act, body)
    before = everything(new_club)
    tried = new_club.owner.post(f"{path}?dry_run=true", changed)
    assert everything(new_club) == before
    key = {"Idempotency_Key": f"{act}-{new_club.id}"}
    first = new_club.owner.post(path, changed, **key)
    assert first.json == tried.json
    new_club.owner.post(f"{member(new_club, 2)}/{'readmit' if act == 'bar' else 'bar'}")
    again = new_club.owner.post(path, changed, **key)
    assert (again.json, again.headers["ETag"]) == (first.json, first.headers["ETag"])
    assert again.headers["Idempotent-Replayed"] == "true"
    stale = new_club.owner.post(path, changed, If_Match=first.headers["ETag"])
    assert code(stale) == (412, "version_stale")


def test_a_note_is_told_in_the_operator_log(new_club: Club) -> None:
    """Who barred whom, and why; the event holds a digest of the note."""
    new_club.owner.post(f"{member(new_club, 1)}/bar", {"note": "吵架"})
    shown = f"{new_club.path}/operator_log?limit=1&min_position={new_club.head()[0]}"
    [newest] = new_club.owner.get(shown).json["data"]
    assert (newest["act"], newest["target"]) == ("member_barred", new_club.members[0])
    assert (newest["actor"], newest["reason"]) == (new_club.owner.id, "吵架")
    events = new_club.owner.get(f"{new_club.path}/events?after={new_club.head()[0] - 1}")
    assert "吵架" not in events.text


def test_who_was_forgotten_is_told_as_one_whom_nobody_knows(new_club: Club) -> None:
    """His code and his points stay; he gets no limits, and a group neither."""
    joined = new_club.owner.post(f"{new_club.path}/members", {"name": "Neu"}).json
    give(new_club, m6=5)
    forget_member(new_club.ledger, new_club.id, joined["code"])
    path = f"{new_club.path}/members/{joined['id']}"
    shown = new_club.owner.get(path).json
    assert (shown["status"], shown["code"]) == ("forgotten", "M-0006")
    assert shown["name"] != "Neu"
    assert code(new_club.owner.post(f"{path}/limits", {**OWN, "alarm": 1})) == (
        409,
        "member_forgotten",
    )
    listed = f"{new_club.path}/allowances?member=M-0006&min_position={new_club.head()[0]}"
    [given] = new_club.owner.get(listed).json["data"]
    assert given["lines"][0]["code"] == "M-0006"

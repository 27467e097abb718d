"""The operator log: who did what in a club, in which role, from where, and why."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Caller, Club
from tests.api.hand import BEFORE, WALL
from tests.api.test_people import membership_of, person


def acts(club: Club, query: str = "", reader: Caller | None = None) -> list[dict[str, Any]]:
    """The log up to now, the newest act first."""
    path = f"{club.path}/operator_log?limit=100&min_position={club.head()[0]}{query}"
    read = (reader or club.owner).get(path)
    assert read.status_code == 200, read.text
    return list(read.json["data"])


def test_an_act_tells_who_what_and_from_where(new_club: Club) -> None:
    """The key's label is its name; the request id is that of the answer."""
    joined = new_club.owner.post(f"{new_club.path}/members", {"name": "Neu"}, User_Agent="tablet 7")
    newest = acts(new_club)[0]
    position = new_club.head()[0]
    assert newest == {
        "object": "act",
        "id": f"act_{position}",
        "created_at": newest["created_at"],
        "actor": new_club.owner.id,
        "name": "test",
        "role": "owner",
        "act": "member_joined",
        "target": joined.json["id"],
        "target_name": "M-0006 Neu",
        "before": None,
        "after": {"code": "M-0006"},
        "reason": None,
        "address": "127.0.0.1",
        "device": "tablet 7",
        "request_id": joined.headers["Request-Id"],
        "position": position,
    }


def test_a_change_of_roles_tells_the_roles_before_and_after(new_club: Club) -> None:
    """And the way by which the person came to have them."""
    ann = person(new_club, "referee")
    path = membership_of(new_club, ann)
    new_club.owner.post(f"{path}/roles", {"roles": ["treasurer"]}, If_Match='"2"')
    new_club.owner.post(f"{path}/roles", {"roles": []}, If_Match='"3"')
    told = acts(new_club, f"&target={path.rpartition('/')[2]}")
    assert [one["act"] for one in told] == [
        "roles_changed",
        "roles_changed",
        "invitation_accepted",
        "invited",
    ]
    assert [one["before"] for one in told] == [
        {"roles": ["treasurer"], "member": None},
        {"roles": ["referee"], "member": None},
        None,
        None,
    ]
    assert told[0]["after"] == {"roles": [], "member": None}
    assert (told[2]["actor"], told[2]["name"], told[2]["role"]) == (ann.id, "Ann", "invited")


def test_what_a_game_server_records_is_no_officers_act(new_club: Club) -> None:
    """But a manager who ends its match is told, with his reason."""
    table = new_club.open_table()
    before = acts(new_club)
    new_club.recorder.post(f"{table}/hands", {"wall": WALL})
    new_club.recorder.post(f"{table}/actions", {"actions": BEFORE}, If_Match='"3"')
    assert acts(new_club) == before
    manager = person(new_club, "manager")
    dissolved = manager.post(f"{table}/dissolve", {"note": "停电 power cut"})
    assert dissolved.status_code == 200
    newest = acts(new_club)[0]
    assert (newest["act"], newest["role"], newest["reason"]) == (
        "table_closed",
        "manager",
        "停电 power cut",
    )
    assert newest["target"] == table.rpartition("/")[2]
    assert newest["after"]["reason"] == "dissolved"
    assert newest["request_id"] == dissolved.headers["Request-Id"]


def test_the_log_is_narrowed_by_who_what_and_role(new_club: Club) -> None:
    """Each by a parameter; an act that is none is refused."""
    person(new_club, "referee")
    assert {one["act"] for one in acts(new_club, "&act=key_issued")} == {"key_issued"}
    assert {one["role"] for one in acts(new_club, "&role=operator")} == {"operator"}
    by_owner = acts(new_club, f"&actor={new_club.owner.id}")
    assert {one["actor"] for one in by_owner} == {new_club.owner.id}
    refused = new_club.owner.get(f"{new_club.path}/operator_log?act=gift")
    assert (refused.status_code, refused.json["code"]) == (400, "query_invalid")


@pytest.mark.parametrize("role", ["accountant", "auditor"])
def test_who_looks_after_the_club_reads_the_log(new_club: Club, role: str) -> None:
    assert acts(new_club, reader=person(new_club, role))[-1]["act"] == "club_founded"


@pytest.mark.parametrize("role", ["manager", "referee", "treasurer"])
def test_who_only_works_in_the_club_does_not(new_club: Club, role: str) -> None:
    refused = person(new_club, role).get(f"{new_club.path}/operator_log")
    assert (refused.status_code, refused.json["code"]) == (403, "role_missing")

"""The same request again: its first answer, whatever has changed since."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Caller, Club, found_club
from tests.api.test_people import PASSWORD, code, invite, membership_of, person, with_password


def enter(club: Club, key: str, **body: object) -> Any:
    return Caller(club.owner.client, "").post("/v1/sessions", body, Idempotency_Key=key)


def without_token(answer: Any) -> dict[str, Any]:
    return {**answer.json, "token": None}


@pytest.mark.parametrize("way", ["password", "invitation", "link"])
def test_a_session_is_told_as_it_began(club: Club, way: str) -> None:
    """Given a session that was ended since, then its retry tells it as open, without its token."""
    if way == "password":
        with_password(club, f"again.{club.id}")
        body = {"login": f"again.{club.id}", "password": PASSWORD}
    elif way == "invitation":
        body = {"link": invite(club.owner, club, "referee").json["token"]}
    else:
        ann = person(club, "referee")
        body = {"link": club.owner.post(f"{membership_of(club, ann)}/links").json["token"]}
    key = f"again-{way}-{club.id}"
    first = enter(club, key, **body)
    caller = Caller(club.owner.client, first.json["token"])
    assert caller.send("DELETE", f"/v1/me/sessions/{first.json['id']}").status_code == 200
    again = enter(club, key, **body)
    assert (again.status_code, again.json) == (201, without_token(first))
    assert again.headers["Idempotent-Replayed"] == "true"


def test_the_command_id_of_a_session_is_bound_to_what_was_sent(club: Club) -> None:
    """Another spelling of the login, or a name that was not there, is another request."""
    with_password(club, f"bound.{club.id}")
    spelt = {"login": f"bound.{club.id}", "password": PASSWORD}
    assert enter(club, "bound", **spelt).status_code == 201
    other = enter(club, "bound", **{**spelt, "login": f"BOUND.{club.id}"})
    assert code(other) == (422, "idempotency_key_reused")
    link = club.owner.post(f"{membership_of(club, person(club, 'referee'))}/links").json["token"]
    assert enter(club, "bound", link=link).status_code == 201
    assert code(enter(club, "bound", link=link, name="x")) == (422, "idempotency_key_reused")


def test_who_joins_a_club_is_told_his_place_in_it_as_it_was(club: Club) -> None:
    """Given other roles since, then the retry tells those of the invitation."""
    ann, other = person(club, "referee"), found_club(club.app, "Second")
    link = {"link": invite(other.owner, other, "accountant").json["token"]}
    first = ann.post("/v1/me/memberships", link, Idempotency_Key="joined")
    path = f"{other.path}/memberships/{first.json['id']}"
    other.owner.post(f"{path}/roles", {"roles": ["auditor"]}, If_Match='"2"')
    again = ann.post("/v1/me/memberships", link, Idempotency_Key="joined")
    assert (again.status_code, again.json) == (201, first.json)
    assert first.json["roles"] == ["accountant"]


def test_what_stood_already_is_bound_to_its_command_id_too(club: Club) -> None:
    """Given roles that change nothing, then the retry says so still after they have changed."""
    path = membership_of(club, person(club, "referee"))
    same = {"roles": ["referee"]}
    first = club.owner.post(f"{path}/roles", same, If_Match='"2"', Idempotency_Key="same")
    club.owner.post(f"{path}/roles", {"roles": ["auditor"]}, If_Match='"2"')
    again = club.owner.post(f"{path}/roles", same, If_Match='"2"', Idempotency_Key="same")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json == first.json
    assert again.headers["ETag"] == first.headers["ETag"] == '"2"'
    other = club.owner.post(f"{path}/roles", {"roles": []}, If_Match='"3"', Idempotency_Key="same")
    assert code(other) == (422, "idempotency_key_reused")


def test_the_operators_command_id_is_another_in_another_club(club: Club) -> None:
    """Once the second club's key had the id of the first one's, which was a server's fault."""
    other = found_club(club.app, "Second")
    body = {"roles": ["auditor"], "label": "x"}
    made = [
        club.operator.post(f"{one.path}/keys", body, Idempotency_Key="one") for one in (club, other)
    ]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json["id"] != made[1].json["id"]


def test_the_last_owner_stays(new_club: Club) -> None:
    """Neither he nor a key of the club takes the role from the only owner; the operator may."""
    ann = person(new_club, "owner")
    path = membership_of(new_club, ann)
    nobody: dict[str, list[str]] = {"roles": []}
    for caller in (ann, new_club.owner):
        refused = caller.post(f"{path}/roles", nobody, If_Match='"2"')
        assert code(refused) == (409, "last_owner")
    person(new_club, "owner")
    assert ann.post(f"{path}/roles", nobody, If_Match='"2"').status_code == 200
    other = found_club(new_club.app, "Second")
    path = membership_of(other, person(other, "owner"))
    assert other.operator.post(f"{path}/roles", nobody, If_Match='"2"').status_code == 200

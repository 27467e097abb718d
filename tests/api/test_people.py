"""People: invited, coming in by links and passwords, and what they may do where."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.conftest import Answer, Caller, Club, found_club

PASSWORD = "correct horse battery"


def invite(maker: Caller, club: Club, *roles: str, **more: Any) -> Answer:
    body = {"roles": list(roles), "label": "老张", **more}
    return maker.post(f"{club.path}/memberships", body)


def enter(club: Club, body: dict[str, Any], **headers: str) -> Answer:
    """Sign in, as somebody whom nobody knows yet."""
    return Caller(club.owner.client, "").post("/v1/sessions", body, **headers)


def person(club: Club, *roles: str, **more: Any) -> Caller:
    """Somebody who was invited and came in."""
    invited = invite(club.owner, club, *roles, **more)
    assert invited.status_code == 201, invited.text
    entered = enter(club, {"link": invited.json["token"], "name": "Ann"})
    assert entered.status_code == 201, entered.text
    return Caller(club.owner.client, entered.json["token"], entered.json["person"])


def membership_of(club: Club, who: Caller) -> str:
    [belonging] = who.get("/v1/me").json["memberships"]
    return f"{club.path}/memberships/{belonging['membership']}"


def code(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


# --- invitations ------------------------------------------------------------------------------


def test_an_invitation_shows_its_token_once(club: Club) -> None:
    """A retry is answered with the same invitation, and null for the token."""
    key = {"Idempotency_Key": f"invite-{club.head()[0]}"}
    body = {"roles": ["referee"], "label": "裁判"}
    first = club.owner.post(f"{club.path}/memberships", body, **key)
    again = club.owner.post(f"{club.path}/memberships", body, **key)
    assert first.json["token"].startswith("pl_")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == {**first.json, "token": None}
    listed = club.owner.get(f"{club.path}/memberships?limit=100").json["data"]
    assert "token" not in listed[-1]
    assert (listed[-1]["id"], listed[-1]["state"]) == (first.json["id"], "invited")


def test_who_holds_the_link_comes_in_once(club: Club) -> None:
    """A second one who tries it finds it spent."""
    invited = invite(club.owner, club, "referee")
    entered = enter(club, {"link": invited.json["token"], "name": "Ann"})
    assert (entered.status_code, entered.json["way"]) == (201, "invitation")
    assert code(enter(club, {"link": invited.json["token"]})) == (401, "link_invalid")
    shown = club.owner.get(f"{club.path}/memberships/{invited.json['id']}").json
    assert (shown["state"], shown["name"], shown["label"]) == ("active", "Ann", "老张")


def test_a_retried_entry_is_one_entry(club: Club) -> None:
    """The same command id gets the same session, without its token."""
    link = {"link": invite(club.owner, club, "referee").json["token"]}
    first = enter(club, link, Idempotency_Key="entry-1")
    head = club.head()
    again = enter(club, link, Idempotency_Key="entry-1")
    assert again.json == {**first.json, "token": None}
    assert club.head() == head
    other = enter(club, {**link, "name": "Ben"}, Idempotency_Key="entry-1")
    assert code(other) == (422, "idempotency_key_reused")


def test_an_invitation_can_be_taken_back(club: Club) -> None:
    """Nobody comes in by it afterwards."""
    invited = invite(club.owner, club, "referee").json
    revoked = club.owner.post(f"{club.path}/memberships/{invited['id']}/revoke")
    assert (revoked.status_code, revoked.json["state"]) == (200, "revoked")
    assert code(enter(club, {"link": invited["token"]})) == (401, "link_invalid")


@pytest.mark.parametrize("link", ["", "pl_", "pl_1_2", "pl_00000000000000000000_x", "x" * 201])
def test_a_link_that_is_none_opens_nothing(club: Club, link: str) -> None:
    head = club.head()
    assert enter(club, {"link": link}).status_code in (401, 422)
    assert club.head() == head


def test_a_manager_invites_members_and_nobody_above(club: Club) -> None:
    """Who may let in an owner is an owner."""
    manager = person(club, "manager")
    assert invite(manager, club, "member", member="M-0001").status_code == 201
    assert code(invite(manager, club, "manager")) == (403, "role_missing")
    owner = membership_of(club, person(club, "owner"))
    assert code(manager.post(f"{owner}/links")) == (403, "role_missing")
    waiting = invite(club.owner, club, "owner").json["id"]
    refused = manager.post(f"{club.path}/memberships/{waiting}/revoke")
    assert code(refused) == (403, "role_missing")
    assert code(manager.post(f"{owner}/roles", {"roles": []}, If_Match='"2"'))[0] == 403


# --- what a person may do ---------------------------------------------------------------------


def test_a_person_acts_in_the_first_of_his_roles_that_allows_it(club: Club) -> None:
    """The event says who he was when he did it."""
    both = person(club, "accountant", "manager")
    joined = both.post(f"{club.path}/members", {"name": "Neu"})
    assert joined.status_code == 201
    last = club.owner.get(f"{club.path}/events?after={club.head()[0] - 1}").json["data"][0]
    assert (last["actor"], last["role"]) == (both.id, "manager")


def test_a_member_signed_in_sees_what_his_key_would_show(club: Club) -> None:
    """His own balance and no one else's."""
    member = person(club, "member", member=club.members[0])
    balances = member.get(f"{club.path}/members/{club.members[0]}")
    assert balances.status_code == 200
    assert code(member.get(f"{club.path}/members/{club.members[1]}")) == (403, "role_missing")


def test_a_person_without_a_role_in_a_club_finds_no_such_club(club: Club) -> None:
    """Neither one of another club, nor one who has left."""
    other = found_club(club.app, "Other")
    stranger = person(other, "owner")
    assert code(stranger.get(club.path)) == (404, "club_unknown")
    ann = person(club, "referee")
    left = club.owner.post(f"{membership_of(club, ann)}/roles", {"roles": []}, If_Match='"2"')
    assert (left.status_code, left.json["state"]) == (200, "left")
    assert code(ann.get(club.path)) == (404, "club_unknown")
    assert ann.get("/v1/me").json["memberships"] == []


def test_an_invitation_is_answered_with_its_version(club: Club) -> None:
    """So that it can be taken back as it was seen."""
    made = invite(club.owner, club, "referee")
    path, version = f"{club.path}/memberships/{made.json['id']}", made.headers["ETag"]
    assert version == '"1"'
    assert club.owner.post(f"{path}/revoke", {}, If_Match=version).json["state"] == "revoked"


def test_roles_are_changed_on_the_version_that_was_seen(club: Club) -> None:
    """428 without If-Match, 412 with a stale one."""
    ann = person(club, "referee")
    path = membership_of(club, ann)
    roles = {"roles": ["referee", "treasurer"]}
    assert club.owner.get(path).headers["ETag"] == '"2"'
    assert code(club.owner.post(f"{path}/roles", roles)) == (428, "version_missing")
    assert code(club.owner.post(f"{path}/roles", roles, If_Match='"1"')) == (412, "version_stale")
    changed = club.owner.post(f"{path}/roles", roles, If_Match='"2"')
    assert changed.json["roles"] == ["referee", "treasurer"]
    assert ann.get("/v1/me").json["memberships"][0]["roles"] == ["referee", "treasurer"]


def test_a_person_joins_a_second_club_with_the_account_he_has(club: Club) -> None:
    """He has one membership in a club, and no more."""
    ann, other = person(club, "referee"), found_club(club.app, "Second")
    link = invite(other.owner, other, "accountant").json["token"]
    joined = ann.post("/v1/me/memberships", {"link": link})
    assert joined.status_code == 201
    assert (joined.json["club"], joined.json["state"]) == (other.id, "active")
    places = {one["club"]: one["roles"] for one in ann.get("/v1/me").json["memberships"]}
    assert places == {club.id: ["referee"], other.id: ["accountant"]}
    assert ann.get(other.path).status_code == ann.get(club.path).status_code == 200
    again = invite(other.owner, other, "owner").json["token"]
    assert code(ann.post("/v1/me/memberships", {"link": again})) == (409, "already_in_club")


# --- passwords and sessions -------------------------------------------------------------------


def with_password(club: Club, login: str) -> Caller:
    ann = person(club, "referee")
    put = ann.put("/v1/me/password", {"login": login, "password": PASSWORD})
    assert put.status_code == 200, put.text
    return ann


def test_with_login_and_password_one_comes_in_from_anywhere(club: Club) -> None:
    """However the login is written; the password exactly."""
    ann = with_password(club, f"Ann.{club.id}")
    login = f"ANN.{club.id} "
    entered = enter(club, {"login": login, "password": PASSWORD})
    assert (entered.status_code, entered.json["person"]) == (201, ann.id)
    for wrong in ({"login": login, "password": PASSWORD + " "}, {"login": "x", "password": "y"}):
        assert code(enter(club, wrong)) == (401, "login_wrong")


def test_who_has_a_password_changes_it_only_by_knowing_it(club: Club) -> None:
    """And every other session of his ends."""
    ann = with_password(club, f"a1.{club.id}")
    login = {"login": f"a1.{club.id}"}
    token = enter(club, {**login, "password": PASSWORD}).json["token"]
    elsewhere = Caller(club.owner.client, token)
    new = {**login, "password": "another long one"}
    assert code(ann.put("/v1/me/password", new)) == (403, "old_password_wrong")
    assert elsewhere.get("/v1/me").status_code == 200
    changed = ann.put("/v1/me/password", {**new, "old_password": PASSWORD})
    assert changed.status_code == 200
    assert code(elsewhere.get("/v1/me")) == (401, "key_invalid")
    assert enter(club, {**login, "password": "another long one"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"login": "ab", "password": PASSWORD}, "body_invalid"),
        ({"login": "  ab", "password": PASSWORD}, "login_form"),
        ({"login": "per_somebody", "password": PASSWORD}, "login_form"),
        ({"login": "a b c", "password": PASSWORD}, "login_form"),
        ({"login": "somebody", "password": "too short"}, "body_invalid"),
        ({"login": "somebody.long", "password": "Somebody.Long"}, "password_form"),
    ],
)
def test_a_password_worth_nothing_is_refused(
    club: Club, body: dict[str, str], refusal: str
) -> None:
    assert code(person(club, "referee").put("/v1/me/password", body)) == (422, refusal)


def test_a_login_is_one_persons(club: Club) -> None:
    with_password(club, f"same.{club.id}")
    ben = person(club, "referee")
    taken = ben.put("/v1/me/password", {"login": f"SAME.{club.id}", "password": PASSWORD})
    assert code(taken) == (409, "login_taken")


def test_a_link_of_the_club_lets_in_to_that_club_alone(club: Club) -> None:
    """And gives nobody the power over a password, which opens all of a person's clubs."""
    ann, other = with_password(club, f"a2.{club.id}"), found_club(club.app, "Second")
    link = invite(other.owner, other, "accountant").json["token"]
    ann.post("/v1/me/memberships", {"link": link})
    [here] = [one for one in ann.get("/v1/me").json["memberships"] if one["club"] == club.id]
    made = club.owner.post(f"{club.path}/memberships/{here['membership']}/links")
    assert made.status_code == 201
    entered = enter(club, {"link": made.json["token"]})
    assert (entered.json["person"], entered.json["club"]) == (ann.id, club.id)
    limited = Caller(club.owner.client, entered.json["token"])
    assert limited.get(club.path).status_code == 200
    assert limited.get(other.path).status_code == 404
    assert [one["club"] for one in limited.get("/v1/me").json["memberships"]] == [club.id]
    stolen = limited.put("/v1/me/password", {"login": "thief", "password": PASSWORD})
    assert code(stolen) == (403, "session_of_a_club")
    assert code(limited.get("/v1/me/sessions")) == (403, "session_of_a_club")
    assert limited.get("/v1/me").json["login"] is None
    mine = f"/v1/me/sessions/{ann.get('/v1/me').json['session']}"
    assert code(limited.send("DELETE", mine)) == (403, "session_of_a_club")
    more = invite(other.owner, other, "owner").json["token"]
    joined = limited.post("/v1/me/memberships", {"link": more})
    assert code(joined) == (403, "session_of_a_club")
    own = f"/v1/me/sessions/{limited.get('/v1/me').json['session']}"
    assert limited.send("DELETE", own).status_code == 200
    assert code(enter(club, {"link": made.json["token"]})) == (401, "link_invalid")


def test_sessions_are_listed_and_ended(club: Club) -> None:
    """One's own; another's are not there."""
    ann, ben = with_password(club, f"a3.{club.id}"), person(club, "referee")
    second = enter(club, {"login": f"a3.{club.id}", "password": PASSWORD}).json
    listed = ann.get("/v1/me/sessions").json["data"]
    assert [one["way"] for one in listed] == ["password", "invitation"]
    path = f"/v1/me/sessions/{second['id']}"
    assert code(ben.send("DELETE", path)) == (404, "session_unknown")
    ended = ann.send("DELETE", path)
    assert (ended.status_code, ended.json["ended_at"] is not None) == (200, True)
    assert Caller(ann.client, second["token"]).get("/v1/me").status_code == 401
    assert ann.get("/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, [""]),
        ({"token": "x", "name": "y"}, [""]),
        ({"login": "x"}, ["/password"]),
        ({"link": "x", "login": "y"}, ["/login"]),
    ],
)
def test_one_signs_in_one_way(club: Club, body: dict[str, str], pointers: list[str]) -> None:
    """By login and password, or by a link."""
    refused = enter(club, body)
    assert code(refused) == (422, "body_invalid")
    assert [error["pointer"] for error in refused.json["errors"]] == pointers


def test_a_key_has_neither_password_nor_sessions(club: Club) -> None:
    for refused in (
        club.owner.get("/v1/me/sessions"),
        club.owner.put("/v1/me/password", {"login": "abc", "password": PASSWORD}),
        club.owner.post("/v1/me/memberships", {"link": "x"}),
    ):
        assert code(refused) == (403, "session_needed")


# --- who am I ---------------------------------------------------------------------------------


def test_a_key_is_told_what_it_is_for(club: Club) -> None:
    """Its club, its roles, its member; the operator is told that he is one."""
    told = club.players[0].get("/v1/me").json
    assert (told["kind"], told["club"], told["roles"]) == ("key", club.id, ["member"])
    assert (told["id"], told["member"]) == (club.players[0].id, club.members[0])
    assert club.operator.get("/v1/me").json["kind"] == "operator"


def test_the_last_use_of_a_key_is_told_to_the_minute(club: Club) -> None:
    """A key that was never used has none."""
    made = club.owner.post(f"{club.path}/keys", {"roles": ["auditor"], "label": "unused"}).json
    Caller(club.owner.client, made["token"]).get(club.path)
    keys = club.owner.get(f"{club.path}/keys?limit=100").json["data"]
    [used] = [key["last_used_at"] for key in keys if key["id"] == made["id"]]
    assert used is not None
    assert used.startswith("2025-11-2")
    unused = club.owner.post(f"{club.path}/keys", {"roles": ["auditor"], "label": "unused"}).json
    assert unused["last_used_at"] is None


def test_a_link_of_the_club_is_no_invitation(club: Club) -> None:
    """Nobody joins by what only lets somebody in again."""
    ann, ben = person(club, "referee"), person(club, "referee")
    link = club.owner.post(f"{membership_of(club, ann)}/links").json["token"]
    assert code(ben.post("/v1/me/memberships", {"link": link})) == (401, "link_invalid")


@pytest.mark.parametrize("way", ["invitation", "link", "password"])
def test_the_same_entry_twice_at_once_is_one_session(club: Club, way: str) -> None:
    """One of the two answers has the token; both name the same session."""
    body: dict[str, str]
    if way == "invitation":
        body = {"link": invite(club.owner, club, "referee").json["token"]}
    elif way == "link":
        ann = person(club, "referee")
        body = {"link": club.owner.post(f"{membership_of(club, ann)}/links").json["token"]}
    else:
        with_password(club, f"twice.{club.id}")
        body = {"login": f"twice.{club.id}", "password": PASSWORD}
    with ThreadPoolExecutor(4) as pool:
        key = f"twice-{way}-{club.id}"
        entries = list(pool.map(lambda _: _enter_alone(club, body, key), range(4)))
    assert [entry.status_code for entry in entries] == [201] * 4
    assert len({entry.json["id"] for entry in entries}) == 1
    assert len([entry for entry in entries if entry.json["token"] is not None]) == 1


@pytest.mark.parametrize("way", ["invitation", "link"])
def test_a_link_lets_one_in_of_several_at_once(club: Club, way: str) -> None:
    """The others find it spent."""
    token = invite(club.owner, club, "referee").json["token"]
    if way == "link":
        ann = person(club, "referee")
        token = club.owner.post(f"{membership_of(club, ann)}/links").json["token"]
    with ThreadPoolExecutor(4) as pool:
        keys = [f"race-{way}-{club.id}-{number}" for number in range(4)]
        entries = list(pool.map(lambda key: _enter_alone(club, {"link": token}, key), keys))
    assert sorted(entry.status_code for entry in entries) == [201, 401, 401, 401]


def _enter_alone(club: Club, body: dict[str, str], key: str) -> Answer:
    """Sign in over a connection of one's own."""
    stranger = Caller(club.app.test_client(), "")
    return stranger.post("/v1/sessions", body, Idempotency_Key=key)


@pytest.mark.parametrize("what", ["keys", "memberships", "operator_log"])
def test_a_list_of_people_and_what_they_did_goes_on_after_its_page(
    new_club: Club, what: str
) -> None:
    """Page by page it is what it is at once; a place that is none is refused."""
    invite(new_club.owner, new_club, "referee")
    invite(new_club.owner, new_club, "auditor")
    path = f"{new_club.path}/{what}"
    newest = f"&min_position={new_club.head()[0]}" if what == "operator_log" else ""
    whole = [one["id"] for one in new_club.owner.get(f"{path}?limit=100{newest}").json["data"]]
    first = new_club.owner.get(f"{path}?limit=1").json["data"][0]["id"]
    rest = new_club.owner.get(f"{path}?limit=100&starting_after={first}").json["data"]
    assert [first, *(one["id"] for one in rest)] == whole
    for cursor in ("act_x", "act_0", "nobody"):
        refused = new_club.owner.get(f"{path}?starting_after={cursor}")
        assert code(refused) == (400, "cursor_unknown")

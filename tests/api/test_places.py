"""A person's place in a club: one at a time, and one person to a member."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

from ledger import admission
from tests.api.conftest import Answer, Caller, Club
from tests.api.test_people import code, enter, invite, membership_of, person

NAMES = count(1)


def join(club: Club, who: Caller, *roles: str, **more: str) -> Answer:
    """Invite somebody who is a person already, and let him accept it."""
    link = invite(club.owner, club, *roles, **more).json["token"]
    return who.post("/v1/me/memberships", {"link": link})


def change(club: Club, path: str, **body: object) -> Answer:
    version = club.owner.get(path).headers["ETag"]
    return club.owner.post(f"{path}/roles", body, If_Match=version)


def test_a_referee_may_play_too(new_club: Club) -> None:
    """The member is named with the role; the answer and what he sees are the member's."""
    ann = person(new_club, "referee")
    path = membership_of(new_club, ann)
    both = change(new_club, path, roles=["referee", "member"], member="M-0003")
    assert (both.status_code, both.json["member"]) == (200, new_club.members[2])
    assert ann.get(f"{new_club.path}/members/M-0003").status_code == 200
    assert ann.get("/v1/me").json["memberships"][0]["member"] == new_club.members[2]
    again = change(new_club, path, roles=["referee"])
    assert again.json["roles"] == ["referee"]


def test_who_was_taken_for_another_member_gets_the_right_one(new_club: Club) -> None:
    """Given a mistyped code, then it is mended, and the other member is free again."""
    path = membership_of(new_club, person(new_club, "member", member=new_club.members[0]))
    mended = change(new_club, path, roles=["member"], member=new_club.members[1])
    assert mended.json["member"] == new_club.members[1]
    person(new_club, "member", member=new_club.members[0])


def test_a_member_is_one_person(new_club: Club) -> None:
    """Neither by an invitation nor by new roles do two people hold one member's points."""
    first = person(new_club, "member", member=new_club.members[0])
    second = invite(new_club.owner, new_club, "member", member=new_club.members[0])
    refused = enter(new_club, {"link": second.json["token"]})
    assert code(refused) == (409, "member_taken")
    path = membership_of(new_club, person(new_club, "referee"))
    refused = change(new_club, path, roles=["member"], member="M-0001")
    assert code(refused) == (409, "member_taken")
    left = change(new_club, membership_of(new_club, first), roles=[])
    assert left.status_code == 200
    assert change(new_club, path, roles=["member"], member="M-0001").status_code == 200


def test_who_has_left_comes_back_by_a_new_invitation(new_club: Club) -> None:
    """His old membership stays left, and cannot be given roles beside the new one."""
    ann = person(new_club, "referee")
    old = membership_of(new_club, ann)
    assert code(join(new_club, ann, "auditor")) == (409, "already_in_club")
    change(new_club, old, roles=[])
    back = join(new_club, ann, "auditor")
    assert (back.status_code, back.json["roles"]) == (201, ["auditor"])
    assert ann.get(f"{new_club.path}/operator_log").status_code == 200
    assert code(change(new_club, old, roles=["owner"])) == (409, "already_in_club")
    assert [one["roles"] for one in ann.get("/v1/me").json["memberships"]] == [["auditor"]]


def test_who_comes_back_twice_at_once_has_one_place(new_club: Club) -> None:
    """Given an old membership that gets roles again while a new one is accepted: one of them."""
    for _ in range(4):
        ann = person(new_club, "referee")
        old = membership_of(new_club, ann)
        change(new_club, old, roles=[])
        link = invite(new_club.owner, new_club, "auditor").json["token"]
        number = next(NAMES)
        alone = Caller(new_club.app.test_client(), ann.token)
        body, key = {"link": link}, f"back-{number}"
        with ThreadPoolExecutor(2) as pool:
            new = pool.submit(alone.post, "/v1/me/memberships", body, Idempotency_Key=key)
            revived = pool.submit(change, new_club, old, roles=["referee"])
            told = sorted([new.result().status_code, revived.result().status_code])
        assert told in ([200, 409], [201, 409])
        assert len(ann.get("/v1/me").json["memberships"]) == 1


def test_the_operators_link_stands_in_the_log_of_every_club(new_club: Club) -> None:
    """It opens all that is the person's: an owner sees that it was made, and by whom."""
    ann = person(new_club, "owner")
    admission.operator_link(new_club.ledger, ann.get("/v1/me").json["id"])
    path = f"{new_club.path}/operator_log?act=link_issued"
    [entry] = ann.get(f"{path}&min_position={new_club.head()[0]}").json["data"]
    assert (entry["actor"], entry["role"]) == ("operator", "operator")
    assert entry["target"] == membership_of(new_club, ann).rpartition("/")[2]


def test_a_log_that_is_asked_for_nobody_says_so(new_club: Club) -> None:
    """A name is no id: an empty list would read as if he had done nothing."""
    for query, fault in (("actor=Ben", "actor_form"), ("target=per_1", "target_form")):
        refused = new_club.owner.get(f"{new_club.path}/operator_log?{query}")
        assert code(refused) == (400, "query_invalid")
        assert refused.json["errors"][0]["code"] == fault

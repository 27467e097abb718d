"""What becomes of sessions and links when the roles or the password behind them change."""

from __future__ import annotations

from tests.api.conftest import Caller, Club
from tests.api.hand import WALL
from tests.api.test_people import PASSWORD, code, enter, membership_of, person, with_password


def test_what_a_clubs_link_opened_ends_when_the_roles_change(club: Club) -> None:
    """A link made for a member is no way to an owner's rights later: neither used nor unused."""
    ann = person(club, "member", member=club.members[2])
    path = membership_of(club, ann)
    used, unused = (club.owner.post(f"{path}/links").json["token"] for _ in range(2))
    limited = Caller(club.owner.client, enter(club, {"link": used}).json["token"])
    version = club.owner.get(path).headers["ETag"]
    club.owner.post(f"{path}/roles", {"roles": ["member", "owner"]}, If_Match=version)
    assert code(limited.get(club.path)) == (401, "key_invalid")
    assert code(enter(club, {"link": unused})) == (401, "link_invalid")
    assert ann.get(club.path).status_code == 200


def test_who_is_no_member_any_more_sees_nothing_of_his_seat(club: Club) -> None:
    """Given a running hand, when its player has another role alone, then the table is not his."""
    ann = person(club, "member", member=club.members[1])
    table = club.open_table()
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    assert ann.get(table).json["state"]["hand"]["seats"][1]["hand"] == "124578m2558p369s"
    changed = {"roles": ["treasurer"]}
    club.owner.post(f"{membership_of(club, ann)}/roles", changed, If_Match='"2"')
    assert code(ann.get(table)) == (403, "table_not_yours")
    assert ann.get("/v1/me").json["memberships"][0]["member"] is None


def test_a_new_password_ends_every_link(club: Club) -> None:
    ann = with_password(club, f"linked.{club.id}")
    link = club.owner.post(f"{membership_of(club, ann)}/links").json["token"]
    new = {"login": f"linked.{club.id}", "password": "another long one", "old_password": PASSWORD}
    assert ann.put("/v1/me/password", new).status_code == 200
    assert code(enter(club, {"link": link})) == (401, "link_invalid")

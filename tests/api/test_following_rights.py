"""Who follows a log sees as much as he may at each moment, and nothing once he may not."""

from __future__ import annotations

import json

from ledger.telling import time_text
from tests.api.conftest import Caller, Club
from tests.api.followed import Followed, join
from tests.api.test_people import membership_of, person


def test_a_revoked_key_sees_nothing_more(either: Followed) -> None:
    """Given a stream, when its key is revoked, then it ends before the next event."""
    club = either.club
    made = club.owner.post(f"{club.path}/keys", {"roles": ["auditor"], "label": "short"}).json
    last = club.head()[0]
    stream = either.follow(Caller(club.owner.client, made["token"]), f"after={last}")
    assert stream.line() == ""

    revoked = club.owner.post(f"{club.path}/keys/{made['id']}/revoke")
    join(club)

    assert revoked.status_code == 200
    assert stream.rest() == ""


def test_an_expired_key_sees_nothing_more(quick: Followed) -> None:
    """Given a key that runs out within twenty looks at the clock, then its stream ends."""
    club = quick.club
    soon = time_text(club.ledger.clock() + 20_000_000)
    body = {"roles": ["auditor"], "label": "short", "expires_at": soon}
    made = club.owner.post(f"{club.path}/keys", body)
    last = club.head()[0]

    stream = quick.follow(Caller(club.owner.client, made.json["token"]), f"after={last}")

    assert set(stream.rest()) == {"\n"}


def test_a_person_sees_as_much_as_he_may_at_each_moment(calm: Followed) -> None:
    """Given a stream of an auditor, when he becomes treasurer, then it tells him less."""
    club, auditor = calm.club, person(calm.club, "auditor")
    last = club.head()[0]
    stream = calm.follow(auditor, f"after={last}")
    club.open_table()
    assert "type" in json.loads(stream.lines(1)[0])

    change_roles(club, auditor, "treasurer")
    club.open_table()

    assert "type" not in json.loads(stream.lines(2)[1])


def test_a_person_who_has_left_sees_nothing_more(calm: Followed) -> None:
    """Given a stream of an auditor, when he loses his roles, then it ends before that is told."""
    club, auditor = calm.club, person(calm.club, "auditor")
    stream = calm.follow(auditor, f"after={club.head()[0]}")
    assert stream.line() == ""

    change_roles(club, auditor)

    assert stream.rest() == ""


def test_a_session_that_has_ended_sees_nothing_more(calm: Followed) -> None:
    """Given a stream of a person, when he signs out, then it ends."""
    club, auditor = calm.club, person(calm.club, "auditor")
    stream = calm.follow(auditor, f"after={club.head()[0]}")
    assert stream.line() == ""

    [session] = auditor.get("/v1/me/sessions").json["data"]
    ended = auditor.send("DELETE", f"/v1/me/sessions/{session['id']}")
    join(club)

    assert ended.status_code == 200, ended.text
    assert stream.rest() == ""


def change_roles(club: Club, who: Caller, *roles: str) -> None:
    path, body = membership_of(club, who), {"roles": list(roles)}
    version = club.owner.get(path).headers["ETag"]
    changed = club.owner.post(f"{path}/roles", body, If_Match=version)
    assert changed.status_code == 200, changed.text

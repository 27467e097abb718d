"""What the tests of forgetting are written with: clubs in which Ling has done all that one can."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from ledger.database import Database
from projections.projection import catch_up
from tests.api.conftest import (
    Caller,
    Club,
    at_many_tables,
    found_club,
    once_served,
    serving,
)
from tests.conftest import KINDS

NAME = "Zhou Ling"
MEMBER = "阿玲玲"
LABEL = "Lingling of the tea room"
LOGIN = "ling.z"
PASSWORD = "nine green bamboos"
ADDRESS = "198.51.100.77"
DEVICE = "Teapot/9.1"
HIS = {
    "the name": NAME,
    "the member's name": MEMBER,
    "the label": LABEL,
    "the login": LOGIN,
    "the address": ADDRESS,
    "the device": DEVICE,
    "why a hand was voided": "my tea fell over",
    "why a match was closed": "gone to catch a train",
    "why a match was dissolved": "quarrel about a flower",
    "a note of somebody else": "closed because of zhou ling again",
    "a room": "corner of 阿玲玲",
    "what a key is for": "tablet of Zhou Ling",
    "what another key is for": "pocket of hers",
    "an invitation that ran out": "Zhou Ling (old phone)",
}
"""What stands in the tables of Ling, by what it is; each is written once in `lived`."""
THEIRS = "all went home"
"""A note of somebody else that tells nothing of her."""

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Where nothing depends on the kind of database."""


@dataclass
class Life:
    """Ling as she calls, her two clubs, and who else is in them."""

    app: Flask
    club: Club
    other: Club
    ling: Caller
    manager: Caller
    member: str
    membership: str

    @property
    def database(self) -> Database:
        """The database of both clubs."""
        return self.club.ledger.database

    def names(self) -> dict[str, str]:
        """What the members of the first club are called, by their codes."""
        listed = self.club.owner.get(f"{self.club.path}/members?limit=100").json["data"]
        return {row["code"]: row["name"] for row in listed}

    def show(self) -> None:
        """Bring what is shown up to date."""
        for club in (self.club, self.other):
            catch_up(self.database, club.id)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def life(database_url: str) -> Iterator[Life]:
    """Ling's life in a fresh database, of each kind."""
    with serving(database_url) as app:
        yield once_served(app, lived)


def lived(app: Flask) -> Life:
    """A first club that Ling owns and plays in, a second where she is a referee."""
    club, other = at_many_tables(found_club(app)), found_club(app, "Pine Hall")
    member = _made(club.owner.post(f"{club.path}/members", {"name": MEMBER}))
    invited = invite(club, LABEL, "owner", "member", member=member)
    with _from_her_tablet(club):
        ling = enter(club, invited, NAME)
        set_password(ling)
        ling = sign_in(club)
        elsewhere = invite(other, LABEL, "referee")["token"]
        assert ling.post("/v1/me/memberships", {"link": elsewhere}).status_code == 201
        _act(club, ling, member)
    manager = enter(club, invite(club, "Wei", "manager"), "Wei")
    _closed(club, manager, "a note of somebody else", room=HIS["a room"])
    _closed(club, manager, None, note=THEIRS)
    invite(club, HIS["an invitation that ran out"], "referee")
    life = Life(app, club, other, ling, manager, member, invited["id"])
    life.show()
    return life


def _act(club: Club, ling: Caller, member: str) -> None:
    """What Ling does in her club: keys, a hand voided, matches ended."""
    for label, more in (
        ("what a key is for", {"roles": ["recorder"]}),
        ("what another key is for", {"roles": ["member"], "member": member}),
    ):
        _made(ling.post(f"{club.path}/keys", {"label": HIS[label], **more}))
    table = club.open_table(seats=[*club.members[:3], member])
    club.recorder.post(f"{table}/hands")
    void = {"note": HIS["why a hand was voided"]}
    assert ling.post(f"{table}/hands/1/void", void).status_code == 200
    _closed(club, ling, "why a match was closed")
    table = club.open_table()
    club.recorder.post(f"{table}/hands")
    dissolved = {"note": HIS["why a match was dissolved"]}
    assert ling.post(f"{table}/dissolve", dissolved).status_code == 200


def _closed(club: Club, who: Caller, told: str | None, note: str = "", **more: Any) -> None:
    noted = {"note": HIS[told] if told else note}
    assert who.post(f"{club.open_table(**more)}/close", noted).status_code == 200


@contextmanager
def _from_her_tablet(club: Club) -> Iterator[None]:
    """Everybody calls from where Ling does, with her device."""
    hers = {"REMOTE_ADDR": ADDRESS, "HTTP_USER_AGENT": DEVICE}
    before = dict(club.owner.client.environ_base)
    club.owner.client.environ_base.update(hers)
    yield
    club.owner.client.environ_base.clear()
    club.owner.client.environ_base.update(before)


def invite(club: Club, label: str, *roles: str, **more: Any) -> dict[str, Any]:
    body = {"roles": list(roles), "label": label, **more}
    made = club.operator.post(f"{club.path}/memberships", body)
    assert made.status_code == 201, made.text
    return dict(made.json)


def enter(club: Club, invited: dict[str, Any], name: str) -> Caller:
    client = club.owner.client
    link = {"link": invited["token"], "name": name}
    entered = Caller(client, "").post("/v1/sessions", link)
    assert entered.status_code == 201, entered.text
    return Caller(client, entered.json["token"], entered.json["person"])


def set_password(who: Caller) -> None:
    login = {"login": LOGIN, "password": PASSWORD}
    assert who.put("/v1/me/password", login).status_code == 200


def sign_in(club: Club) -> Caller:
    client = club.owner.client
    entered = Caller(client, "").post("/v1/sessions", {"login": LOGIN, "password": PASSWORD})
    assert entered.status_code == 201, entered.text
    return Caller(client, entered.json["token"], entered.json["person"])


def _made(answer: Any) -> str:
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])

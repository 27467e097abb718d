"""Who reads the API of a club in a world: its owner, its members, those who look after it."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger import acts
from ledger import api as ledger_api
from ledger.access import Caller, operator
from ledger.acts import Desk
from ledger.api import edge
from ledger.database import Database
from projections import api
from projections.api.exports import Shelf
from tests import described
from tests.conftest import NO_KEY
from tests.world import Club, World

OPERATOR_TOKEN = "the-operators-own-token"


@cache
def application() -> Flask:
    """The application that serves each world in its turn."""
    app = Flask("paizhang")
    app.testing = True
    ledger = World(Database.open("sqlite:////nowhere")).ledger
    registered = ledger_api.register(app, ledger, NO_KEY, OPERATOR_TOKEN)
    api.register(app, registered, Shelf(NO_KEY.parent, 7, lambda _: None))
    return app


def serving(world: World) -> FlaskClient:
    """A client of a world's API."""
    app = application()
    app.extensions[edge.EXTENSION] = edge.Served(world.ledger, NO_KEY, OPERATOR_TOKEN)
    return app.test_client()


def peopled(world: World) -> tuple[Club, dict[str, str]]:
    """A club of five and one elsewhere, and with what token everybody calls."""
    club = world.club(members=5)
    tokens = {"operator": OPERATOR_TOKEN}
    for role in ("owner", "auditor", "recorder"):
        tokens[role], club.recorder = issued(club, role)
    for index, member in enumerate(club.members):
        tokens[f"member {index}"], _ = issued(club, "member", member)
    tokens["elsewhere"], _ = issued(world.club(members=1), "owner")
    return club, tokens


def issued(club: Club, role: str, member: str | None = None) -> tuple[str, Caller]:
    """A new key for a role: its token, and who calls with it."""
    desk = Desk(club.world.ledger, operator(), club.id)
    made = acts.issue_key(desk, (role,), "test", member)
    return made.token or "", Caller(made.key, club.id, (role,), member)


class Reader:
    """Reads the API of a club in which a match of two hands was played, as different people."""

    def __init__(self, world: World) -> None:
        self.http = serving(world)
        self.world = world
        self.club, self.tokens = world.once(peopled, world)

    def get(self, who: str, path: str, **headers: str) -> TestResponse:
        """The answer to one of the callers."""
        path = path.replace("{club}", self.club.id)
        key = {"Authorization": f"Bearer {self.tokens[who]}"}
        answer = self.http.get(f"/v1{path}", headers={**key, **headers})
        described.check(self.http.application, "GET", f"/v1{path}", answer)
        return answer

    def data(self, who: str, path: str) -> list[dict[str, Any]]:
        """The objects of a list, as one of the callers sees it."""
        answer = self.get(who, path)
        assert answer.status_code == 200, answer.text
        return list(answer.get_json()["data"])


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]

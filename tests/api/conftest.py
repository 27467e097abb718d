"""A served ledger, a club in it with one caller of every kind, and a table to play at."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from ledger import store
from ledger.api import edge, register
from ledger.api.following import Pace
from ledger.api.limits import Limits
from ledger.database import Database
from ledger.perform import Ledger
from projections import api as projections_api
from projections import standing
from projections.api import exports, lookup
from projections.api.exports import Shelf
from tests import described
from tests.api.followed import CALM, QUICK, Followed, followed
from tests.api.hand import OPTIONS
from tests.conftest import KINDS, Administer, address
from tests.fresh import Scene, once

T = TypeVar("T")

BRIEF = Pace(look=0.01, heartbeat=0.05, end=0.1)
"""A stream ends soon after it has told what there is."""
MANY = Limits(1_000_000, 1_000_000, 1_000_000, 1_000_000)
OPERATOR_TOKEN = "the-operators-own-token"
NUMBERS = count(1)
NOON = 1_764_331_200_000_000  # 2025-11-28T12:00:00Z


LIMITS = (
    "entry_floor",
    "entry_ceiling",
    "pause_floor",
    "hand_cap",
    "day_loss",
    "alarm",
    "allowance",
    "correction",
)


class Clock:
    """A clock that is a second further at every look; days go by when a test wants them to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now - 1_000_000

    def skip(self, days: int) -> None:
        self.now += days * 24 * 3600 * 1_000_000


class Answer(Protocol):
    """An answer as the tests look at it; `json` is whatever was said."""

    status_code: int
    content_type: str
    headers: Headers
    data: bytes
    text: str
    json: Any


@dataclass
class Caller:
    """Somebody who calls the API with a key."""

    client: FlaskClient
    token: str
    id: str = ""

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        """Send a write under a command id of its own, unless one is given."""
        headers.setdefault("Idempotency_Key", f"request-{next(NUMBERS)}")
        data = json.dumps({} if body is None else body).encode()
        return self.send("POST", path, data, **headers)

    def put(self, path: str, body: object, **headers: str) -> Answer:
        return self.send("PUT", path, json.dumps(body).encode(), **headers)

    def send(self, method: str, path: str, data: bytes | None = None, **headers: str) -> Answer:
        """Send bytes as JSON, with the caller's key and headers.

        Whatever comes back is held to the API's description.
        """
        named = {**self._key(), "Content-Type": "application/json", **_named(headers)}
        answer = self.client.open(path, method=method, data=data, headers=named)
        described.check(self.client.application, method, path, answer)
        return cast(Answer, answer)

    def _key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass
class Club:
    """A club whose callers are an owner, a recorder, four players and another member."""

    id: str
    ledger: Ledger
    app: Flask
    operator: Caller
    owner: Caller
    recorder: Caller
    players: tuple[Caller, ...]
    other: Caller
    members: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/v1/clubs/{self.id}"

    def head(self) -> tuple[int, bytes]:
        """The end of the club's log: where nothing has happened it stays as it was."""
        with self.ledger.database.read() as connection:
            head = store.head(connection, self.id)
        assert head is not None
        return head.position, head.hash

    def open_table(self, **more: Any) -> str:
        """Open a table with the club's four players; its path."""
        body = {
            "ruleset": "huaihua/1",
            "options": OPTIONS,
            "seats": list(self.members[:4]),
            "hands": 2,
            "dealer": 0,
            **more,
        }
        opened = self.recorder.post(f"{self.path}/tables", body)
        assert opened.status_code == 201, opened.text
        return f"/v1/tables/{opened.json['id']}"


@pytest.fixture(params=KINDS)
def club(request: pytest.FixtureRequest) -> Club:
    """A club on each kind of database; other tests have played in it."""
    shared: Club = request.getfixturevalue(f"{request.param}_club")
    return shared


@pytest.fixture(params=KINDS)
def new_club(request: pytest.FixtureRequest) -> Club:
    """A club on each kind of database, just founded."""
    served: Flask = request.getfixturevalue(f"{request.param}_app")
    return found_club(served)


@pytest.fixture(scope="package")
def sqlite_club(sqlite_app: Flask) -> Club:
    return at_many_tables(found_club(sqlite_app))


@pytest.fixture(scope="package")
def postgresql_club(postgresql_app: Flask) -> Club:
    return at_many_tables(found_club(postgresql_app))


@pytest.fixture(scope="package")
def sqlite_app(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on a SQLite file, for all tests of the API: each founds its own club."""
    fresh = tmp_path_factory.mktemp("api") / "paizhang.sqlite3"
    shutil.copyfile(sqlite_template, fresh)
    with serving(f"sqlite:///{fresh}") as served:
        yield served


@pytest.fixture(scope="package")
def postgresql_app(
    postgres_role: str, postgres_template: str, administer: Administer
) -> Iterator[Flask]:
    """An application on a PostgreSQL database, for all tests of the API."""
    name = f"{postgres_template}_api"
    administer("CREATE DATABASE {} TEMPLATE {}", name, postgres_template)
    with serving(address(postgres_role, name)) as served:
        yield served
    administer("DROP DATABASE {} WITH (FORCE)", name)


@contextmanager
def serving(url: str) -> Iterator[Flask]:
    """An application that serves a ledger, its clock a second further at every look.

    A busy machine gets ten seconds to show what is asked for; tests/projections holds the limit.
    """
    clock, rng = Clock(), random.Random(7)
    with closing(Database.open(url)) as database, pytest.MonkeyPatch.context() as patched:
        patched.setattr(lookup, "WAIT_SECONDS", 10)
        ledger = Ledger(database, clock, rng.randbytes, lambda *_: None, standing)
        with TemporaryDirectory() as folder, application(ledger, Path(folder)) as app:
            app.extensions["clock"], app.extensions["rng"] = clock, rng
            yield app


@contextmanager
def application(ledger: Ledger, folder: Path) -> Iterator[Flask]:
    """An application that serves a ledger and keeps its files in a folder.

    One that another test has left is taken: to describe the whole API takes long.
    """
    hints: list[str] = []
    served = edge.Served(ledger, folder / "signing.key", OPERATOR_TOKEN)
    shelf = Shelf(folder / "exports", 7, hints.append)
    app = _LEFT.pop() if _LEFT else _application(served, shelf)
    own = {edge.EXTENSION: served, exports.EXTENSION: shelf, "hints": hints, "ledger": ledger}
    app.extensions.update(own)
    yield app
    _LEFT.append(app)


def _application(served: edge.Served, shelf: Shelf) -> Flask:
    app = Flask("paizhang", static_folder=None, template_folder=None)
    app.testing = True
    key, token = served.signing_key, served.operator_token
    api = register(app, served.ledger, key, token, limits=MANY, pace=BRIEF)
    projections_api.register(app, api, shelf)
    return app


_LEFT: list[Flask] = []
"""Applications that serve nothing just now."""


def once_served(app: Flask, happens: Callable[[Flask], T]) -> T:
    """What happens in an application that has served nothing yet: played out once, then told."""
    ledger: Ledger = app.extensions["ledger"]
    rng, clock = app.extensions["rng"], app.extensions["clock"]
    scene = Scene(ledger.database, rng, clock, (app, ledger))
    return once(scene, happens, lambda: happens(app))


def found_club(app: Flask, name: str = "Jade Garden 翠苑") -> Club:
    client = app.test_client()
    operator = Caller(client, OPERATOR_TOKEN)
    founded = operator.post("/v1/clubs", {"name": name, "zone": "Asia/Shanghai"})
    assert founded.status_code == 201, founded.text
    club: str = founded.json["id"]
    owner = _key(operator, club, {"roles": ["owner"]})
    joined = [owner.post(f"/v1/clubs/{club}/members", {"name": f"Member {n}"}) for n in range(5)]
    members = tuple(str(one.json["id"]) for one in joined)
    keys = [_key(owner, club, {"roles": ["member"], "member": member}) for member in members]
    recorder = _key(owner, club, {"roles": ["recorder"]})
    ledger: Ledger = app.extensions["ledger"]
    return Club(club, ledger, app, operator, owner, recorder, tuple(keys[:4]), keys[4], members)


def at_many_tables(club: Club) -> Club:
    """Let members sit at many tables at once: each test opens its own."""
    allowed = dict.fromkeys(LIMITS) | {"tables": 999}
    answer = club.owner.post(f"{club.path}/limits", allowed)
    assert answer.status_code == 200, answer.text
    return club


def _key(maker: Caller, club: str, body: dict[str, Any]) -> Caller:
    made = maker.post(f"/v1/clubs/{club}/keys", {"label": "test", **body})
    assert made.status_code == 201, made.text
    return Caller(maker.client, made.json["token"], made.json["id"])


@pytest.fixture
def either(club: Club) -> Iterator[Followed]:
    """A club on each kind of database, whose streams beat once, at their beginning, if at all."""
    with followed(club, CALM) as served:
        yield served


@pytest.fixture
def calm(sqlite_club: Club) -> Iterator[Followed]:
    """A club whose streams beat once, at their beginning, if at all."""
    with followed(sqlite_club, CALM) as served:
        yield served


@pytest.fixture
def quick(sqlite_club: Club) -> Iterator[Followed]:
    """A club whose streams beat often."""
    with followed(sqlite_club, QUICK) as served:
        yield served

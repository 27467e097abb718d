"""The examples of the API's description: a story of one club, told request by request.

`python -m tests.api.examples` tells it and keeps what was answered, which the description then
shows. A test tells it again and finds the same answers.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from flask import Flask
from werkzeug.test import TestResponse

import ledger.api
from ledger import exporting, settlement
from ledger.api import register
from ledger.api.description import EXAMPLES
from ledger.database import Database, upgrade
from ledger.perform import Ledger
from ledger.settings import load
from projections import api as projections_api
from projections import standing
from projections.api.exports import Shelf
from projections.exports.asking import maker
from projections.projection import catch_up
from tests import described
from tests.api.example_books import tell_books
from tests.api.example_disputes import tell_disputes
from tests.api.example_exports import tell_exports
from tests.api.example_office import tell_office, tell_seats
from tests.api.hand import BEFORE, FED, OPTIONS, PUNG, WALL, WIN

JSON = dict[str, Any]
FILE = Path(ledger.api.__file__).parent / "examples.json"
TOKEN = "the-operators-own-token"
NOON = 1_764_331_200_000_000  # 2025-11-28T12:00:00Z
MINUTE = 60_000_000
STATUSES = {status.name: status.value for status in HTTPStatus}
KEPT = ("Location", "ETag", "Link", "Idempotent-Replayed", "Dry-Run", "Cache-Control")
"""The headers that are kept of an answer: those that the story decides."""


class Story:
    """A club's story. Time goes on by a minute at each request, and its name is its chance."""

    def __init__(self, database: Database, key: Path) -> None:
        self.now, self.rng = NOON, random.Random(0)
        chance = self.rng.randbytes
        self.ledger = Ledger(database, lambda: self.now, chance, lambda *_: None, standing)
        self.app = Flask("paizhang")
        self.app.testing = True
        self.shelf = Shelf(key.parent / "exports", 7, lambda job: None)
        projections_api.register(self.app, register(self.app, self.ledger, key, TOKEN), self.shelf)
        self.client = self.app.test_client()
        self.told: JSON = {}
        self.number = 0

    def ask(
        self,
        name: str,
        method: str,
        path: str,
        body: object = None,
        *,
        by: str | None = TOKEN,
        query: JSON | None = None,
        aside: bool = False,
        **headers: str,
    ) -> Any:
        """Send a request and keep it with its answer under a name; what is said aside is not."""
        self.number += 1
        self.now += MINUTE
        self.rng.seed(f"{name} {aside and self.number}")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if method == "POST":
            sent.setdefault("Idempotency-Key", f"{name.replace('_', '-')}-{self.number}")
        answer = self.client.open(
            f"{path}?{_written(query)}" if query else path,
            method=method,
            json=body,
            buffered=True,
            headers={**sent, **({"Authorization": f"Bearer {by}"} if by else {})},
        )
        described.check(self.app, method, path, answer)
        assert answer.status_code in (200, 201, 202, STATUSES.get(name)), answer.text
        if not aside:
            request = {"method": method, "path": path, "query": query, "headers": sent}
            asked = {part: value for part, value in request.items() if value}
            sent_body = {} if body is None else {"body": body}
            self.told[name] = {"request": {**asked, **sent_body}, "answer": _kept(answer)}
        return answer.get_json()

    def work(self, club: str) -> None:
        """Let the worker settle what has ended, and the lists catch up."""
        settlement.sweep(self.ledger, load({"PAIZHANG_DATA": "/nowhere"}))
        catch_up(self.ledger.database, club)

    def export(self) -> None:
        """Let the worker make the exports that wait for it."""
        settings = load({"PAIZHANG_DATA": str(self.shelf.folder.parent)})
        exporting.sweep(self.ledger, settings, maker(self.ledger.database, self.ledger.clock))


def _written(query: JSON) -> str:
    """A query as it is sent, true and false as in JSON."""
    words = {name: str(value).lower() for name, value in query.items() if isinstance(value, bool)}
    return urlencode({**query, **words})


def _kept(answer: TestResponse) -> JSON:
    headers = {name: answer.headers[name] for name in KEPT if name in answer.headers}
    body = answer.get_json() if answer.is_json else answer.text
    return {"status": answer.status_code, "headers": headers, "body": body}


def tell(database: Database, folder: Path) -> JSON:
    """Tell the whole story; what was asked and answered, by the name of the operation."""
    story = Story(database, _signing_key(folder))
    for name in ("healthz", "readyz"):
        story.ask(name, "GET", f"/{name}", by=None)
    story.ask("show_version", "GET", "/version", by=None)
    founded = story.ask(
        "found_club", "POST", "/v1/clubs", {"name": "Jade Garden 翠苑", "zone": "Asia/Shanghai"}
    )
    club = founded["id"]
    owner = _key(story, club, TOKEN, "issue_key", ["owner"], "Back office 后台")
    recorder = _key(story, club, owner, "recorder", ["recorder"], "Game server 1", aside=True)
    members = _members(story, club, owner)
    _limits(story, club, owner)
    _keys(story, club, owner)
    _people(story, club, owner, members[3])
    _rulesets(story, recorder)
    table = _match(story, club, recorder, owner, members)
    _books(story, club, owner, members, table)
    tell_disputes(story, club, owner, members, table)
    tell_seats(story, club, recorder, members)
    tell_office(story, club, owner, members, table)
    tell_books(story, club, owner, members)
    tell_exports(story, club, owner)
    return story.told


def _signing_key(folder: Path) -> Path:
    """The story's own signing key, the same whenever it is told."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    file = folder / "signing.key"
    file.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file


def _key(
    story: Story, club: str, by: str, name: str, roles: list[str], label: str, aside: bool = False
) -> str:
    body = {"roles": roles, "label": label}
    token: str = story.ask(name, "POST", f"/v1/clubs/{club}/keys", body, by=by, aside=aside)[
        "token"
    ]
    return token


def _members(story: Story, club: str, owner: str) -> list[str]:
    path = f"/v1/clubs/{club}/members"
    members: list[str] = []
    for name in ("老张", "小李", "阿梅", "大刘"):
        aside = bool(members)
        joined = story.ask("join_member", "POST", path, {"name": name}, by=owner, aside=aside)
        members.append(joined["id"])
    story.ask("list_members", "GET", path, by=owner, query={"limit": 2})
    story.ask("get_member", "GET", f"{path}/{members[0]}", by=owner)
    story.ask("get_club", "GET", f"/v1/clubs/{club}", by=owner)
    return members


def _limits(story: Story, club: str, owner: str) -> None:
    """A member may sit at some tables at once; what takes two is set later."""
    none = dict.fromkeys(("entry_floor", "entry_ceiling", "pause_floor", "hand_cap", "day_loss"))
    limits = {**none, "alarm": None, "tables": 9, "allowance": None, "correction": None}
    story.ask("set_limits", "POST", f"/v1/clubs/{club}/limits", limits, by=owner)


def _keys(story: Story, club: str, owner: str) -> None:
    path = f"/v1/clubs/{club}/keys"
    body = {"roles": ["auditor"], "label": "Old"}
    spare = story.ask("spare_key", "POST", path, body, by=owner, aside=True)["id"]
    story.ask("list_keys", "GET", path, by=owner, query={"limit": 2})
    story.ask("revoke_key", "POST", f"{path}/{spare}/revoke", {}, by=owner)


def _people(story: Story, club: str, owner: str, member: str) -> None:
    path = f"/v1/clubs/{club}/memberships"
    body = {"roles": ["member"], "label": "大刘", "member": member}
    invited = story.ask("invite", "POST", path, body, by=owner)
    link = {"link": invited["token"], "name": "刘大伟"}
    session = story.ask("sign_in", "POST", "/v1/sessions", link, by=None)["token"]
    story.ask("get_me", "GET", "/v1/me", by=session)
    password = {"login": "liu", "password": "correct horse battery"}
    story.ask("set_password", "PUT", "/v1/me/password", password, by=session)
    story.ask("change_name", "PUT", "/v1/me/name", {"name": "刘大伟 Dawei"}, by=session)
    story.ask("list_sessions", "GET", "/v1/me/sessions", by=session)
    story.ask("list_memberships", "GET", path, by=owner, query={"limit": 1})
    story.ask("get_membership", "GET", f"{path}/{invited['id']}", by=owner)
    story.ask("issue_link", "POST", f"{path}/{invited['id']}/links", {}, by=owner)
    roles = {"roles": ["member", "referee"]}
    there = f"{path}/{invited['id']}/roles"
    version = story.client.get(
        f"{path}/{invited['id']}", headers={"Authorization": f"Bearer {owner}"}
    ).headers["ETag"]
    story.ask("change_roles", "POST", there, roles, by=owner, If_Match=version)
    _another_club(story, session)
    other = {"roles": ["treasurer"], "label": "会计"}
    unwanted = story.ask("other", "POST", path, other, by=owner, aside=True)["id"]
    story.ask("revoke_invitation", "POST", f"{path}/{unwanted}/revoke", {}, by=owner)
    mine = story.ask("sessions", "GET", "/v1/me/sessions", by=session, aside=True)["data"]
    story.ask("end_session", "DELETE", f"/v1/me/sessions/{mine[0]['id']}", by=session)


def _another_club(story: Story, session: str) -> None:
    """A person is invited to one more club, and comes in as who he is."""
    founding = {"name": "Bamboo Court 竹苑", "zone": "Asia/Shanghai"}
    club = story.ask("other_club", "POST", "/v1/clubs", founding, aside=True)["id"]
    body = {"roles": ["owner"], "label": "刘大伟"}
    link = story.ask("invited", "POST", f"/v1/clubs/{club}/memberships", body, aside=True)["token"]
    story.ask("join_club", "POST", "/v1/me/memberships", {"link": link}, by=session)


def _rulesets(story: Story, recorder: str) -> None:
    story.ask("list_rulesets", "GET", "/v1/rulesets", by=recorder)
    story.ask("get_ruleset", "GET", "/v1/rulesets/huaihua/1", by=recorder)
    outcome = {
        "dealer": 0,
        "options": {"players": 2},
        "seats": [{"hand": "123456789m22p78s"}, {"hand": "147m258p369s1478s"}],
        "end": "win",
        "wins": [{"seat": 0, "tile": "9s", "how": "self_draw"}],
    }
    story.ask("settle", "POST", "/v1/rulesets/huaihua/1/settle", outcome, by=recorder)


def _match(story: Story, club: str, recorder: str, owner: str, members: list[str]) -> str:
    """A match of one hand that is won; three others end early."""
    opening = {
        "ruleset": "huaihua/1",
        "options": OPTIONS,
        "seats": members,
        "hands": 2,
        "dealer": 0,
        "room": "Room 8",
        "ref": "lobby-7/0042",
    }
    path = f"/v1/clubs/{club}/tables"
    opened = story.ask("open_table", "POST", path, opening, by=recorder)
    table = f"/v1/tables/{opened['id']}"
    story.ask("get_table", "GET", table, by=recorder)
    story.ask("start_hand", "POST", f"{table}/hands", {"wall": WALL}, by=recorder)
    story.ask("act", "POST", f"{table}/actions", BEFORE[0], by=recorder, If_Match='"3"')
    story.ask(
        "get_hand", "GET", f"{table}/hands/1", by=recorder, query={"step": 2, "events": False}
    )
    _refusals(story, club, recorder, table)
    rest = {"actions": [*BEFORE[1:], FED, PUNG, WIN]}
    version = '"5"'
    story.ask("rest", "POST", f"{table}/actions", rest, by=recorder, aside=True, If_Match=version)
    for name in ("void_hand", "dissolve", "close"):
        other = {key: value for key, value in opening.items() if key != "ref"}
        there = story.ask(f"{name}_opened", "POST", path, other, by=recorder, aside=True)["id"]
        begun = f"/v1/tables/{there}/hands"
        if name != "close":
            story.ask(f"{name}_begun", "POST", begun, {"wall": WALL}, by=recorder, aside=True)
        note = {"note": "A tile fell 掉牌"}
        way = "hands/1/void" if name == "void_hand" else name
        story.ask(name, "POST", f"/v1/tables/{there}/{way}", note, by=owner)
    story.work(club)
    return table


def _books(story: Story, club: str, owner: str, members: list[str], table: str) -> None:
    hand, path = f"{table}/hands/1", f"/v1/clubs/{club}"
    story.ask("get_outcome", "GET", f"{hand}/outcome", by=owner)
    story.ask("get_settlement", "GET", f"{hand}/settlement", by=owner)
    for name in ("hands", "tables", "balances"):
        story.ask(f"list_{name}", "GET", f"{path}/{name}", by=owner, query={"limit": 1})
    entries = f"{path}/members/{members[2]}/entries"
    story.ask("list_entries", "GET", entries, by=owner, query={"limit": 1})
    story.ask("list_acts", "GET", f"{path}/operator_log", by=owner, query={"limit": 1})
    story.ask("list_events", "GET", f"{path}/events", by=owner, query={"after": 1, "limit": 2})
    _proofs(story, path, owner, hand)


def _proofs(story: Story, path: str, owner: str, hand: str) -> None:
    made = story.ask("make_checkpoint", "POST", f"{path}/checkpoints", by=owner)
    there = f"{path}/checkpoints/{made['position']}"
    story.ask("list_checkpoints", "GET", f"{path}/checkpoints", by=owner, query={"limit": 1})
    story.ask("get_checkpoint", "GET", there, by=owner)
    story.ask("prove_event", "GET", f"{path}/events/7/proof", by=owner)
    span = {"first": 7, "second": made["position"]}
    story.ask("prove_consistency", "GET", f"{path}/consistency", by=owner, query=span)
    story.ask("list_signing_keys", "GET", "/v1/signing_keys", by=None)
    story.ask("get_evidence", "GET", f"{hand}/evidence", by=owner)


def _refusals(story: Story, club: str, recorder: str, table: str) -> None:
    """One refusal of each kind, under the name of its status."""
    asked: tuple[tuple[str, str, JSON | None], ...] = (
        ("BAD_REQUEST", f"/v1/clubs/{club}/events?after=x", None),
        ("FORBIDDEN", f"/v1/clubs/{club}/members", None),
        ("NOT_FOUND", f"{table}/hands/7", None),
        ("PRECONDITION_REQUIRED", f"{table}/actions", BEFORE[0]),
        ("CONFLICT", f"{table}/hands", {"wall": WALL}),
    )
    for name, path, body in asked:
        story.ask(name, "POST" if body else "GET", path, body, by=recorder)
    wrong = {"seat": 9, "action": "discard", "tile": "1x"}
    for name, action in (("PRECONDITION_FAILED", FED), ("UNPROCESSABLE_ENTITY", wrong)):
        story.ask(name, "POST", f"{table}/actions", action, by=recorder, If_Match='"4"')
    story.ask("UNAUTHORIZED", "GET", "/v1/rulesets", by=None)


@contextmanager
def stage(folder: str) -> Iterator[Database]:
    """An empty database to tell a story in."""
    url = f"sqlite:///{folder}/paizhang.sqlite3"
    upgrade(url)
    with closing(Database.open(url)) as database:
        yield database


def record() -> None:
    """Tell the story and keep it; what was kept before is no matter."""
    EXAMPLES.clear()
    with tempfile.TemporaryDirectory() as folder, stage(folder) as database:
        told = json.dumps(tell(database, Path(folder)), indent=1, ensure_ascii=False)
    FILE.write_text(f"{told}\n", encoding="utf-8")


if __name__ == "__main__":
    record()

"""A walk through every route as everybody, to see that nobody is shown what he may not see.

What must be hidden is taken from the log itself: the private slots of each event of the running
hand. So an event that a new ruleset brings is looked for without a line being added here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import msgspec
import pytest
from flask import Flask
from werkzeug.routing import Rule

from ledger import store
from tests.api.conftest import LIMITS, Answer, Caller, Club, found_club
from tests.api.disputes import decided, filed, limited, settled
from tests.api.hand import BEFORE, FED, PUNG, WALL, WIN
from tests.api.test_people import invite, membership_of, person

STAFF = ("owner", "manager", "referee", "accountant", "auditor")
"""Who may read all that the club plays, masked."""
FORMS = ("application/json", "application/x-ndjson", "text/event-stream")
"""How a club's log is read."""
TABLE_SLOT = -1


@dataclass
class Walk:
    """A club in which a hand runs, everybody who may look at it, and where there is to look."""

    club: Club
    table: str
    everybody: dict[str, Caller]
    eyes: dict[str, set[int]]
    names: dict[str, object]
    over: frozenset[str] = frozenset()
    """The secrets of hands that have ended, which are no longer hidden."""

    def look(self, caller: Caller) -> Iterator[tuple[str, Answer]]:
        """What somebody is answered on every route, in each form that it has."""
        for rule in self.club.app.url_map.iter_rules():
            if rule.rule.startswith("/static") or rule.endpoint.startswith(("docs.", "api-docs.")):
                continue
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield from self._asked(caller, rule, method)

    def _asked(self, caller: Caller, rule: Rule, method: str) -> Iterator[tuple[str, Answer]]:
        """One route: as it stands when it is read, on trial when it would write."""
        names = self.names | {"membership": self.names[_membership(rule)]}
        view = rule.endpoint.rpartition(".")[2]
        names["dispute"] = names.get(view, names["dispute"])
        names["allowance"] = names.get(view, names["allowance"])
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(names[found[1]]), rule.rule)
        if method == "POST":
            body = BODIES.get(rule.endpoint.rpartition(".")[2], {})
            yield (
                f"{method} {rule.rule}",
                caller.post(f"{path}?dry_run=true", body, **self._seen(rule)),
            )
        elif method == "GET":
            page = self._page(rule)
            for form in FORMS if rule.rule.endswith("/events") else FORMS[:1]:
                yield f"{method} {rule.rule} {form}", caller.get(f"{path}{page}", Accept=form)
            if rule.rule.endswith("/hands/<number:number>"):
                for step in (1, 2, 5, 9, 13):
                    yield f"{method} {rule.rule} {step}", caller.get(f"{path}?step={step}")
        else:
            yield f"{method} {rule.rule}", caller.send(method, path, b"{}")

    def _page(self, rule: Rule) -> str:
        """What a list is asked for, and a proof: of one thing there is no page."""
        if rule.rule.endswith("/consistency"):
            return f"?first=1&second={self.names['position']}"
        if rule.rule.endswith("/closing"):
            return f"?last={YESTERDAY}"
        return "" if rule.arguments & {"number", "other", "position"} else "?limit=100"

    def _seen(self, rule: Rule) -> dict[str, str]:
        """The version that a write may want, as its header."""
        if "table" in rule.arguments:
            return {"If_Match": f'"{self.names["version"]}"'}
        if rule.rule.endswith("/<id:dispute>/approve"):
            return {"If_Match": '"3"'}
        return {"If_Match": '"2"'} if rule.rule.endswith("/roles") else {}


def _membership(rule: Rule) -> str:
    """An invitation where one is taken back, and else a membership that was accepted."""
    return "invitation" if rule.rule.endswith("<id:membership>/revoke") else "membership"


SEATS = ["M-0001", "M-0002", "M-0003", "M-0004"]
YESTERDAY, THE_DAY_BEFORE = "2025-11-27", "2025-11-26"
GIVEN = {"lines": [{"member": "M-0002", "points": 7}], "reason": "other"}
NO_LIMITS = dict.fromkeys(LIMITS)
OWN_LIMITS = ("entry_floor", "entry_ceiling", "pause_floor", "day_loss", "alarm")
HOURS = {"file_hours": 1, "answer_hours": 1, "decide_hours": 1, "appeal_hours": 1}
BODIES: dict[str, Any] = {
    "act": WIN,
    "change_seats": {"seats": SEATS},
    "close_period": {"last": YESTERDAY, "mode": "clear"},
    "contest_balance": {"note": "x"},
    "group_member": {"group": "x"},
    "keep_playing": {"wish": {"seat": 0}},
    "reopen_period": {"note": "x"},
    "request_allowance": GIVEN,
    "set_deadlines": HOURS,
    "set_limits": {**NO_LIMITS, "tables": 9},
    "set_member_limits": dict.fromkeys(OWN_LIMITS),
    "decide_dispute": {"ruling": "void", "reason": "rules"},
    "issue_key": {"roles": ["auditor"], "label": "x"},
    "invite": {"roles": ["referee"], "label": "x"},
    "join_member": {"name": "x"},
    "change_roles": {"roles": ["auditor"]},
    "tick_table": {"ticked": False},
    "void_hand": {"note": "x"},
    "found_club": {"name": "x", "zone": "UTC"},
    "open_table": {
        "ruleset": "huaihua/1",
        "hands": 1,
        "seats": SEATS,
    },
}
OWN = {
    "DELETE /v1/me/sessions/<id:session>",
    "POST /v1/me/memberships",
    "POST /v1/sessions",
    "PUT /v1/me/name",
    "POST /v1/rulesets/<region>/<number:number>/settle",
    "PUT /v1/me/password",
    "POST /v1/clubs/<id:club>/exports",
    "GET /v1/exports/<id:export>/<name> application/json",
}
"""Of these the walk has only refusals: they tell of no club, or the caller of himself; an export
is not asked for on trial, and its files open to a link alone. What they hold is what lists show."""
NOT_WHILE_A_HAND_RUNS = {
    "GET /v1/tables/<id:table>/hands/<number:number>/evidence application/json",
    "GET /v1/tables/<id:table>/hands/<number:number>/outcome application/json",
    "GET /v1/tables/<id:table>/hands/<number:number>/settlement application/json",
    "POST /v1/clubs/<id:club>/members/<member:member>/leave",
    "POST /v1/tables/<id:table>/close",
    "POST /v1/tables/<id:table>/hands",
    "POST /v1/tables/<id:table>/seats",
    "POST /v1/tables/<id:table>/hands/<number:number>/claims",
    "POST /v1/tables/<id:table>/hands/<number:number>/correct",
    "POST /v1/tables/<id:table>/hands/<number:number>/disputes",
}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
def walk(request: pytest.FixtureRequest) -> Walk:
    """The dealer's second discard lies in an open window: seat 1 has answered, seat 2 has not.

    What is masked is no matter of the database: the usual run walks on one of them.
    """
    club, allowances = with_books(request.getfixturevalue(f"{request.param}_app"))
    everybody = {role: person(club, role) for role in (*STAFF, "treasurer")}
    everybody["operator"] = club.operator
    everybody["recorder"] = club.recorder
    made = club.owner.post(f"{club.path}/keys", {"roles": ["recorder"], "label": "x"}).json
    everybody["other recorder"] = Caller(club.owner.client, made["token"], made["id"])
    everybody["other member"] = club.other
    for seat in range(4):
        everybody[f"seat {seat}"] = club.players[seat]
    everybody["seat 1 in person"] = person(club, "member", member=club.members[1])
    disputes = doubted(club)
    asked = club.owner.post(f"{club.path}/exports", {"kind": "records", "format": "ndjson"})
    table = club.open_table()
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    played = club.recorder.post(
        f"{table}/actions", {"actions": [*BEFORE, FED, PUNG]}, If_Match='"3"'
    )
    eyes: dict[str, set[int]] = {name: set() for name in everybody}
    eyes["recorder"] = {0, 1, 2, 3}
    eyes |= {f"seat {seat}": {seat} for seat in range(4)} | {"seat 1 in person": {1}}
    membership = membership_of(club, everybody["referee"]).rpartition("/")[2]
    names = {
        **disputes,
        **allowances,
        "club": club.id,
        "table": table.rpartition("/")[2],
        "member": club.members[1],
        "membership": membership,
        "invitation": invite(club.owner, club, "referee").json["id"],
        "key": club.recorder.id,
        "export": asked.json["id"],
        "name": "records.ndjson",
        "session": "ses_00000000000000000000",
        "number": 1,
        "position": club.owner.post(f"{club.path}/checkpoints").json["position"],
        "region": "huaihua",
        "version": played.json["version"],
    }
    return Walk(club, table, everybody, eyes, names, secrets_of(club, disputes))


def with_books(app: Flask) -> tuple[Club, dict[str, object]]:
    """A club that was founded two days ago, its first day closed, and allowances in it.

    One was booked that day; by what is done with them there is another that waits.
    """
    clock = app.extensions["clock"]
    clock.skip(-2)
    club = found_club(app)
    path = f"{club.path}/allowances"
    booked = club.owner.post(path, GIVEN).json
    clock.skip(1)
    closed = club.owner.post(f"{club.path}/periods", {"last": THE_DAY_BEFORE, "mode": "carry"})
    assert closed.status_code == 201, closed.text
    clock.skip(1)
    club.owner.post(f"{club.path}/limits", {**NO_LIMITS, "tables": 9, "allowance": 0})
    waits = club.owner.post(path, GIVEN).json
    assert (booked["state"], waits["state"]) == ("posted", "requested")
    names: dict[str, object] = {"allowance": booked["id"], "entry": booked["entry"]}
    waiting = dict.fromkeys(("approve_allowance", "refuse_allowance"), waits["id"])
    return club, {**names, **waiting, "other": club.members[2], "kind": "attendance"}


def doubted(club: Club) -> dict[str, object]:
    """Disputes about other hands: one that is open, and by what is done with them two more."""
    limited(club, correction=0)
    table = settled(club, hands=3)
    disputes = [filed(club.operator, f"{table}/hands/{number}", note="x") for number in (1, 2, 3)]
    proposed = decided(club.operator, disputes[1], "void")
    ruled = decided(club.operator, disputes[2], "uphold")
    assert (proposed.json["state"], ruled.json["state"]) == ("open", "decided")
    names = ("dispute", "approve_decision", "appeal_dispute")
    ids = (path.rpartition("/")[2] for path in disputes)
    return dict(zip(names, ids, strict=True))


def secrets_of(club: Club, disputes: dict[str, object]) -> frozenset[str]:
    """The secrets of the hands that are doubted, which have ended."""
    dispute = club.owner.get(f"{club.path}/disputes/{disputes['dispute']}").json
    with club.ledger.database.read() as connection:
        rows = store.read_stream(connection, club.id, f"table/{dispute['table']}")
    ends = (msgspec.json.decode(row.public) for row in rows if row.type == "HandEnded/1")
    return frozenset(end["secret"] for end in ends)


def slots(walk: Walk) -> Iterator[tuple[int, str]]:
    """Each private part of the table's events that is not empty, and its audience."""
    with walk.club.ledger.database.read() as connection:
        rows = store.read_stream(connection, walk.club.id, f"table/{walk.names['table']}")
    for row in rows:
        for audience, part in enumerate(row.slots):
            if part != b"{}":
                last = audience == len(row.slots) - 1
                yield TABLE_SLOT if last else audience, part.decode()


def told(answer: Answer) -> list[Any]:
    """Every object in an answer, those within others too; of a stream those of each line."""
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines()]
    whole = answer.content_type.startswith(("application/json", "application/problem+json"))
    texts = [answer.text] if whole else lines
    found: list[Any] = []
    open_ones = [msgspec.json.decode(text) for text in texts if text.startswith(("{", "["))]
    while open_ones:
        one = open_ones.pop()
        found.append(one)
        if isinstance(one, dict | list):
            open_ones.extend(one.values() if isinstance(one, dict) else one)
    return found


def leaks(
    answer: Answer, hidden: list[str], eyes: set[int], over: frozenset[str] = frozenset()
) -> list[str]:
    """What an answer shows that it must not: a hidden part, or what follows from one."""
    found = [part for part in hidden if part in answer.text]
    for one in told(answer):
        if isinstance(one, dict) and "melds" in one:
            continue
        if isinstance(one, dict):
            found += [
                name
                for name in ("wall", "secret", "salt")
                if one.get(name) is not None and one.get("secret") not in over
            ]
        if isinstance(one, dict) and "window" in one:
            found += _of_state(one, eyes)
        if isinstance(one, dict) and "legal_actions" in one:
            found += _of_seats("legal", one["legal_actions"], eyes)
    return found


def _of_state(state: dict[str, Any], eyes: set[int]) -> list[str]:
    """What the state of a running hand tells of seats that one does not see."""
    hands = [set(seat["hand"]) - {"?"} for seat in state["seats"]]
    found = _of_seats("hand", hands, eyes)
    found += _of_seats("locks", [seat["locks"] for seat in state["seats"]], eyes)
    window = state["window"]
    if window is not None:
        found += _of_seats("may", window["may"], eyes)
        found += _of_seats("answers", window["answers"], eyes)
    return found


def _of_seats(what: str, by_seat: list[Any], eyes: set[int]) -> list[str]:
    return [
        f"{what} of seat {seat}: {told}"
        for seat, told in enumerate(by_seat)
        if told and seat not in eyes
    ]


def test_of_a_running_hand_nobody_sees_what_is_not_his(walk: Walk) -> None:
    """Neither tiles nor wall, secret, offers, answers and locks: on no route, in no form.

    On every route somebody is answered: a walk that is refused everywhere sees nothing.
    """
    parts = list(slots(walk))
    assert len({part for _, part in parts}) == 12
    found, asked, answered = {}, set(), set()
    for name, caller in walk.everybody.items():
        eyes = walk.eyes[name]
        hidden = [part for audience, part in parts if audience not in eyes]
        shown = {part for audience, part in parts if audience in eyes}
        for where, answer in walk.look(caller):
            asked.add(where)
            answered |= {where} if answer.status_code < 300 else set()
            left = [part for part in hidden if part not in shown]
            bad = leaks(answer, left, eyes, walk.over)
            if bad:
                found[name, where] = bad
    assert found == {}
    assert asked - answered - OWN - NOT_WHILE_A_HAND_RUNS == set()


def test_the_walk_would_see_it(walk: Walk) -> None:
    """The recorder is shown what a spectator must not see, and the walk finds it there."""
    parts = [part for _, part in slots(walk)]
    seen = [leaks(answer, parts, set()) for _, answer in walk.look(walk.club.recorder)]
    assert any("legal of seat 2" in one for one in chain(*seen))
    assert any("hand of seat 1" in one for one in chain(*seen))
    assert any('"pung"' in one for one in chain(*seen))


def test_a_members_own_session_is_shown_what_his_key_is(walk: Walk) -> None:
    """Seat 1 sees his own tiles and answer, and of the others nothing."""
    state = walk.everybody["seat 1 in person"].get(walk.table).json["state"]["hand"]
    assert state["seats"][1]["hand"] == "124578m2558p369s"
    assert state["window"]["answers"] == [None, "pung", None, None]


def test_when_the_hand_has_ended_everything_is_shown_to_whose_business_it_is(walk: Walk) -> None:
    """The club's readers, the recorder and the players see the wall; others still see nothing."""
    walk.club.recorder.post(f"{walk.table}/actions", WIN, If_Match=f'"{walk.names["version"]}"')
    outside = {"treasurer", "other recorder", "other member"}
    hidden = [part for _, part in slots(walk)]
    for name, caller in walk.everybody.items():
        shown = caller.get(walk.table)
        if name in outside:
            assert shown.status_code == 403, name
            for where, answer in walk.look(caller):
                assert leaks(answer, hidden, set()) == [], (name, where)
        else:
            assert shown.json["state"]["hand"]["wall"] == WALL, name


def test_who_has_no_business_in_a_club_is_shown_nothing_of_it(walk: Walk) -> None:
    """Owner, recorder, member and person of another club find there what is nowhere: nothing."""
    other = found_club(walk.club.app, "Elsewhere")
    strangers = [other.owner, other.recorder, other.players[0], person(other, "owner")]
    nowhere = {"club": "club_" + 20 * "0", "table": "tbl_" + 20 * "0"}
    empty = Walk(walk.club, walk.table, {}, {}, {**walk.names, **nowhere})
    for stranger in strangers:
        for (where, here), (_, nothing) in zip(
            walk.look(stranger), empty.look(stranger), strict=True
        ):
            assert _words(here) == _words(nothing), where
            if "<id:club>" in where or "<id:table>" in where:
                assert here.status_code == 404, where


def test_without_a_key_nothing_of_any_club_is_shown(walk: Walk) -> None:
    """401 on every route of a club."""
    nobody = Caller(walk.club.owner.client, "")
    for where, answer in walk.look(nobody):
        if "<" in where and not where.startswith("GET /v1/exports/"):
            assert answer.status_code == 401, where
        assert walk.club.id not in _words(answer)[1], where


def _words(answer: Answer) -> tuple[int, str]:
    """An answer without the words that only tell which request it was."""
    plain = re.sub(r'"(instance|request_id|url)":"[^"]*"', "", answer.text)
    return answer.status_code, plain

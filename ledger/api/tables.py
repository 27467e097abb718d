"""Tables 牌桌: opened, played and ended by their recorder, seen by whose business they are."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access, acts, dealing, sight, store, view
from ledger.access import Caller
from ledger.api import edge, shown, states
from ledger.api.answers import JSON, Shown, answer, keepable, tagged
from ledger.api.facts import EventSchema
from ledger.api.fields import (
    Body,
    each,
    flag,
    matching,
    moment,
    nested,
    options,
    text,
    tile,
    whole,
    word,
)
from ledger.api.keys import MEMBER
from ledger.api.rulesets import OutcomeBody, check_rules
from ledger.api.states import MatchStateSchema
from ledger.api.writing import writes
from ledger.codec import HAND_STARTS
from ledger.names import LONGEST_NAME
from ledger.outcome import read_outcome
from ledger.perform import Done
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import catalog
from ledger.rules.turns import legal_actions
from ledger.streams.limits import MOST_POINTS
from ledger.streams.table import (
    MOST_HANDS,
    Act,
    EnterHand,
    OpenTable,
    StartHand,
    Table,
    Void,
)
from ledger.telling import time_text
from ledger.tiles import parse_tile, parse_tiles

blueprint = edge.Blueprint("tables", "Tables: matches, hand by hand, action by action.")

MOST_ACTIONS = 500
LONGEST_WALL = 272
TEXTS = ("room", "floor", "ref")


class OpenTableBody(Body):
    """A match to open. A dealer who is not named is drawn by lot."""

    ruleset = text(1, 40, required=True)
    options = options(load_default=dict)
    seats = each(matching(MEMBER, "member_form"), 2, 4, required=True)
    hands = whole(1, MOST_HANDS, required=True)
    low_score = whole(-1_000_000_000, 1_000_000_000, load_default=0)
    dealer = whole(0, 3, load_default=None, allow_none=True)
    room = text(1, LONGEST_NAME, load_default=None, allow_none=True)
    floor = text(1, LONGEST_NAME, load_default=None, allow_none=True)
    ref = text(1, LONGEST_NAME, load_default=None, allow_none=True)
    at = moment(load_default=None)


class StartHandBody(Body):
    """The next hand; without a wall the ledger shuffles one, without wild kinds it draws them.

    A hand that was played elsewhere is entered instead: by its `outcome`, or by its `totals` alone
    and who deals next.
    """

    wall = text(2, LONGEST_WALL, load_default=None)
    wilds = each(tile(), 0, 2, load_default=None)
    outcome = nested(OutcomeBody, load_default=None)
    totals = each(whole(-MOST_POINTS, MOST_POINTS), 2, 4, load_default=None)
    next_dealer = whole(0, 3, load_default=None)
    at = moment(load_default=None)


class ActionBody(Body):
    """What a player decided, as in a record."""

    seat = whole(0, 3, required=True)
    action = word(
        "bet", "void_suit", "declare", "discard", "kong", "pung", "win", "pass", required=True
    )
    tile = tile(load_default=None)
    touzi = flag(load_default=False)
    declare = flag(load_default=False)
    points = whole(0, 2, load_default=None)
    suit = word("m", "p", "s", load_default=None)
    cause = word("player", "timeout", load_default="player")
    at = moment(load_default=None)


class ActionsBody(Body):
    """One action, or a list of them that happens whole or not at all."""

    actions = each(nested(ActionBody), 1, MOST_ACTIONS, required=True)

    def load(self, data: Any, **more: Any) -> Any:
        """Read a single action as a list of one, its faults at its own place."""
        if isinstance(data, dict) and "actions" not in data and data:
            return {"actions": [ONE.load(data)], "listed": False}
        return {**super().load(data, **more), "listed": True}


ONE = ActionBody()
ONE_OR_MORE = {"content": {"application/json": {"schema": {"oneOf": [ActionBody, ActionsBody]}}}}


class VoidHandBody(Body):
    """Why and when a hand is voided."""

    note = text(1, LONGEST_NAME, required=True)
    at = moment(load_default=None)


class RecordedSchema(Shown):
    """What was recorded: the events, and where table and log stand after them.

    `legal_actions` has an entry per seat, null for a seat that the caller does not see.
    """

    version = shown.within(1)
    position = shown.within(1)
    head_hash = shown.digest()
    events = fields.List(fields.Nested(EventSchema))
    state = fields.Nested(MatchStateSchema)
    legal_actions = states.legal_actions()


class TableSchema(Shown):
    """A table, as the caller may see it.

    `legal_actions` has an entry per seat, null for a seat that the caller does not see.
    """

    object = shown.the("table")
    id = shown.id_of("tbl")
    created_at = fields.DateTime()
    club = shown.id_of("club")
    recorder = shown.id_of("key")
    room = fields.String(allow_none=True)
    floor = fields.String(allow_none=True)
    ref = fields.String(allow_none=True)
    version = shown.within(1)
    state = fields.Nested(MatchStateSchema)
    legal_actions = states.legal_actions()


@blueprint.route("/clubs/<id:club>/tables", methods=["POST"])
@writes(OpenTable)
@blueprint.arguments(OpenTableBody)
@blueprint.response(201, TableSchema, headers={"ETag": "ETag", "Location": "Location"})
def open_table(body: JSON, club: str) -> Response:
    """Open a match at a table; the key that opens it is its recorder."""
    check_rules(body["ruleset"], body["options"])
    opening = acts.Opening(**{**body, "seats": tuple(body["seats"])})
    done = acts.open_table(edge.desk(), opening)
    table = done.stream.removeprefix("table/")
    with edge.ledger().database.read() as connection:
        told = _table(connection, edge.caller(), club, table, done.version)
    response = tagged(answer(told, 201, replayed=done.replayed), done.version)
    response.headers["Location"] = f"/v1/tables/{table}"
    return response


@blueprint.route("/tables/<id:table>")
@blueprint.response(200, TableSchema, headers={"ETag": "ETag"})
@blueprint.alt_response(403, "FORBIDDEN")
def get_table(table: str) -> Response:
    """A table as the caller may see it, with its version as ETag."""
    with edge.ledger().database.read() as connection:
        told = _table(connection, edge.caller(), edge.club(), table)
    hand = told["state"]["hand"]
    runs = hand is not None and hand["end"] is None
    response = answer(told)
    return tagged(response if runs else keepable(response), told["version"])


@blueprint.route("/tables/<id:table>/hands", methods=["POST"])
@writes(StartHand, EnterHand, version="optional")
@blueprint.arguments(StartHandBody)
@blueprint.response(201, RecordedSchema, headers={"ETag": "ETag"})
def start_hand(body: JSON, table: str) -> Response:
    """Start the next hand: deal, and say who is to choose; or enter one played elsewhere."""
    entry = {name: body.pop(name) for name in ("outcome", "totals", "next_dealer")}
    if any(told is not None for told in entry.values()):
        return _enter(table, body, entry)
    wall = None
    if body["wall"] is not None:
        try:
            wall = parse_tiles(body["wall"])
        except Refused as refusal:
            raise refusal.at("/wall") from None
    wilds = None if body["wilds"] is None else tuple(map(parse_tile, body["wilds"]))
    done = dealing.start_hand(edge.desk(), table, wall, body["at"], wilds)
    return recorded(done, 201)


def _enter(table: str, body: JSON, entry: JSON) -> Response:
    """Enter a hand, which has no wall of its own."""
    if body["wall"] is not None or body["wilds"] is not None:
        raise Refused("entry_empty")
    totals = None if entry["totals"] is None else tuple(entry["totals"])
    told = None
    if entry["outcome"] is not None:
        key = acts.rules_of(edge.desk(), table).key
        try:
            told = read_outcome({"ruleset": key, **edge.body()["outcome"]})
        except Refused as refusal:
            raise refusal.at("/outcome") from None
    done = dealing.enter_hand(edge.desk(), table, told, totals, entry["next_dealer"], body["at"])
    return recorded(done, 201)


@blueprint.route("/tables/<id:table>/actions", methods=["POST"])
@writes(Act, version="required")
@blueprint.arguments(ActionsBody)
@blueprint.doc(requestBody=ONE_OR_MORE)
@blueprint.response(201, RecordedSchema, headers={"ETag": "ETag"})
def act(body: JSON, table: str) -> Response:
    """Record what players decided: one action, or a list, whole or not at all."""
    commands = tuple(map(_act, body["actions"]))
    try:
        done = acts.on_table(edge.desk(), table, commands, listed=body["listed"])
    except Refused as refusal:
        raise (refusal.at("/actions") if body["listed"] and refusal.pointer else refusal) from None
    return recorded(done, 201)


@blueprint.route("/tables/<id:table>/hands/<number:number>/void", methods=["POST"])
@writes(Void, version="optional")
@blueprint.arguments(VoidHandBody)
@blueprint.response(200, RecordedSchema, headers={"ETag": "ETag"})
def void_hand(body: JSON, table: str, number: int) -> Response:
    """Void a hand that runs: nothing is paid for it, and another is dealt in its place."""
    return recorded(acts.void_hand(edge.desk(), table, number, **body), 200)


def _act(action: JSON) -> Act:
    said = dict(action)
    cause, at = said.pop("cause"), said.pop("at")
    return Act(Choice(**said), cause, at)


def recorded(done: Done, status: int) -> Response:
    """The answer to a write, from the log at its own positions alone, as it was to be seen then."""
    caller = edge.caller()
    with edge.ledger().database.read() as connection:
        rows = store.read_stream(connection, done.club, done.stream, HAND_STARTS, upto=done.version)
    seen = sight.see(caller, rows)
    state = sight.table_seen(seen)
    told = {
        "version": done.version,
        "position": rows[-1].position,
        "head_hash": rows[-1].hash.hex(),
        "events": [
            sight.told(one) for one in seen if done.first <= one.stored.position <= done.last
        ],
        "state": view.table_view(state),
        "legal_actions": _legal(caller, state),
    }
    return tagged(answer(told, status, replayed=done.replayed), done.version)


def _table(
    connection: Connection, caller: Caller, club: str, table: str, upto: int | None = None
) -> JSON:
    opening, opened = sight.opening(connection, club, table)
    if not sight.may_see(connection, caller, club, table):
        raise Refused("table_not_yours")
    rows = store.read_stream(connection, club, f"table/{table}", HAND_STARTS, upto=upto)
    state = sight.table_seen(sight.see(caller, rows))
    return {
        "object": "table",
        "id": table,
        "created_at": time_text(opening.recorded_at),
        "club": club,
        "recorder": opened.recorder,
        **{name: _text(connection, club, getattr(opened, name)) for name in TEXTS},
        "version": rows[-1].version,
        "state": view.table_view(state),
        "legal_actions": _legal(caller, state),
    }


def _text(connection: Connection, club: str, digest: str | None) -> str | None:
    return None if digest is None else access.find_text(connection, club, digest)


def _legal(caller: Caller, table: Table) -> list[Any]:
    """What each seat may choose, as far as the caller sees the seat."""
    rules = catalog.ruleset(table.ruleset, table.options)
    eyes = sight.watches(caller, table.seats, table.recorder)
    hand = table.playing
    if hand is None:
        return [[] for _ in table.seats]
    return [
        msgspec.to_builtins(legal_actions(hand, seat, rules)) if seat in eyes else None
        for seat in range(hand.players)
    ]

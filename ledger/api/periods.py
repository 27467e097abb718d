"""Closings of the books 结账 / 清零: what stands in the way, closed, opened again, agreed to."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response
from marshmallow import fields
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, checkpoints, closing, codec, sealing, store
from ledger import events as e
from ledger.access import READERS
from ledger.acts import Desk
from ledger.api import edge, shown
from ledger.api.allowances import ENTRY, NotedSchema, SignedSchema
from ledger.api.answers import JSON, Shown, answer, tagged
from ledger.api.fields import Body, Query, day, text, word
from ledger.api.members import CODE
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.perform import Done
from ledger.present import present
from ledger.refusal import Refused
from ledger.store import Stored
from ledger.streams.period import (
    ClosePeriod,
    Closing,
    ConfirmBalance,
    ContestBalance,
    ReopenPeriod,
    fold,
)
from ledger.telling import time_text

blueprint = edge.Blueprint("periods", "Closings of the books.")

MODES = ("carry", "clear")
WORDS = ("confirmed", "contested", "silent")


class ClosingQuery(Query):
    """Up to which business day the books would be closed."""

    last = day(required=True)


class ClosePeriodBody(Body):
    """The last business day of what is closed, and what becomes of the points."""

    last = day(required=True)
    mode = word(*MODES, required=True)
    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class ReasonBody(Body):
    """Why, in a few words that nobody may leave out."""

    note = text(1, LONGEST_NAME, required=True)


class HasSchema(Shown):
    """What a member has."""

    member = shown.id_of("mem")
    code = shown.shaped(CODE)
    points = fields.Integer()


class ChecklistSchema(Shown):
    """What a closing would be: what stands in its way, and what each member would have."""

    object = shown.the("checklist")
    first = fields.Date()
    last = fields.Date()
    over = fields.Boolean()
    ready = fields.Boolean()
    open_tables = fields.List(shown.id_of("tbl"))
    unsettled = fields.List(shown.hand_id())
    carried = fields.List(shown.id_of("dsp"))
    balances = fields.List(fields.Nested(HasSchema))
    sum = fields.Integer()
    position = shown.within(0)


class WordsSchema(Shown):
    """What members have said of their balances, counted."""

    confirmed = shown.within(0)
    contested = shown.within(0)
    silent = shown.within(0)


class OwnWordSchema(Shown):
    """What a closing says that the caller has, and what he said to that."""

    points = fields.Integer()
    word = shown.one_of(*WORDS)


class PeriodSchema(Shown):
    """A closing. A member is told its days and his own balance, and null for what is the club's."""

    object = shown.the("period")
    id = shown.shaped("[1-9][0-9]*")
    created_at = fields.DateTime()
    number = shown.within(1)
    first = fields.Date()
    last = fields.Date()
    booked_date = fields.Date()
    mode = shown.one_of(*MODES)
    state = shown.one_of("closed", "reopened")
    closed = fields.Nested(SignedSchema)
    reopened = fields.Nested(NotedSchema, allow_none=True)
    note = fields.String(allow_none=True)
    members = shown.within(0, allow_none=True)
    sum = fields.Integer(allow_none=True)
    words = fields.Nested(WordsSchema, allow_none=True)
    carried = fields.List(shown.id_of("dsp"), allow_none=True)
    own = fields.Nested(OwnWordSchema, allow_none=True)
    position = shown.within(0)
    entry = shown.shaped(ENTRY, allow_none=True)
    reversal = shown.shaped(ENTRY, allow_none=True)
    checkpoint = shown.within(1, allow_none=True)
    version = shown.within(1)


class Closed(Struct, frozen=True):
    """A closing at a version of the stream of them all, with its events as they are stored."""

    at: Stored
    fact: e.PeriodClosed
    undone: tuple[Stored, e.PeriodReopened] | None
    state: Closing
    version: int


@blueprint.route("/clubs/<id:club>/closing")
@edge.open_to(*READERS)
@blueprint.arguments(ClosingQuery, location="query")
@blueprint.response(200, ChecklistSchema)
def get_checklist(query: JSON, club: str) -> Response:
    """What closing the books up to a day would be: the checklist, and each member's balance.

    Open tables and hands that are not settled stand in its way; open disputes are carried over.
    """
    found = closing.checklist(Desk(edge.ledger(), edge.caller(), club), query["last"])
    with edge.ledger().database.read() as connection:
        now = present(connection, club, edge.ledger().clock())
        members = tuple(line.member for line in found.balances)
        codes = access.find_members(connection, club, members)
    over = found.first <= found.last < now.day(now.at)
    told = {
        "object": "checklist",
        "first": found.first,
        "last": found.last,
        "over": over,
        "ready": over and not found.open_tables and not found.unsettled,
        "open_tables": found.open_tables,
        "unsettled": found.unsettled,
        "carried": found.disputes,
        "balances": [
            {"member": line.member, "code": codes[line.member].code, "points": line.points}
            for line in found.balances
        ],
        "sum": sum(line.points for line in found.balances),
        "position": found.position,
    }
    return answer(told)


@blueprint.route("/clubs/<id:club>/periods", methods=["POST"])
@writes(ClosePeriod)
@blueprint.arguments(ClosePeriodBody)
@blueprint.response(201, PeriodSchema, headers={"ETag": "ETag", "Location": "Location"})
def close_period(body: JSON, club: str) -> Response:
    """Close the books up to a business day: carry the points on, or clear them (清零).

    A checkpoint of the log is signed afterwards; where that fails the closing stands all the same.
    """
    done = closing.close(edge.desk(), **body)
    _seal(club, done)
    with edge.ledger().database.read() as connection:
        number = max(one.fact.number for one in read(connection, club, done.version))
    response = _answer(done, number, 201)
    response.headers["Location"] = f"/v1/clubs/{club}/periods/{number}"
    return response


@blueprint.route("/clubs/<id:club>/periods/<number:number>/reopen", methods=["POST"])
@writes(ReopenPeriod, version="optional")
@blueprint.arguments(ReasonBody)
@blueprint.response(200, PeriodSchema, headers={"ETag": "ETag"})
def reopen_period(body: JSON, club: str, number: int) -> Response:
    """Open the last closed period again, for a reason; what its closing booked is undone."""
    return _answer(closing.reopen(edge.desk(), number, body["note"]), number)


@blueprint.route("/clubs/<id:club>/periods/<number:number>/confirm", methods=["POST"])
@writes(ConfirmBalance, version="optional")
@blueprint.arguments(Body)
@blueprint.response(200, PeriodSchema, headers={"ETag": "ETag"})
def confirm_balance(body: JSON, club: str, number: int) -> Response:
    """Agree, as a member, to the points that a closing says one has 对账确认."""
    return _answer(closing.confirm(edge.desk(), number), number)


@blueprint.route("/clubs/<id:club>/periods/<number:number>/contest", methods=["POST"])
@writes(ContestBalance, version="optional")
@blueprint.arguments(ReasonBody)
@blueprint.response(200, PeriodSchema, headers={"ETag": "ETag"})
def contest_balance(body: JSON, club: str, number: int) -> Response:
    """Say, as a member, that the points that a closing says one has are wrong, and why."""
    return _answer(closing.contest(edge.desk(), number, body["note"]), number)


def read(connection: Connection, club: str, upto: int | None = None) -> list[Closed]:
    """The closings of a club as they are, or were at a version of their stream."""
    rows = store.read_stream(connection, club, f"period/{club}", upto=upto)
    events = [codec.unseal(row.type, row.public) for row in rows]
    closings = fold(events).closings
    told = list(zip(rows, (event.fact for event in events), strict=True))
    undone = {fact.number: (row, fact) for row, fact in told if isinstance(fact, e.PeriodReopened)}
    return [
        Closed(row, fact, undone.get(fact.number), closings[fact.number], rows[-1].version)
        for row, fact in told
        if isinstance(fact, e.PeriodClosed)
    ]


def find(found: Sequence[Closed], number: int) -> Closed:
    """A closing by its number; refuses one that is not there."""
    for one in found:
        if one.fact.number == number:
            return one
    raise Refused("period_unknown", number=number)


def tell(connection: Connection, club: str, one: Closed) -> JSON:
    """A closing as the caller may see it: what is the club's is told to who runs it."""
    fact, caller = one.fact, edge.caller()
    clears = fact.mode == "clear" and bool(fact.balances)
    undone = one.undone
    told = {
        "object": "period",
        "id": str(fact.number),
        "created_at": time_text(fact.at),
        "number": fact.number,
        "first": fact.first,
        "last": fact.last,
        "booked_date": fact.booked_date,
        "mode": fact.mode,
        "state": "closed" if undone is None else "reopened",
        "closed": {"by": fact.by, "role": one.at.role, "at": time_text(fact.at)},
        "reopened": None if undone is None else _reopened(connection, club, *undone),
        **dict.fromkeys(("note", "members", "sum", "words", "carried")),
        "own": _own(one, caller.member),
        "position": fact.position,
        "entry": f"jrn_{one.at.position}" if clears else None,
        "reversal": f"jrn_{undone[0].position}" if undone and undone[1].lines else None,
        "checkpoint": _checkpoint(connection, club, one.at.position),
        "version": one.version,
    }
    return {**told, **(_of_club(connection, club, one) if caller.has(*READERS) else {})}


def _of_club(connection: Connection, club: str, one: Closed) -> JSON:
    """What is told of a closing to who runs the club."""
    fact, said = one.fact, list(one.state.words.values())
    counted = {word: sum(one == word for one in said) for word in WORDS[:2]}
    return {
        "note": fact.note and access.find_text(connection, club, fact.note),
        "members": len(fact.balances),
        "sum": sum(line.points for line in fact.balances),
        "words": {**counted, "silent": len(fact.balances) - len(said)},
        "carried": fact.carried,
    }


def _reopened(connection: Connection, club: str, row: Stored, fact: e.PeriodReopened) -> JSON:
    signed = {"by": fact.by, "role": row.role, "at": time_text(fact.at)}
    return {**signed, "note": access.find_text(connection, club, fact.note)}


def _own(one: Closed, member: str | None) -> JSON | None:
    for line in one.fact.balances:
        if line.member == member:
            return {"points": line.points, "word": one.state.words.get(member, "silent")}
    return None


def _checkpoint(connection: Connection, club: str, position: int) -> int | None:
    """The first checkpoint under which an event lies."""
    found = checkpoints.first_from(connection, club, position)
    return None if found is None else found.position


def _seal(club: str, done: Done) -> None:
    """Sign a checkpoint of a closing that was made just now."""
    ledger = edge.ledger()
    if not done.replayed and not ledger.database.rehearses:
        sealing.seal(ledger.database, club, edge.signing_key(), ledger.clock)


def _answer(done: Done, number: int, status: int = 200) -> Response:
    """The answer to a write: the closing as it was after it."""
    with edge.ledger().database.read() as connection:
        told = tell(connection, done.club, find(read(connection, done.club, done.version), number))
    return tagged(answer(told, status, replayed=done.replayed), done.version)

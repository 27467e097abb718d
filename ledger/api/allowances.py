"""Allowances 上分 / 下分 and opening balances: asked for, approved, refused, undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from flask import Response
from marshmallow import fields
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, codec, granting, limiting, store
from ledger import events as e
from ledger.api import edge, sheets, shown
from ledger.api.answers import JSON, Shown, answer, tagged
from ledger.api.facts import ACTORS
from ledger.api.fields import Body, day, each, matching, nested, text, whole, word
from ledger.api.keys import MEMBER
from ledger.api.members import CODE, WhyBody
from ledger.api.writing import writes
from ledger.granting import Grant
from ledger.granting_files import check_members
from ledger.names import LONGEST_NAME
from ledger.perform import Done
from ledger.present import present
from ledger.refusal import Refused
from ledger.store import Stored
from ledger.streams.allowance import (
    MOST_LINES,
    REASONS,
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
    fold,
)
from ledger.streams.limits import MOST_POINTS
from ledger.telling import time_text

blueprint = edge.Blueprint("allowances", "Allowances: points that officers give and take.")

STATES = ("requested", "posted", "refused", "reversed")
ENTRY = "jrn_[1-9][0-9]*"
F = TypeVar("F", bound=e.Fact)


class AllowanceLineBody(Body):
    """A member, by id or by code, and the points that come to him; below 0 they go."""

    member = matching(MEMBER, "member_form", required=True)
    points = whole(-MOST_POINTS, MOST_POINTS, required=True)


class AllowanceBody(Body):
    """The points that members are to be given, and why."""

    kind = word(*sheets.KINDS, load_default="allowance")
    lines = each(nested(AllowanceLineBody), 1, MOST_LINES, required=True)
    reason = text(1, 40, required=True, metadata={"enum": [*REASONS]})
    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)
    effective_date = day(load_default=None, allow_none=True)
    control = whole(load_default=None, allow_none=True)


class AllowanceLineSchema(Shown):
    """What a member is given, with what he had before it was booked and after."""

    member = shown.id_of("mem")
    code = shown.shaped(CODE)
    points = fields.Integer()
    balance_before = fields.Integer(allow_none=True)
    balance_after = fields.Integer(allow_none=True)


class SignedSchema(Shown):
    """Who did it, in which role, and when."""

    by = fields.String()
    role = shown.one_of(*ACTORS)
    at = fields.DateTime()


class NotedSchema(SignedSchema):
    """Who did it, in which role, when, and why."""

    note = fields.String(allow_none=True)


class AllowanceSchema(Shown):
    """An allowance: who asked for what, how it stands, and what was booked."""

    object = shown.the("allowance")
    id = shown.id_of("alw")
    created_at = fields.DateTime()
    kind = shown.one_of(*sheets.KINDS)
    state = shown.one_of(*STATES)
    reason = shown.one_of(*REASONS)
    note = fields.String(allow_none=True)
    effective_date = fields.Date(allow_none=True)
    booked_date = fields.Date(allow_none=True)
    lines = fields.List(fields.Nested(AllowanceLineSchema))
    total = fields.Integer()
    asked = fields.Nested(SignedSchema)
    approved = fields.Nested(SignedSchema, allow_none=True)
    refused = fields.Nested(NotedSchema, allow_none=True)
    reversed = fields.Nested(NotedSchema, allow_none=True)
    entry = shown.shaped(ENTRY, allow_none=True)
    reversal = shown.shaped(ENTRY, allow_none=True)
    version = shown.within(1)


class Course(Struct, frozen=True):
    """An allowance from its beginning on: its events as they are stored, with what each says."""

    rows: tuple[tuple[Stored, e.Fact], ...]

    @property
    def posted_at(self) -> int | None:
        """The position at which it was booked."""
        return self.at(e.AllowancePosted)

    def at(self, kind: type[e.Fact]) -> int | None:
        """The position of an event of its course, if there was one."""
        return next((row.position for row, fact in self.rows if isinstance(fact, kind)), None)

    def find(self, kind: type[F]) -> tuple[Stored, F] | None:
        """An event of its course, if there was one."""
        return next(((row, fact) for row, fact in self.rows if isinstance(fact, kind)), None)


@blueprint.route("/clubs/<id:club>/allowances", methods=["POST"])
@sheets.takes_sheet
@writes(RequestAllowance, sheet=sheets.PARAMETERS)
@blueprint.arguments(AllowanceBody)
@blueprint.doc(requestBody=sheets.BODY)
@blueprint.response(201, AllowanceSchema, headers={"ETag": "ETag", "Location": "Location"})
def request_allowance(body: JSON, club: str) -> Response:
    """Ask that members be given points, or that some be taken; within the limit they are booked.

    The lines may come as CSV too: a first line `member,points`, and a line for each member.
    """
    _check_sheet(club)
    lines = tuple(e.Line(**line) for line in body.pop("lines"))
    done = granting.request(edge.desk(), Grant(lines=lines, **body))
    response = _answer(done, 201)
    response.headers["Location"] = f"/v1/clubs/{club}/allowances/{response.get_json()['id']}"
    return response


@blueprint.route("/clubs/<id:club>/allowances/<id:allowance>/approve", methods=["POST"])
@writes(ApproveAllowance, version="optional")
@blueprint.arguments(Body)
@blueprint.response(200, AllowanceSchema, headers={"ETag": "ETag"})
def approve_allowance(body: JSON, club: str, allowance: str) -> Response:
    """Agree, as a second person, to what waits; it is booked."""
    return _answer(granting.approve(edge.desk(), allowance))


@blueprint.route("/clubs/<id:club>/allowances/<id:allowance>/refuse", methods=["POST"])
@writes(RefuseAllowance, version="optional")
@blueprint.arguments(WhyBody)
@blueprint.response(200, AllowanceSchema, headers={"ETag": "ETag"})
def refuse_allowance(body: JSON, club: str, allowance: str) -> Response:
    """Do not give what waits; who asked for it takes it back so himself."""
    return _answer(granting.refuse(edge.desk(), allowance, body["note"]))


@blueprint.route("/clubs/<id:club>/allowances/<id:allowance>/reverse", methods=["POST"])
@writes(ReverseAllowance, version="optional")
@blueprint.arguments(WhyBody)
@blueprint.response(200, AllowanceSchema, headers={"ETag": "ETag"})
def reverse_allowance(body: JSON, club: str, allowance: str) -> Response:
    """Undo what was booked 撤销 by its exact opposite, once; what is right is asked for anew."""
    return _answer(granting.reverse(edge.desk(), allowance, body["note"]))


def course(connection: Connection, club: str, allowance: str, upto: int | None = None) -> Course:
    """An allowance as it is, or was at a version of its stream; refuses one that is not there."""
    rows = store.read_stream(connection, club, f"allowance/{allowance}", upto=upto)
    if not rows:
        raise Refused("allowance_unknown")
    return Course(tuple((row, codec.unseal(row.type, row.public).fact) for row in rows))


def tell(
    connection: Connection, course: Course, left: Mapping[str, int], member: str | None = None
) -> JSON:
    """An allowance as it is shown; `left` is what its booking left with whom.

    To a `member` his own line alone is told.
    """
    (first, _), (last, _) = course.rows[0], course.rows[-1]
    state = fold(e.Event(fact) for _, fact in course.rows)
    assert state is not None
    asked, posted = state.asked, state.posted
    lines = [line for line in asked.lines if member in (None, line.member)]
    undone = course.at(e.AllowanceReversed)
    return {
        "object": "allowance",
        "id": first.stream.removeprefix("allowance/"),
        "created_at": time_text(asked.at),
        "kind": asked.kind,
        "state": state.state,
        "reason": asked.reason,
        "note": _text(connection, first.club, asked.note),
        "effective_date": posted.effective_date if posted else asked.effective_date,
        "booked_date": posted.booked_date if posted else None,
        "lines": list(_lines(connection, first.club, lines, left)),
        "total": sum(line.points for line in lines),
        **dict(_signed(connection, course)),
        "entry": _entry(course.posted_at),
        "reversal": _entry(undone),
        "version": last.version,
    }


def _lines(
    connection: Connection, club: str, lines: Sequence[e.Line], left: Mapping[str, int]
) -> Iterator[JSON]:
    """Lines with the codes of their members, and with what each had before and after."""
    found = access.find_members(connection, club, tuple(line.member for line in lines))
    for line in lines:
        after = left.get(line.member)
        yield {
            "member": line.member,
            "code": found[line.member].code,
            "points": line.points,
            "balance_before": None if after is None else after - line.points,
            "balance_after": after,
        }


def _signed(connection: Connection, course: Course) -> Iterator[tuple[str, JSON | None]]:
    """Who did what of its course."""
    yield "asked", _by(course.find(e.AllowanceRequested))
    yield "approved", _by(course.find(e.AllowanceApproved))
    refused, undone = course.find(e.AllowanceRefused), course.find(e.AllowanceReversed)
    for name, found in (("refused", refused), ("reversed", undone)):
        told = _by(found)
        if found is not None and told is not None:
            row, fact = found
            told["note"] = _text(connection, row.club, fact.note)
        yield name, told


def _by(found: tuple[Stored, Any] | None) -> JSON | None:
    """Who did something, in which role, and when."""
    if found is None:
        return None
    row, fact = found
    return {"by": fact.by, "role": row.role, "at": time_text(fact.at)}


def _entry(position: int | None) -> str | None:
    return None if position is None else f"jrn_{position}"


def _text(connection: Connection, club: str, digest: str | None) -> str | None:
    return None if digest is None else access.find_text(connection, club, digest)


def _check_sheet(club: str) -> None:
    """Refuse a sheet that names members whom the club has not."""
    sent = sheets.sheet()
    if sent is not None:
        with edge.ledger().database.read() as connection:
            check_members(connection, club, sent)


def _answer(done: Done, status: int = 200) -> Response:
    """The answer to a write: the allowance as it was after it, with what its booking left."""
    allowance = done.stream.removeprefix("allowance/")
    with edge.ledger().database.read() as connection:
        found = course(connection, done.club, allowance, done.version)
    left = _left(done.club, found)
    with edge.ledger().database.read() as connection:
        told = tell(connection, found, left)
    return tagged(answer(told, status, replayed=done.replayed), done.version)


def _left(club: str, found: Course) -> Mapping[str, int]:
    """What the booking of an allowance left; in a dry run of one that waits, what it would."""
    ledger = edge.ledger()
    if found.posted_at is not None:
        return limiting.books_of(ledger).left_by(ledger.database, club, found.posted_at)
    last = found.rows[-1][1]
    if not ledger.database.rehearses or not isinstance(last, e.AllowanceRequested):
        return {}
    with ledger.database.read() as connection:
        now = present(connection, club, ledger.clock())
    members = tuple(line.member for line in last.lines)
    books = limiting.books_of(ledger)
    _, booked = books.standings(ledger.database, club, members, now.day(now.at))
    return {line.member: booked[line.member].points + line.points for line in last.lines}

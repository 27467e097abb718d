"""Limits 额度与限制 and deadlines: what a club allows, and how far away it is from each member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response
from marshmallow import fields
from msgspec.structs import asdict, replace

from ledger import access, codec, governing, limiting, store
from ledger.access import BOOKS, MemberRow
from ledger.api import edge, members, shown
from ledger.api.answers import (
    JSON,
    PageQuery,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    tagged,
)
from ledger.api.fields import Body, digits, whole
from ledger.api.members import MemberSchema, answer_to
from ledger.api.writing import writes
from ledger.keyset import Page
from ledger.perform import Done
from ledger.streams.club import HOURS, Club, SetDeadlines, SetLimits, fold
from ledger.streams.limits import MOST_POINTS, RANGES, LimitName, Room
from ledger.streams.member import SetMemberLimits

blueprint = edge.Blueprint("limits", "Limits of a club and its members, and deadlines.")

AT_ONCE = 100
"""How many members are looked at together."""
OF_POINTS: tuple[LimitName, ...] = (
    "entry_floor",
    "entry_ceiling",
    "pause_floor",
    "day_loss",
    "alarm",
)
"""The limits that one comes near to point by point."""


def _limit(name: str) -> fields.Integer:
    """A limit that is named each time, so that none is taken away by being forgotten."""
    return whole(*RANGES[name], required=True, allow_none=True)


class MemberLimitsBody(Body):
    """A member's own limits, whole; null is the club's."""

    entry_floor = _limit("entry_floor")
    entry_ceiling = _limit("entry_ceiling")
    pause_floor = _limit("pause_floor")
    day_loss = _limit("day_loss")
    alarm = _limit("alarm")


class LimitsBody(Body):
    """What the club allows from now on, whole; null is without limit."""

    entry_floor = _limit("entry_floor")
    entry_ceiling = _limit("entry_ceiling")
    pause_floor = _limit("pause_floor")
    hand_cap = _limit("hand_cap")
    day_loss = _limit("day_loss")
    alarm = _limit("alarm")
    tables = whole(*RANGES["tables"], required=True)
    allowance = _limit("allowance")
    correction = _limit("correction")


class DeadlinesBody(Body):
    """The hours of the disputes that come, whole."""

    file_hours = whole(*HOURS["file_hours"], required=True)
    answer_hours = whole(*HOURS["answer_hours"], required=True)
    decide_hours = whole(*HOURS["decide_hours"], required=True)
    appeal_hours = whole(*HOURS["appeal_hours"], required=True)


class NearQuery(PageQuery):
    """How near to a limit a member is for the list to show him."""

    near = digits(0, MOST_POINTS, load_default=0)


class LimitsSchema(Shown):
    """What a club allows. `version` is that of all that is set of the club, its keys too."""

    object = shown.the("limits")
    entry_floor = fields.Integer(allow_none=True)
    entry_ceiling = fields.Integer(allow_none=True)
    pause_floor = fields.Integer(allow_none=True)
    hand_cap = shown.within(1, allow_none=True)
    day_loss = shown.within(1, allow_none=True)
    alarm = fields.Integer(allow_none=True)
    tables = shown.within(1)
    allowance = shown.within(0, allow_none=True)
    correction = shown.within(0, allow_none=True)
    version = shown.within(1)


class DeadlinesSchema(Shown):
    """The hours that a club gives. `version` is that of all that is set of the club."""

    object = shown.the("deadlines")
    file_hours = shown.within(1)
    answer_hours = shown.within(1)
    decide_hours = shown.within(1)
    appeal_hours = shown.within(1)
    version = shown.within(1)


class RoomSchema(Shown):
    """How far one limit is away from a member."""

    name = shown.one_of(*OF_POINTS, "tables")
    limit = fields.Integer()
    has = fields.Integer()
    left = fields.Integer()
    reached = fields.Boolean()


class StandingSchema(Shown):
    """Where a member stands at the limits that there are for him."""

    object = shown.the("standing")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(members.CODE)
    name = fields.String()
    limits = fields.List(fields.Nested(RoomSchema))


StandingList = list_of(StandingSchema, "StandingList")


@blueprint.route("/clubs/<id:club>/limits")
@blueprint.response(200, LimitsSchema, headers={"ETag": "ETag"})
def get_limits(club: str) -> Response:
    """What the club allows, for everybody in it to see before it bites."""
    told = _limits(club)
    return tagged(answer(told), told["version"])


@blueprint.route("/clubs/<id:club>/limits", methods=["POST"])
@writes(SetLimits, version="optional")
@blueprint.arguments(LimitsBody)
@blueprint.response(200, LimitsSchema, headers={"ETag": "ETag"})
def set_limits(body: JSON, club: str) -> Response:
    """Set what the club allows from now on, whole: what is not to change is said again."""
    done = governing.set_limits(edge.desk(), SetLimits(**body))
    return _answer(done, _limits(club, done.version))


@blueprint.route("/clubs/<id:club>/deadlines")
@blueprint.response(200, DeadlinesSchema, headers={"ETag": "ETag"})
def get_deadlines(club: str) -> Response:
    """The hours that there are in a dispute to file it, to answer, to decide and to appeal."""
    told = _deadlines(club)
    return tagged(answer(told), told["version"])


@blueprint.route("/clubs/<id:club>/deadlines", methods=["POST"])
@writes(SetDeadlines, version="optional")
@blueprint.arguments(DeadlinesBody)
@blueprint.response(200, DeadlinesSchema, headers={"ETag": "ETag"})
def set_deadlines(body: JSON, club: str) -> Response:
    """Set the hours of the disputes that come; those that are open keep theirs."""
    done = governing.set_deadlines(edge.desk(), SetDeadlines(**body))
    return _answer(done, _deadlines(club, done.version))


@blueprint.route("/clubs/<id:club>/members/<member:member>/limits", methods=["POST"])
@writes(SetMemberLimits, version="optional")
@blueprint.arguments(MemberLimitsBody)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def set_member_limits(body: JSON, club: str, member: str) -> Response:
    """Set a member's own limits, whole, in the place of the club's."""
    return answer_to(governing.set_member_limits(edge.desk(), member, SetMemberLimits(**body)))


@blueprint.route("/clubs/<id:club>/members/<member:member>/limits")
@edge.open_to(*BOOKS, "recorder", "member")
@blueprint.response(200, StandingSchema)
def get_member_limits(club: str, member: str) -> Response:
    """How far each limit is away from a member: what he has, and what may still come or go."""
    edge.require_own(member, *BOOKS, "recorder")
    with edge.ledger().database.read() as connection:
        row = members.find(connection, club, member)
    [(_, rooms)] = limiting.rooms(edge.ledger(), club, (member,))
    return answer(_standing(row, rooms))


@blueprint.route("/clubs/<id:club>/limits/reached")
@edge.open_to(*BOOKS)
@blueprint.arguments(NearQuery, location="query")
@blueprint.response(200, StandingList)
def list_reached_limits(query: JSON, club: str) -> Response:
    """The members who are at a limit of points, beyond it or near it, with those limits alone."""
    data, more = _reached(club, page_of(query), query["near"])
    return page_answer(data, more, query)


def _limits(club: str, upto: int | None = None) -> JSON:
    state, version = _club(club, upto)
    return {"object": "limits", **asdict(state.limits), "version": version}


def _deadlines(club: str, upto: int | None = None) -> JSON:
    state, version = _club(club, upto)
    return {"object": "deadlines", **asdict(state.deadlines), "version": version}


def _club(club: str, upto: int | None) -> tuple[Club, int]:
    """A club as it is, or was at a version of its own stream."""
    with edge.ledger().database.read() as connection:
        rows = store.read_stream(connection, club, "club", upto=upto)
    state = fold(codec.unseal(row.type, row.public) for row in rows)
    assert state is not None
    return state, rows[-1].version


def _answer(done: Done, told: JSON) -> Response:
    return tagged(answer(told, replayed=done.replayed), done.version)


def _reached(club: str, page: Page, near: int) -> tuple[list[JSON], bool]:
    """A page of those who are so near to a limit, found by going through the members in order."""
    backwards = page.ending_before is not None and page.starting_after is None
    found: list[JSON] = []
    step = replace(page, limit=AT_ONCE)
    while True:
        with edge.ledger().database.read() as connection:
            rows, _ = access.club_members(connection, club, step)
        told = _near(club, rows, near)
        found = told + found if backwards else found + told
        if len(found) > page.limit or len(rows) < AT_ONCE:
            break
        if backwards:
            step = replace(step, ending_before=rows[0].member)
        else:
            step = replace(step, starting_after=rows[-1].member)
    if backwards:
        return found[-page.limit :], True
    return found[: page.limit], page.ending_before is not None or len(found) > page.limit


def _near(club: str, rows: list[MemberRow], near: int) -> list[JSON]:
    """Those of some members who are so near to a limit; who has left is near to none."""
    standings = limiting.rooms(edge.ledger(), club, tuple(row.member for row in rows))
    told: list[JSON] = []
    for row, (standing, rooms) in zip(rows, standings, strict=True):
        close = [one for one in rooms if one.name in OF_POINTS and one.left <= near]
        if close and not standing.left:
            told.append(_standing(row, close))
    return told


def _standing(row: MemberRow, rooms: Sequence[Room]) -> JSON:
    limits: list[dict[str, Any]] = [asdict(room) for room in rooms]
    return {"object": "standing", **members.head(row), "limits": limits}

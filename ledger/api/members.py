"""Members 成员 of a club: taken in, grouped, barred, let go by its officers; each sees himself."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from msgspec.structs import asdict
from sqlalchemy import Connection

from ledger import access, acts, codec, governing, store
from ledger.access import BOOKS, MemberRow
from ledger.api import edge, shown
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
from ledger.api.fields import Body, text
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.streams.member import Bar, Group, Join, Leave, Member, Readmit, Return, fold
from ledger.telling import time_text

blueprint = edge.Blueprint("members", "Members of a club.")
CODE = "M-[0-9]{4,}"
STATUSES = ("active", "barred", "left", "forgotten")


class JoinBody(Body):
    """A person to take into the club."""

    name = text(1, LONGEST_NAME, required=True)


class WhyBody(Body):
    """Why, in the club's own words."""

    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class GroupBody(Body):
    """The group that a member belongs to from now on; null is none."""

    group = text(1, LONGEST_NAME, required=True, allow_none=True)


class OwnLimitsSchema(Shown):
    """A member's own limits, in the place of the club's."""

    entry_floor = fields.Integer(allow_none=True)
    entry_ceiling = fields.Integer(allow_none=True)
    pause_floor = fields.Integer(allow_none=True)
    day_loss = shown.within(1, allow_none=True)
    alarm = fields.Integer(allow_none=True)


class MemberSchema(Shown):
    """A member, with the code that records show, and what he may do."""

    object = shown.the("member")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()
    status = shown.one_of(*STATUSES)
    group = fields.String(allow_none=True)
    limits = fields.Nested(OwnLimitsSchema)
    version = shown.within(1)


MemberList = list_of(MemberSchema, "MemberList")


@blueprint.route("/clubs/<id:club>/members", methods=["POST"])
@writes(Join)
@blueprint.arguments(JoinBody)
@blueprint.response(201, MemberSchema, headers={"ETag": "ETag", "Location": "Location"})
def join_member(body: JSON, club: str) -> Response:
    """Take a person into the club, under the next code."""
    response = answer_to(acts.join_member(edge.desk(), body["name"]), 201)
    response.headers["Location"] = f"/v1/clubs/{club}/members/{response.get_json()['id']}"
    return response


@blueprint.route("/clubs/<id:club>/members")
@edge.open_to(*BOOKS)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, MemberList)
def list_members(query: JSON, club: str) -> Response:
    """The members of the club, in the order of their codes."""
    with edge.ledger().database.read() as connection:
        rows, more = access.club_members(connection, club, page_of(query))
        told = [_told(connection, row) for row in rows]
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/members/<member:member>")
@edge.open_to(*BOOKS, "member")
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def get_member(club: str, member: str) -> Response:
    """A member, for those who run the club and for himself, with his version as ETag."""
    edge.require_own(member, *BOOKS)
    with edge.ledger().database.read() as connection:
        told = _told(connection, find(connection, club, member))
    return tagged(answer(told), told["version"])


@blueprint.route("/clubs/<id:club>/members/<member:member>/bar", methods=["POST"])
@writes(Bar, version="optional")
@blueprint.arguments(WhyBody)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def bar_member(body: JSON, club: str, member: str) -> Response:
    """Let a member sit down no more 禁玩; the table at which he sits is played to its end."""
    return answer_to(governing.bar(edge.desk(), member, body["note"]))


@blueprint.route("/clubs/<id:club>/members/<member:member>/readmit", methods=["POST"])
@writes(Readmit, version="optional")
@blueprint.arguments(WhyBody)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def readmit_member(body: JSON, club: str, member: str) -> Response:
    """Let a member who was barred sit down again."""
    return answer_to(governing.readmit(edge.desk(), member, body["note"]))


@blueprint.route("/clubs/<id:club>/members/<member:member>/leave", methods=["POST"])
@writes(Leave, version="optional")
@blueprint.arguments(WhyBody)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def leave_member(body: JSON, club: str, member: str) -> Response:
    """Let a member leave the club 退出, once he sits at no open table; his points stay."""
    return answer_to(governing.leave(edge.desk(), member, body["note"]))


@blueprint.route("/clubs/<id:club>/members/<member:member>/return", methods=["POST"])
@writes(Return, version="optional")
@blueprint.arguments(Body)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def return_member(body: JSON, club: str, member: str) -> Response:
    """Let a member in again who has left, under his old code."""
    return answer_to(governing.come_back(edge.desk(), member))


@blueprint.route("/clubs/<id:club>/members/<member:member>/group", methods=["POST"])
@writes(Group, version="optional")
@blueprint.arguments(GroupBody)
@blueprint.response(200, MemberSchema, headers={"ETag": "ETag"})
def group_member(body: JSON, club: str, member: str) -> Response:
    """Put a member into a group 分组, or out of any."""
    return answer_to(governing.group(edge.desk(), member, body["group"]))


def answer_to(done: Done, status: int = 200) -> Response:
    """The answer to a write: the member as he was after it."""
    with edge.ledger().database.read() as connection:
        row = find(connection, done.club, done.stream.removeprefix("member/"))
        told = _told(connection, row, done.version)
    return tagged(answer(told, status, replayed=done.replayed), done.version)


def find(connection: Connection, club: str, member: str) -> MemberRow:
    """A member of the club by his id; refuses one who is none."""
    row = access.find_members(connection, club, (member,)).get(member)
    if row is None:
        raise Refused("member_unknown", member=member)
    return row


def head(row: MemberRow) -> JSON:
    """Which member it is."""
    named = {"id": row.member, "created_at": time_text(row.created_at)}
    return {**named, "code": row.code, "name": row.name}


def _told(connection: Connection, row: MemberRow, upto: int | None = None) -> JSON:
    """A member as he is, or was at a version of his own stream."""
    rows = store.read_stream(connection, row.club, f"member/{row.member}", upto=upto)
    member = fold(codec.unseal(one.type, one.public) for one in rows)
    assert member is not None
    group = member.group and access.find_text(connection, row.club, member.group)
    return {
        "object": "member",
        **head(row),
        "status": _status(member),
        "group": group,
        "limits": asdict(member.limits),
        "version": rows[-1].version,
    }


def _status(member: Member) -> str:
    """What is said of a member first: that he was forgotten, has left, or is barred."""
    if member.forgotten:
        return "forgotten"
    if member.left:
        return "left"
    return "barred" if member.barred else "active"

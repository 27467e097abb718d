"""Members 成员 of a club: taken in and listed by its owner; a member sees himself."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger import access, acts
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
    time_text,
)
from ledger.api.fields import Body, text
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.refusal import Refused
from ledger.streams.member import Join

blueprint = edge.Blueprint("members", "Members of a club.")
CODE = "M-[0-9]{4,}"


class JoinBody(Body):
    """A person to take into the club."""

    name = text(1, LONGEST_NAME, required=True)


class MemberSchema(Shown):
    """A member, with the code that records show."""

    object = shown.the("member")
    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()


MemberList = list_of(MemberSchema, "MemberList")


@blueprint.route("/clubs/<id:club>/members", methods=["POST"])
@writes(Join)
@blueprint.arguments(JoinBody)
@blueprint.response(201, MemberSchema, headers={"Location": "Location"})
def join_member(body: JSON, club: str) -> Response:
    """Take a person into the club, under the next code."""
    done = acts.join_member(edge.desk(), body["name"])
    member = done.stream.removeprefix("member/")
    response = answer(_member(club, member), 201, replayed=done.replayed)
    response.headers["Location"] = f"/v1/clubs/{club}/members/{member}"
    return response


@blueprint.route("/clubs/<id:club>/members")
@edge.open_to(*BOOKS)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, MemberList)
def list_members(query: JSON, club: str) -> Response:
    """The members of the club, in the order of their codes."""
    with edge.ledger().database.read() as connection:
        rows, more = access.club_members(connection, club, page_of(query))
    return page_answer([_told(row) for row in rows], more, query)


@blueprint.route("/clubs/<id:club>/members/<member:member>")
@edge.open_to(*BOOKS, "member")
@blueprint.response(200, MemberSchema)
def get_member(club: str, member: str) -> Response:
    """A member, for those who run the club, and for himself."""
    edge.require_own(member, *BOOKS)
    return answer(_member(club, member))


def _member(club: str, member: str) -> JSON:
    with edge.ledger().database.read() as connection:
        row = access.find_members(connection, club, (member,)).get(member)
    if row is None:
        raise Refused("member_unknown", member=member)
    return _told(row)


def _told(row: MemberRow) -> JSON:
    return {
        "object": "member",
        "id": row.member,
        "created_at": time_text(row.created_at),
        "code": row.code,
        "name": row.name,
    }

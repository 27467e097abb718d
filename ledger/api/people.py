"""People of a club: who was invited, who came in, and with which roles."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import admission, people, sight, store
from ledger.access import PEOPLE
from ledger.api import edge
from ledger.api.answers import (
    JSON,
    PageQuery,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    tagged,
    time_or_none,
)
from ledger.api.fields import Body, each, matching, moment, role, text
from ledger.api.keys import MEMBER
from ledger.api.shown import id_of, one_of, the
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.people import MembershipRow
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.streams.membership import PERSONAL, ChangeRoles, Invite, IssueLink, Revoke, fold
from ledger.streams.roles import ROLES
from ledger.telling import time_text

blueprint = edge.Blueprint("people", "People of a club: invitations, memberships, roles.")

INVITED = 1
"""The version at which a membership is an invitation just made."""
STATES = ("invited", "active", "left", "revoked", "expired")


class InviteBody(Body):
    """Somebody to invite: into which roles, what he is called here, and as which member."""

    roles = each(role(*PERSONAL), 1, len(ROLES), required=True)
    label = text(1, LONGEST_NAME, required=True)
    member = matching(MEMBER, "member_form", load_default=None, allow_none=True)
    expires_at = moment(load_default=None, allow_none=True)


class RolesBody(Body):
    """The roles that a person has from now on; none lets him leave the club."""

    roles = each(role(*PERSONAL), 0, len(ROLES), required=True)
    member = matching(MEMBER, "member_form", load_default=None, allow_none=True)


class MembershipSchema(Shown):
    """A membership; until somebody has accepted it, it is an invitation."""

    object = the("membership")
    id = id_of("mbs")
    created_at = fields.DateTime()
    club = id_of("club")
    state = one_of(*STATES)
    label = fields.String()
    roles = fields.List(one_of(*ROLES))
    member = id_of("mem", allow_none=True)
    person = id_of("per", allow_none=True)
    name = fields.String(allow_none=True)
    expires_at = fields.DateTime(allow_none=True)


class InvitationSchema(MembershipSchema):
    """An invitation just made. Its token is shown here and never again; a retry shows null."""

    token = fields.String(allow_none=True)


class LinkSchema(Shown):
    """A link by which a person signs in once; its token is shown here and never again."""

    object = the("link")
    id = id_of("lnk")
    created_at = fields.DateTime()
    membership = id_of("mbs")
    expires_at = fields.DateTime()
    token = fields.String(allow_none=True)


MembershipList = list_of(MembershipSchema, "MembershipList")


@blueprint.route("/clubs/<id:club>/memberships", methods=["POST"])
@writes(Invite)
@blueprint.arguments(InviteBody)
@blueprint.response(201, InvitationSchema, headers={"ETag": "ETag", "Location": "Location"})
def invite(body: JSON, club: str) -> Response:
    """Invite somebody. Whoever is given the token can come in with it, once."""
    roles = tuple(dict.fromkeys(body.pop("roles")))
    made = admission.invite(edge.desk(), roles, **body)
    with edge.ledger().database.read() as connection:
        shown = as_of(connection, club, made.id, INVITED)
    told = {**shown, "token": made.token}
    response = tagged(answer(told, 201, replayed=made.token is None), INVITED)
    response.headers["Location"] = f"/v1/clubs/{club}/memberships/{made.id}"
    return response


@blueprint.route("/clubs/<id:club>/memberships")
@edge.open_to(*PEOPLE)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, MembershipList)
def list_memberships(query: JSON, club: str) -> Response:
    """Who was invited and who came in, in the order of their invitations."""
    with edge.ledger().database.read() as connection:
        rows, more = people.club_memberships(connection, club, page_of(query))
        told = _told(connection, rows, edge.ledger().clock())
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/memberships/<id:membership>")
@edge.open_to(*PEOPLE)
@blueprint.response(200, MembershipSchema, headers={"ETag": "ETag"})
def get_membership(club: str, membership: str) -> Response:
    """A membership, with its version as ETag."""
    with edge.ledger().database.read() as connection:
        [told] = _told(connection, [_find(connection, club, membership)], edge.ledger().clock())
        version = store.stream_version(connection, club, f"membership/{membership}")
    return tagged(answer(told), version)


@blueprint.route("/clubs/<id:club>/memberships/<id:membership>/roles", methods=["POST"])
@writes(ChangeRoles, version="required")
@blueprint.arguments(RolesBody)
@blueprint.response(200, MembershipSchema, headers={"ETag": "ETag"})
def change_roles(body: JSON, club: str, membership: str) -> Response:
    """Give a person other roles, and say as which member he plays; with none he leaves."""
    roles = tuple(dict.fromkeys(body["roles"]))
    done = admission.change_roles(edge.desk(), membership, roles, body["member"])
    return _answer(club, done)


@blueprint.route("/clubs/<id:club>/memberships/<id:membership>/revoke", methods=["POST"])
@writes(Revoke, version="optional")
@blueprint.arguments(Body)
@blueprint.response(200, MembershipSchema, headers={"ETag": "ETag"})
def revoke_invitation(body: JSON, club: str, membership: str) -> Response:
    """Take an invitation back, so that nobody can accept it."""
    return _answer(club, admission.revoke_invitation(edge.desk(), membership))


@blueprint.route("/clubs/<id:club>/memberships/<id:membership>/links", methods=["POST"])
@writes(IssueLink, version="optional")
@blueprint.arguments(Body)
@blueprint.response(201, LinkSchema)
def issue_link(body: JSON, club: str, membership: str) -> Response:
    """Make a link by which the person signs in to this club, once and within a day."""
    made = admission.issue_link(edge.desk(), membership)
    with edge.ledger().database.read() as connection:
        link = people.find_link(connection, made.id)
    assert link is not None
    told = {
        "object": "link",
        "id": link.link,
        "created_at": time_text(link.created_at),
        "membership": membership,
        "expires_at": time_text(link.expires_at),
        "token": made.token,
    }
    return answer(told, 201, replayed=made.token is None)


def _answer(club: str, done: Done) -> Response:
    """The answer to a write: the membership as it was after that."""
    membership = done.stream.removeprefix("membership/")
    with edge.ledger().database.read() as connection:
        told = as_of(connection, club, membership, done.version)
    return tagged(answer(told, replayed=done.replayed), done.version)


def as_of(connection: Connection, club: str, membership: str, version: int) -> JSON:
    """A membership at a version of its stream, whatever has become of it since."""
    row = _find(connection, club, membership)
    events = store.read_stream(connection, club, f"membership/{membership}", upto=version)
    then = fold(sight.whole(events))
    assert then is not None
    revoked_at = row.revoked_at if then.revoked else None
    known = {"roles": ",".join(then.roles), "member": then.member, "person": then.person}
    seen = replace(row, **known, revoked_at=revoked_at)
    return _told(connection, [seen], events[-1].recorded_at)[0]


def _find(connection: Connection, club: str, membership: str) -> MembershipRow:
    row = people.find_membership(connection, membership)
    if row is None or row.club != club:
        raise Refused("membership_unknown")
    return row


def _told(connection: Connection, rows: list[MembershipRow], now: int) -> list[JSON]:
    """Memberships with the names of the people who accepted them."""
    persons = [row.person for row in rows if row.person is not None]
    names = people.find_names(connection, persons)
    return [
        {
            "object": "membership",
            "id": row.membership,
            "created_at": time_text(row.created_at),
            "club": row.club,
            "state": _state(row, now),
            "label": row.label,
            "roles": list(row.role_names),
            "member": row.member,
            "person": row.person,
            "name": names.get(row.person or ""),
            "expires_at": None if row.person else time_or_none(row.expires_at),
        }
        for row in rows
    ]


def _state(row: MembershipRow, now: int) -> str:
    if row.person is not None:
        return "active" if row.roles else "left"
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at <= now else "invited"

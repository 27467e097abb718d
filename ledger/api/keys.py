"""API keys of a club: made and revoked by its owner, their secret shown once."""

from __future__ import annotations

import marshmallow
from flask import Response
from marshmallow import fields
from msgspec.structs import replace

from ledger import access, acts
from ledger.access import READERS, KeyRow
from ledger.api import edge
from ledger.api.answers import JSON, PageQuery, answer, list_of, paged, time_or_none, time_text
from ledger.api.fields import Body, each, matching, moment, text
from ledger.refusal import Refused
from ledger.streams.club import ROLES

blueprint = edge.Blueprint("keys", "API keys of a club.")
MEMBER = "mem_[0-9a-z]{1,40}|M-[0-9]{1,12}"


class IssueKeyBody(Body):
    """A key to make: its roles, what it is for, and whose it is if it is a member's."""

    roles = each(text(1, 20), 1, len(ROLES), required=True)
    label = text(1, acts.LONGEST_NAME, required=True)
    member = matching(MEMBER, "member_form", load_default=None, allow_none=True)
    expires_at = moment(load_default=None, allow_none=True)


class KeySchema(marshmallow.Schema):
    """A key, without its secret."""

    object = fields.Constant("key")
    id = fields.String()
    created_at = fields.DateTime()
    roles = fields.List(fields.String())
    label = fields.String()
    member = fields.String(allow_none=True)
    expires_at = fields.DateTime(allow_none=True)
    revoked_at = fields.DateTime(allow_none=True)


class NewKeySchema(KeySchema):
    """A key just made. Its token is shown here and never again; a retry shows null."""

    token = fields.String(allow_none=True)


KeyList = list_of(KeySchema, "KeyList")


@blueprint.route("/clubs/<id:club>/keys", methods=["POST"])
@edge.writes
@blueprint.arguments(IssueKeyBody)
@blueprint.response(201, NewKeySchema)
def issue_key(body: JSON, club: str) -> Response:
    """Make a key. Keep its token: it is shown in this answer alone."""
    roles = tuple(dict.fromkeys(body.pop("roles")))
    made = acts.issue_key(edge.desk(), roles, **body)
    row = replace(_key(club, made.key), revoked_at=None)
    replayed = made.token is None
    return answer({**_told(row), "token": made.token}, 201, replayed=replayed)


@blueprint.route("/clubs/<id:club>/keys")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, KeyList)
def list_keys(query: JSON, club: str) -> Response:
    """The keys of the club, in the order of their making."""
    edge.require(*READERS)
    with edge.ledger().database.read() as connection:
        rows = access.club_keys(connection, club)
    return paged([_told(row) for row in rows], query)


@blueprint.route("/clubs/<id:club>/keys/<id:key>/revoke", methods=["POST"])
@edge.writes
@blueprint.arguments(Body)
@blueprint.response(200, KeySchema)
def revoke_key(body: JSON, club: str, key: str) -> Response:
    """Make a key useless for ever."""
    done = acts.revoke_key(edge.desk(), key)
    return answer(_told(_key(club, key)), replayed=done.replayed)


def _key(club: str, key: str) -> KeyRow:
    with edge.ledger().database.read() as connection:
        row = access.find_key(connection, key)
    if row is None or row.club != club:
        raise Refused("key_unknown", key=key)
    return row


def _told(row: KeyRow) -> JSON:
    return {
        "object": "key",
        "id": row.key,
        "created_at": time_text(row.created_at),
        "roles": row.roles.split(","),
        "label": row.label,
        "member": row.member,
        "expires_at": time_or_none(row.expires_at),
        "revoked_at": time_or_none(row.revoked_at),
    }

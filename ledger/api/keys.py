"""API keys of a club: made and revoked by its owner, their secret shown once."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from msgspec.structs import replace

from ledger import access, acts
from ledger.access import OVERSEERS, KeyRow
from ledger.api import edge, shown
from ledger.api.answers import (
    JSON,
    PageQuery,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    time_or_none,
)
from ledger.api.fields import Body, each, matching, moment, role, text
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.refusal import Refused
from ledger.streams.club import IssueKey, RevokeKey
from ledger.streams.roles import ROLES
from ledger.telling import time_text

blueprint = edge.Blueprint("keys", "API keys of a club.")
MEMBER = "mem_[0-9a-z]{1,40}|M-[0-9]{1,12}"


class IssueKeyBody(Body):
    """A key to make: its roles, what it is for, and whose it is if it is a member's."""

    roles = each(role(*ROLES), 1, len(ROLES), required=True)
    label = text(1, LONGEST_NAME, required=True)
    member = matching(MEMBER, "member_form", load_default=None, allow_none=True)
    expires_at = moment(load_default=None, allow_none=True)


class KeySchema(Shown):
    """A key, without its secret."""

    object = shown.the("key")
    id = shown.id_of("key")
    created_at = fields.DateTime()
    roles = fields.List(shown.one_of(*ROLES))
    label = fields.String()
    member = shown.id_of("mem", allow_none=True)
    expires_at = fields.DateTime(allow_none=True)
    revoked_at = fields.DateTime(allow_none=True)
    last_used_at = fields.DateTime(allow_none=True)


class NewKeySchema(KeySchema):
    """A key just made. Its token is shown here and never again; a retry shows null."""

    token = shown.shaped("pz_[0-9a-z]+_[0-9a-f]{64}", allow_none=True)


KeyList = list_of(KeySchema, "KeyList")


@blueprint.route("/clubs/<id:club>/keys", methods=["POST"])
@writes(IssueKey)
@blueprint.arguments(IssueKeyBody)
@blueprint.response(201, NewKeySchema)
def issue_key(body: JSON, club: str) -> Response:
    """Make a key. Keep its token: it is shown in this answer alone."""
    roles = tuple(dict.fromkeys(body.pop("roles")))
    made = acts.issue_key(edge.desk(), roles, **body)
    row = replace(_key(club, made.key), revoked_at=None)
    replayed = made.token is None
    return answer({**_told(row, None), "token": made.token}, 201, replayed=replayed)


@blueprint.route("/clubs/<id:club>/keys")
@edge.open_to(*OVERSEERS)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, KeyList)
def list_keys(query: JSON, club: str) -> Response:
    """The keys of the club, in the order of their making."""
    with edge.ledger().database.read() as connection:
        rows, more = access.club_keys(connection, club, page_of(query))
        used = access.last_uses(connection, [row.key for row in rows])
    told = [_told(row, used.get(row.key)) for row in rows]
    return page_answer(told, more, query)


@blueprint.route("/clubs/<id:club>/keys/<id:key>/revoke", methods=["POST"])
@writes(RevokeKey)
@blueprint.arguments(Body)
@blueprint.response(200, KeySchema)
def revoke_key(body: JSON, club: str, key: str) -> Response:
    """Make a key useless for ever."""
    done = acts.revoke_key(edge.desk(), key)
    row = _key(club, key)
    with edge.ledger().database.read() as connection:
        used = access.last_use(connection, key) or None
    return answer(_told(row, used), replayed=done.replayed)


def _key(club: str, key: str) -> KeyRow:
    with edge.ledger().database.read() as connection:
        row = access.find_key(connection, key)
    if row is None or row.club != club:
        raise Refused("key_unknown", key=key)
    return row


def _told(row: KeyRow, used: int | None) -> JSON:
    return {
        "object": "key",
        "id": row.key,
        "created_at": time_text(row.created_at),
        "roles": row.roles.split(","),
        "label": row.label,
        "member": row.member,
        "expires_at": time_or_none(row.expires_at),
        "revoked_at": time_or_none(row.revoked_at),
        "last_used_at": time_or_none(used),
    }

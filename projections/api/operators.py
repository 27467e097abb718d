"""The operator log 操作日志 of a club: who did what, in which role, from where, and why."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access, people
from ledger.access import OVERSEERS, Origin
from ledger.api import edge
from ledger.api.answers import JSON, Shown, list_of, page_answer, page_of, time_text
from ledger.api.facts import ACTORS
from ledger.api.fields import matching, word
from ledger.api.shown import one_of, shaped, the, within
from projections.api.lookup import ListQuery, reading
from projections.operator_log import ACTS, OPERATOR_LOG, ActRow, club_acts

blueprint = edge.Blueprint("operators", "The operator log: who did what in a club.")

NOWHERE = Origin("")
LINE = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}
"""A line of what was given, or a vote."""
FACTS = {
    "additionalProperties": {
        "anyOf": [
            {"type": ["string", "integer", "boolean", "null"]},
            {"type": "array", "items": {"anyOf": [{"type": ["string", "integer"]}, LINE]}},
        ]
    }
}
"""The fields of an event, by their names."""


ACTOR = "(key|per)_[0-9a-z]{1,40}|operator"
TARGET = "(club|key|mem|mbs|tbl|alw|dsp)_[0-9a-z]{1,40}(-[1-9][0-9]*)?"


class ActsQuery(ListQuery):
    """Which acts: somebody's, in a role, of a kind, on something."""

    actor = matching(ACTOR, "actor_form")
    role = word(*ACTORS)
    act = word(*ACTS.values())
    target = matching(TARGET, "target_form")


class ActSchema(Shown):
    """What somebody did. `before` and `after` tell what it changed, in the words of its event.

    An act that came over no request has no address, device and request id.
    """

    object = the("act")
    id = shaped("act_[1-9][0-9]*")
    created_at = fields.DateTime()
    actor = fields.String()
    name = fields.String(allow_none=True)
    role = one_of(*ACTORS)
    act = one_of(*ACTS.values())
    target = fields.String()
    target_name = fields.String(allow_none=True)
    before = fields.Dict(metadata=FACTS, allow_none=True)
    after = fields.Dict(metadata=FACTS, allow_none=True)
    reason = fields.String(allow_none=True)
    address = fields.String(allow_none=True)
    device = fields.String(allow_none=True)
    request_id = fields.String(allow_none=True)
    position = within(1)


ActList = list_of(ActSchema, "ActList")


@blueprint.route("/clubs/<id:club>/operator_log")
@edge.open_to(*OVERSEERS)
@blueprint.arguments(ActsQuery, location="query")
@blueprint.response(200, ActList)
def list_acts(query: JSON, club: str) -> Response:
    """What was done in the club by those who run it, the newest first."""
    wanted = {name: query.get(name) for name in ("actor", "role", "act", "target")}
    with reading(OPERATOR_LOG, club, query) as connection:
        rows, more = club_acts(connection, club, page_of(query), **wanted)
        told = _told(connection, club, rows)
    return page_answer(told, more, query)


def _told(connection: Connection, club: str, rows: list[ActRow]) -> list[JSON]:
    """Acts with the names, the reasons and the origins that stand outside of events."""
    actors = sorted({row.actor for row in rows})
    names = {**access.key_labels(connection, actors), **people.find_names(connection, actors)}
    targets = _names_of_targets(connection, club, [row.target for row in rows])
    origins = access.find_origins(connection, club, [row.position for row in rows])
    return [
        {
            "object": "act",
            "id": row.id,
            "created_at": time_text(row.at),
            "actor": row.actor,
            "name": names.get(row.actor),
            "role": row.role,
            "act": row.act,
            "target": row.target,
            "target_name": targets.get(row.target),
            "before": _in_words(row.before),
            "after": _in_words(row.after),
            "reason": row.note and access.find_text(connection, club, row.note),
            **_origin(origins.get(row.position, NOWHERE)),
            "position": row.position,
        }
        for row in rows
    ]


def _names_of_targets(connection: Connection, club: str, targets: list[str]) -> dict[str, str]:
    """What keys, memberships and members are called in the club; tables have no name."""
    members = access.find_members(connection, club, tuple(targets))
    return {
        **access.key_labels(connection, targets),
        **people.membership_labels(connection, targets),
        **{target: f"{row.code} {row.name}" for target, row in members.items()},
    }


def _in_words(told: JSON | None) -> JSON | None:
    """What an event says, its time as text."""
    if told is None or told.get("expires_at") is None:
        return told
    return {**told, "expires_at": time_text(told["expires_at"])}


def _origin(origin: Origin) -> JSON:
    return {
        "address": origin.address,
        "device": origin.device,
        "request_id": origin.request_id or None,
    }

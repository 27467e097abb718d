"""The operator log 操作日志 of a club: who did what, in which role, from where, and why."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger.access import OVERSEERS
from ledger.api import edge
from ledger.api.answers import JSON, Shown, list_of, page_answer, page_of
from ledger.api.facts import ACTORS
from ledger.api.fields import matching, word
from ledger.api.shown import one_of, shaped, the, within
from ledger.telling import time_text
from projections.api.lookup import ListQuery, reading
from projections.operator_log import ACTS, OPERATOR_LOG, club_acts
from projections.operator_names import NamedAct, named

blueprint = edge.Blueprint("operators", "The operator log: who did what in a club.")

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
        told = [_told(act) for act in named(connection, club, rows)]
    return page_answer(told, more, query)


def _told(act: NamedAct) -> JSON:
    row, origin = act.row, act.origin
    return {
        "object": "act",
        "id": row.id,
        "created_at": time_text(row.at),
        "actor": row.actor,
        "name": act.name,
        "role": row.role,
        "act": row.act,
        "target": row.target,
        "target_name": act.target_name,
        "before": act.before,
        "after": act.after,
        "reason": act.reason,
        "address": origin.address,
        "device": origin.device,
        "request_id": origin.request_id or None,
        "position": row.position,
    }

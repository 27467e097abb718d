"""A hand 一局 at any step, as the caller may see it, with its outcome and its settlement."""

from __future__ import annotations

from typing import Any

import marshmallow
import msgspec
from flask import Response
from marshmallow import fields

from ledger.api import edge, events
from ledger.api.answers import JSON, answer, keepable, tagged, time_text
from ledger.api.fields import Body, digits
from ledger.api.rulesets import OutcomeBody, SettlementSchema
from ledger.api.tables import ChoiceSchema
from ledger.events import HandSettled
from ledger.refusal import Refused
from ledger.view import state_view
from projections.replay import Replay, hand_at

blueprint = edge.Blueprint("replays", "A hand at any step, its outcome and its settlement.")

FOR_EVER = "private, max-age=31536000, immutable"


class StepQuery(Body):
    """After how many of its events a hand is shown; without one as it is now."""

    step = digits(1, load_default=None)


class HandSettlementSchema(SettlementSchema):
    """The settlement of a hand that was recorded; seats are members."""

    object = fields.Constant("settlement")
    id = fields.String()
    table = fields.String()
    number = fields.Integer()
    ruleset = fields.String()
    seats = fields.List(fields.String())
    end = fields.String()
    ended_at = fields.DateTime()
    ended_position = fields.Integer()
    effective_date = fields.Date()
    booked_date = fields.Date()


class HandSchema(marshmallow.Schema):
    """A hand at a step, which counts its events.

    `events` are all that there are now, as the caller may see them. `legal_actions` has an
    entry per seat, null for a seat that the caller does not see.
    """

    object = fields.Constant("hand")
    id = fields.String()
    created_at = fields.DateTime()
    club = fields.String()
    table = fields.String()
    number = fields.Integer()
    seats = fields.List(fields.String())
    step = fields.Integer()
    steps = fields.Integer()
    state = fields.Dict()
    legal_actions = fields.List(fields.List(fields.Nested(ChoiceSchema), allow_none=True))
    events = fields.List(fields.Nested(events.EventSchema))
    outcome = fields.Nested(OutcomeBody, allow_none=True)
    settlement = fields.Nested(HandSettlementSchema, allow_none=True)
    position = fields.Integer()


@blueprint.route("/tables/<id:table>/hands/<int:number>")
@blueprint.arguments(StepQuery, location="query")
@blueprint.response(200, HandSchema)
def get_hand(query: JSON, table: str, number: int) -> Response:
    """A hand after some of its events; while it runs, as its seats may see it."""
    replay = _replay(table, number, query["step"])
    response = answer(_told(replay))
    over = replay.outcome is not None
    return tagged(keepable(response) if over else response, replay.position)


@blueprint.route("/tables/<id:table>/hands/<int:number>/outcome")
@blueprint.response(200, OutcomeBody)
def get_outcome(table: str, number: int) -> Response:
    """The outcome of a hand that has ended, in the form that can be scored again."""
    replay = _replay(table, number)
    if replay.outcome is None:
        raise Refused("hand_running", hand=number)
    response = answer(msgspec.to_builtins(replay.outcome))
    response.headers["Cache-Control"] = FOR_EVER
    return response


@blueprint.route("/tables/<id:table>/hands/<int:number>/settlement")
@blueprint.response(200, HandSettlementSchema)
def get_settlement(table: str, number: int) -> Response:
    """Who pays whom for a hand, line by line, with the paragraphs of the rules."""
    replay = _replay(table, number)
    if replay.outcome is None:
        raise Refused("hand_running", hand=number)
    if replay.settled is None:
        raise Refused("settlement_pending", hand=number)
    return tagged(keepable(answer(_settlement(replay.settled))), replay.position)


def _replay(table: str, number: int, step: int | None = None) -> Replay:
    with edge.ledger().database.read() as connection:
        return hand_at(connection, edge.caller(), table, number, step)


def _told(replay: Replay) -> JSON:
    return {
        "object": "hand",
        "id": f"{replay.table}-{replay.number}",
        "created_at": time_text(replay.events[0].stored.recorded_at),
        "club": replay.club,
        "table": replay.table,
        "number": replay.number,
        "seats": replay.seats,
        "step": replay.step,
        "steps": len(replay.events),
        "state": state_view(replay.state),
        "legal_actions": msgspec.to_builtins(replay.legal),
        "events": [events.told(seen) for seen in replay.events],
        "outcome": msgspec.to_builtins(replay.outcome),
        "settlement": None if replay.settled is None else _settlement(replay.settled),
        "position": replay.position,
    }


def _settlement(settled: HandSettled) -> JSON:
    told: dict[str, Any] = msgspec.to_builtins(settled)
    named = {"object": "settlement", "id": f"{settled.table}-{settled.number}"}
    return {**named, **told, "ended_at": time_text(settled.ended_at)}

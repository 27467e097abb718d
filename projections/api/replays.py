"""A hand 一局 at any step, as the caller may see it, with its outcome and its settlement."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import disputing, sight
from ledger.api import edge, shown, states
from ledger.api.answers import JSON, Shown, answer, keepable, tagged
from ledger.api.facts import EventSchema
from ledger.api.fields import Query, QueryInvalid, digits, switch
from ledger.api.rulesets import OutcomeBody, SettlementSchema
from ledger.api.states import HandStateSchema
from ledger.events import HandCorrected, HandSettled
from ledger.refusal import Refused
from ledger.telling import time_text
from ledger.view import state_view
from projections.replay import Booked, Replay, hand_at

blueprint = edge.Blueprint("replays", "A hand at any step, its outcome and its settlement.")

FOR_EVER = "private, max-age=31536000, immutable"


class StepQuery(Query):
    """After how many of its events a hand is shown; without one as it is now.

    With `events=false` its events are left out, which are most of the answer.
    """

    step = digits(1)
    events = switch(load_default=True)


class HandSettlementSchema(SettlementSchema):
    """The settlement of a hand that was recorded; seats are members.

    Where a dispute corrected it, it says by which, and the outcome that was amended, if one was.
    """

    object = shown.the("settlement")
    id = shown.hand_id()
    table = shown.id_of("tbl")
    number = shown.within(1)
    ruleset = fields.String()
    seats = shown.by_seat(shown.id_of("mem"))
    end = shown.one_of("win", "exhausted", "dissolved", "unknown")
    ended_at = fields.DateTime()
    ended_position = shown.within(1)
    effective_date = fields.Date()
    booked_date = fields.Date()
    revision = shown.within(1)
    dispute = shown.id_of("dsp", allow_none=True)
    outcome = fields.Nested(OutcomeBody, allow_none=True)


class UndoneSettlementSchema(HandSettlementSchema):
    """A settlement that stood once, and the dispute that reversed it."""

    undone_by = shown.id_of("dsp")


class HandSchema(Shown):
    """A hand at a step, which counts its events.

    `events` are all that there are now, as the caller may see them. `legal_actions` has an
    entry per seat, null for a seat that the caller does not see.
    """

    object = shown.the("hand")
    id = shown.hand_id()
    created_at = fields.DateTime()
    club = shown.id_of("club")
    table = shown.id_of("tbl")
    number = shown.within(1)
    seats = shown.by_seat(shown.id_of("mem"))
    step = shown.within(1)
    steps = shown.within(1)
    state = fields.Nested(HandStateSchema)
    legal_actions = states.legal_actions()
    events = fields.List(fields.Nested(EventSchema), metadata={"optional": True})
    outcome = fields.Nested(OutcomeBody, allow_none=True)
    settlement = fields.Nested(HandSettlementSchema, allow_none=True)
    undone = fields.List(fields.Nested(UndoneSettlementSchema))
    revision = shown.within(1, allow_none=True)
    disputed = fields.Boolean()
    position = shown.within(1)


@blueprint.route("/tables/<id:table>/hands/<number:number>")
@blueprint.arguments(StepQuery, location="query")
@blueprint.response(200, HandSchema, headers={"ETag": "ETag"})
@blueprint.alt_response(403, "FORBIDDEN")
def get_hand(query: JSON, table: str, number: int) -> Response:
    """A hand after some of its events; while it runs, as its seats may see it."""
    with edge.ledger().database.read() as connection:
        replay = _replay(connection, table, number, query.get("step"))
        doubted = disputing.doubted_since(connection, replay.club, table, number)
    told = _told(replay, disputed=doubted is not None)
    if query["events"]:
        told["events"] = [sight.told(seen) for seen in replay.events]
    response = answer(told)
    over = replay.end is not None
    return tagged(keepable(response) if over else response, doubted or replay.position)


@blueprint.route("/tables/<id:table>/hands/<number:number>/outcome")
@blueprint.response(200, OutcomeBody)
@blueprint.alt_response(403, "FORBIDDEN")
@blueprint.alt_response(409, "CONFLICT")
def get_outcome(table: str, number: int) -> Response:
    """The outcome of a hand that has ended, in the form that can be scored again."""
    replay = _scored(table, number)
    if replay.outcome is None:
        raise Refused("outcome_unknown", hand=number)
    response = answer(msgspec.to_builtins(replay.outcome))
    response.headers["Cache-Control"] = FOR_EVER
    return response


@blueprint.route("/tables/<id:table>/hands/<number:number>/settlement")
@blueprint.response(200, HandSettlementSchema, headers={"ETag": "ETag"})
@blueprint.alt_response(403, "FORBIDDEN")
@blueprint.alt_response(409, "CONFLICT")
def get_settlement(table: str, number: int) -> Response:
    """Who pays whom for a hand, line by line, with the paragraphs of the rules."""
    replay = _scored(table, number)
    if replay.stands is None:
        raise Refused("hand_voided" if replay.booked else "settlement_pending", hand=number)
    told = _settlement(replay, replay.stands)
    return tagged(keepable(answer(told)), replay.position)


def _scored(table: str, number: int) -> Replay:
    """A hand that has ended and was not voided while it ran."""
    with edge.ledger().database.read() as connection:
        replay = _replay(connection, table, number)
    if replay.end is None:
        raise Refused("hand_running", hand=number)
    if replay.end == "void":
        raise Refused("hand_voided", hand=number)
    return replay


def _replay(connection: Connection, table: str, number: int, step: int | None = None) -> Replay:
    try:
        return hand_at(connection, edge.caller(), table, number, step)
    except Refused as refusal:
        if refusal.pointer != "/step":
            raise
        high = refusal.params["high"]
        raise QueryInvalid({"step": [f"field_range low=1 high={high}"]}) from None


def _told(replay: Replay, *, disputed: bool) -> JSON:
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
        "outcome": msgspec.to_builtins(replay.outcome),
        "settlement": None if replay.stands is None else _settlement(replay, replay.stands),
        "undone": [
            {**_settlement(replay, one), "undone_by": one.undone_by} for one in replay.undone
        ],
        "revision": replay.revision or None,
        "disputed": disputed,
        "position": replay.position,
    }


def _settlement(replay: Replay, booked: Booked) -> JSON:
    """What was booked at a revision of a hand, which ended where its first settlement says."""
    told: dict[str, Any] = msgspec.to_builtins(booked.fact)
    first, corrected = replay.booked[0].fact, isinstance(booked.fact, HandCorrected)
    assert isinstance(first, HandSettled)
    return {
        "object": "settlement",
        "id": f"{replay.table}-{replay.number}",
        **told,
        "ended_at": time_text(booked.fact.ended_at),
        "ended_position": first.ended_position,
        "revision": booked.revision,
        "dispute": told["dispute"] if corrected else None,
        "outcome": told["outcome"] if corrected else None,
    }

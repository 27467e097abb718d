"""What somebody should look after: matches that were dissolved 解散记录, hands that stand still."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger.access import READERS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, list_of, page_answer, page_of
from ledger.api.fields import day, text
from ledger.telling import time_text
from projections.api.lookup import ListQuery, reading
from projections.api.ranked import FIRST, LAST, span_of
from projections.dissolutions import DISSOLUTIONS, Dissolution, club_dissolutions
from projections.idle import IDLE, IdleHand, idle_hands

blueprint = edge.Blueprint("watching", "Matches that were dissolved, hands that stand still.")


class DissolutionsQuery(ListQuery):
    """Which dissolutions: of some days, as a member wished them."""

    first = day(metadata=FIRST)
    last = day(metadata=LAST)
    member = text(1, 64)


class SaidSchema(Shown):
    """What a member said to the wish to dissolve, and after how many seconds."""

    member = shown.id_of("mem")
    answer = shown.one_of("agreed", "refused", "silent")
    seconds = shown.within(0)


class RequesterSchema(Shown):
    """Who wished to dissolve, how he stood, and how often it went as he wished in that month."""

    member = shown.id_of("mem")
    points = fields.Integer()
    month = shown.shaped("[0-9]{4}-[0-9]{2}")
    tables = shown.within(0)
    asked = shown.within(0)
    asked_behind = shown.within(0)


class DissolutionSchema(Shown):
    """A wish to dissolve a match; without a requester it was ended by those who run it."""

    object = shown.the("dissolution")
    id = shown.shaped("dis_[1-9][0-9]*")
    created_at = fields.DateTime()
    table = shown.id_of("tbl")
    ruleset = fields.String()
    business_date = fields.Date()
    seats = shown.by_seat(shown.id_of("mem"))
    scores = shown.by_seat(fields.Integer())
    requester = fields.Nested(RequesterSchema, allow_none=True)
    votes = fields.List(fields.Nested(SaidSchema))
    dissolved = fields.Boolean()
    position = shown.within(1)


DissolutionList = list_of(DissolutionSchema, "DissolutionList")


class IdleHandSchema(Shown):
    """A hand that runs, and in which nothing happened for half an hour or more."""

    object = shown.the("idle_hand")
    id = shown.hand_id()
    created_at = fields.DateTime()
    table = shown.id_of("tbl")
    number = shown.within(1)
    ruleset = fields.String()
    seats = shown.by_seat(shown.id_of("mem"))
    recorder = shown.id_of("key")
    started_at = fields.DateTime()
    last_event_at = fields.DateTime()
    last_position = shown.within(1)


IdleHandList = list_of(IdleHandSchema, "IdleHandList")


@blueprint.route("/clubs/<id:club>/dissolutions")
@edge.open_to(*READERS)
@blueprint.arguments(DissolutionsQuery, location="query")
@blueprint.response(200, DissolutionList)
def list_dissolutions(query: JSON, club: str) -> Response:
    """Who wished to end a match early, who agreed, and how the points stood; the newest first."""
    span = span_of(query)
    with reading(DISSOLUTIONS, club, query) as connection:
        member = query.get("member")
        if member is not None:
            member = edge.member_id(connection, club, member)
        rows, more = club_dissolutions(connection, club, page_of(query), span, member=member)
    return page_answer([_dissolution(row) for row in rows], more, query)


@blueprint.route("/clubs/<id:club>/idle_hands")
@edge.open_to(*READERS)
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, IdleHandList)
def list_idle_hands(query: JSON, club: str) -> Response:
    """The hands that run and saw no event for half an hour; the one started first comes first."""
    with reading(IDLE, club, query) as connection:
        rows, more = idle_hands(connection, club, edge.ledger().clock(), page_of(query))
    return page_answer([_idle(row) for row in rows], more, query)


def _dissolution(row: Dissolution) -> JSON:
    return {
        "object": "dissolution",
        "id": row.id,
        "created_at": time_text(row.at),
        "table": row.table,
        "ruleset": row.ruleset,
        "business_date": row.day,
        "seats": row.seats,
        "scores": row.scores,
        "requester": None if row.requester is None else _requester(row),
        "votes": row.votes,
        "dissolved": row.is_dissolved,
        "position": row.position,
    }


def _requester(row: Dissolution) -> JSON:
    return {
        "member": row.requester,
        "points": row.points,
        "month": row.month,
        "tables": row.tables,
        "asked": row.asked,
        "asked_behind": row.asked_behind,
    }


def _idle(row: IdleHand) -> JSON:
    return {
        "object": "idle_hand",
        "id": row.id,
        "created_at": time_text(row.started_at),
        "table": row.table,
        "number": row.number,
        "ruleset": row.ruleset,
        "seats": row.seats,
        "recorder": row.recorder,
        "started_at": time_text(row.started_at),
        "last_event_at": time_text(row.last_at),
        "last_position": row.last_position,
    }

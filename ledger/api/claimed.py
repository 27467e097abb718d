"""Claimed and computed 主张与计算: what is claimed of a hand beside what the rules make of it."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger import booked, disputing, sight, texts
from ledger.api import edge, problem, shown
from ledger.api.answers import JSON, Shown, answer
from ledger.api.disputes import ClaimBody, claim_of, here
from ledger.api.rulesets import NotCountedSchema, PaymentSchema
from ledger.api.writing import settles
from ledger.claims import Comparison, Line
from ledger.refusal import Refused

blueprint = edge.Blueprint("claims", "What is claimed of a hand, beside what the rules make of it.")


class ComparedLineSchema(Shown):
    """A payment as it is computed and as it is claimed; null is none."""

    computed = fields.Nested(PaymentSchema, allow_none=True)
    claimed = fields.Nested(PaymentSchema, allow_none=True)
    differs = fields.Boolean()


class DifferenceSchema(Shown):
    """Where a claim first parts from what is computed, and the paragraph that decides it.

    Of points alone the line is null: there is a seat, and what explains it all, if one thing does.
    """

    line = shown.within(0, allow_none=True)
    seat = shown.seat(allow_none=True)
    rule = fields.String(allow_none=True)
    not_counted = fields.Nested(NotCountedSchema, allow_none=True)
    missing = fields.List(fields.Nested(PaymentSchema))


class ImpossibleSchema(Shown):
    """Why an outcome that is claimed cannot be."""

    code = shown.shaped("[a-z_]+")
    title = fields.String()
    detail = fields.String()
    rule = fields.String(allow_none=True)
    pointer = fields.String()


class ComparisonSchema(Shown):
    """A claim beside what the rules compute of the hand as it was recorded.

    `claimed` is null for an outcome that cannot be. `stands` are the points that are booked,
    `moves` what a ruling for the claim would move.
    """

    object = shown.the("comparison")
    hand = shown.hand_id()
    seats = shown.by_seat(shown.id_of("mem"))
    revision = shown.within(1)
    stands = shown.by_seat(fields.Integer())
    computed = shown.by_seat(fields.Integer())
    claimed = shown.by_seat(fields.Integer(), allow_none=True)
    lines = fields.List(fields.Nested(ComparedLineSchema))
    difference = fields.Nested(DifferenceSchema, allow_none=True)
    not_counted = fields.List(fields.Nested(NotCountedSchema))
    refusal = fields.Nested(ImpossibleSchema, allow_none=True)
    after = shown.by_seat(fields.Integer())
    moves = shown.within(0)
    takes_two = fields.Boolean()


@blueprint.route("/tables/<id:table>/hands/<number:number>/claims", methods=["POST"])
@settles
@blueprint.arguments(ClaimBody)
@blueprint.response(200, ComparisonSchema)
@blueprint.alt_response(403, "FORBIDDEN")
@blueprint.alt_response(409, "CONFLICT")
def compare_claim(body: JSON, table: str, number: int) -> Response:
    """Show where a claim parts from what the rules compute, and what it would move.

    Whoever may see the hand may ask; nothing is written.
    """
    _check_business(table, number)
    claim = claim_of(body, table)
    if claim.totals is not None and claim.outcome is not None:
        raise Refused("claim_form")
    if claim.totals is None and claim.outcome is None:
        raise Refused("claim_empty")
    found = disputing.preview(here(), table, number, claim)
    compared = found.comparison
    return answer(
        {
            "object": "comparison",
            "hand": f"{table}-{number}",
            "seats": found.seats,
            "revision": found.revision,
            "stands": found.before,
            "computed": compared.computed,
            "claimed": compared.claimed,
            "lines": [_line(line) for line in compared.lines],
            "difference": _difference(compared),
            "not_counted": found.not_counted,
            "refusal": found.refusal and _impossible(found.refusal),
            "after": found.after,
            "moves": found.moves,
            "takes_two": found.takes_two,
        }
    )


def _check_business(table: str, number: int) -> None:
    """Refuse a hand that is no business of the caller's (`table_not_yours`)."""
    with edge.ledger().database.read() as connection:
        _, opened = sight.opening(connection, edge.club(), table)
        seats, recorder = opened.seats, opened.recorder
        if not sight.may_see_table(edge.caller(), seats, recorder):
            seats = booked.find(connection, edge.club(), table, number).money.seats
    if not sight.may_see_table(edge.caller(), seats, recorder):
        raise Refused("table_not_yours")


def _line(line: Line) -> JSON:
    return {"computed": line.computed, "claimed": line.claimed, "differs": line.differs}


def _difference(compared: Comparison) -> JSON | None:
    """Where the two part; null where they do not, and where the claim cannot be."""
    if compared.refusal is not None or (compared.first is None and compared.seat is None):
        return None
    first = compared.first
    return {
        "line": None if first is None else compared.lines.index(first),
        "seat": compared.seat,
        "rule": compared.rule,
        "not_counted": compared.void,
        "missing": compared.missing,
    }


def _impossible(refusal: Refused) -> JSON:
    language = problem.language()
    return {
        "code": refusal.code,
        "title": texts.title(refusal, language),
        "detail": texts.sentence(refusal, language),
        "rule": refusal.rule,
        "pointer": refusal.pointer,
    }

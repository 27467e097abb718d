"""Rulesets: what may be played, with which options; and scoring without recording."""

from __future__ import annotations

from typing import Any

import marshmallow
from flask import Response
from marshmallow import fields

from ledger.api import edge
from ledger.api.answers import JSON, answer, list_of, listed
from ledger.api.fields import Body, each, flag, nested, options, text, tile, whole, word
from ledger.outcome import read_outcome
from ledger.refusal import Refused
from ledger.rules import catalog
from ledger.rules.catalog import CATALOG, Entry
from ledger.rules.options import OptionInfo, describe_options

blueprint = edge.Blueprint("rulesets", "Rulesets: their options, their patterns, their scoring.")

RIVER = 120
"""The letters that all discards of one seat can take."""


class MeldBody(Body):
    """A pung or a kong; an added kong's `from` is who fed the pung."""

    class Meta:
        """`from` is a word of Python's."""

        include = {"from": whole(0, 3, allow_none=True)}

    kind = word("pung", "kong", required=True)
    how = word("concealed", "exposed", "added", allow_none=True)
    tile = tile(required=True)
    late = flag()
    feeder_declared = flag()


class SeatBody(Body):
    """A seat at the end of the hand; the winning tile is not among its concealed tiles."""

    hand = text(0, 40, required=True)
    melds = each(nested(MeldBody), 0, 4)
    river = text(0, RIVER)
    declared = word("ready", "hard", "soft", "frozen", allow_none=True)
    bet = whole(0, 2)
    void_suit = word("m", "p", "s", allow_none=True)
    dealt = text(0, 40, allow_none=True)


class FirstChickenBody(Body):
    """A default chicken discarded first, and the seats that took it."""

    tile = tile(required=True)
    by = whole(0, 3, required=True)
    takers = each(whole(0, 3), 0, 3)


class WinBody(Body):
    """A win; `from` is the discarder or the robbed seat."""

    class Meta:
        """`from` is a word of Python's."""

        include = {"from": whole(0, 3, allow_none=True)}

    seat = whole(0, 3, required=True)
    tile = tile(required=True)
    how = word("self_draw", "discard", "rob_kong", required=True)
    first_turn = flag()


class AfterKongBody(Body):
    """The kong behind a win."""

    how = word("concealed", "exposed", "added", required=True)
    late = flag()
    touzi = flag()


class OutcomeBody(Body):
    """A finished hand. Missing fields have an ordinary hand's value."""

    ruleset = text(1, 40)
    options = options()
    dealer = whole(0, 3, required=True)
    streak = whole(1, 10_000)
    wilds = each(tile(), 0, 4)
    weekday = whole(1, 7, allow_none=True)
    seats = each(nested(SeatBody), 2, 4, required=True)
    first_chickens = each(nested(FirstChickenBody), 0, 2)
    end = word("win", "exhausted", "dissolved", required=True)
    wins = each(nested(WinBody), 0, 3)
    after_kong = nested(AfterKongBody, allow_none=True)
    flip = tile(allow_none=True)
    birds = each(tile(), 0, 136)


class PartSchema(marshmallow.Schema):
    """A term of a payment: points that add up, or a factor that multiplies."""

    name = fields.String()
    points = fields.Integer()
    factor = fields.Integer()


class PaymentSchema(marshmallow.Schema):
    """Points from a payer to a payee, with the reason and the paragraph behind them."""

    payer = fields.Integer()
    payee = fields.Integer()
    points = fields.Integer()
    reason = fields.String()
    parts = fields.List(fields.Nested(PartSchema))
    rule = fields.String()


class WinScoreSchema(marshmallow.Schema):
    """What a winner's hand was read as."""

    seat = fields.Integer()
    patterns = fields.List(fields.String())
    value = fields.Integer()


class NotCountedSchema(marshmallow.Schema):
    """What a player might expect and does not get."""

    seat = fields.Integer()
    what = fields.String()
    tile = fields.String(allow_none=True)
    why = fields.String()
    rule = fields.String()


class SettlementSchema(marshmallow.Schema):
    """Who pays whom; the totals by seat sum to zero."""

    totals = fields.List(fields.Integer())
    payments = fields.List(fields.Nested(PaymentSchema))
    wins = fields.List(fields.Nested(WinScoreSchema))
    not_counted = fields.List(fields.Nested(NotCountedSchema))


class LabelSchema(marshmallow.Schema):
    """A name in both languages."""

    en = fields.String()
    zh = fields.String()


class OptionSchema(marshmallow.Schema):
    """An option, as a form shows it; `needs` names what another option must be."""

    name = fields.String()
    label = fields.Nested(LabelSchema)
    kind = fields.String(validate=marshmallow.validate.OneOf(("flag", "number", "choice", "set")))
    default = fields.Raw()
    choices = fields.List(fields.Raw())
    minimum = fields.Integer(allow_none=True)
    maximum = fields.Integer(allow_none=True)
    house_rule = fields.Boolean()
    needs = fields.Dict(keys=fields.String())


class PatternSchema(marshmallow.Schema):
    """A pattern of winning hands."""

    name = fields.String()
    label = fields.Nested(LabelSchema)


class RulesetSchema(marshmallow.Schema):
    """A ruleset; its key holds its version."""

    object = fields.Constant("ruleset")
    id = fields.String()
    label = fields.Nested(LabelSchema)
    options = fields.List(fields.Nested(OptionSchema))
    patterns = fields.List(fields.Nested(PatternSchema))


RulesetList = list_of(RulesetSchema, "RulesetList")


@blueprint.route("/rulesets")
@blueprint.response(200, RulesetList)
def list_rulesets() -> Response:
    """The rulesets that may be played."""
    return listed([_ruleset(key, entry) for key, entry in CATALOG.items()], has_more=False)


@blueprint.route("/rulesets/<region>/<int:number>")
@blueprint.response(200, RulesetSchema)
def get_ruleset(region: str, number: int) -> Response:
    """A ruleset: its options and the names of its patterns."""
    key = f"{region}/{number}"
    return answer(_ruleset(key, catalog.entry(key)))


@blueprint.route("/rulesets/<region>/<int:number>/settle", methods=["POST"])
@blueprint.arguments(OutcomeBody)
@blueprint.response(200, SettlementSchema)
def settle(body: JSON, region: str, number: int) -> Response:
    """Score a finished hand; nothing is recorded."""
    key = f"{region}/{number}"
    catalog.entry(key)
    if body.get("ruleset", key) != key:
        raise Refused("ruleset_differs", pointer="/ruleset", ruleset=key)
    return answer(catalog.settle(read_outcome({**edge.body(), "ruleset": key})))


def _ruleset(key: str, entry: Entry) -> JSON:
    return {
        "object": "ruleset",
        "id": key,
        "label": {"en": entry.en, "zh": entry.zh},
        "options": [_option(info) for info in describe_options(entry.options)],
        "patterns": [
            {"name": name, "label": {"en": en, "zh": zh}}
            for name, (en, zh) in entry.patterns.items()
        ],
    }


def _option(info: OptionInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "label": {"en": info.en, "zh": info.zh},
        "kind": info.kind,
        "default": info.default,
        "choices": info.choices,
        "minimum": info.minimum,
        "maximum": info.maximum,
        "house_rule": info.house_rule,
        "needs": info.needs,
    }

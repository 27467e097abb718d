"""Rulesets: what may be played, with which options; and scoring without recording."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields

from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, answer, list_of, listed
from ledger.api.fields import (
    OPTION_VALUE,
    OPTIONS_FORM,
    Body,
    each,
    flag,
    nested,
    options,
    step,
    text,
    tile,
    whole,
    word,
)
from ledger.outcome import (
    LONGEST_HAND,
    LONGEST_RIVER,
    LONGEST_RULESET,
    MOST_BIRDS,
    MOST_STREAK,
    read_outcome,
)
from ledger.refusal import Refused
from ledger.rules import catalog
from ledger.rules.catalog import CATALOG, Entry
from ledger.rules.options import GROUPS, OptionInfo, describe_options

blueprint = edge.Blueprint("rulesets", "Rulesets: their options, their patterns, their scoring.")


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

    hand = text(0, LONGEST_HAND, required=True)
    melds = each(nested(MeldBody), 0, 4)
    river = text(0, LONGEST_RIVER)
    declared = word("ready", "hard", "soft", "frozen", allow_none=True)
    bet = whole(0, 2)
    void_suit = word("m", "p", "s", allow_none=True)
    dealt = text(0, LONGEST_HAND, allow_none=True)
    self_draw_only = flag()


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

    ruleset = text(1, LONGEST_RULESET)
    options = options()
    dealer = whole(0, 3, required=True)
    streak = whole(1, MOST_STREAK)
    wilds = each(tile(), 0, 4)
    weekday = whole(1, 7, allow_none=True)
    seats = each(nested(SeatBody), 2, 4, required=True)
    first_chickens = each(nested(FirstChickenBody), 0, 2)
    end = word("win", "exhausted", "dissolved", required=True)
    wins = each(nested(WinBody), 0, 3)
    after_kong = nested(AfterKongBody, allow_none=True)
    flip = tile(allow_none=True)
    birds = each(tile(), 0, MOST_BIRDS)


class PartSchema(Shown):
    """A term of a payment: points that add up, or a factor that multiplies."""

    name = fields.String()
    points = fields.Integer(metadata={"optional": True})
    factor = fields.Integer(metadata={"optional": True})


class PaymentSchema(Shown):
    """Points from a payer to a payee, with the reason and the paragraph behind them."""

    payer = shown.seat()
    payee = shown.seat()
    points = shown.within(1)
    reason = fields.String()
    parts = fields.List(fields.Nested(PartSchema))
    rule = fields.String()


class WinScoreSchema(Shown):
    """What a winner's hand was read as."""

    seat = shown.seat()
    patterns = fields.List(fields.String())
    value = fields.Integer()


class NotCountedSchema(Shown):
    """What a player might expect and does not get."""

    seat = shown.seat()
    what = fields.String()
    tile = shown.tile(allow_none=True)
    why = fields.String()
    rule = fields.String()


class SettlementSchema(Shown):
    """Who pays whom; the totals by seat sum to zero."""

    totals = shown.by_seat(fields.Integer())
    payments = fields.List(fields.Nested(PaymentSchema))
    wins = fields.List(fields.Nested(WinScoreSchema))
    not_counted = fields.List(fields.Nested(NotCountedSchema))


class LabelSchema(Shown):
    """A name in both languages."""

    en = fields.String()
    zh = fields.String()


class GroupSchema(Shown):
    """What options are about, as a form puts them together."""

    name = shown.one_of(*GROUPS)
    label = fields.Nested(LabelSchema)


class OptionSchema(Shown):
    """An option, as a form shows it; `needs` names what another option must be.

    The labels of its choices stand in the order of the choices.
    """

    name = fields.String()
    label = fields.Nested(LabelSchema)
    group = fields.Nested(GroupSchema)
    kind = shown.one_of("flag", "number", "choice", "set")
    default = fields.Raw(metadata=OPTION_VALUE)
    choices = fields.List(fields.Raw(metadata={"type": ["boolean", "integer", "string"]}))
    choice_labels = fields.List(fields.Nested(LabelSchema))
    minimum = fields.Integer(allow_none=True)
    maximum = fields.Integer(allow_none=True)
    house_rule = fields.Boolean()
    needs = fields.Dict(keys=fields.String(), metadata=OPTIONS_FORM)


class PatternSchema(Shown):
    """A pattern of winning hands."""

    name = fields.String()
    label = fields.Nested(LabelSchema)


class TermSchema(Shown):
    """A word of settlements: a payment's reason or part, what did not count, or why."""

    name = fields.String()
    label = fields.Nested(LabelSchema)


class RulesetSchema(Shown):
    """A ruleset; its key holds its version."""

    object = shown.the("ruleset")
    id = shown.shaped("[a-z]+/[0-9]+")
    label = fields.Nested(LabelSchema)
    options = fields.List(fields.Nested(OptionSchema))
    patterns = fields.List(fields.Nested(PatternSchema))
    terms = fields.List(fields.Nested(TermSchema))


RulesetList = list_of(RulesetSchema, "RulesetList")


@blueprint.route("/rulesets")
@blueprint.response(200, RulesetList)
def list_rulesets() -> Response:
    """The rulesets that may be played."""
    return listed([_ruleset(key, entry) for key, entry in CATALOG.items()], has_more=False)


@blueprint.route("/rulesets/<region>/<number:number>")
@blueprint.response(200, RulesetSchema)
def get_ruleset(region: str, number: int) -> Response:
    """A ruleset: its options, and the names of its patterns and of all that its settlements say."""
    key = f"{region}/{number}"
    return answer(_ruleset(key, catalog.entry(key)))


@blueprint.route("/rulesets/<region>/<number:number>/settle", methods=["POST"])
@blueprint.arguments(OutcomeBody)
@blueprint.response(200, SettlementSchema)
def settle(body: JSON, region: str, number: int) -> Response:
    """Score a finished hand; nothing is recorded."""
    key = f"{region}/{number}"
    catalog.entry(key)
    if body.get("ruleset", key) != key:
        raise Refused("ruleset_differs", pointer="/ruleset", ruleset=key)
    outcome = read_outcome({**edge.body(), "ruleset": key})
    check_rules(key, outcome.options)
    return answer(catalog.settle(outcome))


def check_rules(key: str, given: JSON) -> None:
    """Refuse an unknown ruleset or a wrong option at its place in the body."""
    try:
        catalog.ruleset(key, given)
    except Refused as refusal:
        option = refusal.params.get("option")
        raise refusal.at("/ruleset" if option is None else f"/options/{step(option)}") from None


def _ruleset(key: str, entry: Entry) -> JSON:
    return {
        "object": "ruleset",
        "id": key,
        "label": _label((entry.en, entry.zh)),
        "options": [_option(key, info) for info in describe_options(entry.options)],
        "patterns": [_named(name, names) for name, names in entry.patterns.items()],
        "terms": [_named(name, names) for name, names in entry.terms.items()],
    }


def _named(name: str, names: tuple[str, str]) -> JSON:
    return {"name": name, "label": _label(names)}


def _label(names: tuple[str, str]) -> JSON:
    en, zh = names
    return {"en": en, "zh": zh}


def _choice(key: str, choice: Any) -> JSON:
    """What a choice is called; a number is its own name."""
    return _label(catalog.name_of(key, choice) if isinstance(choice, str) else (f"{choice}",) * 2)


def _option(key: str, info: OptionInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "label": _label((info.en, info.zh)),
        "group": _named(info.group, GROUPS[info.group]),
        "kind": info.kind,
        "default": info.default,
        "choices": info.choices,
        "choice_labels": [_choice(key, choice) for choice in info.choices],
        "minimum": info.minimum,
        "maximum": info.maximum,
        "house_rule": info.house_rule,
        "needs": info.needs,
    }

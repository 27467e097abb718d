"""Sheets: a write whose lines come as CSV, and what JSON says beside them in the query."""

from __future__ import annotations

from functools import wraps
from typing import Any

from flask import g, request
from marshmallow import ValidationError

from ledger.api import edge
from ledger.api.answers import JSON
from ledger.api.edge import View
from ledger.api.fields import LARGEST, BodyInvalid, Query, QueryInvalid, day, digits, text, word
from ledger.api.writing import SHEET
from ledger.granting_files import Sheet, read_sheet
from ledger.names import LONGEST_NAME
from ledger.refusal import Refused

KINDS = ("allowance", "opening")


class SheetQuery(Query):
    """What is said of a sheet's lines together."""

    kind = word(*KINDS)
    reason = text(1, 40)
    note = text(1, LONGEST_NAME)
    effective_date = day()
    control = digits(-LARGEST)


def _parameter(name: str, meaning: str, **schema: Any) -> JSON:
    return {"in": "query", "name": name, "description": meaning, "schema": schema}


PARAMETERS = (
    _parameter("kind", "With CSV: of which kind it is.", type="string", enum=[*KINDS]),
    _parameter("reason", "With CSV: why, as a word.", type="string"),
    _parameter("note", "With CSV: why, in the club's own words.", type="string"),
    _parameter("effective_date", "With CSV: from which day it counts.", type="string"),
    _parameter("control", "With CSV: the sum that its lines must have.", type="integer"),
)
BODY = {
    "content": {SHEET: {"schema": {"type": "string"}, "example": "member,points\nM-0001,1000\n"}}
}


def takes_sheet(view: View) -> View:
    """Let a write take a sheet in the place of JSON; what is wrong is told by its lines."""

    @wraps(view)
    def taking(*args: Any, **kwargs: Any) -> Any:
        if request.mimetype != SHEET:
            return view(*args, **kwargs)
        edge.take(SHEET, _as_json)
        try:
            return view(*args, **kwargs)
        except Refused as refusal:
            raise _placed(refusal) from None

    return taking  # type: ignore[return-value]


def sheet() -> Sheet | None:
    """The sheet that was sent, if it was one."""
    found: Sheet | None = g.get("sheet")
    return found


def _as_json(raw: bytes) -> JSON:
    """The JSON that would say what a sheet and its query say."""
    told = {name: value for name, value in request.args.items() if name != "dry_run"}
    try:
        said: JSON = SheetQuery().load(told)
    except ValidationError as fault:
        raise QueryInvalid(fault.messages) from None
    g.sheet = read_sheet(raw)
    lines = [{"member": line.member, "points": line.points} for line in g.sheet.lines]
    return {**said, "lines": lines}


def _placed(refusal: Refused) -> Refused:
    """A refusal, its faults told at their lines of the sheet."""
    sent = sheet()
    if sent is None:
        return refusal
    if isinstance(refusal, BodyInvalid):
        refusal.faults = tuple(map(sent.placed, refusal.faults))
        return refusal
    return sent.placed(refusal)

"""Lists that lie in the order of what was counted: which days they are of, and their pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from ledger.api.answers import JSON, LONGEST_PAGE, USUAL_PAGE
from ledger.api.fields import Query, QueryInvalid, day, digits, text
from ledger.refusal import Refused
from projections.sums import Span

FIRST = {"description": "The first business day, included; without it, from the beginning."}
LAST = {"description": "The last business day, included; without it, up to now."}


class SpanQuery(Query):
    """Over which days, and by which ruleset."""

    first = day(metadata=FIRST)
    last = day(metadata=LAST)
    ruleset = text(1, 40)
    min_position = digits(0, load_default=0)


class RankedQuery(SpanQuery):
    """Which page of a list in the order of what was counted."""

    limit = digits(1, LONGEST_PAGE, load_default=USUAL_PAGE)
    starting_after = text(1, 64)
    ending_before = text(1, 64)


class Placed(Protocol):
    """What lies in a list, by its id."""

    @property
    def id(self) -> str:
        """Where it lies."""


One = TypeVar("One", bound=Placed)


def span_of(query: JSON) -> Span:
    """The days, the ruleset and the hour that are asked for."""
    span = Span(query.get("first"), query.get("last"), query.get("ruleset"), query.get("hour"))
    if span.first is not None and span.last is not None and span.first > span.last:
        raise QueryInvalid({"first": ["dates_crossed"]})
    return span


def page_of_ranked(rows: Sequence[One], query: JSON) -> tuple[Sequence[One], bool]:
    """The part of a whole list that was asked for, and whether more follow."""
    start, end, limit = 0, len(rows), query["limit"]
    if "starting_after" in query:
        start = _place(rows, query, "starting_after") + 1
    if "ending_before" in query:
        end = _place(rows, query, "ending_before")
        start = start if "starting_after" in query else max(0, end - limit)
    end = min(end, start + limit)
    return rows[start:end], end < len(rows)


def _place(rows: Sequence[Placed], query: JSON, parameter: str) -> int:
    for place, row in enumerate(rows):
        if row.id == query[parameter]:
            return place
    raise Refused("cursor_unknown", parameter=parameter)

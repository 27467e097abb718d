"""Who sat with whom 往来矩阵: what is unusual, for those who look after that alone."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from ledger.access import WATCHERS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, list_of, page_answer
from ledger.api.fields import text, word
from ledger.telling import time_text
from projections.api.lookup import reading
from projections.api.ranked import RankedQuery, SpanQuery, page_of_ranked, span_of
from projections.feeding import LABELS, NEEDED, Pair, club_pairs
from projections.pairs import PAIRS, Feed, telling_hands

blueprint = edge.Blueprint("pairs", "Who sat with whom, and what of it is unusual.")


class PairsQuery(RankedQuery):
    """Over which days, by which ruleset, whose, and what may be said of it."""

    member = text(1, 64)
    label = word(*LABELS)


class PairSchema(Shown):
    """What went from a member to another in the hands that both sat in: no verdict.

    With fewer than `needed` opportunities there is too little to say anything. `unusual` asks
    somebody to look; of all that is called so at most one in twenty is so by chance, on average.
    """

    object = shown.the("pair")
    id = shown.shaped("mem_[0-9a-z]+[.]mem_[0-9a-z]+")
    member = shown.id_of("mem")
    other = shown.id_of("mem")
    hands = shown.within(1)
    tables = shown.within(0)
    net = fields.Integer()
    feeds = shown.within(0)
    fed_back = shown.within(0)
    opportunities = shown.within(0)
    needed = shown.within(1)
    expected = fields.Float()
    z = fields.Float(allow_none=True)
    p = fields.Float(allow_none=True)
    q = fields.Float(allow_none=True)
    label = shown.one_of(*LABELS)


PairList = list_of(PairSchema, "PairList")


class FeedSchema(Shown):
    """A hand in which a member won with the other's discard; its replay is at `url`."""

    object = shown.the("feed")
    id = shown.hand_id()
    table = shown.id_of("tbl")
    number = shown.within(1)
    ruleset = fields.String()
    effective_date = fields.Date()
    ended_at = fields.DateTime()
    points = fields.Integer()
    value = fields.Integer()
    url = fields.String()


FeedList = list_of(FeedSchema, "FeedList")


@blueprint.route("/clubs/<id:club>/pairs")
@edge.open_to(*WATCHERS)
@blueprint.arguments(PairsQuery, location="query")
@blueprint.response(200, PairList)
def list_pairs(query: JSON, club: str) -> Response:
    """Every two members who sat together, each way, the most unusual first.

    What is unusual is judged among all pairs of these days, whosever are asked for.
    """
    with reading(PAIRS, club, query) as connection:
        member = query.get("member")
        if member is not None:
            member = edge.member_id(connection, club, member)
        pairs = club_pairs(connection, club, span_of(query), member)
    found = [pair for pair in pairs if query.get("label") in (None, pair.label)]
    part, more = page_of_ranked(found, query)
    return page_answer([_pair(pair) for pair in part], more, query)


@blueprint.route("/clubs/<id:club>/pairs/<member:member>/<member:other>/hands")
@edge.open_to(*WATCHERS)
@blueprint.arguments(SpanQuery, location="query")
@blueprint.response(200, FeedList)
def list_telling_hands(query: JSON, club: str, member: str, other: str) -> Response:
    """The ten hands to look at first: in which the other won with the member's discard, and that
    cost him the most points.
    """
    with reading(PAIRS, club, query) as connection:
        winner = edge.member_id(connection, club, other)
        rows = telling_hands(connection, club, member, winner, span_of(query))
    return page_answer([_feed(row) for row in rows], False, {"limit": len(rows)})


def _pair(pair: Pair) -> JSON:
    return {
        "object": "pair",
        "id": pair.id,
        "member": pair.member,
        "other": pair.other,
        "hands": pair.hands,
        "tables": pair.tables,
        "net": pair.net,
        "feeds": pair.feeds,
        "fed_back": pair.fed_back,
        "opportunities": pair.opportunities,
        "needed": NEEDED,
        "expected": round(pair.expected, 3),
        "z": None if pair.z is None else round(pair.z, 3),
        "p": _small(pair.p),
        "q": _small(pair.q),
        "label": pair.label,
    }


def _small(chance: float | None) -> float | None:
    """A chance to four digits, however small it is."""
    return None if chance is None else float(f"{chance:.4g}")


def _feed(row: Feed) -> JSON:
    return {
        "object": "feed",
        "id": row.id,
        "table": row.table,
        "number": row.number,
        "ruleset": row.ruleset,
        "effective_date": row.day,
        "ended_at": time_text(row.ended_at),
        "points": row.points,
        "value": row.value,
        "url": f"/v1/tables/{row.table}/hands/{row.number}",
    }

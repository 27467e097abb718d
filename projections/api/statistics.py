"""Statistics 战绩统计 and leaderboards 排行榜: for those who run the club; to a member his own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import READERS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, list_of, page_answer
from ledger.api.fields import digits, text, word
from ledger.api.members import CODE
from ledger.refusal import Refused
from ledger.telling import time_text
from projections.api.lookup import reading, whose_member
from projections.api.ranked import RankedQuery, page_of_ranked, span_of
from projections.leaderboards import (
    BOARDS,
    COLUMNS,
    RATES,
    Counts,
    Pattern,
    Rate,
    Row,
    leaderboard,
    member_statistics,
    patterns_of,
    together,
)
from projections.statistics import STATISTICS
from projections.sums import Span

LONGEST_GROUP = 60
blueprint = edge.Blueprint("statistics", "What each member played and won, and leaderboards.")


class LeaderboardQuery(RankedQuery):
    """Over which days, in which hour, by which ruleset, of which group."""

    hour = digits(0, 23)
    group = text(1, LONGEST_GROUP)


class StatisticsQuery(LeaderboardQuery):
    """Whose statistics, and ranked by what."""

    member = text(1, 64)
    sort = word(*COLUMNS, load_default="points")
    order = word("descending", "ascending", load_default="descending")


class RateSchema(Shown):
    """So many of so many, exactly, and rounded to thousandths; of nothing there is no rate."""

    count = fields.Integer()
    of = shown.within(0)
    per_mille = fields.Integer(allow_none=True)


class CountsSchema(Shown):
    """What a member, or all of a list together, have played."""

    class Meta:
        """Each rate is told in the same form."""

        include = {name: fields.Nested(RateSchema) for name in RATES}

    tables = shown.within(0)
    valid_tables = shown.within(0)
    complete_tables = shown.within(0)
    low_score_tables = shown.within(0)
    dissolved_tables = shown.within(0)
    asked = shown.within(0)
    big_wins = shown.within(0)
    placed = shown.within(0)
    firsts = shown.within(0)
    seconds = shown.within(0)
    thirds = shown.within(0)
    fourths = shown.within(0)
    table_points = fields.Integer()
    hands = shown.within(0)
    known_hands = shown.within(0)
    points = fields.Integer()
    wins = shown.within(0)
    self_draws = shown.within(0)
    deal_ins = shown.within(0)
    win_value = fields.Integer()
    best = fields.Integer(allow_none=True)
    worst = fields.Integer(allow_none=True)


class WonPatternSchema(Shown):
    """A pattern of a ruleset, and how often the member has won with it."""

    ruleset = fields.String()
    pattern = fields.String()
    times = shown.within(1)


class RankedSchema(Shown):
    """A member of a list in the order of something."""

    id = shown.id_of("mem")
    created_at = fields.DateTime()
    code = shown.shaped(CODE)
    name = fields.String()
    group = fields.String(allow_none=True)
    rank = shown.within(1)


class MemberStatisticsSchema(CountsSchema, RankedSchema):
    """What a member has played in some days, and his rank among those who did."""

    object = shown.the("member_statistics")
    patterns = fields.List(fields.Nested(WonPatternSchema))


class StatisticsList(list_of(MemberStatisticsSchema, "StatisticsPage")):  # type: ignore[misc]
    """A page of members, and the sums of all that were found, whatever the page."""

    totals = fields.Nested(CountsSchema)


class LeaderboardRowSchema(RankedSchema):
    """A member on a leaderboard."""

    object = shown.the("leaderboard_row")
    value = fields.Integer()
    tables = shown.within(0)
    hands = shown.within(0)
    big_wins = shown.within(0)
    points = fields.Integer()


LeaderboardList = list_of(LeaderboardRowSchema, "LeaderboardList")


@blueprint.route("/clubs/<id:club>/statistics")
@edge.open_to(*READERS, "member")
@blueprint.arguments(StatisticsQuery, location="query")
@blueprint.response(200, StatisticsList)
def list_statistics(query: JSON, club: str) -> Response:
    """What each member played in some days, in the order of a column; to a member his own row.

    A rank is the one among all who were found, whoever of them is asked for.
    """
    span, runs = span_of(query), edge.caller().has(*READERS)
    with reading(STATISTICS, club, query) as connection:
        sort, falling = (query["sort"],), query["order"] == "descending"
        group = _group(connection, club, query) if runs else None
        rows = member_statistics(connection, club, span, sort, descending=falling, group=group)
        member = whose_member(connection, club, query)
        found = rows if member is None else [row for row in rows if row.member == member]
        part, more = page_of_ranked(found, query)
        data = _statistics(connection, club, part, span, groups=runs)
    return page_answer(data, more, query, totals=_counts(together(found)))


@blueprint.route("/clubs/<id:club>/leaderboards/<kind>")
@edge.open_to(*READERS)
@blueprint.arguments(LeaderboardQuery, location="query")
@blueprint.response(200, LeaderboardList)
def list_leaderboard(query: JSON, club: str, kind: str) -> Response:
    """Who played at the most tables (`attendance` 参与榜), was the big winner of the most
    (`winners` 赢家榜), or won the most points (`points` 战绩榜).
    """
    board = next((one for one in BOARDS if one == kind), None)
    if board is None:
        raise Refused("not_found")
    with reading(STATISTICS, club, query) as connection:
        group = _group(connection, club, query)
        rows = leaderboard(connection, club, board, span_of(query), group)
        part, more = page_of_ranked(rows, query)
        data = [
            {
                "object": "leaderboard_row",
                **one,
                "value": getattr(row.counts, BOARDS[board][0]),
                "tables": row.counts.tables,
                "hands": row.counts.hands,
                "big_wins": row.counts.big_wins,
                "points": row.counts.points,
            }
            for row, one in zip(part, _ranked(connection, club, part), strict=True)
        ]
    return page_answer(data, more, query)


def _group(connection: Connection, club: str, query: JSON) -> str | None:
    """The digest of the group that is asked for by its name."""
    row = access.find_club(connection, club)
    assert row is not None
    return access.text_digest(row, query["group"]) if "group" in query else None


def _statistics(
    connection: Connection, club: str, rows: Sequence[Row], span: Span, *, groups: bool
) -> list[JSON]:
    """Rows with their patterns; in which group the club has put them it alone knows."""
    patterns = patterns_of(connection, club, [row.member for row in rows], span)
    return [
        {
            "object": "member_statistics",
            **one,
            **({} if groups else {"group": None}),
            **_counts(row.counts),
            "patterns": [_pattern(each) for each in patterns[row.member]],
        }
        for row, one in zip(rows, _ranked(connection, club, rows), strict=True)
    ]


def _ranked(connection: Connection, club: str, rows: Sequence[Row]) -> list[JSON]:
    """Members with their ranks, and what stands of them outside of events."""
    people = access.find_members(connection, club, tuple(row.member for row in rows))
    digests = {row.group for row in rows if row.group is not None}
    groups = {digest: access.find_text(connection, club, digest) for digest in digests}
    return [
        {
            "id": row.member,
            "created_at": time_text(people[row.member].created_at),
            "code": people[row.member].code,
            "name": people[row.member].name,
            "group": None if row.group is None else groups[row.group],
            "rank": row.rank,
        }
        for row in rows
    ]


def _counts(counts: Counts) -> JSON:
    told: JSON = {name: getattr(counts, name) for name in Counts.__struct_fields__}
    return {**told, **{name: _rate(rate) for name, rate in counts.rates.items()}}


def _rate(rate: Rate) -> JSON:
    return {"count": rate.count, "of": rate.of, "per_mille": rate.per_mille}


def _pattern(pattern: Pattern) -> JSON:
    told: dict[str, Any] = {"ruleset": pattern.ruleset, "pattern": pattern.pattern}
    return {**told, "times": pattern.times}

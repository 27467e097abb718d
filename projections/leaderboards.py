"""Members side by side 排行榜: their statistics over some business days, ranked by any column."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, case, func, select

from projections.checkpoint import Place, live_place
from projections.statistics import (
    NAME,
    member_groups,
    member_hours,
    member_patterns,
    table_results,
)
from projections.sums import ALWAYS, Span

Kind = Literal["attendance", "winners", "points"]


class Rate(Struct, frozen=True):
    """So many of so many, exactly; of nothing there is no rate."""

    count: int
    of: int

    @property
    def value(self) -> Fraction | None:
        """The rate itself."""
        return Fraction(self.count, self.of) if self.of else None

    @property
    def per_mille(self) -> int | None:
        """The rate in thousandths, rounded to the nearest, a half to the even one."""
        return None if self.value is None else round(1000 * self.value)


class Counts(Struct, frozen=True):
    """What a member, or all together, have played.

    `known_hands` are those of which more is known than the points; every rate of hands is of
    these. A table is valid 有效 that was played to its end 完整 and is not of a low score 低分.
    `placed` are the tables with a hand that counts. Table points are those of the whole matches.
    """

    tables: int = 0
    valid_tables: int = 0
    complete_tables: int = 0
    low_score_tables: int = 0
    dissolved_tables: int = 0
    asked: int = 0
    big_wins: int = 0
    placed: int = 0
    firsts: int = 0
    seconds: int = 0
    thirds: int = 0
    fourths: int = 0
    table_points: int = 0
    hands: int = 0
    known_hands: int = 0
    points: int = 0
    wins: int = 0
    self_draws: int = 0
    deal_ins: int = 0
    win_value: int = 0
    best: int | None = None
    worst: int | None = None

    @property
    def rates(self) -> dict[str, Rate]:
        """What is told in relation to something, by its name."""
        places = (self.firsts, self.seconds, self.thirds, self.fourths)
        average = self.firsts + 2 * self.seconds + 3 * self.thirds + 4 * self.fourths
        return {
            "big_win_rate": Rate(self.big_wins, self.tables),
            "average_points": Rate(self.table_points, self.tables),
            "win_rate": Rate(self.wins, self.known_hands),
            "self_draw_rate": Rate(self.self_draws, self.wins),
            "deal_in_rate": Rate(self.deal_ins, self.known_hands),
            "average_value": Rate(self.win_value, self.wins),
            "average_place": Rate(average, self.placed),
            **{
                f"{name}_rate": Rate(times, self.placed)
                for name, times in zip(PLACES, places, strict=True)
            },
        }


class Row(Struct, frozen=True):
    """A member with his rank, which those share who have the same, and his group's digest."""

    member: str
    group: str | None
    rank: int
    counts: Counts

    @property
    def id(self) -> str:
        """The member's id, which is where the row lies in its list."""
        return self.member


class Pattern(Struct, frozen=True):
    """How often a member has won with a pattern of a ruleset."""

    ruleset: str
    pattern: str
    times: int


PLACES = ("first", "second", "third", "fourth")
RATES = tuple(Counts().rates)
COLUMNS = (*Counts.__struct_fields__, *RATES)
"""By what members may be ranked."""
BOARDS: dict[Kind, tuple[str, ...]] = {
    "attendance": ("tables", "hands"),
    "winners": ("big_wins", "points"),
    "points": ("points",),
}
"""By what each leaderboard ranks: 参与榜, 赢家榜, 战绩榜."""

SUMS = tuple(name for name in Counts.__struct_fields__ if name not in ("best", "worst"))
_OF_HANDS = ("hands", "known_hands", "points", "wins", "self_draws", "deal_ins", "win_value")


def _times(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


_t = table_results.c
_PLAYED = _t.reason == "played"
_OF_TABLES: dict[str, sa.ColumnElement[Any]] = {
    "tables": func.count(),
    "valid_tables": _times(_PLAYED & ~_t.is_low_score),
    "complete_tables": _times(_PLAYED),
    "low_score_tables": _times(_t.is_low_score),
    "dissolved_tables": _times(_t.reason == "dissolved"),
    "asked": _times(_t.asked),
    "big_wins": _times(_t.is_big_winner),
    "placed": func.count(_t.place),
    **{f"{name}s": _times(_t.place == number) for number, name in enumerate(PLACES, 1)},
    "table_points": func.sum(_t.points),
    "best": func.max(_t.points),
    "worst": func.min(_t.points),
}


def member_statistics(
    connection: Connection,
    club: str,
    span: Span = ALWAYS,
    sort: Sequence[str] = ("points",),
    *,
    descending: bool = True,
    group: str | None = None,
) -> list[Row]:
    """Every member who played, or those of a group now, ranked by columns.

    Who has no value in a column comes last; of the same rank the one whose id is the lower first.
    """
    live = live_place(connection, club, NAME)
    counts, groups = _counts(connection, live, span), _groups(connection, live)
    wanted = [one for one in sorted(counts) if group in (None, groups.get(one))]
    values = {one: [_value(counts[one], name, descending) for name in sort] for one in wanted}
    rows: list[Row] = []
    for number, member in enumerate(sorted(wanted, key=values.__getitem__), 1):
        last = rows[-1] if rows else None
        shared = last is not None and values[last.member] == values[member]
        rank = last.rank if last is not None and shared else number
        rows.append(Row(member, groups.get(member), rank, counts[member]))
    return rows


def leaderboard(
    connection: Connection, club: str, kind: Kind, span: Span = ALWAYS, group: str | None = None
) -> list[Row]:
    """A leaderboard of the club, or of those of a group; who has none of its count is not on it."""
    rows = member_statistics(connection, club, span, BOARDS[kind], group=group)
    return [row for row in rows if kind == "points" or getattr(row.counts, BOARDS[kind][0]) > 0]


def together(rows: Sequence[Row]) -> Counts:
    """The sums of all rows, the best and the worst table among them."""
    counts = [row.counts for row in rows]
    best = [one.best for one in counts if one.best is not None]
    worst = [one.worst for one in counts if one.worst is not None]
    return Counts(
        **{name: sum(getattr(one, name) for one in counts) for name in SUMS},
        best=max(best, default=None),
        worst=min(worst, default=None),
    )


def patterns_of(
    connection: Connection, club: str, members: Sequence[str], span: Span = ALWAYS
) -> dict[str, list[Pattern]]:
    """The patterns with which members have won, by member; of each the most frequent first."""
    c, live = member_patterns.c, live_place(connection, club, NAME)
    times = func.sum(c.times)
    found = (
        select(c.member, c.ruleset, c.pattern, times)
        .where(*live.rows(member_patterns), *span.within(member_patterns), c.member.in_(members))
        .group_by(c.member, c.ruleset, c.pattern)
        .having(times > 0)
        .order_by(times.desc(), c.ruleset, c.pattern)
    )
    told: dict[str, list[Pattern]] = {member: [] for member in members}
    for member, ruleset, pattern, number in connection.execute(found):
        told[member].append(Pattern(ruleset, pattern, int(number)))
    return told


def _counts(connection: Connection, live: Place, span: Span) -> dict[str, Counts]:
    """What each member has played, of those who have played at all."""
    of_tables = _summed(connection, live, span, table_results, _OF_TABLES)
    of_hands = _summed(
        connection,
        live,
        span,
        member_hours,
        {name: func.sum(member_hours.c[name]) for name in _OF_HANDS},
    )
    found = {
        member: Counts(**of_tables.get(member, {}), **of_hands.get(member, {}))
        for member in of_tables.keys() | of_hands.keys()
    }
    return {member: one for member, one in found.items() if one.tables or one.hands}


def _summed(
    connection: Connection,
    live: Place,
    span: Span,
    table: sa.Table,
    columns: dict[str, sa.ColumnElement[Any]],
) -> dict[str, dict[str, int]]:
    """Columns of a table by member, named; what a database sums may be no int before."""
    found = (
        select(table.c.member, *columns.values())
        .where(*live.rows(table), *span.within(table))
        .group_by(table.c.member)
    )
    return {
        member: {name: int(value) for name, value in zip(columns, values, strict=True)}
        for member, *values in connection.execute(found)
    }


def _groups(connection: Connection, live: Place) -> dict[str, str]:
    c = member_groups.c
    found = select(c.member, c.group).where(*live.rows(member_groups), c.group.is_not(None))
    return {row.member: row.group for row in connection.execute(found)}


def _value(counts: Counts, column: str, descending: bool) -> tuple[bool, Fraction]:
    """What a member is ranked by in a column: the lower the earlier, and none last."""
    rate = counts.rates.get(column)
    value = getattr(counts, column) if rate is None else rate.value
    if value is None:
        return True, Fraction(0)
    return False, Fraction(-value if descending else value)

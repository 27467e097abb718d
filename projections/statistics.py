"""Statistics 战绩统计: what each member played, won and dealt in, by day, hour and ruleset.

A hand counts on its own effective date and in the hour of its end; a table on the business day
and in the hour of its close, for those who sit there then. What a dispute reverses is taken back.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, delete, insert, select, text, update

from ledger.events import (
    DissolutionVoted,
    HandCorrected,
    HandReversed,
    HandSettled,
    MemberGrouped,
    SeatsChanged,
    TableClosed,
    TableOpened,
)
from ledger.store import Stored
from projections import sums
from projections.checkpoint import METADATA, Place, Projection
from projections.recalled import Booked, clock_of, wins_of

NAME = "statistics"

member_hours = sa.Table(
    "member_hours",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, primary_key=True),
    sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
    *sums.columns_of_sums("hands", "known_hands", "points"),
    *sums.columns_of_sums("wins", "self_draws", "deal_ins", "win_value"),
)

member_patterns = sa.Table(
    "member_patterns",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, primary_key=True),
    sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("pattern", sa.Text, primary_key=True),
    *sums.columns_of_sums("times"),
)

counted_hands = sums.kept_of_hands("counted_hands")

counted_tables = sa.Table(
    "counted_tables",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("low_score", sa.BigInteger, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),
    sa.Column("totals", sa.JSON, nullable=False),
    sa.Column("hands", sa.BigInteger, nullable=False),
    sa.Column("asked_by", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("day", sa.Text),
    sa.Column("hour", sa.Integer),
)

table_results = sa.Table(
    "table_results",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("place", sa.Integer),
    sa.Column("is_big_winner", sa.Boolean, nullable=False),
    sa.Column("is_low_score", sa.Boolean, nullable=False),
    sa.Column("asked", sa.Boolean, nullable=False),
    sa.Index("table_results_by_day", "club", "generation", "day"),
)

member_groups = sa.Table(
    "member_groups",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("group", sa.Text),
)

_GROUP = text(
    'INSERT INTO member_groups (club, generation, member, "group") '
    "VALUES (:club, :generation, :member, :group) "
    'ON CONFLICT (club, generation, member) DO UPDATE SET "group" = excluded."group"'
)


def _grouped(connection: Connection, place: Place, row: Stored, fact: MemberGrouped) -> None:
    member = row.stream.removeprefix("member/")
    connection.execute(_GROUP, {**place.columns, "member": member, "group": fact.group})


# --- hands ------------------------------------------------------------------------------------


def _booked(connection: Connection, place: Place, _: Stored, fact: Booked) -> None:
    sums.keep(
        connection, place, counted_hands, (fact.table, fact.number), _count(connection, place, fact)
    )
    _move(connection, place, fact.table, fact.seats, fact.totals, 1)


def _reversed(connection: Connection, place: Place, _: Stored, fact: HandReversed) -> None:
    sums.take_back(connection, place, counted_hands, (fact.table, fact.number))
    _move(connection, place, fact.table, fact.seats, fact.totals, -1)


def _count(connection: Connection, place: Place, fact: Booked) -> sums.Added:
    """What a hand adds to the sums of those who sat in it."""
    wins = wins_of(connection, place.club, fact)
    hour = clock_of(connection, place.club).hour(fact.ended_at)
    when = {"day": fact.effective_date, "ruleset": fact.ruleset, "hour": hour}
    won = {win.seat: win.how for win in wins or ()}
    fed = {win.from_seat for win in wins or () if win.how == "discard"}
    values = {score.seat: score.value for score in fact.wins}
    hours = [
        {
            **when,
            "member": member,
            "hands": 1,
            "known_hands": int(wins is not None),
            "points": fact.totals[seat],
            "wins": int(seat in won),
            "self_draws": int(won.get(seat) == "self_draw"),
            "deal_ins": int(seat in fed),
            "win_value": values.get(seat, 0),
        }
        for seat, member in enumerate(fact.seats)
    ]
    patterns = Counter(
        (fact.seats[score.seat], name) for score in fact.wins for name in score.patterns
    )
    named = [
        {**when, "member": member, "pattern": name, "times": times}
        for (member, name), times in patterns.items()
    ]
    return {member_hours.name: hours, member_patterns.name: named}


# --- tables -----------------------------------------------------------------------------------


def _opened(connection: Connection, place: Place, row: Stored, fact: TableOpened) -> None:
    table = {
        "table_id": row.stream.removeprefix("table/"),
        "ruleset": fact.ruleset,
        "low_score": fact.low_score,
        "seats": list(fact.seats),
        "lines": {member: line for line, member in enumerate(fact.seats)},
        "totals": [0] * len(fact.seats),
        "hands": 0,
    }
    connection.execute(insert(counted_tables), {**place.columns, **table})


def _seats_changed(connection: Connection, place: Place, row: Stored, fact: SeatsChanged) -> None:
    """Let each seat go on with the points of the line that it takes over."""
    table = _table(connection, place, row.stream.removeprefix("table/"))
    before = [table["lines"][member] for member in table["seats"]]
    taken = {member: before[fact.lines[seat]] for seat, member in enumerate(fact.seats)}
    changed = {"seats": list(fact.seats), "lines": {**table["lines"], **taken}}
    _change(connection, place, table["table_id"], changed)


def _voted(connection: Connection, place: Place, row: Stored, fact: DissolutionVoted) -> None:
    if fact.passed:
        table = _table(connection, place, row.stream.removeprefix("table/"))
        _change(connection, place, table["table_id"], {"asked_by": table["seats"][fact.seat]})


def _closed(connection: Connection, place: Place, row: Stored, fact: TableClosed) -> None:
    clock, table = clock_of(connection, place.club), row.stream.removeprefix("table/")
    when = {"reason": fact.reason, "day": clock.day(fact.at), "hour": clock.hour(fact.at)}
    _change(connection, place, table, when)
    _tell_results(connection, place, _table(connection, place, table))


def _move(
    connection: Connection,
    place: Place,
    table_id: str,
    seats: tuple[str, ...],
    points: tuple[int, ...],
    hands: int,
) -> None:
    """Let a hand come to a match's points, or go from them: then its totals are the opposite's."""
    table = _table(connection, place, table_id)
    totals = list(table["totals"])
    for seat, member in enumerate(seats):
        totals[table["lines"][member]] += points[seat]
    _change(connection, place, table_id, {"totals": totals, "hands": table["hands"] + hands})
    if table["reason"] is not None:
        _tell_results(connection, place, _table(connection, place, table_id))


def _tell_results(connection: Connection, place: Place, table: dict[str, Any]) -> None:
    """Write what a match that is over has come to, for each who sits there at its end.

    Places are shared: 1, 1, 3. A match without a hand that counts has none, and one of a low
    score no big winner 大赢家.
    """
    here = *place.rows(table_results), table_results.c.table_id == table["table_id"]
    connection.execute(delete(table_results).where(*here))
    totals: list[int] = table["totals"]
    best, low = max(totals), table["low_score"] > max(totals)
    same = {name: table[name] for name in ("table_id", "day", "hour", "ruleset", "reason")}
    rows = []
    for member in table["seats"]:
        points = totals[table["lines"][member]]
        result = {
            "member": member,
            "points": points,
            "place": 1 + sum(other > points for other in totals) if table["hands"] else None,
            "is_big_winner": points == best > 0 and not low,
            "is_low_score": low,
            "asked": member == table["asked_by"] and table["reason"] == "dissolved",
        }
        rows.append({**place.columns, **same, **result})
    connection.execute(insert(table_results), rows)


def _table(connection: Connection, place: Place, table: str) -> dict[str, Any]:
    """A table as it is counted; an event about none stops the projection."""
    found = select(counted_tables).where(*_this(place, table))
    return dict(connection.execute(found).mappings().one())


def _change(connection: Connection, place: Place, table: str, to: dict[str, Any]) -> None:
    changed = update(counted_tables).where(*_this(place, table)).values(to)
    connection.execute(changed.returning(counted_tables.c.table_id)).one()


def _this(place: Place, table: str) -> tuple[sa.ColumnElement[bool], ...]:
    return *place.rows(counted_tables), counted_tables.c.table_id == table


STATISTICS = Projection(
    NAME,
    (
        member_hours,
        member_patterns,
        counted_hands,
        counted_tables,
        table_results,
        member_groups,
    ),
    {
        MemberGrouped: _grouped,
        TableOpened: _opened,
        SeatsChanged: _seats_changed,
        HandSettled: _booked,
        HandReversed: _reversed,
        HandCorrected: _booked,
        DissolutionVoted: _voted,
        TableClosed: _closed,
    },
)

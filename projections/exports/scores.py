"""The score history 战绩: a row for every table, with who sat there and what became of it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import codec, store
from ledger.events import TableClosed
from projections.exports.sheet import Column, Row, columns
from projections.exports.source import Source
from projections.tables import TableRow, Which, every_table

SEATS = 4


def _seat(number: int) -> tuple[Column, ...]:
    return columns(
        f"""
seat{number}_id {number}号位编号 id
  The code of who sits in seat {number}; empty at a table with fewer players.
seat{number}_nick {number}号位 text
  His name.
seat{number}_points {number}号位分数 change
  His points, and those of whoever he took the seat over from.
"""
    )


SCORE_HISTORY = (
    *columns(
        """
table_id 牌桌 id
  The table.
business_date 业务日期 day
  The business day on which the match ended; of one that runs, on which it began.
start 开始 local
  When it was opened, by the club's clock.
start_utc 开始(UTC) utc
  The same in UTC.
end 结束 local
  When it ended, by the club's clock.
end_utc 结束(UTC) utc
  The same in UTC.
room 房间 text
  The room, as the game server calls it.
ruleset 玩法 id
  What was played, with its version.
hands 局数 count+
  The hands that were played to an end.
hands_planned 计划局数 count
  The hands that the match was opened for.
status 状态 word
  running; or how it ended: played, dissolved, closed.
low_score 低分局 word
  Whether nobody came to the low score: yes or no.
dissolve_reason 解散原因 text
  Why it was ended before its time, in the words of who did it.
"""
    ),
    *(column for number in range(1, SEATS + 1) for column in _seat(number)),
    *columns(
        """
big_winner 大赢家 id
  Who has the most points, above zero; several where they have as many.
ticked_by 对账人 id
  Who found its points right; empty where nobody has, or a hand was decided anew since.
ticked_at 对账时间 local
  When, by the club's clock.
"""
    ),
)


def score_history(source: Source) -> Iterator[Row]:
    """Every table in the order of opening."""
    which = Which(member=source.asked.member, span=source.span)
    for row in every_table(source.connection, source.club.club, which):
        yield _row(source, row)


def _row(source: Source, row: TableRow) -> Row:
    seats: list[Row] = [
        (*source.person(member), points)
        for member, points in zip(row.seats, row.totals, strict=True)
    ]
    seats += [(None, None, None)] * (SEATS - len(seats))
    return (
        row.id,
        row.day,
        source.local(row.opened_at),
        source.utc(row.opened_at),
        source.local(row.closed_at),
        source.utc(row.closed_at),
        source.text(row.room),
        row.ruleset,
        row.hands_played,
        row.hands_planned,
        row.status,
        "yes" if row.is_low_score else "no",
        _why(source, row),
        *(value for seat in seats for value in seat),
        " ".join(map(source.code, row.big_winners)) or None,
        row.ticked_by,
        source.local(row.ticked_at),
    )


def _why(source: Source, row: TableRow) -> str | None:
    """Why a match was ended before its time."""
    if row.status not in ("dissolved", "closed"):
        return None
    last = store.latest(source.connection, source.club.club, f"table/{row.id}", "TableClosed/1")
    fact = None if last is None else codec.unseal(last.type, last.public).fact
    return source.text(fact.note) if isinstance(fact, TableClosed) else None

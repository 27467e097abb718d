"""The matches of a club as records 牌谱, and what was entered as entries, for any program to read.

One match a line, as `paizhang import` takes it; a match of which some hands were entered, or in
which seats changed, is several lines, the later ones with `#2`, `#3` … behind the match's ref.
What a club did beside the rules is not in it: the cap on losses, and the revisions of disputes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger import codec, store
from ledger.days import weekday_of
from ledger.events import TableClosed
from ledger.names import LONGEST_NAME
from ledger.rules.catalog import ruleset
from projections.exports.sheet import Row, columns
from projections.exports.source import Source
from projections.recalled import clock_of
from projections.recording import Part, entry_of, is_entry, parts_of, record_of
from projections.sums import Span
from projections.tables import TableRow, Which, every_table

RECORDS = columns(
    """
match 牌谱 object
  A match as a record, or a hand that was entered, as docs/formats.md has them.
"""
)


def records(source: Source) -> Iterator[Row]:
    """Every match with a hand that had ended at the position, in the order of opening.

    Of one that ran then, or was dissolved, the hands that had ended. Seats are named by the
    members' codes. Days are those of the list of tables: of the match's end, or while it runs of
    its opening.
    """
    member = source.asked.member
    for table in _tables(source):
        parts = parts_of(source.connection, source.club.club, table.id, source.position)
        for number, part in enumerate(parts, 1):
            if member in (None, *part[0].seats):
                yield (_told(source, table, number, part),)


def _tables(source: Source) -> Iterator[TableRow]:
    """The tables that are asked for, and were open at the position."""
    asked, day = source.asked, clock_of(source.connection, source.club.club).day
    which = Which(member=asked.member, span=Span(None, None, asked.ruleset))
    for table in every_table(source.connection, source.club.club, which):
        if table.opened_position > source.position or asked.table not in (None, table.id):
            continue
        if asked.since <= day(_dated_at(source, table)) <= asked.until:
            yield table


def _dated_at(source: Source, table: TableRow) -> int:
    """When a match had ended; when it was opened, if it ran at the position."""
    last = store.latest(source.connection, source.club.club, f"table/{table.id}", "TableClosed/1")
    if last is None or last.position > source.position:
        return table.opened_at
    fact = codec.unseal(last.type, last.public).fact
    assert isinstance(fact, TableClosed)
    return fact.at


def _told(source: Source, table: TableRow, number: int, part: Part) -> dict[str, Any]:
    codes = tuple(map(source.code, part[0].seats))
    ref = _ref(source, table, number)
    if is_entry(part):
        return entry_of(part, ref, codes, _entered_at(source, part))
    return record_of(part, ref, codes)


def _ref(source: Source, table: TableRow, number: int) -> str:
    """The sender's own name of a match, or the table's id; of a later line with its number."""
    own = source.text(table.ref) or table.id
    if number == 1:
        return own
    numbered = f"{own}#{number}"
    return numbered if len(numbered) <= LONGEST_NAME else f"{table.id}#{number}"


def _entered_at(source: Source, part: Part) -> int | None:
    """When a hand ended; None where another day of the week counted in it than that moment's."""
    hand = part[0].hand
    if hand.weekday is None or ruleset(hand.ruleset, hand.options).weekday != "end":
        return hand.at
    return hand.at if weekday_of(source.club.zone)(hand.at) == hand.weekday else None

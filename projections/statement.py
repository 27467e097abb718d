"""What the journal shows: a member's statement 对账单, and the entries of the club 流水."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, select

from ledger.keyset import FIRST_PAGE, Page, cut, position_in
from projections.balances import added, of_entry
from projections.checkpoint import Place, live_place
from projections.journal import NAME, journal, postings

By = Literal["booked", "effective"]
Day = Literal["booked_date", "effective_date"]
DAYS: dict[By, Day] = {"booked": "booked_date", "effective": "effective_date"}
BEGINNING, END = "0001-01-01", "9999-12-31"


class Entry(Struct, frozen=True):
    """An entry of the journal: why points moved, when, by whom, and what it is linked with.

    `amount` are the points that came to an account. Links are positions; the note is a digest.
    """

    position: int
    kind: str
    occurred_at: int
    effective_date: str
    booked_date: str
    booked_at: int
    table: str | None
    number: int | None
    allowance: str | None
    dispute: str | None
    period: int | None
    reason: str | None
    note: str | None
    reverses: int | None
    reversed_by: int | None
    corrects: int | None
    actor: str
    role: str
    lines: int
    amount: int

    @property
    def id(self) -> str:
        """The entry's number, made of its position, so that a rebuild gives the same."""
        return f"jrn_{self.position}"


class Posting(Struct, frozen=True):
    """A line of an entry; counterparties are members with what came from each by a hand."""

    account: str
    line: int
    points: int
    balance_after: int
    version: int
    counterparties: list[dict[str, Any]]


class Posted(Struct, frozen=True):
    """An entry as a member sees it in his statement: with what it did to his account."""

    entry: Entry
    posting: Posting


class Statement(Struct, frozen=True):
    """What a member had before some days, what came and went in them, and what he had then.

    `lines` are those of a page, whose `balance_after` runs on from `opening` in their order.
    """

    opening: int
    came: int
    went: int
    lines: list[Posted]
    more: bool

    @property
    def closing(self) -> int:
        """What he had at the end."""
        return self.opening + self.came - self.went


_ENTRY = tuple(column for column in journal.c if column.name not in ("club", "generation"))
_POSTING = tuple(postings.c[name] for name in Posting.__struct_fields__)


def after_entry(connection: Connection, club: str, position: int) -> dict[str, int]:
    """What each account that the entry at a position moved had after it."""
    live = live_place(connection, club, NAME)
    found = select(postings.c.account, postings.c.balance_after)
    moved = found.where(*live.rows(postings), postings.c.position == position)
    return {row.account: row.balance_after for row in connection.execute(moved)}


# --- statements ---------------------------------------------------------------------------------


def member_entries(
    connection: Connection, club: str, member: str, page: Page = FIRST_PAGE
) -> tuple[list[Posted], bool]:
    """A page of a member's entries, the newest first, and whether older ones follow."""
    live = live_place(connection, club, NAME)
    order = (postings.c.position,)
    rows, more = _lines(connection, _posted(live, member), order, page, newest_first=True)
    return [_line(row) for row in rows], more


def statement(
    connection: Connection,
    club: str,
    member: str,
    first: str = BEGINNING,
    last: str = END,
    by: By = "booked",
    page: Page = FIRST_PAGE,
) -> Statement:
    """A member's statement over some business days, by when it was booked or by when it counts.

    The oldest line comes first; days are ISO dates, both included.
    """
    live, day = live_place(connection, club, NAME), postings.c[DAYS[by]]
    order = (day, postings.c.version)
    within = _posted(live, member).where(day >= first, day <= last)
    rows, more = _lines(connection, within, order, page, newest_first=False)
    mine = (*live.rows(postings), postings.c.account == member)
    opening = _added(connection, *mine, day < first)
    came = _added(connection, *mine, day >= first, day <= last, postings.c.points > 0)
    went = -_added(connection, *mine, day >= first, day <= last, postings.c.points < 0)
    lines = [_line(row) for row in rows]
    if lines:
        before = sa.tuple_(*order) < sa.tuple_(getattr(rows[0], DAYS[by]), rows[0].version)
        lines = _run_on(lines, _added(connection, *mine, before))
    return Statement(opening, came, went, lines, more)


def _run_on(lines: list[Posted], before: int) -> list[Posted]:
    """Lines whose balance runs on in their own order from what was there before."""
    after = accumulate((line.posting.points for line in lines), initial=before)
    next(after)
    return [
        replace(line, posting=replace(line.posting, balance_after=points))
        for line, points in zip(lines, after, strict=True)
    ]


def _posted(live: Place, member: str) -> sa.Select[Any]:
    """A member's postings, each with its entry."""
    mine = (*live.rows(postings), postings.c.account == member)
    return select(*_ENTRY, *_POSTING).join_from(postings, journal, of_entry()).where(*mine)


def _lines(
    connection: Connection,
    whole: sa.Select[Any],
    order: tuple[sa.ColumnElement[Any], ...],
    page: Page,
    *,
    newest_first: bool,
) -> tuple[list[Any], bool]:
    def place(entry: str) -> sa.Select[Any] | None:
        position = position_in("jrn", entry)
        named = whole.with_only_columns(*order)
        return None if position is None else named.where(postings.c.position == position)

    moment = postings.c.booked_at
    return cut(connection, whole, order, moment, page, place, newest_first=newest_first)


def _line(row: Any) -> Posted:
    entries = len(_ENTRY)
    return Posted(Entry(*row[:entries]), Posting(*row[entries:]))


def _added(connection: Connection, *where: sa.ColumnElement[bool]) -> int:
    total: int = connection.execute(select(added()).where(*where)).scalar_one()
    return total


# --- the journal --------------------------------------------------------------------------------


class Wanted(Struct, frozen=True):
    """Which entries: of a kind, an account, a table, a hand, a dispute, of some booked days."""

    kind: str | None = None
    account: str | None = None
    table: str | None = None
    hand: str | None = None
    dispute: str | None = None
    first: str | None = None
    last: str | None = None


def club_journal(
    connection: Connection, club: str, page: Page = FIRST_PAGE, wanted: Wanted | None = None
) -> tuple[list[Entry], bool]:
    """A page of the entries of a club, the newest first, and whether older ones follow."""
    live = live_place(connection, club, NAME)
    whole = select(*_ENTRY).where(*live.rows(journal), *_where(live, wanted or Wanted()))

    def place(entry: str) -> sa.Select[Any] | None:
        position = position_in("jrn", entry)
        named = whole.with_only_columns(journal.c.position)
        return None if position is None else named.where(journal.c.position == position)

    order = (journal.c.position,)
    rows, more = cut(connection, whole, order, journal.c.booked_at, page, place)
    return [Entry(*row) for row in rows], more


def entry(connection: Connection, club: str, name: str) -> tuple[Entry, list[Posting]] | None:
    """An entry by its id with its postings in their order; None where there is none."""
    live, position = live_place(connection, club, NAME), position_in("jrn", name)
    this = select(*_ENTRY).where(*live.rows(journal), journal.c.position == position)
    found = connection.execute(this).one_or_none()
    if found is None:
        return None
    its = select(*_POSTING).where(*live.rows(postings), postings.c.position == position)
    lines = connection.execute(its.order_by(postings.c.line))
    return Entry(*found), [Posting(*line) for line in lines]


def _where(live: Place, wanted: Wanted) -> list[sa.ColumnElement[bool]]:
    where = [
        column == value
        for column, value in (
            (journal.c.kind, wanted.kind),
            (journal.c.table_id, wanted.table),
            (journal.c.dispute, wanted.dispute),
        )
        if value is not None
    ]
    if wanted.account is not None:
        moved = select(postings.c.position).where(*live.rows(postings))
        where.append(journal.c.position.in_(moved.where(postings.c.account == wanted.account)))
    if wanted.hand is not None:
        where.append(_of_hand(wanted.hand))
    if wanted.first is not None:
        where.append(journal.c.booked_date >= wanted.first)
    if wanted.last is not None:
        where.append(journal.c.booked_date <= wanted.last)
    return where


def _of_hand(hand: str) -> sa.ColumnElement[bool]:
    """That an entry is of a hand, by its id; of what is no such id there are none."""
    parts = re.fullmatch(r"(.+)-([1-9][0-9]{0,8})", hand)
    if parts is None:
        return sa.false()
    return (journal.c.table_id == parts[1]) & (journal.c.number == int(parts[2]))

"""What the rows of an export are read from: one moment of the database, up to a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy import Connection, func, select

from ledger import access, store
from ledger.access import ClubRow, MemberRow
from ledger.days import EPOCH
from ledger.keyset import in_parts
from ledger.terminal import time_text
from projections.balances import whole_sum
from projections.checkpoint import Place, live_place
from projections.exports.asked import Asked
from projections.journal import ISSUED, NAME, accounts, journal, postings
from projections.statement import DAYS
from projections.sums import Span

ISSUED_CODE = "Equity:Points:Issued"
ISSUED_NAMES = {"en": "Points issued", "zh": "已发积分"}


@dataclass(frozen=True)
class Source:
    """A club at a position of its log, and what is asked of it; `member` is an id."""

    connection: Connection
    club: ClubRow
    asked: Asked
    position: int

    @cached_property
    def head(self) -> bytes:
        """The hash of the event at the position, which the club's checkpoints hold."""
        [row] = store.read_log(self.connection, self.club.club, self.position - 1, 1)
        return row.hash

    @cached_property
    def members(self) -> dict[str, MemberRow]:
        """Every member by id, in the order of the codes."""
        return {row.member: row for row in access.every_member(self.connection, self.club.club)}

    @cached_property
    def books(self) -> Place:
        """Where the live rows of the journal lie."""
        return live_place(self.connection, self.club.club, NAME)

    @property
    def span(self) -> Span:
        """The days and the ruleset that are asked for."""
        return Span(self.asked.first, self.asked.last, self.asked.ruleset)

    def code(self, member: str) -> str:
        """The code of a member."""
        return self.members[member].code

    def person(self, member: str | None) -> tuple[str | None, str | None]:
        """The code and the name of a member; of nobody neither."""
        row = self.members.get(member or "")
        return (row.code, row.name) if row else (member, None)

    def account(self, account: str) -> tuple[str, str]:
        """What accountants call an account, and whose it is."""
        if account == ISSUED:
            return ISSUED_CODE, ISSUED_NAMES[self.asked.language]
        row = self.members[account]
        return f"Assets:Members:{row.code}", row.name

    @cached_property
    def accounts(self) -> list[str]:
        """The accounts that there were at the position, or the one that is asked for."""
        here = (*self.books.rows(accounts), accounts.c.joined <= self.position)
        found = select(accounts.c.account).where(*here).order_by(accounts.c.joined)
        member = self.asked.member
        if member is not None:
            found = found.where(accounts.c.account == member)
        return list(self.connection.execute(found).scalars())

    def day(self, table: sa.Table) -> sa.Column[str]:
        """The day by which entries are asked for."""
        return table.c[DAYS[self.asked.by]]

    def booked(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        """The rows of the journal, or of its postings, up to the position."""
        return (*self.books.rows(table), table.c.position <= self.position)

    def within(self, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
        """Those of them that lie in the days that are asked for."""
        day, asked = self.day(table), self.asked
        after = () if asked.first is None else (day >= asked.first,)
        before = () if asked.last is None else (day <= asked.last,)
        return (*self.booked(table), *after, *before)

    @property
    def chosen(self) -> tuple[sa.ColumnElement[bool], ...]:
        """That a line, with its entry, is of the kind, table and member that are asked for."""
        asked = self.asked
        wanted = (
            (journal.c.kind, asked.entry_kind),
            (journal.c.table_id, asked.table),
            (postings.c.account, asked.member),
        )
        return tuple(column == value for column, value in wanted if value is not None)

    def openings(self) -> dict[str, int]:
        """What each account had before the first day; what had nothing is left out."""
        if self.asked.first is None:
            return {}
        before = self.day(postings) < self.asked.first
        had = (
            select(postings.c.account, whole_sum(func.sum(postings.c.points)))
            .where(*self.booked(postings), before)
            .group_by(postings.c.account)
        )
        return {account: points for account, points in self.connection.execute(had) if points}

    def read(self, rows: sa.Select[Any]) -> Iterator[Any]:
        """Rows, a part of them in memory at a time."""
        return in_parts(self.connection, rows)

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone of the clock by which moments are told."""
        return ZoneInfo(self.asked.timezone or self.club.zone)

    def local(self, at: int | None) -> str | None:
        """A moment by that clock: "2026-11-28 21:14:03"."""
        return None if at is None else _local(self.zone, at // 1_000_000)

    def utc(self, at: int | None) -> str | None:
        """A moment in UTC: "2026-11-28T13:14:03Z"."""
        return None if at is None else _utc(at // 1_000_000)

    def text(self, digest: str | None) -> str | None:
        """The text behind a digest, unless it was forgotten."""
        return digest and access.find_text(self.connection, self.club.club, digest)


@lru_cache(4096)
def _local(zone: ZoneInfo, second: int) -> str:
    return (EPOCH + timedelta(seconds=second)).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


@lru_cache(4096)
def _utc(second: int) -> str:
    return time_text(second * 1_000_000)

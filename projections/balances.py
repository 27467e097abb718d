"""What each account of the club has: balances 余额 now and at any time, and the sum of all.

A balance is as of a position or a moment (the last posting by then), as known on a day (what was
booked by its end) or as true on a day (what counts by its end, whenever it was booked).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from ledger.access import clubs, members
from ledger.keyset import FIRST_PAGE, Page, cut
from projections.checkpoint import Place, live_place
from projections.journal import ISSUED, NAME, accounts, doubted_hands, journal, postings


class When(Struct, frozen=True):
    """The time of a balance: a column of postings, and the bound up to which they count."""

    column: Literal["position", "booked_at", "booked_date", "effective_date"]
    bound: int | str


as_of = partial(When, "position")
as_of_moment = partial(When, "booked_at")
as_known = partial(When, "booked_date")
as_true = partial(When, "effective_date")


class Balance(Struct, frozen=True):
    """A member's points, and the hands that made them; every member has one from joining on.

    `version` is how many postings his account has had, `disputed` how many of his points came,
    or went below zero, by hands that are in an open dispute.
    """

    member: str
    points: int
    version: int
    hands: int
    last_hand: str | None
    disputed: int = 0


class Points(Struct, frozen=True):
    """A member's points at another time than now."""

    member: str
    points: int


class Account(Struct, frozen=True):
    """An account of the journal: a member's, or that of the points which the club has issued."""

    account: str
    code: str | None
    points: int
    version: int
    opened_at: int

    @property
    def name(self) -> str:
        """What accountants call it: `Assets:Members:M-0007`."""
        return "Equity:Points:Issued" if self.code is None else f"Assets:Members:{self.code}"


_ACCOUNT = (accounts.c.account, accounts.c.code, accounts.c.points, accounts.c.version)
_BALANCE = (
    accounts.c.account,
    accounts.c.points,
    accounts.c.version,
    accounts.c.hands,
    accounts.c.last_hand,
)
_JOINED_AT = (
    select(members.c.created_at)
    .where(members.c.club == accounts.c.club, members.c.member == accounts.c.account)
    .scalar_subquery()
)
_FOUNDED_AT = select(clubs.c.created_at).where(clubs.c.club == accounts.c.club).scalar_subquery()
_OPENED_AT = func.coalesce(_JOINED_AT, _FOUNDED_AT)


def club_balances(
    connection: Connection, club: str, page: Page = FIRST_PAGE
) -> tuple[list[Balance], bool]:
    """A page of the balances of a club, in the order of joining, and whether more follow."""
    live = live_place(connection, club, NAME)
    rows, more = _page(connection, _of_members(live, *_BALANCE), page, _JOINED_AT)
    return _doubted(connection, live, rows), more


def club_points(
    connection: Connection, club: str, when: When, page: Page = FIRST_PAGE
) -> tuple[list[Points], bool]:
    """A page of what each member of a club had at some time, and whether more follow."""
    live = live_place(connection, club, NAME)
    rows, more = _page(connection, _at(live, when), page, _JOINED_AT)
    return [Points(*row) for row in rows], more


def balance(connection: Connection, club: str, member: str) -> Balance | None:
    """A member's balance, or None where the projection knows no such member yet."""
    live = live_place(connection, club, NAME)
    found = _of_members(live, *_BALANCE).where(accounts.c.account == member)
    told = _doubted(connection, live, connection.execute(found).all())
    return told[0] if told else None


def points(connection: Connection, club: str, member: str, when: When) -> int:
    """What a member had at some time; somebody who never joined has nothing."""
    live = live_place(connection, club, NAME)
    found = connection.execute(_at(live, when).where(accounts.c.account == member)).first()
    return found.points if found else 0


def balances_true(connection: Connection, club: str, last: str) -> dict[str, int]:
    """The points of each member who has any by what counts up to a business day, as they joined."""
    live = live_place(connection, club, NAME)
    true = _at(live, as_true(last)).order_by(accounts.c.joined)
    return {row.account: row.points for row in connection.execute(true) if row.points}


def lost_on(connection: Connection, club: str, of: tuple[str, ...], day: str) -> dict[str, int]:
    """The points of members by the hands of a business day; below zero they have lost."""
    live = live_place(connection, club, NAME)
    hands = (
        select(postings.c.account, added())
        .join(journal, of_entry())
        .where(*live.rows(postings), postings.c.account.in_(of))
        .where(postings.c.effective_date == day, journal.c.table_id.is_not(None))
        .group_by(postings.c.account)
    )
    return {**dict.fromkeys(of, 0), **{row[0]: row[1] for row in connection.execute(hands)}}


def issued(connection: Connection, club: str) -> int:
    """The points that the club has issued: below zero as many as members were given."""
    live = live_place(connection, club, NAME)
    mine = select(accounts.c.points).where(*live.rows(accounts), accounts.c.account == ISSUED)
    return connection.execute(mine).scalar() or 0


def sum_of_all(connection: Connection, club: str) -> int:
    """The sum over all accounts, which is 0."""
    live = live_place(connection, club, NAME)
    whole = whole_sum(func.coalesce(func.sum(accounts.c.points), 0))
    total: int = connection.execute(select(whole).where(*live.rows(accounts))).scalar_one()
    return total


def club_accounts(
    connection: Connection, club: str, page: Page = FIRST_PAGE
) -> tuple[list[Account], bool]:
    """A page of the accounts of a club, the one of points issued first; and if more follow."""
    live = live_place(connection, club, NAME)
    whole = select(*_ACCOUNT, _OPENED_AT).where(*live.rows(accounts))
    rows, more = _page(connection, whole, page, _OPENED_AT)
    return [Account(*row) for row in rows], more


def _page(
    connection: Connection, whole: sa.Select[Any], page: Page, opened: sa.ColumnElement[Any]
) -> tuple[list[Any], bool]:
    """A page of accounts in the order in which they were opened."""

    def place(account: str) -> sa.Select[Any]:
        named = whole.with_only_columns(accounts.c.joined)
        return named.where(accounts.c.account == account)

    return cut(connection, whole, (accounts.c.joined,), opened, page, place, newest_first=False)


def _of_members(live: Place, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    return select(*columns).where(*live.rows(accounts), accounts.c.account != ISSUED)


def _at(live: Place, when: When) -> sa.Select[Any]:
    """What each member had at some time."""
    return _of_members(live, accounts.c.account, _points(live, when).label("points"))


def _points(live: Place, when: When) -> sa.ColumnElement[int]:
    """The points of an account at some time.

    Positions and moments come in the order of postings, so the last one tells its balance; days
    do not (a hand may be settled after midnight for the day before), so they are added up.
    """
    column = postings.c[when.column]
    mine = (*live.rows(postings), postings.c.account == accounts.c.account, column <= when.bound)
    if when.column in ("position", "booked_at"):
        newest = select(postings.c.balance_after).where(*mine)
        last = newest.order_by(column.desc(), postings.c.version.desc()).limit(1)
        return func.coalesce(last.scalar_subquery(), 0)
    return select(added()).where(*mine).scalar_subquery()


def _doubted(connection: Connection, live: Place, rows: Sequence[Any]) -> list[Balance]:
    """Balances, with what of them is in dispute."""
    doubted = _disputed(connection, live)
    return [replace(Balance(*row), disputed=doubted[row.account]) for row in rows]


def _disputed(connection: Connection, live: Place) -> Counter[str]:
    """What each account has by hands in an open dispute, as they are booked now.

    Asked in steps, each by its index, since a planner that guesses may read the whole journal.
    """
    is_open = (*live.rows(doubted_hands), doubted_hands.c.is_open == sa.true())
    asked = select(doubted_hands.c.table_id, doubted_hands.c.number).where(*is_open)
    hands = {(row.table_id, row.number) for row in connection.execute(asked)}
    points: Counter[str] = Counter()
    if hands:
        booked = select(postings.c.account, postings.c.points).where(*live.rows(postings))
        standing = _standing(connection, live, hands)
        for row in connection.execute(booked.where(postings.c.position.in_(standing))):
            points[row.account] += row.points
    return points


def _standing(connection: Connection, live: Place, hands: set[tuple[str, int]]) -> list[int]:
    """The entries by which hands are booked now."""
    tables = {table for table, _ in hands}
    stands = (journal.c.kind != "reversal", journal.c.reversed_by.is_(None))
    columns = (journal.c.position, journal.c.table_id, journal.c.number)
    found = select(*columns).where(*live.rows(journal), journal.c.table_id.in_(tables), *stands)
    rows = connection.execute(found)
    return [row.position for row in rows if (row.table_id, row.number) in hands]


def of_entry() -> sa.ColumnElement[bool]:
    """That a posting is of an entry."""
    return sa.and_(
        *(postings.c[name] == journal.c[name] for name in ("club", "generation", "position"))
    )


def added() -> sa.ColumnElement[int]:
    """The points of postings, added up."""
    return whole_sum(func.coalesce(func.sum(postings.c.points), 0))


def whole_sum(total: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """A sum as the whole number that it is; PostgreSQL adds up to decimals."""
    return sa.cast(total, sa.BigInteger)

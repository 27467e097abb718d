"""The list of closings 结账 / 清零: what was closed, with which balances, and who agrees to his."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select, update

from ledger.events import BalanceConfirmed, BalanceContested, PeriodClosed, PeriodReopened
from ledger.keyset import FIRST_PAGE, Page, cut
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place

NAME = "periods"

closings = sa.Table(
    "closings",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first_day", sa.Text, nullable=False),
    sa.Column("last_day", sa.Text, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("members", sa.Integer, nullable=False),
    sa.Column("total", sa.BigInteger, nullable=False),
    sa.Column("carried", sa.JSON, nullable=False),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("closed_by", sa.Text, nullable=False),
    sa.Column("closed_at", sa.BigInteger, nullable=False),
    sa.Column("booked_date", sa.Text, nullable=False),
    sa.Column("closed_position", sa.BigInteger, nullable=False),
    sa.Column("reopened_by", sa.Text),
    sa.Column("reopened_at", sa.BigInteger),
    sa.Column("reopening_note", sa.Text),
    sa.Column("reopened_position", sa.BigInteger),
)

closing_balances = sa.Table(
    "closing_balances",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("word", sa.Text, nullable=False),
    sa.Column("said_by", sa.Text),
    sa.Column("said_at", sa.BigInteger),
    sa.Column("note", sa.Text),
    sa.Index("closing_balances_in_order", "club", "generation", "number", "line", unique=True),
)


class PeriodRow(Struct, frozen=True):
    """A closing in the list, `closed` or `reopened`; its days are the first and the last of it.

    `members` have points in it, `total` together. `position` is that of the log at which the
    balances stood, `closed_position` and `reopened_position` where it was closed and undone.
    """

    number: int
    first: str
    last: str
    mode: str
    members: int
    total: int
    carried: list[str]
    position: int
    note: str | None
    state: str
    closed_by: str
    closed_at: int
    booked_date: str
    closed_position: int
    reopened_by: str | None
    reopened_at: int | None
    reopening_note: str | None
    reopened_position: int | None

    @property
    def id(self) -> str:
        """A closing's id is its number."""
        return str(self.number)


class ClosingBalance(Struct, frozen=True):
    """What a member had at a closing, and his word on it: `confirmed`, `contested`, `silent`."""

    member: str
    points: int
    word: str
    said_by: str | None
    said_at: int | None
    note: str | None


def _closed(connection: Connection, place: Place, row: Stored, fact: PeriodClosed) -> None:
    here = {**place.columns, "number": fact.number}
    closing = {
        "first_day": fact.first,
        "last_day": fact.last,
        "mode": fact.mode,
        "members": len(fact.balances),
        "total": sum(line.points for line in fact.balances),
        "carried": fact.carried,
        "position": fact.position,
        "note": fact.note,
        "state": "closed",
        "closed_by": fact.by,
        "closed_at": fact.at,
        "booked_date": fact.booked_date,
        "closed_position": row.position,
    }
    connection.execute(insert(closings), {**here, **closing})
    balances = [
        {**here, "member": line.member, "line": number, "points": line.points, "word": "silent"}
        for number, line in enumerate(fact.balances)
    ]
    if balances:
        connection.execute(insert(closing_balances), balances)


def _reopened(connection: Connection, place: Place, row: Stored, fact: PeriodReopened) -> None:
    undone = {
        "state": "reopened",
        "reopened_by": fact.by,
        "reopened_at": fact.at,
        "reopening_note": fact.note,
        "reopened_position": row.position,
    }
    this = (*place.rows(closings), closings.c.number == fact.number)
    changed = update(closings).where(*this).values(undone)
    connection.execute(changed.returning(closings.c.number)).one()


def _confirmed(connection: Connection, place: Place, _: Stored, fact: BalanceConfirmed) -> None:
    _say(connection, place, fact, word="confirmed", note=None)


def _contested(connection: Connection, place: Place, _: Stored, fact: BalanceContested) -> None:
    _say(connection, place, fact, word="contested", note=fact.note)


def _say(
    connection: Connection,
    place: Place,
    fact: BalanceConfirmed | BalanceContested,
    **word: str | None,
) -> None:
    """Put a member's word in the place of what he said before."""
    this = closing_balances.c.number == fact.number, closing_balances.c.member == fact.member
    said = {"said_by": fact.by, "said_at": fact.at, **word}
    changed = update(closing_balances).where(*place.rows(closing_balances), *this).values(said)
    connection.execute(changed.returning(closing_balances.c.member)).one()


PERIODS = Projection(
    NAME,
    (closings, closing_balances),
    {
        PeriodClosed: _closed,
        PeriodReopened: _reopened,
        BalanceConfirmed: _confirmed,
        BalanceContested: _contested,
    },
)

_PERIOD = tuple(column for column in closings.c if column.name not in ("club", "generation"))
_BALANCE = tuple(closing_balances.c[name] for name in ClosingBalance.__struct_fields__)


def club_periods(
    connection: Connection, club: str, page: Page = FIRST_PAGE
) -> tuple[list[PeriodRow], bool]:
    """A page of the closings of a club, the newest first, and whether older ones follow."""
    live = live_place(connection, club, NAME)
    whole = select(*_PERIOD).where(*live.rows(closings))

    def place(number: str) -> sa.Select[Any] | None:
        if not re.fullmatch(r"[1-9][0-9]{0,8}", number):
            return None
        named = select(closings.c.number).where(*live.rows(closings))
        return named.where(closings.c.number == int(number))

    rows, more = cut(connection, whole, (closings.c.number,), closings.c.closed_at, page, place)
    return [PeriodRow(*row) for row in rows], more


def period(connection: Connection, club: str, number: int) -> PeriodRow | None:
    """A closing by its number; None where there is none."""
    live = live_place(connection, club, NAME)
    found = select(*_PERIOD).where(*live.rows(closings), closings.c.number == number)
    row = connection.execute(found).one_or_none()
    return PeriodRow(*row) if row else None


def words(connection: Connection, club: str, number: int) -> dict[str, int]:
    """How many members of a closing have confirmed their balance, contested it, or are silent."""
    of_closing = _of_closing(live_place(connection, club, NAME), number)
    said = select(closing_balances.c.word, func.count().label("n")).where(*of_closing)
    counted = {
        row.word: row.n for row in connection.execute(said.group_by(closing_balances.c.word))
    }
    return {word: counted.get(word, 0) for word in ("confirmed", "contested", "silent")}


def closing_balance(
    connection: Connection, club: str, number: int, member: str
) -> ClosingBalance | None:
    """What a member had at a closing, and his word on it; None where he had nothing."""
    of_closing = _of_closing(live_place(connection, club, NAME), number)
    mine = closing_balances.c.member == member
    row = connection.execute(select(*_BALANCE).where(*of_closing, mine)).one_or_none()
    return ClosingBalance(*row) if row else None


def balances_of(
    connection: Connection,
    club: str,
    number: int,
    page: Page = FIRST_PAGE,
    *,
    word: str | None = None,
) -> tuple[list[ClosingBalance], bool]:
    """A page of the balances of a closing, in the order in which it tells them; by their word."""
    of_closing = _of_closing(live_place(connection, club, NAME), number)
    order = closing_balances.c.line
    whole = select(*_BALANCE).where(*of_closing)
    if word is not None:
        whole = whole.where(closing_balances.c.word == word)
    made = select(closings.c.closed_at).where(
        closings.c.club == closing_balances.c.club,
        closings.c.generation == closing_balances.c.generation,
        closings.c.number == closing_balances.c.number,
    )
    place = partial(_line_of, of_closing)
    rows, more = cut(
        connection, whole, (order,), made.scalar_subquery(), page, place, newest_first=False
    )
    return [ClosingBalance(*row) for row in rows], more


def _line_of(of_closing: tuple[sa.ColumnElement[bool], ...], member: str) -> sa.Select[Any]:
    mine = closing_balances.c.member == member
    return select(closing_balances.c.line).where(*of_closing, mine)


def _of_closing(live: Place, number: int) -> tuple[sa.ColumnElement[bool], ...]:
    return *live.rows(closing_balances), closing_balances.c.number == number

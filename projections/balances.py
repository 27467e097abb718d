"""What each member has 余额, and the entries that made it so 流水."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, bindparam, insert, select, update

from ledger.access import members
from ledger.events import HandSettled, MemberJoined, Paid
from ledger.keyset import FIRST_PAGE, Page, cut, position_in
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place

NAME = "balances"

balances = sa.Table(
    "balances",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("joined", sa.BigInteger, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("hands", sa.BigInteger, nullable=False),
    sa.Column("last_hand", sa.Text),
    sa.Index("balances_in_order", "club", "generation", "joined", unique=True),
)

entries = sa.Table(
    "entries",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("balance_after", sa.BigInteger, nullable=False),
    sa.Column("counterparties", sa.JSON, nullable=False),
    sa.Column("occurred_at", sa.BigInteger, nullable=False),
    sa.Column("effective_date", sa.Text, nullable=False),
    sa.Column("booked_date", sa.Text, nullable=False),
    sa.Column("booked_at", sa.BigInteger, nullable=False),
)


class Balance(Struct, frozen=True):
    """A member's points, and the hands that made them; every member has one from joining on."""

    member: str
    points: int
    hands: int
    last_hand: str | None


class Entry(Struct, frozen=True):
    """A line of a member's statement; counterparties are members with what came from each."""

    position: int
    kind: str
    table: str
    number: int
    points: int
    balance_after: int
    counterparties: list[dict[str, Any]]
    occurred_at: int
    effective_date: str
    booked_date: str
    booked_at: int

    @property
    def id(self) -> str:
        """The entry's number, made of its position, so that a rebuild gives the same."""
        return f"jrn_{self.position}"


def _joined(connection: Connection, place: Place, row: Stored, _: MemberJoined) -> None:
    member = row.stream.removeprefix("member/")
    new = {"member": member, "joined": row.position, "points": 0, "hands": 0}
    connection.execute(insert(balances).values(**place.columns, **new))


_BOOK = (
    update(balances)
    .where(
        balances.c.club == bindparam("of_club"),
        balances.c.generation == bindparam("of_generation"),
        balances.c.member == bindparam("of_member"),
    )
    .values(
        points=balances.c.points + bindparam("won"),
        hands=balances.c.hands + 1,
        last_hand=bindparam("hand"),
    )
    .returning(balances.c.points)
)


def _settled(connection: Connection, place: Place, row: Stored, fact: HandSettled) -> None:
    for seat, member in enumerate(fact.seats):
        booked = {
            "of_club": place.club,
            "of_generation": place.generation,
            "of_member": member,
            "won": fact.totals[seat],
            "hand": f"{fact.table}-{fact.number}",
        }
        after = connection.execute(_BOOK, booked).scalar_one()
        line = _line(row, fact, seat)
        if line["counterparties"]:
            of_member = {**place.columns, "member": member, "balance_after": after}
            connection.execute(insert(entries), {**of_member, **line})


def _line(row: Stored, fact: HandSettled, seat: int) -> dict[str, Any]:
    """What a settlement writes into one seat's statement, besides the balance it leaves."""
    return {
        "position": row.position,
        "kind": "settlement",
        "table_id": fact.table,
        "number": fact.number,
        "points": fact.totals[seat],
        "counterparties": [
            {"member": fact.seats[other], "points": points}
            for other, points in sorted(_flows(fact.payments, seat).items())
        ],
        "occurred_at": fact.ended_at,
        "effective_date": fact.effective_date,
        "booked_date": fact.booked_date,
        "booked_at": row.recorded_at,
    }


def _flows(payments: tuple[Paid, ...], seat: int) -> Counter[int]:
    """What came to a seat from each other one; less than nothing where it went there."""
    flows: Counter[int] = Counter()
    for payment in payments:
        if payment.payee == seat:
            flows[payment.payer] += payment.points
        elif payment.payer == seat:
            flows[payment.payee] -= payment.points
    return flows


BALANCES = Projection(NAME, (balances, entries), {MemberJoined: _joined, HandSettled: _settled})

_BALANCE = (balances.c.member, balances.c.points, balances.c.hands, balances.c.last_hand)
_ENTRY = tuple(
    column for column in entries.c if column.name not in ("club", "generation", "member")
)


_JOINED_AT = (
    select(members.c.created_at)
    .where(members.c.club == balances.c.club, members.c.member == balances.c.member)
    .scalar_subquery()
)


def club_balances(
    connection: Connection, club: str, page: Page = FIRST_PAGE
) -> tuple[list[Balance], bool]:
    """A page of the balances of a club, in the order of joining, and whether more follow."""
    live = live_place(connection, club, NAME)

    def place(member: str) -> sa.Select[Any]:
        return select(balances.c.joined).where(*live.rows(balances), balances.c.member == member)

    whole = select(*_BALANCE).where(*live.rows(balances))
    rows, more = cut(
        connection, whole, (balances.c.joined,), _JOINED_AT, page, place, newest_first=False
    )
    return [Balance(*row) for row in rows], more


def balance(connection: Connection, club: str, member: str) -> Balance | None:
    """A member's balance, or None where the projection knows no such member yet."""
    live = live_place(connection, club, NAME)
    found = select(*_BALANCE).where(*live.rows(balances), balances.c.member == member)
    row = connection.execute(found).one_or_none()
    return Balance(*row) if row else None


def member_entries(
    connection: Connection, club: str, member: str, page: Page = FIRST_PAGE
) -> tuple[list[Entry], bool]:
    """A page of a member's entries, the newest first, and whether older ones follow."""
    live = live_place(connection, club, NAME)
    whole = select(*_ENTRY).where(*live.rows(entries), entries.c.member == member)

    def place(entry: str) -> sa.Select[Any] | None:
        position = position_in("jrn", entry)
        named = whole.with_only_columns(entries.c.position)
        return None if position is None else named.where(entries.c.position == position)

    rows, more = cut(connection, whole, (entries.c.position,), entries.c.booked_at, page, place)
    return [Entry(*row) for row in rows], more

"""The journal 流水: each change of points as an entry that sums to zero, and the accounts it moves.

Every member has an account, on which what he wins is more. A hand books between members; points
enter and leave the club against those that it has issued.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, bindparam, insert, select, update

from ledger import events as e
from ledger.events import Fact, HandCorrected, HandReversed, HandSettled, Line, Paid
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection

NAME = "journal"
ISSUED = "issued"
"""The account of the points that the club has issued: `Equity:Points:Issued`."""
KINDS = ("settlement", "reversal", "correction", "allowance", "opening", "closing")
"""What an entry may be: a closed list, without commission, gift, transfer or cash-out."""

accounts = sa.Table(
    "accounts",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("code", sa.Text),
    sa.Column("joined", sa.BigInteger, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("hands", sa.BigInteger, nullable=False),
    sa.Column("last_hand", sa.Text),
    sa.Index("accounts_in_order", "club", "generation", "joined", unique=True),
)

journal = sa.Table(
    "journal",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("occurred_at", sa.BigInteger, nullable=False),
    sa.Column("effective_date", sa.Text, nullable=False),
    sa.Column("booked_date", sa.Text, nullable=False),
    sa.Column("booked_at", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.Text),
    sa.Column("number", sa.Integer),
    sa.Column("allowance", sa.Text),
    sa.Column("dispute", sa.Text),
    sa.Column("period", sa.Integer),
    sa.Column("reason", sa.Text),
    sa.Column("note", sa.Text),
    sa.Column("reverses", sa.BigInteger),
    sa.Column("reversed_by", sa.BigInteger),
    sa.Column("corrects", sa.BigInteger),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("lines", sa.Integer, nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Index("journal_by_kind", "club", "generation", "kind", "position"),
    sa.Index("journal_by_hand", "club", "generation", "table_id", "number", "position"),
    sa.Index("journal_by_dispute", "club", "generation", "dispute", "position"),
    sa.Index("journal_by_allowance", "club", "generation", "allowance", "position"),
    sa.Index("journal_by_booked_date", "club", "generation", "booked_date", "position"),
)

postings = sa.Table(
    "postings",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("balance_after", sa.BigInteger, nullable=False),
    sa.Column("effective_date", sa.Text, nullable=False),
    sa.Column("booked_date", sa.Text, nullable=False),
    sa.Column("booked_at", sa.BigInteger, nullable=False),
    sa.Column("counterparties", sa.JSON, nullable=False),
    sa.Index("postings_by_position", "club", "generation", "account", "position", unique=True),
    sa.Index("postings_by_moment", "club", "generation", "account", "booked_at", "version"),
    sa.Index("postings_as_known", "club", "generation", "account", "booked_date", "version"),
    sa.Index("postings_as_true", "club", "generation", "account", "effective_date", "version"),
    sa.Index("postings_of_entry", "club", "generation", "position", "line", unique=True),
)

doubted_hands = sa.Table(
    "doubted_hands",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("dispute", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("is_open", sa.Boolean, nullable=False),
    sa.Index("doubted_hands_open", "club", "generation", "is_open"),
)


class _Posting(Struct, frozen=True):
    """What an entry does to one account; counterparties are members with what came from each."""

    account: str
    points: int
    counterparties: list[dict[str, Any]]


# --- accounts -----------------------------------------------------------------------------------


def _founded(connection: Connection, place: Place, row: Stored, _: e.ClubFounded) -> None:
    _open_account(connection, place, row, ISSUED, None)


def _joined(connection: Connection, place: Place, row: Stored, fact: e.MemberJoined) -> None:
    _open_account(connection, place, row, row.stream.removeprefix("member/"), fact.code)


def _open_account(
    connection: Connection, place: Place, row: Stored, account: str, code: str | None
) -> None:
    new = {"account": account, "code": code, "joined": row.position}
    nothing = {"points": 0, "version": 0, "hands": 0}
    connection.execute(insert(accounts).values(**place.columns, **new, **nothing))


# --- hands --------------------------------------------------------------------------------------


def _settled(connection: Connection, place: Place, row: Stored, fact: HandSettled) -> None:
    _count(connection, place, fact)
    _book(connection, place, row, _by_seat(fact), {"kind": "settlement", **_of_hand(fact)})


def _reversed(connection: Connection, place: Place, row: Stored, fact: HandReversed) -> None:
    standing = (*_hand(fact), journal.c.kind != "reversal", journal.c.reversed_by.is_(None))
    points = dict(zip(fact.seats, fact.totals, strict=True))
    told = {**_of_hand(fact), "dispute": fact.dispute}
    _reverse(connection, place, row, standing, points, told)


def _corrected(connection: Connection, place: Place, row: Stored, fact: HandCorrected) -> None:
    first = select(journal.c.position).where(*place.rows(journal), *_hand(fact))
    settled = connection.execute(first.where(journal.c.kind == "settlement")).scalar_one()
    told = {"kind": "correction", "dispute": fact.dispute, "corrects": settled, **_of_hand(fact)}
    _book(connection, place, row, _by_seat(fact), told)


_PLAYED = (
    update(accounts)
    .where(
        accounts.c.club == bindparam("of_club"),
        accounts.c.generation == bindparam("of_generation"),
        accounts.c.account.in_(bindparam("seats", expanding=True)),
    )
    .values(hands=accounts.c.hands + 1, last_hand=bindparam("hand"))
)


def _count(connection: Connection, place: Place, fact: HandSettled) -> None:
    """Count a hand for those who sat in it; one whom nobody knows stops the projection."""
    here = {"of_club": place.club, "of_generation": place.generation}
    hand = {"hand": f"{fact.table}-{fact.number}", "seats": fact.seats}
    if connection.execute(_PLAYED, {**here, **hand}).rowcount != len(fact.seats):
        raise LookupError(f"not all of {', '.join(fact.seats)} have an account")


def _hand(fact: HandReversed | HandCorrected) -> tuple[sa.ColumnElement[bool], ...]:
    """The entries of a hand."""
    return journal.c.table_id == fact.table, journal.c.number == fact.number


def _of_hand(fact: HandSettled | HandReversed | HandCorrected) -> dict[str, Any]:
    """Which hand it is about, and its days."""
    return {
        "table_id": fact.table,
        "number": fact.number,
        "occurred_at": fact.ended_at,
        "effective_date": fact.effective_date,
        "booked_date": fact.booked_date,
    }


def _by_seat(fact: HandSettled | HandCorrected) -> list[_Posting]:
    """What a hand moves, seat by seat; who neither paid nor was paid is left out."""
    lines = []
    for seat, member in enumerate(fact.seats):
        flows = sorted(_flows(fact.payments, seat).items())
        parties = [{"member": fact.seats[other], "points": points} for other, points in flows]
        lines.append(_Posting(member, fact.totals[seat], parties))
    return [line for line in lines if line.points or line.counterparties]


def _flows(payments: tuple[Paid, ...], seat: int) -> Counter[int]:
    """What came to a seat from each other one; less than nothing where it went there."""
    flows: Counter[int] = Counter()
    for payment in payments:
        if payment.payee == seat:
            flows[payment.payer] += payment.points
        elif payment.payer == seat:
            flows[payment.payee] -= payment.points
    return flows


# --- points that the club issues and takes back -------------------------------------------------


def _allowed(connection: Connection, place: Place, row: Stored, fact: e.AllowancePosted) -> None:
    allowance = row.stream.removeprefix("allowance/")
    told = {"kind": fact.kind, "allowance": allowance, "reason": fact.reason}
    days = _days(fact, fact.effective_date)
    _book(connection, place, row, _against_issued(fact.lines), {**told, **days})


def _taken_back(
    connection: Connection, place: Place, row: Stored, fact: e.AllowanceReversed
) -> None:
    allowance = row.stream.removeprefix("allowance/")
    standing = (journal.c.allowance == allowance, journal.c.kind != "reversal")
    told = {"allowance": allowance, **_days(fact, fact.effective_date)}
    _reverse(connection, place, row, standing, _sums(fact.lines), told)


def _closed(connection: Connection, place: Place, row: Stored, fact: e.PeriodClosed) -> None:
    if fact.mode == "carry" or not any(line.points for line in fact.balances):
        return
    cleared = [Line(line.member, -line.points) for line in fact.balances]
    told = {"kind": "closing", "period": fact.number, **_days(fact, fact.last)}
    _book(connection, place, row, _against_issued(cleared), told)


def _reopened(connection: Connection, place: Place, row: Stored, fact: e.PeriodReopened) -> None:
    if not fact.lines:
        return
    standing = (journal.c.period == fact.number, journal.c.kind == "closing")
    told = {"period": fact.number, **_days(fact, fact.last)}
    _reverse(connection, place, row, standing, _sums(fact.lines), told)


Officers = e.AllowancePosted | e.AllowanceReversed | e.PeriodClosed | e.PeriodReopened


def _days(fact: Officers, effective_date: str) -> dict[str, Any]:
    """When an officer did something, from which day it counts, and why."""
    booked = {"booked_date": fact.booked_date, "effective_date": effective_date}
    return {"occurred_at": fact.at, "note": fact.note, **booked}


def _against_issued(lines: Iterable[Line]) -> list[_Posting]:
    """What members get and give, and as the last line what the club has issued for it."""
    sums = _sums(lines)
    given = [_Posting(member, points, []) for member, points in sums.items()]
    return [*given, _Posting(ISSUED, -sum(sums.values()), [])]


def _sums(lines: Iterable[Line]) -> dict[str, int]:
    """The points of each member, in the order in which the lines name them."""
    sums: dict[str, int] = {}
    for line in lines:
        sums[line.member] = sums.get(line.member, 0) + line.points
    return sums


# --- entries ------------------------------------------------------------------------------------

# Executed for every hand, so they stand here ready made.
_ENTER, _POST = insert(journal), insert(postings)
_MOVE = (
    update(accounts)
    .where(
        accounts.c.club == bindparam("of_club"),
        accounts.c.generation == bindparam("of_generation"),
        accounts.c.account == bindparam("of_account"),
    )
    .values(points=accounts.c.points + bindparam("moved"), version=accounts.c.version + 1)
    .returning(accounts.c.points.label("balance_after"), accounts.c.version)
)


def _book(
    connection: Connection,
    place: Place,
    row: Stored,
    lines: list[_Posting],
    told: Mapping[str, Any],
) -> None:
    """Write an entry and what it does to its accounts; one that does not sum to zero stops."""
    if sum(line.points for line in lines):
        raise ValueError("the entry does not sum to zero")
    amount = sum(line.points for line in lines if line.points > 0)
    by = {"actor": row.actor, "role": row.role, "lines": len(lines), "amount": amount}
    when = {"position": row.position, "booked_at": row.recorded_at}
    connection.execute(_ENTER, {**place.columns, **when, **by, **told})
    days = {day: told[day] for day in ("effective_date", "booked_date")}
    posted = [
        {
            **{**place.columns, **when, **days, "line": number, "account": line.account},
            **{"points": line.points, "counterparties": line.counterparties},
            **_move(connection, place, line),
        }
        for number, line in enumerate(lines, 1)
    ]
    if posted:
        connection.execute(_POST, posted)


def _move(connection: Connection, place: Place, line: _Posting) -> dict[str, int]:
    """Move an account by a line; says what it leaves there, and the account's version."""
    here = {"of_club": place.club, "of_generation": place.generation, "of_account": line.account}
    moved = connection.execute(_MOVE, {**here, "moved": line.points}).one()
    return dict(moved._mapping)


def _reverse(
    connection: Connection,
    place: Place,
    row: Stored,
    standing: tuple[sa.ColumnElement[bool], ...],
    points: Mapping[str, int],
    told: Mapping[str, Any],
) -> None:
    """Book the exact opposite of the entry that stands, and link the two.

    `points` is what the event says of each member; an event that says anything else than the
    opposite stops the projection.
    """
    stands = (*place.rows(journal), *standing, journal.c.reversed_by.is_(None))
    original = connection.execute(select(journal.c.position).where(*stands)).scalar_one()
    lines = _opposite(connection, place, original)
    booked = Counter({line.account: line.points for line in lines if line.account != ISSUED})
    if booked != Counter(points):
        raise ValueError(f"it is not the opposite of jrn_{original}")
    _book(connection, place, row, lines, {"kind": "reversal", "reverses": original, **told})
    linked = update(journal).where(*place.rows(journal), journal.c.position == original)
    connection.execute(linked.values(reversed_by=row.position))


def _opposite(connection: Connection, place: Place, original: int) -> list[_Posting]:
    columns = (postings.c.account, postings.c.points, postings.c.counterparties)
    booked = select(*columns).where(*place.rows(postings), postings.c.position == original)
    return [
        _Posting(
            line.account,
            -line.points,
            [{**party, "points": -party["points"]} for party in line.counterparties],
        )
        for line in connection.execute(booked.order_by(postings.c.line))
    ]


# --- hands in dispute 争议 ------------------------------------------------------------------------


def _filed(connection: Connection, place: Place, row: Stored, fact: e.DisputeFiled) -> None:
    new = {"dispute": row.stream.removeprefix("dispute/"), "is_open": True}
    hand = {"table_id": fact.table, "number": fact.number}
    connection.execute(insert(doubted_hands).values(**place.columns, **new, **hand))


def _set_open(connection: Connection, place: Place, row: Stored, _: Fact, *, is_open: bool) -> None:
    dispute = doubted_hands.c.dispute == row.stream.removeprefix("dispute/")
    changed = update(doubted_hands).where(*place.rows(doubted_hands), dispute)
    connection.execute(changed.values(is_open=is_open).returning(doubted_hands.c.number)).one()


_ended, _appealed = partial(_set_open, is_open=False), partial(_set_open, is_open=True)

JOURNAL = Projection(
    NAME,
    (postings, journal, accounts, doubted_hands),
    {
        e.ClubFounded: _founded,
        e.MemberJoined: _joined,
        HandSettled: _settled,
        HandReversed: _reversed,
        HandCorrected: _corrected,
        e.AllowancePosted: _allowed,
        e.AllowanceReversed: _taken_back,
        e.PeriodClosed: _closed,
        e.PeriodReopened: _reopened,
        e.DisputeFiled: _filed,
        e.DisputeDecided: _ended,
        e.DisputeAppealed: _appealed,
        e.DisputeWithdrawn: _ended,
        e.DisputeExpired: _ended,
    },
)

"""Closing the books over a period 结账 / 清零: what stands in its way, and what it writes."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection

from ledger import booked, codec, disputing, jobs, seating, store
from ledger.acts import Desk, noted, order_of
from ledger.events import Carrying, Line
from ledger.jobs import SETTLE
from ledger.limiting import books_of
from ledger.orders import Order
from ledger.perform import Beside, Done, perform_as_seen
from ledger.refusal import Refused
from ledger.rights import Command
from ledger.seating import CLOSED_UNTIL
from ledger.store import Guard
from ledger.streams import period as period_stream
from ledger.streams.period import (
    ClosePeriod,
    ConfirmBalance,
    ContestBalance,
    Periods,
    ReopenPeriod,
    closed_until,
    next_first,
)

TRIES = 5
"""How often the books are read anew for a closing, where others book meanwhile."""


class Checklist(Struct, frozen=True):
    """What a closing would be: its days, what stands in its way, and what each member has.

    Open tables and hands that are not settled stand in its way; open disputes are carried over.
    """

    first: str
    last: str
    open_tables: tuple[str, ...]
    unsettled: tuple[str, ...]
    disputes: tuple[str, ...]
    balances: tuple[Line, ...]
    position: int


def checklist(desk: Desk, last: str) -> Checklist:
    """What stands in the way of a closing, and what it would say of each member."""
    position, balances = books_of(desk.ledger).closing(desk.ledger.database, desk.club, last)
    with desk.ledger.database.read() as connection:
        first = next_first(
            periods_of(connection, desk.club), seating.founded(connection, desk.club)
        )
        return Checklist(
            first=first,
            last=last,
            open_tables=seating.open_tables(connection, desk.club, last),
            unsettled=tuple(jobs.undone(connection, desk.club, SETTLE)),
            disputes=disputing.open_of(connection, desk.club),
            balances=balances,
            position=position,
        )


def close(desk: Desk, last: str, mode: Carrying, note: str | None) -> Done:
    """Close the books up to a business day, the last one included.

    Whoever opens a table, or books anything up to that day at the same time, is before it or after
    it: all of it is looked at again where nobody else writes. Refuses where others book all the
    while (`books_moved`).
    """
    for _ in range(TRIES):
        try:
            return _close(desk, last, mode, note)
        except Refused as refusal:
            if refusal.code != "books_moved":
                raise
    raise Refused("books_moved", last=last)


def _close(desk: Desk, last: str, mode: Carrying, note: str | None) -> Done:
    """Close the books as they are read first; refuses where they have moved since."""
    digest, keep = noted(desk, note)
    position, balances = books_of(desk.ledger).closing(desk.ledger.database, desk.club, last)

    def asking(connection: Connection) -> tuple[Order, Beside]:
        command = ClosePeriod(
            last=last,
            mode=mode,
            balances=balances,
            carried=disputing.open_of(connection, desk.club),
            open_tables=seating.open_tables(connection, desk.club, last),
            unsettled=len(jobs.undone(connection, desk.club, SETTLE)),
            position=position,
            note=digest,
            by=desk.caller.actor,
            founded=seating.founded(connection, desk.club),
        )
        closed = store.guard(connection, desk.club, CLOSED_UNTIL)
        order = _order(desk, command, Guard(CLOSED_UNTIL, closed, last))

        def beside(connection: Connection) -> None:
            keep(connection)
            if booked.moved_since(connection, desk.club, position, last):
                raise Refused("books_moved", last=last)
            period_stream.check_ready(
                seating.open_tables(connection, desk.club, last),
                len(jobs.undone(connection, desk.club, SETTLE)),
            )

        return order, beside

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def reopen(desk: Desk, number: int, note: str) -> Done:
    """Open the last closed period again, and undo what its closing booked."""
    digest, keep = noted(desk, note)
    assert digest is not None
    command = ReopenPeriod(number, digest, desk.caller.actor)

    def asking(connection: Connection) -> tuple[Order, Beside]:
        closed = store.guard(connection, desk.club, CLOSED_UNTIL)
        before = closed_until(_without(periods_of(connection, desk.club), number))
        return _order(desk, command, Guard(CLOSED_UNTIL, closed, before)), keep

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def confirm(desk: Desk, number: int) -> Done:
    """Agree, as a member, to the points that a closing says one has."""
    return _say(
        desk, ConfirmBalance(number, desk.caller.as_member(), desk.caller.actor), lambda _: None
    )


def contest(desk: Desk, number: int, note: str) -> Done:
    """Say, as a member, that the points that a closing says one has are wrong."""
    digest, keep = noted(desk, note)
    assert digest is not None
    return _say(
        desk, ContestBalance(number, desk.caller.as_member(), digest, desk.caller.actor), keep
    )


def periods_of(connection: Connection, club: str) -> Periods:
    """The closings of a club."""
    rows = store.read_stream(connection, club, f"period/{club}")
    return period_stream.fold(codec.unseal(row.type, row.public) for row in rows)


def _say(desk: Desk, command: Command, keep: Beside) -> Done:
    return perform_as_seen(
        desk.ledger, desk.caller, desk.club, lambda _: (_order(desk, command), keep)
    )


def _order(desk: Desk, command: Command, *guards: Guard) -> Order:
    return order_of(desk, f"period/{desk.club}", command, *guards)


def _without(periods: Periods, number: int) -> Periods:
    """The closings as they are once one of them is open again."""
    closings = {one: closing for one, closing in periods.closings.items() if one != number}
    return Periods(closings)

"""Allowances 上分 / 下分 and opening balances: asked for, approved, booked, undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, seating, store
from ledger.acts import Desk, named, noted, order_of, order_on
from ledger.events import Granting, Line
from ledger.orders import Order
from ledger.perform import Beside, Done, perform_as_seen
from ledger.refusal import Refused
from ledger.store import Guard
from ledger.streams.allowance import (
    AllowanceCommand,
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)

_Asking = Callable[[Connection, str | None], AllowanceCommand]
"""Makes a command of what is seen when it is decided, and the last day that is closed."""


class Grant(Struct, frozen=True):
    """What is asked for: the points of each member, named by id or code, and why.

    `control` is the sum that the lines must have, where their sender counted them.
    """

    kind: Granting
    lines: tuple[Line, ...]
    reason: str
    note: str | None = None
    effective_date: str | None = None
    control: int | None = None


def request(desk: Desk, grant: Grant) -> Done:
    """Ask that members be given points; within the club's limit they are booked at once."""
    total = sum(line.points for line in grant.lines)
    if grant.control is not None and grant.control != total:
        raise Refused("control_total", pointer="/control", told=grant.control, sum=total)
    lines = _of_members(desk, grant.lines)
    digest, keep = noted(desk, grant.note)
    allowance = named(desk, "alw")

    def asking(connection: Connection, closed: str | None) -> AllowanceCommand:
        limit = seating.club_limits(connection, desk.club).allowance
        return RequestAllowance(
            grant.kind,
            lines,
            grant.reason,
            digest,
            grant.effective_date,
            desk.caller.actor,
            limit,
            closed,
        )

    return _with_open_books(desk, allowance, asking, keep)


def approve(desk: Desk, allowance: str) -> Done:
    """Agree, as a second person, that the points be booked."""

    def asking(_: Connection, closed: str | None) -> AllowanceCommand:
        return ApproveAllowance(desk.caller.actor, closed)

    return _with_open_books(desk, allowance, asking, lambda _: None)


def refuse(desk: Desk, allowance: str, note: str | None) -> Done:
    """Do not give what was asked for; who asked for it takes it back so himself."""
    digest, keep = noted(desk, note)
    return order_on(
        desk, f"allowance/{allowance}", RefuseAllowance(digest, desk.caller.actor), keep
    )


def reverse(desk: Desk, allowance: str, note: str | None) -> Done:
    """Undo what was booked by its exact opposite, once."""
    digest, keep = noted(desk, note)
    command = ReverseAllowance(digest, desk.caller.actor)
    return order_on(desk, f"allowance/{allowance}", command, keep)


def _with_open_books(desk: Desk, allowance: str, asking: _Asking, keep: Beside) -> Done:
    """An order that holds for the days that are closed when it is written, and no others."""

    def seen(connection: Connection) -> tuple[Order, Beside]:
        closed = store.guard(connection, desk.club, seating.CLOSED_UNTIL)
        guard = Guard(seating.CLOSED_UNTIL, closed, closed)
        command = asking(connection, closed)
        order = order_of(desk, f"allowance/{allowance}", command, guard)
        return order, keep

    return perform_as_seen(desk.ledger, desk.caller, desk.club, seen)


def _of_members(desk: Desk, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines by members' ids."""
    names = tuple(line.member for line in lines)
    with desk.ledger.database.read() as connection:
        found = access.find_members(connection, desk.club, names)
    for place, name in enumerate(names):
        if name not in found:
            raise Refused("member_unknown", pointer=f"/lines/{place}/member", member=name)
    return tuple(Line(found[line.member].member, line.points) for line in lines)

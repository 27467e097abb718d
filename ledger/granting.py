"""Allowances 上分 / 下分 and opening balances: asked for, approved, booked, undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import access, codec, parties, seating, store
from ledger.acts import Desk, named, noted, order_of, order_on
from ledger.events import Granting, Line
from ledger.orders import Order
from ledger.perform import Beside, Done, perform_as_seen
from ledger.present import present
from ledger.refusal import Refused
from ledger.rights import as_now
from ledger.seating import OPENING
from ledger.store import Guard
from ledger.streams import allowance as allowance_stream
from ledger.streams.allowance import (
    Allowance,
    AllowanceCommand,
    ApproveAllowance,
    Known,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
    moved_alone,
    takes_two,
)

ALONE = "alone/"
"""The guards that hold, by who did it, what he moved for whom today without a second person."""


class _Alone(Struct, frozen=True):
    """What somebody moved for members on a business day without a second person."""

    day: str = ""
    points: dict[str, int] = {}


class _Asked(Struct, frozen=True):
    """A command made of what is seen, and what must be as it was seen when it is written."""

    command: AllowanceCommand
    guards: tuple[Guard, ...] = ()


_Asking = Callable[[Connection, str | None], _Asked]
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

    def asking(connection: Connection, closed: str | None) -> _Asked:
        today = present(connection, desk.club, desk.ledger.clock())
        held = store.guard(connection, desk.club, ALONE + desk.caller.actor)
        alone = _alone(held, today.day(today.at))
        command = RequestAllowance(
            grant.kind,
            lines,
            grant.reason,
            digest,
            grant.effective_date,
            desk.caller.actor,
            seating.club_limits(connection, desk.club).allowance,
            closed,
            _known_of(connection, desk, lines, alone.points),
        )
        if takes_two(command):
            return _Asked(command)
        after = replace(alone, points={**alone.points, **moved_alone(command)})
        kept = Guard(ALONE + desk.caller.actor, held, msgspec.json.encode(after).decode())
        return _Asked(command, (kept, *_opened_by(grant.kind, lines, allowance)))

    return _with_open_books(desk, allowance, asking, keep)


def approve(desk: Desk, allowance: str) -> Done:
    """Agree, as a second person, that the points be booked."""

    def asking(connection: Connection, closed: str | None) -> _Asked:
        actor, found = desk.caller.actor, _find(connection, desk.club, allowance)
        if found is None or found.state != "requested":
            return _Asked(ApproveAllowance(actor, closed))
        kind, lines = found.asked.kind, found.asked.lines
        known = replace(_known(connection, desk.club, lines), own=_own(connection, desk))
        command = ApproveAllowance(actor, closed, known)
        return _Asked(command, _opened_by(kind, lines, allowance))

    return _with_open_books(desk, allowance, asking, lambda _: None)


def refuse(desk: Desk, allowance: str, note: str | None) -> Done:
    """Do not give what was asked for; who asked for it takes it back so himself."""
    digest, keep = noted(desk, note)
    return order_on(
        desk, f"allowance/{allowance}", RefuseAllowance(digest, desk.caller.actor), keep
    )


def reverse(desk: Desk, allowance: str, note: str | None) -> Done:
    """Undo what was booked by its exact opposite, once; opening balances can be given anew then."""
    digest, keep = noted(desk, note)

    def asking(connection: Connection, _: str | None) -> _Asked:
        known = Known(own=_own(connection, desk, "owner"))
        held = store.guards_of(connection, desk.club, OPENING)
        opened = (Guard(key, allowance, None) for key, by in held.items() if by == allowance)
        command = ReverseAllowance(digest, desk.caller.actor, known)
        return _Asked(command, tuple(opened))

    return _with_open_books(desk, allowance, asking, keep)


def _with_open_books(desk: Desk, allowance: str, asking: _Asking, keep: Beside) -> Done:
    """An order that holds for the days that are closed when it is written, and no others."""

    def seen(connection: Connection) -> tuple[Order, Beside]:
        closed = store.guard(connection, desk.club, seating.CLOSED_UNTIL)
        guard = Guard(seating.CLOSED_UNTIL, closed, closed)
        asked = asking(connection, closed)
        order = order_of(desk, f"allowance/{allowance}", asked.command, guard, *asked.guards)
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


def _find(connection: Connection, club: str, allowance: str) -> Allowance | None:
    rows = store.read_stream(connection, club, f"allowance/{allowance}")
    return allowance_stream.fold(codec.unseal(row.type, row.public) for row in rows)


def _known_of(
    connection: Connection, desk: Desk, lines: Sequence[Line], alone: dict[str, int]
) -> Known:
    """What is known when points are asked for; an owner may give them to himself."""
    own, founded = _own(connection, desk, "owner"), seating.founded(connection, desk.club)
    return replace(_known(connection, desk.club, lines), own=own, alone=alone, founded=founded)


def _known(connection: Connection, club: str, lines: Sequence[Line]) -> Known:
    """What is known of the members of some lines, whoever decides."""
    members = tuple(line.member for line in lines)
    held = store.guards_of(connection, club, OPENING)
    opened = frozenset(key.removeprefix(OPENING) for key in held)
    return Known(opened=opened, away=seating.away(connection, club, members))


def _own(connection: Connection, desk: Desk, *roles: str) -> frozenset[str]:
    """The members that the caller is, or has been, unless in one of these roles it is no matter."""
    caller = as_now(connection, desk.caller, desk.club)
    own = () if caller.has(*roles) else parties.ever(connection, desk.club, caller)
    return frozenset(own)


def _alone(held: str | None, day: str) -> _Alone:
    """What somebody has moved alone on a day, by what a guard holds; of another day it is over."""
    found = _Alone() if held is None else msgspec.json.decode(held, type=_Alone)
    return found if found.day == day else _Alone(day)


def _opened_by(kind: Granting, lines: Sequence[Line], allowance: str) -> tuple[Guard, ...]:
    """The guards of an opening balance that is booked: nobody else has opened those books."""
    if kind != "opening":
        return ()
    return tuple(Guard(OPENING + line.member, None, allowance) for line in lines)

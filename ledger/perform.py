"""The one door for every write: authorise, fold, decide, append.

Fold and decide come before the log's lock; inside it only versions, guards, leaf, chain and
insert. Whoever was overtaken twice decides inside the lock, where nobody can overtake him. A
command id is looked up first, so a retry gets its first answer whatever has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, codec, jobs, metrics, seating, store
from ledger.access import Caller
from ledger.database import Database
from ledger.jobs import SETTLE
from ledger.orders import Order, Plan, check_right, plan
from ledger.refusal import Refused
from ledger.rights import WORKER, check_still
from ledger.seating import Books
from ledger.store import Append, Appended
from ledger.streams.club import FoundClub

Beside = Callable[[Connection], None]
"""Writes what belongs to an order outside of events, in its transaction."""
TRIES = 2
"""How often an order is decided before its log's lock is asked for."""
log = structlog.get_logger()


@dataclass(frozen=True)
class Ledger:
    """A ledger that runs: its database, and what pure rooms must be handed.

    `clock` gives microseconds of UTC, `token` random bytes.
    `appended` is told of every commit: the club, the types of its events and the jobs it left.
    It is a hint, and may be lost. `books` is the read side, of which limits and closings ask what
    members have.
    """

    database: Database
    clock: Callable[[], int]
    token: Callable[[int], bytes]
    appended: Callable[[str, frozenset[str], tuple[int, ...]], None]
    books: Books | None = None


class _Raced(Exception):
    """Something happened between fold and append that changes what was decided."""


class Done(Struct, frozen=True):
    """What an order came to: the positions of its events, 0 where nothing had to happen."""

    club: str
    stream: str
    version: int
    first: int
    last: int
    replayed: bool = False


Asking = Callable[[Connection], tuple[Order, Beside | None]]
"""Makes an order of what is seen at the moment when it is decided, and what is written beside."""


class _Decided(Struct, frozen=True):
    """An order and what it comes to, before it is written."""

    order: Order
    beside: Beside | None
    plan: Plan
    append: Append


def perform(
    ledger: Ledger,
    caller: Caller,
    order: Order,
    beside: Beside | None = None,
) -> Done:
    """Do what is ordered, once; `beside` writes what belongs to it outside of events.

    Refuses what the caller may not do, what the state or the rules forbid, a stale version, and
    a command id that came with another request.
    """
    raced = () if order.expected is not None else ("version_stale",)
    return _perform(ledger, caller, order.club, lambda _: (order, beside), raced)


def perform_as_seen(ledger: Ledger, caller: Caller, club: str, asking: Asking) -> Done:
    """Do an order that is made anew, its guards too, whenever another one overtook it."""
    return _perform(ledger, caller, club, asking, ("version_stale", "guard_stale"))


def _perform(
    ledger: Ledger, caller: Caller, club: str, asking: Asking, raced: tuple[str, ...]
) -> Done:
    """Decide and append; `raced` are the refusals that say that another was faster."""
    for _ in range(TRIES):
        try:
            return _decided_before(ledger, caller, club, asking)
        except _Raced:
            continue
        except Refused as refusal:
            if refusal.code not in raced:
                raise
    return _decided_inside(ledger, caller, club, asking)


def _decided_before(ledger: Ledger, caller: Caller, club: str, asking: Asking) -> Done:
    """Fold and decide, then take the log's lock and append if nobody was faster."""
    with ledger.database.read() as connection:
        found = _decide(connection, ledger, caller, asking)
    if isinstance(found, Done):
        return found
    with metrics.APPEND_SECONDS.time(), ledger.database.write_of(club) as connection:
        done, left = _write(connection, caller, found)
    return _tell(ledger, found, done, left)


def _decided_inside(ledger: Ledger, caller: Caller, club: str, asking: Asking) -> Done:
    """Take the log's lock, then fold, decide and append: the others wait for all of it."""
    with metrics.APPEND_SECONDS.time(), ledger.database.write_of(club) as connection:
        store.hold(connection, club)
        found = _decide(connection, ledger, caller, asking)
        if isinstance(found, Done):
            return found
        done, left = _write(connection, caller, found)
    return _tell(ledger, found, done, left)


def was_done(ledger: Ledger, caller: Caller, order: Order) -> bool:
    """Whether an order was done by an earlier request, so that nothing is asked about it again.

    Refuses its command id with another request, and who may not give it: what else stands in its
    way is not his to know.
    """
    command = command_id(order, caller)
    with ledger.database.read() as connection:
        if command is not None and store.replay(connection, order.club, command) is not None:
            return True
        check_right(connection, caller, order)
    return False


def command_id(order: Order, caller: Caller) -> store.Command | None:
    """The digest of club, caller and key, and the hash of the request it is bound to."""
    if order.key is None:
        return None
    parts = (order.club.encode(), caller.actor.encode(), order.key.encode())
    return store.Command(hashlib.sha256(codec.pack(parts)).digest(), order.request)


def _decide(
    connection: Connection, ledger: Ledger, caller: Caller, asking: Asking
) -> Done | _Decided:
    """What an order comes to as things stand; one that was done already is."""
    order, beside = asking(connection)
    command = command_id(order, caller)
    known = command and store.replay(connection, order.club, command)
    if known:
        return _done_before(connection, order, known)
    decided = plan(connection, caller, order, ledger.clock, rehearses=ledger.database.rehearses)
    return _Decided(order, beside, decided, _append(caller, order, decided, command))


def _write(connection: Connection, caller: Caller, found: _Decided) -> tuple[Done, tuple[int, ...]]:
    """Append what was decided and write what belongs to it; says the jobs that it leaves."""
    order, plan = found.order, found.plan
    appended = store.append(connection, found.append)
    if appended.replayed:
        return _done_before(connection, order, appended), ()
    if check_still(connection, caller, order.club, plan.role, plan.now.clock) != plan.roles:
        raise _Raced
    done = _done(order, appended, plan.version)
    if not plan.types:
        return done, ()
    left = _keep(connection, caller, order, plan, appended)
    if found.beside is not None:
        found.beside(connection)
    return done, left


def _keep(
    connection: Connection, caller: Caller, order: Order, plan: Plan, appended: Appended
) -> tuple[int, ...]:
    """Keep what goes with events just appended: where they came from, and the jobs they leave."""
    days = {plan.now.day(plan.now.at), plan.now.day(appended.recorded_at)}
    if len(days) > 1:
        raise _Raced
    for day in plan.days:
        seating.check_open_day(connection, order.club, day)
    if plan.closed:
        seating.leave(connection, order.club, order.stream.removeprefix("table/"))
    if caller.origin is not None and plan.role not in ("recorder", WORKER):
        access.keep_origin(connection, order.club, appended.last, caller.origin)
    return _leave_jobs(connection, order, plan, appended)


def _tell(ledger: Ledger, found: _Decided, done: Done, left: tuple[int, ...]) -> Done:
    """Give the hint of a commit; what is committed is done, whatever becomes of its hint."""
    types = found.plan.types
    if types and not done.replayed:
        hint(ledger, done.club, types, left)
    return done


def hint(ledger: Ledger, club: str, types: frozenset[str], left: tuple[int, ...]) -> None:
    """Tell of a commit whoever waits for one; that it could not be told undoes nothing."""
    try:
        ledger.appended(club, types, left)
    except Exception as fault:
        log.warning("hint_lost", club=club, error=f"{type(fault).__name__}: {fault}")


def _append(caller: Caller, order: Order, plan: Plan, command: store.Command | None) -> Append:
    return Append(
        club=order.club,
        actor=caller.actor,
        role=plan.role,
        recorded_at=plan.now.at,
        command=command,
        writings=plan.writings,
        guards=order.guards,
        founds=isinstance(order.commands[0], FoundClub),
    )


def _leave_jobs(
    connection: Connection, order: Order, plan: Plan, appended: Appended
) -> tuple[int, ...]:
    """The jobs that the end of a hand leaves, in the transaction of its append.

    How long they wait is measured by the machine's clock.
    """
    at, first = plan.now.clock, appended.first
    return tuple(
        jobs.insert(connection, order.club, SETTLE, subject, first + offset, at)
        for subject, offset in plan.ended
    )


def _done_before(connection: Connection, order: Order, appended: Appended) -> Done:
    """What an order came to when it was asked first."""
    version = store.stream_version(connection, order.club, order.stream, appended.last)
    return _done(order, appended, version)


def _done(order: Order, appended: Appended, version: int) -> Done:
    happened = appended.first <= appended.last
    first, last = (appended.first, appended.last) if happened else (0, 0)
    return Done(order.club, order.stream, version, first, last, appended.replayed)

"""The one door for every write: authorise, fold, decide, append.

Fold and decide come before the log's lock; inside it only versions, guards, leaf, chain and
insert. Whoever was overtaken twice decides inside the lock, where nobody can overtake him. A
command id is looked up first, so a retry gets its first answer whatever has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, codec, jobs, metrics, sight, store
from ledger.access import Caller
from ledger.codec import Sealed
from ledger.database import Database
from ledger.events import Event, HandEnded, HandStarted, WallBuilt, slot
from ledger.present import present
from ledger.refusal import Refused
from ledger.rights import WORKER, Command, allow, check_still
from ledger.store import Append, Appended, Guard, Writing
from ledger.streams.club import FoundClub
from ledger.streams.kinds import STREAMS
from ledger.streams.now import Now
from ledger.streams.table import Table
from ledger.tiles import parse_tiles, shuffled

Beside = Callable[[Connection], None]
"""Writes what belongs to an order outside of events, in its transaction."""
TRIES = 2
"""How often an order is decided before its log's lock is asked for."""
log = structlog.get_logger()
SETTLE = "settle"


@dataclass(frozen=True)
class Ledger:
    """A ledger that runs: its database, and what pure rooms must be handed.

    `clock` gives microseconds of UTC, `token` random bytes.
    `appended` is told of every commit: the club, the types of its events and the jobs it left.
    It is a hint, and may be lost.
    """

    database: Database
    clock: Callable[[], int]
    token: Callable[[int], bytes]
    appended: Callable[[str, frozenset[str], tuple[int, ...]], None]


class _Raced(Exception):
    """Something happened between fold and append that changes what was decided."""


class Order(Struct, frozen=True):
    """What is asked of one stream: commands that happen together or not at all.

    `key` is the command id and `request` the hash of what was sent with it. `expected` is the
    version the sender has seen, None where he does not say. `listed`: refusals point at the
    command's place in the list.
    """

    club: str
    stream: str
    commands: tuple[Command, ...]
    key: str | None = None
    request: bytes = bytes(32)
    expected: int | None = None
    guards: tuple[Guard, ...] = ()
    listed: bool = False


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


class _Plan(Struct, frozen=True):
    """Events decided and sealed: the version they follow, when, and the role that allows them."""

    version: int
    now: Now
    role: str
    sealed: tuple[Sealed, ...]
    ended: tuple[tuple[str, int], ...]


class _Decided(Struct, frozen=True):
    """An order and what it comes to, before it is written."""

    order: Order
    beside: Beside | None
    plan: _Plan
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
    plan = _plan(connection, ledger, caller, order)
    return _Decided(order, beside, plan, _append(caller, order, plan, command))


def _write(connection: Connection, caller: Caller, found: _Decided) -> tuple[Done, tuple[int, ...]]:
    """Append what was decided and write what belongs to it; says the jobs that it leaves."""
    order, plan = found.order, found.plan
    appended = store.append(connection, found.append)
    if appended.replayed:
        return _done_before(connection, order, appended), ()
    check_still(connection, caller, order.club, plan.role, plan.now.clock)
    done = _done(order, appended, plan.version + len(plan.sealed))
    if not plan.sealed:
        return done, ()
    left = _keep(connection, caller, order, plan, appended)
    if found.beside is not None:
        found.beside(connection)
    return done, left


def _keep(
    connection: Connection, caller: Caller, order: Order, plan: _Plan, appended: Appended
) -> tuple[int, ...]:
    """Keep what goes with events just appended: where they came from, and the jobs they leave."""
    days = {plan.now.day(plan.now.at), plan.now.day(appended.recorded_at)}
    if len(days) > 1:
        raise _Raced
    if caller.origin is not None and plan.role not in ("recorder", WORKER):
        access.keep_origin(connection, order.club, appended.last, caller.origin)
    return _leave_jobs(connection, order, plan, appended)


def _tell(ledger: Ledger, found: _Decided, done: Done, left: tuple[int, ...]) -> Done:
    """Give the hint of a commit; what is committed is done, whatever becomes of its hint."""
    types = frozenset(sealed.type for sealed in found.plan.sealed)
    if types and not done.replayed:
        hint(ledger, done.club, types, left)
    return done


def hint(ledger: Ledger, club: str, types: frozenset[str], left: tuple[int, ...]) -> None:
    """Tell of a commit whoever waits for one; that it could not be told undoes nothing."""
    try:
        ledger.appended(club, types, left)
    except Exception as fault:
        log.warning("hint_lost", club=club, error=f"{type(fault).__name__}: {fault}")


def _plan(connection: Connection, ledger: Ledger, caller: Caller, order: Order) -> _Plan:
    """What the commands come to on the state that a reader sees now."""
    since = codec.HAND_STARTS if order.stream.startswith("table/") else ()
    stored = store.read_stream(connection, order.club, order.stream, since)
    version = stored[-1].version if stored else 0
    tries = ledger.database.rehearses
    now = present(connection, order.club, ledger.clock())
    course = _Course(order.stream, sight.whole(stored), version, now, tries)
    course.role = allow(caller, order.club, order.commands[0], course.state)
    if order.expected is not None and order.expected != version:
        code = "version_stale" if order.expected < version else "version_ahead"
        raise Refused(code, stream=order.stream, current_version=version)
    for index, command in enumerate(order.commands):
        try:
            course.role = allow(caller, order.club, command, course.state)
            course.happen(command)
        except Refused as refusal:
            raise (refusal.at(f"/{index}") if order.listed else refusal) from None
    return course.plan()


class _Course:
    """A stream on its way through one order: its state, and what has happened so far, sealed."""

    def __init__(
        self, stream: str, before: list[Event], version: int, now: Now, tries: bool
    ) -> None:
        kind, _, self.subject = stream.partition("/")
        self.rules = STREAMS[kind]
        self.version = version
        self.now = now
        self.role = ""
        self.sealed: list[Sealed] = []
        self.ended: list[tuple[str, int]] = []
        self.state: Any = self.rules.fold(before)
        self.number, self.built = _running(before)
        self.tries = tries
        self.looked = False

    def happen(self, command: Command) -> None:
        """Decide one more command on the state that those before it made.

        A trial goes no further than to where the wall of a running hand would be looked at, and
        a list no further than to there in a wall that its sender does not know: by what is
        accepted after a draw he could try which tile it is.
        """
        if self.looked and self._has_own_wall():
            raise Refused("list_after_draw")
        if self.looked and self.tries:
            return
        for event in self.rules.decide(self.state, command, self.now):
            after = self.rules.evolve(self.state, event)
            self.looked = self.looked or _looks_at_wall(self.state, after)
            if self.tries and self.looked:
                return
            self._seal(event)
            self.state = after

    def _has_own_wall(self) -> bool:
        """Whether the ledger has shuffled the wall of the hand that runs."""
        wall = parse_tiles(self.built.wall)
        return wall == shuffled(wall, bytes.fromhex(self.built.secret))

    def _seal(self, event: Event) -> None:
        """Seal an event with the secret of its own hand, and note the end of one."""
        if isinstance(event.fact, HandStarted):
            self.number, self.built = _running([event])
        if isinstance(event.fact, HandEnded):
            self.ended.append((f"{self.subject}-{self.number}", len(self.sealed)))
        version = self.version + len(self.sealed) + 1
        self.sealed.append(codec.seal(event, version, bytes.fromhex(self.built.secret)))

    def plan(self) -> _Plan:
        """What the order comes to."""
        sealed, ended = tuple(self.sealed), tuple(self.ended)
        return _Plan(self.version, self.now, self.role, sealed, ended)


def _looks_at_wall(before: Any, after: Any) -> bool:
    """Whether between two states of a table a tile of a running hand's wall was seen.

    A hand that is entered has no wall.
    """
    hand = before.playing if isinstance(before, Table) else None
    if hand is None or not hand.wall:
        return False
    return after.playing is None or bool(after.playing.left != hand.left)


def _running(events: list[Event]) -> tuple[int, WallBuilt]:
    """The number of the hand that the events begin with, its wall and secret; 0 is no hand."""
    fact = events[0].fact if events else None
    if not isinstance(fact, HandStarted):
        return 0, WallBuilt()
    built = slot(events[0], len(fact.seats), WallBuilt)
    assert built is not None
    return fact.number, built


def _append(caller: Caller, order: Order, plan: _Plan, command: store.Command | None) -> Append:
    return Append(
        club=order.club,
        actor=caller.actor,
        role=plan.role,
        recorded_at=plan.now.at,
        command=command,
        writings=(Writing(order.stream, plan.version, plan.sealed),),
        guards=order.guards,
        founds=isinstance(order.commands[0], FoundClub),
    )


def _leave_jobs(
    connection: Connection, order: Order, plan: _Plan, appended: Appended
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

"""An order: what is asked of streams, and what it comes to, decided and sealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection

from ledger import codec, sight, store
from ledger.access import Caller
from ledger.codec import Sealed
from ledger.events import Event, HandEnded, HandStarted, TableClosed, WallBuilt, slot
from ledger.present import present
from ledger.refusal import Refused
from ledger.rights import Command, allow, as_now, check_role, check_same
from ledger.store import Guard, Stored, Writing
from ledger.streams.kinds import STREAMS
from ledger.streams.now import Now
from ledger.streams.table import Table
from ledger.tiles import parse_tiles, shuffled


class Part(Struct, frozen=True):
    """What an order asks of another stream, to happen with the rest of it."""

    stream: str
    commands: tuple[Command, ...]


class Order(Struct, frozen=True):
    """What is asked of one stream: commands that happen together or not at all.

    `key` is the command id and `request` the hash of what was sent with it. `expected` is the
    version the sender has seen, None where he does not say. `listed`: refusals point at the
    command's place in the list. `also` are parts on other streams, given in the same role.
    """

    club: str
    stream: str
    commands: tuple[Command, ...]
    key: str | None = None
    request: bytes = bytes(32)
    expected: int | None = None
    guards: tuple[Guard, ...] = ()
    listed: bool = False
    also: tuple[Part, ...] = ()


class Plan(Struct, frozen=True):
    """Events decided and sealed, stream by stream, the order's own first; when, and in which role.

    `ended` are the hands that end, each with the place of its end among all the events, and
    `days` the business days on which hands begin or end; `closed` says that a match ends. `roles`
    are those that the caller had.
    """

    writings: tuple[Writing, ...]
    now: Now
    role: str
    roles: tuple[str, ...]
    ended: tuple[tuple[str, int], ...]
    days: tuple[str, ...]
    closed: bool

    @property
    def types(self) -> frozenset[str]:
        """The types of the events."""
        return frozenset(one.type for writing in self.writings for one in writing.sealed)

    @property
    def version(self) -> int:
        """The version that the order's own stream comes to."""
        own = self.writings[0]
        return own.expected + len(own.sealed)


def plan(
    connection: Connection,
    caller: Caller,
    order: Order,
    clock: Callable[[], int],
    *,
    rehearses: bool,
) -> Plan:
    """What the commands of an order come to on the state that a reader sees now.

    Refuses what the caller may not do, what the state or the rules forbid, and another version
    than the one that is expected. In a rehearsal nothing is looked at that a hand still hides.
    """
    asked, caller = caller, as_now(connection, caller, order.club)
    check_same(asked, caller)
    stored = _read(connection, order.club, order.stream)
    now = present(connection, order.club, clock())
    course = _Course(order.stream, stored, now, rehearses)
    course.role = allow(caller, order.club, order.commands[0], course.state)
    if order.expected is not None and order.expected != course.version:
        code = "version_stale" if order.expected < course.version else "version_ahead"
        raise Refused(code, stream=order.stream, current_version=course.version)
    for index, command in enumerate(order.commands):
        try:
            course.role = allow(caller, order.club, command, course.state)
            course.happen(command)
        except Refused as refusal:
            raise (refusal.at(f"/{index}") if order.listed else refusal) from None
    courses = [course]
    for part in order.also:
        stored = _read(connection, order.club, part.stream)
        other = _Course(part.stream, stored, now, rehearses)
        for command in part.commands:
            check_role(caller, course.role, command, other.state)
            other.happen(command)
        courses.append(other)
    return _planned(courses, caller.roles)


def check_right(connection: Connection, caller: Caller, order: Order) -> None:
    """Refuse who may not give an order, as things stand."""
    rules = STREAMS[order.stream.partition("/")[0]]
    state = rules.fold(sight.whole(_read(connection, order.club, order.stream)))
    allow(as_now(connection, caller, order.club), order.club, order.commands[0], state)


def _read(connection: Connection, club: str, stream: str) -> list[Stored]:
    """The events of a stream of which its state is folded."""
    since = codec.HAND_STARTS if stream.startswith("table/") else ()
    return store.read_stream(connection, club, stream, since)


def _planned(courses: list[_Course], roles: tuple[str, ...]) -> Plan:
    """What the courses of an order come to together; only its own stream can be a table's."""
    own = courses[0]
    return Plan(
        writings=tuple(one.writing for one in courses),
        now=own.now,
        role=own.role,
        roles=roles,
        ended=tuple(own.ended),
        days=tuple(own.days),
        closed=own.closed,
    )


class _Course:
    """A stream on its way through one order: its state, and what has happened so far, sealed."""

    def __init__(self, stream: str, stored: list[Stored], now: Now, tries: bool) -> None:
        before = sight.whole(stored)
        self.stream = stream
        kind, _, self.subject = stream.partition("/")
        self.rules = STREAMS[kind]
        self.version = stored[-1].version if stored else 0
        self.now = now
        self.role = ""
        self.sealed: list[Sealed] = []
        self.ended: list[tuple[str, int]] = []
        self.days: list[str] = []
        self.closed = False
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
            self.days.append(self.now.day(event.fact.at))
        if isinstance(event.fact, HandEnded):
            self.ended.append((f"{self.subject}-{self.number}", len(self.sealed)))
            self.days.append(event.fact.effective_date)
        self.closed = self.closed or isinstance(event.fact, TableClosed)
        version = self.version + len(self.sealed) + 1
        self.sealed.append(codec.seal(event, version, bytes.fromhex(self.built.secret)))

    @property
    def writing(self) -> Writing:
        """What is added to the stream."""
        return Writing(self.stream, self.version, tuple(self.sealed))


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

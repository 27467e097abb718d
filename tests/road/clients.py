"""Who asks in the world: game servers that play, officers who meddle, an operator who founds.

A request has one command id for ever. Who hears no answer asks again with the same one, and now
and then an old request comes once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Any, Protocol

from ledger import acts, dealing, sight, simulate, store
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, NewKey, Opening
from ledger.codec import HAND_STARTS
from ledger.database import Database
from ledger.perform import Done
from ledger.record import RecordedHand, choice
from ledger.rules.catalog import ruleset
from ledger.streams.table import Act, StartHand, Table, fold, next_dealer
from ledger.tiles import parse_tiles
from tests.world import KEY, OPTIONS

SHORT = {0: (66, 548, 200), 1: (39, 4, 18), 2: (23, 502, 412), 3: (322, 477, 517)}
"""By dealer: the seeds of matches whose first hand is won within twenty actions."""

Call = Callable[[Desk], Any]


@dataclass
class Club:
    """A club as those who ask know it."""

    id: str
    members: list[str]
    owner: Caller
    recorders: list[Caller]
    tables: list[str]


@dataclass(eq=False)
class Request:
    """What one client asks, and the first answer that anybody got to it."""

    client: Client
    caller: Caller
    key: str
    call: Call
    heard: Callable[[Any], None]
    expected: int | None = None
    running: int = 0
    answer: object = None
    refused: bool = False

    @property
    def asked(self) -> Asked:
        """The command id, the hash of what is sent, and the version seen."""
        return Asked(self.key, self.key.encode().ljust(32, b"."), self.expected)


class Client(Protocol):
    """Who asks one thing after another."""

    club: Club
    pending: Request | None

    def ask(self, key: str) -> Request:
        """The next thing to be asked."""

    def refused(self, code: str) -> None:
        """What was asked will not be done."""


@dataclass
class Server:
    """A game server: opens its table, plays hands on it in lists of actions, and goes on."""

    rng: Random
    database: Database
    club: Club
    caller: Caller | None
    table: str
    pending: Request | None = None
    left: list[Act] = field(default_factory=list)

    def ask(self, key: str) -> Request:
        """The next thing on its table, or a new key where its own opens nothing any more."""
        if self.caller is None:
            issue = partial(acts.issue_key, roles=("recorder",), label="server")
            return Request(self, self.club.owner, key, issue, self._has_key)
        state, version = table_now(self.database, self.club.id, self.table)
        if state is None or state.closed:
            return Request(self, self.caller, key, self._open(), self._opened)
        expected = version if self.rng.random() < 0.3 else None
        return Request(self, self.caller, key, self._next(state), heard_nothing, expected)

    def refused(self, code: str) -> None:
        """Somebody came between: look again, and play this hand no further."""
        self.left = []
        if code == "key_invalid":
            self.caller = None

    def _next(self, state: Table) -> Call:
        """The next hand, more of this one, or its end."""
        if state.playing is None:
            return self._start(state)
        if self.left and self.rng.random() < 0.9:
            return self._play((), self.left)
        return partial(acts.end_table, table=self.table, dissolve=True)

    def _open(self) -> Call:
        seats = tuple(self.rng.sample(self.club.members, 4))
        opening = Opening(KEY, OPTIONS, seats, self.rng.randint(1, 8), 0, self.rng.randrange(4))
        return partial(acts.open_table, opening=opening)

    def _start(self, state: Table) -> Call:
        """A hand whose end is known, or one with a wall of the ledger's, to be dissolved."""
        self.left = []
        if self.rng.random() < 0.2:
            return partial(dealing.start_hand, table=self.table)
        dealer, _ = next_dealer(state, ruleset(KEY, OPTIONS))
        recorded = hand(self.rng.choice(SHORT[dealer]))
        start = StartHand(parse_tiles(recorded.wall), self.rng.randbytes(32).hex())
        return self._play((start,), [Act(choice(action)) for action in recorded.actions])

    def _play(self, before: tuple[StartHand, ...], actions: list[Act]) -> Call:
        """All of the actions in one list, or some, and the rest is left for later."""
        some = len(actions)
        if self.rng.random() < 0.4:
            some = self.rng.randint(0 if before else 1, some)
        self.left = actions[some:]
        return partial(acts.on_table, table=self.table, commands=(*before, *actions[:some]))

    def _opened(self, done: Done) -> None:
        self.table = done.stream.removeprefix("table/")
        self.club.tables.append(self.table)

    def _has_key(self, new: NewKey) -> None:
        self.caller = Caller(new.key, self.club.id, ("recorder",))
        self.club.recorders.append(self.caller)
        self.table = ""


@dataclass
class Officer:
    """The owner: ends matches, voids hands, lets people in, and takes keys away."""

    rng: Random
    database: Database
    club: Club
    pending: Request | None = None

    def ask(self, key: str) -> Request:
        """Something to be done in the club, sensible or not."""
        doings = (self._void, self._end, self._join, self._join, self._revoke)
        call, heard = self.rng.choice(doings)()
        return Request(self, self.club.owner, key, call, heard)

    def refused(self, code: str) -> None:
        """Then not."""

    def _void(self) -> tuple[Call, Callable[[Any], None]]:
        table = self.rng.choice(self.club.tables)
        state, _ = table_now(self.database, self.club.id, table)
        assert state is not None
        void = partial(acts.void_hand, table=table, hand=state.number, note="a tile fell")
        return void, heard_nothing

    def _end(self) -> tuple[Call, Callable[[Any], None]]:
        table, dissolve = self.rng.choice(self.club.tables), self.rng.random() < 0.5
        return partial(acts.end_table, table=table, dissolve=dissolve, note="late"), heard_nothing

    def _join(self) -> tuple[Call, Callable[[Any], None]]:
        return partial(acts.join_member, name="P"), self._joined

    def _joined(self, done: Done) -> None:
        self.club.members.append(done.stream.removeprefix("member/"))

    def _revoke(self) -> tuple[Call, Callable[[Any], None]]:
        key = self.rng.choice(self.club.recorders).actor
        return partial(acts.revoke_key, key=key), heard_nothing


@dataclass
class Operator:
    """Who runs the machine: founds a club now and then."""

    club: Club
    pending: Request | None = None

    def ask(self, key: str) -> Request:
        """A new club."""
        return Request(self, operator(), key, found, heard_nothing)

    def refused(self, code: str) -> None:
        """Then not."""


def found(desk: Desk) -> Done:
    """Found a club; where the desk stands does not matter."""
    return acts.found_club(desk.ledger, desk.caller, desk.asked, "Opal", "Asia/Shanghai", 300)


def heard_nothing(_: object) -> None:
    """An answer after which there is nothing to remember."""


def table_now(database: Database, club: str, table: str) -> tuple[Table | None, int]:
    """A table as it is, and its version."""
    with database.read() as connection:
        rows = store.read_stream(connection, club, f"table/{table}", HAND_STARTS)
    return fold(sight.whole(rows)), rows[-1].version if rows else 0


@cache
def hand(seed: int) -> RecordedHand:
    """The first hand of a match of legal random play."""
    return next(simulate.play_match(Random(seed), KEY, OPTIONS, 1)).recorded

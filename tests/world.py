"""A world for tests: clubs in which matches are really played, recorded and settled."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import asdict
from sqlalchemy import select

from ledger import acts, codec, dealing, governing, seating, settlement, sight, simulate, store
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.codec import HAND_STARTS
from ledger.database import Database
from ledger.events import Event, Fact, HandEnded, HandSettled, HandStarted, Paid, Scored
from ledger.keyset import Page
from ledger.outcome import HandEnd
from ledger.perform import Ledger
from ledger.record import choice
from ledger.rules.catalog import ruleset
from ledger.rules.turns import legal_actions
from ledger.settings import load
from ledger.store import Append, Stored, Writing
from ledger.streams.club import NO_LIMITS, IssueKey, SetLimits
from ledger.streams.table import Act, Dissolve, StartHand, Table
from ledger.tiles import parse_tiles
from projections.balances import club_balances
from projections.projection import METADATA, catch_up
from tests.fresh import Scene, once

T = TypeVar("T")

KEY = "huaihua/1"
OPTIONS: dict[str, Any] = {"win_mode": "discard", "bird_count": 2}
SECOND = 1_000_000
START = 1_800_000_000 * SECOND


class World:
    """A ledger with its clubs; every chance in it comes from one seed."""

    def __init__(self, database: Database, seed: int = 1) -> None:
        self.database = database
        self.rng = random.Random(seed)
        self.now = START
        self.ledger = Ledger(database, self.clock, self.rng.randbytes, self.appended)
        self.settings = load({"PAIZHANG_DATA": "/nowhere"})

    def clock(self) -> int:
        self.now += SECOND
        return self.now

    def appended(self, *_: object) -> None:
        """Nobody is told: the tests catch up when they want to."""

    def club(self, members: int = 4) -> Club:
        """A new club with so many members."""
        done = acts.found_club(self.ledger, operator(), Asked(), "Jade", "Asia/Shanghai", 300)
        names = [f"P{number}" for number in range(members)]
        desk = Desk(self.ledger, operator(), done.club)
        joined = [acts.join_member(desk, name) for name in names]
        return Club(self, done.club, tuple(one.stream.removeprefix("member/") for one in joined))

    def once(self, happens: Callable[..., T], *given: object) -> T:
        """What happens in a world of this seed, played out once and then only told again.

        Of what is given numbers make a difference, and a club is this world's.
        """
        numbers = tuple(one for one in given if isinstance(one, int))
        things = (self, self.ledger, self.database, self.rng)
        scene = Scene(self.database, self.rng, self, things)
        return once(scene, (happens, numbers), lambda: happens(*given))

    def settle(self) -> None:
        """Let the worker settle what has ended."""
        settlement.sweep(self.ledger, self.settings)


class Club:
    """A club, its members, and those who may read its books."""

    def __init__(self, world: World, club: str, members: tuple[str, ...]) -> None:
        self.world = world
        self.id = club
        self.members = members
        self.owner = Caller("key_owner", club, ("owner",))
        self.recorder = Caller("key_recorder", club, ("recorder",))
        self.other_recorder = Caller("key_other", club, ("recorder",))

    @property
    def desk(self) -> Desk:
        """Where the club's game server asks for what it does."""
        return Desk(self.world.ledger, self.recorder, self.id)

    @property
    def desk_of_owner(self) -> Desk:
        """Where the club's owner asks."""
        return Desk(self.world.ledger, self.owner, self.id)

    def member(self, index: int) -> Caller:
        """One of the members, as he calls with a key of his own."""
        return Caller(f"key_m{index}", self.id, ("member",), self.members[index])

    def open(self, hands: int = 2, *, low_score: int = 0, dealer: int = 0) -> str:
        """Open a table with the first four members, who may sit at another one already."""
        with self.world.database.read() as connection:
            if seating.tables_of(connection, self.id, self.members):
                self.allow_tables()
        opening = Opening(KEY, OPTIONS, self.members[:4], hands, low_score, dealer)
        opened = acts.open_table(self.desk, opening)
        return opened.stream.removeprefix("table/")

    def allow_tables(self) -> None:
        """Let every member sit at many tables at once."""
        desk = Desk(self.world.ledger, operator(), self.id)
        governing.set_limits(desk, SetLimits(**{**asdict(NO_LIMITS), "tables": 99}))

    def issue_keys(self) -> None:
        """Let the log tell of the keys with which the club's callers come."""
        desk = Desk(self.world.ledger, operator(), self.id)
        for caller in (self.owner, self.recorder, self.other_recorder):
            acts.order_on(desk, "club", IssueKey(caller.actor, caller.roles), lambda _: None)

    def match(self, hands: int = 2, *, planned: int | None = None, low_score: int = 0) -> str:
        """A match of legal random play with some or all of its hands played and settled."""
        played = list(simulate.play_match(self.world.rng, KEY, OPTIONS, hands))
        dealer = played[0].hand.dealer
        table = self.open(planned or hands, low_score=low_score, dealer=dealer)
        for one in played:
            start = StartHand(parse_tiles(one.recorded.wall), self.world.rng.randbytes(32).hex())
            self.command(table, start, *(Act(choice(action)) for action in one.recorded.actions))
        self.world.settle()
        return table

    def start(self, table: str, actions: int = 0) -> None:
        """Start the next hand of a table, and play so many legal random actions of it."""
        dealing.start_hand(self.desk, table)
        for _ in range(actions):
            hand = self.state(table).hand
            assert hand is not None
            rules = ruleset(hand.ruleset, hand.options)
            legal = [one for seat in range(4) for one in legal_actions(hand, seat, rules)]
            assert legal, "the hand has ended"
            self.command(table, Act(simulate.choose(self.world.rng, tuple(legal))))

    def dissolve(self, table: str) -> None:
        """Dissolve a match at once, and settle its hand."""
        self.command(table, Dissolve())
        self.world.settle()

    def void(self, table: str) -> None:
        """Let the owner void the hand that runs."""
        acts.void_hand(self.desk_of_owner, table, self.state(table).number, "a tile fell")

    def command(self, table: str, *commands: StartHand | Act | Dissolve) -> None:
        """Commands of the recorder on a table, together."""
        acts.on_table(self.desk, table, commands)

    def tell(self, stream: str, *facts: Fact) -> int:
        """Write events into the log as they stand, legal or not; says the last position."""
        with self.world.database.write() as connection:
            version = store.stream_version(connection, self.id, stream)
            sealed = tuple(codec.seal(Event(fact), 1, b"") for fact in facts)
            writing = Writing(stream, version, sealed)
            appended = store.append(
                connection,
                Append(self.id, "key_recorder", "recorder", self.world.clock(), None, (writing,)),
            )
        return appended.last

    def settlements(self) -> list[HandSettled]:
        """The settlements in the club's log."""
        rows = [row for row in self.log() if row.type == "HandSettled/1"]
        return [codec.unseal(row.type, row.public).fact for row in rows]  # type: ignore[misc]

    def points(self) -> dict[str, int]:
        """The members' points as the settlements in the club's log make them."""
        won = dict.fromkeys(self.members, 0)
        for fact in self.settlements():
            for member, total in zip(fact.seats, fact.totals, strict=True):
                won[member] += total
        return won

    def balances(self) -> dict[str, int]:
        """The members' points as the projection has them."""
        with self.world.database.read() as connection:
            listed, _ = club_balances(connection, self.id, Page(100))
        return {balance.member: balance.points for balance in listed}

    def catch_up(self) -> None:
        """Bring every projection of the club to the head of its log."""
        catch_up(self.world.database, self.id)

    def state(self, table: str) -> Table:
        """A table with nothing hidden from its recorder."""
        with self.world.database.read() as connection:
            rows = store.read_stream(connection, self.id, f"table/{table}", HAND_STARTS)
        return sight.table_seen(sight.see(self.recorder, rows))

    def log(self) -> list[Stored]:
        """The whole log of the club."""
        with self.world.database.read() as connection:
            return store.read_log(connection, self.id, after=0, limit=100_000)


def every_row(database: Database) -> dict[str, list[Any]]:
    """Every row of every projection, and how far each has come."""
    with database.read() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(select(table))))
            for table in METADATA.sorted_tables
        }


def started(seats: tuple[str, ...], number: int = 1, recorder: str = "key_recorder") -> HandStarted:
    """The start of a hand at second 100 times its number."""
    return HandStarted(
        at=100 * number * SECOND,
        number=number,
        ruleset=KEY,
        options={},
        seats=seats,
        dealer=0,
        streak=1,
        hands=8,
        low_score=0,
        recorder=recorder,
        totals=(0,) * len(seats),
        wilds=(),
        tiles=108,
    )


def ended(number: int = 1, end: HandEnd = "win") -> HandEnded:
    """The end of a hand, 50 seconds after its start."""
    return HandEnded(
        at=(100 * number + 50) * SECOND,
        end=end,
        secret="",
        weekday=None,
        booked_date="2026-11-29",
        effective_date="2026-11-28",
    )


def settled(
    table: str,
    seats: tuple[str, ...],
    payments: tuple[tuple[int, int, int], ...] = (),
    number: int = 1,
    wins: tuple[Scored, ...] = (),
) -> HandSettled:
    """The settlement of a hand by its payments: payer, payee, points."""
    paid = tuple(Paid(*payment, "win", (), "huaihua/1 C5.1") for payment in payments)
    totals = [0] * len(seats)
    for payer, payee, points in payments:
        totals[payer] -= points
        totals[payee] += points
    return HandSettled(
        table=table,
        number=number,
        ruleset=KEY,
        seats=seats,
        end="win",
        totals=tuple(totals),
        payments=paid,
        wins=wins,
        not_counted=(),
        ended_at=(100 * number + 50) * SECOND,
        ended_position=1,
        booked_date="2026-11-29",
        effective_date="2026-11-28",
    )

"""Whether a club's log is what was once recorded, and by the rules: all of it, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ledger import store
from ledger.access import Caller
from ledger.audit.again import Again, check_settlement
from ledger.audit.books import Books, Hand
from ledger.audit.chain import UNREADABLE, Chain, Fault, Why, rows_of
from ledger.audit.offices import Offices
from ledger.audit.recorded import CommandIds, Days, Otherwise, Recorded, days_of, read
from ledger.audit.seals import Seals
from ledger.checkpoints import Checkpoint
from ledger.database import Database
from ledger.events import ClubFounded, HandStarted
from ledger.refusal import Refused
from ledger.signing import PublicKey
from ledger.store import Stored
from ledger.streams import settlement
from ledger.streams.match import Table

TELL_EVERY = 500
FOUNDING = "ClubFounded/1"
SETTLED = "HandSettled/1"
TICKED = "TableTicked/1"


class Report(Struct, frozen=True):
    """What an audit of a club's log found: how much of it is sound, up to which hash.

    `hands` were decided and settled again, `unsettled` have ended and are not settled;
    `checkpoints` fit the log.
    """

    club: str
    events: int
    hash: str
    hands: int
    unsettled: int
    checkpoints: int
    fault: Fault | None = None


def verify(
    database: Database,
    club: str,
    progress: Callable[[int, int], None] = lambda done, of: None,
    against: Sequence[Checkpoint] = (),
    keys: Sequence[PublicKey] = (),
) -> Report:
    """Audit a club's whole log in one snapshot; `progress` is told events done, and of how many.

    Every checkpoint that is kept must fit, and every one that is given: a log that lacks its end
    is found by those. They must be signed by a listed key, or, where keys are given, by one of
    those or one that follows from them. Refuses a club that is not there (`club_unknown`).
    """
    with database.read() as connection:
        head = store.head(connection, club)
        if head is None:
            raise Refused("club_unknown", club=club)
        audit = _Audit(club, Seals(connection, club, against, keys))
        for row in rows_of(connection, club):
            fault = audit.fault_of(row)
            if fault is not None:
                return audit.report(fault)
            if audit.chain.position % TELL_EVERY == 0:
                progress(audit.chain.position, head.position)
                fault = audit.seals.fault_of_nodes()
                if fault is not None:
                    return audit.report(fault)
        fault = audit.chain.fault_of_head(head) or audit.fault_of_end()
    progress(audit.chain.position, head.position)
    return audit.report(fault)


class _Audit:
    """A walk along a log: its chain, its tree, and every order decided again."""

    def __init__(self, club: str, seals: Seals) -> None:
        self.club = club
        self.chain = Chain()
        self.seals = seals
        self._streams = Streams(club)

    def report(self, fault: Fault | None) -> Report:
        """What was found."""
        chain, streams = self.chain, self._streams
        return Report(
            club=self.club,
            events=chain.position,
            hash=chain.hash.hex(),
            hands=streams.hands,
            unsettled=streams.unsettled,
            checkpoints=self.seals.fit,
            fault=fault,
        )

    def fault_of(self, row: Stored | None) -> Fault | None:
        """What is wrong with the next event, or with what was decided just before it."""
        fault = self.chain.fault_of(row)
        if fault is not None or row is None:
            return self._streams.fault_of_order(whole=False) or fault
        try:
            fault = self._streams.fault_of(row)
        except UNREADABLE:
            fault = Fault(row.position, "unreadable", row.stream, row.version)
        return fault or self.seals.fault_of(row)

    def fault_of_end(self) -> Fault | None:
        """What is wrong at the end: an order that is not whole, a checkpoint beyond the log."""
        return (
            self._streams.fault_of_order()
            or self._streams.fault_of_ruling(self.chain.position)
            or self.seals.fault_of_nodes()
            or self.seals.fault_of_end(self.chain.position)
        )


class Streams:
    """Every stream of a club on its way; what one order left is decided again once it is whole."""

    def __init__(self, club: str) -> None:
        self.hands = 0
        self._club = club
        self._offices = Offices()
        self.books = Books()
        self._ids = CommandIds()
        self._days: Days | None = None
        self._order: list[Stored] = []
        self._again: dict[str, Again] = {}
        self._closed: dict[str, Table] = {}
        self._ended: dict[str, tuple[Table, Recorded]] = {}

    @property
    def unsettled(self) -> int:
        """How many hands have ended and are not settled."""
        return len(self._ended)

    def fault_of(self, row: Stored) -> Fault | None:
        """Take the next event; gives what is wrong with the order before it, or a settlement."""
        fault = None
        if self._order and not _of_one_order(self._order[-1], row):
            fault = self.fault_of_order()
        return fault or self._fault_of(row)

    def _fault_of(self, row: Stored) -> Fault | None:
        """What is wrong with an event by its stream."""
        if self._ids.is_reused(row.command, row.recorded_at, row.actor):
            code = "idempotency_key_reused"
            return Fault(row.position, "refused", row.stream, row.version, code)
        if (row.position == 1) is not (row.type == FOUNDING):
            return Fault(row.position, "founding", row.stream, row.version)
        if row.type == FOUNDING:
            founded = read(row).event.fact
            assert isinstance(founded, ClubFounded)
            self._days = days_of(founded)
            self.books.founded = self._days.day(row.recorded_at)
        if self._is_unbooked(row):
            return Fault(row.position, "missing", row.stream, row.version)
        if row.type == SETTLED:
            return self._fault_of_settlement(row)
        if row.stream in self._closed and row.type != TICKED:
            return Fault(row.position, "closed", row.stream, row.version)
        self._order.append(row)
        return None

    def fault_of_order(self, *, whole: bool = True) -> Fault | None:
        """What is wrong with the events that one order left, the last of them behind a fault."""
        rows, self._order = self._order, []
        if not rows:
            return None
        assert self._days is not None, "a log begins with its club's founding"
        name = rows[0].stream
        again = self._again.setdefault(name, self._begun(name))
        try:
            again.follow([read(row) for row in rows], whole=whole)
        except Otherwise as otherwise:
            return _fault(rows, otherwise)
        except UNREADABLE:
            return Fault(rows[0].position, "otherwise", name, rows[0].version)
        self._keep_ended(name, again)
        if name in self.books.hands:
            self.books.hands[name].money = again.state
        return None

    def _begun(self, name: str) -> Again:
        """A stream at its beginning; of a hand as it was settled, of a match as it ended."""
        assert self._days is not None
        again = Again(name, self._days, self)
        if name in self._closed:
            again.state = self._closed[name]
        if name in self.books.hands:
            again.state = self.books.hands[name].money
        return again

    def _is_unbooked(self, row: Stored) -> bool:
        """Whether the event before was a ruling that should be booked here, and is not."""
        if self.books.ruling is None or self._order:
            return False
        _, hand = self.books.ruling
        return row.stream != hand

    def fault_of_ruling(self, position: int) -> Fault | None:
        """What is wrong where a log ends with a ruling that is not booked."""
        if self.books.ruling is None:
            return None
        return Fault(position + 1, "missing", self.books.ruling[1])

    def caller(self, place: Recorded) -> Caller:
        """Who recorded an event, with the roles that he had then."""
        return self._offices.caller(self._club, place)

    def take(self, stream: str, place: Recorded) -> None:
        """Take an event for what holds between the streams; refuses what does not."""
        self._offices.take(stream, place)
        fact = place.event.fact
        if isinstance(fact, HandStarted):
            assert self._days is not None
            self.books.check_open(self._days.day(fact.at))
        self.books.take(stream, place)

    def _keep_ended(self, name: str, again: Again) -> None:
        """Keep the hands that have ended until they are settled; forget a match that is over.

        What is known of it then is enough to tick it.
        """
        for table, place in again.ended:
            self._ended[f"{name}/{table.number}"] = (table, place)
        again.ended.clear()
        if isinstance(again.state, Table) and again.state.closed is not None:
            del self._again[name]
            self._closed[name] = replace(again.state, options={}, seats=(), totals=(), hand=None)

    def _fault_of_settlement(self, row: Stored) -> Fault | None:
        """Settle a hand again, and compare; one is settled once."""
        place, fault = read(row), Fault(row.position, "settlement", row.stream, row.version)
        _, table, _ = row.stream.split("/")
        ended = self._ended.pop(f"table/{row.stream.removeprefix('hand/')}", None)
        if ended is None or row.version != 1:
            return fault
        assert self._days is not None
        try:
            check_settlement(table, *ended, place, self._days, self)
        except (Otherwise, *UNREADABLE):
            return fault
        self.hands += 1
        (hand, last), money = ended, settlement.evolve(None, place.event)
        assert hand.hand is not None
        told = hand.hand.options, hand.hand.cap, last.position, row.position
        self.books.hands[row.stream] = Hand(money, *told)
        self.books.take(row.stream, place)
        return None


def _of_one_order(one: Stored, other: Stored) -> bool:
    """Whether two events came of one order, or of two without command ids at the same time."""
    names = ("stream", "command", "recorded_at", *(("actor",) if one.command else ()))
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _fault(rows: Sequence[Stored], otherwise: Otherwise) -> Fault:
    """The fault of an order, at its event; what is missing should stand after the last one."""
    row = next(one for one in rows if one.position == otherwise.place.position)
    refused, position = otherwise.refused, row.position + otherwise.missing
    why: Why = "refused" if refused else "missing" if otherwise.missing else "otherwise"
    told = (refused.code, refused.rule) if refused else (None, None)
    return Fault(position, why, row.stream, row.version, *told)

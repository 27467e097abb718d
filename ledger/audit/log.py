"""Whether a club's log is what was once recorded, and by the rules: all of it, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ledger import checkpoints, codec, signing, store
from ledger.audit.chain import UNREADABLE, Chain, Fault, Why, rows_of
from ledger.audit.tables import Days, Otherwise, Recorded, TableAgain, check_settlement
from ledger.checkpoints import Checkpoint
from ledger.database import Database
from ledger.days import day_of, weekday_of
from ledger.events import ClubFounded, HandEnded, HandSettled, TableClosed
from ledger.merkle import Frontier
from ledger.refusal import Refused
from ledger.signing import PublicKey
from ledger.store import Stored
from ledger.streams.match import Table

TELL_EVERY = 500


class Report(Struct, frozen=True):
    """What an audit of a club's log found: how much of it is sound, up to which hash.

    `hands` were decided and settled again, `checkpoints` fit the log.
    """

    club: str
    events: int
    hash: str
    hands: int
    checkpoints: int
    fault: Fault | None = None


def verify(
    database: Database,
    club: str,
    progress: Callable[[int, int], None] = lambda done, of: None,
    against: Sequence[Checkpoint] = (),
) -> Report:
    """Audit a club's whole log in one snapshot; `progress` is told events done, and of how many.

    Every checkpoint that is kept must fit, and every one that is given: a log that lacks its end
    is found by those. Refuses a club that is not there (`club_unknown`).
    """
    with database.read() as connection:
        head = store.head(connection, club)
        if head is None:
            raise Refused("club_unknown", club=club)
        seals = _Seals(against, checkpoints.all_of(connection, club), signing.listed(connection))
        audit = _Audit(club, seals)
        for row in rows_of(connection, club):
            fault = audit.fault_of(row)
            if fault is not None:
                return audit.report(fault)
            if audit.chain.position % TELL_EVERY == 0:
                progress(audit.chain.position, head.position)
        fault = audit.chain.fault_of_head(head) or audit.fault_of_end()
    progress(audit.chain.position, head.position)
    return audit.report(fault)


class _Seals:
    """The checkpoints that a log must fit, by their positions."""

    def __init__(
        self,
        given: Sequence[Checkpoint],
        kept: Sequence[Checkpoint],
        keys: Sequence[signing.ListedKey],
    ) -> None:
        self.keys = {one.key.id: one.key for one in keys}
        self.waiting: dict[int, list[Checkpoint]] = {}
        for one in (*given, *kept):
            self.waiting.setdefault(one.position, []).append(one)
        self.fit = 0

    def fault_of(
        self, club: str, position: int, root: Callable[[], bytes], head: bytes
    ) -> Why | None:
        """What is wrong with the checkpoints at a position."""
        for one in self.waiting.pop(position, ()):
            if one.club != club or (one.root, one.head) != (root(), head):
                return "root"
            if not _is_signed(one, self.keys):
                return "signature"
            self.fit += 1
        return None


def _is_signed(one: Checkpoint, keys: dict[str, PublicKey]) -> bool:
    return one.key in keys and one.is_signed_by(keys[one.key])


class _Audit:
    """A walk along a log: its chain, its tree, and every table decided again."""

    def __init__(self, club: str, seals: _Seals) -> None:
        self.club = club
        self.chain = Chain()
        self.seals = seals
        self._frontier = Frontier()
        self._tables = _Tables()

    def report(self, fault: Fault | None) -> Report:
        """What was found."""
        chain = self.chain
        return Report(
            self.club, chain.position, chain.hash.hex(), self._tables.hands, self.seals.fit, fault
        )

    def fault_of(self, row: Stored | None) -> Fault | None:
        """What is wrong with the next event, or with what was decided just before it."""
        fault = self.chain.fault_of(row)
        if fault is not None or row is None:
            return self._tables.fault_of_order(whole=False) or fault
        for _ in self._frontier.add(row.leaf):
            pass
        fault = self._tables.fault_of(row)
        if fault is None:
            place, root = row.position, self._frontier.root
            why = self.seals.fault_of(self.club, place, root, row.hash)
            fault = None if why is None else Fault(place, why)
        return fault

    def fault_of_end(self) -> Fault | None:
        """What is wrong at the end: an order that is not whole, a checkpoint beyond the log."""
        fault = self._tables.fault_of_order()
        if fault is None and self.seals.waiting:
            return Fault(self.chain.position + 1, "cut")
        return fault


class _Tables:
    """Every table of a club on its way; what one order left is decided again once it is whole."""

    def __init__(self) -> None:
        self.hands = 0
        self._days: Days | None = None
        self._order: list[Stored] = []
        self._tables: dict[str, TableAgain] = {}
        self._ended: dict[str, tuple[Table, Recorded]] = {}

    def fault_of(self, row: Stored) -> Fault | None:
        """Take the next event; gives what is wrong with the order before it, or a settlement."""
        fault = None
        if self._order and not _of_one_order(self._order[-1], row):
            fault = self.fault_of_order()
        if fault is not None:
            return fault
        if row.stream.startswith("table/"):
            self._order.append(row)
        elif row.stream == "club" and row.version == 1:
            self._days = _days(row)
        elif row.stream.startswith("hand/"):
            return self._fault_of_settlement(row)
        return None

    def fault_of_order(self, *, whole: bool = True) -> Fault | None:
        """What is wrong with the events that one order left, the last of them behind a fault."""
        rows, self._order = self._order, []
        if not rows or self._days is None:
            return None
        name = rows[0].stream
        again = self._tables.setdefault(name, TableAgain(self._days))
        try:
            again.follow([_recorded(row) for row in rows], whole=whole)
        except Otherwise as otherwise:
            return _fault(rows, otherwise)
        except UNREADABLE:
            return Fault(rows[0].position, "otherwise", name, rows[0].version)
        self._keep_ended(name, again, rows)
        return None

    def _keep_ended(self, name: str, again: TableAgain, rows: list[Stored]) -> None:
        """Keep the hands that have ended until they are settled; forget a match that is over."""
        table = again.table
        assert table is not None
        for place in map(_recorded, rows):
            if isinstance(place.event.fact, HandEnded):
                self._ended[f"{name}/{table.number}"] = (table, place)
            if isinstance(place.event.fact, TableClosed):
                del self._tables[name]

    def _fault_of_settlement(self, row: Stored) -> Fault | None:
        """Settle a hand again, and compare."""
        place = _recorded(row)
        _, table, _ = row.stream.split("/")
        ended = self._ended.pop(f"table/{row.stream.removeprefix('hand/')}", None)
        try:
            if ended is None or self._days is None or not isinstance(place.event.fact, HandSettled):
                raise Otherwise(place)
            check_settlement(table, *ended, place, self._days)
        except (Otherwise, *UNREADABLE):
            return Fault(row.position, "settlement", row.stream, row.version)
        self.hands += 1
        return None


def _of_one_order(one: Stored, other: Stored) -> bool:
    return (one.stream, one.command, one.recorded_at) == (
        other.stream,
        other.command,
        other.recorded_at,
    )


def _recorded(row: Stored) -> Recorded:
    return Recorded(row.position, row.recorded_at, codec.unseal(row.type, row.public, row.slots))


def _days(row: Stored) -> Days | None:
    founded = _recorded(row).event.fact
    if not isinstance(founded, ClubFounded):
        return None
    return Days(day_of(founded.zone, founded.day_cutoff), weekday_of(founded.zone))


def _fault(rows: Sequence[Stored], otherwise: Otherwise) -> Fault:
    """The fault of an order, at its event; what is missing should stand after the last one."""
    row = next(one for one in rows if one.position == otherwise.place.position)
    refused, position = otherwise.refused, row.position + otherwise.missing
    why: Why = "refused" if refused else "missing" if otherwise.missing else "otherwise"
    told = (refused.code, refused.rule) if refused else (None, None)
    return Fault(position, why, row.stream, row.version, *told)

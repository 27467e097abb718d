"""Whether a club's log in a file, an event a line, is what was recorded, and by the rules.

Nothing else is needed: each line is hashed again into its leaf and its place in the chain from the
first event on, the private parts are held against the secrets that their hands have shown, and
every order is decided again, as an audit does it with a database. What the lines do not show is
told apart: the tiles of hands that run, and events that are not their reader's business, after
which nothing can be decided again. Where a file ends may lie in the middle of an order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain as chained
from pathlib import Path

from msgspec import Struct

from ledger import codec
from ledger.audit.chain import COMMANDS, UNREADABLE, Chain, Fault, Why
from ledger.audit.log import TELL_EVERY, Streams
from ledger.checkpoints import Checkpoint
from ledger.merkle import Frontier
from ledger.store import Stored
from ledger.telling import Link, read_line

LONGEST = 1 << 24
"""The bytes that a line can have; a longer one is read in pieces, of which none is an event."""
BOM = b"\xef\xbb\xbf"
ENDS = ("HandEnded/1", "HandVoided/1")


class Verdict(Struct, frozen=True):
    """What came of checking a file: so many events are sound, up to a hash.

    Of `hidden` ones the file tells their place alone; the private parts of `running` hands are not
    shown. `hands` were decided and settled again, `unsettled` have ended and are not settled; all
    orders up to the position `decided` were decided again. `agree` of the checkpoints that were
    given fit the log, the newest at `sealed`. `line` is where the fault lies, None beyond the end.
    """

    club: str
    events: int
    hash: str
    hidden: int
    running: int
    hands: int
    unsettled: int
    decided: int
    agree: int
    sealed: int
    fault: Fault | None = None
    line: int | None = None


def check(
    file: Path,
    clubs: Sequence[str],
    against: Sequence[Checkpoint] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Verdict:
    """Check a file of events; `progress` is told bytes done, and of how many.

    It is of one of the clubs, the one of which its first event is, and must fit the checkpoints of
    that club, whoever has signed them.
    """
    lines = (line for _, line in lines_of(file, progress))
    first = next(lines, None)
    if first is None:
        return _Reading(clubs[0], ()).verdict(Fault(1, "position"), None)
    reading = _Reading(_club_of(first, clubs), against)
    fault = reading.fault_in(chained((first,), lines))
    place = None if fault is None else _line_of(file, fault.position)
    return reading.verdict(fault, place)


def lines_of(
    file: Path, progress: Callable[[int, int], None] = lambda done, of: None
) -> Iterator[tuple[int, bytes]]:
    """The lines of a file without their ends, by their number; blank ones are heartbeats."""
    size, done = file.stat().st_size, 0
    with file.open("rb") as source:
        pieces = iter(lambda: source.readline(LONGEST), b"")
        for number, piece in enumerate(pieces, 1):
            done += len(piece)
            if number % TELL_EVERY == 0:
                progress(done, size)
            line = piece.removeprefix(BOM) if number == 1 else piece
            if line.strip():
                yield number, line.rstrip(b"\r\n")
    progress(size, size)


def _line_of(file: Path, position: int) -> int | None:
    """The number of the line on which the event at a position should stand."""
    for place, (number, _) in enumerate(lines_of(file), 1):
        if place == position:
            return number
    return None


def _club_of(line: bytes, clubs: Sequence[str]) -> str:
    """The club of which a first line is; the first of them if it is of none."""
    for club in clubs:
        try:
            told = read_line(line, club)
        except UNREADABLE:
            break
        if not isinstance(told, Link) and Chain().fault_of(told[0]) is None:
            return club
    return clubs[0]


class _Lines(Chain):
    """A walk along lines, some of which hide what they tell.

    `masked` are the streams of tables whose running hand has private parts that are not shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.masked: set[str] = set()
        self.hidden = 0

    def fault_of_link(self, link: Link) -> Fault | None:
        """What is wrong with an event of which only its place in the chain is told."""
        position, leaf = self.position + 1, bytes.fromhex(link.leaf)
        if link.position != position:
            return Fault(position, "position")
        if codec.chain(self.hash, position, leaf).hex() != link.hash:
            return Fault(position, "chain")
        self.position, self.hash = position, bytes.fromhex(link.hash)
        self.hidden += 1
        return None

    def _why(self, row: Stored, position: int) -> Why | None:
        """A stream goes on behind what is hidden of it."""
        if self.hidden and row.version > self.versions.get(row.stream, 0):
            self.versions[row.stream] = row.version - 1
        return super()._why(row, position)

    def _why_slots(self, row: Stored) -> Why | None:
        """What is not shown has no secret to be held against, nor has the rest of its hand."""
        if len(row.slots) < len(row.digests):
            self.masked.add(row.stream)
        if row.stream not in self.masked:
            return super()._why_slots(row)
        if row.type in ENDS:
            self.masked.discard(row.stream)
        nothing = (codec.EMPTY,) * len(row.digests)
        is_written = codec.is_canonical(row.type, row.public, nothing)
        return None if is_written and len(row.command) in COMMANDS else "malformed"


class _Reading:
    """A file of events on its way: its chain, what was kept of it, and every order decided again.

    `decided` is the position of the last event that could be, once there was one that could not.
    """

    def __init__(self, club: str, against: Sequence[Checkpoint]) -> None:
        self.club = club
        self.chain = _Lines()
        self.kept = _Kept(one for one in against if one.club == club)
        self._streams = Streams(club)
        self._decided: int | None = None

    def verdict(self, fault: Fault | None, line: int | None) -> Verdict:
        """What was found."""
        chain, streams, kept = self.chain, self._streams, self.kept
        return Verdict(
            club=self.club,
            events=chain.position,
            hash=chain.hash.hex(),
            hidden=chain.hidden,
            running=len(chain.masked),
            hands=streams.hands,
            unsettled=streams.unsettled,
            decided=chain.position if self._decided is None else self._decided,
            agree=kept.agree,
            sealed=kept.sealed,
            fault=fault,
            line=line,
        )

    def fault_in(self, lines: Iterable[bytes]) -> Fault | None:
        """The first fault of all lines, or at their end."""
        for line in lines:
            fault = self._fault_of(line)
            if fault is not None:
                return self._fault_before() or fault
        return self._fault_before() or self.kept.fault_of_end(self.chain.position)

    def _fault_before(self) -> Fault | None:
        """What is wrong with the order that a fault, or what is hidden, cuts off."""
        return self._streams.fault_of_order(whole=False)

    def _fault_of(self, line: bytes) -> Fault | None:
        try:
            told = read_line(line, self.club)
        except UNREADABLE:
            return Fault(self.chain.position + 1, "malformed")
        if isinstance(told, Link):
            fault = self.chain.fault_of_link(told) or self._stop()
            leaf = bytes.fromhex(told.leaf)
        else:
            row, leaf = told[0], told[0].leaf
            was_masked = row.stream in self.chain.masked
            fault = self.chain.fault_of(row) or self._fault_again(row, was_masked=was_masked)
        return fault or self.kept.fault_of(leaf, self.chain.hash)

    def _fault_again(self, row: Stored, *, was_masked: bool) -> Fault | None:
        """What is wrong with what was decided before an event, as far as all of it is shown."""
        if self._decided is not None:
            return None
        if row.stream in self.chain.masked:
            return None
        if was_masked:
            return self._stop()
        try:
            return self._streams.fault_of(row)
        except UNREADABLE:
            return Fault(row.position, "unreadable", row.stream, row.version)

    def _stop(self) -> Fault | None:
        """Decide nothing any more: what comes may follow from what is not shown."""
        if self._decided is None:
            self._decided = self.chain.position - 1
            return self._fault_before()
        return None


class _Kept:
    """The tree over a file's events on its way, held against checkpoints of their club."""

    def __init__(self, against: Iterable[Checkpoint]) -> None:
        self.agree = 0
        self.sealed = 0
        self._frontier = Frontier()
        self._waiting: dict[int, list[Checkpoint]] = {}
        for one in against:
            self._waiting.setdefault(one.position, []).append(one)

    def fault_of(self, leaf: bytes, hash_: bytes) -> Fault | None:
        """What is wrong with the checkpoints of the log up to the next event."""
        for _ in self._frontier.add(leaf):
            pass
        position = self._frontier.size
        for one in self._waiting.pop(position, ()):
            if (one.root, one.head) != (self._frontier.root(), hash_):
                return Fault(position, "root")
            self.agree, self.sealed = self.agree + 1, position
        return None

    def fault_of_end(self, position: int) -> Fault | None:
        """What is wrong where the file ends: a checkpoint that reaches beyond it."""
        return Fault(position + 1, "cut") if self._waiting else None

"""The chain of a club's log: every event hashed again, in order.

Found is the first event that is not as it was: a changed byte, a left-out or swapped event, a
slot that does not fit the secret of its hand, a head that is not the last event's. What nobody
can see in a log alone is a tail cut off together with its head.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from ledger import codec, store
from ledger.codec import Envelope, Sealed
from ledger.events import Event, HandEnded, HandStarted, HandVoided, WallBuilt, slot
from ledger.refusal import Refused
from ledger.store import Head, Stored

PAGE = 500
SECRET = 32
"""The bytes of a hand's secret, of which each hand has its own."""
COMMANDS = (0, 32)
"""The bytes of a command id: none, or those of a SHA-256."""
Why = Literal[
    "unreadable",
    "position",
    "stream",
    "version",
    "time",
    "leaf",
    "chain",
    "slot",
    "malformed",
    "secret",
    "head",
    "founding",
    "closed",
    "refused",
    "otherwise",
    "missing",
    "settlement",
    "node",
    "root",
    "cut",
    "signature",
]
"""What is wrong: with its bytes and their place; with what is played; with a checkpoint."""
UNREADABLE = (
    *(AssertionError, AttributeError, LookupError, OverflowError, RecursionError),
    *(OSError, Refused, TypeError, ValueError),
)
"""What bytes that nobody here wrote may raise; msgspec's own errors are ValueErrors, and the name
of a zone may be that of a folder."""


class Fault(Struct, frozen=True):
    """The first event of a log that is not as it was, and what about it is wrong.

    `stream` and `version` are as the event has them, None where there is no event to read.
    `code` and `rule` say why a decision was not open (`refused`).
    """

    position: int
    why: Why
    stream: str | None = None
    version: int | None = None
    code: str | None = None
    rule: str | None = None


def rows_of(connection: Connection, club: str) -> Iterator[Stored | None]:
    """The log in order, a page at a time; None is a row that cannot even be read."""
    after, size = 0, PAGE
    while True:
        try:
            rows = store.read_log(connection, club, after, size)
        except (*UNREADABLE, OperationalError) as fault:
            if isinstance(fault, OperationalError) and "decode" not in str(fault.orig):
                raise
            if size == 1:
                yield None
                return
            size = 1
            continue
        yield from rows
        if not rows:
            return
        after = rows[-1].position


class Chain:
    """A walk along a log: what the events so far have come to."""

    def __init__(self) -> None:
        self.position = 0
        self.hash = codec.FIRST_PREVIOUS
        self.recorded_at = 0
        self.versions: dict[str, int] = {}
        self.secrets: dict[str, bytes] = {}
        self.used: set[bytes] = set()

    def fault_of(self, row: Stored | None) -> Fault | None:
        """What is wrong with the next event; without fault the walk stands behind it."""
        position = self.position + 1
        if row is None:
            return Fault(position, "unreadable")
        try:
            why = self._why(row, position)
        except UNREADABLE:
            why = "unreadable"
        if why == "position":
            return Fault(position, why)
        if why is not None:
            return Fault(position, why, row.stream, row.version)
        self.position, self.hash, self.recorded_at = position, row.hash, row.recorded_at
        return None

    def fault_of_head(self, head: Head) -> Fault | None:
        """What is wrong with the head of the log; beyond it or behind it an event is missing."""
        if head.position > self.position:
            return Fault(self.position + 1, "position")
        told = (head.position, head.hash, head.recorded_at)
        seen = (self.position, self.hash, self.recorded_at)
        return None if told == seen else Fault(self.position, "head")

    def _why(self, row: Stored, position: int) -> Why | None:
        if row.position != position:
            return "position"
        if codec.leaf(_envelope(row), _sealed(row)) != row.leaf:
            return "leaf"
        if codec.chain(self.hash, position, row.leaf) != row.hash:
            return "chain"
        if not codec.belongs(row.type, row.stream):
            return "stream"
        if row.version != self.versions.get(row.stream, 0) + 1:
            return "version"
        self.versions[row.stream] = row.version
        if row.recorded_at < self.recorded_at:
            return "time"
        return self._why_slots(row)

    def _why_slots(self, row: Stored) -> Why | None:
        """Whether the slots are what their digests say, under the secret of the running hand."""
        event = codec.unseal(row.type, row.public, row.slots)
        is_written = codec.is_canonical(row.type, row.public, row.slots)
        if len(row.command) not in COMMANDS or not is_written:
            return "malformed"
        if isinstance(event.fact, HandStarted):
            secret = _secret(event, event.fact)
            if len(secret) != SECRET or secret in self.used:
                return "secret"
            self.used.add(secret)
            self.secrets[row.stream] = secret
        secret = self.secrets.get(row.stream, b"")
        digests = tuple(
            codec.slot_digest(secret, row.version, audience, part)
            for audience, part in enumerate(row.slots)
        )
        if digests != row.digests:
            return "slot"
        if isinstance(event.fact, HandEnded | HandVoided):
            return None if self.secrets.pop(row.stream).hex() == event.fact.secret else "secret"
        return None


def _secret(event: Event, fact: HandStarted) -> bytes:
    built = slot(event, len(fact.seats), WallBuilt)
    return bytes.fromhex(built.secret) if built else b""


def _envelope(row: Stored) -> Envelope:
    return Envelope(
        row.club, row.stream, row.version, row.recorded_at, row.actor, row.role, row.command
    )


def _sealed(row: Stored) -> Sealed:
    return Sealed(row.type, row.public, row.slots, row.digests)

"""An event as an audit reads it, and what it says of one that should not be there."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ledger import codec
from ledger import events as e
from ledger.days import day_of, weekday_of
from ledger.events import Event
from ledger.refusal import Refused
from ledger.store import Stored


class Recorded(Struct, frozen=True):
    """An event as it is recorded: its stream, position and time, by whom, and what it says."""

    stream: str
    position: int
    recorded_at: int
    actor: str
    role: str
    event: Event


def read(row: Stored) -> Recorded:
    """An event as an audit reads it from its row."""
    event = codec.unseal(row.type, row.public, row.slots)
    return Recorded(row.stream, row.position, row.recorded_at, row.actor, row.role, event)


class Otherwise(Exception):
    """What is recorded is not what the rules make of it: from which event on, and why.

    `refused` is why the decision was not open; without it something else should stand there, or
    (`missing`) something more.
    """

    def __init__(self, place: Recorded, refused: Refused | None = None, *, missing: bool = False):
        """Name the event, or the last one before what is missing."""
        super().__init__(place.position)
        self.place = place
        self.refused = refused
        self.missing = missing


class Days(Struct, frozen=True):
    """The days of a club, business day and day of the week of a moment."""

    day: Callable[[int], str]
    weekday: Callable[[int], int]


def days_of(founded: e.ClubFounded) -> Days:
    """The days of a club as it was founded."""
    return Days(day_of(founded.zone, founded.day_cutoff), weekday_of(founded.zone))


def same(expected: Event, recorded: Event) -> bool:
    """Whether two events say the same, a part that says nothing being none."""
    return codec.seal(expected, 0, b"") == codec.seal(recorded, 0, b"")


class CommandIds:
    """The command ids of events on their way: what came of one command stands together."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()
        self._run = (b"", 0, "")

    def is_reused(self, command: bytes, recorded_at: int, actor: str) -> bool:
        """Take the next event's; whether other events stand between it and those that had it.

        What came of one command has one time, and one who gave it.
        """
        run = (command, recorded_at, actor)
        if not command or run == self._run:
            self._run = run
            return False
        reused, self._run = command in self._known, run
        self._known.add(command)
        return reused

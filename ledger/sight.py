"""What a viewer may see: the one place where tiles, walls and secrets are masked.

While a hand runs, a table's recorder sees every seat's slots, a member the slots of his own
seat, nobody the table's. When the hand has ended everything is shown. A viewer's state is
folded from the events as he may see them, so it cannot hold what he may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger import codec
from ledger.access import READERS, Caller
from ledger.events import Event, HandStarted, TableOpened
from ledger.store import Stored
from ledger.streams.table import Table, fold

HAND_START = "HandStarted/1"
HAND_END = "HandEnded/1"
EVERY_SEAT = range(256)


class Seen(Struct, frozen=True):
    """An event as one viewer may see it; a slot that is not for him is None."""

    stored: Stored
    slots: tuple[bytes | None, ...]

    @property
    def event(self) -> Event:
        """The event, decoded from what is shown."""
        return codec.unseal(self.stored.type, self.stored.public, self.slots)


def may_see_table(caller: Caller, seats: Sequence[str], recorder: str) -> bool:
    """Whether a table is any business of a caller's: the club's, its recorder's, its players'."""
    return caller.has(*READERS) or _watches(caller, seats, recorder) != ()


def _watches(caller: Caller, seats: Sequence[str], recorder: str) -> Sequence[int]:
    """The seats whose slots a caller sees while the hand runs."""
    if caller.has("recorder") and caller.actor == recorder:
        return EVERY_SEAT
    if caller.member is not None and caller.member in seats:
        return (seats.index(caller.member),)
    return ()


def see(caller: Caller, stored: Iterable[Stored]) -> list[Seen]:
    """The events of one table's stream as a caller may see them, in order.

    They begin at an opening or a hand's start, so that it is known whose tiles they tell.
    """
    rows = list(stored)
    ends = [row.version for row in rows if row.type == HAND_END]
    seen: list[Seen] = []
    eyes: Sequence[int] = ()
    for row in rows:
        if row.type in (HAND_START, "TableOpened/1"):
            eyes = _eyes(caller, row)
        ended = any(end >= row.version for end in ends)
        seen.append(Seen(row, row.slots if ended else _masked(row, eyes)))
    return seen


def _eyes(caller: Caller, row: Stored) -> Sequence[int]:
    fact = codec.unseal(row.type, row.public, (None,) * len(row.slots)).fact
    assert isinstance(fact, HandStarted | TableOpened)
    return _watches(caller, fact.seats, fact.recorder)


def _masked(row: Stored, eyes: Sequence[int]) -> tuple[bytes | None, ...]:
    """The slots of an event of a running hand: a seat's for its own eyes, the table's for none."""
    last = len(row.slots) - 1
    return tuple(
        part if seat in eyes and seat != last else None for seat, part in enumerate(row.slots)
    )


def table_seen(seen: Iterable[Seen]) -> Table:
    """The state of a table as its viewer may see it."""
    table = fold(one.event for one in seen)
    assert table is not None
    return table


def whole(stored: Iterable[Stored]) -> list[Event]:
    """The events with every slot, for decisions and settlements alone."""
    return [codec.unseal(row.type, row.public, row.slots) for row in stored]

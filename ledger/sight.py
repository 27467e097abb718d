"""What a viewer may see: the one place where tiles, walls and secrets are masked.

While a hand runs, a table's recorder sees every seat's slots, a member the slots of his own
seat, nobody the table's. When the hand has ended everything is shown. A viewer's state is
folded from the events as he may see them, so it cannot hold what he may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection

from ledger import codec, store, telling
from ledger.access import BOOKS, OVERSEERS, PEOPLE, READERS, Caller
from ledger.codec import HAND_STARTS
from ledger.events import Event, HandStarted, KeyIssued, KeyRevoked, SeatsChanged, TableOpened
from ledger.refusal import Refused
from ledger.store import Stored
from ledger.streams.table import Table, fold

HAND_END = "HandEnded/1"
HAND_ENDS = (HAND_END, "HandVoided/1")
EVERY_SEAT = range(256)
_READERS_OF = {
    "member": BOOKS,
    "membership": PEOPLE,
    "dispute": READERS,
    "allowance": BOOKS,
    "period": BOOKS,
}
"""Who may read a stream that is about no table, by its kind; the others are for who oversees."""


class Seen(Struct, frozen=True):
    """An event as one viewer may see it; a slot that is not for him is None."""

    stored: Stored
    slots: tuple[bytes | None, ...]

    @property
    def event(self) -> Event:
        """The event, decoded from what is shown."""
        return codec.unseal(self.stored.type, self.stored.public, self.slots)


def opening(connection: Connection, club: str, table: str) -> tuple[Stored, TableOpened]:
    """The event that opened a table, and what it says; refuses an unknown one (`table_unknown`)."""
    rows = store.read_stream(connection, club, f"table/{table}", upto=1)
    if not rows:
        raise Refused("table_unknown")
    fact = codec.unseal(rows[0].type, rows[0].public).fact
    assert isinstance(fact, TableOpened)
    return rows[0], fact


def may_see_table(caller: Caller, seats: Sequence[str], recorder: str) -> bool:
    """Whether a table is any business of a caller's: the club's, its recorder's, its players'."""
    return caller.has(*READERS) or watches(caller, seats, recorder) != ()


def watches(caller: Caller, seats: Sequence[str], recorder: str) -> Sequence[int]:
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
    ends = [row.version for row in rows if row.type in HAND_ENDS]
    seen: list[Seen] = []
    eyes: Sequence[int] = ()
    for row in rows:
        if row.type in (*HAND_STARTS, "TableOpened/1"):
            eyes = _eyes(caller, row)
        ended = any(end >= row.version for end in ends)
        seen.append(Seen(row, row.slots if ended else _masked(row, eyes)))
    return seen


def _eyes(caller: Caller, row: Stored) -> Sequence[int]:
    fact = codec.unseal(row.type, row.public, (None,) * len(row.slots)).fact
    assert isinstance(fact, HandStarted | TableOpened)
    return watches(caller, fact.seats, fact.recorder)


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


def told(seen: Seen) -> dict[str, Any]:
    """An event as it is told to its viewer."""
    return telling.event_told(seen.stored, seen.slots)


def log_told(
    connection: Connection,
    caller: Caller,
    club: str,
    after: int,
    limit: int,
    position: int = store.NO_END,
) -> list[dict[str, Any]]:
    """The next events of a club's log as they are told to a caller of the club, at most `limit`.

    With a position they are those of the log as it was then: a hand that ran then runs.
    """
    rows = store.read_log(connection, club, after, min(limit, max(0, position - after)))
    seen = see_log(connection, caller, rows, position)
    return [
        telling.link_told(row) if one is None else told(one)
        for row, one in zip(rows, seen, strict=True)
    ]


def see_log(
    connection: Connection, caller: Caller, rows: Sequence[Stored], position: int = store.NO_END
) -> list[Seen | None]:
    """Events of a club's log as a caller of the club may see them; None is not his business.

    They are masked as it was at a position of the log, which is its end where none is named.
    """
    streams: dict[str, list[Stored]] = {}
    for row in rows:
        streams.setdefault(row.stream, []).append(row)
    seen = {
        one.stored.position: one
        for part in streams.values()
        for one in _see_part(connection, caller, part, position)
    }
    return [seen.get(row.position) for row in rows]


def _see_part(
    connection: Connection, caller: Caller, part: Sequence[Stored], position: int
) -> list[Seen]:
    """What a caller may see of the events of one stream."""
    kind, _, subject = part[0].stream.partition("/")
    if kind == "table" and may_see(connection, caller, part[0].club, subject):
        return _see_table_part(connection, caller, part, position)
    if kind == "hand" and may_see(connection, caller, part[0].club, subject.rpartition("/")[0]):
        return [Seen(row, row.slots) for row in part]
    if kind in ("table", "hand"):
        return []
    return [Seen(row, row.slots) for row in part if _concerns(caller, row)]


def may_see(connection: Connection, caller: Caller, club: str, table: str) -> bool:
    """Whether a table is a caller's business: who sat down there later is a player of it too."""
    _, opened = opening(connection, club, table)
    if may_see_table(caller, opened.seats, opened.recorder):
        return True
    if caller.member is None:
        return False
    rows = store.of_type(connection, club, f"table/{table}", "SeatsChanged/1")
    changes = (codec.unseal(row.type, row.public).fact for row in rows)
    return any(isinstance(one, SeatsChanged) and caller.member in one.seats for one in changes)


def _concerns(caller: Caller, row: Stored) -> bool:
    """Whether an event of the club itself, or of a member, is a caller's business."""
    if row.type == "ClubFounded/1" or caller.has(*_readers_of(row.stream)):
        return True
    fact = codec.unseal(row.type, row.public).fact
    if isinstance(fact, KeyIssued | KeyRevoked):
        return fact.key == caller.actor
    return row.stream == f"member/{caller.member}"


def _readers_of(stream: str) -> tuple[str, ...]:
    """Who may read a stream that is about no table: of keys, of a membership, of a member."""
    return _READERS_OF.get(stream.partition("/")[0], OVERSEERS)


def _see_table_part(
    connection: Connection, caller: Caller, part: Sequence[Stored], position: int
) -> list[Seen]:
    """Consecutive events of a table; whose hand they tell and whether it has ended is read too.

    A hand that ended behind them tells it; where there is none, all that is behind them is read,
    and a voided one would be among it.
    """
    first, last = part[0], part[-1]
    before = store.read_stream(
        connection, first.club, first.stream, HAND_STARTS, upto=first.version - 1
    )
    upto = None
    if position < store.NO_END:
        upto = store.stream_version(connection, last.club, last.stream, position)
    ending = store.read_stream(
        connection, last.club, last.stream, (HAND_END,), after=last.version - 1, upto=upto
    )
    around = (*before, *part, *(row for row in ending if row.version > last.version))
    wanted = {row.position for row in part}
    return [one for one in see(caller, around) if one.stored.position in wanted]

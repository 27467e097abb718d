"""Our store as a recorder of the package `eventsourcing`; a recorder's log is one club's.

The peer's streams begin at 0 or 1 and its writer gives each event its number; ours begin at 1
and the store counts. So every event keeps its stream's first number in a slot, and what does
not follow on in an insert is a writing of its own, which the store refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any, NoReturn
from uuid import UUID

from eventsourcing import persistence as theirs
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ledger import store
from ledger.codec import Sealed
from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import Append, Stored, Writing

CLUB = "peer"
Events = Sequence[theirs.StoredEvent]


class Application(theirs.ApplicationRecorder):
    """Streams in one log; an event's notification id is its position."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.write() as connection:
            store.append(connection, Append(CLUB, "peer", "recorder", 0, None, (), founds=True))

    def insert_events(self, stored_events: Events, **_: Any) -> Sequence[int] | None:
        try:
            with self.database.write() as connection:
                writings = tuple(_writings(connection, stored_events))
                asked = Append(CLUB, "peer", "recorder", 0, None, writings)
                done = store.append(connection, asked)
        except (Refused, IntegrityError) as refused:
            raise theirs.IntegrityError from refused
        return list(range(done.first, done.last + 1))

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Events:
        with self.database.read() as connection:
            before = _first(connection, str(originator_id), 1) - 1
            after = 0 if gt is None else gt - before
            upto = None if lte is None else lte - before
            found = store.read_stream(connection, CLUB, str(originator_id), after=after, upto=upto)
        return [theirs.StoredEvent(*_parts(event)) for event in found[:: -1 if desc else 1][:limit]]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[theirs.Notification]:
        after = 0 if start is None else start - inclusive_of_start
        end = store.NO_END if stop is None else stop
        with self.database.read() as connection:
            log = store.read_log(connection, CLUB, after, store.NO_END if topics else limit)
        found = [e for e in log if e.position <= end and (not topics or e.type in topics)]
        return [theirs.Notification(*_parts(event), event.position) for event in found[:limit]]

    def max_notification_id(self) -> int | None:
        with self.database.read() as connection:
            head = store.head(connection, CLUB)
        return head.position or None if head else None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> NoReturn:
        raise NotImplementedError


class Aggregates(Application):
    """Streams alone: an insert tells no positions."""

    def insert_events(self, stored_events: Events, **_: Any) -> None:
        super().insert_events(stored_events)


def _writings(connection: Connection, events: Events) -> Iterator[Writing]:
    """Events as writings, each of one stream and with numbers that follow on."""
    at = count()
    runs = groupby(events, lambda event: (event.originator_id, event.originator_version - next(at)))
    for (originator, _), run in runs:
        together = list(run)
        number = together[0].originator_version
        first = _first(connection, str(originator), number)
        sealed = (Sealed(event.topic, event.state, (b"%d" % first,)) for event in together)
        yield Writing(str(originator), number - first, tuple(sealed))


def _first(connection: Connection, stream: str, of_empty: int) -> int:
    """The number with which a stream begins."""
    found = store.read_stream(connection, CLUB, stream, upto=1)
    return int(found[0].slots[0]) if found else of_empty


def _parts(event: Stored) -> tuple[UUID, int, str, bytes]:
    """An event as the peer knows it."""
    number = int(event.slots[0]) + event.version - 1
    return UUID(event.stream), number, event.type, event.public

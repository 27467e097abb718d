"""The store: append to a club's log, and read it. The only SQL on events.

A club's events lie in one log at positions 1, 2, 3 … in commit order. The head row hands the
positions out; an append locks it until its transaction ends, so whoever sees a position sees
all before it, and a request that repeats a running one waits for it. A refusal ends the
caller's transaction: nothing of a refused append may be committed.
"""

from __future__ import annotations

from sqlalchemy import Connection

from ledger.store import by_function, by_statements
from ledger.store.reading import (
    HASH_SIZE,
    NO_END,
    clubs,
    find_command,
    find_stream,
    guard,
    guards_of,
    head,
    hold,
    latest,
    of_type,
    read_acts,
    read_log,
    read_stream,
    replay,
    stream_version,
)
from ledger.store.tables import (
    METADATA,
    Append,
    Appended,
    Command,
    Guard,
    Head,
    Known,
    Stored,
    Writing,
    commands,
    events,
    guards,
    heads,
)

__all__ = [
    "HASH_SIZE",
    "METADATA",
    "NO_END",
    "Append",
    "Appended",
    "Command",
    "Guard",
    "Head",
    "Known",
    "Stored",
    "Writing",
    "append",
    "clubs",
    "commands",
    "events",
    "find_command",
    "find_stream",
    "guard",
    "guards_of",
    "guards",
    "head",
    "heads",
    "hold",
    "latest",
    "of_type",
    "read_acts",
    "read_log",
    "read_stream",
    "replay",
    "stream_version",
]


def append(connection: Connection, asked: Append) -> Appended:
    """Append events to a club's log, once for a command id, which is kept without events too.

    Refuses `club_unknown`, `club_exists`, `idempotency_key_reused`, `version_stale` and
    `guard_stale`. A repeated command gets its first answer, whatever else has changed since.
    PostgreSQL does it all in one round trip.
    """
    if connection.dialect.name == "postgresql":
        return by_function.append(connection, asked)
    return by_statements.append(connection, asked)

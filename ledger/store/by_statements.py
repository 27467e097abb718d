"""An append statement by statement, as SQLite needs it: it has one writer, and no round trips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, insert, text, update

from ledger import codec
from ledger.codec import Envelope, Sealed
from ledger.refusal import Refused
from ledger.store.reading import guard, head, replay, stream_version
from ledger.store.tables import Append, Appended, Head, commands, events, guards, heads

_FOUND = text(
    "INSERT INTO heads (club, position, hash, recorded_at) VALUES (:club, 0, :hash, 0) "
    "ON CONFLICT (club) DO NOTHING"
)
_MOVE_HEAD = update(heads).where(heads.c.club == bindparam("of_club"))
_KEEP_COMMAND = insert(commands)
_DROP_GUARD = delete(guards).where(
    guards.c.club == bindparam("club"), guards.c.key == bindparam("key")
)
_KEEP_GUARD = insert(guards)
_ADD = insert(events)


def append(connection: Connection, asked: Append) -> Appended:
    """Append events to a club's log, once for a command id, which is kept without events too."""
    founded = asked.founds and _found(connection, asked.club)
    end = _lock(connection, asked.club)
    done = asked.command and replay(connection, asked.club, asked.command)
    if done:
        return done
    if asked.founds and not founded:
        raise Refused("club_exists", club=asked.club)
    _check_versions(connection, asked)
    _check_guards(connection, asked)
    return _write(connection, end, asked)


def _found(connection: Connection, club: str) -> bool:
    """Make a club's head unless it is there; two who try at once are told apart here."""
    made = connection.execute(_FOUND, {"club": club, "hash": codec.FIRST_PREVIOUS})
    return made.rowcount == 1


def _lock(connection: Connection, club: str) -> Head:
    """The club's head; the transaction holds the whole file from its beginning."""
    found = head(connection, club)
    if found is None:
        raise Refused("club_unknown", club=club)
    return found


def _check_versions(connection: Connection, asked: Append) -> None:
    """Refuse an append to a stream that is not where its writer saw it."""
    for writing in asked.writings:
        version = stream_version(connection, asked.club, writing.stream)
        if version != writing.expected:
            raise Refused("version_stale", stream=writing.stream, current_version=version)


def _check_guards(connection: Connection, asked: Append) -> None:
    """Refuse an append whose guards are not what its writer saw."""
    for wanted in asked.guards:
        value = guard(connection, asked.club, wanted.key)
        if value != wanted.expected:
            raise Refused("guard_stale", key=wanted.key, value=value)


def _write(connection: Connection, end: Head, asked: Append) -> Appended:
    """Write the events, what is kept beside them, and the new head."""
    recorded_at = max(asked.recorded_at, end.recorded_at)
    rows = list(_chained(end, asked, recorded_at))
    first, last = end.position + 1, end.position + len(rows)
    if asked.command:
        kept = {**asdict(asked.command), "club": asked.club, "first": first, "last": last}
        connection.execute(_KEEP_COMMAND, kept)
    if not rows:
        return Appended(first, last, end.hash, recorded_at)
    connection.execute(_ADD, rows)
    _set_guards(connection, asked)
    moved = {"position": last, "hash": rows[-1]["hash"], "recorded_at": recorded_at}
    connection.execute(_MOVE_HEAD, {"of_club": asked.club, **moved})
    return Appended(first, last, rows[-1]["hash"], recorded_at)


def _chained(end: Head, asked: Append, recorded_at: int) -> Iterator[dict[str, Any]]:
    """The rows of an append's events, each chained to the one before it."""
    position, previous = end.position, end.hash
    for where, sealed in _enveloped(asked, recorded_at):
        position += 1
        leaf = codec.leaf(where, sealed)
        previous = codec.chain(previous, position, leaf)
        yield {
            **asdict(where),
            "position": position,
            "type": sealed.type,
            "public": sealed.public,
            "slots": codec.pack(sealed.slots),
            "digests": b"".join(sealed.digests),
            "leaf": leaf,
            "hash": previous,
        }


def _enveloped(asked: Append, recorded_at: int) -> Iterator[tuple[Envelope, Sealed]]:
    """The events of an append, each with where and by whom it is recorded."""
    command = asked.command.digest if asked.command else b""
    for writing in asked.writings:
        for version, sealed in enumerate(writing.sealed, writing.expected + 1):
            where = Envelope(
                asked.club, writing.stream, version, recorded_at, asked.actor, asked.role, command
            )
            yield where, sealed


def _set_guards(connection: Connection, asked: Append) -> None:
    """Write the guards that change; the head lock keeps everybody else from them."""
    for to in asked.guards:
        row = {"club": asked.club, "key": to.key}
        if to.value != to.expected:
            connection.execute(_DROP_GUARD, row)
            if to.value is not None:
                connection.execute(_KEEP_GUARD, {**row, "value": to.value})

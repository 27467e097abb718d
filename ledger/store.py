"""The store: append to a club's log, and read it. The only SQL on events.

A club's events lie in one log at positions 1, 2, 3 … in commit order. The head row hands the
positions out; an append locks it until its transaction ends, so whoever sees a position sees
all before it, and a request that repeats a running one waits for it. A refusal ends the
caller's transaction: nothing of a refused append may be committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from ledger import codec
from ledger.codec import Envelope, Sealed
from ledger.refusal import Refused

HASH_SIZE = 32
NO_END = 2**63 - 1
METADATA = sa.MetaData()
_FIRST = text("version = 1 AND stream <> 'club'")
"""The first event of a stream whose name is one club's alone; the index has the same words."""

heads = sa.Table(
    "heads",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False),
)

events = sa.Table(
    "events",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("command", sa.LargeBinary, nullable=False),
    sa.Column("public", sa.LargeBinary, nullable=False),
    sa.Column("slots", sa.LargeBinary, nullable=False),
    sa.Column("digests", sa.LargeBinary, nullable=False),
    sa.Column("leaf", sa.LargeBinary, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Index("events_stream", "club", "stream", "version", unique=True),
    sa.Index("events_first", "stream", unique=True, sqlite_where=_FIRST, postgresql_where=_FIRST),
)

commands = sa.Table(
    "commands",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("digest", sa.LargeBinary, primary_key=True),
    sa.Column("request", sa.LargeBinary, nullable=False),
    sa.Column("first", sa.BigInteger, nullable=False),
    sa.Column("last", sa.BigInteger, nullable=False),
)

guards = sa.Table(
    "guards",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

# Statements stand here ready made: building one again costs ten times what running it does.
_FOUND = text(
    "INSERT INTO heads (club, position, hash, recorded_at) VALUES (:club, 0, :hash, 0) "
    "ON CONFLICT (club) DO NOTHING"
)
_HEAD = select(heads).where(heads.c.club == bindparam("club"))
_LOCKED_HEAD = _HEAD.with_for_update()
_MOVE_HEAD = update(heads).where(heads.c.club == bindparam("of_club"))
_KEEP_COMMAND = insert(commands)
_COMMAND = (
    select(
        commands.c.request, commands.c.first, commands.c.last, events.c.hash, events.c.recorded_at
    )
    .join(events, (events.c.club == commands.c.club) & (events.c.position == commands.c.last))
    .where(commands.c.club == bindparam("club"), commands.c.digest == bindparam("digest"))
)
_THIS_GUARD = (guards.c.club == bindparam("club")) & (guards.c.key == bindparam("key"))
_GUARD = select(guards.c.value).where(_THIS_GUARD)
_DROP_GUARD = delete(guards).where(_THIS_GUARD)
_KEEP_GUARD = insert(guards)
_ADD = insert(events)
_LOG = (
    select(events)
    .where(events.c.club == bindparam("club"), events.c.position > bindparam("after"))
    .order_by(events.c.position)
    .limit(bindparam("limit"))
)
_CLUB_OF = select(events.c.club).where(events.c.stream == bindparam("stream"), _FIRST)
_OF_STREAM = (events.c.club == bindparam("club")) & (events.c.stream == bindparam("stream"))
_IN_RANGE = (
    _OF_STREAM & (events.c.version > bindparam("after")) & (events.c.version <= bindparam("upto"))
)
_VERSION = (
    select(events.c.version)
    .where(_OF_STREAM, events.c.position <= bindparam("position"))
    .order_by(events.c.version.desc())
    .limit(1)
)
_STREAM = select(events).where(_IN_RANGE).order_by(events.c.version)
_LATEST_OF_TYPE = (
    select(events.c.version)
    .where(_IN_RANGE, events.c.type == bindparam("type"))
    .order_by(events.c.version.desc())
    .limit(1)
    .scalar_subquery()
)
_STREAM_SINCE = _STREAM.where(events.c.version >= func.coalesce(_LATEST_OF_TYPE, 1))


class Writing(Struct, frozen=True):
    """What an append adds to one stream, after its expected version; 0 is an empty stream."""

    stream: str
    expected: int
    sealed: tuple[Sealed, ...]


class Guard(Struct, frozen=True):
    """A rule across streams: what its row must hold, and what it holds after; None is no row."""

    key: str
    expected: str | None
    value: str | None


class Command(Struct, frozen=True):
    """A command's id and its request, each as a SHA-256: kept for ever, so it is done once."""

    digest: bytes
    request: bytes


class Append(Struct, frozen=True):
    """All that one command writes, in one club, at once or not at all.

    `recorded_at` is the time handed in, in microseconds; `founds` makes the club's log.
    """

    club: str
    actor: str
    role: str
    recorded_at: int
    command: Command | None
    writings: tuple[Writing, ...]
    guards: tuple[Guard, ...] = ()
    founds: bool = False


class Appended(Struct, frozen=True):
    """Where an append lies in the log: its positions, its last hash and its time.

    Without events `first` is the position after `last`.

    `replayed`: it was there before, from an earlier request with the same command id.
    """

    first: int
    last: int
    hash: bytes
    recorded_at: int
    replayed: bool = False


class Head(Struct, frozen=True):
    """The end of a club's log."""

    club: str
    position: int
    hash: bytes
    recorded_at: int


class Stored(Struct, frozen=True):
    """An event as it lies in the log, every part in it: mask it before anybody sees it."""

    club: str
    position: int
    stream: str
    version: int
    type: str
    recorded_at: int
    actor: str
    role: str
    command: bytes
    public: bytes
    slots: tuple[bytes, ...]
    digests: tuple[bytes, ...]
    leaf: bytes
    hash: bytes


class Known(Struct, frozen=True):
    """A command that was done: the hash of its request, and where its events lie."""

    request: bytes
    first: int
    last: int
    hash: bytes
    recorded_at: int


# --- append -----------------------------------------------------------------------------------


def append(connection: Connection, asked: Append) -> Appended:
    """Append events to a club's log, once for a command id, which is kept without events too.

    Refuses `club_unknown`, `club_exists`, `idempotency_key_reused`, `version_stale` and
    `guard_stale`. A repeated command gets its first answer, whatever else has changed since.
    """
    founded = asked.founds and _found(connection, asked.club)
    head = _lock(connection, asked.club)
    done = asked.command and replay(connection, asked.club, asked.command)
    if done:
        return done
    if asked.founds and not founded:
        raise Refused("club_exists", club=asked.club)
    _check_versions(connection, asked)
    _check_guards(connection, asked)
    return _write(connection, head, asked)


def replay(connection: Connection, club: str, command: Command) -> Appended | None:
    """The first answer to a command that was done; refuses its id with another request."""
    known = find_command(connection, club, command.digest)
    if known is None:
        return None
    if known.request != command.request:
        raise Refused("idempotency_key_reused")
    return Appended(known.first, known.last, known.hash, known.recorded_at, replayed=True)


def _found(connection: Connection, club: str) -> bool:
    """Make a club's head unless it is there; two who try at once are told apart here."""
    made = connection.execute(_FOUND, {"club": club, "hash": codec.FIRST_PREVIOUS})
    return made.rowcount == 1


def _lock(connection: Connection, club: str) -> Head:
    """The club's head, held until the transaction ends (SQLite holds the whole file)."""
    row = connection.execute(_LOCKED_HEAD, {"club": club}).one_or_none()
    if row is None:
        raise Refused("club_unknown", club=club)
    return Head(*row)


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


def _write(connection: Connection, head: Head, asked: Append) -> Appended:
    """Write the events, what is kept beside them, and the new head."""
    recorded_at = max(asked.recorded_at, head.recorded_at)
    rows = list(_chained(head, asked, recorded_at))
    first, last = head.position + 1, head.position + len(rows)
    if asked.command:
        kept = {**asdict(asked.command), "club": asked.club, "first": first, "last": last}
        connection.execute(_KEEP_COMMAND, kept)
    if not rows:
        return Appended(first, last, head.hash, recorded_at)
    connection.execute(_ADD, rows)
    _set_guards(connection, asked)
    moved = {"position": last, "hash": rows[-1]["hash"], "recorded_at": recorded_at}
    connection.execute(_MOVE_HEAD, {"of_club": asked.club, **moved})
    return Appended(first, last, rows[-1]["hash"], recorded_at)


def _chained(head: Head, asked: Append, recorded_at: int) -> Iterator[dict[str, Any]]:
    """The rows of an append's events, each chained to the one before it."""
    position, previous = head.position, head.hash
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


# --- read -------------------------------------------------------------------------------------


def head(connection: Connection, club: str) -> Head | None:
    """The end of a club's log, or None where there is no such club."""
    row = connection.execute(_HEAD, {"club": club}).one_or_none()
    return Head(*row) if row else None


def find_command(connection: Connection, club: str, digest: bytes) -> Known | None:
    """What is kept of a command that was done, or None."""
    row = connection.execute(_COMMAND, {"club": club, "digest": digest}).one_or_none()
    return Known(*row) if row else None


def find_stream(connection: Connection, stream: str) -> str | None:
    """The club in whose log a stream lies; the stream `club` lies in every log and is not found."""
    club: str | None = connection.execute(_CLUB_OF, {"stream": stream}).scalar_one_or_none()
    return club


def stream_version(connection: Connection, club: str, stream: str, position: int = NO_END) -> int:
    """The version of a stream, now or as it was at a position of the log; 0 is an empty stream."""
    place = {"club": club, "stream": stream, "position": position}
    return connection.execute(_VERSION, place).scalar_one_or_none() or 0


def guard(connection: Connection, club: str, key: str) -> str | None:
    """What a rule across streams holds now."""
    value: str | None = connection.execute(_GUARD, {"club": club, "key": key}).scalar_one_or_none()
    return value


def read_stream(
    connection: Connection,
    club: str,
    stream: str,
    since_type: str | None = None,
    after: int = 0,
    upto: int | None = None,
) -> list[Stored]:
    """The events of a stream after one version and up to another, in order.

    With `since_type` they begin at the latest event of that type in this range, and at its
    beginning where there is none.
    """
    end = NO_END if upto is None else upto
    wanted = {"club": club, "stream": stream, "after": after, "upto": end}
    if since_type is None:
        return list(map(_stored, connection.execute(_STREAM, wanted)))
    return list(map(_stored, connection.execute(_STREAM_SINCE, {**wanted, "type": since_type})))


def read_log(connection: Connection, club: str, after: int, limit: int) -> list[Stored]:
    """The next events of a club's log after a position, at most `limit`."""
    page = {"club": club, "after": after, "limit": limit}
    return list(map(_stored, connection.execute(_LOG, page)))


def _stored(row: Sequence[Any]) -> Stored:
    """A row as an event, its slots and digests apart again."""
    *where, slots, digests, leaf, hash_ = row
    split = [digests[at : at + HASH_SIZE] for at in range(0, len(digests), HASH_SIZE)]
    return Stored(*where, codec.unpack(slots), tuple(split), leaf, hash_)  # type: ignore[call-arg]

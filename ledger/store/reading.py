"""Reading a club's log: by stream, by position, by what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from ledger import codec
from ledger.refusal import Refused
from ledger.store.tables import (
    FIRST,
    Appended,
    Command,
    Head,
    Known,
    Stored,
    commands,
    events,
    guards,
    heads,
)

HASH_SIZE = 32
NO_END = 2**63 - 1

# Statements stand here ready made: building one again costs ten times what running it does.
_HEAD = select(heads).where(heads.c.club == bindparam("club"))
_CLUBS = select(heads.c.club).order_by(heads.c.club)
_COMMAND = (
    select(
        commands.c.request, commands.c.first, commands.c.last, events.c.hash, events.c.recorded_at
    )
    .join(events, (events.c.club == commands.c.club) & (events.c.position == commands.c.last))
    .where(commands.c.club == bindparam("club"), commands.c.digest == bindparam("digest"))
)
_GUARD = select(guards.c.value).where(
    guards.c.club == bindparam("club"), guards.c.key == bindparam("key")
)
_LOG = (
    select(events)
    .where(events.c.club == bindparam("club"), events.c.position > bindparam("after"))
    .order_by(events.c.position)
    .limit(bindparam("limit"))
)
_CLUB_OF = select(events.c.club).where(events.c.stream == bindparam("stream"), FIRST)
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
    .where(_IN_RANGE, events.c.type.in_(bindparam("types", expanding=True)))
    .order_by(events.c.version.desc())
    .limit(1)
    .scalar_subquery()
)
_BY_ACTOR = (
    select(events)
    .where(events.c.club == bindparam("club"), events.c.actor == bindparam("actor"))
    .order_by(events.c.position)
)
_LATEST = (
    select(events)
    .where(_OF_STREAM, events.c.type == bindparam("type"))
    .order_by(events.c.version.desc())
    .limit(1)
)
_OF_TYPE = (
    select(events).where(_OF_STREAM, events.c.type == bindparam("type")).order_by(events.c.version)
)
_STREAM_SINCE = _STREAM.where(events.c.version >= func.coalesce(_LATEST_OF_TYPE, 1))


def head(connection: Connection, club: str) -> Head | None:
    """The end of a club's log, or None where there is no such club."""
    row = connection.execute(_HEAD, {"club": club}).one_or_none()
    return Head(*row) if row else None


def clubs(connection: Connection) -> list[str]:
    """Every club that has a log, by id."""
    return list(connection.execute(_CLUBS).scalars())


def hold(connection: Connection, club: str) -> Head | None:
    """The end of a club's log; nobody else appends to it until the transaction ends."""
    row = connection.execute(_HEAD.with_for_update(), {"club": club}).one_or_none()
    return Head(*row) if row else None


def find_command(connection: Connection, club: str, digest: bytes) -> Known | None:
    """What is kept of a command that was done, or None."""
    row = connection.execute(_COMMAND, {"club": club, "digest": digest}).one_or_none()
    return Known(*row) if row else None


def replay(connection: Connection, club: str, command: Command) -> Appended | None:
    """The first answer to a command that was done; refuses its id with another request."""
    known = find_command(connection, club, command.digest)
    if known is None:
        return None
    if known.request != command.request:
        raise Refused("idempotency_key_reused")
    return Appended(known.first, known.last, known.hash, known.recorded_at, replayed=True)


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
    since: Sequence[str] = (),
    after: int = 0,
    upto: int | None = None,
) -> list[Stored]:
    """The events of a stream after one version and up to another, in order.

    `since`: they begin at the latest event of these types in this range, and at its beginning
    where there is none.
    """
    end = NO_END if upto is None else upto
    wanted = {"club": club, "stream": stream, "after": after, "upto": end}
    if not since:
        return list(map(_stored, connection.execute(_STREAM, wanted)))
    return list(map(_stored, connection.execute(_STREAM_SINCE, {**wanted, "types": since})))


def latest(connection: Connection, club: str, stream: str, kind: str) -> Stored | None:
    """The newest event of a type in a stream."""
    row = connection.execute(_LATEST, {"club": club, "stream": stream, "type": kind}).first()
    return _stored(row) if row else None


def of_type(connection: Connection, club: str, stream: str, kind: str) -> list[Stored]:
    """The events of a type in a stream, in order."""
    wanted = {"club": club, "stream": stream, "type": kind}
    return list(map(_stored, connection.execute(_OF_TYPE, wanted)))


def guards_of(connection: Connection, club: str, prefix: str) -> dict[str, str]:
    """What the rules across streams hold whose keys begin alike."""
    found = select(guards.c.key, guards.c.value).where(
        guards.c.club == club, guards.c.key.startswith(prefix, autoescape=True)
    )
    return dict(connection.execute(found).all())


def read_log(connection: Connection, club: str, after: int, limit: int) -> list[Stored]:
    """The next events of a club's log after a position, at most `limit`."""
    page = {"club": club, "after": after, "limit": limit}
    return list(map(_stored, connection.execute(_LOG, page)))


def read_acts(connection: Connection, club: str, actor: str) -> list[Stored]:
    """The events of a club's log that somebody brought about, in order: all of it is looked at."""
    return list(map(_stored, connection.execute(_BY_ACTOR, {"club": club, "actor": actor})))


def _stored(row: Sequence[Any]) -> Stored:
    """A row as an event, its slots and digests apart again."""
    *where, slots, digests, leaf, hash_ = row
    split = [digests[at : at + HASH_SIZE] for at in range(0, len(digests), HASH_SIZE)]
    return Stored(*where, codec.unpack(slots), tuple(split), leaf, hash_)  # type: ignore[call-arg]

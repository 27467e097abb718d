"""An append in one round trip, by the function that PostgreSQL has for it.

The function `append_events` comes with the migrations. It does what `by_statements` does, in the
same order: the head's lock, the command id, versions, guards, leaves and chain, the new head.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from ledger import codec
from ledger.refusal import Refused
from ledger.store.tables import Append, Appended

_CALL = text(
    "SELECT refused, subject, value, first, last, hash, recorded_at, replayed FROM append_events("
    ":club, :actor, :role, CAST(:recorded_at AS bigint), CAST(:founds AS boolean), "
    "CAST(:digest AS bytea), CAST(:request AS bytea), "
    "CAST(:streams AS text[]), CAST(:versions AS bigint[]), "
    "CAST(:of_streams AS text[]), CAST(:at_versions AS bigint[]), CAST(:types AS text[]), "
    "CAST(:publics AS bytea[]), CAST(:slots AS bytea[]), CAST(:digests AS bytea[]), "
    "CAST(:guard_keys AS text[]), CAST(:guard_values AS text[]), CAST(:guard_next AS text[]))"
)


def append(connection: Connection, asked: Append) -> Appended:
    """Append events to a club's log, once for a command id, which is kept without events too."""
    row = connection.execute(_CALL, _arguments(asked)).one()
    if row.refused is not None:
        raise _refusal(row.refused, row.subject, row.value)
    return Appended(*row[3:])


def _arguments(asked: Append) -> dict[str, Any]:
    command = asked.command
    return {
        "club": asked.club,
        "actor": asked.actor,
        "role": asked.role,
        "recorded_at": asked.recorded_at,
        "founds": asked.founds,
        "digest": command and command.digest,
        "request": command and command.request,
        "streams": [writing.stream for writing in asked.writings],
        "versions": [writing.expected for writing in asked.writings],
        "guard_keys": [guard.key for guard in asked.guards],
        "guard_values": [guard.expected for guard in asked.guards],
        "guard_next": [guard.value for guard in asked.guards],
        **_events(asked),
    }


def _events(asked: Append) -> dict[str, list[Any]]:
    """The events as columns, each with its stream and its version there."""
    placed = [
        (writing.stream, version, sealed)
        for writing in asked.writings
        for version, sealed in enumerate(writing.sealed, writing.expected + 1)
    ]
    return {
        "of_streams": [stream for stream, _, _ in placed],
        "at_versions": [version for _, version, _ in placed],
        "types": [sealed.type for _, _, sealed in placed],
        "publics": [sealed.public for _, _, sealed in placed],
        "slots": [codec.pack(sealed.slots) for _, _, sealed in placed],
        "digests": [b"".join(sealed.digests) for _, _, sealed in placed],
    }


def _refusal(code: str, subject: str, value: str | None) -> Refused:
    """What the function would not do: its code, what it is about and what stands there."""
    if code == "version_stale":
        return Refused(code, stream=subject, current_version=int(value or 0))
    if code == "guard_stale":
        return Refused(code, key=subject, value=value)
    return Refused(code) if code == "idempotency_key_reused" else Refused(code, club=subject)

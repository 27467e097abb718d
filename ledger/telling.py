"""How an event is told to who may read it: the one form that the API, exports and files have.

Told and read back it is the same bytes, so that whoever keeps the lines of a log can hash them
again. What its reader may not see is a digest; what is not his business, links of the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from ledger import codec
from ledger.days import EPOCH
from ledger.record import microseconds
from ledger.store import Stored

_encode = msgspec.json.Encoder().encode


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """An event of which only its place in the chain is told."""

    object: Literal["event"]
    id: str
    position: int
    leaf: str
    hash: str


class _Slot(Struct, frozen=True, forbid_unknown_fields=True):
    audience: str
    digest: str
    part: Raw = Raw()


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    object: Literal["event"]
    id: str
    position: int
    stream: str
    version: int
    type: str
    recorded_at: str
    actor: str
    role: str
    command: str
    public: Raw
    slots: tuple[_Slot, ...]
    leaf: str
    hash: str
    occurred_at: str | None = None


def event_told(row: Stored, slots: Sequence[bytes | None]) -> dict[str, Any]:
    """An event, its slots as its reader may see them: None is one that he may not."""
    fact = codec.unseal(row.type, row.public).fact
    occurred_at = getattr(fact, "at", getattr(fact, "ended_at", None))
    return {
        **_name(row),
        "stream": row.stream,
        "version": row.version,
        "type": row.type,
        "recorded_at": time_text(row.recorded_at),
        **({} if occurred_at is None else {"occurred_at": time_text(occurred_at)}),
        "actor": row.actor,
        "role": row.role,
        "command": row.command.hex(),
        "public": Raw(row.public),
        "slots": [_slot(row, slots, audience) for audience in range(len(slots))],
        **_link(row),
    }


def link_told(row: Stored) -> dict[str, Any]:
    """An event that is not its reader's business: what holds the chain together."""
    return {**_name(row), **_link(row)}


def read_line(line: bytes, club: str) -> tuple[Stored, tuple[bytes | None, ...]] | Link:
    """The event of a line of a club's log with the slots that it shows, or the link of one hidden.

    A ValueError where it is none, or not written in the one way in which events are told.
    """
    if b'"type":' not in line:
        link = msgspec.json.decode(line, type=Link)
        _check_written(line, msgspec.to_builtins(link))
        return link
    told = msgspec.json.decode(line, type=_Line)
    slots = tuple(bytes(one.part) or None for one in told.slots)
    row = Stored(
        club,
        told.position,
        told.stream,
        told.version,
        told.type,
        microseconds(told.recorded_at),
        told.actor,
        told.role,
        bytes.fromhex(told.command),
        bytes(told.public),
        tuple(part for part in slots if part is not None),
        tuple(bytes.fromhex(one.digest) for one in told.slots),
        bytes.fromhex(told.leaf),
        bytes.fromhex(told.hash),
    )
    _check_written(line, event_told(row, slots))
    return row, slots


def time_text(at: int) -> str:
    """Microseconds of UTC as RFC 3339: 0 -> "1970-01-01T00:00:00.000000Z"."""
    moment = EPOCH + timedelta(microseconds=at)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _check_written(line: bytes, told: dict[str, Any]) -> None:
    """Nothing stands twice, in another order or with other spaces: there is one way to tell it."""
    if _encode(told) != line:
        raise ValueError


def _name(row: Stored) -> dict[str, Any]:
    return {"object": "event", "id": f"evt_{row.position}", "position": row.position}


def _link(row: Stored) -> dict[str, Any]:
    """What holds the chain together; with its name, all that everybody in the club may know."""
    return {"leaf": row.leaf.hex(), "hash": row.hash.hex()}


def _slot(row: Stored, slots: Sequence[bytes | None], audience: int) -> dict[str, Any]:
    table, part = audience == len(slots) - 1, slots[audience]
    slot: dict[str, Any] = {
        "audience": "table" if table else f"seat {audience}",
        "digest": row.digests[audience].hex(),
    }
    return slot if part is None else {**slot, "part": Raw(part)}

"""What an event is: a public part, and slots for those who may see more."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

Seat = int


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """The public part of an event."""


class Private(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an event holds for one audience alone: a seat, or the table."""


class Nothing(Private, frozen=True):
    """The slot of an audience for which a type never holds anything."""


class Event(Struct, frozen=True):
    """One thing that happened: its public part, and its slots in the order of their audiences.

    `slots` is empty for a type without private parts; else it has an entry per seat and the
    table's last. None is an empty slot, or one that the viewer may not see.
    """

    fact: Fact
    slots: tuple[Private | None, ...] = ()


P = TypeVar("P", bound=Private)


def slot(event: Event, audience: int, kind: type[P]) -> P | None:
    """The private part of an event for one audience, or None where it is empty or not shown."""
    part = event.slots[audience] if event.slots else None
    return part if isinstance(part, kind) else None


def slots(players: int, parts: dict[int, Private]) -> tuple[Private | None, ...]:
    """The slots of an event at a table: a part for the audiences named, the others empty."""
    return tuple(parts.get(audience) for audience in range(players + 1))

"""What stands outside of events beside an act of the operator log: names, reasons, origins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, people
from ledger.access import Origin
from ledger.terminal import time_text
from projections.operator_log import ActRow

NOWHERE = Origin("")


class NamedAct(Struct, frozen=True):
    """An act with what its actor and its target are called, the reason, and where it came from.

    An act that came over no request has no address, device and request id.
    """

    row: ActRow
    name: str | None
    target_name: str | None
    reason: str | None
    origin: Origin

    @property
    def before(self) -> dict[str, Any] | None:
        """How it stood before, times as text."""
        return _in_words(self.row.before)

    @property
    def after(self) -> dict[str, Any] | None:
        """How it stood after, times as text."""
        return _in_words(self.row.after)


def named(connection: Connection, club: str, rows: Sequence[ActRow]) -> list[NamedAct]:
    """Acts with the names, the reasons and the origins that stand outside of events."""
    actors = sorted({row.actor for row in rows})
    names = {**access.key_labels(connection, actors), **people.find_names(connection, actors)}
    targets = _names_of_targets(connection, club, [row.target for row in rows])
    origins = access.find_origins(connection, club, [row.position for row in rows])
    return [
        NamedAct(
            row,
            names.get(row.actor),
            targets.get(row.target),
            row.note and access.find_text(connection, club, row.note),
            origins.get(row.position, NOWHERE),
        )
        for row in rows
    ]


def _names_of_targets(connection: Connection, club: str, targets: list[str]) -> dict[str, str]:
    """What keys, memberships and members are called in the club; tables have no name."""
    members = access.find_members(connection, club, tuple(targets))
    return {
        **access.key_labels(connection, targets),
        **people.membership_labels(connection, targets),
        **{target: f"{row.code} {row.name}" for target, row in members.items()},
    }


def _in_words(told: dict[str, Any] | None) -> dict[str, Any] | None:
    """What an event says, its times as text."""
    return told and {name: _in_word(name, value) for name, value in told.items()}


def _in_word(name: str, value: Any) -> Any:
    is_time = name.endswith(("_at", "_until")) and isinstance(value, int)
    return time_text(value) if is_time else value

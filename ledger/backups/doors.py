"""Whether the keys and memberships of a database, which open it, are those that events made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from ledger.access import KeyRow, keys
from ledger.audit.offices import Offices
from ledger.audit.recorded import read
from ledger.backups.unsound import Unsound
from ledger.people import MembershipRow, memberships
from ledger.store import Stored

OF_OFFICES = ("club", "member", "membership")
"""The kinds of streams in which people and keys get their rights, by the names of the streams."""


def take(offices: Offices, row: Stored) -> None:
    """Take an event for the keys and memberships of its club, if it is of these."""
    if row.stream.partition("/")[0] in OF_OFFICES:
        offices.take(row.stream, read(row))


def check(connection: Connection, made: Mapping[str, Offices]) -> None:
    """Hold the rows of keys and memberships against what the events of each club made.

    A row that no event made, one that says something else, and one that is missing are faults
    (`backup_key_differs`, `backup_membership_differs`).
    """
    kept_keys = (KeyRow(*row) for row in connection.execute(select(keys)))
    _compare(
        "key",
        {(row.club, row.key): _told_of_key(row) for row in kept_keys},
        {
            (club, name): (one.roles, one.member, one.expires_at, one.revoked)
            for club, offices in made.items()
            for name, one in offices.keys.items()
        },
    )
    kept = (MembershipRow(*row) for row in connection.execute(select(memberships)))
    _compare(
        "membership",
        {(row.club, row.membership): _told_of_membership(row) for row in kept},
        {
            (club, name): (one.roles, one.person, one.member, one.expires_at, one.revoked)
            for club, offices in made.items()
            for name, one in offices.memberships.items()
        },
    )


def _told_of_key(row: KeyRow) -> tuple[Any, ...]:
    return tuple(row.roles.split(",")), row.member, row.expires_at, row.revoked_at is not None


def _told_of_membership(row: MembershipRow) -> tuple[Any, ...]:
    ended = row.revoked_at is not None
    return row.role_names, row.person, row.member, row.expires_at, ended


def _compare(what: str, kept: Mapping[Any, Any], made: Mapping[Any, Any]) -> None:
    names: Iterable[tuple[str, str]] = sorted(kept.keys() | made.keys())
    for club, name in names:
        if kept.get((club, name)) != made.get((club, name)):
            raise Unsound(f"backup_{what}_differs", club=club, named=name)

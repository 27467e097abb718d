"""Asking for an export: who may, what is kept of it, and the worker's way to make it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger.access import Caller, role_missing
from ledger.database import Database
from ledger.exports import Export
from ledger.refusal import Refused
from projections import periods
from projections.exports.asked import Asked
from projections.exports.catalog import KINDS
from projections.exports.checking import check, named
from projections.exports.making import File, make
from projections.statement import By


class Kept(Struct, frozen=True):
    """What is kept of an export that was made: its files, and what its manifest says."""

    files: tuple[File, ...]
    manifest: dict[str, object]


def of_period(
    connection: Connection, club: str, asked: Asked, number: int | None, by: By | None
) -> Asked:
    """What is asked, over the days of a closing; refuses a number of none (`period_unknown`).

    Unless it is asked otherwise it is what the closing told: by the days from which entries count,
    as of the position at which it read the books.
    """
    if number is None:
        return replace(asked, by=by or "booked")
    row = periods.period(connection, club, number)
    if row is None:
        raise Refused("period_unknown", number=number)
    takes = KINDS[asked.kind].filters if asked.kind in KINDS else ()
    return replace(
        asked,
        first=row.first,
        last=row.last,
        by=by or ("effective" if "by" in takes else "booked"),
        position=asked.position or (row.position if "position" in takes else None),
    )


def allow(connection: Connection, caller: Caller, club: str, asked: Asked) -> Asked:
    """What a caller may have of what he asks for, with the member by his id.

    To a member that is his own statement. Refuses what cannot be asked (see `checking`), a
    member whom the club has not, and whoever has none of the kind's roles (`role_missing`).
    """
    kind = check(asked)
    asked = named(connection, club, asked)
    officers = _officers(kind.roles)
    if caller.has(*officers):
        return asked
    own = asked.member in (None, caller.member)
    if "member" in kind.roles and caller.member is not None and own:
        return replace(asked, member=caller.member)
    raise role_missing(officers)


def readable(caller: Caller) -> tuple[str, ...]:
    """The kinds that a caller may see of everybody's."""
    return tuple(name for name, kind in KINDS.items() if caller.has(*_officers(kind.roles)))


def _officers(roles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(role for role in roles if role != "member")


def read_asked(row: Export) -> Asked:
    """What was asked for."""
    return msgspec.json.decode(row.asked, type=Asked)


def read_kept(row: Export) -> Kept | None:
    """What was made, once it is."""
    return None if row.made is None else msgspec.json.decode(row.made, type=Kept)


def maker(
    database: Database, clock: Callable[[], int]
) -> Callable[[Export, Path, Callable[[int, int | None], None]], tuple[int, str]]:
    """How a worker makes the files of an export."""

    def made(row: Export, folder: Path, told: Callable[[int, int | None], None]) -> tuple[int, str]:
        done = make(database, row.club, read_asked(row), folder, clock(), told)
        return done.rows, msgspec.json.encode(Kept(done.files, done.manifest)).decode()

    return made

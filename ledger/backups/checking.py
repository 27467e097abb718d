"""Whether a restored database is what was backed up, and whether its books are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from msgspec import Struct
from sqlalchemy import Connection

from ledger import audit, codec, store
from ledger.access import members
from ledger.audit.offices import Offices
from ledger.backups import doors
from ledger.backups.manifest import Held, Log, Manifest, Progress, held_by
from ledger.backups.unsound import Unsound
from ledger.database import Database, upgrade
from ledger.events import HandSettled
from ledger.refusal import Refused
from ledger.store import Stored

PAGE = 500
Differs = Callable[[Database, str], str | None]
"""The read side's part: the first member of a club whose balance is not what the log makes it."""


class Report(Struct, frozen=True):
    """What was restored and found right: tables, rows, clubs, events, settlements, balances.

    `schema` is that of the backup, `upgraded` the one that this release brought it to.
    """

    created_at: str
    size: int
    sha256: str
    schema: str
    upgraded: str
    tables: int
    rows: int
    clubs: int
    events: int
    settlements: int
    balances: int


def check(url: str, told: Manifest, differs: Differs, progress: Progress) -> Report:
    """Check a database that was just restored against its manifest, and bring it up to date.

    Raises the first fault (`Unsound`).
    """
    with closing(Database.open(url)) as database:
        with database.read() as connection:
            _compare(_found(connection), told.held)
        upgrade(url)
        clubs, made = told.clubs, {one.club: Offices() for one in told.clubs}
        settled = [_check_club(database, one, made, differs, progress) for one in clubs]
        with database.read() as connection:
            doors.check(connection, made)
            upgraded = held_by(connection)
    return Report(
        created_at=told.created_at,
        size=told.size,
        sha256=told.sha256,
        schema=told.schema,
        upgraded=upgraded.schema,
        tables=len(told.rows),
        rows=sum(told.rows.values()),
        clubs=len(clubs),
        events=sum(club.events for club in clubs),
        settlements=sum(settled),
        balances=upgraded.rows[members.name],
    )


def _found(connection: Connection) -> Held:
    """What was restored; a copy without the tables of a ledger is of no schema."""
    try:
        return held_by(connection)
    except Refused:
        return Held("-", (), {})


def _compare(found: Held, told: Held) -> None:
    """Find the first thing that a database does not hold as its manifest tells it."""
    if found.schema != told.schema:
        raise Unsound("backup_schema_differs", told=told.schema, found=found.schema)
    for name in sorted(found.rows.keys() | told.rows.keys()):
        rows, wanted = found.rows.get(name, 0), told.rows.get(name, 0)
        if rows != wanted:
            raise Unsound("backup_rows_differ", table=name, told=wanted, found=rows)
    ends = ({log.club: log for log in held.clubs} for held in (told, found))
    wanted_ends, found_ends = ends
    for club in sorted(wanted_ends.keys() | found_ends.keys()):
        _compare_ends(club, wanted_ends.get(club), found_ends.get(club))


def _compare_ends(club: str, told: Log | None, found: Log | None) -> None:
    if told != found:
        named = {"told": _end(told), "found": _end(found)}
        raise Unsound("backup_head_differs", club=club, **named)


def _end(log: Log | None) -> str:
    return f"{log.events} {log.hash[:16]}" if log else "-"


def _check_club(
    database: Database,
    told: Log,
    made: dict[str, Offices],
    differs: Differs,
    progress: Progress,
) -> int:
    """Check a club's log and books, and see who has rights in it; says its settlements."""
    report = audit.verify(database, told.club, progress)
    if report.fault is not None:
        position, why = report.fault.position, report.fault.why
        raise Unsound("backup_log_not_whole", club=told.club, position=position, why=why)
    settled = 0
    for row in _log(database, told.club):
        doors.take(made[told.club], row)
        settled += _is_settlement(row)
    member = differs(database, told.club)
    if member is not None:
        raise Unsound("backup_balance_differs", club=told.club, member=member)
    return settled


def _is_settlement(row: Stored) -> bool:
    """Whether an event settles a hand; what it gives and takes sums to zero."""
    if codec.kind_of(row.type) is not HandSettled:
        return False
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, HandSettled)
    if sum(fact.totals) != 0:
        raise Unsound("backup_sum_not_zero", club=row.club, position=row.position)
    return True


def _log(database: Database, club: str) -> Iterator[Stored]:
    after = 0
    with database.read() as connection:
        while rows := store.read_log(connection, club, after, PAGE):
            yield from rows
            after = rows[-1].position

"""The books 账 as far as who writes must ask them: what members have, brought up to date first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from ledger import store
from ledger.database import Database
from ledger.events import Line
from ledger.refusal import Refused
from ledger.seating import Booked
from projections import projection
from projections.balances import as_of, balances_true, lost_on, points
from projections.checkpoint import live_place
from projections.journal import JOURNAL, NAME, accounts
from projections.statement import after_entry

SECONDS = 2.0
"""How long who writes waits until the books show the log as it was when he asked."""


def standings(
    database: Database, club: str, members: Sequence[str], day: str
) -> tuple[int, Mapping[str, Booked]]:
    """What members have and have lost on a day, and the position of the log that it shows."""
    _catch_up(database, club)
    with database.read() as connection:
        names = tuple(members)
        had = _points(connection, club, names)
        lost = lost_on(connection, club, names, day)
        booked = {one: Booked(had.get(one, 0), -lost.get(one, 0)) for one in names}
        return projection.position(connection, club, NAME), booked


def closing(database: Database, club: str, last: str) -> tuple[int, tuple[Line, ...]]:
    """What each member with points had at the end of a day, and the position shown."""
    _catch_up(database, club)
    with database.read() as connection:
        had = balances_true(connection, club, last)
        lines = tuple(Line(member, had[member]) for member in sorted(had))
        return projection.position(connection, club, NAME), lines


def left_by(database: Database, club: str, position: int) -> Mapping[str, int]:
    """What each account that the entry at a position moved had after it.

    It is waited for, but not for ever: nothing where the books do not show it by then.
    """
    projection.catch_up(database, club, position, (JOURNAL,), SECONDS)
    with database.read() as connection:
        return after_entry(connection, club, position)


def points_at(
    database: Database, club: str, members: Sequence[str], position: int
) -> Mapping[str, int]:
    """What members had as of a position of the log; refuses where the books are far behind it."""
    projection.catch_up(database, club, position, (JOURNAL,), SECONDS)
    with database.read() as connection:
        if projection.position(connection, club, NAME) < position:
            raise Refused("books_behind")
        when = as_of(position)
        return {member: points(connection, club, member, when) for member in members}


def _points(connection: Connection, club: str, members: tuple[str, ...]) -> dict[str, int]:
    live = live_place(connection, club, NAME)
    found = select(accounts.c.account, accounts.c.points).where(
        *live.rows(accounts), accounts.c.account.in_(members)
    )
    return dict(connection.execute(found).all())


def _catch_up(database: Database, club: str) -> None:
    """Bring the journal to the head of the log as it is now; refuses where it does not get there.

    A hand's start needs no newer one: what comes after is told by the position that it names.
    """
    with database.read() as connection:
        head = store.head(connection, club)
    wanted = head.position if head else 0
    projection.catch_up(database, club, wanted, (JOURNAL,), SECONDS)
    with database.read() as connection:
        if projection.position(connection, club, NAME) < wanted:
            raise Refused("books_behind")

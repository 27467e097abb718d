"""Who sits where now 入座: the open seats of a club, and what its limits make of its members.

Open seats stand beside the log's head and change in the transactions that open tables and close
them, so that nobody is seated twice however many ask at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from ledger import codec, store
from ledger import events as e
from ledger.database import Database
from ledger.days import day_of
from ledger.refusal import Refused
from ledger.streams import member as member_stream
from ledger.streams.club import DEADLINES, NO_LIMITS
from ledger.streams.limits import Limits, Standing, check_seat, limits_of
from ledger.streams.member import Member

METADATA = sa.MetaData()
CLOSED_UNTIL = "closed_until"
"""The guard that holds the last business day that is closed."""
OPENING = "opening/"
"""The guards that hold, by member, the allowance by which his books were opened."""

open_seats = sa.Table(
    "open_seats",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, nullable=False),
    sa.Index("open_seats_of_member", "club", "member"),
)

_LEAVE = delete(open_seats).where(
    open_seats.c.club == bindparam("of_club"), open_seats.c.table_id == bindparam("of_table")
)


class Booked(NamedTuple):
    """What a member has in the books, and what he has lost on a business day."""

    points: int
    lost: int


class Books(Protocol):
    """The read side, as far as who writes must ask it; it works in the database it is handed."""

    def standings(
        self, database: Database, club: str, members: Sequence[str], day: str
    ) -> tuple[int, Mapping[str, Booked]]:
        """What members have and have lost on a day, and the position of the log that it shows."""

    def closing(self, database: Database, club: str, last: str) -> tuple[int, tuple[e.Line, ...]]:
        """What each member with points had at the end of a day, and the position shown."""

    def left_by(self, database: Database, club: str, position: int) -> Mapping[str, int]:
        """What each account that an entry moved had after it; nothing where it is not shown."""

    def points_at(
        self, database: Database, club: str, members: Sequence[str], position: int
    ) -> Mapping[str, int]:
        """What members had as of a position of the log."""


def club_limits(connection: Connection, club: str) -> e.LimitsSet:
    """What a club allows."""
    row = store.latest(connection, club, "club", "LimitsSet/1")
    fact = NO_LIMITS if row is None else codec.unseal(row.type, row.public).fact
    assert isinstance(fact, e.LimitsSet)
    return fact


def club_deadlines(connection: Connection, club: str) -> e.DeadlinesSet:
    """The hours that a club gives in a dispute."""
    row = store.latest(connection, club, "club", "DeadlinesSet/1")
    fact = DEADLINES if row is None else codec.unseal(row.type, row.public).fact
    assert isinstance(fact, e.DeadlinesSet)
    return fact


def away(connection: Connection, club: str, members: Sequence[str]) -> dict[str, str]:
    """Those of some members who were forgotten or have left, each with the code that refuses it."""
    found = ((name, member_of(connection, club, name)) for name in members)
    return {
        name: "member_forgotten" if member.forgotten else "member_left"
        for name, member in found
        if member.forgotten or member.left
    }


def check_there(connection: Connection, club: str, member: str, pointer: str) -> None:
    """Refuse a member who was forgotten (`member_forgotten`) or has left (`member_left`)."""
    for name, code in away(connection, club, (member,)).items():
        raise Refused(code, pointer=pointer, member=name)


def founded(connection: Connection, club: str) -> str:
    """The business day on which a club was founded."""
    (founding,) = store.read_log(connection, club, 0, 1)
    fact = codec.unseal(founding.type, founding.public).fact
    assert isinstance(fact, e.ClubFounded)
    return day_of(fact.zone, fact.day_cutoff)(founding.recorded_at)


def member_of(connection: Connection, club: str, member: str) -> Member:
    """A member as his own events make him; refuses an unknown one (`member_unknown`)."""
    rows = store.read_stream(connection, club, f"member/{member}")
    found = member_stream.fold(codec.unseal(row.type, row.public) for row in rows)
    if found is None:
        raise Refused("member_unknown", member=member)
    return found


def standings(
    connection: Connection, club: str, members: Sequence[str], booked: Mapping[str, Booked]
) -> tuple[tuple[Limits, Standing], ...]:
    """What holds for members and where they stand; what is not booked for one is nothing."""
    limits, seats = club_limits(connection, club), tables_of(connection, club, members)
    found = []
    for name in members:
        member, own = member_of(connection, club, name), booked.get(name, Booked(0, 0))
        state = member.barred, member.left, member.forgotten
        standing = Standing(name, own.points, own.lost, seats[name], *state)
        found.append((limits_of(limits, member.limits), standing))
    return tuple(found)


def asks_books(pairs: Sequence[tuple[Limits, Standing]]) -> bool:
    """Whether a limit of these members is about what they have."""
    names = ("entry_floor", "entry_ceiling", "pause_floor", "day_loss")
    return any(getattr(limits, name) is not None for limits, _ in pairs for name in names)


def sit(
    connection: Connection,
    club: str,
    table: str,
    members: Sequence[str],
    day: str,
    staying: Collection[str] = (),
) -> None:
    """Seat members at a table, in the transaction that opens it or changes its seats.

    Refuses one who is barred, has left, was forgotten, or sits at as many tables as the club
    allows, unless he is `staying` there: he plays the match to its end. What he has was looked at
    before. `day` is the business day on which the match was opened.
    """
    for place, (limits, standing) in enumerate(standings(connection, club, members, {})):
        if standing.member not in staying:
            alone = Limits(None, None, None, None, None, limits.tables)
            check_seat(alone, standing, f"/seats/{place}")
    table_of = {"club": club, "table_id": table, "day": day}
    rows = [{**table_of, "member": member} for member in members]
    connection.execute(insert(open_seats), rows)


def leave(connection: Connection, club: str, table: str) -> None:
    """Let everybody leave a table, in the transaction that closes it."""
    connection.execute(_LEAVE, {"of_club": club, "of_table": table})


def change(connection: Connection, club: str, table: str, members: Sequence[str]) -> None:
    """Let others sit at a table than before, in the transaction that changes its seats.

    Where nobody took a seat, as in a match that was played elsewhere, nobody does now.
    """
    before = _seats_at(connection, club, table)
    leave(connection, club, table)
    if before:
        sit(connection, club, table, members, next(iter(before.values())), before)


def members_at(connection: Connection, club: str, table: str) -> frozenset[str]:
    """Who sits at an open table."""
    return frozenset(_seats_at(connection, club, table))


def _seats_at(connection: Connection, club: str, table: str) -> dict[str, str]:
    """Who sits at an open table, each with the business day on which its match was opened."""
    here = open_seats.c.club == club, open_seats.c.table_id == table
    found = select(open_seats.c.member, open_seats.c.day).where(*here)
    return dict(connection.execute(found).all())


def tables_of(connection: Connection, club: str, members: Sequence[str]) -> Counter[str]:
    """At how many open tables each of some members sits."""
    found = (
        select(open_seats.c.member, func.count())
        .where(open_seats.c.club == club, open_seats.c.member.in_(members))
        .group_by(open_seats.c.member)
    )
    return Counter(dict(connection.execute(found).all()))


def open_tables(connection: Connection, club: str, last: str) -> tuple[str, ...]:
    """The open tables of a club that were opened on a business day or before it."""
    here = open_seats.c.club == club, open_seats.c.day <= last
    found = select(open_seats.c.table_id).where(*here).distinct()
    return tuple(connection.execute(found.order_by(open_seats.c.table_id)).scalars())


def check_open_day(connection: Connection, club: str, day: str) -> None:
    """Refuse what would be booked on a business day that is closed (`period_closed`)."""
    closed = store.guard(connection, club, CLOSED_UNTIL)
    if closed is not None and day <= closed:
        raise Refused("period_closed", day=day, closed_until=closed)

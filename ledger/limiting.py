"""What a club's limits 额度与限制 make of a seat or a hand, as its books stand now."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import access, jobs, seating, sight, store
from ledger.codec import HAND_STARTS
from ledger.jobs import SETTLE
from ledger.perform import Ledger
from ledger.present import present
from ledger.refusal import Refused
from ledger.seating import Books
from ledger.streams.limits import RANGES, Limits, Room, Standing, check_seat, room
from ledger.streams.match import Admission, fold

_, MOST_TABLES = RANGES["tables"]
Pairs = tuple[tuple[Limits, Standing], ...]


class Admitted(Struct, frozen=True):
    """What the next hand of a table starts under, and for whom; `keep` keeps what it tells."""

    admission: Admission
    seats: tuple[str, ...]
    keep: Callable[[Connection], None] = lambda _: None


def admission(ledger: Ledger, club: str, table: str, at: int | None) -> Admitted:
    """What the next hand of a table starts under: the cap, and where its members stand.

    `at` is when it begins, if not now: what is lost on a day counts for that one. Refuses one
    whose earlier hands are not settled yet (`settlement_pending`): what its members have would not
    be known.
    """
    with ledger.database.read() as connection:
        seats = _seats(connection, club, table)
        cap = seating.club_limits(connection, club).hand_cap
    position, pairs = standings(ledger, club, seats, at)
    if not position:
        return Admitted(Admission(cap), seats)
    had = ", ".join(f"{standing.member} {standing.points}" for _, standing in pairs)
    with ledger.database.read() as connection:
        row = access.find_club(connection, club)
    assert row is not None
    admission = Admission(cap, pairs, position, access.text_digest(row, had))
    return Admitted(admission, seats, lambda connection: access.keep_text(connection, row, had))


def check_fits(connection: Connection, club: str, table: str, admitted: Admitted) -> None:
    """Refuse what somebody else has done at the table since its next hand was admitted.

    That is a hand that waits for its settlement, and others who sit there (`seats_moved`).
    """
    if _seats(connection, club, table) != admitted.seats:
        raise Refused("seats_moved")


def _seats(connection: Connection, club: str, table: str) -> tuple[str, ...]:
    """Who sits at a table of which no hand waits for its settlement."""
    waiting = jobs.pending(connection, club, SETTLE, f"{table}-")
    if waiting:
        raise Refused("settlement_pending", hand=waiting[0])
    rows = store.read_stream(connection, club, f"table/{table}", HAND_STARTS)
    state = fold(sight.whole(rows))
    return () if state is None else state.seats


def check_admitted(
    ledger: Ledger,
    club: str,
    members: tuple[str, ...],
    at: int | None,
    staying: frozenset[str] = frozenset(),
) -> None:
    """Refuse members who come to a table and whom a limit of the club keeps from a seat.

    `at` is when they sit down, if not now; whoever is `staying` plays the match to its end. At
    how many tables they sit is asked in the transaction that seats them.
    """
    _, pairs = standings(ledger, club, members, at)
    for place, (limits, standing) in enumerate(pairs):
        if standing.member not in staying:
            alone = replace(limits, tables=MOST_TABLES + 1)
            check_seat(alone, standing, f"/seats/{place}")


def standings(
    ledger: Ledger, club: str, members: tuple[str, ...], at: int | None = None
) -> tuple[int, Pairs]:
    """Where members stand at their limits; the books are asked only where a limit is about them.

    The position is that which the books show, 0 where they were not asked. What was lost is that
    of the business day of a moment, or of today.
    """
    with ledger.database.read() as connection:
        now = present(connection, club, ledger.clock())
        pairs = seating.standings(connection, club, members, {})
    if not seating.asks_books(pairs):
        return 0, pairs
    day = now.day(now.at if at is None else at)
    position, booked = books_of(ledger).standings(ledger.database, club, members, day)
    with ledger.database.read() as connection:
        return position, seating.standings(connection, club, members, booked)


def rooms(
    ledger: Ledger, club: str, members: tuple[str, ...]
) -> tuple[tuple[Standing, tuple[Room, ...]], ...]:
    """Where members stand, and how far each limit that there is for one is away from him."""
    with ledger.database.read() as connection:
        now = present(connection, club, ledger.clock())
    _, booked = books_of(ledger).standings(ledger.database, club, members, now.day(now.at))
    with ledger.database.read() as connection:
        pairs = seating.standings(connection, club, members, booked)
    return tuple((standing, room(limits, standing)) for limits, standing in pairs)


def books_of(ledger: Ledger) -> Books:
    """The read side; refuses where there is none (`books_closed`)."""
    if ledger.books is None:
        raise Refused("books_closed")
    return ledger.books

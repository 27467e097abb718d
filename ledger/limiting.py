"""What a club's limits 额度与限制 make of a seat or a hand, as its books stand now."""

from __future__ import annotations

from msgspec.structs import replace

from ledger import jobs, seating, sight, store
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


def admission(ledger: Ledger, club: str, table: str) -> Admission:
    """What the next hand of a table starts under: the cap, and where its members stand.

    Refuses one whose earlier hands are not settled yet (`settlement_pending`): what its members
    have would not be known.
    """
    with ledger.database.read() as connection:
        waiting = jobs.pending(connection, club, SETTLE, f"{table}-")
        if waiting:
            raise Refused("settlement_pending", hand=waiting[0])
        rows = store.read_stream(connection, club, f"table/{table}", HAND_STARTS)
        state = fold(sight.whole(rows))
        cap = seating.club_limits(connection, club).hand_cap
    position, pairs = standings(ledger, club, () if state is None else state.seats)
    return Admission(cap, pairs if position else (), position)


def check_admitted(ledger: Ledger, club: str, members: tuple[str, ...]) -> None:
    """Refuse members whom a limit of the club keeps from a seat.

    At how many tables they sit is asked in the transaction that seats them.
    """
    _, pairs = standings(ledger, club, members)
    for place, (limits, standing) in enumerate(pairs):
        alone = replace(limits, tables=MOST_TABLES + 1)
        check_seat(alone, standing, f"/seats/{place}")


def standings(ledger: Ledger, club: str, members: tuple[str, ...]) -> tuple[int, Pairs]:
    """Where members stand at their limits; the books are asked only where a limit is about them.

    The position is that which the books show, 0 where they were not asked.
    """
    with ledger.database.read() as connection:
        now = present(connection, club, ledger.clock())
        pairs = seating.standings(connection, club, members, {})
    if not seating.asks_books(pairs):
        return 0, pairs
    position, booked = books_of(ledger).standings(ledger.database, club, members, now.day(now.at))
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

"""Between two hands members change seats 换座, or another one takes a seat over 换人."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ledger import events as e
from ledger.events import Event, Seat
from ledger.refusal import Refused
from ledger.rules.play import Moment
from ledger.streams.match import Table


class ChangeSeats(Struct, frozen=True):
    """Says who sits where from the next hand on, by member."""

    seats: tuple[str, ...]
    at: int | None = None


def change_seats(table: Table, command: ChangeSeats, moment: Moment) -> tuple[Event, ...]:
    """The new seats; nothing where all sit so already.

    A member who stays takes his points of the match and his deal with him; whoever comes takes
    over those of a seat that was left, the one he sits down at where that is one of them.
    """
    if command.seats == table.seats:
        return ()
    if table.playing is not None:
        raise Refused("hand_running", hand=table.number)
    check_seats(command.seats, len(table.seats))
    lines = tuple(_lines(table.seats, command.seats))
    return (Event(e.SeatsChanged(moment.at, command.seats, lines)),)


def check_seats(seats: tuple[str, ...], players: int) -> None:
    """Refuses too few seats or too many (`seats_count`), and a member at two of them."""
    if len(seats) != players:
        raise Refused("seats_count", pointer="/seats", seats=len(seats), players=players)
    if len(set(seats)) != players:
        raise Refused("member_seated_twice", pointer="/seats")


def _lines(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Seat]:
    """The former seat with whose points each seat goes on."""
    left = [seat for seat, member in enumerate(before) if member not in after]
    new = [seat for seat, member in enumerate(after) if member not in before]
    own = {seat: seat for seat in new if seat in left}
    free = (seat for seat in left if seat not in own)
    for seat, member in enumerate(after):
        if member in before:
            yield before.index(member)
        else:
            yield own[seat] if seat in own else next(free)

"""A hand whose points are booked: how it was played, what stands, and where all of it lies."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection

from ledger import codec, sight, store
from ledger.codec import HAND_STARTS
from ledger.events import (
    AllowancePosted,
    AllowanceReversed,
    Fact,
    HandCorrected,
    HandEnded,
    HandReversed,
    HandSettled,
    TableClosed,
)
from ledger.hand import Hand
from ledger.outcome import Settlement
from ledger.refusal import Refused
from ledger.rules.catalog import settle_hand
from ledger.store import Stored
from ledger.streams import settlement
from ledger.streams.match import Table, fold
from ledger.streams.settlement import Money

PART = 500
"""How many events are read at once."""
BOOKING = (
    "HandSettled/1",
    "HandReversed/1",
    "HandCorrected/1",
    "AllowancePosted/1",
    "AllowanceReversed/1",
)
"""The events that book something on a day, but for closings, which follow one another."""
Booking = HandSettled | HandReversed | HandCorrected | AllowancePosted | AllowanceReversed


class Ended(Struct, frozen=True):
    """A hand that has ended: its table then, its last event, and where it begins and ends."""

    table: Table
    fact: HandEnded
    first: int
    last: int

    @property
    def hand(self) -> Hand:
        """The hand."""
        assert self.table.hand is not None
        return self.table.hand


class Booked(Struct, frozen=True):
    """A hand that is settled: what stands of it now, how it ended, where its settlement lies."""

    money: Money
    ended: Ended
    settled: int

    @property
    def computed(self) -> Settlement:
        """What the hand comes to as it was played or entered, whatever was decided since."""
        return settle_hand(self.ended.hand)


def ended_at(connection: Connection, club: str, position: int) -> tuple[Stored, Ended]:
    """The hand that ended at a position of the log, and the event of its end."""
    (end,) = store.read_log(connection, club, position - 1, 1)
    rows = store.read_stream(connection, club, end.stream, HAND_STARTS, upto=end.version)
    events = sight.whole(rows)
    table, fact = fold(events), events[-1].fact
    assert table is not None
    assert isinstance(fact, HandEnded)
    return end, Ended(table, fact, rows[0].position, end.position)


def find(connection: Connection, club: str, table: str, number: int) -> Booked:
    """A hand that is settled; refuses one that is not (`hand_unsettled`)."""
    rows = store.read_stream(connection, club, f"hand/{table}/{number}")
    if not rows:
        raise Refused("hand_unsettled", hand=f"{table}-{number}")
    events = [codec.unseal(row.type, row.public) for row in rows]
    money, settled = settlement.fold(events), events[0].fact
    assert money is not None
    assert isinstance(settled, HandSettled)
    _, ended = ended_at(connection, club, settled.ended_position)
    return Booked(money, ended, rows[0].position)


def table_closed_at(connection: Connection, club: str, table: str) -> int | None:
    """When a match ended; None while it is played."""
    row = store.latest(connection, club, f"table/{table}", "TableClosed/1")
    if row is None:
        return None
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, TableClosed)
    return fact.at


def moved_since(connection: Connection, club: str, position: int, last: str) -> bool:
    """Whether anything was booked behind a position that counts on some day or before it."""
    head = store.head(connection, club)
    end = 0 if head is None else head.position
    while position < end:
        rows = store.read_log(connection, club, position, PART)
        facts = (codec.unseal(row.type, row.public).fact for row in rows if row.type in BOOKING)
        if any(_day_of(fact) <= last for fact in facts):
            return True
        position = rows[-1].position
    return False


def _day_of(fact: Fact) -> str:
    """The business day from which it counts what an event books."""
    assert isinstance(fact, Booking)
    return fact.effective_date

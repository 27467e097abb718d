"""What a projection recalls from the log beside the event that it takes: clock, wins, firsts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import Connection

from ledger import codec, store
from ledger.codec import HAND_STARTS
from ledger.days import EPOCH, day_of
from ledger.events import ClubFounded, DisputeFiled, HandCorrected, HandEntered, HandSettled, Won
from ledger.store import Stored

BACK = 12
"""How many events a hand's wins lie before its end at most, what is turned after them included."""

Booked = HandSettled | HandCorrected
"""What books a hand's points: its settlement, or a later revision."""


class Clock(Struct, frozen=True):
    """A club's business day, and the hour of its own clock, of a moment in microseconds."""

    day: Callable[[int], str]
    hour: Callable[[int], int]


class Win(Struct, frozen=True):
    """A win: whose, how, and from whom."""

    seat: int
    how: str
    from_seat: int | None


def clock_of(connection: Connection, club: str) -> Clock:
    """The clock of a club, with which its log begins."""
    [row] = store.read_log(connection, club, 0, 1)
    founded = codec.unseal(row.type, row.public).fact
    assert isinstance(founded, ClubFounded)
    zone = ZoneInfo(founded.zone)

    def hour(at: int) -> int:
        return (EPOCH + timedelta(microseconds=at)).astimezone(zone).hour

    return Clock(day_of(founded.zone, founded.day_cutoff), hour)


def filing_of(connection: Connection, row: Stored) -> DisputeFiled:
    """How a dispute was filed, by any of its events."""
    [first] = store.read_stream(connection, row.club, row.stream, upto=1)
    filed = codec.unseal(first.type, first.public).fact
    assert isinstance(filed, DisputeFiled)
    return filed


def settlement_of(connection: Connection, row: Stored) -> HandSettled:
    """How a hand was settled at first, by any event about its points."""
    [first] = store.read_stream(connection, row.club, row.stream, upto=1)
    settled = codec.unseal(first.type, first.public).fact
    assert isinstance(settled, HandSettled)
    return settled


def wins_of(connection: Connection, club: str, booked: Booked) -> tuple[Win, ...] | None:
    """The wins behind a hand's points, in their order; None where the points are all that is known.

    They were recorded with the hand's end, so they are among the last events before it.
    """
    if booked.end == "unknown":
        return None
    if isinstance(booked, HandCorrected):
        return _told(booked.outcome)
    end = booked.ended_position
    won: list[Win] = []
    for row in reversed(store.read_log(connection, club, max(0, end - BACK), min(BACK, end))):
        if row.type in HAND_STARTS:
            break
        fact = codec.unseal(row.type, row.public).fact
        if isinstance(fact, HandEntered):
            return _told(fact.outcome)
        if isinstance(fact, Won):
            won.insert(0, Win(fact.seat, fact.how, fact.from_seat))
    return tuple(won)


def _told(outcome: dict[str, Any] | None) -> tuple[Win, ...]:
    """The wins that an outcome tells in its public format."""
    wins = (outcome or {}).get("wins", ())
    return tuple(Win(win["seat"], win["how"], win.get("from")) for win in wins)

"""Telling a club's log what happens at its tables, hand by hand, for what is counted there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from msgspec.structs import replace
from sqlalchemy import Connection

from ledger.events import (
    DissolutionVoted,
    Fact,
    HandCorrected,
    HandReversed,
    MatchEnd,
    Scored,
    SeatsChanged,
    TableClosed,
    TableOpened,
    Vote,
)
from ledger.outcome import HandEnd
from projections.leaderboards import Counts, Row, member_statistics
from projections.sums import ALWAYS, Span
from tests.world import KEY, Club, ended, settled, started

End = HandEnd | Literal["unknown"]


class Told:
    """A club with five members, and who sits at its tables now."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.seats: dict[str, tuple[str, ...]] = {}

    @contextmanager
    def caught_up(self) -> Iterator[Connection]:
        """The database with all projections at the head of the log."""
        self.club.catch_up()
        with self.club.world.database.read() as connection:
            yield connection

    def open(
        self, table: str, *, members: tuple[int, ...] = (0, 1, 2, 3), low_score: int = 0
    ) -> None:
        """A table at which these members sit down."""
        seats = self._members(members)
        self.seats[table] = seats
        fact = TableOpened(KEY, {}, 8, low_score, seats, 0, "key_recorder", None, None, None, 1)
        self.club.tell(f"table/{table}", fact)

    def hand(
        self,
        table: str,
        number: int,
        payments: tuple[tuple[int, int, int], ...],
        *won: Fact,
        end: End = "win",
        value: int = 1,
        scored: tuple[Scored, ...] = (),
    ) -> None:
        """A hand that starts, ends by what was won or entered, and is settled."""
        seats = self.seats[table]
        over = replace(ended(number), end=end)
        position = self.club.tell(f"table/{table}", started(seats, number), *won, over)
        wins = scored or tuple(
            Scored(fact.seat, ("ping_hu",), value) for fact in won if hasattr(fact, "seat")
        )
        booked = settled(table, seats, payments, number, wins)
        booked = replace(booked, ended_position=position, end=end)
        self.club.tell(f"hand/{table}/{number}", booked)

    def reverse(self, table: str, number: int, totals: tuple[int, ...]) -> None:
        """A dispute undoes what a hand had booked; the totals are the opposite's."""
        day = ("2026-12-01", "2026-11-28")
        fact = HandReversed(table, number, self.seats[table], 1, totals, "dsp_1", 1, *day)
        self.club.tell(f"hand/{table}/{number}", fact)

    def correct(
        self,
        table: str,
        number: int,
        totals: tuple[int, ...],
        outcome: dict[str, Any] | None,
        scored: tuple[Scored, ...] = (),
    ) -> None:
        """A dispute books a hand anew: by an outcome, or by its points alone."""
        fact = HandCorrected(
            table=table,
            number=number,
            ruleset=KEY,
            seats=self.seats[table],
            end="unknown" if outcome is None else "win",
            totals=totals,
            payments=(),
            wins=scored,
            not_counted=(),
            outcome=outcome,
            dispute="dsp_1",
            ended_at=150_000_000,
            booked_date="2026-12-01",
            effective_date="2026-11-28",
        )
        self.club.tell(f"hand/{table}/{number}", fact)

    def change(self, table: str, members: tuple[int, ...], lines: tuple[int, ...]) -> None:
        """These members sit there from now on, each with the points of a former seat."""
        self.seats[table] = self._members(members)
        self.club.tell(f"table/{table}", SeatsChanged(1, self.seats[table], lines))

    def vote(
        self,
        table: str,
        seat: int,
        *,
        passed: bool,
        votes: tuple[Vote, ...] = (),
        scores: tuple[int, ...] = (0, 0, 0, 0),
        at: int = 1,
    ) -> int:
        """A seat wishes to dissolve; says where that stands in the log."""
        fact = DissolutionVoted(at, seat, votes, passed, scores)
        return self.club.tell(f"table/{table}", fact)

    def close(
        self, table: str, totals: tuple[int, ...], reason: MatchEnd = "played", at: int = 1
    ) -> int:
        """The match is over; says where that stands in the log."""
        return self.club.tell(f"table/{table}", TableClosed(at, reason, None, 1, totals))

    def _members(self, numbers: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.club.members[number] for number in numbers)


def read(told: Told, query: Callable[..., Any], *asked: Any, **more: Any) -> Any:
    """What a query finds in the club, with all projections at the head of the log."""
    with told.caught_up() as connection:
        return query(connection, told.club.id, *asked, **more)


def rows(told: Told, span: Span = ALWAYS, **more: Any) -> dict[int, Row]:
    """The rows of the statistics by the number of the member, in their order."""
    listed = read(told, member_statistics, span, **more)
    return {told.club.members.index(row.member): row for row in listed}


def counts(told: Told, member: int, span: Span = ALWAYS) -> Counts:
    """What a member has played, by his number."""
    return rows(told, span)[member].counts

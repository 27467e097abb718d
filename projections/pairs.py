"""Who sat with whom 往来矩阵: what went between two members, and what of it is unusual.

A feed is a discard of one with which the other wins 点炮. What is counted here is never a
verdict: it says where to look, and where there is too little to say anything.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select, text

from ledger.events import HandCorrected, HandReversed, HandSettled
from ledger.store import Stored
from projections import sums
from projections.checkpoint import METADATA, Place, Projection, live_place
from projections.recalled import Booked, wins_of
from projections.sums import ALWAYS, Span

NAME = "pairs"
MOST_TELLING = 10

pair_sums = sa.Table(
    "pair_sums",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, primary_key=True),
    sa.Column("low", sa.Text, primary_key=True),
    sa.Column("high", sa.Text, primary_key=True),
    *sums.columns_of_sums("hands", "net"),
)

pair_tables = sa.Table(
    "pair_tables",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("low", sa.Text, primary_key=True),
    sa.Column("high", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
)

seat_sums = sa.Table(
    "seat_sums",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    *sums.columns_of_sums("hands", "discard_wins"),
)

deal_in_sums = sa.Table(
    "deal_in_sums",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, primary_key=True),
    sa.Column("feeder", sa.Text, primary_key=True),
    sa.Column("others", sa.Text, primary_key=True),
    sa.Column("winners", sa.Integer, primary_key=True, autoincrement=False),
    *sums.columns_of_sums("times"),
)

feeds = sa.Table(
    "feeds",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("feeder", sa.Text, primary_key=True),
    sa.Column("winner", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("value", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Index("feeds_of_hand", "club", "generation", "table_id", "number"),
)

paired_hands = sums.kept_of_hands("paired_hands")

_SAT = text(
    "INSERT INTO pair_tables (club, generation, low, high, table_id, day, ruleset) "
    "VALUES (:club, :generation, :low, :high, :table_id, :day, :ruleset) ON CONFLICT DO NOTHING"
)
"""That two sat at a table stays, whatever becomes of the hand by which they first did."""


class Feed(Struct, frozen=True):
    """A hand in which one won with the other's discard: what it was worth, and what he paid."""

    table: str
    number: int
    day: str
    ruleset: str
    points: int
    value: int
    ended_at: int

    @property
    def id(self) -> str:
        """The hand's id."""
        return f"{self.table}-{self.number}"


def _booked(connection: Connection, place: Place, _: Stored, fact: Booked) -> None:
    when = {"day": fact.effective_date, "ruleset": fact.ruleset}
    pairs = [{**when, **pair} for pair in _pairs(fact)]
    fed = _feeds(connection, place, fact)
    added = {pair_sums.name: pairs, **({} if fed is None else _dealt_in(when, fact, fed))}
    sums.keep(connection, place, paired_hands, (fact.table, fact.number), added)
    sat = {**place.columns, "table_id": fact.table}
    connection.execute(_SAT, [{**sat, **pair} for pair in pairs])
    if fed:
        this = {**place.columns, "table_id": fact.table, "number": fact.number, **when}
        rows = [{**this, **feed, "ended_at": fact.ended_at} for feed in fed]
        connection.execute(insert(feeds), rows)


def _reversed(connection: Connection, place: Place, _: Stored, fact: HandReversed) -> None:
    sums.take_back(connection, place, paired_hands, (fact.table, fact.number))
    of_hand = feeds.c.table_id == fact.table, feeds.c.number == fact.number
    connection.execute(delete(feeds).where(*place.rows(feeds), *of_hand))


def _pairs(fact: Booked) -> list[dict[str, Any]]:
    """Who sat with whom, and the points that went from the one to the other, each pair once."""
    seats = {member: seat for seat, member in enumerate(fact.seats)}
    return [
        {"low": low, "high": high, "hands": 1, "net": _paid(fact, seats[low], seats[high])}
        for low, high in combinations(sorted(seats), 2)
    ]


def _paid(fact: Booked, payer: int, payee: int) -> int:
    """What one seat paid another, less what it got from it."""
    return sum(
        paid.points if paid.payer == payer else -paid.points
        for paid in fact.payments
        if {paid.payer, paid.payee} == {payer, payee}
    )


def _feeds(connection: Connection, place: Place, fact: Booked) -> list[dict[str, Any]] | None:
    """Each win with somebody's discard; None where nobody knows who won."""
    wins = wins_of(connection, place.club, fact)
    if wins is None:
        return None
    values = {score.seat: score.value for score in fact.wins}
    return [
        {
            "feeder": fact.seats[win.from_seat],
            "winner": fact.seats[win.seat],
            "points": _paid(fact, win.from_seat, win.seat),
            "value": values.get(win.seat, 0),
        }
        for win in wins
        if win.how == "discard" and win.from_seat is not None
    ]


def _dealt_in(when: dict[str, str], fact: Booked, fed: list[dict[str, Any]]) -> sums.Added:
    """Who could win with a discard and did, and who could have won with it."""
    winners = [feed["winner"] for feed in fed]
    seats = [
        {**when, "member": member, "hands": 1, "discard_wins": int(member in winners)}
        for member in fact.seats
    ]
    dealt_in = [
        {
            **when,
            "feeder": feeder,
            "others": " ".join(sorted(set(fact.seats) - {feeder})),
            "winners": len(winners),
            "times": 1,
        }
        for feeder in {feed["feeder"] for feed in fed}
    ]
    return {seat_sums.name: seats, deal_in_sums.name: dealt_in}


PAIRS = Projection(
    NAME,
    (pair_sums, pair_tables, seat_sums, deal_in_sums, feeds, paired_hands),
    {HandSettled: _booked, HandReversed: _reversed, HandCorrected: _booked},
)


def telling_hands(
    connection: Connection, club: str, feeder: str, winner: str, span: Span = ALWAYS
) -> list[Feed]:
    """The hands to look at first: in which one fed the other, and that cost the most points."""
    c, live = feeds.c, live_place(connection, club, NAME)
    told = (c.table_id, c.number, c.day, c.ruleset, c.points, c.value, c.ended_at)
    found = (
        select(*told)
        .where(*live.rows(feeds), *span.within(feeds), c.feeder == feeder, c.winner == winner)
        .order_by(c.points.desc(), c.ended_at.desc(), c.table_id, c.number)
        .limit(MOST_TELLING)
    )
    return [Feed(*row) for row in connection.execute(found)]

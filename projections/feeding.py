"""What is unusual between two members: feeds observed, expected by chance, and how sure that is.

When somebody deals in, each of the others at the table may be the winner, by how often he wins
with discards. That over all his deal-ins is what is expected; how far the observed is from it is
told only where there is enough of it, and against all other pairs that were looked at, since
among many innocent pairs some always look odd. These are no scores, so they may be fractions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from projections.checkpoint import Place, live_place
from projections.pairs import NAME, deal_in_sums, feeds, pair_sums, pair_tables, seat_sums
from projections.sums import ALWAYS, Span

Label = Literal["not_enough_data", "unusual", "usual"]
LABELS: tuple[Label, ...] = ("unusual", "usual", "not_enough_data")
NEEDED = 100
"""How many deal-ins while the other sits there it takes to say anything."""
UNUSUAL_BELOW = 0.05
"""The share of false alarms among the pairs called unusual that is borne on average."""
SHRUNK_BY = 100
"""How many hands of the club's own rate count beside a member's, so that few hands say little."""

Ordered = tuple[str, str]


class Pair(Struct, frozen=True):
    """What went from one member to another in the hands that both sat in.

    `net` is what he paid him, less what he got from him. `feeds` are his discards with which the
    other won, `fed_back` the other way round; `opportunities` his deal-ins while the other sat
    there. `z`, `p` and `q` are told with enough of these alone.
    """

    member: str
    other: str
    hands: int
    tables: int
    net: int
    feeds: int
    fed_back: int
    opportunities: int
    expected: float
    z: float | None = None
    p: float | None = None
    q: float | None = None

    @property
    def id(self) -> str:
        """The ids of both, in their order."""
        return f"{self.member}.{self.other}"

    @property
    def label(self) -> Label:
        """What may be said of it."""
        if self.q is None:
            return "not_enough_data"
        return "unusual" if self.q < UNUSUAL_BELOW else "usual"


class Chance(Struct):
    """What chance alone lets one expect: how many feeds, and how much they vary."""

    opportunities: int = 0
    expected: float = 0.0
    variance: float = 0.0


def club_pairs(
    connection: Connection, club: str, span: Span = ALWAYS, member: str | None = None
) -> list[Pair]:
    """Every two members who sat together, each way, or those of whom one is a member.

    The most unusual come first, then those of whom there is too little to say, the most of it
    first. What is unusual is judged among all pairs of the club, whosever are asked for.
    """
    live = live_place(connection, club, NAME)
    chances, fed = _chances(connection, live, span), _fed(connection, live, span)
    tables = _tables(connection, live, span)
    tested = judged(
        [
            Pair(
                one,
                other,
                hands=hands,
                tables=tables.get((min(one, other), max(one, other)), 0),
                net=net,
                feeds=fed.get((one, other), 0),
                fed_back=fed.get((other, one), 0),
                opportunities=chances[one, other].opportunities,
                expected=chances[one, other].expected,
                z=_z(fed.get((one, other), 0), chances[one, other]),
            )
            for one, other, hands, net in _together(connection, live, span)
        ]
    )
    wanted = [pair for pair in tested if member in (None, pair.member, pair.other)]
    return sorted(wanted, key=_most_unusual)


def judged(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs with how sure it is that each is unusual, by Benjamini and Hochberg.

    `p` is how often chance alone comes to as much or more, `q` the share of false alarms among
    all that are as unusual or more.
    """
    told = [pair if pair.z is None else replace(pair, p=_tail(pair.z)) for pair in pairs]
    by_p = sorted((pair for pair in told if pair.p is not None), key=lambda pair: pair.p or 0.0)
    least, q = 1.0, {}
    for rank in range(len(by_p), 0, -1):
        pair = by_p[rank - 1]
        least = min(least, (pair.p or 0.0) * len(by_p) / rank)
        q[pair.id] = least
    return [replace(pair, q=q.get(pair.id)) for pair in told]


def share(weights: Mapping[str, float], one: str, winners: int) -> float:
    """How likely one is among so many winners, drawn one after another by their weights."""
    whole = sum(weights.values())
    first = weights[one] / whole
    for other, weight in weights.items() if winners > 1 else ():
        if other != one:
            left = {name: weights[name] for name in weights if name != other}
            first += weight / whole * share(left, one, winners - 1)
    return first


def _chances(connection: Connection, live: Place, span: Span) -> defaultdict[Ordered, Chance]:
    """What chance lets one expect of each ordered pair, over all deal-ins of the first."""
    weights = _weights(connection, live, span)
    c = deal_in_sums.c
    columns = (c.feeder, c.others, c.winners)
    chances: defaultdict[Ordered, Chance] = defaultdict(Chance)
    for feeder, others, winners, times in _summed(connection, live, span, columns, c.times):
        able = {other: weights[other] for other in others.split()}
        for other in able if times else ():
            chance, likely = chances[feeder, other], share(able, other, winners)
            chance.opportunities += times
            chance.expected += times * likely
            chance.variance += times * likely * (1 - likely)
    return chances


def _weights(connection: Connection, live: Place, span: Span) -> dict[str, float]:
    """How often each wins with a discard, drawn towards the club's own rate where hands are few."""
    c = seat_sums.c
    found = _summed(connection, live, span, (c.member,), c.hands, c.discard_wins)
    wins, hands = sum(row[2] for row in found), sum(row[1] for row in found)
    usual = wins / hands if hands else 0.0
    return {member: (won + SHRUNK_BY * usual) / (sat + SHRUNK_BY) for member, sat, won in found}


def _fed(connection: Connection, live: Place, span: Span) -> dict[Ordered, int]:
    """The feeds of each ordered pair."""
    c = feeds.c
    found = (
        select(c.feeder, c.winner, func.count())
        .where(*live.rows(feeds), *span.within(feeds))
        .group_by(c.feeder, c.winner)
    )
    return {(feeder, winner): times for feeder, winner, times in connection.execute(found)}


def _tables(connection: Connection, live: Place, span: Span) -> dict[Ordered, int]:
    """At how many tables each pair sat, the lower id first."""
    c = pair_tables.c
    found = (
        select(c.low, c.high, func.count())
        .where(*live.rows(pair_tables), *span.within(pair_tables))
        .group_by(c.low, c.high)
    )
    return {(low, high): times for low, high, times in connection.execute(found)}


def _together(connection: Connection, live: Place, span: Span) -> list[tuple[str, str, int, int]]:
    """Each ordered pair that sat together, in how many hands, and what the first paid in all."""
    c = pair_sums.c
    found = _summed(connection, live, span, (c.low, c.high), c.hands, c.net)
    there = [(low, high, hands, net) for low, high, hands, net in found if hands]
    return there + [(high, low, hands, -net) for low, high, hands, net in there]


def _summed(
    connection: Connection,
    live: Place,
    span: Span,
    by: Sequence[sa.Column[Any]],
    *columns: sa.Column[Any],
) -> list[tuple[Any, ...]]:
    """The sums of columns of a table by others; what a database sums may be no int before."""
    table = by[0].table
    assert isinstance(table, sa.Table)
    found = (
        select(*by, *map(func.sum, columns))
        .where(*live.rows(table), *span.within(table))
        .group_by(*by)
        .order_by(*by)
    )
    return [(*row[: len(by)], *map(int, row[len(by) :])) for row in connection.execute(found)]


def _z(observed: int, chance: Chance) -> float | None:
    """By how many standard deviations there were more feeds than expected, where that is sure."""
    if chance.opportunities < NEEDED or not chance.variance:
        return None
    return (observed - chance.expected) / math.sqrt(chance.variance)


def _tail(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2))


def _most_unusual(pair: Pair) -> tuple[Any, ...]:
    return pair.q is None, pair.q or 0.0, pair.p or 0.0, -pair.opportunities, -pair.feeds, pair.id

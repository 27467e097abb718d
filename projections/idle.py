"""Hands that run and in which nothing happens any more 停滞: somebody should look after them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select

from ledger.events import HandEnded, HandStarted, HandVoided
from ledger.keyset import FIRST_PAGE, Page, cut
from ledger.store import Stored, events
from projections.checkpoint import METADATA, Place, Projection, live_place

NAME = "idle"
IDLE_AFTER = 30 * 60 * 1_000_000
"""How long nothing may happen in a hand that runs, in microseconds."""

running_hands = sa.Table(
    "running_hands",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("started_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("recorder", sa.Text, nullable=False),
    sa.Column("started_at", sa.BigInteger, nullable=False),
    sa.Index("running_hands_of_table", "club", "generation", "table_id"),
)


class IdleHand(Struct, frozen=True):
    """A hand that runs, and the last event of its table: where in the log, and of what time."""

    started_position: int
    table: str
    number: int
    ruleset: str
    seats: list[str]
    recorder: str
    started_at: int
    last_position: int
    last_at: int

    @property
    def id(self) -> str:
        """The hand's id."""
        return f"{self.table}-{self.number}"


def _started(connection: Connection, place: Place, row: Stored, fact: HandStarted) -> None:
    hand = {
        "started_position": row.position,
        "table_id": row.stream.removeprefix("table/"),
        "number": fact.number,
        "ruleset": fact.ruleset,
        "seats": list(fact.seats),
        "recorder": fact.recorder,
        "started_at": fact.at,
    }
    connection.execute(insert(running_hands), {**place.columns, **hand})


def _over(connection: Connection, place: Place, row: Stored, _: HandEnded | HandVoided) -> None:
    of_table = running_hands.c.table_id == row.stream.removeprefix("table/")
    connection.execute(delete(running_hands).where(*place.rows(running_hands), of_table))


IDLE = Projection(
    NAME, (running_hands,), {HandStarted: _started, HandEnded: _over, HandVoided: _over}
)

_HAND = tuple(column for column in running_hands.c if column.name not in ("club", "generation"))
_STREAM = sa.literal("table/") + running_hands.c.table_id
_last = events.alias()
_NEWEST = (
    select(func.max(_last.c.version))
    .where(_last.c.club == running_hands.c.club, _last.c.stream == _STREAM)
    .scalar_subquery()
)
_LAST_EVENT = (
    (events.c.club == running_hands.c.club)
    & (events.c.stream == _STREAM)
    & (events.c.version == _NEWEST)
)


def idle_hands(
    connection: Connection, club: str, now: int, page: Page = FIRST_PAGE
) -> tuple[list[IdleHand], bool]:
    """A page of the hands that saw no event for half an hour, as the log stands at this moment.

    The one that was started first comes first. Says too whether more follow. The time of the
    last event is read from the log: kept here, it would cost a row at every action.
    """
    live = live_place(connection, club, NAME)
    whole = (
        select(*_HAND, events.c.position, events.c.recorded_at)
        .select_from(running_hands)
        .join(events, _LAST_EVENT)
        .where(*live.rows(running_hands), events.c.recorded_at <= now - IDLE_AFTER)
    )
    order = (running_hands.c.started_position,)

    def place(hand: str) -> sa.Select[Any]:
        table, _, number = hand.rpartition("-")
        named = select(*order).where(*live.rows(running_hands), running_hands.c.table_id == table)
        return named.where(sa.cast(running_hands.c.number, sa.Text) == number)

    created = running_hands.c.started_at
    rows, more = cut(connection, whole, order, created, page, place, newest_first=False)
    return [IdleHand(*row) for row in rows], more

"""Ticking a match 对账: an officer has looked at its points and found them right."""

from __future__ import annotations

from sqlalchemy import Connection

from ledger import codec, jobs, store
from ledger.acts import Desk, noted, order_of
from ledger.events import TableClosed
from ledger.jobs import SETTLE
from ledger.orders import Order
from ledger.perform import Beside, Done, perform_as_seen
from ledger.streams.table import Tick


def tick(desk: Desk, table: str, *, ticked: bool, note: str | None = None) -> Done:
    """Say that the points of a match that has ended are right, or take that back, with a note."""
    digest, keep = noted(desk, note)

    def asking(connection: Connection) -> tuple[Order, Beside]:
        waiting = jobs.undone(connection, desk.club, SETTLE, f"{table}-")
        revised = _is_revised(connection, desk.club, table)
        command = Tick(ticked, digest, len(waiting), revised)
        return order_of(desk, f"table/{table}", command), keep

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def _is_revised(connection: Connection, club: str, table: str) -> bool:
    """Whether a hand of a match was corrected or reversed since somebody last ticked it."""
    ticked = store.latest(connection, club, f"table/{table}", "TableTicked/1")
    closed = store.latest(connection, club, f"table/{table}", "TableClosed/1")
    if ticked is None or closed is None:
        return False
    fact = codec.unseal(closed.type, closed.public).fact
    assert isinstance(fact, TableClosed)
    streams = (f"hand/{table}/{number}" for number in range(1, fact.hands + 1))
    revisions = (store.read_stream(connection, club, stream, after=1) for stream in streams)
    return any(row.position > ticked.position for rows in revisions for row in rows)

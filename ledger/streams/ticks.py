"""The tick 对账 of a match: its points were looked at when it had ended, and found right."""

from __future__ import annotations

from msgspec import Struct

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.match import Table
from ledger.streams.now import Now


class Tick(Struct, frozen=True):
    """Says that a match's points are right, or takes that back; `note` is a digest.

    `unsettled` hands of it wait for their points. `revised`: since somebody last said so a hand
    of it was corrected or reversed, so that nobody has looked at the points as they are now.
    """

    ticked: bool
    note: str | None = None
    unsettled: int = 0
    revised: bool = False
    at: int | None = None


def tick(table: Table, command: Tick, now: Now) -> tuple[Event, ...]:
    """What is said of a match that has ended; nothing where that stands already.

    Refuses a match that goes on (`table_runs`), and one of whose hands some are not settled
    (`hands_unsettled`).
    """
    stands = table.ticked and not command.revised
    if stands is command.ticked:
        return ()
    if table.closed is None:
        raise Refused("table_runs")
    if command.unsettled:
        raise Refused("hands_unsettled", n=command.unsettled)
    at = now.moment(command.at, table.at).at
    return (Event(e.TableTicked(at, command.ticked, command.note)),)

"""The chain of a club 事件链: every event of its log, as the API tells it, to be hashed again."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import sight
from ledger.access import OVERSEERS, Caller
from projections.exports.sheet import Row, columns
from projections.exports.source import Source

PART = 1000
"""Events that are in memory at a time."""

EVENTS = columns(
    """
event 事件 object
  An event as `GET /v1/clubs/{club}/events` tells it; what hides the tiles of a running hand is a \
digest.
"""
)


def events(source: Source) -> Iterator[Row]:
    """Every event up to the position, as somebody sees it who may read all and sits nowhere.

    Masked as it was at the position: a hand that ran then stays hidden, though it has ended since.
    """
    club, after = source.club.club, 0
    reader = Caller("export", club, OVERSEERS)
    while after < source.position:
        for told in sight.log_told(
            source.connection, reader, club, after, PART, position=source.position
        ):
            after = told["position"]
            yield (told,)

"""A club's log as the lines that are exported of it, for the tests of what is found in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger import telling
from ledger.store import Stored
from tests.lies.forging import House, Rows

Lines = list[bytes]
OTHER = "club_other"


class Shared:
    """A club's log of one match, two hands long, as the lines that are exported of it."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        self.club = honest.play()
        self.rows: Rows = honest.rows(self.club)
        self.lines = told(self.rows)
        self.sealed = honest.checkpoint(self.club)
        self.end = len(self.rows)

    def position(self, kind: str) -> int:
        """Where the first event of a type stands."""
        return next(row.position for row in self.rows if row.type == kind)


def told(rows: Rows) -> Lines:
    """Events as lines that show everything."""
    return [encode(telling.event_told(row, row.slots)) for row in rows]


def encode(line: dict[str, Any]) -> bytes:
    return msgspec.json.encode(line)


def masked(rows: Sequence[Stored], since: int) -> Lines:
    """Events as lines, the private parts from a position on left out."""
    lines = []
    for row in rows:
        slots = [None if row.position >= since else part for part in row.slots]
        lines.append(encode(telling.event_told(row, slots)))
    return lines

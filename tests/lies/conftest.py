"""The tests of lies have a club, an honest house and a forger's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.audit.evidence import Evidence, Proven
from tests.lies.forging import House, Rows, house


class Told:
    """An honest house, its club, the log, and what it hands out of the first hand."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        self.club = honest.play()
        self.rows: Rows = honest.rows(self.club)
        start = next(row for row in self.rows if row.type == "HandStarted/1")
        self.table = start.stream.removeprefix("table/")
        self.evidence: Evidence = honest.evidence(self.table, 1)
        self.keys = [honest.key()]

    def event(self, kind: str, number: int = 0) -> Proven:
        """One of the file's events of a type."""
        return [one for one in self.evidence.events if one.type == kind][number]

    def place(self, kind: str, number: int = 0) -> int:
        """Where in the file an event of a type stands."""
        return self.evidence.events.index(self.event(kind, number))


@pytest.fixture(scope="session")
def told() -> Iterator[Told]:
    with house() as honest:
        yield Told(honest)


@pytest.fixture
def forger() -> Iterator[House]:
    """A database and a signing key of the forger's own."""
    with house() as made:
        yield made

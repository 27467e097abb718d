"""Matches of a club as the export `records` tells them, and ways to bring them about."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger import access, acts, dealing, store
from ledger.acts import Opening
from ledger.importing import Importer
from projections.exports.asked import Asked
from projections.exports.matches import records
from projections.exports.source import Source
from tests.world import START, Club

CODES = ["M-0001", "M-0002", "M-0003", "M-0004"]


def exported(club: Club, position: int | None = None, **asked: Any) -> list[dict[str, Any]]:
    """The lines of an export, as a program reads them."""
    club.catch_up()
    with club.world.database.read() as connection:
        row, head = access.find_club(connection, club.id), store.head(connection, club.id)
        assert row is not None
        assert head is not None
        wanted = Asked("records", "ndjson", position=position, **asked)
        source = Source(connection, row, wanted, position or head.position)
        lines = [told for (told,) in records(source)]
    read: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(lines))
    return read


def bring(club: Club, *lines: dict[str, Any]) -> None:
    """Import lines, of which none is refused, and settle."""
    importer = Importer(club.world.ledger, club.id)
    for line in lines:
        assert [one.refused for one in importer.take(line)] == [None] * len(line.get("hands", "1"))
    club.world.settle()


def settled(club: Club) -> list[tuple[Any, ...]]:
    """What was booked for every hand, in the order of their ends."""
    facts = sorted(club.settlements(), key=lambda fact: fact.ended_position)
    names = ("ruleset", "end", "totals", "payments", "wins", "not_counted", "effective_date")
    return [tuple(getattr(fact, name) for name in names) for fact in facts]


def enter(club: Club, ruleset: str, options: dict[str, Any], **entry: Any) -> str:
    """A match of one hand that is entered; its table."""
    opening = Opening(ruleset, options, club.members[:4], hands=1, dealer=2, at=START)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    dealing.enter_hand(club.desk, table, **entry)
    club.world.settle()
    return table


def dissolved(club: Club, table: str, actions: int = 1) -> None:
    """One more hand of a table, whose match ends with it."""
    club.start(table, actions=actions)
    club.dissolve(table)

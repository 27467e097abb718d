"""Control totals: what the books say that an export of them must come to, asked of them apart."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import case, func, select

from projections.balances import of_entry, whole_sum
from projections.exports.catalog import Kind
from projections.exports.source import Source
from projections.journal import ISSUED, journal, postings

OF_BOOKS = ("trial_balance", "general_ledger", "journal", "member_statement")


class Control(Struct, frozen=True):
    """The entries, lines and points that an export is about; in the terms of SAF-T.

    Entries without lines are hands in which nobody paid: they move nothing, and stand in no row.
    """

    number_of_entries: int
    lines: int
    total_debit: int
    total_credit: int
    entries_without_lines: int

    @property
    def told(self) -> dict[str, int]:
        """The control totals as a manifest tells them."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "lines"}


def control_of(source: Source, kind: Kind) -> Control | None:
    """The control totals of an export of the books; None of another."""
    if kind.name not in OF_BOOKS:
        return None
    asked, points = source.asked, postings.c.points
    sums = (
        func.count(postings.c.position.distinct()),
        func.count(),
        whole_sum(func.coalesce(func.sum(case((points > 0, points), else_=0)), 0)),
        whole_sum(func.coalesce(func.sum(case((points < 0, -points), else_=0)), 0)),
    )
    found = select(*sums).join_from(postings, journal, of_entry()).where(*source.within(postings))
    found = found.where(*source.chosen)
    if kind.name == "member_statement":
        found = found.where(postings.c.account != ISSUED)
    empty = select(func.count()).select_from(journal)
    empty = empty.where(*source.within(journal), journal.c.lines == 0)
    without = source.connection.execute(empty).scalar_one() if asked.member is None else 0
    return Control(*source.connection.execute(found).one(), without)

"""Whether what is shown is what the log makes it: for a restored database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, select

from ledger.database import Database
from projections import checkpoint, projection
from projections.checkpoint import Place
from projections.journal import JOURNAL, NAME, accounts, postings


def differs(database: Database, club: str, clock: Callable[[], int]) -> str | None:
    """The first account of a club that is not as the log makes it, if there is one.

    Accounts and their postings are made anew from the log in a trial that leaves nothing. Where
    an event has stopped them there is nothing to compare.
    """
    with database.rehearse() as trial:
        projection.catch_up(trial, club, projections=(JOURNAL,))
        with trial.read() as connection:
            shown = checkpoint.mark(connection, club, NAME)
        if shown.error is not None:
            return None
        made = projection.rebuild(trial, club, NAME, clock)
        with trial.read() as connection:
            return _difference(connection, *(Place(club, one) for one in (shown.generation, made)))


def _difference(connection: Connection, shown: Place, made: Place) -> str | None:
    """The first account that two generations do not tell alike."""
    for table in (accounts, postings):
        rows = (_rows(connection, place, table) for place in (shown, made))
        for was, is_made in zip_longest(*rows):
            if was != is_made:
                return str((was or is_made).account)
    return None


def _rows(connection: Connection, place: Place, table: sa.Table) -> Iterator[Any]:
    """The rows of a generation, in the order of their key."""
    kept = [column for column in table.c if column.name != "generation"]
    wanted = select(*kept).where(*place.rows(table)).order_by(*table.primary_key)
    return iter(connection.execute(wanted))

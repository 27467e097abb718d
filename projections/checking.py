"""Whether what is shown is what the log makes it: for a restored database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, select

from ledger.database import Database
from projections import checkpoint, projection
from projections.balances import BALANCES, NAME, balances
from projections.checkpoint import Place


def differs(database: Database, club: str, clock: Callable[[], int]) -> str | None:
    """The first member of a club whose balance is not what the log makes it, if there is one.

    The balances are made anew from the log in a trial that leaves nothing. Where an event has
    stopped them there is nothing to compare.
    """
    with database.rehearse() as trial:
        projection.catch_up(trial, club, projections=(BALANCES,))
        with trial.read() as connection:
            shown = checkpoint.mark(connection, club, NAME)
        if shown.error is not None:
            return None
        made = projection.rebuild(trial, club, NAME, clock)
        with trial.read() as connection:
            rows = (_rows(connection, Place(club, one)) for one in (shown.generation, made))
            for was, is_made in zip_longest(*rows):
                if was != is_made:
                    return str((was or is_made).member)
    return None


def _rows(connection: Connection, place: Place) -> Iterator[Any]:
    """The balances of a generation, in the order of joining."""
    kept = [column for column in balances.c if column.name != "generation"]
    wanted = select(*kept).where(*place.rows(balances))
    return iter(connection.execute(wanted.order_by(balances.c.joined, balances.c.member)).all())

"""How a list is asked for: its page, and the position of the log that it must show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from flask import Response
from sqlalchemy import Connection

from ledger.api import edge
from ledger.api.answers import JSON, PageQuery, listed
from ledger.api.fields import digits
from ledger.refusal import Refused
from projections.checkpoint import Projection
from projections.keyset import Page
from projections.projection import catch_up, position

WAIT_SECONDS = 0.2


class ListQuery(PageQuery):
    """Which page of a list, and the position of the log that it must show at least."""

    min_position = digits(0, load_default=0)


@contextmanager
def reading(projection: Projection, club: str, query: JSON) -> Iterator[Connection]:
    """One moment of the database, at which a projection shows what is asked for.

    Refuses `position_not_reached` where that takes more than a moment.
    """
    database, wanted = edge.ledger().database, query["min_position"]
    if wanted:
        catch_up(database, club, wanted, (projection,), WAIT_SECONDS)
    with database.read() as connection:
        if wanted:
            _check(wanted, position(connection, club, projection.name))
        yield connection


def page_of(query: JSON) -> Page:
    """The page that was asked for."""
    return Page(query["limit"], query.get("starting_after"), query.get("ending_before"))


def page_answer(data: Sequence[JSON], has_more: bool, query: JSON) -> Response:
    """A page of a list, with the way to the next one."""
    kept = {name: value for name, value in query.items() if name != "ending_before"}
    return listed(data, has_more, **{**kept, "starting_after": data[-1]["id"] if data else ""})


def _check(wanted: int, reached: int) -> None:
    if reached < wanted:
        raise Refused("position_not_reached", wanted=wanted, position=reached)

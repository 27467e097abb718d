"""How a list is asked for: its page, and the position of the log that it must show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from ledger import store
from ledger.access import READERS, role_missing
from ledger.api import edge
from ledger.api.answers import JSON, PageQuery
from ledger.api.fields import digits
from ledger.database import Database
from ledger.refusal import Refused
from projections.checkpoint import Projection
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
        _check_ahead(database, club, wanted)
        catch_up(database, club, wanted, (projection,), WAIT_SECONDS)
    with database.read() as connection:
        if wanted:
            _check_reached(wanted, position(connection, club, projection.name))
        yield connection


def _check_ahead(database: Database, club: str, wanted: int) -> None:
    """Refuse a position that the log has not come to, so that nobody waits for it."""
    with database.read() as connection:
        head = store.head(connection, club)
    if head is None or head.position < wanted:
        raise Refused("position_ahead", wanted=wanted, position=head.position if head else 0)


def _check_reached(wanted: int, reached: int) -> None:
    if reached < wanted:
        raise Refused("position_not_reached", wanted=wanted, position=reached)


def whose_member(connection: Connection, club: str, query: JSON) -> str | None:
    """Whose part of a list is shown: as it is asked, and to a member his own."""
    caller, asked = edge.caller(), query.get("member")
    if asked is not None:
        asked = edge.member_id(connection, club, asked)
    if caller.has(*READERS):
        return asked
    if asked not in (None, caller.member):
        raise role_missing(READERS)
    return caller.member or ""

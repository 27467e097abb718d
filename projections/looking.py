"""What the commands that only look have in common: what is shown first comes up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, store
from ledger.keyset import Page
from ledger.refusal import Refused
from ledger.terminal import say, time_text
from projections import checkpoint, projection
from projections.checkpoint import Projection
from projections.operating import House

Row = TypeVar("Row")
Command = TypeVar("Command", bound=Callable[..., Any])
SECONDS = 10.0
"""How long a command waits for the projection that it shows."""


def paged(command: Command) -> Command:
    """The options by which a part of a list is asked for."""
    after = click.option("--after", help="Those that follow this one.")
    limit = click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
    return limit(after(command))


@contextmanager
def looking(house: House, shown: Projection, club: str) -> Iterator[Connection]:
    """One moment of the database, at which a projection shows the log to its head.

    Refuses an unknown club, and a projection that does not get there (`projection_stopped`,
    `books_behind`).
    """
    with house.database.read() as connection:
        head = store.head(connection, club)
    if head is None:
        raise Refused("club_unknown", club=club)
    projection.catch_up(house.database, club, head.position, (shown,), SECONDS)
    with house.database.read() as connection:
        come = checkpoint.mark(connection, club, shown.name)
        if come.error is not None:
            raise Refused("projection_stopped", projection=shown.name, error=come.error)
        if come.position < head.position:
            raise Refused("books_behind")
        yield connection


def page_of(limit: int, after: str | None) -> Page:
    """A page of a list."""
    return Page(limit, starting_after=after)


def say_more(more: bool, last: str | None) -> None:
    """Say that a list goes on, and how it is asked for."""
    if more:
        say("books.more", err=True, last=last)


def facts(connection: Connection, club: str, row: Struct) -> dict[str, Any]:
    """A row as JSON: moments as text, notes as the texts that they are."""
    return {
        name: _fact(connection, club, name, getattr(row, name)) for name in row.__struct_fields__
    }


def _fact(connection: Connection, club: str, name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "at" or name.endswith(("_at", "_until")):
        return time_text(value)
    return access.find_text(connection, club, value) if name.endswith("note") else value


def member_id(connection: Connection, club: str, named: str | None) -> str | None:
    """The id of a member named by code or id; refuses one whom the club has not."""
    if named is None:
        return None
    found = access.find_members(connection, club, (named,))
    if named not in found:
        raise Refused("member_unknown", member=named)
    return found[named].member


def codes(connection: Connection, club: str, ids: Iterable[str | None]) -> dict[str, str]:
    """The codes of members by id; what is none stays as it is."""
    names = tuple(name for name in ids if name is not None)
    found = access.find_members(connection, club, names)
    return {name: found[name].code if name in found else name for name in names}


def names(connection: Connection, club: str, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The codes and names of members by id."""
    found = access.find_members(connection, club, tuple(ids))
    return {member: (row.code, row.name) for member, row in found.items()}

"""The commands of who runs the service: how far what is shown has come, and what stopped it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import click
import msgspec
from sqlalchemy import select

from ledger import store
from ledger.database import Database
from ledger.refusal import Refused
from projections import checkpoint, projection

NAMES = tuple(one.name for one in projection.ALL)
Place = dict[str, Any]


class House(Protocol):
    """What the composition root hands to the commands."""

    @property
    def database(self) -> Database:
        """The database of this installation."""


class FirstMeant(click.Group):
    """Commands of which the first is meant where none is named."""

    def parse_args(self, context: click.Context, words: list[str]) -> list[str]:
        """Put the first command's name before words that begin with no command's."""
        named = words and words[0] in (*self.commands, *context.help_option_names)
        return super().parse_args(context, words if named else [*[*self.commands][:1], *words])


@click.group("projections", cls=FirstMeant)
def standing() -> None:
    """How far what is shown of clubs has come: `projections [CLUB]` shows it."""


@standing.command()
@click.argument("club", required=False)
@click.option("--json", "machine", is_flag=True, help="Answer as JSON.")
@click.pass_obj
def show(house: House, club: str | None, machine: bool) -> None:
    """Show each projection of each club, or of one; those that need somebody come first."""
    for place in sorted(_places(house.database, club), key=_by_need):
        click.echo(msgspec.json.encode(place) if machine else _line(place))


@standing.command()
@click.argument("club")
@click.argument("name", metavar="PROJECTION")
@click.pass_obj
@click.pass_context
def resume(context: click.Context, house: House, club: str, name: str) -> None:
    """Let a projection that an event has stopped try it again; ends with 1 if it stops again."""
    if name not in NAMES:
        raise Refused("projection_unknown", projection=name, allowed=", ".join(NAMES))
    list(_places(house.database, club))
    projection.resume(house.database, club, name)
    projection.catch_up(house.database, club)
    [now] = [one for one in _places(house.database, club) if one["projection"] == name]
    click.echo(_line(now))
    context.exit(0 if now["error"] is None else 1)


def _places(database: Database, club: str | None) -> Iterator[Place]:
    """For each club and projection its place in the log; refuses an unknown club."""
    each = select(store.heads.c.club, store.heads.c.position)
    if club is not None:
        each = each.where(store.heads.c.club == club)
    with database.read() as connection:
        heads = connection.execute(each).all()
        if club is not None and not heads:
            raise Refused("club_unknown", club=club)
        for name, head in heads:
            for mark in checkpoint.marks(connection, name, NAMES):
                yield {
                    "club": name,
                    "projection": mark.projection,
                    "position": mark.position,
                    "head": head,
                    "behind": head - mark.position,
                    "error": mark.error,
                }


def _by_need(place: Place) -> tuple[bool, int, str, str]:
    return place["error"] is None, -place["behind"], place["club"], place["projection"]


def _line(place: Place) -> str:
    """A projection's place in a club, for people."""
    stopped = "" if place["error"] is None else f"; stopped by {place['error']}"
    come = f"at {place['position']} of {place['head']}, {place['behind']} behind"
    return f"{place['club']}  {place['projection']}  {come}{stopped}"

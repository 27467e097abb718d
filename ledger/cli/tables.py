"""The command that ticks a match 对账 whose points somebody has looked at and found right."""

from __future__ import annotations

import click

from ledger.cli.books import note
from ledger.cli.frame import House, commands, desk_of, house, machine, tell


@commands.command()
@click.argument("table")
@click.option("--undo", is_flag=True, help="Take it back.")
@note
@machine
@house
def tick(house: House, table: str, undo: bool, note: str | None, machine: bool) -> None:
    """Say that the points of a match that has ended are right 对账.

    They are what the game server, or the paper on the table, has. Where a hand is corrected later
    they have to be looked at again.
    """
    from ledger import store, ticking
    from ledger.refusal import Refused

    with house.ledger().database.read() as connection:
        club = store.find_stream(connection, f"table/{table}")
    if club is None:
        raise Refused("table_unknown")
    ticking.tick(desk_of(house, club), table, ticked=not undo, note=note)
    tell({"club": club, "table": table, "ticked": not undo}, machine)

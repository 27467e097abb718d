"""The read side on a terminal: hands of a table told step by step, and the projections."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Protocol

import click
import msgspec

from ledger import access
from ledger.database import Database
from ledger.refusal import Refused
from projections import bookkeeping, exporting, listing, operating, rebuilding
from projections.replay import hand_at
from projections.telling import SIGNS, Teller


class House(Protocol):
    """What the composition root hands to the commands."""

    @property
    def database(self) -> Database:
        """The database of this installation."""


def add_to(commands: click.Group) -> None:
    """Add the commands of the read side."""
    commands.add_command(rebuilding.rebuild)
    commands.add_command(evidence)
    commands.add_command(exporting.export)
    commands.add_command(operating.standing)
    for shown in (bookkeeping.balances, bookkeeping.statement, bookkeeping.journal):
        commands.add_command(shown)
    listing.add_to(commands)


@click.command()
@click.argument("table")
@click.argument("hand", type=click.IntRange(1))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Into this file.")
@click.pass_obj
def evidence(house: House, table: str, hand: int, output: Path | None) -> None:
    """Write all by which a stranger checks a hand that has ended, with `paizhang verify FILE`."""
    from projections.evidence import evidence_of

    with house.database.read() as connection:
        found = evidence_of(connection, access.operator(), table, hand)
    content = msgspec.json.encode(found) + b"\n"
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)


def replay(database: Database, table: str, number: int | None) -> Iterator[str]:
    """The lines that tell a table's hands in order, or one of them.

    Tiles of a hand that runs are shown to nobody here; refuses an unknown table or hand.
    """
    signs = _can_show(SIGNS)
    for played in (number,) if number else count(1):
        try:
            with database.read() as connection:
                hand = hand_at(connection, access.operator(), table, played)
                members = access.find_members(connection, hand.club, hand.seats)
        except Refused as refusal:
            if refusal.code != "hand_unknown" or number or played == 1:
                raise
            return
        codes = tuple(members[seat].code if seat in members else seat for seat in hand.seats)
        if played > 1 and not number:
            yield ""
        yield from Teller(codes, signs).tell(hand)


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True

"""What the commands of the books have in common: trials, and balances before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from ledger.terminal import show

if TYPE_CHECKING:
    from ledger.acts import Desk

note = click.option("--note", help="Why; kept as a text that can be forgotten.")
dry_run = click.option("--dry-run", is_flag=True, help="Show what would come of it, write nothing.")


@contextmanager
def on_trial(desk: Desk, dry_run: bool) -> Iterator[Desk]:
    """The desk itself; or one at which all that is done is undone at the end."""
    if not dry_run:
        yield desk
        return
    with desk.ledger.database.rehearse() as database:
        ledger = replace(desk.ledger, database=database, appended=lambda *_: None)
        yield structs.replace(desk, ledger=ledger)


def points_of(desk: Desk, members: tuple[str, ...]) -> dict[str, int]:
    """What members have, as the books stand at this moment."""
    from ledger.limiting import books_of
    from ledger.present import present

    ledger, club = desk.ledger, desk.club
    with ledger.database.read() as connection:
        today = present(connection, club, ledger.clock())
    _, booked = books_of(ledger).standings(ledger.database, club, members, today.day(today.at))
    return {member: booked[member].points for member in members}


def people_of(desk: Desk, members: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The code and the name of members, by id."""
    from ledger import access

    with desk.ledger.database.read() as connection:
        found = access.find_members(connection, desk.club, tuple(members))
    return {member: (row.code, row.name) for member, row in found.items()}


def balance_of(member: str, who: tuple[str, str], before: int, change: int) -> dict[str, Any]:
    """A member's balance before something, what it changes, and the balance after it."""
    named = {"member": member, "code": who[0], "name": who[1]}
    return {**named, "before": before, "change": change, "after": before + change}


def show_balances(balances: Sequence[dict[str, Any]]) -> None:
    """Balances before and after, for people."""
    head = ("", "", "before 之前", "change 变动", "after 之后")
    columns = ("code", "name", "before", "change", "after")
    show([head, *([signed(one, name) for name in columns] for one in balances)])


def signed(one: dict[str, Any], name: str) -> object:
    """A number of points; what changes them has its sign."""
    return Signed(one[name]) if name == "change" else one[name]


class Signed(int):
    """Points that come or go: +4, -4."""

    def __str__(self) -> str:
        """With the sign."""
        return f"{int(self):+}"

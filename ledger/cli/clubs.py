"""The commands of clubs: their database, their keys, the people who come in, their log."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ledger.cli.frame import House, commands, desk_of, house, machine, tell
from ledger.streams.membership import PERSONAL
from ledger.streams.roles import ROLES

Command = TypeVar("Command", bound=Callable[..., Any])
ZONE = "Asia/Shanghai"
CUTOFF = "05:00"
AS_IT_WAS = "(as it was)"


def _role_option(allowed: tuple[str, ...]) -> Callable[[Command], Command]:
    """The option by which one or more of some roles are given."""
    told = f"One of {', '.join(allowed)}. May be given more than once."
    return click.option("--role", "roles", multiple=True, required=True, help=told)


@commands.group()
def db() -> None:
    """The database of this installation."""


@db.command()
@house
def upgrade(house: House) -> None:
    """Make the database, or bring it to the newest schema."""
    from ledger.database import upgrade

    upgrade(house.settings.database_url)
    click.echo("The database has the newest schema.")


@db.command("role")
@click.argument("name")
@click.option("--new-password", "anew", is_flag=True, help="Give a role that is there a new one.")
@machine
@house
def make_role(house: House, name: str, anew: bool, machine: bool) -> None:
    """Let a PostgreSQL role do what the service does at work: events it may only read and add.

    Run it as the owner of the database, after each `db upgrade`; let the service connect as the
    role. One that is not there is made, and its password shown here alone.
    """
    from ledger.database import make_role

    password = make_role(house.settings.database_url, name, anew=anew)
    shown = password if machine else password or AS_IT_WAS
    tell({"role": name, "password": shown}, machine)


@commands.group()
def club() -> None:
    """The clubs of this installation."""


class Clock(click.ParamType[int]):
    """A time of day such as 05:00, as minutes after midnight."""

    name = "HH:MM"

    def convert(self, value: Any, *_: Any) -> int:
        """The minutes of a text."""
        found = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", str(value))
        if found is None:
            self.fail(f"{value!r} is no time of day such as 05:00.")
        return int(found[1]) * 60 + int(found[2])


@club.command()
@click.argument("name")
@click.option("--zone", default=ZONE, show_default=True, help="The time zone of its business day.")
@click.option(
    "--cutoff", type=Clock(), default=CUTOFF, show_default=True, help="When a day begins."
)
@machine
@house
def found(house: House, name: str, zone: str, cutoff: int, machine: bool) -> None:
    """Found a club, with a key for its owner that is shown once."""
    from ledger import acts
    from ledger.access import operator
    from ledger.acts import Asked, Desk

    ledger = house.ledger()
    founded = acts.found_club(ledger, operator(), Asked(), name, zone, cutoff).club
    key = acts.issue_key(Desk(ledger, operator(), founded), ("owner",), "owner")
    tell({"club": founded, "key": key.key, "token": key.token}, machine)


@commands.group()
def key() -> None:
    """The API keys of a club."""


@key.command()
@click.argument("club")
@_role_option(ROLES)
@click.option("--member", help="The member whose key it is, by code or id.")
@click.option("--label", help="What the key is for.  [default: its roles]")
@machine
@house
def create(
    house: House,
    club: str,
    roles: tuple[str, ...],
    member: str | None,
    label: str | None,
    machine: bool,
) -> None:
    """Make an API key, which is shown once."""
    from ledger import acts

    key = acts.issue_key(desk_of(house, club), roles, label or ", ".join(roles), member)
    tell({"club": club, "key": key.key, "token": key.token}, machine)


@commands.group()
def person() -> None:
    """The people who come in with a login or a link."""


@person.command()
@click.argument("club")
@_role_option(PERSONAL)
@click.option("--member", help="The member who is invited, by code or id.")
@click.option("--label", required=True, help="What the person is called in the club.")
@machine
@house
def invite(
    house: House, club: str, roles: tuple[str, ...], member: str | None, label: str, machine: bool
) -> None:
    """Invite a person into a club; whoever has the link comes in with it, once."""
    from ledger import admission

    made = admission.invite(desk_of(house, club), roles, label, member)
    tell({"club": club, "membership": made.id, "link": made.token}, machine)


@person.command()
@click.argument("person")
@machine
@house
def link(house: House, person: str, machine: bool) -> None:
    """Make a link by which a person, named by login or id, signs in once and sets a password."""
    from ledger import admission

    tell({"person": person, "link": admission.operator_link(house.ledger(), person)}, machine)


@key.command()
@click.argument("club")
@click.argument("key")
@machine
@house
def revoke(house: House, club: str, key: str, machine: bool) -> None:
    """Make an API key useless for ever."""
    from ledger import acts

    acts.revoke_key(desk_of(house, club), key)
    tell({"club": club, "key": key, "revoked": True}, machine)

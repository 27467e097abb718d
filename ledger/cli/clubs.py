"""The commands of clubs: their database, their keys, the people who come in, their log."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ledger.cli.frame import Failure, House, commands, house, machine, progress, tell, write
from ledger.streams.membership import PERSONAL
from ledger.streams.roles import ROLES

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.audit import Report

Command = TypeVar("Command", bound=Callable[..., Any])
ZONE = "Asia/Shanghai"
CUTOFF = "05:00"
AS_IT_WAS = "(as it was)"
FAULTS = {
    "unreadable": "cannot be read",
    "position": "is missing",
    "version": "does not follow the one before it in its stream",
    "time": "is older than the one before it",
    "leaf": "was changed",
    "chain": "does not follow from the one before it",
    "slot": "has a private part that was changed",
    "secret": "shows another secret than its hand was played with",
    "head": "is not the one that the head of the log names as its last",
}
"""What is wrong with an event of a log, by the audit's word for it."""


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

    key = acts.issue_key(_desk(house, club), roles, label or ", ".join(roles), member)
    tell({"club": club, "key": key.key, "token": key.token}, machine)


@commands.command()
@click.argument("club", required=False)
@click.option("--all", "every", is_flag=True, help="Check the log of every club.")
@machine
@house
@click.pass_context
def verify(
    context: click.Context, house: House, club: str | None, every: bool, machine: bool
) -> None:
    """Check every event of a club's log; ends with 1 and the first bad event if there is one."""
    if (club is None) is not every:
        raise click.UsageError("Name a club, or say --all.")
    clubs = _clubs(house) if club is None else [club]
    sound = [_is_sound(house, one, every, machine) for one in clubs]
    context.exit(0 if all(sound) else 1)


def _clubs(house: House) -> list[str]:
    """Every club that has a log; to find none is no success."""
    from sqlalchemy import select

    from ledger import store

    with house.ledger().database.read() as connection:
        each = select(store.heads.c.club).order_by(store.heads.c.club)
        found = list(connection.execute(each).scalars())
    if not found:
        raise Failure("There is no club in this database.")
    return found


def _is_sound(house: House, club: str, named: bool, machine: bool) -> bool:
    """Whether a club's log is as it was recorded, which is said of it as well."""
    from ledger import audit

    with progress(f"Verifying {club}", None, quiet=machine) as advance:
        report = audit.verify(house.ledger().database, club, advance)
    if machine:
        write(report)
    else:
        click.echo(f"{club}: {_found(report)}" if named else _found(report))
    return report.fault is None


def _found(report: Report) -> str:
    """What an audit found, in a sentence."""
    fault = report.fault
    if fault is None:
        return f"{report.events} events are as they were recorded; last hash {report.hash}."
    stream = f" ({fault.stream}, version {fault.version})" if fault.stream else ""
    return f"The event at position {fault.position}{stream} {FAULTS[fault.why]}."


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

    made = admission.invite(_desk(house, club), roles, label, member)
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

    acts.revoke_key(_desk(house, club), key)
    tell({"club": club, "key": key, "revoked": True}, machine)


def _desk(house: House, club: str) -> Desk:
    """Where the operator asks for what he does in a club."""
    from ledger.access import operator
    from ledger.acts import Desk

    return Desk(house.ledger(), operator(), club)

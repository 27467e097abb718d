"""The commands that forget people: what would go is shown and asked about before anything goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click
from msgspec import structs

from ledger.cli.clubs import person
from ledger.cli.frame import Failure, House, commands, house, machine, write

if TYPE_CHECKING:
    from ledger.forgetting import Forgotten
    from ledger.perform import Ledger

BACKUPS = "Backups made before keep the name until they are deleted."
yes = click.option("--yes", is_flag=True, help="Do not ask: for scripts.")
dry_run = click.option("--dry-run", is_flag=True, help="Show what would go, and change nothing.")
Forget = Callable[["Ledger"], "Forgotten"]


@person.command("forget")
@click.argument("person")
@yes
@dry_run
@machine
@house
def forget_person(house: House, person: str, yes: bool, dry_run: bool, machine: bool) -> None:
    """Forget a person, named by login or id: his names and what he wrote, in all of his clubs.

    He leaves his clubs, the last owner too, and can not sign in any more. What he played stays
    in the log under a pseudonym. It is asked about first, and cannot be undone.
    """
    from ledger import forgetting

    def forget(ledger: Ledger) -> Forgotten:
        return forgetting.forget_person(ledger, person)

    _forget(house, forget, "person forget", yes, dry_run, machine)


@commands.group()
def member() -> None:
    """The members of a club."""


@member.command("forget")
@click.argument("club")
@click.argument("member")
@yes
@dry_run
@machine
@house
def forget_member(
    house: House, club: str, member: str, yes: bool, dry_run: bool, machine: bool
) -> None:
    """Forget the name of a member, named by code or id, who never had an account.

    His code, his points and his hands stay, under a pseudonym. It is asked about first, and
    cannot be undone.
    """
    from ledger import forgetting

    def forget(ledger: Ledger) -> Forgotten:
        return forgetting.forget_member(ledger, club, member)

    _forget(house, forget, f"member forget {club}", yes, dry_run, machine)


def _forget(
    house: House, forget: Forget, command: str, yes: bool, dry_run: bool, machine: bool
) -> None:
    """Show what would go, ask, and forget; ends with 1 where bytes of it linger."""
    from ledger import forgetting

    if not yes or dry_run:
        would = forgetting.tried(house.ledger(), forget)
        if not dry_run:
            _ask(would)
        elif machine:
            write(would)
        else:
            _show(would)
    if not dry_run:
        told = forget(house.ledger())
        _tell(told, house, command, machine)
        if _is_unclean(told, house):
            raise click.exceptions.Exit(1)


def _show(would: Forgotten, *, err: bool = False) -> None:
    """A line for each thing that would go."""
    for one in would.gone:
        click.echo(f"{one.what:<10}  {one.club or 'everywhere':<25}  {one.told}", err=err)
    if not would.gone:
        click.echo(f"Of {would.id} nothing is left to forget.", err=err)
    for sentence in _namesakes(would):
        click.echo(sentence, err=err)


def _namesakes(told: Forgotten) -> Iterator[str]:
    """Who has the same name, and may be somebody else."""
    for club, code in told.namesakes:
        yield (
            f"{code} has the same name and no account; if that is the same person: "
            f"`paizhang member forget {club} {code}`."
        )


def _ask(would: Forgotten) -> None:
    """Go on only if somebody says so; where nobody is there to answer, nothing happens."""
    _show(would, err=True)
    try:
        agreed = click.confirm(f"Forget {would.id} for ever?", err=True)
    except click.Abort:
        click.echo(err=True)
        agreed = False
    if not agreed:
        raise Failure("Nothing was changed. Where nobody can answer, say --yes.")


def _is_unclean(told: Forgotten, house: House) -> bool:
    """Whether the file that this machine writes still has bytes of what is gone."""
    return not told.wiped and house.settings.database_url.startswith("sqlite")


def _tell(told: Forgotten, house: House, command: str, machine: bool) -> None:
    """What was done, without a word of what is gone: this may stand in a log."""
    gone = Counter(one.what for one in told.gone)
    if machine:
        write(structs.asdict(told) | {"gone": gone})
        return
    counted = ", ".join(f"{what} {count}" for what, count in gone.items())
    click.echo(f"{told.id} is forgotten, and called {told.name} from now on.")
    click.echo(f"Gone: {counted}." if counted else "Nothing was left to forget.")
    for sentence in (*_namesakes(told), *_open_ends(told, house, command)):
        click.echo(sentence)


def _open_ends(told: Forgotten, house: House, command: str) -> Iterator[str]:
    """What is left to be done, and what cannot be done here."""
    for club in told.ownerless:
        yield f"{club} has no owner any more: `paizhang person invite {club} --role owner`."
    if _is_unclean(told, house):
        again = f"`paizhang {command} {told.id} --yes`"
        yield f"The file could not be cleaned while others used it; this does it: {again}."
    elif not told.wiped:
        yield "PostgreSQL overwrites what was deleted some time after its next VACUUM."
    yield BACKUPS

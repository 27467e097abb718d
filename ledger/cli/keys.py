"""The commands of the key that signs checkpoints: shown to who checks, changed, begun anew."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ledger.cli.frame import Failure, House, commands, house, machine, tell, write

if TYPE_CHECKING:
    from ledger.signing import ListedKey

SECOND = 1_000_000
ROTATE = (
    "The key so far, {key}, signs nothing any more; it vouches for the new one. Copies of {file} "
    "are stale then, and so are printed public keys. Go on?"
)
ROTATED = (
    "Copy {file} again to where you keep it, and to every machine that signs: the copies from "
    "before are stale.",
    "Hand out the new list: `paizhang signing-key > key.txt`. Who has an old one follows with "
    "`--key OLD --follow key.txt`.",
)
BEGIN = "The key so far signs nothing any more, and nobody vouches for the new one. Go on?"
yes = click.option("--yes", is_flag=True, help="Do not ask: for scripts.")


@commands.group("signing-key", invoke_without_command=True)
@machine
@house
@click.pass_context
def signing_key(context: click.Context, house: House, machine: bool) -> None:
    """Show every public key that has signed here, the newest last: give it to who checks.

    A key that the one before it has signed stands in a line with that signature.
    """
    from ledger import signing

    if context.invoked_subcommand:
        return
    with house.ledger().database.read() as connection:
        listed = signing.listed(connection)
    for one in listed:
        told = {"key": one.key.text, "begun_at": one.begun_at, "after": one.after}
        if machine:
            write({**told, "signature": one.signature and one.signature.hex()})
        else:
            click.echo(f"# {one.key.id}, since {_time(one.begun_at)}: {_vouched(one)}")
            click.echo(signing.line_of(one))


@signing_key.command()
@yes
@machine
@house
def rotate(house: House, yes: bool, machine: bool) -> None:
    """Begin a new key, signed by the one so far, which signs nothing any more."""
    from ledger import signing

    ledger, file = house.ledger(), house.settings.signing_key
    with ledger.database.write() as connection:
        before = signing.signer(connection, file, ledger.clock()).public
    if not yes:
        _ask(ROTATE.format(key=before.id, file=file))
    with ledger.database.write() as connection:
        new = signing.rotate(connection, file, ledger.clock())
    with ledger.database.write() as connection:
        signing.take_over(connection, file)
    tell({"key": new.text}, machine)
    for line in () if machine else ROTATED:
        click.echo(line.format(file=file))


@signing_key.command()
@yes
@machine
@house
def begin(house: House, yes: bool, machine: bool) -> None:
    """Begin a new key because the file of the last one is lost; nothing where it is there."""
    from ledger import signing

    if not yes:
        _ask(BEGIN)
    ledger = house.ledger()
    with ledger.database.write() as connection:
        key = signing.begin(connection, house.settings.signing_key, ledger.clock())
    tell({"key": key.text}, machine)


def _ask(question: str) -> None:
    """Go on only if somebody says so; where nobody is there to answer, nothing happens."""
    try:
        agreed = click.confirm(question, err=True)
    except click.Abort:
        click.echo(err=True)
        agreed = False
    if not agreed:
        raise Failure("Nothing was changed. Where nobody can answer, say --yes.")


def _vouched(one: ListedKey) -> str:
    """Who vouches for a key."""
    if one.after is None:
        return "the first"
    if one.signature is None:
        return f"NOT signed by the one before, {one.after}: that was lost"
    return f"signed by the one before, {one.after}"


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"

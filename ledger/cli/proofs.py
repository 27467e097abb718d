"""The commands of who checks, and of who hands out what is checked: checkpoints, proofs, keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ledger.cli.frame import Failure, House, commands, house, machine, progress, tell, write
from ledger.cli.verdicts import faulty, said, verdict_lines
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.audit.agreeing import Consistent
    from ledger.checkpoints import Checkpoint
    from ledger.signing import PublicKey

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@commands.command()
@click.argument("what", metavar="[CLUB|FILE]", required=False)
@click.option("--all", "every", is_flag=True, help="Check the log of every club.")
@click.option("--against", type=FILE, multiple=True, help="A checkpoint that you have kept.")
@click.option("--proof", type=FILE, multiple=True, help="A proof of consistency that joins them.")
@click.option("--key", "keys", multiple=True, help="A public key that you trust, or its file.")
@machine
@house
@click.pass_context
def verify(
    context: click.Context, house: House, /, what: str | None, every: bool, **given: Any
) -> None:
    """Check a club's whole log; or a file of evidence or a checkpoint, which needs no database.

    Says what was checked and what could not be, and ends with 1 and the first thing that is not
    so if there is one.
    """
    if (what is None) is not every:
        raise click.UsageError("Name a club or a file, or say --all.")
    against, machine = [_checkpoint(file) for file in given["against"]], given["machine"]
    if what is None or not Path(what).is_file():
        clubs = _clubs(house) if what is None else [what]
        sound = [_is_sound(house, club, against, every, machine) for club in clubs]
    else:
        proofs, keys = [*map(_proof, given["proof"])], [*map(_key, given["keys"])]
        sound = [_check_file(Path(what), against, proofs, keys, machine)]
    context.exit(0 if all(sound) else 1)


@commands.command()
@click.argument("club")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Into this file.")
@house
def checkpoint(house: House, club: str, output: Path | None) -> None:
    """Sign a club's log as it stands, and write the checkpoint: keep it where nobody can change it.

    Whoever has it can show later that the log was changed, or that its end is missing.
    """
    from ledger import checkpoints

    ledger = house.ledger()
    made = checkpoints.make(ledger.database, club, house.settings.signing_key, ledger.clock)
    _put(made.note.encode(), output)


@commands.command()
@click.argument("club")
@click.argument("first", type=click.IntRange(1))
@click.argument("second", type=click.IntRange(1))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Into this file.")
@house
def consistency(house: House, club: str, first: int, second: int, output: Path | None) -> None:
    """Write the proof that a club's log up to a position begins with that up to an earlier one."""
    from ledger import proving

    with house.ledger().database.read() as connection:
        proof = proving.consistency(connection, club, first, second)
    _put(msgspec.json.encode(proof) + b"\n", output)


@commands.group("signing-key", invoke_without_command=True)
@machine
@house
@click.pass_context
def signing_key(context: click.Context, house: House, machine: bool) -> None:
    """Show every public key that has signed here, the newest last: give it to who checks."""
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
            click.echo(one.key.text)


@signing_key.command()
@machine
@house
def rotate(house: House, machine: bool) -> None:
    """Begin a new key, signed by the one so far, which signs nothing any more."""
    from ledger import signing

    ledger = house.ledger()
    with ledger.database.write() as connection:
        new = signing.rotate(connection, house.settings.signing_key, ledger.clock())
    tell({"key": new.text}, machine)


def _put(content: bytes, output: Path | None) -> None:
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)


def _checkpoint(file: Path) -> Checkpoint:
    from ledger.checkpoints import read_note

    return read_note(file.read_text(encoding="utf-8"))


def _proof(file: Path) -> Consistent:
    from ledger.audit.agreeing import read_consistent

    return read_consistent(file.read_bytes())


def _key(told: str) -> PublicKey:
    from ledger.signing import read_key

    file = Path(told)
    return read_key(file.read_text(encoding="utf-8") if file.is_file() else told)


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


def _is_sound(
    house: House, club: str, against: Sequence[Checkpoint], named: bool, machine: bool
) -> bool:
    """Whether a club's log is as it was recorded, which is said of it as well."""
    from ledger import audit

    with progress(f"Verifying {club}", None, quiet=machine) as advance:
        report = audit.verify(house.ledger().database, club, advance, against)
    if machine:
        write(report)
    else:
        click.echo(f"{club}: {said(report)}" if named else said(report))
    return report.fault is None


def _check_file(
    file: Path,
    against: Sequence[Checkpoint],
    proofs: Sequence[Consistent],
    keys: Sequence[PublicKey],
    machine: bool,
) -> bool:
    """Check a file of evidence, or a checkpoint against others."""
    from ledger.audit import bundle
    from ledger.audit.evidence import read_evidence

    content = file.read_bytes()
    if not content.lstrip().startswith(b"{"):
        return _agrees(_checkpoint(file), against, proofs, keys, machine)
    verdict = bundle.check(read_evidence(content), keys, against, proofs)
    if machine:
        write(verdict)
    else:
        for line in verdict_lines(verdict):
            click.echo(line)
    return verdict.found is None


def _agrees(
    own: Checkpoint,
    against: Sequence[Checkpoint],
    proofs: Sequence[Consistent],
    keys: Sequence[PublicKey],
    machine: bool,
) -> bool:
    """Whether a checkpoint is signed by a trusted key and contradicts none of the others."""
    from ledger.audit.agreeing import agree

    if not keys:
        raise Refused("key_wanted")
    every = (own, *against)
    signed = [any(one.is_signed_by(key) for key in keys) for one in every]
    agreed = [agree(own, other, proofs) for other in against]
    told = {"signed": signed, "agrees": agreed}
    if machine:
        write(told)
    else:
        for one, is_signed in zip(every, signed, strict=True):
            click.echo(faulty(one, is_signed))
        for other, agrees in zip(against, agreed, strict=True):
            click.echo(_said_of(own, other, agrees))
    return all(signed) and all(agreed)


def _said_of(own: Checkpoint, other: Checkpoint, agrees: bool | None) -> str:
    pair = f"The checkpoints at {own.position} and {other.position}"
    if agrees is None:
        return f"{pair} could not be compared: no --proof joins them."
    if agrees:
        return f"{pair} are of one log that only grew."
    return f"{pair} contradict each other: they cannot both be of this log."

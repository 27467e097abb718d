"""The commands of who checks, and of who hands out what is checked: checkpoints, proofs, keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from ledger.cli.frame import Failure, House, commands, house, machine, progress, tell, write
from ledger.cli.verdicts import (
    agreement_line,
    plain,
    said,
    signed_line,
    stray_line,
    verdict_lines,
)
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.audit.agreeing import Consistent
    from ledger.checkpoints import Checkpoint
    from ledger.signing import PublicKey

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
MOST_BYTES = 1_000_000
"""How long a checkpoint, a proof or a file of keys can be."""
MOST_EVIDENCE = 64_000_000


class _Given(NamedTuple):
    """What is given to check with: kept checkpoints, what joins them, and trusted keys."""

    against: Sequence[Checkpoint]
    proofs: Sequence[Consistent]
    keys: Sequence[PublicKey]
    machine: bool


@commands.command()
@click.argument("what", metavar="[CLUB|FILE]", required=False)
@click.option("--all", "every", is_flag=True, help="Check the log of every club.")
@click.option("--against", type=FILE, multiple=True, help="A checkpoint that you have kept.")
@click.option("--proof", type=FILE, multiple=True, help="A proof of consistency that joins them.")
@click.option(
    "--key", "keys", multiple=True, help="A public key that you trust, or a file of some."
)
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
    of_file = what is not None and _is_file(Path(what))
    if given["proof"] and not of_file:
        raise click.UsageError("A --proof joins checkpoints with a file: name the file.")
    told = _Given(
        against=[_checkpoint(file) for file in given["against"]],
        proofs=[_proof(file) for file in given["proof"]],
        keys=[key for text in given["keys"] for key in _keys(text)],
        machine=given["machine"],
    )
    if what is not None and of_file:
        is_so = _check_file(Path(what), told)
    else:
        clubs = _clubs(house) if what is None else [what]
        is_so = _check_logs(house, clubs, every, told)
    context.exit(0 if is_so else 1)


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

    ledger, file = house.ledger(), house.settings.signing_key
    with ledger.database.write() as connection:
        new = signing.rotate(connection, file, ledger.clock())
    with ledger.database.write() as connection:
        signing.take_over(connection, file)
    tell({"key": new.text}, machine)


@signing_key.command()
@click.confirmation_option(
    prompt="The key so far signs nothing any more, and nobody vouches. Go on?"
)
@machine
@house
def begin(house: House, machine: bool) -> None:
    """Begin a new key because the file of the last one is lost; nothing where it is there."""
    from ledger import signing

    ledger = house.ledger()
    with ledger.database.write() as connection:
        key = signing.begin(connection, house.settings.signing_key, ledger.clock())
    tell({"key": key.text}, machine)


def _put(content: bytes, output: Path | None) -> None:
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)


def _checkpoint(file: Path) -> Checkpoint:
    from ledger.checkpoints import read_note

    return read_note(_text(_content(file)))


def _proof(file: Path) -> Consistent:
    from ledger.audit.agreeing import read_consistent

    return read_consistent(_content(file))


def _keys(told: str) -> list[PublicKey]:
    """The keys of a file, one a line, or the one that is told."""
    from ledger.signing import read_key

    file = Path(told)
    lines = _text(_content(file)).splitlines() if _is_file(file) else [told]
    keys = [read_key(line) for line in lines if line.strip()]
    if not keys:
        raise Refused("key_text_malformed")
    return keys


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is of none."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def _content(file: Path, most: int = MOST_BYTES) -> bytes:
    """What is in a file, of which no more is read than such a file can be long."""
    with file.open("rb") as source:
        content = source.read(most + 1)
    if len(content) > most:
        raise Refused("file_too_large", file=plain(file.name), most=most)
    return content


def _text(content: bytes) -> str:
    """Text whose lines may end as on Windows, behind a mark of the byte order that is skipped."""
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def _clubs(house: House) -> list[str]:
    """Every club that has a log; to find none is no success."""
    from ledger import store

    with house.ledger().database.read() as connection:
        found = store.clubs(connection)
    if not found:
        raise Failure("There is no club in this database.")
    return found


def _check_logs(house: House, clubs: Sequence[str], every: bool, given: _Given) -> bool:
    """Check the logs of clubs, each against its own checkpoints; others answer nothing."""
    sound = [_is_sound(house, club, every, given) for club in clubs]
    stray = [one for one in given.against if one.club not in clubs]
    for one in stray:
        if given.machine:
            write({"club": plain(one.club), "position": one.position, "compared": False})
        else:
            click.echo(f"NOT COMPARED: {stray_line(one)}")
    return all(sound) and not stray


def _is_sound(house: House, club: str, named: bool, given: _Given) -> bool:
    """Whether a club's log is as it was recorded, which is said of it as well."""
    from ledger import audit

    own = [one for one in given.against if one.club == club]
    with progress(f"Verifying {club}", None, quiet=given.machine) as advance:
        report = audit.verify(house.ledger().database, club, advance, own, given.keys)
    if given.machine:
        write(report)
    else:
        click.echo(f"{club}: {said(report)}" if named else said(report))
    return report.fault is None


def _check_file(file: Path, given: _Given) -> bool:
    """Check a file of evidence, or a checkpoint against others."""
    from ledger.audit import bundle
    from ledger.audit.evidence import read_evidence
    from ledger.checkpoints import read_note

    content = _content(file, MOST_EVIDENCE)
    if not content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _agrees(read_note(_text(content)), given)
    verdict = bundle.check(read_evidence(content), given.keys, given.against, given.proofs)
    if given.machine:
        write(verdict)
    else:
        for line in verdict_lines(verdict):
            click.echo(line)
    return verdict.is_so


def _agrees(own: Checkpoint, given: _Given) -> bool:
    """Whether a checkpoint is signed by a trusted key and agrees with all of the others."""
    from ledger.audit.agreeing import agree

    if not given.keys:
        raise Refused("key_wanted")
    every = (own, *given.against)
    signed = [any(one.is_signed_by(key) for key in given.keys) for one in every]
    agreed = [agree(own, other, given.proofs) for other in given.against]
    if given.machine:
        write({"signed": signed, "against": agreed})
    else:
        for one, is_signed in zip(every, signed, strict=True):
            click.echo(signed_line(one, is_signed))
        for other, agreement in zip(given.against, agreed, strict=True):
            click.echo(agreement_line(own, other, agreement))
    return all(signed) and all(one == "agrees" for one in agreed)

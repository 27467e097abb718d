"""The commands of who checks, and of who hands out what is checked: checkpoints and proofs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from ledger.cli import given as files
from ledger.cli.exported import check_log, is_log
from ledger.cli.frame import Failure, House, commands, house, machine, progress, write
from ledger.cli.given import FILE, Kept
from ledger.cli.verdicts import (
    agreement_line,
    note_line,
    plain,
    reaching,
    said,
    stray_line,
    verdict_lines,
)
from ledger.refusal import Refused
from ledger.terminal import said as phrase

if TYPE_CHECKING:
    from ledger.audit import Report
    from ledger.audit.agreeing import Consistent
    from ledger.signing import PublicKey


class _Given(NamedTuple):
    """What is given to check with: kept checkpoints, what joins them, and trusted keys."""

    against: Sequence[Kept]
    proofs: Sequence[Consistent]
    keys: Sequence[PublicKey]
    machine: bool


@commands.command()
@click.argument("what", metavar="[CLUB|FILE]", required=False)
@click.option("--all", "every", is_flag=True, help="Check the log of every club.")
@click.option("--against", type=FILE, multiple=True, help="A file of checkpoints you have kept.")
@click.option("--proof", type=FILE, multiple=True, help="A proof of consistency that joins them.")
@click.option(
    "--key", "keys", multiple=True, help="A public key that you trust, or a file of some."
)
@click.option(
    "--follow",
    type=FILE,
    multiple=True,
    help="A later list of keys, of which those count that follow from a --key.",
)
@machine
@house
@click.pass_context
def verify(
    context: click.Context, house: House, /, what: str | None, every: bool, **given: Any
) -> None:
    """Check a club's whole log; or a file, which needs no database.

    A file is evidence of a hand, a checkpoint, or the export of a log (kind `events`).

    Says what was checked and what could not be, and ends with 1 and the first thing that is not
    so if there is one.
    """
    if (what is None) is not every:
        raise click.UsageError("Name a club or a file, or say --all.")
    file = None if what is None else _file_of(what)
    if given["proof"] and file is None:
        raise click.UsageError("A --proof joins checkpoints with a file: name the file.")
    if given["proof"] and not given["against"]:
        raise click.UsageError("A --proof joins with a checkpoint: name that with --against.")
    if given["follow"] and not given["keys"]:
        raise click.UsageError("A list is followed from a key that you trust: name it with --key.")
    told = _told(given)
    if file is not None:
        is_so = _check_file(file, told)
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
@click.argument("first")
@click.argument("second")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Into this file.")
@house
def consistency(house: House, club: str, first: str, second: str, output: Path | None) -> None:
    """Write the proof that a club's log up to SECOND begins with that up to FIRST.

    Each is a position or the file of a checkpoint; the earlier one comes first.
    """
    from ledger import proving

    before, after = _position(club, first), _position(club, second)
    if before > after:
        raise Refused("checkpoints_in_no_order", first=plain(first), second=plain(second))
    with house.ledger().database.read() as connection:
        proof = proving.consistency(connection, club, before, after)
    _put(msgspec.json.encode(proof) + b"\n", output)


def _position(club: str, told: str) -> int:
    """A position that is told, or that of the checkpoint in a file."""
    if told.isdecimal() and int(told) > 0:
        return int(told)
    one = files.one_in(Path(told))
    if one.checkpoint.club != club:
        named = {"club": plain(one.checkpoint.club), "wanted": plain(club)}
        raise Refused("checkpoints_of_two_clubs", file=one.file, **named)
    return one.checkpoint.position


def _put(content: bytes, output: Path | None) -> None:
    if output is None:
        click.echo(content, nl=False)
    else:
        output.write_bytes(content)


def _file_of(what: str) -> Path | None:
    """The file that is named, or None for a club; what is neither is told as a missing file."""
    file = Path(what)
    is_id = what.partition("_")[0].isalpha() and what.replace("_", "").isalnum() and "_" in what
    if is_id and not files.is_file(file):
        return None
    files.check_there(file)
    return file


def _told(given: dict[str, Any]) -> _Given:
    """What the files and keys that are given say."""
    from ledger.audit.trust import following

    trusted = [key for text in given["keys"] for key, _ in files.keys_of(text)]
    later = [one for file in given["follow"] for one in files.keys_in(file)]
    return _Given(
        against=[one for file in given["against"] for one in files.checkpoints_in(file)],
        proofs=[files.proof_in(file) for file in given["proof"]],
        keys=following(trusted, later),
        machine=given["machine"],
    )


# --- logs ---------------------------------------------------------------------------------------


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
    stray = [one for one in given.against if one.checkpoint.club not in clubs]
    for one in stray:
        if given.machine:
            told = {"club": plain(one.checkpoint.club), "position": one.checkpoint.position}
            write({**told, "file": one.file, "compared": False})
        else:
            click.echo(stray_line(one))
    return all(sound) and not stray


def _is_sound(house: House, club: str, named: bool, given: _Given) -> bool:
    """Whether a club's log is as it was recorded, which is said of it as well."""
    from ledger import audit

    own = [one for one in given.against if one.checkpoint.club == club]
    trusted = _trusted_of_log(house, own, given.keys)
    notes = [one.checkpoint for one in own]
    with progress(f"Verifying {club}", None, quiet=given.machine) as advance:
        report = audit.verify(house.ledger().database, club, advance, notes, given.keys)
    if given.machine:
        write(report)
    else:
        line = said(report, len(own), _more(house, report, own, trusted))
        click.echo(f"{club}: {line}" if named else line)
    return report.fault is None


def _trusted_of_log(
    house: House, own: Sequence[Kept], keys: Sequence[PublicKey]
) -> list[PublicKey]:
    """The keys by which a log is checked; refuses a key or a checkpoint that is not of it.

    By such a thing the log is not judged: it may be of another installation, or spoilt.
    """
    from ledger import signing
    from ledger.audit.seals import trusted
    from ledger.audit.trust import ids

    with house.ledger().database.read() as connection:
        listed = signing.listed(connection)
    known, by = trusted(listed, keys), [one.key for one in listed]
    if keys and by and not any(key in known for key in by):
        raise Refused("key_not_of_log", trusted=ids(keys), listed=ids(by))
    for one in own:
        with _named([one], "checkpoint_untrusted" if keys else "checkpoint_unlisted"):
            _check_kept(one, known)
    return known


def _check_kept(one: Kept, keys: Sequence[PublicKey]) -> None:
    from ledger.audit.bundle import check_kept

    check_kept(one.checkpoint, keys, is_own=False)


@contextmanager
def _named(kept: Sequence[Kept], untrusted: str = "checkpoint_untrusted") -> Iterator[None]:
    """Let a refusal of a kept checkpoint name its file."""
    try:
        yield
    except Refused as refusal:
        wanted = [refusal.params.get(name) for name in ("club", "position", "key")]
        for file, one in kept:
            if [one.club, one.position, one.key] == wanted:
                code = untrusted if refusal.code == "checkpoint_untrusted" else refusal.code
                told: dict[str, Any] = {**refusal.params, "file": file}
                raise Refused(code, **told) from None
        raise


def _more(house: House, report: Report, own: Sequence[Kept], trusted: Sequence[PublicKey]) -> str:
    """What else is known of a fault: the files that it shows by, or the key that signed."""
    if report.fault is None:
        return ""
    if report.fault.why == "signature":
        return _signer(house, report, trusted)
    positions = {
        "cut": range(report.events + 1, 2**63),
        "root": range(report.fault.position, report.fault.position + 1),
    }.get(report.fault.why, range(0))
    return reaching(one for one in own if one.checkpoint.position in positions)


def _signer(house: House, report: Report, trusted: Sequence[PublicKey]) -> str:
    """Which key a checkpoint of the database names, and what can be done if it is the club's."""
    from ledger import checkpoints
    from ledger.audit.trust import ids

    assert report.fault is not None
    with house.ledger().database.read() as connection:
        try:
            found = checkpoints.at(connection, report.club, report.fault.position)
        except Refused:
            return ""
    if found is None or found.key in [key.id for key in trusted]:
        return ""
    return phrase("log.signer", key=found.key, trusted=ids(trusted))


# --- files --------------------------------------------------------------------------------------


def _check_file(file: Path, given: _Given) -> bool:
    """Check an exported log or a file of evidence, or a checkpoint against others."""
    files.check_there(file)
    if is_log(file):
        return _check_exported(file, given)
    content = files.content_of(file, files.MOST_EVIDENCE)
    text = files.text_of(content)
    kind = files.kind_of(text)
    if kind == "checkpoint" or (kind is None and text.lstrip().startswith("paizhang/")):
        return _agrees(files.kept_in(file, text), given)
    if kind in ("keys", "private_key", "proof"):
        raise Refused(f"file_is_{kind}", file=plain(str(file)))
    if not text.lstrip().startswith("{"):
        raise Refused("file_is_nothing_to_check", file=plain(str(file)))
    return _check_evidence(file, content, given)


def _check_exported(file: Path, given: _Given) -> bool:
    """Check an exported log; kept checkpoints count if a key signed them that is given."""
    for one in given.against if given.keys else ():
        with _named([one]):
            _check_kept(one, given.keys)
    return check_log(file, given.against, has_keys=bool(given.keys), machine=given.machine)


def _check_evidence(file: Path, content: bytes, given: _Given) -> bool:
    from ledger.audit import bundle
    from ledger.audit.evidence import read_evidence
    from ledger.audit.trust import ids
    from ledger.checkpoints import read_note

    with files.named(file):
        evidence = read_evidence(content)
    notes = [one.checkpoint for one in given.against]
    with _named(given.against):
        verdict = bundle.check(evidence, given.keys, notes, given.proofs)
    if given.machine:
        write({**msgspec.to_builtins(verdict), "unchecked": verdict.unchecked})
    else:
        own, trusted = read_note(evidence.checkpoint), bundle.trusted(evidence, given.keys)
        for line in verdict_lines(verdict, own, given.against, ids(trusted)):
            click.echo(line)
    return verdict.is_so


def _agrees(notes: Sequence[Kept], given: _Given) -> bool:
    """Whether checkpoints are signed by a trusted key, and the newest agrees with all others."""
    from ledger.audit.agreeing import agree
    from ledger.audit.trust import ids, standing

    if not given.keys:
        raise Refused("key_wanted")
    newest = max(notes, key=lambda one: one.checkpoint.position).checkpoint
    for one in given.against:
        with _named([one]):
            if one.checkpoint.club == newest.club:
                _check_kept(one, given.keys)
    every = (*notes, *given.against)
    stood = [standing(one.checkpoint, given.keys) for one in every]
    agreed = [agree(newest, one.checkpoint, given.proofs) for one in given.against]
    if given.machine:
        write({"signed": [how == "signed" for how in stood], "against": agreed})
    else:
        for one, how in zip(every, stood, strict=True):
            click.echo(note_line(one, how, ids(given.keys)))
        for one, agreement in zip(given.against, agreed, strict=True):
            click.echo(agreement_line(newest, one, agreement))
    return all(how == "signed" for how in stood) and all(one == "agrees" for one in agreed)

"""The commands of backups: make one, try one, restore one, and what was inspected lately."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click
import msgspec

from ledger.cli.frame import Failure, House, commands, house, machine, progress, sentence_of, write
from ledger.cli.verdicts import fault_line
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.backups import Report
    from ledger.database import Database
    from ledger.inspections import Inspection

SECOND = 1_000_000
NEXT = {
    "sqlite": "Start the service again: it runs on what was restored.",
    "postgresql": "Now `paizhang db role` lets the role of the service in; then start the service.",
}
"""What comes after a restore, by the kind of the database."""
KEY = (
    "The key that signs checkpoints is in no backup. From now on {key} signs, in the file {file}: "
    "{which}."
)
NO_KEY = (
    "The key that signs checkpoints is in no backup. Its file belongs at {file}, where none is. If "
    "you have it, stop, and put it there first: without it a new key begins, for which nobody "
    "vouches, and the old one never signs again."
)
OTHER_KEY = (
    "a key that this backup does not know, for which nobody vouches here: it is of another "
    "installation, or newer than the backup. If it should not sign here, take its file away and "
    "say `paizhang signing-key begin`"
)

NOT_BEGUN = ("backup_file_missing", "backup_file_changed", "backup_unreadable")
"""Faults that are found before anything is restored."""


class Keeper(House, Protocol):
    """The house of these commands, which knows what the read side shows as well."""

    def differs(self, database: Database, club: str) -> str | None:
        """The first member of a club whose balance is not what its log makes it."""


@commands.command()
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where its folder is made.  [default: backups in the data folder]",
)
@machine
@house
def backup(house: House, output: Path | None, machine: bool) -> None:
    """Back the database up, while the service runs, into a folder that is named after the time.

    It holds the database and a manifest. The key that signs checkpoints is not in it.
    """
    from ledger import backups

    folder = output
    if folder is None:
        folder = house.settings.data / "backups"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with progress("Backing up", None, quiet=machine) as advance:
        made, told = backups.back_up(house.settings, folder, house.ledger().clock(), advance)
    if machine:
        write({"backup": str(made), **msgspec.to_builtins(told)})
        return
    click.echo(made)
    events, rows = sum(log.events for log in told.clubs), sum(told.rows.values())
    click.echo(
        f"{_many(len(told.clubs), 'club')} with {_many(events, 'event')}, {_many(rows, 'row')} in "
        f"all, {told.size} bytes; schema {told.schema}, release {told.release}."
    )


@commands.command()
@click.argument("backup", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Into a fresh place that is dropped when it is seen.")
@machine
@house
@click.pass_context
def restore(
    context: click.Context, house: Keeper, backup: Path, check: bool, machine: bool
) -> None:
    """Restore a backup into the empty installation of the settings, and check all of it.

    Ends with 1 and the first fault if anything is not as it was. Stop the service before.
    """
    from ledger import backups

    do = backups.drill if check else backups.restore
    if not check:
        _warn_of_key(house)
    try:
        with progress("Restoring", None, quiet=machine) as advance:
            report = do(house.settings, backup, house.differs, advance)
    except backups.Unsound as fault:
        _tell_fault(backup, fault, machine)
        if not (check or machine or fault.code in NOT_BEGUN):
            click.echo("What was restored stays as it is.")
        context.exit(1)
    if machine:
        write({"backup": str(backup), "sound": True, **msgspec.to_builtins(report)})
        return
    for line in _sentences(report):
        click.echo(line)
    if not check:
        click.echo(NEXT[house.settings.database_url.partition("+")[0].partition(":")[0]])
        click.echo(_go_on_signing(house))


def _warn_of_key(house: Keeper) -> None:
    """Say where the key's file belongs before a new key takes its place for ever; ask at a screen.

    Where nobody can answer it goes on: a restore at night must not wait.
    """
    file = house.settings.signing_key
    if file.exists():
        return
    click.echo(NO_KEY.format(file=file), err=True)
    if not _is_at_a_screen():
        return
    try:
        goes_on = click.confirm("Go on without it?", err=True)
    except click.Abort:
        click.echo(err=True)
        goes_on = False
    if not goes_on:
        raise Failure("Nothing was restored.")


def _is_at_a_screen() -> bool:
    return sys.stdin.isatty()


def _go_on_signing(house: Keeper) -> str:
    """Let the file's key go on, or a new one where it is lost, and say which."""
    from ledger import signing

    ledger, file = house.ledger(), house.settings.signing_key
    found = signing.key_in(file)
    with ledger.database.write() as connection:
        before = [one.key for one in signing.listed(connection)]
        key = signing.begin(connection, file, ledger.clock())
    which = "a new one, which nobody vouches for"
    if before[-1:] == [key]:
        which = "the one that was there"
    elif before and found == key:
        which = OTHER_KEY
    return KEY.format(key=key.id, file=file, which=which)


@commands.command("inspections")
@click.option("--now", is_flag=True, help="Inspect all first, whether or not a day is over.")
@machine
@house
@click.pass_context
def show_inspections(context: click.Context, house: Keeper, now: bool, machine: bool) -> None:
    """Show what the daily checks found last: each club's log, and a backup that was restored.

    Ends with 1 if one of them is not sound.
    """
    from ledger import inspections

    if now:
        _inspect(house, machine)
    with house.ledger().database.read() as connection:
        found = inspections.newest_of_each(connection)
    for one in found:
        write(_told(one)) if machine else click.echo(_line(one))
    if not found and not machine:
        click.echo("Nothing was inspected yet (--now does it).")
    context.exit(0 if all(one.sound for one in found) else 1)


def _inspect(house: Keeper, machine: bool) -> None:
    from ledger import inspecting

    ledger, settings = house.ledger(), house.settings
    with progress("Verifying", None, quiet=machine) as advance:
        inspecting.verify(ledger, settings, advance, always=True)
    with progress("Restoring", None, quiet=machine) as advance:
        inspecting.drill(ledger, settings, house.differs, advance, always=True)


def _tell_fault(backup: Path, fault: Refused, machine: bool) -> None:
    if machine:
        told = {"code": fault.code, **{name: str(value) for name, value in fault.params.items()}}
        write({"backup": str(backup), "sound": False, "fault": told})
    else:
        click.echo(sentence_of(fault))


def _sentences(report: Report) -> Iterator[str]:
    """What was checked and found right."""
    yield f"The file is the one of the manifest: {report.size} bytes, SHA-256 {report.sha256}."
    brought = f"; schema {report.schema}"
    if report.upgraded != report.schema:
        brought = f"; schema {report.schema}, brought to {report.upgraded}"
    rows, tables = _many(report.rows, "row"), _many(report.tables, "table")
    yield f"It was restored with {rows} in {tables}, as many in each as were backed up{brought}."
    logs, events = _many(report.clubs, "log"), _many(report.events, "event")
    yield f"{logs} with {events} verified, each up to the hash of the manifest."
    sums = _many(report.settlements, "settlement")
    yield f"{sums} summed to zero, and {_many(report.balances, 'balance')} made anew were the same."


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _line(found: Inspection) -> str:
    """An inspection for people."""
    told = msgspec.json.decode(found.report)
    said = "sound" if found.sound else "NOT SOUND"
    what = f"verify {found.club}" if found.club else "drill"
    return f"{what}  {_time(found.begun_at)}  {said}: {_found(found, told)}"


def _found(found: Inspection, told: dict[str, Any]) -> str:
    """What an inspection found, in a few words."""
    from ledger.audit import Fault

    if found.kind == "verify":
        fault, verified = told["fault"], f"{_many(told['events'], 'event')} verified"
        if fault is None:
            return verified
        return f"{verified}. {fault_line(msgspec.convert(fault, Fault))}"
    if not found.sound:
        return sentence_of(Refused(told["code"], **told["params"]))
    return f"{told['backup']} with {_many(told['events'], 'event')} came back whole"


def _told(found: Inspection) -> dict[str, Any]:
    """An inspection as JSON."""
    return {
        "kind": found.kind,
        "club": found.club,
        "begun_at": _time(found.begun_at),
        "ended_at": _time(found.ended_at),
        "sound": found.sound,
        "report": msgspec.json.decode(found.report),
    }


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"

"""The commands of the ledger's own side, as `paizhang` shows them.

What a machine may read goes to stdout, progress and refusals to stderr. A refusal is one
sentence and the exit status 2; 1 says that something was checked and is not right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click
import msgspec

from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.importing import Replayed
    from ledger.perform import Ledger
    from ledger.settings import Settings

ZONE = "Asia/Shanghai"
CUTOFF = "05:00"
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


class House(Protocol):
    """What the composition root hands to the commands; nothing is opened before it is asked for."""

    @property
    def settings(self) -> Settings:
        """The settings of this installation."""

    def ledger(self) -> Ledger:
        """The ledger on the database of the settings."""

    def close(self) -> None:
        """Close what was opened."""

    def replay(self, table: str, hand: int | None) -> Iterable[str]:
        """The lines that tell a table's hands, or one of them, step by step."""


house = click.pass_obj
machine = click.option("--json", "machine", is_flag=True, help="Answer as JSON, without progress.")


class Failure(click.ClickException):
    """A refusal as the command line says it: one sentence."""

    exit_code = 2


class Commands(click.Group):
    """Commands whose refusals are said in a sentence, never as a traceback."""

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(context)
        except Refused as refusal:
            raise Failure(_sentence(refusal)) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise Failure(f"{fault.filename or 'A file'}: {fault.strerror or fault}.") from None
        except UnicodeError:
            raise Failure("What was given is not text in UTF-8.") from None
        except Exception as fault:
            _fail_of_database(fault)
            raise


def _fail_of_database(fault: Exception) -> None:
    """Say in a sentence what a database that is missing, old or not reached says in pages."""
    from sqlalchemy.exc import DBAPIError

    if isinstance(fault, DBAPIError):
        reason = str(fault.orig).strip().splitlines()[0]
        raise Failure(
            f"The database does not serve ({reason}). `paizhang db upgrade` makes a new one and "
            "brings an old one up to date; PAIZHANG_DATA or PAIZHANG_DATABASE_URL says which "
            "one is meant."
        ) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paizhang", prog_name="paizhang")
@click.pass_context
def commands(context: click.Context) -> None:
    """Paizhang 牌账: an event-sourced match ledger for mahjong clubs."""
    context.call_on_close(context.obj.close)


@contextmanager
def progress(
    label: str, total: int | None, *, quiet: bool = False
) -> Iterator[Callable[..., None]]:
    """Shows on stderr how much of long work is done; nothing where nobody looks.

    What it gives is told how much is done, and of how much where that was not known before.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    with Progress(console=console, disable=hidden, transient=True) as bar:
        task = bar.add_task(label, total=total)

        def advance(done: int, of: int | None = None) -> None:
            bar.update(task, completed=done, total=of)

        yield advance


# --- clubs and their database -----------------------------------------------------------------


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
    _tell({"club": founded, "key": key.key, "token": key.token}, machine)


@commands.group()
def key() -> None:
    """The API keys of a club."""


@key.command()
@click.argument("club")
@click.option("--role", "roles", multiple=True, required=True, help="May be given more than once.")
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
    from ledger.access import operator
    from ledger.acts import Desk

    label = label or ", ".join(roles)
    desk = Desk(house.ledger(), operator(), club)
    key = acts.issue_key(desk, roles, label, member)
    _tell({"club": club, "key": key.key, "token": key.token}, machine)


@commands.command()
@click.argument("club")
@machine
@house
@click.pass_context
def verify(context: click.Context, house: House, club: str, machine: bool) -> None:
    """Check every event of a club's log; ends with 1 and the first bad event if there is one."""
    from ledger import audit

    database = house.ledger().database
    with progress(f"Verifying {club}", None, quiet=machine) as advance:
        report = audit.verify(database, club, advance)
    if machine:
        click.echo(msgspec.json.encode(report))
    elif report.fault is None:
        click.echo(f"{report.events} events are as they were recorded; last hash {report.hash}.")
    else:
        stream = f" ({report.fault.stream}, version {report.fault.version})"
        where = f"{report.fault.position}{stream if report.fault.stream else ''}"
        click.echo(f"The event at position {where} {FAULTS[report.fault.why]}.")
    context.exit(0 if report.fault is None else 1)


# --- hands without a database -----------------------------------------------------------------


class JsonObject(click.ParamType[dict[str, Any]]):
    """A JSON object on the command line."""

    name = "JSON"

    def convert(self, value: Any, *_: Any) -> dict[str, Any]:
        """The object of a text."""
        try:
            return msgspec.json.decode(str(value), type=dict[str, Any])
        except msgspec.DecodeError as fault:
            self.fail(f"{value!r} is no JSON object: {fault}.")


@commands.command()
@click.option("--ruleset", required=True, help='Such as "huaihua/1".')
@click.option("--hands", type=click.IntRange(1), required=True)
@click.option("--seed", type=int, required=True, help="The same seed plays the same hands.")
@click.option("--options", type=JsonObject(), help="Of every table.  [default: drawn by lot]")
@click.option("--records", is_flag=True, help="Write matches as records.")
@click.option("--with-legal", is_flag=True, help="With all that was legal at each action.")
@machine
def simulate(
    ruleset: str,
    hands: int,
    seed: int,
    options: dict[str, Any] | None,
    records: bool,
    with_legal: bool,
    machine: bool,
) -> None:
    """Play hands by legal random play and write each, or each match, as a line of JSON."""
    from random import Random

    from ledger.simulate import play_matches, record_of

    if with_legal and not records:
        raise click.UsageError("--with-legal is for --records.")
    done = 0
    with progress("Playing", hands, quiet=machine) as advance:
        for number, match in enumerate(play_matches(Random(seed), ruleset, options, hands), 1):
            if records:
                ref = f"simulated-{seed}-{number:05}"
                _write(record_of(match, ref, with_legal=with_legal))
            else:
                for hand in match.hands:
                    _write({"outcome": hand.recorded.outcome, "settlement": hand.settlement})
            done += len(match.hands)
            advance(done)


@commands.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@machine
def settle(file: str, machine: bool) -> None:
    """Settle an outcome, or each of a file of JSON lines; - is the standard input."""
    for document in _documents(file, "Settling", quiet=machine):
        _write(_settled(document))


@commands.command()
@click.argument("what", metavar="FILE|TABLE")
@click.argument("hand", type=click.IntRange(1), required=False)
@machine
@house
@click.pass_context
def replay(
    context: click.Context, house: House, what: str, hand: int | None, machine: bool
) -> None:
    """Play records again and compare them, or show the hands of a table step by step."""
    if what != "-" and (not Path(what).exists() or Path(what).is_dir()):
        for line in house.replay(what, hand):
            click.echo(line)
        return
    if hand is not None:
        raise click.UsageError("The number of a hand belongs to a table; a file is played whole.")
    fine = True
    for document in _documents(what, "Replaying", quiet=machine):
        for answer in _replayed(document):
            fine = fine and "error" not in answer
            _write(answer)
    context.exit(0 if fine else 1)


def _settled(document: bytes) -> Any:
    from ledger.importing import read_json
    from ledger.outcome import read_outcome
    from ledger.rules.catalog import settle

    try:
        return settle(read_outcome(read_json(document)))
    except Refused as refusal:
        return {"error": {"code": refusal.code, "detail": _sentence(refusal)}}


def _replayed(document: bytes) -> Iterator[dict[str, Any]]:
    """The answers to a record, one for each of its hands."""
    from ledger.importing import Replayed, read_json, replay_record
    from ledger.record import read_record

    data = None
    try:
        data = read_json(document)
        yield from map(_answer, replay_record(read_record(data)))
    except Refused as refusal:
        ref = data.get("ref") if isinstance(data, dict) else None
        yield _answer(Replayed(ref if isinstance(ref, str) else None, None, refused=refusal))


def _answer(replayed: Replayed) -> dict[str, Any]:
    answer: dict[str, Any] = {"ref": replayed.ref, "hand": replayed.hand}
    refusal = replayed.refused
    if refusal is None:
        return {**answer, "outcome": replayed.outcome, "totals": replayed.totals}
    error = {"code": refusal.code, "detail": _sentence(refusal), "action": replayed.action}
    return {**answer, "error": error}


# --- reading and writing ----------------------------------------------------------------------


def _documents(path: str, label: str, *, quiet: bool) -> Iterator[bytes]:
    """The JSON documents of a file, one after another."""
    from ledger.importing import documents

    size = None if path == "-" else Path(path).stat().st_size
    done = 0
    with click.open_file(path, "rb") as file, progress(label, size or None, quiet=quiet) as advance:
        for document in documents(file):
            yield document
            done += len(document)
            advance(done)


def _write(answer: Any) -> None:
    click.echo(msgspec.json.encode(answer))


def _tell(facts: dict[str, Any], machine: bool) -> None:
    """Facts as JSON, or a line each for people."""
    if machine:
        _write(facts)
        return
    for name, value in facts.items():
        click.echo(f"{name:<6} {value}")


def _sentence(refusal: Refused) -> str:
    from ledger.texts import LANGUAGES, sentence

    return sentence(refusal, LANGUAGES[0])

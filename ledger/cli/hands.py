"""The commands of hands: played by chance, settled, replayed, most of them without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ledger.cli.frame import House, commands, house, machine, progress, sentence_of, tell, write
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.importing import Imported, Importer, Replayed
    from ledger.simulate import Match

PLAY = "beginner, lucky (stacked walls, so that rare things happen), or all: both, mixed."


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
@click.option("--play", default="beginner", show_default=True, help=PLAY)
@click.option("--report", is_flag=True, help="Write how often each thing was met, and what never.")
@machine
def simulate(ruleset: str, hands: int, seed: int, machine: bool, **wanted: Any) -> None:
    """Play hands by legal random play and write each, or each match, as a line of JSON."""
    from random import Random

    from ledger.simulate import ALL, KINDS_OF_PLAY, play_matches

    kind = wanted["play"]
    if kind not in (*KINDS_OF_PLAY, ALL):
        raise click.UsageError(f"--play is one of {', '.join((*KINDS_OF_PLAY, ALL))}.")
    if wanted["with_legal"] and not wanted["records"]:
        raise click.UsageError("--with-legal is for --records.")
    if wanted["report"] and wanted["records"]:
        raise click.UsageError("--report is instead of --records.")
    matches = play_matches(Random(seed), ruleset, wanted["options"], hands, kind)
    with progress("Playing", hands, quiet=machine) as advance:
        seen = _counted(matches, advance)
        if wanted["report"]:
            _report(seen, ruleset, seed, kind)
        else:
            _write_matches(seen, seed, wanted["records"], wanted["with_legal"])


def _counted(matches: Iterable[Match], advance: Callable[..., None]) -> Iterator[Match]:
    """The matches, of which each is told when it is done with."""
    done = 0
    for match in matches:
        yield match
        done += len(match.hands)
        advance(done)


def _report(matches: Iterable[Match], ruleset: str, seed: int, kind: str) -> None:
    from random import Random

    from ledger.simulate import Report

    report = Report(ruleset, Random(seed))
    for match in matches:
        report.see(match)
    write({"seed": seed, "play": kind, **report.written()})


def _write_matches(matches: Iterable[Match], seed: int, records: bool, with_legal: bool) -> None:
    from ledger.simulate import record_of

    for number, match in enumerate(matches, 1):
        if records:
            write(record_of(match, f"simulated-{seed}-{number:05}", with_legal=with_legal))
        else:
            for hand in match.hands:
                write({"outcome": hand.recorded.outcome, "settlement": hand.settlement})


@commands.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@machine
def settle(file: str, machine: bool) -> None:
    """Settle an outcome, or each of a file of JSON lines; - is the standard input."""
    for document in _documents(file, "Settling", quiet=machine):
        write(_settled(document))


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
            write(answer)
    context.exit(0 if fine else 1)


COUNTED = ("lines", "hands_imported", "hands_there_already", "refusals", "hands_waiting")
"""What is counted of a file, in the order in which it is told."""


@commands.command("import")
@click.argument("club")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@machine
@house
@click.pass_context
def import_(context: click.Context, house: House, club: str, file: str, machine: bool) -> None:
    """Record matches in a club: records, outcomes or points, a match to a line.

    A hand happens whole or not at all. The same file again imports nothing twice; a mended one
    goes on where it stopped. Names each line that is refused, and why.
    """
    from ledger.importing import Importer

    importer = Importer(house.ledger(), club)
    counts = dict.fromkeys(COUNTED, 0)
    for document in _documents(file, "Importing", quiet=machine):
        counts["lines"] += 1
        for came in _taken(importer, document):
            if came.refused is None:
                counts["hands_there_already" if came.again else "hands_imported"] += 1
                continue
            counts["hands_waiting"] += came.waiting
            counts["refusals"] += not came.waiting
            _tell_refused(counts["lines"], came, came.refused, machine)
    house.settle(club)
    tell(counts, machine)
    context.exit(1 if counts["refusals"] else 0)


def _taken(importer: Importer, document: bytes) -> Iterator[Imported]:
    """What comes of a line, were it no JSON."""
    from ledger.importing import Imported, read_json

    try:
        yield from importer.take(read_json(document))
    except Refused as refusal:
        yield Imported(None, None, refused=refusal)


def _tell_refused(line: int, came: Imported, refusal: Refused, machine: bool) -> None:
    """A line that was refused: for people a sentence, for machines a line of JSON."""
    place = {"line": line, "ref": came.ref, "hand": came.hand, "action": came.action}
    if machine:
        told = {"code": refusal.code, "detail": sentence_of(refusal), "pointer": refusal.pointer}
        write({**place, "error": told})
        return
    said = ", ".join(f"{name} {value}" for name, value in place.items() if value is not None)
    click.echo(f"{said}: {sentence_of(refusal)}")


def _settled(document: bytes) -> Any:
    from ledger.importing import read_json
    from ledger.outcome import read_outcome
    from ledger.rules.catalog import settle

    try:
        return settle(read_outcome(read_json(document)))
    except Refused as refusal:
        return {"error": {"code": refusal.code, "detail": sentence_of(refusal)}}


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
    error = {"code": refusal.code, "detail": sentence_of(refusal), "action": replayed.action}
    return {**answer, "error": error}


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

"""The command that makes an export now, and leaves its files where it is told."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ledger.refusal import Refused
from ledger.terminal import DAY, machine, progress, say, write
from projections.exports.asked import LANGUAGES, Asked
from projections.exports.asking import of_period
from projections.exports.catalog import KINDS
from projections.exports.checking import check
from projections.exports.forms import FORMS
from projections.exports.making import Made, make
from projections.journal import KINDS as ENTRY_KINDS
from projections.looking import looking
from projections.operating import House
from projections.periods import PERIODS
from projections.statement import DAYS

OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--format", "form", type=click.Choice(list(FORMS)), default="csv"),
    click.option("--output", default=".", help="File or folder."),
    click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en"),
    click.option("--first", type=DAY, help="The first business day."),
    click.option("--last", type=DAY, help="The last business day."),
    click.option("--period", type=click.IntRange(1), help="The days of this closing."),
    click.option("--by", type=click.Choice(list(DAYS)), help="booked, or effective for a closing."),
    click.option("--member", help="One member's part, by code or id."),
    click.option("--entry-kind", type=click.Choice(ENTRY_KINDS)),
    click.option("--table", help="One table's part."),
    click.option("--ruleset", help='Such as "huaihua/1".'),
    click.option("--columns", help="These columns alone, with commas between."),
    click.option("--timezone", help="The clock of the moments, if not the club's."),
    click.option("--position", type=click.IntRange(1), help="As of this position of the log."),
)


def _narrowed(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--club", required=True)
@_narrowed
@machine
@click.pass_obj
def export(house: House, /, kind: str, club: str, machine: bool, **given: Any) -> None:
    """Make an export, such as the journal, and its manifest beside it.

    An export tells as of which position of the log it is; asked for with that --position again it
    is the same, byte for byte.
    """
    output, asked = _place(given.pop("output")), _asked(kind, given)
    with looking(house, PERIODS, club) as connection:
        asked = of_period(connection, club, asked, given["period"], given["by"])
    check(asked)
    with _beside(output) as folder:
        with progress(kind, None, quiet=machine) as told:
            name = None if output.is_dir() else output.name
            made = make(house.database, club, asked, folder, time.time_ns() // 1000, told, name)
        paths = _put(made, folder, output)
    if machine:
        write({**made.manifest, "paths": list(map(str, paths))})
    else:
        say("export.made", path=paths[0], rows=made.rows, position=made.position)


def _asked(kind: str, given: dict[str, Any]) -> Asked:
    columns = tuple(filter(None, (given["columns"] or "").split(",")))
    names = {name: value for name, value in given.items() if name not in ("form", "period", "by")}
    return Asked(kind, given["form"], **{**names, "columns": columns})


def _place(output: str) -> Path:
    """Where the files go; what ends like a folder is one (`folder_missing`)."""
    if output.endswith("/") and not Path(output).is_dir():
        raise Refused("folder_missing", folder=output)
    return Path(output)


@contextmanager
def _beside(output: Path) -> Iterator[Path]:
    """A folder beside the place of the files, so that they come there whole or not at all.

    Refuses a place that cannot be written to (`output_unfit`).
    """
    home = output if output.is_dir() else output.parent
    if not home.is_dir():
        raise Refused("folder_missing", folder=home)
    try:
        with tempfile.TemporaryDirectory(dir=home, prefix=".paizhang-export-") as folder:
            yield Path(folder)
    except OSError as fault:
        raise Refused("output_unfit", output=output, fault=fault.strerror) from None


def _put(made: Made, folder: Path, output: Path) -> list[Path]:
    """Put the files where they belong: in a folder, or under the name of a file."""
    [data, manifest] = made.files
    place = output / data.name if output.is_dir() else output
    beside = place.with_name(place.name + manifest.name.removeprefix(data.name))
    (folder / data.name).replace(place)
    (folder / manifest.name).replace(beside)
    return [place, beside]

"""What commands of both sides show on a terminal: JSON by the line, columns, progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

import click
import msgspec

SECOND = 1_000_000
NOTHING = "–"
"""What stands where there is nothing to tell."""

machine = click.option("--json", "machine", is_flag=True, help="Answer as JSON, without progress.")


class Day(click.ParamType[str]):
    """A business day such as 2026-11-28."""

    name = "DAY"

    def convert(self, value: Any, *_: Any) -> str:
        """The day, in the one form in which days are in order."""
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            self.fail(f"{value!r} is no day such as 2026-11-28.")


DAY = Day()


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


def language() -> str:
    """The language in which people are told what is refused or found: the terminal's."""
    told = filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG")))
    return "zh" if next(told, "").lower().startswith("zh") else "en"


def say(phrase: str, *, err: bool = False, **gaps: Any) -> None:
    """Say a phrase in the language of the terminal."""
    click.echo(said(phrase, **gaps), err=err)


def said(phrase: str, **gaps: Any) -> str:
    """A phrase in the language of the terminal."""
    from ledger.texts import verdicts

    return verdicts.phrase(phrase, language(), **gaps)


def write(answer: Any) -> None:
    """Write an answer as one line of JSON."""
    click.echo(msgspec.json.encode(answer))


def show(rows: Iterable[Sequence[object]]) -> None:
    """Rows as lines whose columns stand below each other; those with numbers to the right.

    A Chinese sign is as wide as two letters.
    """
    columns = [_column(column) for column in zip(*rows, strict=True)]
    for line in zip(*columns, strict=True):
        click.echo("  ".join(line).rstrip())


def show_facts(told: Mapping[str, object]) -> None:
    """Facts as lines, what they are called before what they are."""
    show((name, NOTHING if value is None else str(value)) for name, value in told.items())


def _column(values: Sequence[object]) -> list[str]:
    """The texts of a column, all as wide as the widest."""
    from rich.cells import cell_len

    texts = [NOTHING if value is None else str(value) for value in values]
    right = any(isinstance(value, int) for value in values)
    width = max(map(cell_len, texts))
    spaces = (" " * (width - cell_len(text)) for text in texts)
    return [
        space + text if right else text + space for text, space in zip(texts, spaces, strict=True)
    ]


def time_text(at: int) -> str:
    """A moment in microseconds as people and programs read it: "2026-11-28T13:14:03Z"."""
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"

"""A sheet: what an export tells, row by row, before it has a form.

Rows are neutral: whole numbers are numbers, days and moments are ISO text, nothing is grouped,
coloured or translated. So every form of a sheet has the same content, and the same digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from msgspec import Struct

from projections.exports.asked import Language
from projections.exports.source import Source

Value = str | int | Mapping[str, Any] | None
Row = tuple[Value, ...]
Shape = Literal[
    "text", "id", "word", "points", "change", "count", "decimal", "day", "local", "utc", "object"
]
"""What a column holds: free text; an id; a word of a closed list; points, or a change of them; a
whole number; a number with a fraction, as text; a business day; a moment by a clock, or in UTC;
an object of JSON, which alone makes a row."""
TOLD_EVERY = 1000
NUMBERS: tuple[Shape, ...] = ("points", "change", "count")


class Column(Struct, frozen=True):
    """A column: its name, its Chinese name, what it holds in a sentence, and how.

    `adds`: its sum stands at the foot of the sheet and in the manifest.
    """

    name: str
    zh: str
    told: str
    shape: Shape = "text"
    adds: bool = False

    def title(self, language: Language) -> str:
        """What stands above the column."""
        return self.zh if language == "zh" else self.name

    @property
    def is_number(self) -> bool:
        """Whether it holds whole numbers."""
        return self.shape in NUMBERS


def columns(table: str) -> tuple[Column, ...]:
    """The columns of a table of words: name, Chinese name and shape, and below what it holds.

    A shape with a plus adds up.
    """
    lines = iter(table.strip().splitlines())
    return tuple(_column(head, next(lines).strip()) for head in lines)


def _column(head: str, told: str) -> Column:
    name, zh, shape = head.split()
    plain: Any = shape.removesuffix("+")
    return Column(name, zh, told, plain, adds=shape.endswith("+"))


@dataclass
class Tally:
    """What went into a sheet's form: its rows, the sums of what adds up, and its digest.

    The digest is SHA-256 over the names of the columns and then each row, as lines of JSON.
    """

    columns: tuple[Column, ...]
    rows: int = 0
    sums: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the head of the sheet."""
        self._adding = [place for place, column in enumerate(self.columns) if column.adds]
        self.sums = [0] * len(self._adding)
        self._hash = hashlib.sha256()
        self._encode = msgspec.json.Encoder().encode
        self._hash.update(self._encode([column.name for column in self.columns]) + b"\n")

    def take(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self._hash.update(self._encode(row) + b"\n")
        for number, place in enumerate(self._adding):
            self.sums[number] += row[place] or 0  # type: ignore[operator]

    @property
    def totals(self) -> dict[str, int]:
        """The sums by the names of their columns."""
        names = (self.columns[place].name for place in self._adding)
        return dict(zip(names, self.sums, strict=True))

    @property
    def digest(self) -> str:
        """The digest of the content."""
        return self._hash.hexdigest()


@dataclass(frozen=True)
class Sheet:
    """The rows of an export with their columns, counted as they are read; they are read once.

    `facts` are what the manifest says of it before its rows are read.
    """

    source: Source
    title: str
    columns: tuple[Column, ...]
    read: Iterator[Row]
    facts: Mapping[str, Any]
    told: Callable[[int], None]
    tally: Tally

    @property
    def language(self) -> Language:
        """The language of its titles and words."""
        return self.source.asked.language

    @property
    def rows(self) -> Iterator[Row]:
        """Each row, counted."""
        tally = self.tally
        for row in self.read:
            tally.take(row)
            if tally.rows % TOLD_EVERY == 0:
                self.told(tally.rows)
            yield row

    @property
    def foot(self) -> Row | None:
        """What stands below the rows: the sums, once all are read; None where nothing adds up."""
        totals = self.tally.totals
        return tuple(totals.get(column.name) for column in self.columns) if totals else None

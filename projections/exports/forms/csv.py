"""CSV as RFC 4180 has it: for data, and for Excel, which needs a mark and a guard."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from projections.exports.sheet import Column, Row, Sheet, Value
from projections.exports.words import TOTAL, word

MARK = "\ufeff"
"""By which Excel knows UTF-8; without it Chinese is read as something else."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a text that Excel takes for a formula begins with. Source: OWASP, CSV injection."""


def write_data(sheet: Sheet, path: Path) -> None:
    """A header and the rows, as they are."""
    _write(path, "", [_titles(sheet)], sheet.rows)


def write_for_excel(sheet: Sheet, path: Path) -> None:
    """The same with a byte order mark, words and the sums below; nothing begins a formula."""
    columns, language = sheet.columns, sheet.language

    def rows() -> Iterator[Iterable[Value]]:
        for row in sheet.rows:
            yield [_guarded(sheet, *cell) for cell in zip(columns, row, strict=True)]
        if sheet.foot is not None:
            yield _foot(sheet.foot, columns, TOTAL[language])

    _write(path, MARK, [_titles(sheet)], rows())


def _foot(sums: Row, columns: tuple[Column, ...], label: str) -> list[Value]:
    """The sums, and what they are in the first column that has none."""
    free = next((place for place, column in enumerate(columns) if not column.adds), None)
    return [label if place == free else value for place, value in enumerate(sums)]


def _titles(sheet: Sheet) -> list[str]:
    return [column.title(sheet.language) for column in sheet.columns]


def _guarded(sheet: Sheet, column: Column, value: Value) -> Value:
    """A text with an apostrophe before it where Excel would calculate; numbers as they are."""
    if not isinstance(value, str) or column.shape == "decimal":
        return value
    text = word(value, sheet.language) if column.shape == "word" else value
    return f"'{text}" if text.startswith(FORMULAS) else text


def _write(
    path: Path, mark: str, head: list[Row] | list[list[str]], rows: Iterable[object]
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(mark)
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerows(head)
        writer.writerows(rows)  # type: ignore[arg-type]

"""A reader of workbooks that knows nothing but what stands in them, and LibreOffice as another."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell

from projections.exports.sheet import NUMBERS, Row
from tests.exports.outside import run

ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
LONGEST = 32_767
"""Signs that a cell holds."""


def facts(book: Workbook) -> dict[str, Any]:
    """The facts of the last sheet."""
    return {row[0]: row[1] for row in _tables(book)[0]}


def named(book: Workbook) -> list[str]:
    """The names of the columns, as the last sheet has them."""
    return [row[0] for row in _tables(book)[1]]


def read_back(book: Workbook) -> Iterator[Row]:
    """The rows of a workbook, by nothing but what stands in it."""
    _, columns, *words = _tables(book)
    meant = {shown: word for word, shown, *_ in (words[0] if words else [])}
    shapes = [row[2] for row in columns]
    for sheet in book.worksheets[:-1]:
        for row in sheet[sheet.auto_filter.ref][1:]:
            yield tuple(_meant(cell, shape, meant) for cell, shape in zip(row, shapes, strict=True))


def _tables(book: Workbook) -> list[list[list[Any]]]:
    """The tables of the last sheet without their heads."""
    tables: list[list[list[Any]]] = [[]]
    for row in book.worksheets[-1].iter_rows(values_only=True):
        if any(value is not None for value in row):
            tables[-1].append(list(row))
        else:
            tables.append([])
    return [table[1:] for table in tables]


def _meant(cell: Cell, shape: str, words: dict[str, str]) -> Any:
    """What a cell says, as the docstring of the form has it."""
    value = cell.value
    if isinstance(value, datetime):
        return value.date().isoformat() if shape == "day" else value.isoformat(" ")
    if shape == "decimal" and value is not None and cell.data_type == "n":
        return f"{value:.{len(cell.number_format.partition('.')[2])}f}"
    if isinstance(value, str):
        if shape in NUMBERS:
            return int(value)
        return words.get(value, value) if shape == "word" else plain(value)
    return value


def plain(text: str) -> str:
    """A text with what was escaped in it."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def fitting(value: Any) -> Any:
    """A value as far as a cell holds it."""
    return value[:LONGEST] if isinstance(value, str) else value


# --- LibreOffice ---------------------------------------------------------------------------------


def forget_the_sums(file: Path, other: Path) -> None:
    """A copy whose formulas stand beside 7, so that only who calculates gets them right."""
    folder = other.with_suffix("")
    shutil.unpack_archive(file, folder, "zip")
    sheet = folder / "xl" / "worksheets" / "sheet1.xml"
    text, count = re.subn("</f><v>[0-9]+</v>", "</f><v>7</v>", sheet.read_text())
    assert count == 2
    sheet.write_text(text)
    packed = shutil.make_archive(str(folder), "zip", folder)
    Path(packed).rename(other)


def calculated(file: Path, folder: Path) -> list[list[str]]:
    """The first sheet as LibreOffice has it after it calculated all anew, without groups."""
    profile = folder / "profile"
    always = (
        '<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">'
        '<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name='
        '"OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>'
    )
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(always)
    raw = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false"
    options = ("--headless", "--convert-to", raw, "--outdir", folder, file)
    done = run("soffice", f"-env:UserInstallation={profile.as_uri()}", *options)
    assert done.returncode == 0, done.stderr
    with file.with_suffix(".csv").open(encoding="utf-8", newline="") as opened:
        return list(csv.reader(opened))

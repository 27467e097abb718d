"""JSON: one object with all rows, or a row a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from projections.exports.sheet import Sheet

BREAKS = tuple((sign.encode(), f"\\u{ord(sign):04x}".encode()) for sign in "\u2028\u2029\x85")


def write_json(sheet: Sheet, path: Path) -> None:
    """An object: what it is, its rows as objects, and last how many they are and their sums."""
    head = {"object": "export", **sheet.facts}
    with path.open("wb") as file:
        file.write(msgspec.json.encode(head)[:-1] + b',"data":[')
        for number, row in enumerate(_objects(sheet)):
            file.write((b",\n" if number else b"\n") + row)
        foot = {"rows": sheet.tally.rows, "totals": sheet.tally.totals}
        file.write(b"\n]," + msgspec.json.encode(foot)[1:] + b"\n")


def write_lines(sheet: Sheet, path: Path) -> None:
    """Each row as an object in a line."""
    with path.open("wb") as file:
        file.writelines(row + b"\n" for row in _objects(sheet))


def _objects(sheet: Sheet) -> Iterator[bytes]:
    """Each row as the JSON of an object, whose keys are the names of the columns."""
    encode, names = msgspec.json.Encoder().encode, [column.name for column in sheet.columns]
    if sheet.columns[0].shape == "object":
        return (_on_one_line(encode(row[0])) for row in sheet.rows)
    return (_on_one_line(encode(dict(zip(names, row, strict=True)))) for row in sheet.rows)


def _on_one_line(row: bytes) -> bytes:
    """JSON without the signs that JSON allows in texts and many readers take for a line's end."""
    for sign, escaped in BREAKS:
        row = row.replace(sign, escaped)
    return row

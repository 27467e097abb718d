"""JSON: one object with the rows, or one row a line; what is read back are the rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from projections.exports.asked import Asked, Language
from projections.exports.forms.json import write_json, write_lines
from projections.exports.sheet import Row
from tests.exports.conftest import Place
from tests.exports.sheets import OF_ALL, content, digest, export, sheet_of

TABLE = """
account 科目 id
  The account.
name 名称 text
  Whose it is.
points 分数 points+
  What it has.
"""
ROWS = (("M-0001", "老张\n", 24), ("M-0002", None, -24))


def test_lines_are_objects_by_the_names_of_the_columns(tmp_path: Path) -> None:
    """Names are English whatever the language of the titles; what is empty is null."""
    write_lines(sheet_of(TABLE, ROWS, "zh"), tmp_path / "a.ndjson")

    assert (tmp_path / "a.ndjson").read_bytes().decode() == (
        '{"account":"M-0001","name":"老张\\n","points":24}\n'
        '{"account":"M-0002","name":null,"points":-24}\n'
    )


def test_a_whole_object_says_what_it_is_and_what_it_comes_to(tmp_path: Path) -> None:
    """The facts come first, then the rows, then how many these are and their sums."""
    write_json(sheet_of(TABLE, ROWS), tmp_path / "a.json")

    assert json.loads((tmp_path / "a.json").read_bytes()) == {
        "object": "export",
        "kind": "journal",
        "club_name": "Jade & 翠苑",
        "filters": {"by": "booked", "first": "2026-11-01"},
        "position": 48213,
        "head": "9f3a",
        "data": [
            {"account": "M-0001", "name": "老张\n", "points": 24},
            {"account": "M-0002", "name": None, "points": -24},
        ],
        "rows": 2,
        "totals": {"points": 0},
    }


def test_without_rows_it_is_a_whole_object_too(tmp_path: Path) -> None:
    """Given nothing to tell, then there are no data, no rows and sums of 0."""
    write_json(sheet_of(TABLE, ()), tmp_path / "a.json")

    read = json.loads((tmp_path / "a.json").read_bytes())
    assert (read["data"], read["rows"], read["totals"]) == ([], 0, {"points": 0})


def test_a_row_that_is_an_object_is_the_line(tmp_path: Path) -> None:
    """Given a sheet of objects, then each line is one of them, in the order of its keys."""
    rows: tuple[Row, ...] = (({"b": 1, "a": [None]},), ({},))
    write_lines(sheet_of("event 事件 object\n  An event.", rows), tmp_path / "a.ndjson")

    assert (tmp_path / "a.ndjson").read_text() == '{"b":1,"a":[null]}\n{}\n'


@pytest.mark.parametrize("form", ["json", "ndjson"])
@pytest.mark.parametrize(("kind", "language"), OF_ALL)
def test_what_is_read_back_are_the_rows(
    hostile: Place, tmp_path: Path, kind: str, language: Language, form: str
) -> None:
    """Given the hostile club, then every row comes back, and from them the content digest."""
    made, file = export(hostile, tmp_path, Asked(kind, form, language=language))

    columns, rows = content(hostile, kind, language)
    text = file.read_text(encoding="utf-8")
    read = (
        json.loads(text)["data"] if form == "json" else list(map(json.loads, text.split("\n")[:-1]))
    )
    names = [column.name for column in columns]
    assert [list(row) for row in read] == [names] * len(rows)
    assert [tuple(row.values()) for row in read] == rows
    assert digest(names, rows) == made.manifest["content_sha256"]


@pytest.mark.parametrize("form", ["csv", "csv_excel", "json", "ndjson"])
def test_the_same_request_gives_the_same_bytes(hostile: Place, tmp_path: Path, form: str) -> None:
    """Given one position, then a file made again is the same file."""
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    _, one = export(hostile, first, Asked("journal", form))
    _, other = export(hostile, second, Asked("journal", form))

    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes() != b""

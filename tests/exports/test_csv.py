"""CSV: for data as it is, and for Excel so that Chinese is read and nothing is calculated."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from projections.exports.asked import Asked, Language
from projections.exports.forms.csv import write_data, write_for_excel
from tests.exports.conftest import Place
from tests.exports.sheets import OF_ALL, content, each_form, export, sheet_of

TABLE = """
account 科目 id
  The account.
name 名称 text
  Whose it is.
kind 类别 word
  What it is.
rate 比率 decimal
  A rate.
change 变动 change+
  What came or went.
"""
ROWS = (
    ("M-0001", 'Zhang "Z", 老张\nline', "settlement", "-0.500", -24),
    ("M-0002", "=1+1", "closing", None, 24),
    ("M-0003", None, "opening", "0.250", 7),
)


def test_data_is_a_header_and_the_rows_as_rfc_4180_has_them(tmp_path: Path) -> None:
    """Lines end in CRLF, quotes are doubled, what is empty is empty, and there is no mark."""
    write_data(sheet_of(TABLE, ROWS), tmp_path / "a.csv")

    assert (tmp_path / "a.csv").read_bytes().decode() == (
        "account,name,kind,rate,change\r\n"
        'M-0001,"Zhang ""Z"", 老张\nline",settlement,-0.500,-24\r\n'
        "M-0002,=1+1,closing,,24\r\n"
        "M-0003,,opening,0.250,7\r\n"
    )


def test_for_excel_it_has_a_mark_a_guard_words_and_a_foot(tmp_path: Path) -> None:
    """A text that begins a formula gets an apostrophe; a negative number stays one."""
    write_for_excel(sheet_of(TABLE, ROWS, "zh"), tmp_path / "a.csv")

    assert (tmp_path / "a.csv").read_bytes().decode() == (
        "\ufeff科目,名称,类别,比率,变动\r\n"
        'M-0001,"Zhang ""Z"", 老张\nline",牌局结算,-0.500,-24\r\n'
        "M-0002,'=1+1,清零,,24\r\n"
        "M-0003,,期初,0.250,7\r\n"
        "合计,,,,7\r\n"
    )


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=", "-"])
def test_every_beginning_of_a_formula_is_guarded_in_a_text(tmp_path: Path, text: str) -> None:
    """Given such a name, then Excel gets an apostrophe before it."""
    write_for_excel(sheet_of(TABLE, [("M-1", text, "opening", None, 0)]), tmp_path / "a.csv")

    assert _read(tmp_path / "a.csv")[1][1] == f"'{text}"


@pytest.mark.parametrize("text", ["'=1", "1=1", " =1", "", "老张+1", "0012", "a\t=1"])
def test_any_other_text_is_left_alone(tmp_path: Path, text: str) -> None:
    """Given a name that begins no formula, then it stands there as it is."""
    write_for_excel(sheet_of(TABLE, [("M-1", text, "opening", None, 0)]), tmp_path / "a.csv")

    assert _read(tmp_path / "a.csv")[1][1] == text


@pytest.mark.parametrize(("kind", "language"), OF_ALL)
def test_what_is_read_back_are_the_rows(
    hostile: Place, tmp_path: Path, kind: str, language: Language
) -> None:
    """Given the hostile club, then a reader of CSV gets every row with every value."""
    made, file = export(hostile, tmp_path, Asked(kind, "csv", language=language))

    columns, rows = content(hostile, kind, language)
    head, *read = _read(file)
    assert head == [column.title(language) for column in columns]
    assert read == [["" if value is None else str(value) for value in row] for row in rows]
    assert made.rows == len(read)


@pytest.mark.parametrize(("kind", "language"), OF_ALL)
def test_nothing_in_a_cell_is_executed(
    hostile: Place, tmp_path: Path, kind: str, language: Language
) -> None:
    """Given the hostile club, then for Excel only numbers begin with a sign, as in the rows."""
    _, file = export(hostile, tmp_path, Asked(kind, "csv_excel", language=language))

    columns, rows = content(hostile, kind, language)
    numbers = [column.is_number or column.shape == "decimal" for column in columns]
    _, *read = _read(file)
    for told, row in zip(read, rows, strict=False):
        for text, value, is_number in zip(told, row, numbers, strict=True):
            if is_number:
                assert text == ("" if value is None else str(value))
            else:
                assert not text.startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(("kind", "language"), OF_ALL)
def test_all_forms_of_a_kind_have_the_same_content(
    hostile: Place, tmp_path: Path, kind: str, language: Language
) -> None:
    """Given five forms of an export, then their rows, sums and content digest are one."""
    made = list(each_form(hostile, tmp_path, kind, language))

    assert len(made) == 5
    assert len({one.manifest["content_sha256"] for one in made}) == 1
    assert {one.rows for one in made} == {len(content(hostile, kind, language)[1])}
    assert len({tuple(one.totals.items()) for one in made}) == 1


def _read(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.reader(opened))

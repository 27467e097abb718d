"""XLSX: what openpyxl and LibreOffice find in the workbooks."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from projections.exports.asked import Asked, Language
from projections.exports.forms import xlsx
from projections.exports.forms.xlsx import write
from projections.exports.sheet import Row
from tests.exports import sheets
from tests.exports.conftest import Place
from tests.exports.hostile import HOSTILE
from tests.exports.sheets import OF_ALL, content, digest, export, sheet_of
from tests.exports.workbook import (
    LONGEST,
    calculated,
    facts,
    fitting,
    forget_the_sums,
    named,
    plain,
    read_back,
)

TABLE = """
entry 凭证号 id
  The entry.
day 日期 day
  Its day.
at 时间 local
  When it was booked, by the club's clock.
at_utc 时间(UTC) utc
  The same in UTC.
kind 类别 word
  What it is.
name 名称 text
  Whose it is.
debit 借方 points+
  What came.
change 变动 change
  What changed.
rate 比率 decimal
  A rate.
"""
FIRST: Row = (
    "jrn_1",
    "2026-11-28",
    "2026-11-28 21:14:03",
    "2026-11-28T13:14:03Z",
    "settlement",
    "=1+1",
    1200,
    -24,
    "-0.500",
)
SECOND: Row = ("jrn_2", "2026-11-29", None, None, "closing", "", 34, 24, None)
WHOLE = "#,##0;[Red]-#,##0;0"
CHANGES = "+#,##0;[Red]-#,##0;0"


@pytest.fixture
def book(tmp_path: Path) -> Workbook:
    """The workbook of two rows."""
    return written(tmp_path, [FIRST, SECOND])


def written(folder: Path, rows: list[Row], language: Language = "en") -> Workbook:
    """The workbook of some rows, as openpyxl reads it."""
    write(sheet_of(TABLE, rows, language), folder / "a.xlsx")
    return load_workbook(folder / "a.xlsx")


def values(sheet: Worksheet, row: int) -> list[Any]:
    """What stands in a row of a worksheet."""
    return [cell.value for cell in sheet[row]]


# --- cells --------------------------------------------------------------------------------------


def test_a_row_has_texts_numbers_and_dates(book: Workbook) -> None:
    """Texts are texts, points and decimals numbers, days and local moments dates, UTC a text."""
    assert values(book["Journal"], 2) == [
        "jrn_1",
        datetime(2026, 11, 28),  # noqa: DTZ001
        datetime(2026, 11, 28, 21, 14, 3),  # noqa: DTZ001
        "2026-11-28T13:14:03Z",
        "settlement",
        "=1+1",
        1200,
        -24,
        -0.5,
    ]
    assert "".join(cell.data_type for cell in book["Journal"][2]) == "sddsssnnn"


def test_numbers_and_dates_say_how_they_are_told(book: Workbook) -> None:
    """Points are grouped and red below zero, a change always has its sign, a decimal its digits."""
    assert [cell.number_format for cell in book["Journal"][2]] == [
        "@",
        "yyyy-mm-dd",
        "yyyy-mm-dd hh:mm:ss",
        "@",
        "@",
        "@",
        WHOLE,
        CHANGES,
        "0.000",
    ]


def test_nothing_and_an_empty_text_are_two_things(book: Workbook) -> None:
    """Given a name without a letter and no moment, then one cell has a text and one nothing."""
    third = book["Journal"][3]
    assert (third[5].value, third[5].data_type) == ("", "s")
    assert (third[2].value, third[2].data_type) == (None, "n")


@pytest.mark.parametrize("name", [*HOSTILE, "<r><t>bold</t></r>", "<r>&</r>", "_x0041_"])
def test_a_name_comes_back_sign_by_sign(tmp_path: Path, name: str) -> None:
    """Given a hostile name, then the cell is a text and says it, whatever it looks like."""
    cell = written(tmp_path, [(*FIRST[:5], name, 1, 1, None)])["Journal"]["F2"]

    assert (cell.data_type, plain(cell.value)) == ("s", name)


@pytest.mark.parametrize(("sign", "left"), [("长", LONGEST), ("😀", LONGEST // 2)])
def test_a_text_that_no_cell_holds_is_cut_and_counted(tmp_path: Path, sign: str, left: int) -> None:
    """Given 40,000 signs, then the row stays, with the beginning, and About says so."""
    book = written(tmp_path, [(*FIRST[:5], sign * 40_000, 1, 1, None), SECOND])

    assert book["Journal"]["F2"].value == sign * left
    assert book["Journal"]["A3"].value == "jrn_2"
    assert facts(book)["Cut texts"] == 1


@pytest.mark.parametrize("points", [10**15, -(10**15), 123456789012345678901])
def test_a_number_with_too_many_digits_is_a_text(tmp_path: Path, points: int) -> None:
    """Given more digits than a worksheet holds, then none is lost."""
    cell = written(tmp_path, [(*FIRST[:6], points, 1, None)])["Journal"]["G2"]

    assert (cell.data_type, cell.value) == ("s", str(points))
    assert next(read_back(load_workbook(tmp_path / "a.xlsx")))[6] == points


@pytest.mark.parametrize("decimal", ["-0.000", "1e5", "12345678901234567.123"])
def test_a_decimal_that_would_not_come_back_is_a_text(tmp_path: Path, decimal: str) -> None:
    """Given a zero below zero, or too many digits, then the cell says it word by word."""
    cell = written(tmp_path, [(*FIRST[:8], decimal)])["Journal"]["I2"]

    assert (cell.data_type, cell.value) == ("s", decimal)


@pytest.mark.parametrize("day", ["0001-01-01", "1900-02-28"])
def test_a_day_before_the_calendar_of_worksheets_is_a_text(tmp_path: Path, day: str) -> None:
    """Given a day that a worksheet would count wrongly, then it is told in words."""
    assert written(tmp_path, [("jrn_1", day, *FIRST[2:])])["Journal"]["B2"].value == day


def test_the_first_day_that_worksheets_count_right_is_a_date(tmp_path: Path) -> None:
    """Given 1 March 1900, then it is a date."""
    book = written(tmp_path, [("jrn_1", "1900-03-01", *FIRST[2:])])

    assert book["Journal"]["B2"].value == datetime(1900, 3, 1)  # noqa: DTZ001


# --- sheets -------------------------------------------------------------------------------------


def test_below_the_rows_stand_sums_of_what_is_seen_and_of_all(tmp_path: Path) -> None:
    """The foot adds up by a formula, whose value is there; the line below it by a number."""
    book = written(tmp_path, [FIRST, SECOND])["Journal"]
    cached = load_workbook(tmp_path / "a.xlsx", data_only=True)["Journal"]

    assert (book["A4"].value, book["G4"].value) == ("Total", "=SUBTOTAL(109,G2:G3)")
    assert cached["G4"].value == 1234
    assert (book["A5"].value, book["G5"].value) == ("Control total of all rows", 1234)
    assert book.max_row == 5


def test_only_the_foot_calculates(book: Workbook) -> None:
    """Given a name that looks like a formula, then the foot alone has one."""
    formulas = [
        cell.coordinate for sheet in book for row in sheet for cell in row if cell.data_type == "f"
    ]
    assert formulas == ["G4"]


def test_without_rows_the_sums_are_nought(tmp_path: Path) -> None:
    """Given no rows, then there are a header, a foot without a formula, and control totals."""
    sheet = written(tmp_path, [])["Journal"]

    assert [values(sheet, row)[6] for row in (1, 2, 3)] == ["debit", 0, 0]
    assert sheet.auto_filter.ref == "A1:I1"


def test_where_the_first_column_adds_up_the_label_stands_in_the_next(tmp_path: Path) -> None:
    """Given a sheet that begins with points, then their sum is not covered by a word."""
    write(
        sheet_of("debit 借方 points+\n  Came.\nname 名称 text\n  Whose.", [(5, "a"), (6, "b")]),
        tmp_path / "a.xlsx",
    )
    sheet = load_workbook(tmp_path / "a.xlsx")["Journal"]

    assert values(sheet, 4) == ["=SUBTOTAL(109,A2:A3)", "Total"]
    assert values(sheet, 5) == [11, "Control total of all rows"]


def test_a_sheet_is_ready_to_read_filter_and_print(book: Workbook) -> None:
    """The header stays in sight and on every printed page; A4, as wide as the paper, numbered."""
    sheet = book["Journal"]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:I3"
    assert sheet.print_title_rows == "$1:$1"
    assert (sheet.page_setup.paperSize, sheet.page_setup.fitToHeight) == (9, 0)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.oddFooter.left.text == "Jade && 翠苑 · Journal"
    assert sheet.oddFooter.right.text == "Page &P / &N"


def test_a_footer_holds_what_it_can_of_a_long_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a club of 300 signs that begin commands, then each is doubled, and none cut in two."""
    monkeypatch.setitem(sheets.FACTS, "club_name", "&" * 300)
    footer = written(tmp_path, [FIRST])["Journal"].oddFooter

    assert (footer.left.text, footer.right.text) == ("&&" * 100, "Page &P / &N")


def test_a_narrow_sheet_stands_upright(tmp_path: Path) -> None:
    """Given two columns, then the paper stands."""
    write(sheet_of("a 甲 id\n  A.\nb 乙 points\n  B.", [("x", 1)]), tmp_path / "a.xlsx")

    assert load_workbook(tmp_path / "a.xlsx")["Journal"].page_setup.orientation == "portrait"


def test_columns_are_as_wide_as_what_stands_in_them(tmp_path: Path) -> None:
    """A sign of Chinese takes two cells; a sum is never too wide; a long text is not followed."""
    rows = [(*FIRST[:5], "长" * 20, 999_999_999_999, -24, None)] * 2
    sheet = written(tmp_path, rows)["Journal"]
    long = written(tmp_path, [(*FIRST[:5], "长" * 64, 1, 1, None)])["Journal"]

    widths = [sheet.column_dimensions[name].width for name in "ABCFG"]
    assert [int(width) for width in widths] == [9, 11, 20, 41, 21]
    assert int(long.column_dimensions["F"].width) == 49


def test_in_chinese_all_words_are(tmp_path: Path) -> None:
    """Given Chinese, then header, words, labels and the second sheet are Chinese."""
    book = written(tmp_path, [FIRST, SECOND], "zh")

    assert book.sheetnames == ["序时账", "说明"]
    assert values(book["序时账"], 1)[:2] == ["凭证号", "日期"]
    assert [book["序时账"][f"E{row}"].value for row in (2, 3)] == ["牌局结算", "清零"]
    assert [book["序时账"][f"A{row}"].value for row in (4, 5)] == ["合计", "全部行控制合计"]
    assert book["序时账"].oddFooter.right.text == "第 &P 页，共 &N 页"
    assert facts(book) | {"积分仅用于计分，无现金价值": None} == facts(book)


def test_the_last_sheet_says_what_the_workbook_is_of(book: Workbook) -> None:
    """Given facts, filters among them, then each stands there with rows, sums and the digest."""
    assert book.sheetnames == ["Journal", "About"]
    assert facts(book) == {
        "Kind": "journal",
        "Club name": "Jade & 翠苑",
        "By": "booked",
        "First": "2026-11-01",
        "Position": 48213,
        "Head": "9f3a",
        "Rows": 2,
        "Total of debit": 1234,
        "Content SHA-256": digest(named(book), [FIRST, SECOND]),
        "Points are a score, no cash value": None,
    }


def test_rows_beyond_the_limit_go_on_in_the_next_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given room for two rows and five of them, then three sheets with header and foot each.

    The control totals below the last one are of all.
    """
    monkeypatch.setattr(xlsx, "LIMIT", 5)
    rows: list[Row] = [(f"jrn_{n}", *FIRST[1:6], 10**n, 0, None) for n in range(5)]
    book = written(tmp_path, rows)
    cached = load_workbook(tmp_path / "a.xlsx", data_only=True)

    assert book.sheetnames == ["Journal", "Journal 2", "Journal 3", "About"]
    assert [sheet.max_row for sheet in book][:3] == [4, 4, 4]
    assert [sheet["A1"].value for sheet in book][:3] == ["entry"] * 3
    assert [cached["Journal"]["G4"].value, cached["Journal 2"]["G4"].value] == [11, 1100]
    assert values(cached["Journal 3"], 3)[6] == 10000
    assert values(cached["Journal 3"], 4)[6] == 11111
    assert [list(row) for row in read_back(book)] == [list(row) for row in rows]


def test_a_sheet_that_is_just_full_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given as many rows as there is room for, then no empty sheet follows."""
    monkeypatch.setattr(xlsx, "LIMIT", 5)
    book = written(tmp_path, [FIRST, SECOND])

    assert book.sheetnames == ["Journal", "About"]
    assert values(book["Journal"], 5)[6] == 1234


# --- whole exports ------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "language"), OF_ALL)
def test_what_is_read_back_are_the_rows(
    hostile: Place, tmp_path: Path, kind: str, language: Language
) -> None:
    """Given the hostile club, then every row comes back; of texts too long, their beginning."""
    made, file = export(hostile, tmp_path, Asked(kind, "xlsx", language=language))

    columns, rows = content(hostile, kind, language)
    book = load_workbook(file)
    read = list(read_back(book))
    long = sum(len(value) > LONGEST for row in rows for value in row if isinstance(value, str))
    assert read == [tuple(map(fitting, row)) for row in rows]
    assert facts(book).get("Cut texts" if language == "en" else "截断的文本", 0) == long
    assert made.rows == len(read)
    if not long:
        assert digest([one.name for one in columns], read) == made.manifest["content_sha256"]


@pytest.mark.parametrize("kind", ["trial_balance", "pairs", "score_history", "settlement_lines"])
def test_the_content_digest_is_computed_from_the_sheet(
    hostile: Place, tmp_path: Path, kind: str
) -> None:
    """Given only the workbook, in Chinese, then it gives the digest of the manifest."""
    made, file = export(hostile, tmp_path, Asked(kind, "xlsx", language="zh"))

    book = load_workbook(file)
    assert digest(named(book), read_back(book)) == made.manifest["content_sha256"]
    assert facts(book)["内容 SHA-256"] == made.manifest["content_sha256"]


def test_the_same_request_gives_the_same_bytes_by_this_version(
    hostile: Place, tmp_path: Path
) -> None:
    """Given one position, then a workbook made again a while later is the same file."""
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    _, one = export(hostile, first, Asked("journal", "xlsx"))
    time.sleep(2.1)  # a moment in a zip has two seconds
    _, other = export(hostile, second, Asked("journal", "xlsx"))

    assert one.read_bytes() == other.read_bytes()
    assert [path.suffix for path in sorted(first.iterdir())] == [".xlsx", ".json"]


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "zh"])
def test_libreoffice_comes_to_the_same_sums(
    hostile: Place, tmp_path: Path, language: Language
) -> None:
    """Given a wrong value beside each formula, then what is calculated anew is what we wrote."""
    made, file = export(hostile, tmp_path, Asked("journal", "xlsx", language=language))
    forget_the_sums(file, tmp_path / "wrong.xlsx")

    foot, control = calculated(tmp_path / "wrong.xlsx", tmp_path)[-2:]

    expected = [str(made.totals[name]) for name in ("debit", "credit")]
    assert foot[10:12] == control[10:12] == expected != ["7", "7"]

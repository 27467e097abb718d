"""XLSX: a workbook that filters, prints and adds up; a text in it is never anything else.

Who reads one can compute the manifest's `content_sha256` again. It is SHA-256 over lines of JSON
without spaces, in UTF-8: the names of the columns (sheet About), then as a list every row under
the filter of a sheet. In a row an empty cell is null; a text is a text, once its `_xHHHH_` are read
as the characters that they stand for; a whole number is a number, also the text of one above 15
digits; a day, a moment and a decimal are texts as their cells show them, and a word is the one that
About lists beside it. Only texts that About counts as cut are not whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unicodedata import east_asian_width

import msgspec
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from projections.exports.forms.about import ABOUT, NO_CASH, called, told
from projections.exports.sheet import Column, Row, Shape, Sheet, Value
from projections.exports.words import TOTAL, word

LIMIT = 1_048_576
"""Rows of a worksheet, header and all. Source: Excel specifications and limits."""
AROUND = 3
"""The header, the foot and the line of control totals."""
TOO_LONG = -2
"""What XlsxWriter says of a text above 32,767 units of UTF-16, of which it takes the beginning."""
DIGITS = 15
"""How many digits a number of a worksheet holds."""
CREATED = datetime(2000, 1, 1)  # noqa: DTZ001
EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001
"""Day 0, for days from March 1900 on: a worksheet has a 29 February of that year."""
FIRST_DAY = 61
A4 = 9
WIDE = 110
"""From which width on a page lies on its side."""
SAMPLE = 100
"""Rows by which the width of a column is chosen."""

WHOLE = "#,##0;[Red]-#,##0;0"
CHANGE = "+#,##0;[Red]-#,##0;0"
PATTERNS: Mapping[Shape, str] = {
    "points": WHOLE,
    "count": WHOLE,
    "change": CHANGE,
    "day": "yyyy-mm-dd",
    "local": "yyyy-mm-dd hh:mm:ss",
}
TEXT = "@"
"""With which a text stays one after it was edited."""
WIDTHS: Mapping[Shape, tuple[int, int]] = {
    "text": (10, 48),
    "id": (8, 26),
    "points": (12, 24),
    "change": (12, 24),
    "count": (7, 24),
    "local": (19, 19),
}
"""The least and the most of a column, in cells of a digit."""
OTHER_WIDTH = (10, 32)
ABOUT_WIDTHS = (28, 68, 10, 88)

LONGEST_TITLE = 100
"""Signs of a footer's title, so that it stays below 255 though every sign is one of two."""

CONTROL = {"en": "Control total of all rows", "zh": "全部行控制合计"}
PAGE = {"en": "Page &P / &N", "zh": "第 &P 页，共 &N 页"}
HEAD_LOOK = {"bold": True, "bg_color": "#E0EEEA", "bottom": 1, "valign": "vcenter"}
FOOT_LOOK = {"bold": True, "top": 1, "bottom": 6}
CONTROL_LOOK = {"font_color": "#5A6863"}
PLAIN: Mapping[str, Any] = {}
LEFT: Mapping[str, Any] = {"align": "left", "indent": 0}
RIGHT: Mapping[str, Any] = {"align": "right", "indent": 1}
COLUMN_HEAD = {
    "en": ("Column", "Title", "Shape", "What it holds"),
    "zh": ("列", "标题", "类型", "含义"),
}
WORD_HEAD = {"en": ("Word", "Shown as"), "zh": ("词", "显示为")}

Put = Callable[[int, Any], None]
Line = tuple[str | int, ...]


class _Page(Worksheet):
    """A worksheet in which a text that looks like the inside of one is a text all the same."""

    def _xml_rich_inline_string(self, string: str, attributes: Any) -> None:
        self._xml_inline_string(string, True, attributes)


def write(sheet: Sheet, path: Path) -> None:
    """Worksheets of the rows, each with a header and a foot, and one that tells what it is of.

    The foot adds up what a filter leaves; the control totals below the last one stand fast.
    """
    with TemporaryDirectory(dir=path.parent) as parts:
        options = {"constant_memory": True, "tmpdir": parts, "use_zip64": True}
        book = Workbook(str(path), options)
        book.set_properties({"title": sheet.title, "author": "Paizhang", "created": CREATED})
        grid = _Grid(book, sheet)
        for row in sheet.rows:
            grid.put(row)
        grid.end()
        _tell(grid)
        book.close()


class _Grid:
    """The worksheets of the rows: when one is full, the next row begins another."""

    def __init__(self, book: Workbook, sheet: Sheet) -> None:
        self.book, self.sheet = book, sheet
        self.cut = 0
        self.words: dict[str, str] = {}
        self._looks: dict[Any, Format] = {}
        self._pages = self._row = 0
        self._puts: list[Put] = []
        self._before = list(sheet.tally.sums)
        self._begin()

    def put(self, row: Row) -> None:
        """Write a row."""
        if self._row == LIMIT - AROUND + 1:
            self._begin()
        here, self._row = self._row, self._row + 1
        if here <= SAMPLE:
            self._widen(row)
        for put, value in zip(self._puts, row, strict=True):
            if value is not None:
                put(here, value)
        if self._row == LIMIT - AROUND + 1:
            self._foot()

    def end(self) -> None:
        """Write what stands below the last row."""
        if self._row <= LIMIT - AROUND:
            self._foot()
        totals = self.sheet.tally.totals
        if totals:
            self._line(self._row + 1, CONTROL, CONTROL_LOOK, totals, self.page.write_number)

    def look(self, pattern: str, style: Mapping[str, Any] = PLAIN) -> Format:
        """How a cell looks: how its value is told, and its style."""
        key = (pattern, *style.items())
        if key not in self._looks:
            side = RIGHT if pattern in (WHOLE, CHANGE) else LEFT
            self._looks[key] = self.book.add_format({"num_format": pattern, **side, **style})
        return self._looks[key]

    # --- one worksheet --------------------------------------------------------------------------

    def _begin(self) -> None:
        sheet = self.sheet
        self._pages, self._row = self._pages + 1, 1
        number = "" if self._pages == 1 else f" {self._pages}"
        self.page = self.book.add_worksheet(f"{sheet.title}{number}", _Page)
        self._puts = [self._putter(place, column) for place, column in enumerate(sheet.columns)]
        titles = [column.title(sheet.language) for column in sheet.columns]
        for place, (title, column) in enumerate(zip(titles, sheet.columns, strict=True)):
            side = RIGHT if column.is_number else LEFT
            self.page.write_string(0, place, title, self.look(TEXT, {**HEAD_LOOK, **side}))
        self._widths = [width(title) + 3 for title in titles]  # with room for the filter's arrow
        self.page.freeze_panes(1, 0)
        self.page.repeat_rows(0)
        _to_print(self.page, f"{sheet.facts['club_name']} · {sheet.title}", PAGE[sheet.language])

    def _foot(self) -> None:
        """The sums of this worksheet, which a filter changes; and how it looks as a whole."""
        totals = self.sheet.tally.totals
        sums = [now - was for now, was in zip(totals.values(), self._before, strict=True)]
        self._before = list(totals.values())
        if totals:
            here = dict(zip(totals, sums, strict=True))
            put = self._subtotal if self._row > 1 else self.page.write_number
            for place in range(len(self.sheet.columns)):
                self.page.write_blank(self._row, place, None, self.look(TEXT, FOOT_LOOK))
            self._line(self._row, TOTAL, FOOT_LOOK, here, put)
        self._shape()

    def _line(
        self,
        row: int,
        label: Mapping[str, str],
        style: Mapping[str, Any],
        totals: Mapping[str, int],
        put: Callable[[int, int, int, Format], object],
    ) -> None:
        """A line of sums below their columns, and what it is called in the first other one."""
        columns = self.sheet.columns
        free = (place for place, column in enumerate(columns) if not column.adds)
        place = next(free, len(columns))
        self.page.write_string(row, place, label[self.sheet.language], self.look(TEXT, style))
        for place, column in enumerate(columns):
            if column.adds:
                total = totals[column.name]
                self._widths[place] = max(self._widths[place], len(f"{total:+,}") + 2)
                put(row, place, total, self.look(PATTERNS[column.shape], style))

    def _subtotal(self, row: int, place: int, total: int, look: Format) -> None:
        name = xl_col_to_name(place)
        self.page.write_formula(row, place, f"=SUBTOTAL(109,{name}2:{name}{row})", look, total)

    def _shape(self) -> None:
        """The widths of the columns, the filter, and how the page lies."""
        columns, last = self.sheet.columns, len(self.sheet.columns) - 1
        for place, column in enumerate(columns):
            least, most = WIDTHS.get(column.shape, OTHER_WIDTH)
            self._widths[place] = min(max(self._widths[place], least), max(most, least))
            self.page.set_column(place, place, self._widths[place] + 1)
        self.page.autofilter(0, 0, self._row - 1, last)
        self.page.ignore_errors({"number_stored_as_text": f"A1:{xl_col_to_name(last)}{LIMIT}"})
        if sum(self._widths) > WIDE:
            self.page.set_landscape()

    def _widen(self, row: Row) -> None:
        for place, value in enumerate(row):
            if value is not None:
                shown = value if isinstance(value, str) else f"{value:,}"
                self._widths[place] = max(self._widths[place], width(shown))

    # --- one cell -------------------------------------------------------------------------------

    def _putter(self, place: int, column: Column) -> Put:
        """What writes a column's values."""
        shape, text = column.shape, self._text(place)
        if shape == "word":
            return lambda row, value: text(row, self._word(value))
        if shape == "decimal":
            return self._decimal(place, text)
        if column.is_number:
            return self._number(place, PATTERNS[shape], text)
        if shape in ("day", "local"):
            return self._moment(place, PATTERNS[shape], text)
        return text

    def _text(self, place: int) -> Put:
        write, look = self.page.write_string, self.look(TEXT)

        def put(row: int, value: Value) -> None:
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            if write(row, place, text, look) == TOO_LONG:
                self.cut += 1

        return put

    def _word(self, name: str) -> str:
        if name not in self.words:
            self.words[name] = word(name, self.sheet.language)
        return self.words[name]

    def _number(self, place: int, pattern: str, text: Put) -> Put:
        """A whole number, as a text where a worksheet would lose its last digits."""
        write, look, most = self.page.write_number, self.look(pattern), 10**DIGITS

        def put(row: int, value: int) -> None:
            if -most < value < most:
                write(row, place, value, look)
            else:
                text(row, str(value))

        return put

    def _decimal(self, place: int, text: Put) -> Put:
        """A number with the digits that its text has, unless it would not come back the same."""

        def put(row: int, value: str) -> None:
            digits = len(value.partition(".")[2])
            number = float(value) + 0.0  # no zero below zero
            if f"{number:.{digits}f}" != value:
                text(row, value)
            else:
                self.page.write_number(row, place, number, self.look(f"{0:.{digits}f}"))

        return put

    def _moment(self, place: int, pattern: str, text: Put) -> Put:
        """A day or a moment by a clock, as the number that a worksheet has for it."""
        write, look = self.page.write_number, self.look(pattern)

        def put(row: int, value: str) -> None:
            number = serial(value)
            if number < FIRST_DAY:
                text(row, value)
            else:
                write(row, place, number, look)

        return put


@lru_cache(4096)
def serial(text: str) -> float:
    """A day or a moment as a worksheet counts: days since the end of 1899, and parts of one."""
    since = datetime.fromisoformat(text) - EPOCH
    return since.days + since.seconds / 86400 if since.seconds else since.days


def width(text: str) -> int:
    """The cells of a digit that a text takes on a screen: two for a sign of Chinese."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _to_print(page: Worksheet, title: str, number: str) -> None:
    """A4, as wide as the paper, with a footer; `&` in that begins a command."""
    page.set_paper(A4)
    page.fit_to_pages(1, 0)
    plain = "".join(sign for sign in title if sign.isprintable())[:LONGEST_TITLE]
    page.set_footer(f"&L{plain.replace('&', '&&')}&R{number}")


# --- what it is of ------------------------------------------------------------------------------


def _tell(grid: _Grid) -> None:
    """The last worksheet: the facts of the manifest, and what the columns and words are."""
    sheet, language = grid.sheet, grid.sheet.language
    page = grid.book.add_worksheet(ABOUT[language], _Page)
    for place, cells in enumerate(ABOUT_WIDTHS):
        page.set_column(place, place, cells)
    page.set_landscape()
    _to_print(page, f"{sheet.facts['club_name']} · {ABOUT[language]}", PAGE[language])
    cut = [(called("cut_texts", language), grid.cut)] if grid.cut else []
    facts = [*told(sheet), *cut, (NO_CASH[language],)]
    row = _table(grid, page, 0, (sheet.title, ""), facts)
    row = _table(grid, page, row, COLUMN_HEAD[language], _columns(sheet))
    if grid.words:
        _table(grid, page, row, WORD_HEAD[language], sorted(grid.words.items()))


def _table(
    grid: _Grid, page: Worksheet, row: int, titles: tuple[str, ...], lines: Iterable[Line]
) -> int:
    """A table from a row on; says where the next one begins."""
    for place, title in enumerate(titles):
        page.write_string(row, place, title, grid.look(TEXT, HEAD_LOOK))
    for line in lines:
        row += 1
        _fact(grid, page, row, line)
    return row + 2


def _fact(grid: _Grid, page: Worksheet, row: int, line: Line) -> None:
    for place, value in enumerate(line):
        if isinstance(value, int):
            page.write_number(row, place, value, grid.look(WHOLE, LEFT))
        else:
            page.write_string(row, place, value, grid.look(TEXT))


def _columns(sheet: Sheet) -> Iterator[tuple[str, ...]]:
    """Each column by its name, with what stands above it, its shape, and what it holds."""
    for column in sheet.columns:
        yield column.name, column.title(sheet.language), column.shape, column.told

"""The forms of an export: one file writes each, from the rows of a sheet as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from projections.exports.forms import beancount, csv, hledger, json
from projections.exports.sheet import Sheet


@dataclass(frozen=True)
class Form:
    """A form: how its files end, what they are, and who writes one."""

    suffix: str
    media_type: str
    write: Callable[[Sheet, Path], None]


def _xlsx(sheet: Sheet, path: Path) -> None:
    from projections.exports.forms import xlsx  # its library is no matter of every start

    xlsx.write(sheet, path)


def _page(sheet: Sheet, path: Path) -> None:
    from projections.exports.forms import page  # so are its

    page.write(sheet, path)


FORMS = {
    "csv": Form("csv", "text/csv", csv.write_data),
    "csv_excel": Form("csv", "text/csv", csv.write_for_excel),
    "xlsx": Form(
        "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _xlsx
    ),
    "page": Form("html", "text/html", _page),
    "json": Form("json", "application/json", json.write_json),
    "ndjson": Form("ndjson", "application/x-ndjson", json.write_lines),
    "beancount": Form("beancount", "text/plain", beancount.write),
    "hledger": Form("journal", "text/plain", hledger.write),
}

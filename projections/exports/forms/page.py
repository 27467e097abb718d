"""The printed statement 对账单: one page of HTML that asks nothing of anybody, for A4 paper."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import segno
import sqlalchemy as sa
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from msgspec import Struct

from ledger import store
from ledger.checkpoints import Checkpoint, read_note, signed_checkpoints
from projections.exports.asked import Language
from projections.exports.forms.about import NO_CASH
from projections.exports.forms.words_of_page import WORDS
from projections.exports.sheet import Sheet
from projections.exports.source import Source
from projections.exports.words import word

BUFFER = 500
"""Pieces of a page that are written at once."""
QUIET = 4
"""The white modules that a QR code needs around it. Source: ISO/IEC 18004, 6.3.8."""
MINUS = "\N{MINUS SIGN}"


class Line(Struct, frozen=True):
    """A line of a statement; the points that came, or those that went, are zero."""

    at: str
    entry: str
    kind: str
    description: str
    counts: str | None
    hand: str | None
    came: int
    went: int
    balance: int


class Statement(Struct, frozen=True):
    """A member's statement: what he had, his lines, and what came and went in them."""

    code: str
    name: str
    number: str
    opening: int
    lines: tuple[Line, ...]

    @property
    def came(self) -> int:
        """All that came to him."""
        return sum(line.came for line in self.lines)

    @property
    def went(self) -> int:
        """All that went from him."""
        return sum(line.went for line in self.lines)

    @property
    def closing(self) -> int:
        """What he has at the end."""
        return self.opening + self.came - self.went


@dataclass(frozen=True)
class Seal:
    """A checkpoint as it stands on paper: its note as a QR code, and how wide that is."""

    checkpoint: Checkpoint
    code: Markup
    width: float


def write(sheet: Sheet, path: Path) -> None:
    """A statement for each member who has a line or had points before, each on pages of its own.

    Who is asked for alone has one in any case. The QR code holds the newest checkpoint of the
    club that the position holds: a page that is made again once there is a newer one shows that.
    """
    source, language = sheet.source, sheet.language
    page = _template().stream(
        t=WORDS[language],
        lang={"en": "en", "zh": "zh-CN"}[language],
        no_cash=NO_CASH[language],
        style=Markup(_style()),
        policy=_policy(),
        club=source.club,
        asked=source.asked,
        zone=source.zone.key,
        position=source.position,
        head_hash=source.head.hex(),
        at=_at(source),
        seal=_seal(source),
        local=source.local,
        statements=_statements(sheet),
    )
    page.enable_buffering(BUFFER)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(page)


# --- what stands on it --------------------------------------------------------------------------


def _statements(sheet: Sheet) -> Iterator[Statement]:
    """One statement after the other; the lines of one are in memory."""
    names = [column.name for column in sheet.columns]
    rows = (dict(zip(names, row, strict=True)) for row in sheet.rows)
    told = False
    for _, his in groupby(rows, itemgetter("member_code")):
        told = True
        yield _statement(sheet.source, list(his))
    member = sheet.source.asked.member
    if member is not None and not told:
        code, name = sheet.source.person(member)
        yield Statement(code or "", name or "", _number(sheet.source, code or ""), 0, ())


def _statement(source: Source, rows: list[dict[str, Any]]) -> Statement:
    """The statement that a member's rows tell; the first may be what he had before."""
    code, name = rows[0]["member_code"], rows[0]["member_name"]
    before = rows[0]["entry_no"] is None
    language, lines = source.asked.language, rows[1:] if before else rows
    opening = rows[0]["balance"] if before else 0
    told = tuple(_line(row, language) for row in lines)
    return Statement(code, name, _number(source, code), opening, told)


def _line(row: dict[str, Any], language: Language) -> Line:
    return Line(
        row["date_local"],
        row["entry_no"],
        word(row["kind"], language),
        row["description"],
        None if row["effective_date"] == row["date_local"][:10] else row["effective_date"],
        row["hand"],
        row["in"],
        row["out"],
        row["balance"],
    )


def _number(source: Source, code: str) -> str:
    """The number of a statement: whose it is, of which days, as of which position."""
    parts = (code, source.asked.first, source.asked.last, str(source.position))
    return "-".join(filter(None, parts))


def _at(source: Source) -> str | None:
    """When the event at the position was recorded, by the club's clock."""
    [row] = store.read_log(source.connection, source.club.club, source.position - 1, 1)
    return source.local(row.recorded_at)


def _seal(source: Source) -> Seal | None:
    """The newest checkpoint that the position holds."""
    c = signed_checkpoints.c
    held = sa.select(c.note).where(c.club == source.club.club, c.position <= source.position)
    newest = held.order_by(c.position.desc()).limit(1)
    note = source.connection.execute(newest).scalar_one_or_none()
    if note is None:
        return None
    code = segno.make(note, micro=False, error="m", encoding="utf-8")
    drawn = code.svg_inline(border=QUIET, svgid="note", svgclass=None, lineclass=None)
    return Seal(read_note(note), Markup(drawn), code.symbol_size(border=QUIET)[0])


# --- how it is written --------------------------------------------------------------------------


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("projections.exports.forms"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(points=points, change=change)
    return environment


def _template() -> Template:
    return _environment().get_template("statement.html")


@cache
def _style() -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, "statement.css")[0]


def _policy() -> str:
    """What a browser may do with the page: show it in its own style, and fetch nothing."""
    digest = b64encode(sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def points(amount: int) -> str:
    """Points as a balance: in groups, with a sign below zero."""
    return f"{amount:,}".replace("-", MINUS)


def change(amount: int) -> str:
    """Points as a change, always with a sign but for zero, which is not told."""
    return f"{amount:+,}".replace("-", MINUS) if amount else ""

"""What a refusal says: for each code its status, a title and a sentence in two languages.

A block of a table is a code with its HTTP status, then the English and the Chinese text, each
a title and a sentence with gaps for the refusal's parameters. Regions bring tables of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG
from ledger.texts import (
    asking,
    books,
    checking,
    closing,
    dispute,
    exporting,
    operating,
    play,
    proof,
)

LANGUAGES = ("en", "zh")
LONGEST_PARAMETER = 120
LINES = 3


class Text(NamedTuple):
    """What a code says: its HTTP status, and by language a title and a sentence."""

    status: int
    titles: dict[str, str]
    sentences: dict[str, str]


class _Gaps(dict[str, str]):
    """Parameters as they stand in a sentence: short, and a dash for one that is not there."""

    def __missing__(self, _: str) -> str:
        return "–"


def status_of(refusal: Refused) -> int:
    """The HTTP status of a refusal."""
    return texts()[refusal.code].status


def title(refusal: Refused, language: str) -> str:
    """A refusal in a few words."""
    return texts()[refusal.code].titles[language]


def sentence(refusal: Refused, language: str) -> str:
    """A refusal in a sentence that tells the reader what was wrong."""
    gaps = _Gaps({name: _short(value) for name, value in refusal.params.items()})
    return texts()[refusal.code].sentences[language].format_map(gaps)


@cache
def texts() -> dict[str, Text]:
    """Every code's text, those of the regions included."""
    rooms = (asking, play, books, dispute, closing, proof, checking, exporting, operating)
    own = (room.REFUSALS for room in rooms)
    tables = (*own, *(entry.refusals for entry in CATALOG.values()))
    return {code: text for table in tables for code, text in _read(table)}


def _short(value: object) -> str:
    """A parameter cut where it is too long, a list after one of its items."""
    text = str(value)
    if len(text) <= LONGEST_PARAMETER:
        return text
    cut = text[:LONGEST_PARAMETER]
    items, comma, _ = cut.rpartition(", ")
    return f"{items}, …" if comma else f"{cut}…"


def _read(table: str) -> Iterator[tuple[str, Text]]:
    lines = table.strip().splitlines()
    for start in range(0, len(lines), LINES):
        head, english, chinese = map(str.strip, lines[start : start + LINES])
        code, status = head.split()
        en_title, _, en = english.partition(": ")
        zh_title, _, zh = chinese.partition("：")
        titles = {"en": en_title, "zh": zh_title}
        yield code, Text(int(status), titles, {"en": en, "zh": zh})

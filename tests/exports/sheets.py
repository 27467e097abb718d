"""Sheets made up for tests of forms, and the content digest as its definition has it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from projections.exports import making
from projections.exports.asked import Asked, Language
from projections.exports.catalog import KINDS, SHEETS
from projections.exports.making import Made, make
from projections.exports.sheet import Column, Row, Sheet, Tally, columns
from tests.exports.conftest import Place

FACTS = {
    "kind": "journal",
    "club_name": "Jade & 翠苑",
    "filters": {"by": "booked", "first": "2026-11-01"},
    "position": 48213,
    "head": "9f3a",
}
OF_ALL = [
    pytest.param(kind, language, id=f"{kind}-{language}")
    for kind, language in zip(
        (name for name in KINDS if set(SHEETS) <= set(KINDS[name].forms)),
        ("en", "zh") * len(KINDS),
        strict=False,
    )
]
"""Every kind that is a table, in one language or the other."""


def sheet_of(table: str, rows: Iterable[Row], language: Language = "en") -> Sheet:
    """A sheet of some columns and rows."""
    source: Any = SimpleNamespace(asked=SimpleNamespace(language=language))
    told = columns(table)
    title = {"en": "Journal", "zh": "序时账"}[language]
    return Sheet(source, title, told, iter(rows), FACTS, lambda _: None, Tally(told))


def digest(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """SHA-256 over the names of the columns and each row, as lines of JSON."""
    told = hashlib.sha256()
    for line in (names, *rows):
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        told.update(text.encode() + b"\n")
    return told.hexdigest()


def content(place: Place, kind: str, language: Language) -> tuple[tuple[Column, ...], list[Row]]:
    """The rows of a kind before they have a form, and its columns."""
    asked = Asked(kind, "ndjson", language=language)
    with place.database.read() as connection:
        source = making._source(connection, place.club, asked, KINDS[kind])
        return KINDS[kind].columns, list(KINDS[kind].rows(source))


def export(place: Place, folder: Path, asked: Asked) -> tuple[Made, Path]:
    """What was made, and the file of its rows."""
    made = make(place.database, place.club, asked, folder, 0)
    return made, folder / made.files[0].name


def each_form(place: Place, folder: Path, kind: str, language: Language) -> Iterator[Made]:
    """An export in every form that a sheet has."""
    for form in SHEETS:
        (folder / form).mkdir()
        yield export(place, folder / form, Asked(kind, form, language=language))[0]

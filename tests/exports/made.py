"""What a test asks for, and reads of what was made."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ledger.database import Database
from projections.exports.asked import Asked
from projections.exports.making import Made, make

JSON = dict[str, Any]
NOW = 1_800_000_000_000_000


class Maker:
    """Makes exports of a club, each in a folder of its own."""

    def __init__(self, database: Database, club: str, folder: Callable[[], Path]) -> None:
        self.database, self.club, self.folder = database, club, folder

    def make(self, kind: str, form: str = "ndjson", **asked: Any) -> tuple[Made, Path]:
        """What was made, and the file with its rows."""
        folder = self.folder()
        made = make(self.database, self.club, Asked(kind, form, **asked), folder, NOW)
        return made, folder / made.files[0].name

    def rows(self, kind: str, **asked: Any) -> list[JSON]:
        """The rows of an export."""
        _, file = self.make(kind, **asked)
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def added(rows: list[JSON], by: str, plus: str, minus: str | None = None) -> dict[str, int]:
    """The sum of one column less another, by the values of a third; what is 0 is left out."""
    sums: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        sums[row[by]] += (row[plus] or 0) - (row[minus] or 0 if minus else 0)
    return {name: points for name, points in sums.items() if points}

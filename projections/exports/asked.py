"""What is asked of an export: of what, in which form, and which part of it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from projections.statement import BEGINNING, END, By

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

FILTERS = ("first", "last", "by", "member", "entry_kind", "table", "ruleset", "position")
"""What a kind may be narrowed by; each kind takes some of these."""


class Asked(Struct, frozen=True, omit_defaults=True):
    """An export as it is asked for: the same at the same position of the log gives the same bytes.

    Days are business days, both included, by when entries were booked or by when they count.
    Without `columns` there are all; without `timezone` moments are told by the club's clock.
    """

    kind: str
    format: str
    language: Language = "en"
    first: str | None = None
    last: str | None = None
    by: By = "booked"
    member: str | None = None
    entry_kind: str | None = None
    table: str | None = None
    ruleset: str | None = None
    columns: tuple[str, ...] = ()
    timezone: str | None = None
    position: int | None = None

    @property
    def since(self) -> str:
        """The first day, or the beginning of all."""
        return self.first or BEGINNING

    @property
    def until(self) -> str:
        """The last day, or the end of all."""
        return self.last or END

    @property
    def filters(self) -> dict[str, Any]:
        """What it is narrowed by, by name."""
        told = {name: getattr(self, name) for name in FILTERS}
        narrows = {name: value for name, value in told.items() if value is not None}
        return narrows if self.by != "booked" else {**narrows, "by": "booked"}

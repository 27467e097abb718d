"""What can be wrong in a file of evidence, and where that shows."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Lie = Literal[
    "signature",
    "altered",
    "other_club",
    "contradicted",
    "order",
    "left_out",
    "not_in_log",
    "not_of_this_hand",
    "malformed",
    "told_otherwise",
    "opened_otherwise",
    "refused",
    "otherwise",
    "settlement",
]


class Found(Struct, frozen=True):
    """The first thing in a file that is not so, and the event at which that shows.

    `version` is of an event that was left out, `place` where the file or the start of the hand
    tells something else than its events, `code` and `rule` why a decision was not open, `key` the
    id of the key that the file's checkpoint names as its signer.
    """

    lie: Lie
    position: int | None = None
    version: int | None = None
    place: str | None = None
    code: str | None = None
    rule: str | None = None
    key: str | None = None


class Lying(Exception):
    """Something in the file is not so."""

    def __init__(self, lie: Lie, position: int | None = None, **more: Any) -> None:
        """Say what, and where."""
        super().__init__(lie)
        self.found = Found(lie, position, **more)

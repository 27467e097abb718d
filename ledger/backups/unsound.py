"""What is wrong with a backup."""

from __future__ import annotations

from ledger.refusal import Refused


class Unsound(Refused):
    """A backup was looked at and is not right: the first fault, told as a refusal is."""

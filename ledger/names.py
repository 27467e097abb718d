"""The texts that people give: names, labels, rooms, notes."""

from __future__ import annotations

import unicodedata

from ledger.refusal import Refused

LONGEST_NAME = 64
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""


def check_text(pointer: str, text: str) -> None:
    """A text of people: some characters to be seen, not too many, none that controls a screen."""
    if len(text) > LONGEST_NAME or not text.isprintable() or not any(map(_is_seen, text)):
        raise Refused("text_form", pointer=pointer, longest=LONGEST_NAME)


def _is_seen(character: str) -> bool:
    """Whether a character alone leaves a mark: no space, no filler, no sign above another."""
    return unicodedata.category(character)[0] in "LNPS" and character not in FILLERS

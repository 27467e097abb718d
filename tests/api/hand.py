"""One hand of 怀化 whose every tile is known, from the deal to a win on a discard.

Seat 1 may pung the dealer's second discard, seat 2 wins with it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger.tiles import NUMBERS, parse_tiles, wall_text

OPTIONS = {"win_mode": "discard"}

DEALT = (
    "123456789m147p89s",  # the dealer's fourteen
    "124578m2558p369s",
    "123456789m46p77s",  # waits for 5p
    "369m123478p1458s",
)
DRAWN = "9p1s2s5p"


def _wall() -> str:
    taken = parse_tiles("".join(DEALT) + DRAWN)
    left = Counter(dict.fromkeys(NUMBERS, 4))
    left.subtract(taken)
    assert min(left.values()) >= 0
    return wall_text((*taken, *sorted(left.elements())))


WALL = _wall()

Action = dict[str, Any]

BEFORE: list[Action] = [
    {"seat": 0, "action": "discard", "tile": "9s"},
    {"seat": 1, "action": "discard", "tile": "9p"},
    {"seat": 2, "action": "discard", "tile": "1s"},
    {"seat": 3, "action": "discard", "tile": "2s"},
]
"""The first round, which nobody claims anything of."""

FED: Action = {"seat": 0, "action": "discard", "tile": "5p"}
"""The discard that opens the window."""

PUNG: Action = {"seat": 1, "action": "pung"}
WIN: Action = {"seat": 2, "action": "win"}

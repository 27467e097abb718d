"""Every reason that a settlement of 耗子 can give: why points are paid, and why not. Source: A5."""

from __future__ import annotations

PAID = (
    ("win", "haozi/1 A5.1"),
    ("win", "haozi/1 A5.2"),
    ("win", "haozi/1 A5.3"),
    ("kong", "haozi/1 A5.4"),
    ("kong", "haozi/1 A5.5"),
)
"""Each reason of a payment, with each paragraph by which it is paid."""

_KONGS = ("concealed_kong", "exposed_kong", "added_kong")
_VOID = ("dissolved", "drawn_hand", "discarder_pays_kongs")

NOT_COUNTED = (
    *((kong, why) for kong in _KONGS for why in _VOID),
    ("added_kong", "robbed"),
)
"""What is not counted, with each reason why."""

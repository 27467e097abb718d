"""Every reason that a settlement of 怀化 can give: why points are paid, and why not. Source: C5."""

from __future__ import annotations

PAID = (
    ("win", "huaihua/1 C5.1"),
    ("win", "huaihua/1 C5.2"),
    ("kong", "huaihua/1 C5.4"),
)
"""Each reason of a payment, with each paragraph by which it is paid."""

_KONGS = ("concealed_kong", "exposed_kong", "added_kong")

NOT_COUNTED = (
    *((kong, why) for kong in _KONGS for why in ("drawn_hand", "dissolved")),
    ("added_kong", "robbed"),
)
"""What is not counted, with each reason why."""

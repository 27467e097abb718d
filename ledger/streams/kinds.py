"""The kinds of streams that a club's log is made of."""

from __future__ import annotations

from typing import Any

from ledger.streams import club, member, membership, settlement, table

STREAMS: dict[str, Any] = {
    "club": club,
    "member": member,
    "membership": membership,
    "table": table,
    "hand": settlement,
}
"""Each kind of stream with its fold, evolve and decide, by the first word of a stream's name."""

"""The kinds of streams that a club's log is made of."""

from __future__ import annotations

from typing import Any

from ledger.streams import (
    allowance,
    club,
    dispute,
    member,
    membership,
    period,
    settlement,
    table,
)

STREAMS: dict[str, Any] = {
    "club": club,
    "member": member,
    "membership": membership,
    "table": table,
    "hand": settlement,
    "allowance": allowance,
    "dispute": dispute,
    "period": period,
}
"""Each kind of stream with its fold, evolve and decide, by the first word of a stream's name."""

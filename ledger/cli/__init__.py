"""The commands of the ledger's own side, as `paizhang` shows them."""

from __future__ import annotations

from ledger.cli import (
    allowances,
    backups,
    clubs,
    disputes,
    governing,
    hands,
    keys,
    operating,
    people,
    periods,
    proofs,
    tables,
)
from ledger.cli.frame import commands, house, machine, progress

__all__ = [
    "allowances",
    "backups",
    "clubs",
    "commands",
    "disputes",
    "governing",
    "hands",
    "house",
    "keys",
    "machine",
    "operating",
    "people",
    "periods",
    "progress",
    "proofs",
    "tables",
]

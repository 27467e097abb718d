"""The commands of the ledger's own side, as `paizhang` shows them."""

from __future__ import annotations

from ledger.cli import backups, clubs, hands, operating, people, proofs
from ledger.cli.frame import commands, house, machine, progress

__all__ = [
    "backups",
    "clubs",
    "commands",
    "hands",
    "house",
    "machine",
    "operating",
    "people",
    "progress",
    "proofs",
]

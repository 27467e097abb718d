"""The commands of the ledger's own side, as `paizhang` shows them."""

from __future__ import annotations

from ledger.cli import clubs, hands, operating
from ledger.cli.frame import commands, house, machine, progress

__all__ = ["clubs", "commands", "hands", "house", "machine", "operating", "progress"]

"""Backups 备份: a copy of the database with a manifest, and the proof that it can be restored.

Only the database is in a backup. The key that signs checkpoints is a file beside it and in none:
who has a backup can read everything in it, and sign nothing.
"""

from __future__ import annotations

from ledger.backups.checking import Report
from ledger.backups.making import back_up, thin
from ledger.backups.manifest import Manifest
from ledger.backups.restoring import drill, lacking, restore
from ledger.backups.unsound import Unsound

__all__ = ["Manifest", "Report", "Unsound", "back_up", "drill", "lacking", "restore", "thin"]

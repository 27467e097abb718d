"""捉鸡麻将, Guizhou: ruleset `zhuoji/1`. Source: docs/rules/zhuoji.md."""

from __future__ import annotations

from ledger.rules.zhuoji.options import KEY, Options
from ledger.rules.zhuoji.settle import settle
from ledger.rules.zhuoji.texts import PATTERNS, REFUSALS

__all__ = ["KEY", "PATTERNS", "REFUSALS", "Options", "settle"]

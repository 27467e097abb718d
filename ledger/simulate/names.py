"""What can be met in a ruleset, by name: so that what never was met is told too.

The names are those of the ruleset itself: its patterns, its reasons, its bars.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import get_args

from ledger.events import Fact, table
from ledger.outcome import HandEnd, WinHow
from ledger.record import Choice, Does
from ledger.rules import turns
from ledger.rules.catalog import entry
from ledger.rules.ruleset import Bar

Names = dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def names(key: str) -> Names:
    """Everything that can be met in a ruleset: sort by sort, the names."""
    region = import_module(entry(key).make.__module__)
    reasons = import_module(f"{region.__name__}.reasons")
    bars = {bar for module in (turns, *_parts(region)) for bar in _bars(module)}
    return {
        "patterns": tuple(entry(key).patterns),
        "payments": tuple(map(" ".join, reasons.PAID)),
        "not_counted": tuple(map(" ".join, reasons.NOT_COUNTED)),
        "ends": get_args(HandEnd),
        "wins": get_args(WinHow),
        "winners": ("1", "2", "3"),
        "events": tuple(_facts()),
        "actions": (*get_args(Does), *map(action_name, _MORE)),
        "refusals": tuple(sorted(f"{bar.code} {bar.rule}" for bar in bars)),
    }


_MORE = (Choice(0, "discard", declare=True), Choice(0, "kong", touzi=True))


def action_name(choice: Choice) -> str:
    """A kind of action: its word, and whether it declares or freezes the hand."""
    more = " declare" * choice.declare + " touzi" * choice.touzi
    return choice.action + more


def _parts(region: ModuleType) -> Iterator[ModuleType]:
    """The files of a ruleset."""
    for found in iter_modules(region.__path__):
        yield import_module(f"{region.__name__}.{found.name}")


def _bars(module: ModuleType) -> Iterator[Bar]:
    return (value for value in vars(module).values() if isinstance(value, Bar))


def _facts() -> Iterator[str]:
    """The types of the events of a table."""
    for name, value in vars(table).items():
        if isinstance(value, type) and issubclass(value, Fact) and value is not Fact:
            yield name

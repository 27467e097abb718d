"""Options by lot: a value for every option of a ruleset."""

from __future__ import annotations

import random
from typing import Any

from ledger.refusal import Refused
from ledger.rules.catalog import entry, ruleset
from ledger.rules.options import OptionInfo, describe_options

SMALL = 6
"""Most numbers drawn for an option lie this close above its least: large ones teach nothing new."""


def random_options(rng: random.Random, key: str) -> dict[str, Any]:
    """A value for every option of a ruleset, drawn anew where they do not go together."""
    infos = describe_options(entry(key).options)
    while True:
        options = {info.name: _random_value(rng, info) for info in infos}
        try:
            ruleset(key, options)
        except Refused:
            continue
        return options


def _random_value(rng: random.Random, info: OptionInfo) -> Any:
    if info.kind == "flag":
        return rng.random() < 0.5
    if info.kind == "set":
        return [choice for choice in info.choices if rng.random() < 0.5]
    if info.kind == "choice":
        return rng.choice(info.choices)
    low, high = info.minimum or 0, info.maximum or 0
    return rng.randint(low, high if rng.random() < 0.1 else min(high, low + SMALL))

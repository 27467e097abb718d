"""The worked examples of 捉鸡: totals, patterns, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.outcome import read_outcome
from tests.rules.zhuoji_table import refusal_of, settle

VECTORS = json.loads(Path(__file__).parent.parent.joinpath("vectors/zhuoji.json").read_text())

REFUSED = {
    "GE1": ("tile_copies", "", None),
    "GE2": ("hand_length", "/seats/0/hand", None),
    "GE3": ("hand_not_complete", "/wins/0", "zhuoji/1 B4"),
    "GE4": ("pass_card_missing", "/wins/0", "zhuoji/1 B3.3"),
    "GE5": ("option_unknown", "", None),
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_worked_example(vector: dict[str, Any]) -> None:
    outcome = read_outcome(vector["outcome"])
    if vector["id"] in REFUSED:
        assert vector["error"]
        assert refusal_of(outcome) == REFUSED[vector["id"]]
        return
    found = settle(outcome)
    assert list(found.totals) == vector["totals"]
    assert [list(win.patterns) for win in found.wins] == vector["patterns"]

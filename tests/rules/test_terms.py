"""What the codes of options and settlements are called, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from ledger.outcome import Settlement, read_outcome
from ledger.rules.catalog import CATALOG, name_of, settle
from ledger.rules.options import describe_options

VECTORS = Path(__file__).parent.parent / "vectors"

every_ruleset = pytest.mark.parametrize("key", CATALOG)


@every_ruleset
def test_every_choice_of_an_option_has_a_name(key: str) -> None:
    for info in describe_options(CATALOG[key].options):
        for choice in info.choices:
            if isinstance(choice, str):
                assert all(name_of(key, choice))


@every_ruleset
def test_every_reason_of_a_payment_and_of_none_has_a_name(key: str) -> None:
    reasons = import_module(f"ledger.rules.{key.partition('/')[0]}.reasons")
    told = [word for pair in reasons.NOT_COUNTED for word in pair]
    for word in (*told, *(reason for reason, _ in reasons.PAID)):
        assert all(name_of(key, word))


def settlements(key: str) -> Iterator[Settlement]:
    """What the worked hands of a ruleset come to."""
    told = json.loads((VECTORS / f"{key.partition('/')[0]}.json").read_text(encoding="utf-8"))
    yield from (settle(read_outcome(one["outcome"])) for one in told if "totals" in one)


@every_ruleset
def test_every_part_of_a_payment_and_every_pattern_has_a_name_in_both_languages(key: str) -> None:
    settled = list(settlements(key))
    parts = {part.name for one in settled for paid in one.payments for part in paid.parts}
    patterns = {name for one in settled for win in one.wins for name in win.patterns}
    for word in parts | patterns:
        english, chinese = name_of(key, word)
        assert english.isascii()
        assert not chinese.isascii()


def test_the_same_kong_has_another_word_in_another_region() -> None:
    """明杠 is the added kong of 怀化, and the exposed one of others."""
    assert name_of("huaihua/1", "added_kong") == ("Added kong", "明杠")
    assert name_of("haozi/1", "added_kong") == ("Added kong", "补杠")
    assert name_of("zhuoji/1", "added_kong") == ("Added kong", "转弯豆")

"""The rulesets that this product plays: a line each."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from ledger.hand import Hand, leaves_outcome, outcome
from ledger.outcome import Outcome, Settlement, settlement
from ledger.refusal import Refused
from ledger.rules import haozi, huaihua, zhuoji
from ledger.rules.cap import capped
from ledger.rules.options import read_options
from ledger.rules.ruleset import Ruleset


class Entry(NamedTuple):
    """A ruleset in the catalog: its names, its options, and how it is made of them.

    `patterns` names its winning patterns, English and Chinese; `terms` whatever else its options
    and settlements say: choices, reasons, parts, and why something did not count. `refusals` is
    its table of texts in the form of ledger/texts.
    """

    en: str
    zh: str
    options: type[Any]
    make: Callable[[Any], Ruleset]
    patterns: dict[str, tuple[str, str]]
    terms: dict[str, tuple[str, str]]
    refusals: str


CATALOG = {
    huaihua.KEY: Entry(
        "Huaihua",
        "怀化麻将",
        huaihua.Options,
        huaihua.huaihua,
        huaihua.PATTERNS,
        huaihua.TERMS,
        huaihua.REFUSALS,
    ),
    haozi.KEY: Entry(
        "Haozi",
        "风耗子 / 双耗子",
        haozi.Options,
        haozi.haozi,
        haozi.PATTERNS,
        haozi.TERMS,
        haozi.REFUSALS,
    ),
    zhuoji.KEY: Entry(
        "Zhuoji",
        "捉鸡麻将",
        zhuoji.Options,
        zhuoji.zhuoji,
        zhuoji.PATTERNS,
        zhuoji.TERMS,
        zhuoji.REFUSALS,
    ),
}


def entry(key: str) -> Entry:
    """The ruleset of a key; refuses an unknown one (`ruleset_unknown`)."""
    if key not in CATALOG:
        raise Refused("ruleset_unknown", ruleset=key, allowed=", ".join(CATALOG))
    return CATALOG[key]


def name_of(key: str, word: str) -> tuple[str, str]:
    """What a word of a ruleset's options or settlements is called, in English and Chinese."""
    found = entry(key)
    return found.patterns.get(word) or found.terms[word]


def ruleset(key: str, options: dict[str, Any]) -> Ruleset:
    """The rules of a table: a ruleset with the options given and the defaults of the rest."""
    return _ruleset(key, msgspec.json.encode(options))


@lru_cache(maxsize=1024)
def _ruleset(key: str, options: bytes) -> Ruleset:
    """Made once for the same options: a table asks for its rules at every action."""
    found = entry(key)
    return found.make(read_options(found.options, msgspec.json.decode(options)))


def settle(outcome: Outcome) -> Settlement:
    """Who pays whom for a finished hand: a pure function of its outcome."""
    return ruleset(outcome.ruleset, outcome.options).settle(outcome)


def settle_hand(hand: Hand) -> Settlement:
    """Who pays whom for a hand that has ended; one dissolved before the deal pays nothing.

    Of one entered by its points only the points are known. What a seat loses above the cap of
    the hand is given back.
    """
    if hand.entered is not None and hand.entered.totals is not None:
        return capped(Settlement(hand.entered.totals, (), (), ()), hand.cap)
    if not leaves_outcome(hand):
        return settlement(hand.players, (), (), ())
    return capped(settle(outcome(hand)), hand.cap)

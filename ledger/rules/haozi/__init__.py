"""风耗子 and 双耗子, Shanxi: ruleset `haozi/1`. Source: docs/rules/haozi.md."""

from __future__ import annotations

from functools import partial

from ledger.rules.haozi import legal
from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import kinds, wild_choices
from ledger.rules.haozi.settle import KEY, settle
from ledger.rules.haozi.texts import PATTERNS, REFUSALS, TERMS
from ledger.rules.ruleset import Ruleset

__all__ = ["KEY", "PATTERNS", "REFUSALS", "TERMS", "Options", "haozi", "settle"]


def haozi(options: Options) -> Ruleset:
    """The rules of a table of 耗子 with its options."""
    wild_kinds, wild_count = wild_choices(options)
    return Ruleset(
        key=KEY,
        options=options,
        players=options.players,
        kinds=kinds(options),
        one_winner=True,
        discard_bar=partial(legal.discard_bar, options),
        win_bar=partial(legal.win_bar, options),
        pung_bar=partial(legal.pung_bar, options),
        kong_bar=partial(legal.kong_bar, options),
        must_win=partial(legal.must_win, options),
        claim_locks=partial(legal.claim_locks, options),
        move_locks=partial(legal.move_locks, options),
        winning_tile=partial(legal.winning_tile, options),
        turned=partial(legal.turned, options),
        next_dealer=partial(legal.next_dealer, options),
        settle=partial(settle, options),
        declares="ready",
        declare_bar=partial(legal.declare_bar, options),
        reserve=options.wall_reserve,
        wild_kinds=wild_kinds,
        wild_count=wild_count,
    )

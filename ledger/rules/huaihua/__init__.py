"""怀化麻将, Hunan: ruleset `huaihua/1`. Source: docs/rules/huaihua.md."""

from __future__ import annotations

from functools import partial

from ledger.rules.huaihua import legal
from ledger.rules.huaihua.options import Options
from ledger.rules.huaihua.settle import KEY, settle
from ledger.rules.huaihua.texts import PATTERNS, REFUSALS, TERMS
from ledger.rules.ruleset import Ruleset

__all__ = ["KEY", "PATTERNS", "REFUSALS", "TERMS", "Options", "huaihua"]


def huaihua(options: Options) -> Ruleset:
    """The rules of a table of 怀化 with its options."""
    return Ruleset(
        key=KEY,
        options=options,
        players=options.players,
        kinds=legal.kinds(options),
        one_winner=False,
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
        touzi=True,
    )

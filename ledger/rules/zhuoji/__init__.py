"""捉鸡麻将, Guizhou: ruleset `zhuoji/1`. Source: docs/rules/zhuoji.md."""

from __future__ import annotations

from functools import partial
from typing import Literal

from ledger.rules.ruleset import Ruleset
from ledger.rules.zhuoji import legal
from ledger.rules.zhuoji.chickens import default_kinds
from ledger.rules.zhuoji.opening import prompt
from ledger.rules.zhuoji.options import KEY, Options
from ledger.rules.zhuoji.settle import settle
from ledger.rules.zhuoji.texts import PATTERNS, REFUSALS, TERMS
from ledger.tiles import NUMBERS

__all__ = ["KEY", "PATTERNS", "REFUSALS", "TERMS", "Options", "settle", "zhuoji"]


def zhuoji(options: Options) -> Ruleset:
    """The rules of a table of 捉鸡 with its options."""
    return Ruleset(
        key=KEY,
        options=options,
        players=options.players,
        kinds=NUMBERS,
        one_winner=False,
        discard_bar=legal.discard_bar,
        win_bar=partial(legal.win_bar, options),
        pung_bar=legal.pung_bar,
        kong_bar=legal.kong_bar,
        must_win=legal.must_win,
        claim_locks=legal.claim_locks,
        move_locks=legal.move_locks,
        winning_tile=legal.winning_tile,
        turned=legal.turned,
        next_dealer=legal.next_dealer,
        settle=partial(settle, options),
        declares="soft",
        declare_bar=partial(legal.declare_bar, options),
        prompt=partial(prompt, options),
        is_late=legal.is_late,
        chickens=default_kinds(options),
        weekday=_weekday(options),
    )


def _weekday(options: Options) -> Literal["end", "opening"] | None:
    """Which day's number makes chickens 星期鸡, if any does."""
    if not options.week_ji:
        return None
    return "end" if options.weekday_source == "settlement_time" else "opening"

"""What the table of 捉鸡 asks before the first turn. Source: B3.0, B3.6."""

from __future__ import annotations

from ledger.events import Prompt
from ledger.hand import Hand
from ledger.rules.ruleset import Answers
from ledger.rules.zhuoji.legal import holding
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.patterns import best_reading, is_ready

BETS = ("bet_0", "bet_1", "bet_2")
VOID_SUITS = ("void_m", "void_p", "void_s")


def prompt(options: Options, hand: Hand) -> tuple[Prompt, Answers] | None:
    """What must be asked next and whom, or None: bets 估卖, void suits 定缺, then as dealt."""
    if hand.taken == 0:
        return _to_all(hand, "bet", BETS) if options.gumai else None
    if hand.turn is None or hand.turn.by != "deal":
        return None
    asked = _to_all(hand, "void_suit", VOID_SUITS) if options.players < 4 else None
    return asked or _as_dealt(options, hand)


def _to_all(hand: Hand, name: Prompt, words: tuple[str, ...]) -> tuple[Prompt, Answers] | None:
    """A question to every seat, once."""
    return None if name in hand.prompts else (name, (words,) * hand.players)


def _as_dealt(options: Options, hand: Hand) -> tuple[Prompt, Answers] | None:
    """The dealer is asked first whether he wins 天胡, then the others whether they declare 硬报."""
    wins = _has_dealt_win(options, hand)
    answered = hand.prompts.count("as_dealt")
    if answered > wins:
        return None
    if wins and not answered:
        may = (("win",) if seat == hand.dealer else () for seat in range(hand.players))
    else:
        may = (
            ("declare",) if _may_declare(options, hand, seat) else ()
            for seat in range(hand.players)
        )
    asked = tuple(may)
    return ("as_dealt", asked) if any(asked) else None


def _has_dealt_win(options: Options, hand: Hand) -> bool:
    player = hand.seats[hand.dealer]
    return best_reading(holding(player, player.hand), None, options) is not None


def _may_declare(options: Options, hand: Hand, seat: int) -> bool:
    player = hand.seats[seat]
    return seat != hand.dealer and is_ready(holding(player, player.hand), options)

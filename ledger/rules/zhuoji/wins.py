"""What a win of 捉鸡 is paid. Source: B5.1."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.outcome import NotCounted, Part, Payment, Win
from ledger.rules.zhuoji.booking import base, booked, paragraph
from ledger.rules.zhuoji.patterns import Reading
from ledger.rules.zhuoji.possible_wins import is_heavenly
from ledger.rules.zhuoji.standing import Ended

READY = {"hard": Part("hard_ready", points=20), "soft": Part("soft_ready", points=10)}
"""What a declaration is worth to a winner, and costs a payer 杀听."""
HEAVENLY = Part("tian_hu", points=20)
NOTHING = Part("", points=0)
AFTER_KONG = 3
ROBBED = 9
HOT = 1
HOT_TONG_SAN = {"concealed": 9, "added": 9, "exposed": 6}


def win_payments(hand: Ended, win: Win, reading: Reading) -> Iterator[Payment]:
    """Every other seat pays for a self-draw, else the discarder or robbed seat alone."""
    for payer in hand.others(win.seat) if win.from_seat is None else (win.from_seat,):
        yield booked(payer, win.seat, "win", _terms(hand, win, reading, payer), "B5.1")


def _terms(hand: Ended, win: Win, reading: Reading, payer: int) -> tuple[Part, ...]:
    """The terms of T(w,l) in their order; a bet that the base does not multiply comes last."""
    loser = hand.outcome.seats[payer]
    killed = READY.get(loser.declared or "", NOTHING).points
    bets = Part("gumai", points=hand.outcome.seats[win.seat].bet + loser.bet)
    scale = base(hand.options)
    return (
        *_hand_terms(hand, win, reading),
        Part("kill_declared", points=killed),
        _dealer_term(hand, (win.seat, payer)),
        Part("hot_deal_in", points=_hot(hand, win)),
        Part("rob_kong", points=_robbed(hand, win)),
        *((bets, scale) if hand.options.base_scales_gumai else (scale, bets)),
    )


def _hand_terms(hand: Ended, win: Win, reading: Reading) -> tuple[Part, ...]:
    """P, doubled where self-draws are, M and R(w); of P and R(w) it can be the larger alone."""
    pattern, bonus = _pattern_terms(hand, win, reading), _bonus(hand, win)
    smaller = _smaller(hand, win, reading)
    return (
        *(pattern if smaller != reading.pattern else ()),
        _draw_term(hand, win),
        bonus if smaller != bonus.name else NOTHING,
    )


def _pattern_terms(hand: Ended, win: Win, reading: Reading) -> tuple[Part, ...]:
    doubled = hand.options.self_draw_mode != "plus_one" and win.how == "self_draw"
    again = Part("self_draw_doubles", points=reading.value if doubled else 0)
    return Part(reading.pattern, points=reading.value), again


def _bonus(hand: Ended, win: Win) -> Part:
    """R(w): what a declaration, or the dealer's win as dealt 天胡, is worth to the winner."""
    if is_heavenly(hand.outcome, win):
        return HEAVENLY
    return READY.get(hand.outcome.seats[win.seat].declared or "", NOTHING)


def _smaller(hand: Ended, win: Win, reading: Reading) -> str | None:
    """The pattern or the ready bonus, if only the larger of them counts; of equals the bonus."""
    bonus = _bonus(hand, win)
    if hand.options.ready_bonus_adds_to_pattern or bonus is NOTHING:
        return None
    pattern = sum(part.points or 0 for part in _pattern_terms(hand, win, reading))
    return reading.pattern if (bonus.points or 0) > pattern else bonus.name


def _draw_term(hand: Ended, win: Win) -> Part:
    """M: three on the replacement tile of a kong 杠开, else one for a self-draw."""
    if win.how != "self_draw":
        return NOTHING
    if hand.outcome.after_kong is not None:
        return Part("kong_draw_win", points=AFTER_KONG)
    adds = hand.options.dealer_mode != "tong_san" and hand.options.self_draw_mode != "double"
    return Part("self_draw", points=int(adds))


def _dealer_term(hand: Ended, seats: tuple[int, int]) -> Part:
    """Z: what it adds that the dealer wins or pays 一扣二, 连庄."""
    mode = hand.options.dealer_mode
    if hand.outcome.dealer not in seats or mode not in ("one_two", "streak"):
        return NOTHING
    streak = hand.outcome.streak - 1 + hand.options.streak_first_hand
    return Part(mode, points=1 if mode == "one_two" else streak)


def _hot(hand: Ended, win: Win) -> int:
    """H: what the first discard after a kong costs more 热炮."""
    after = hand.outcome.after_kong
    if win.how != "discard" or after is None:
        return 0
    tong_san = hand.options.dealer_mode == "tong_san" and not after.late
    return HOT_TONG_SAN[after.how] if tong_san else HOT


def _robbed(hand: Ended, win: Win) -> int:
    """Q: what a robbed kong costs, a late one nothing 抢杠."""
    after = hand.outcome.after_kong
    return ROBBED if win.how == "rob_kong" and after is not None and not after.late else 0


def win_in_vain(hand: Ended, win: Win, reading: Reading) -> Iterator[NotCounted]:
    """What a winner might expect beside, and does not get."""
    after = hand.outcome.after_kong
    if win.how == "rob_kong" and _robbed(hand, win) == 0:
        yield NotCounted(win.seat, "rob_kong", win.tile, "late", paragraph("B5.1"))
    if hand.options.dealer_mode == "tong_san" and win.how == "self_draw" and after is None:
        yield NotCounted(win.seat, "self_draw", win.tile, "tong_san", paragraph("B5.1"))
    smaller = _smaller(hand, win, reading)
    if smaller is not None:
        yield NotCounted(win.seat, smaller, None, "larger_counts", paragraph("B5.1"))

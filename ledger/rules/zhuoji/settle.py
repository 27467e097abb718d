"""The settlement of 捉鸡: who pays whom, and why. Source: B5."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.outcome import (
    NotCounted,
    Outcome,
    Part,
    Payment,
    Settlement,
    Win,
    WinScore,
    robbed_kong,
    settlement,
    wins_in_turn,
)
from ledger.rules.zhuoji.booking import base, booked, paragraph
from ledger.rules.zhuoji.check import check
from ledger.rules.zhuoji.kongs import kongs
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.patterns import Reading, best_wait
from ledger.rules.zhuoji.possible_wins import reading_of
from ledger.rules.zhuoji.standing import Ended, ended, holding
from ledger.rules.zhuoji.transfers import chicken_payments
from ledger.rules.zhuoji.wins import win_in_vain, win_payments


def settle(options: Options, outcome: Outcome) -> Settlement:
    """Who pays whom for a hand of 捉鸡; refuses an outcome that cannot be."""
    check(options, outcome)
    wins = [(win, _reading(options, outcome, win)) for win in wins_in_turn(outcome)]
    found = list(_everything(ended(options, outcome), wins))
    payments = [one for one in found if isinstance(one, Payment)]
    return settlement(
        options.players,
        payments,
        tuple(WinScore(win.seat, (reading.pattern,), reading.value) for win, reading in wins),
        tuple(one for one in found if isinstance(one, NotCounted)),
    )


def _reading(options: Options, outcome: Outcome, win: Win) -> Reading:
    reading = reading_of(options, outcome, win)
    assert reading is not None, "check refuses a hand that does not win"
    return reading


def _everything(hand: Ended, wins: list[tuple[Win, Reading]]) -> Iterator[Payment | NotCounted]:
    """All that is paid or not counted: wins, kongs, chickens, and the hands of a drawn one."""
    for win, reading in wins:
        yield from win_payments(hand, win, reading)
        yield from win_in_vain(hand, win, reading)
    yield from robbed_kong(hand.outcome, paragraph("B3.9"))
    yield from kongs(hand)
    yield from chicken_payments(hand)
    yield from _ready_check(hand)


def _ready_check(hand: Ended) -> Iterator[Payment]:
    """On a drawn hand who is not ready pays each ready seat its best pattern 查叫."""
    if hand.outcome.end != "exhausted":
        return
    for payee in hand.live:
        best = best_wait(holding(hand.outcome.seats[payee]), hand.options)
        assert best is not None, "a ready hand waits for something"
        terms = (Part(best.pattern, points=best.value), base(hand.options))
        for payer in hand.others(payee):
            if not hand.seats[payer].ready:
                yield booked(payer, payee, "ready_check", terms, "B5.4")

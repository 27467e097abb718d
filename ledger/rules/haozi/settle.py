"""The settlement of 耗子: who pays whom, and why. Source: A5."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ledger.outcome import (
    Meld,
    NotCounted,
    Outcome,
    Part,
    Payment,
    Settlement,
    Win,
    WinScore,
    robbed_kong,
    settlement,
)
from ledger.rules.haozi.check import KEY, check, waiting, wilds
from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import pattern, points, win_value
from ledger.tiles import parse_tile, parse_tiles

__all__ = ["KEY", "settle"]

SELF_DRAW = f"{KEY} A5.1"
SHARED = f"{KEY} A5.2"
ALONE = f"{KEY} A5.3"
KONGS = f"{KEY} A5.4"
TAKEN_OVER = f"{KEY} A5.5"
NO_WINNER = f"{KEY} A5.6"
ROBBED = f"{KEY} A3.8"


def settle(options: Options, outcome: Outcome) -> Settlement:
    """Who pays whom for a hand of 耗子; refuses an outcome that cannot be."""
    check(options, outcome)
    scores = tuple(_score(options, outcome, win) for win in outcome.wins)
    payments = [
        payment
        for win, score in zip(outcome.wins, scores, strict=True)
        for payment in _win_payments(options, outcome, win, score.value)
    ]
    kongs, void = _kongs(options, outcome)
    return settlement(
        options.players,
        (*payments, *kongs),
        scores,
        (*void, *robbed_kong(outcome, ROBBED)),
    )


def _score(options: Options, outcome: Outcome, win: Win) -> WinScore:
    """What the winner's hand is read as, and its value v."""
    seat, wild_kinds, tile = outcome.seats[win.seat], wilds(outcome), parse_tile(win.tile)
    name = pattern((*parse_tiles(seat.hand), tile), wild_kinds)
    return WinScore(win.seat, (name,), win_value(options, waiting(seat, wild_kinds), tile))


def _win_payments(options: Options, outcome: Outcome, win: Win, value: int) -> list[Payment]:
    """The payments of the win: everybody's, or those of an undeclared discarder alone 点炮包胡."""
    parts = (Part("tile_value", points=value),)
    if win.from_seat is None:
        doubled = (*parts, Part("self_draw", factor=2))
        return _from_each(options, win.seat, "win", doubled, SELF_DRAW)
    if outcome.seats[win.from_seat].declared is not None:
        return _from_each(options, win.seat, "win", parts, SHARED)
    return [_from_one(options, win.from_seat, win.seat, "win", parts, ALONE)]


def _from_each(
    options: Options, payee: int, reason: str, parts: tuple[Part, ...], rule: str
) -> list[Payment]:
    """The same amount from every other seat 均摊."""
    terms = (*parts, Part("base_score", factor=options.base_score))
    others = [seat for seat in range(options.players) if seat != payee]
    return [Payment(payer, payee, _amount(terms), reason, terms, rule) for payer in others]


def _from_one(
    options: Options, payer: int, payee: int, reason: str, parts: tuple[Part, ...], rule: str
) -> Payment:
    """One seat pays the shares of all 包."""
    shares = Part("shares", factor=options.players - 1)
    terms = (*parts, shares, Part("base_score", factor=options.base_score))
    return Payment(payer, payee, _amount(terms), reason, terms, rule)


def _amount(terms: tuple[Part, ...]) -> int:
    """The points of a payment: the points of its first part times the factors of the others."""
    return (terms[0].points or 0) * prod(term.factor or 1 for term in terms[1:])


def _kongs(options: Options, outcome: Outcome) -> tuple[list[Payment], list[NotCounted]]:
    """What each kong earns its owner, or why it does not."""
    taker = _taker(options, outcome)
    payments: list[Payment] = []
    void: list[NotCounted] = []
    for owner, meld in _owned(outcome):
        reason = _void(options, outcome, owner == taker)
        if reason is None:
            payments += _kong(options, owner, meld, None if owner == taker else taker)
        else:
            void.append(NotCounted(owner, f"{meld.how}_kong", meld.tile, *reason))
    return payments, void


def _owned(outcome: Outcome) -> Iterator[tuple[int, Meld]]:
    """Every kong with its owner, seat by seat in the order they were made."""
    for owner, seat in enumerate(outcome.seats):
        for meld in seat.melds:
            if meld.kind == "kong":
                yield owner, meld


def _taker(options: Options, outcome: Outcome) -> int | None:
    """The seat that takes over all kongs: an undeclared one that dealt in 点炮包杠."""
    source = next((win.from_seat for win in outcome.wins), None)
    if not options.discarder_pays_kongs or source is None:
        return None
    return source if outcome.seats[source].declared is None else None


def _void(options: Options, outcome: Outcome, owner_takes_over: bool) -> tuple[str, str] | None:
    """Why a kong earns nothing, and the paragraph that says so; None where it earns."""
    if outcome.end == "dissolved":
        return "dissolved", NO_WINNER
    if outcome.end == "exhausted" and options.draw_voids_kongs:
        return "drawn_hand", NO_WINNER
    if owner_takes_over and options.takeover_voids_own_kongs:
        return "discarder_pays_kongs", TAKEN_OVER
    return None


def _kong(options: Options, owner: int, meld: Meld, taker: int | None) -> list[Payment]:
    """The payments for a kong: by who takes it over, by who fed it 点杠包杠, or by everybody."""
    parts = (
        Part("tile_value", points=points(parse_tile(meld.tile))),
        Part(f"{meld.how}_kong", factor=2 if meld.how == "concealed" else 1),
    )
    if taker is not None:
        return [_from_one(options, taker, owner, "kong", parts, TAKEN_OVER)]
    fed = options.feeder_pays_kong and meld.how == "exposed" and not meld.feeder_declared
    if fed and meld.from_seat is not None:
        return [_from_one(options, meld.from_seat, owner, "kong", parts, KONGS)]
    return _from_each(options, owner, "kong", parts, KONGS)

"""Who pays whom for the chickens 鸡分 of 捉鸡. Source: B5.3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.outcome import FirstChicken, NotCounted, Part, Payment
from ledger.rules.zhuoji.booking import base, booked, paragraph
from ledger.rules.zhuoji.chickens import (
    NAMES,
    VALUES,
    Chicken,
    Turned,
    counted,
    laid_out,
    turned,
    uncounted,
)
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.standing import Ended
from ledger.tiles import parse_tile, tile_text

_RULE = {"wind_blow": "B5.3", "burned": "B5.3.2", "not_ready": "B5.3.3"}


def chicken_payments(hand: Ended) -> Iterator[Payment | NotCounted]:
    """Everything that is paid for chickens, and what players might expect of them in vain."""
    flip = turned(hand.options, hand.outcome)
    for seat in range(len(hand.seats)):
        yield from _earned(hand, seat, flip)
        if hand.won and not flip.blown and not hand.seats[seat].ready:
            yield from _liability(hand, seat, flip)
    if not flip.blown:
        for first in hand.outcome.first_chickens:
            for taker in first.takers:
                yield from _responsibility(hand, first, taker, flip)


def _earned(hand: Ended, seat: int, flip: Turned) -> Iterator[Payment | NotCounted]:
    """What every other player pays a seat for its chickens, or why nobody does."""
    flock = list(counted(hand.options, hand.outcome, seat, flip))
    why = "wind_blow" if flip.blown else hand.unpaid(seat)
    if why is not None:
        yield from _in_vain(seat, flock, why, _RULE[why] if hand.won else "B5.4")
        return
    if flock:
        terms = _terms(hand.options, flock)
        for payer in hand.others(seat):
            yield booked(payer, seat, "chickens", terms, "B5.3.1")
    lying = uncounted(hand.options, hand.outcome, seat, flip)
    yield from _in_vain(seat, lying, "in_river", "B5.3")


def _liability(hand: Ended, seat: int, flip: Turned) -> Iterator[Payment]:
    """An unready seat pays every live one for the default chickens it has laid out 包鸡."""
    flock = list(laid_out(hand.options, hand.outcome, seat, flip))
    if flock:
        terms = _terms(hand.options, flock)
        for payee in hand.live:
            yield booked(seat, payee, "chicken_liability", terms, "B5.3.3")


def _terms(options: Options, flock: Iterable[Chicken]) -> tuple[Part, ...]:
    """A term for each sort of chicken, in the order in which they are told."""
    points: dict[str, int] = {}
    for one in flock:
        points[one.name] = points.get(one.name, 0) + one.points
    return (*(Part(name, points=total) for name, total in points.items()), base(options))


def _in_vain(seat: int, flock: Iterable[Chicken], why: str, rule: str) -> Iterator[NotCounted]:
    for one in flock:
        yield NotCounted(seat, one.name, tile_text(one.kind), why, paragraph(rule))


def _responsibility(
    hand: Ended, first: FirstChicken, taker: int, flip: Turned
) -> Iterator[Payment | NotCounted]:
    """Who threw the first chicken pays who took it 责任鸡; an unready taker pays him instead."""
    why = hand.unpaid(taker)
    if why is None:
        yield _responsible(hand, first, first.by, taker, flip)
    elif hand.won and not hand.seats[taker].ready and hand.seats[first.by].live:
        yield _responsible(hand, first, taker, first.by, flip)
    else:
        rule = paragraph("B5.3.4" if hand.won else "B5.4")
        yield NotCounted(taker, "responsibility_chicken", first.tile, why, rule)


def _responsible(hand: Ended, first: FirstChicken, payer: int, payee: int, flip: Turned) -> Payment:
    kind = parse_tile(first.tile)
    gold = hand.options.gold_doubles_responsibility and kind in flip.golden
    points = Part(f"responsibility_{NAMES[kind]}", points=VALUES[kind] * (1 + gold))
    terms = (points, base(hand.options))
    return booked(payer, payee, "responsibility_chicken", terms, "B5.3.4")

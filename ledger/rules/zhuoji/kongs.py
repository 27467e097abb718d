"""What the kongs 豆 of 捉鸡 earn and cost. Source: B5.2."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.outcome import Meld, NotCounted, Part, Payment
from ledger.rules.zhuoji.booking import base, booked, paragraph
from ledger.rules.zhuoji.standing import Ended

KONG = 3
"""What a kong earns from each who pays for it."""


def kongs(hand: Ended) -> Iterator[Payment | NotCounted]:
    """What each kong earns its owner or why it earns nothing, and the penalties of 通三."""
    for owner, seat in enumerate(hand.outcome.seats):
        for meld in seat.melds:
            if meld.kind == "kong":
                yield from _kong(hand, owner, meld)


def _kong(hand: Ended, owner: int, meld: Meld) -> Iterator[Payment | NotCounted]:
    why = _unpaid(hand, owner, meld)
    if why is None:
        for payer in _payers(hand, owner, meld):
            yield _payment(hand, payer, owner, "kong", meld)
    else:
        rule = paragraph("B5.2" if hand.won or why == "late" else "B5.4")
        yield NotCounted(owner, f"{meld.how}_kong", meld.tile, why, rule)
    if _is_penalized(hand, owner, meld):
        for payee in hand.live:
            yield _payment(hand, owner, payee, "kong_penalty", meld)


def _unpaid(hand: Ended, owner: int, meld: Meld) -> str | None:
    """Why a kong earns nothing, if it does not; a late one 憨包豆 never does."""
    why = hand.unpaid(owner)
    if meld.late and why != "dissolved":
        return "late"
    kept = hand.options.unready_kong_scores and hand.options.dealer_mode != "tong_san"
    return None if why == "not_ready" and kept and hand.won else why


def _payers(hand: Ended, owner: int, meld: Meld) -> tuple[int, ...]:
    """The feeder alone pays for 点豆, every other player for 闷豆 and 转弯豆."""
    if meld.how == "exposed" and meld.from_seat is not None:
        return (meld.from_seat,)
    return hand.others(owner)


def _is_penalized(hand: Ended, owner: int, meld: Meld) -> bool:
    """Whether an unready owner pays for his kong: 通三, in a hand that somebody won."""
    won = hand.won and hand.options.dealer_mode == "tong_san"
    return won and not hand.seats[owner].ready and not meld.late


def _payment(hand: Ended, payer: int, payee: int, reason: str, meld: Meld) -> Payment:
    terms = (Part(f"{meld.how}_kong", points=KONG), base(hand.options))
    return booked(payer, payee, reason, terms, "B5.2")

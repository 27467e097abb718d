"""How a payment of 捉鸡 is written: its terms, and the points they come to. Source: B5.5."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.outcome import Part, Payment
from ledger.rules.zhuoji.options import KEY, Options


def booked(payer: int, payee: int, reason: str, parts: Iterable[Part], rule: str) -> Payment:
    """A payment by its terms, read from left to right: points add, a factor multiplies.

    A term that changes nothing is left out.
    """
    terms = tuple(part for part in parts if part.points or (part.factor or 1) != 1)
    points = 0
    for part in terms:
        points = points * part.factor if part.factor else points + (part.points or 0)
    return Payment(payer, payee, points, reason, terms, paragraph(rule))


def base(options: Options) -> Part:
    """The factor of the base score 底分."""
    return Part("base_score", factor=options.base_score)


def paragraph(rule: str) -> str:
    """A paragraph of the page as it is cited: "B5.1" -> "zhuoji/1 B5.1"."""
    return f"{KEY} {rule}"

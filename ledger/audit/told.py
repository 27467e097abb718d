"""How a hand went, for people: what a file of evidence tells once it was checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ledger import codec
from ledger import events as e
from ledger.audit.evidence import Evidence


class Payment(Struct, frozen=True):
    """All that one seat paid another, with the points of each reason."""

    payer: int
    payee: int
    points: int
    reasons: dict[str, int]


class Told(Struct, frozen=True):
    """The members at the seats, how the hand ended, who won, and who paid whom.

    `end` is that of an outcome, `unknown` or `void`; `totals` are None where it is not settled.
    """

    ruleset: str
    seats: tuple[str, ...]
    end: str
    winners: tuple[int, ...]
    totals: tuple[int, ...] | None
    payments: tuple[Payment, ...]


def told_of(evidence: Evidence) -> Told:
    """How the hand of a file went, once its events were found to be so."""
    settlement = evidence.settlement
    return Told(
        ruleset=evidence.ruleset,
        seats=evidence.seats,
        end=_end(evidence),
        winners=tuple(win["seat"] for win in settlement["wins"]) if settlement else (),
        totals=tuple(settlement["totals"]) if settlement else None,
        payments=tuple(_payments(settlement["payments"])) if settlement else (),
    )


def _end(evidence: Evidence) -> str:
    """How the hand ended, as the event that ends it says."""
    for one in reversed(evidence.events):
        slots = tuple(part.encode() for part in one.slots)
        fact = codec.unseal(one.type, one.public.encode(), slots).fact
        if isinstance(fact, e.HandEnded):
            return fact.end
    return "void"


def _payments(paid: list[dict[str, Any]]) -> Iterator[Payment]:
    """What each seat paid each other, in the order in which they first stand."""
    between: dict[tuple[int, int], dict[str, int]] = {}
    for one in paid:
        reasons = between.setdefault((one["payer"], one["payee"]), {})
        reasons[one["reason"]] = reasons.get(one["reason"], 0) + one["points"]
    for (payer, payee), reasons in between.items():
        yield Payment(payer, payee, sum(reasons.values()), reasons)

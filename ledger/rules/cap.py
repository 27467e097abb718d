"""What a seat can lose in a hand 单局封顶: a club's limit, above every ruleset's settlement."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from ledger.outcome import Payment, Settlement

REASON = "cap"
RULE = "common cap"


def capped(settlement: Settlement, cap: int | None) -> Settlement:
    """The settlement with what anybody loses above the cap given back to him.

    Who has received most from a loser, what went the other way counted off, gives back first, and
    at most that; of equals the lower seat. Of points without payments those who won most give.
    What is given back stands at the end, by payee, then payer. Without a cap, or where nobody
    loses more than it, it is the same settlement.

    It ends: whoever lost more than the cap has lost it to somebody, and each giving back takes at
    least a point from what two seats have won of one another, of which none ever turns round.
    """
    if cap is None:
        return settlement
    totals, won = list(settlement.totals), _won(settlement)
    given: Counter[tuple[int, int]] = Counter()
    while min(totals) < -cap:
        for loser in range(len(totals)):
            for giver, points in _shares(won[loser], -cap - totals[loser]):
                _give(totals, won, loser, giver, points)
                given[loser, giver] += points
    if not given:
        return settlement
    back = tuple(
        Payment(giver, loser, points, REASON, (), RULE)
        for (loser, giver), points in sorted(given.items())
    )
    payments = (*settlement.payments, *back)
    return replace(settlement, totals=tuple(totals), payments=payments)


def _won(settlement: Settlement) -> list[list[int]]:
    """What each seat has won of each loser, by loser and then by seat; below zero, lost to him.

    Of points alone nobody knows who won them of whom: all losers share what each winner has won.
    """
    if not settlement.payments:
        winnings = [max(total, 0) for total in settlement.totals]
        return [winnings] * len(winnings)
    seats = range(len(settlement.totals))
    won = [[0 for _ in seats] for _ in seats]
    for one in settlement.payments:
        won[one.payer][one.payee] += one.points
        won[one.payee][one.payer] -= one.points
    return won


def _shares(won: list[int], owed: int) -> list[tuple[int, int]]:
    """Who gives back how much of what he has won of a loser, the largest winner first."""
    shares = []
    for giver in sorted(range(len(won)), key=lambda seat: -won[seat]):
        points = min(owed, won[giver])
        if points > 0:
            shares.append((giver, points))
            owed -= points
    return shares


def _give(totals: list[int], won: list[list[int]], loser: int, giver: int, points: int) -> None:
    """Move the points; where winnings are shared, the loser's place in them is not a win of his."""
    totals[loser] += points
    totals[giver] -= points
    won[loser][giver] -= points
    if won[giver] is not won[loser]:
        won[giver][loser] += points

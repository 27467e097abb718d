"""How a golden hand is settled: the lines of payments, and what the product says."""

from __future__ import annotations

from typing import Any

from ledger.outcome import Settlement
from tests.rules.golden import Line
from tests.rules.golden_words import (
    RULE,
    SEAT,
    SEAT_LIST,
    SEATS,
    Arms,
    not_counted,
    paid,
    read,
    rule_of,
    seats_of,
    worth,
)

_PARTS = r"\w+ \d+(?: [+×] \w+ \d+)*"
PAYS = rf"({SEAT_LIST}) (?:pays|each pay) ({SEAT}) (\d+): ({_PARTS}) — ({RULE})"
READ = rf"({SEAT})'s hand is (\w+(?: \+ \w+)*), worth (\d+)"
NOT_COUNTED = rf"Not counted: ({SEAT}'s .+) — ({RULE})"
TOTALS = rf"Totals: ({SEAT} [+−]?\d+(?:, {SEAT} [+−]?\d+)*)"
NOBODY = "Nobody pays"


def _same(*groups: Any) -> tuple[Any, ...]:
    return groups


ENDING: Arms[tuple[Any, ...]] = tuple(
    (pattern, _same) for pattern in (PAYS, READ, NOT_COUNTED, TOTALS, NOBODY)
)
"""The lines that speak of the settlement."""


class Ending:
    """A settlement, held against what a golden hand says of it."""

    def __init__(self, found: Settlement, ruleset: str) -> None:
        self.ruleset = ruleset
        self.readings = [
            f"{SEATS[one.seat]}'s hand is {' + '.join(one.patterns)}, worth {one.value}"
            for one in found.wins
        ]
        self.payments = [paid(one) for one in found.payments]
        self.left_out = [not_counted(one) for one in found.not_counted]
        self.totals = ", ".join(f"{SEATS[i]} {_signed(n)}" for i, n in enumerate(found.totals))

    def check(self, lines: list[Line]) -> None:
        """Holds the lines to the settlement; once a payment is told, all of them must be."""
        arms: Arms[None] = (
            (PAYS, self._pays),
            (READ, lambda *_: None),
            (NOT_COUNTED, self._not_counted),
            (TOTALS, self._totals),
            (NOBODY, self._nobody),
        )
        payments = any("pay" in line.text for line in lines)
        for line in lines:
            try:
                if line.text.split("'s hand is")[0] != line.text:
                    _take(self.readings, line.text)
                read(line, arms)
            except _Differs as differs:
                raise line.fault(str(differs)) from None
        if payments and (self.payments or self.left_out):
            raise lines[-1].fault(f"Not told: {self.payments + self.left_out}")

    def _pays(self, payers: str, payee: str, points: str, parts: str, rule: str) -> None:
        if worth(parts) != int(points):
            raise _Differs(f"These parts come to {worth(parts)}.")
        for seat in seats_of(payers):
            cited = rule_of(rule, self.ruleset)
            _take(self.payments, f"{SEATS[seat]} pays {payee} {points}: {parts} — {cited}")

    def _not_counted(self, what: str, rule: str) -> None:
        _take(self.left_out, f"{what} — {rule_of(rule, self.ruleset)}")

    def _totals(self, text: str) -> None:
        if text != self.totals:
            raise _Differs(f"But they are: {self.totals}")

    def _nobody(self) -> None:
        if self.payments:
            raise _Differs(f"But there are: {self.payments}")


class _Differs(Exception):
    """What the settlement says instead."""


def _take(found: list[str], text: str) -> None:
    """The next of what was found is this text."""
    if not found or found[0] != text:
        raise _Differs(f"But next is: {found[0] if found else 'nothing'}")
    del found[0]


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"

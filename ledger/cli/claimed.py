"""A claim about a hand as a terminal shows it: beside what is booked, and what is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.cli.books import Signed, people_of
from ledger.cli.frame import sentence_of
from ledger.terminal import say, show

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.claiming import Preview
    from ledger.claims import Comparison, Line
    from ledger.outcome import Part, Payment


def preview_facts(found: Preview) -> dict[str, Any]:
    """A preview as JSON."""
    told = {name: getattr(found, name) for name in found.__struct_fields__}
    return {**told, "refusal": found.refusal and found.refusal.code}


def show_preview(desk: Desk, found: Preview, ruleset: str) -> None:
    """Points by seat as booked, computed and claimed, then line by line, then where they part."""
    people = people_of(desk, found.seats)
    teller = _Teller(ruleset, [people[seat][0] for seat in found.seats])
    compared = found.comparison
    totals = {
        "booked 已入账": found.before,
        "computed 计算": compared.computed,
        "claimed 主张": compared.claimed or [None] * len(found.seats),
    }
    points = ((what, *map(_signed, by_seat)) for what, by_seat in totals.items())
    show([("", *teller.codes), *points])
    if compared.lines:
        head = ("", "", "computed 计算", "claimed 主张", "", "")
        show([head, *map(teller.line, compared.lines)])
    teller.say(found)


def _signed(points: int | None) -> object:
    return None if points is None else Signed(points)


class _Teller(NamedTuple):
    """Tells payments by the words of their ruleset and the codes of the seats."""

    ruleset: str
    codes: list[str]

    def line(self, line: Line) -> tuple[object, ...]:
        """A payment, as it is computed and as it is claimed."""
        told = _of(line)
        points = [one and one.points for one in (line.computed, line.claimed)]
        mark = "≠" if line.differs else "="
        return self.way(told), self.what(told), *points, told.rule, mark

    def way(self, payment: Payment) -> str:
        return f"{self.codes[payment.payer]} -> {self.codes[payment.payee]}"

    def what(self, payment: Payment) -> str:
        """What is paid for: the reason, and the terms of which its points are made."""
        parts = ", ".join(self.part(part) for part in payment.parts)
        return f"{self.word(payment.reason)}: {parts}" if parts else self.word(payment.reason)

    def part(self, part: Part) -> str:
        count = f"{part.points}" if part.factor is None else f"x{part.factor}"
        return f"{self.word(part.name)} {count}"

    def word(self, word: str) -> str:
        """What a code is called, in both languages."""
        from ledger.rules.catalog import name_of

        english, chinese = name_of(self.ruleset, word)
        return f"{chinese} {english}"

    def say(self, found: Preview) -> None:
        """Where the claim and the rules part, why, and what it would move."""
        compared = found.comparison
        if found.refusal is not None:
            say("claim.impossible", fault=sentence_of(found.refusal))
        if compared.first is not None:
            paid = _of(compared.first)
            say("claim.line", way=self.way(paid), what=self.word(paid.reason))
        elif compared.seat is not None:
            say("claim.seat", code=self.codes[compared.seat])
        for paid in compared.missing:
            way, what = self.way(paid), self.what(paid)
            say("claim.missing", way=way, points=paid.points, what=what, rule=paid.rule)
        self.say_why(compared)
        say("claim.moves_two" if found.takes_two else "claim.moves_one", moves=found.moves)

    def say_why(self, compared: Comparison) -> None:
        """What the rules do not count of the claim, and the paragraph that decides."""
        void = compared.void
        if void is not None:
            what, why = self.word(void.what), self.word(void.why)
            say("claim.void", code=self.codes[void.seat], what=what, why=why, rule=void.rule)
        if compared.rule is not None:
            say("claim.rule", rule=compared.rule)


def _of(line: Line) -> Payment:
    """The payment of a line, as it is computed where it is."""
    told = line.computed or line.claimed
    assert told is not None
    return told

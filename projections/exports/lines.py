"""The lines of settlements 结算明细: who paid whom for what, of every hand that is booked."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import select

from ledger import codec
from ledger.events import HandCorrected, HandSettled, Paid, Part
from ledger.rules.catalog import name_of
from ledger.store import events
from projections.exports.sheet import Column, Row, columns
from projections.exports.source import Source
from projections.exports.words import LANGUAGE_PLACE
from projections.journal import journal

SETTLEMENT_LINES: tuple[Column, ...] = columns(
    """
entry_no 凭证号 id
  The entry by which the hand is booked, or by which that was undone.
hand_id 牌局 id
  The hand.
line_no 行号 count
  The number of the line in its entry.
business_date 业务日期 day
  The business day of the hand's play.
rule_item 项目 text
  What is paid for.
rule 规则条款 id
  The paragraph of the rules by which it is paid.
patterns 牌型 text
  The patterns of the winning hand that is paid for.
fan 牌型分 count
  What that hand is worth by its patterns, in what its ruleset counts in.
base 底数 points
  The points that add up in the payment.
multiplier 倍数 count
  What they are multiplied by.
payer 付方 id
  The member who pays; empty where points alone are known.
payee 收方 id
  The member who is paid; empty where points alone are known.
points 分数 points
  What is paid: the base times the multiplier.
explanation 说明 text
  The parts of the payment, one by one.
"""
)

ENTERED = {"en": "Entered points", "zh": "录入分数"}
REVERSED = {"en": "reversal of", "zh": "冲销"}
Booked = HandSettled | HandCorrected


class _Line(Struct, frozen=True):
    """A line before it is told: who pays whom, and what for; `paid` is None of points alone."""

    payer: int | None
    payee: int | None
    points: int
    paid: Paid | None = None


def settlement_lines(source: Source) -> Iterator[Row]:
    """The lines of each hand, in the order of booking; what is undone has them the other way."""
    for entry in source.read(_entries(source)):
        fact = codec.unseal(entry.type, entry.public).fact
        assert isinstance(fact, HandSettled | HandCorrected)
        lines = _lines(fact)
        if entry.reverses is not None:
            lines = [_Line(line.payee, line.payer, line.points, line.paid) for line in lines]
        for number, line in enumerate(lines, 1):
            if _concerns(source, fact, line):
                yield _row(source, entry, fact, number, line)


def _entries(source: Source) -> sa.Select[Any]:
    """The entries of hands, each with the event that says how the hand was settled."""
    asked, says = source.asked, sa.func.coalesce(journal.c.reverses, journal.c.position)
    of_event = (events.c.club == journal.c.club) & (events.c.position == says)
    booked = (journal.c.position, journal.c.reverses, journal.c.effective_date)
    whole = select(*booked, events.c.type, events.c.public).join_from(journal, events, of_event)
    whole = whole.where(*source.within(journal), journal.c.table_id.is_not(None))
    if asked.table is not None:
        whole = whole.where(journal.c.table_id == asked.table)
    return whole.order_by(journal.c.position)


def _lines(fact: Booked) -> list[_Line]:
    """Every payment, and of points that none tells a line for each seat."""
    paid = [_Line(one.payer, one.payee, one.points, one) for one in fact.payments]
    untold = list(fact.totals)
    for one in fact.payments:
        untold[one.payer] += one.points
        untold[one.payee] -= one.points
    for seat, points in enumerate(untold):
        if points:
            payer, payee = (None, seat) if points > 0 else (seat, None)
            paid.append(_Line(payer, payee, abs(points)))
    return paid


def _concerns(source: Source, fact: Booked, line: _Line) -> bool:
    """Whether a line is among those that are asked for."""
    asked = source.asked
    if asked.ruleset not in (None, fact.ruleset):
        return False
    seats = (fact.seats[seat] for seat in (line.payer, line.payee) if seat is not None)
    return asked.member is None or asked.member in seats


def _row(source: Source, entry: Any, fact: Booked, number: int, line: _Line) -> Row:
    undoes = "" if entry.reverses is None else f"{_name(REVERSED, source)} jrn_{entry.reverses}"
    said = "" if line.paid is None else _explained(source, fact, line.paid.parts)
    return (
        f"jrn_{entry.position}",
        f"{fact.table}-{fact.number}",
        number,
        entry.effective_date,
        *_about(source, fact, line.paid),
        None if line.payer is None else source.code(fact.seats[line.payer]),
        None if line.payee is None else source.code(fact.seats[line.payee]),
        line.points,
        "; ".join(filter(None, (undoes, said))) or None,
    )


def _about(source: Source, fact: Booked, paid: Paid | None) -> Row:
    """What is paid for, by which paragraph, for which hand, and how it is worked out."""
    if paid is None:
        return (_name(ENTERED, source), None, None, None, None, None)
    item, won = _word(source, fact, paid.reason), paid.reason == "win"
    scored = next((one for one in fact.wins if won and one.seat == paid.payee), None)
    patterns = " + ".join(_word(source, fact, name) for name in scored.patterns) if scored else None
    base = sum(part.points or 0 for part in paid.parts)
    times = prod(part.factor or 1 for part in paid.parts)
    return (item, paid.rule, patterns, scored.value if scored else None, base, times)


def _explained(source: Source, fact: Booked, parts: tuple[Part, ...]) -> str:
    """The parts of a payment: "Self-draw +2, Rob the kong x2"."""
    told = (
        (part, f"×{part.factor}" if part.points is None else f"{part.points:+}") for part in parts
    )
    return ", ".join(f"{_word(source, fact, part.name)} {amount}" for part, amount in told)


def _word(source: Source, fact: Booked, name: str) -> str:
    return name_of(fact.ruleset, name)[LANGUAGE_PLACE[source.asked.language]]


def _name(names: dict[str, str], source: Source) -> str:
    return names[source.asked.language]

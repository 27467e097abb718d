"""A hand that was played elsewhere 补录: at a real table whose actions nobody recorded.

It is entered by its outcome, which the rules check and settle like any other, or by its points
alone, the commonest sheet in clubs. After the first hand, dealer and streak must be those that the
match has come to.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Seat
from ledger.outcome import HandEnd, Outcome
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.rules.play import Moment
from ledger.rules.ruleset import Ruleset
from ledger.streams.match import UNLIMITED, Admission, Table, next_dealer, starting
from ledger.streams.settlement import check_totals


class EnterHand(Struct, frozen=True):
    """Enters the next hand as it was played elsewhere: by its outcome, or by its points alone.

    `next_dealer` is for points, from which the rules cannot tell who deals next; without it the
    same seat deals again.
    """

    secret: str
    outcome: Outcome | None = None
    totals: tuple[int, ...] | None = None
    next_dealer: Seat | None = None
    at: int | None = None
    admission: Admission = UNLIMITED


def enter(table: Table, command: EnterHand, rules: Ruleset, moment: Moment) -> tuple[Event, ...]:
    """The start, the entry and the end of a hand that was played elsewhere."""
    if table.playing is not None:
        raise Refused("hand_running", hand=table.number)
    if command.outcome is not None and command.totals is None and command.next_dealer is None:
        whole = _whole(command.outcome, rules, table)
        _check_weekday(whole, rules, command.at, moment)
        told = msgspec.to_builtins(whole)
        entry = e.HandEntered(moment.at, told, None, None)
        return _entered(table, rules, moment, command, entry, whole)
    if command.totals is None or command.outcome is not None:
        raise Refused("entry_empty")
    check_totals(command.totals, rules.players)
    _check_seat(command.next_dealer, rules.players)
    entry = e.HandEntered(moment.at, None, command.totals, command.next_dealer)
    return _entered(table, rules, moment, command, entry, None)


def _entered(
    table: Table,
    rules: Ruleset,
    moment: Moment,
    command: EnterHand,
    entry: e.HandEntered,
    told: Outcome | None,
) -> tuple[Event, ...]:
    """The events of an entry, which all happen at its moment."""
    end: HandEnd | Literal["unknown"] = told.end if told else "unknown"
    wilds, weekday = (told.wilds, told.weekday) if told else ((), None)
    dates = moment.booked_date, moment.effective_date
    secret, admission = command.secret, command.admission
    started = starting(table, rules, moment.at, wilds, (), secret, admission)
    if told is not None:
        fact = replace(started.fact, dealer=told.dealer, streak=told.streak)
        started = replace(started, fact=fact)
    ended = e.HandEnded(moment.at, end, secret, weekday, *dates)
    return started, Event(entry), Event(ended)


def _whole(outcome: Outcome, rules: Ruleset, table: Table) -> Outcome:
    """An outcome that this match can have come to, its options filled in.

    Refuses one of another game (`entry_differs`), and what the rules refuse. A match's first hand
    may have any dealer and streak: it may go on from one that nobody recorded.
    """
    _check_same("/outcome/ruleset", outcome.ruleset, rules.key)
    own = rules.written_options
    told = _options(outcome, rules) if outcome.options else own
    for name, value in own.items():
        _check_same(f"/outcome/options/{name}", told[name], value)
    whole = replace(outcome, options=own)
    try:
        rules.settle(whole)
    except Refused as refusal:
        raise refusal.at("/outcome") from None
    if table.hand is not None:
        dealer, streak = next_dealer(table, rules)
        _check_same("/outcome/dealer", outcome.dealer, dealer)
        _check_same("/outcome/streak", outcome.streak, streak)
    return whole


def _options(outcome: Outcome, rules: Ruleset) -> dict[str, Any]:
    """The options that an outcome tells, those filled in that it does not."""
    try:
        return ruleset(rules.key, outcome.options).written_options
    except Refused as refusal:
        raise refusal.at("/outcome/options") from None


def _check_weekday(outcome: Outcome, rules: Ruleset, at: int | None, moment: Moment) -> None:
    """Refuses another day of the week than that of the moment for which a hand is entered."""
    if outcome.weekday is not None and rules.weekday == "end" and at is not None:
        _check_same("/outcome/weekday", outcome.weekday, moment.weekday)


def _check_seat(seat: Seat | None, players: int) -> None:
    if seat is not None and not 0 <= seat < players:
        raise Refused("seat_unknown", pointer="/next_dealer", seat=seat, players=players)


def _check_same(place: str, told: Any, known: Any) -> None:
    if told != known:
        raise Refused("entry_differs", pointer=place, place=place, told=told, known=known)

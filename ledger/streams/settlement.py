"""The money of a hand 结算: its settlement, written once, and the revisions that follow it.

Nothing is corrected in place: a dispute's ruling reverses what stands and books what shall stand
instead. The version of the stream is the revision that a ruling was made on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.hand import Hand
from ledger.outcome import Outcome, Settlement
from ledger.refusal import Refused
from ledger.rules.cap import capped
from ledger.rules.catalog import ruleset, settle, settle_hand
from ledger.streams.limits import MOST_POINTS, check_range
from ledger.streams.now import Now


class Money(Struct, frozen=True):
    """The money of a hand at one moment: what stands now, and the revision that it is.

    `totals` are None after a hand was voided.
    """

    table: str
    number: int
    ruleset: str
    seats: tuple[str, ...]
    ended_at: int
    effective_date: str
    version: int
    totals: tuple[int, ...] | None


class SettleHand(Struct, frozen=True):
    """Books the points of a hand that ended at a position of the log."""

    table: str
    seats: tuple[str, ...]
    hand: Hand
    ended: e.HandEnded
    ended_position: int


class ReviseHand(Struct, frozen=True):
    """Books what a dispute's ruling says of a hand, as it stood at a revision.

    To correct it takes an amended outcome, or the points by seat. `options` are all those of the
    hand, `cap` what a seat can lose in it.
    """

    dispute: str
    ruling: Literal["correct", "void"]
    revision: int
    options: dict[str, Any]
    cap: int | None = None
    outcome: Outcome | None = None
    totals: tuple[int, ...] | None = None


MoneyCommand = SettleHand | ReviseHand


def fold(events: Iterable[Event]) -> Money | None:
    """The money of a hand from the events of its stream."""
    money: Money | None = None
    for event in events:
        money = evolve(money, event)
    return money


def evolve(money: Money | None, event: Event) -> Money:
    """The money of a hand after one more event."""
    fact = event.fact
    if isinstance(fact, e.HandSettled):
        return Money(
            table=fact.table,
            number=fact.number,
            ruleset=fact.ruleset,
            seats=fact.seats,
            ended_at=fact.ended_at,
            effective_date=fact.effective_date,
            version=1,
            totals=fact.totals,
        )
    assert money is not None
    if isinstance(fact, e.HandReversed):
        return replace(money, version=money.version + 1, totals=None)
    assert isinstance(fact, e.HandCorrected)
    return replace(money, version=money.version + 1, totals=fact.totals)


def decide(money: Money | None, command: MoneyCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on a hand's money; nothing where it is settled already."""
    if isinstance(command, SettleHand):
        return () if money is not None else (Event(_settled(command)),)
    if money is None:
        raise Refused("hand_unsettled")
    if command.revision != money.version:
        raise Refused("revision_stale", revision=command.revision, current_version=money.version)
    if command.ruling == "void":
        check_stands(money)
        return _reversed(money, command, now)
    corrected = _corrected(money, command, now)
    if corrected.totals == standing(money):
        raise Refused("correction_same")
    return (*_reversed(money, command, now), Event(corrected))


def check_stands(money: Money) -> None:
    """Refuses to void a hand that is void (`correction_same`)."""
    if money.totals is None:
        raise Refused("correction_same")


def standing(money: Money) -> tuple[int, ...]:
    """The points by seat that stand; of a hand that was voided, none."""
    return money.totals or (0,) * len(money.seats)


def moved(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """How many points go from seat to seat between two totals."""
    return sum(abs(a - b) for a, b in zip(after, before, strict=True)) // 2


def measured(first: tuple[int, ...], stands: tuple[int, ...], after: tuple[int, ...]) -> int:
    """By how much a ruling is measured that lets other points stand: one person decides so much.

    What it moves, or how far the hand is then from its first settlement, whichever is more: many
    small corrections are one large one. What lets stand what stands moves nothing.
    """
    return 0 if after == stands else max(moved(stands, after), moved(first, after))


def _settled(command: SettleHand) -> e.HandSettled:
    """The settlement of a hand's outcome by its rules, with the dates that are the hand's own.

    The stream is appended at version 0, so two workers cannot both write a settlement.
    """
    settled = settle_hand(command.hand)
    hand, ended = command.hand, command.ended
    return e.HandSettled(
        table=command.table,
        number=hand.number,
        ruleset=hand.ruleset,
        seats=command.seats,
        end=ended.end,
        totals=settled.totals,
        payments=_payments(settled),
        wins=_wins(settled),
        not_counted=_not_counted(settled),
        ended_at=ended.at,
        ended_position=command.ended_position,
        booked_date=ended.booked_date,
        effective_date=ended.effective_date,
    )


def _reversed(money: Money, command: ReviseHand, now: Now) -> tuple[Event, ...]:
    """The exact opposite of what stands; nothing where nothing does."""
    if money.totals is None:
        return ()
    return (
        Event(
            e.HandReversed(
                table=money.table,
                number=money.number,
                seats=money.seats,
                revision=money.version,
                totals=tuple(-points for points in money.totals),
                dispute=command.dispute,
                ended_at=money.ended_at,
                booked_date=now.day(now.at),
                effective_date=money.effective_date,
            )
        ),
    )


def _corrected(money: Money, command: ReviseHand, now: Now) -> e.HandCorrected:
    """What shall stand: booked today, and of the day on which the hand was played."""
    whole, settled = _amended(money, command)
    return e.HandCorrected(
        table=money.table,
        number=money.number,
        ruleset=money.ruleset,
        seats=money.seats,
        end="unknown" if whole is None else whole.end,
        totals=settled.totals,
        payments=_payments(settled),
        wins=_wins(settled),
        not_counted=_not_counted(settled),
        outcome=None if whole is None else msgspec.to_builtins(whole),
        dispute=command.dispute,
        ended_at=money.ended_at,
        booked_date=now.day(now.at),
        effective_date=money.effective_date,
    )


def _amended(money: Money, command: ReviseHand) -> tuple[Outcome | None, Settlement]:
    """The outcome that a correction tells, if it tells one, and what the hand comes to by it."""
    players = len(money.seats)
    if command.outcome is not None and command.totals is None:
        whole = of_hand(command.outcome, money.ruleset, command.options, players)
        return whole, capped(_settle(whole), command.cap)
    if command.totals is None or command.outcome is not None:
        raise Refused("correction_form")
    check_totals(command.totals, players)
    return None, capped(Settlement(command.totals, (), (), ()), command.cap)


def of_hand(outcome: Outcome, key: str, options: dict[str, Any], players: int) -> Outcome:
    """The outcome as one of a hand's table, with all its options; `options` are all the hand's.

    Refuses one of another game (`claim_differs`), at its place under `/outcome`.
    """
    _check_same("ruleset", outcome.ruleset, key)
    try:
        told = ruleset(key, {**options, **outcome.options}).written_options
    except Refused as refusal:
        raise refusal.at("/outcome/options") from None
    for name, value in options.items():
        _check_same(f"options/{name}", told[name], value)
    _check_same("seats", len(outcome.seats), players)
    return replace(outcome, options=options)


def _check_same(place: str, told: Any, known: Any) -> None:
    if told != known:
        pointer = f"/outcome/{place}"
        raise Refused("claim_differs", pointer=pointer, place=pointer, told=told, known=known)


def _settle(outcome: Outcome) -> Settlement:
    try:
        return settle(outcome)
    except Refused as refusal:
        raise refusal.at("/outcome") from None


def check_totals(totals: tuple[int, ...], players: int) -> None:
    """Refuses points that are not one whole number a seat with the sum zero (`totals_sum`)."""
    if len(totals) != players:
        raise Refused("seats_count", pointer="/totals", seats=len(totals), players=players)
    for seat, points in enumerate(totals):
        check_range(points, (-MOST_POINTS, MOST_POINTS), f"/totals/{seat}")
    if sum(totals) != 0:
        raise Refused("totals_sum", pointer="/totals", sum=sum(totals))


def _payments(settled: Settlement) -> tuple[e.Paid, ...]:
    return tuple(
        e.Paid(
            payment.payer,
            payment.payee,
            payment.points,
            payment.reason,
            tuple(e.Part(part.name, part.points, part.factor) for part in payment.parts),
            payment.rule,
        )
        for payment in settled.payments
    )


def _wins(settled: Settlement) -> tuple[e.Scored, ...]:
    return tuple(e.Scored(win.seat, win.patterns, win.value) for win in settled.wins)


def _not_counted(settled: Settlement) -> tuple[e.Void, ...]:
    return tuple(
        e.Void(void.seat, void.what, void.tile, void.why, void.rule) for void in settled.not_counted
    )

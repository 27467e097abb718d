"""The money of a hand 结算: one settlement, written once, in a stream of its own."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ledger import events as e
from ledger.events import Event
from ledger.hand import Hand
from ledger.outcome import Settlement
from ledger.rules.catalog import settle_hand
from ledger.streams.now import Now


class SettleHand(Struct, frozen=True):
    """Books the points of a hand that ended at a position of the log."""

    table: str
    seats: tuple[str, ...]
    hand: Hand
    ended: e.HandEnded
    ended_position: int


def fold(events: Iterable[Event]) -> e.HandSettled | None:
    """The settlement that stands, from the events of a hand's stream."""
    settled: e.HandSettled | None = None
    for event in events:
        settled = evolve(settled, event)
    return settled


def evolve(_: e.HandSettled | None, event: Event) -> e.HandSettled:
    """The settlement after one more event."""
    assert isinstance(event.fact, e.HandSettled)
    return event.fact


def decide(state: e.HandSettled | None, command: SettleHand, _: Now) -> tuple[Event, ...]:
    """The settlement of a hand's outcome by its rules; nothing where it is settled already.

    The dates are the hand's own. The stream is appended at version 0, so two workers cannot
    both write a settlement.
    """
    if state is not None:
        return ()
    settled = settle_hand(command.hand)
    hand, ended = command.hand, command.ended
    return (
        Event(
            e.HandSettled(
                table=command.table,
                number=hand.number,
                ruleset=hand.ruleset,
                seats=command.seats,
                end=ended.end,
                totals=settled.totals,
                payments=_payments(settled),
                wins=tuple(e.Scored(win.seat, win.patterns, win.value) for win in settled.wins),
                not_counted=tuple(
                    e.Void(void.seat, void.what, void.tile, void.why, void.rule)
                    for void in settled.not_counted
                ),
                ended_at=ended.at,
                ended_position=command.ended_position,
                booked_date=ended.booked_date,
                effective_date=ended.effective_date,
            )
        ),
    )


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

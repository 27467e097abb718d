"""The state of a table 牌桌: a match, hand by hand, as its events make it.

Every hand starts with an event that carries all it needs from before, so the state of a table
is folded from its latest hand's start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, MatchEnd, Seat
from ledger.evolve import begin
from ledger.evolve import evolve as evolve_hand
from ledger.hand import Hand
from ledger.rules.catalog import settle_hand
from ledger.rules.ruleset import Ruleset
from ledger.streams.limits import Limits, Standing, check_start
from ledger.tiles import Tiles, wall_text


class Table(Struct, frozen=True):
    """A table at one moment. `totals` are the points of the hands before the current one.

    `lines` say, since seats changed after the last hand, with whose points each seat goes on.
    `ticked` is what was last said of the points of a match that has ended.
    """

    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    hands: int
    low_score: int
    recorder: str
    dealer: Seat
    totals: tuple[int, ...]
    at: int
    hand: Hand | None = None
    closed: MatchEnd | None = None
    lines: tuple[Seat, ...] = ()
    ticked: bool = False

    @property
    def number(self) -> int:
        """The number of the hand that runs or ended last; 0 before the first."""
        return 0 if self.hand is None else self.hand.number

    @property
    def playing(self) -> Hand | None:
        """The hand that runs, if one does."""
        return self.hand if self.hand is not None and self.hand.end is None else None


def fold(events: Iterable[Event]) -> Table | None:
    """The state of a table from its events, which begin with its opening or a hand's start."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
    return table


def evolve(table: Table | None, event: Event) -> Table:
    """The table after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.TableOpened):
        return _opened(fact)
    if isinstance(fact, e.HandStarted):
        return _started(event, fact)
    assert table is not None
    if isinstance(fact, e.TableClosed):
        return replace(table, at=fact.at, closed=fact.reason, totals=fact.totals)
    if isinstance(fact, e.TableTicked):
        return replace(table, at=fact.at, ticked=fact.ticked)
    if isinstance(fact, e.DissolutionVoted):
        return replace(table, at=fact.at)
    if isinstance(fact, e.SeatsChanged):
        before = table.lines or tuple(range(len(fact.seats)))
        lines = tuple(before[line] for line in fact.lines)
        return replace(table, at=fact.at, seats=fact.seats, lines=lines)
    assert table.hand is not None
    hand = evolve_hand(table.hand, event)
    hands = fact.hands if isinstance(fact, e.HandVoided) else table.hands
    return replace(table, at=hand.at, hand=hand, hands=hands)


def _opened(fact: e.TableOpened) -> Table:
    return Table(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        recorder=fact.recorder,
        dealer=fact.dealer,
        totals=(0,) * len(fact.seats),
        at=fact.at,
    )


def _started(event: Event, fact: e.HandStarted) -> Table:
    return Table(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        recorder=fact.recorder,
        dealer=fact.dealer,
        totals=fact.totals,
        at=fact.at,
        hand=begin(event),
    )


class Admission(Struct, frozen=True):
    """What a hand starts under: the club's cap, and where its members stand at their limits.

    `position` is that of the log at which they stood so, `balances` the digest of the text that
    tells what they had. Where no limit asks, nobody is named.
    """

    cap: int | None = None
    seats: tuple[tuple[Limits, Standing], ...] = ()
    position: int = 0
    balances: str | None = None


UNLIMITED = Admission()
"""Where a club has no limits, or a match is recorded as it was played elsewhere."""


def next_dealer(table: Table, rules: Ruleset) -> tuple[Seat, int]:
    """Who deals the next hand, and the how-manieth in a row it is; after a void one all stays."""
    if table.lines:
        dealer, streak = next_dealer(replace(table, lines=()), rules)
        return table.lines.index(dealer), streak
    if table.hand is None:
        return table.dealer, 1
    if table.hand.end == "void":
        return table.hand.dealer, table.hand.streak
    entered = table.hand.entered
    told = entered.next_dealer if entered is not None else None
    dealer = rules.next_dealer(table.hand) if told is None else told
    return dealer, table.hand.streak + 1 if dealer == table.hand.dealer else 1


def match_totals(table: Table, rules: Ruleset) -> tuple[int, ...]:
    """The points of the match by seat, the hand that ended last included; a void one has none."""
    if table.lines:
        before = match_totals(replace(table, lines=()), rules)
        return tuple(before[line] for line in table.lines)
    if table.hand is None or table.hand.end in (None, "void"):
        return table.totals
    settled = settle_hand(table.hand).totals
    return tuple(before + won for before, won in zip(table.totals, settled, strict=True))


def starting(
    table: Table,
    rules: Ruleset,
    at: int,
    wilds: tuple[str, ...],
    wall: Tiles,
    secret: str,
    admission: Admission,
) -> Event:
    """The event that starts the next hand; one that is entered has no wall.

    Refuses a member whom a limit keeps from it.
    """
    for limits, standing in admission.seats:
        check_start(limits, standing)
    dealer, streak = next_dealer(table, rules)
    fact = e.HandStarted(
        at=at,
        number=table.number + 1,
        ruleset=table.ruleset,
        options=table.options,
        seats=table.seats,
        dealer=dealer,
        streak=streak,
        hands=table.hands,
        low_score=table.low_score,
        recorder=table.recorder,
        totals=match_totals(table, rules),
        wilds=wilds,
        tiles=len(wall),
        cap=admission.cap,
        balances=admission.balances,
        balances_at=admission.position,
    )
    built: dict[int, e.Private] = {rules.players: e.WallBuilt(wall_text(wall), secret)}
    return Event(fact, e.slots(rules.players, built))

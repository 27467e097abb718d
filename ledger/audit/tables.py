"""What happened at a table, decided again: nothing stands there but what the rules make of it.

Of each recorded command the decision is read back from the first event that came of it; the same
functions as ever decide it anew, and every event that follows must be the one recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ledger import codec
from ledger import events as e
from ledger.days import day_of, weekday_of
from ledger.events import Cause, Event, slot
from ledger.hand import Hand
from ledger.outcome import read_outcome
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import turns
from ledger.streams import settlement
from ledger.streams.match import Table, evolve, fold
from ledger.streams.now import Now
from ledger.streams.settlement import SettleHand
from ledger.streams.table import (
    Act,
    CloseTable,
    Dissolve,
    EnterHand,
    OpenTable,
    StartHand,
    TableCommand,
    Void,
    decide,
)
from ledger.tiles import parse_tile, parse_tiles

WAITED = 10 * 60 * 1_000_000
"""How long an order can have waited between its decision and its place in the log."""


class Recorded(Struct, frozen=True):
    """An event of a table as it is recorded: its position, its time, and what it says."""

    position: int
    recorded_at: int
    event: Event


class Otherwise(Exception):
    """What is recorded is not what the rules make of it: from which event on, and why.

    `refused` is why the decision was not open; without it something else should stand there, or
    (`missing`) something more.
    """

    def __init__(self, place: Recorded, refused: Refused | None = None, *, missing: bool = False):
        """Name the event, or the last one before what is missing."""
        super().__init__(place.position)
        self.place = place
        self.refused = refused
        self.missing = missing


class Days(Struct, frozen=True):
    """The days of a club, business day and day of the week of a moment."""

    day: Callable[[int], str]
    weekday: Callable[[int], int]


def days_of(founded: e.ClubFounded) -> Days:
    """The days of a club as it was founded."""
    return Days(day_of(founded.zone, founded.day_cutoff), weekday_of(founded.zone))


class TableAgain:
    """A table's events on their way: the table as what was recorded so far has made it.

    It begins with the opening, or at the start of a hand, which is then believed as it stands.
    `ended` are the hands that have ended, each with its table then and its last event.
    """

    def __init__(self, days: Days) -> None:
        self.table: Table | None = None
        self.ended: list[tuple[Table, Recorded]] = []
        self._days = days

    def follow(self, recorded: Sequence[Recorded], *, whole: bool = True) -> None:
        """Decide again what one order left; without `whole` its last events may be cut off."""
        while recorded:
            recorded = recorded[self._step(recorded, whole) :]

    def begin(self, recorded: Sequence[Recorded]) -> None:
        """Believe the start of a hand with all it says of the match, and decide what follows."""
        started = fold([recorded[0].event])
        assert started is not None
        self.table = replace(started, hand=None)
        taken = self._step(recorded, whole=False, believed=1)
        self.follow(recorded[taken:], whole=False)

    def _step(self, recorded: Sequence[Recorded], whole: bool, believed: int = 0) -> int:
        """Decide one command again, and say how many events came of it."""
        first = recorded[0]
        now = Now(first.recorded_at, self._days.day, self._days.weekday)
        try:
            expected = decide(self.table, _command(self.table, recorded), now)
        except Refused as refusal:
            raise Otherwise(first, refusal) from None
        for number, (place, event) in enumerate(zip(recorded, expected, strict=False)):
            if number >= believed and not _same(self._dated(event, place), place.event):
                raise Otherwise(place)
            self.table = evolve(self.table, place.event)
            if isinstance(place.event.fact, e.HandEnded):
                self.ended.append((self.table, place))
        if not expected or (whole and len(expected) > len(recorded)):
            raise Otherwise(recorded[-1], missing=bool(expected))
        return min(len(expected), len(recorded))

    def _dated(self, expected: Event, place: Recorded) -> Event:
        """An end of a hand with the day on which it was booked, if it can have been that one.

        The day is told when the order is decided, which may be a little before it is recorded.
        """
        fact, told = expected.fact, place.event.fact
        if not (isinstance(fact, e.HandEnded) and isinstance(told, e.HandEnded)):
            return expected
        could = {self._days.day(place.recorded_at - waited) for waited in (0, WAITED)}
        if told.booked_date not in could:
            return expected
        return replace(expected, fact=replace(fact, booked_date=told.booked_date))


def check_settlement(
    name: str, table: Table, ended: Recorded, settled: Recorded, days: Days
) -> None:
    """Settle the hand that has ended at a table again; refuses another settlement of it."""
    fact = ended.event.fact
    assert table.hand is not None
    assert isinstance(fact, e.HandEnded)
    command = SettleHand(name, table.seats, table.hand, fact, ended.position)
    now = Now(settled.recorded_at, days.day, days.weekday)
    (expected,) = settlement.decide(None, command, now)
    if not _same(expected, settled.event):
        raise Otherwise(settled)


def _same(expected: Event, recorded: Event) -> bool:
    """Whether two events say the same, a part that says nothing being none."""
    return codec.seal(expected, 0, b"") == codec.seal(recorded, 0, b"")


def _command(table: Table | None, recorded: Sequence[Recorded]) -> TableCommand:
    """The command that the first of some events came of; refuses what comes of none."""
    event, following = recorded[0].event, [place.event.fact for place in recorded[1:3]]
    fact, at = event.fact, getattr(event.fact, "at", None)
    if isinstance(fact, e.TableOpened):
        return _opening(fact)
    if isinstance(fact, e.HandStarted):
        return _starting(event, fact, following)
    if isinstance(fact, e.HandVoided):
        number = 0 if table is None else table.number
        return Void(number, fact.note, at)
    if isinstance(fact, e.TableClosed):
        end = Dissolve if fact.reason == "dissolved" else CloseTable
        return end(fact.note, at)
    if isinstance(fact, e.HandEnded):
        closed = next((one for one in following if isinstance(one, e.TableClosed)), None)
        return Dissolve(closed.note if closed else None, at)
    hand = None if table is None else table.playing
    if hand is None:
        raise Refused("no_hand_running")
    choice, cause = _choice(hand, event)
    return Act(choice, cause, at)


def _opening(fact: e.TableOpened) -> OpenTable:
    return OpenTable(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        dealer=fact.dealer,
        recorder=fact.recorder,
        room=fact.room,
        floor=fact.floor,
        ref=fact.ref,
        at=fact.at,
    )


def _starting(
    event: Event, fact: e.HandStarted, following: Sequence[e.Fact]
) -> StartHand | EnterHand:
    """How a hand was started: with a wall, or entered as it was played elsewhere."""
    built = slot(event, len(fact.seats), e.WallBuilt) or e.WallBuilt()
    then = following[0] if following else None
    if isinstance(then, e.HandEntered):
        told = None if then.outcome is None else read_outcome(then.outcome)
        return EnterHand(built.secret, told, then.totals, then.next_dealer, fact.at)
    weekday = then.weekday if isinstance(then, e.WeekdaySet) else None
    wilds = tuple(map(parse_tile, fact.wilds))
    return StartHand(parse_tiles(built.wall), built.secret, wilds, fact.at, weekday)


def _choice(hand: Hand, event: Event) -> tuple[Choice, Cause]:
    """What a player decided, by the event that tells it first; refuses what nobody decides."""
    fact = event.fact
    if isinstance(fact, e.Answered):
        return _answer(hand, event)
    if isinstance(fact, e.Discarded):
        return _discard(hand, event, fact), fact.cause
    if isinstance(fact, e.KongAnnounced | e.Konged):
        touzi = fact.touzi and hand.seats[fact.seat].declared != "frozen"
        return Choice(fact.seat, "kong", fact.tile, touzi), fact.cause
    if isinstance(fact, e.Won):
        return Choice(fact.seat, "win"), fact.cause
    raise Refused("nobodys_decision")


def _answer(hand: Hand, event: Event) -> tuple[Choice, Cause]:
    for seat in range(hand.players):
        told = slot(event, seat, e.Answer)
        if told is not None:
            return turns.answer(seat, told.choice), told.cause
    raise Refused("nobodys_decision")


def _discard(hand: Hand, event: Event, fact: e.Discarded) -> Choice:
    """A discard; of a frozen hand, which may only decline, it is the pass."""
    if hand.seats[fact.seat].declared is not None:
        return Choice(fact.seat, "pass")
    own = slot(event, fact.seat, e.Passed) or e.Passed()
    return Choice(fact.seat, "discard", fact.tile or own.tile, declare=fact.declares is not None)

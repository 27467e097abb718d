"""What happened in a stream, decided again: nothing stands there but what the rules make of it.

Of each recorded command the decision is read back from the first event that came of it; the same
functions as ever decide it anew, and every event that follows must be the one recorded. Who gave
it must have had the role in which he gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from ledger import events as e
from ledger.access import Caller
from ledger.audit import commands
from ledger.audit.books import Books
from ledger.audit.recorded import Days, Otherwise, Recorded, same
from ledger.events import Event
from ledger.refusal import Refused
from ledger.rights import Command, check_role
from ledger.streams import settlement
from ledger.streams.kinds import STREAMS
from ledger.streams.match import Table, fold
from ledger.streams.now import Now
from ledger.streams.settlement import SettleHand

WAITED = 10 * 60 * 1_000_000
"""How long an order can have waited between its decision and its place in the log."""


WRITTEN = ("allowance", "dispute", "period")
"""The kinds of streams whose events say when they were decided."""


class Witness(Protocol):
    """What is known of who acts in a club and of its books, and takes what happens there."""

    books: Books

    def caller(self, place: Recorded) -> Caller:
        """Who recorded an event, with the roles that he had then."""

    def take(self, stream: str, place: Recorded) -> None:
        """Take an event that its stream allows; refuses what others forbid."""


class Again:
    """A stream's events on their way: its state as what was recorded so far has made it.

    A table begins with its opening, or at the start of a hand, which is then believed as it
    stands. `ended` are the hands that have ended, each with its table then and its last event.
    """

    def __init__(self, stream: str, days: Days, witness: Witness) -> None:
        self.ended: list[tuple[Table, Recorded]] = []
        self._stream, self._kind = stream, stream.partition("/")[0]
        self._rules = STREAMS[self._kind]
        self.state: Any = self._rules.fold(())
        self._days = days
        self._witness = witness

    def follow(self, recorded: Sequence[Recorded], *, whole: bool = True) -> None:
        """Decide again what one order left; without `whole` its last events may be cut off."""
        while recorded:
            recorded = recorded[self._step(recorded, whole) :]

    def begin(self, recorded: Sequence[Recorded]) -> None:
        """Believe the start of a hand with all it says of the match, and decide what follows."""
        started = fold([recorded[0].event])
        assert started is not None
        self.state = replace(started, hand=None)
        taken = self._step(recorded, whole=False, believed=1)
        self.follow(recorded[taken:], whole=False)

    def _step(self, recorded: Sequence[Recorded], whole: bool, believed: int = 0) -> int:
        """Decide one command again, and say how many events came of it."""
        first = recorded[0]
        expected = self._decided(recorded)
        for number, (place, event) in enumerate(zip(recorded, expected, strict=False)):
            if number >= believed and not same(self._dated(event, place), place.event):
                raise Otherwise(place)
            if (place.actor, place.role) != (first.actor, first.role):
                raise Otherwise(place)
            self._take(place)
            if isinstance(place.event.fact, e.HandEnded):
                self.ended.append((self.state, place))
        if not expected or (whole and len(expected) > len(recorded)):
            raise Otherwise(recorded[-1], missing=bool(expected))
        return min(len(expected), len(recorded))

    def _take(self, place: Recorded) -> None:
        """Go on behind an event, so that what follows in the same order is judged after it."""
        self.state = self._rules.evolve(self.state, place.event)
        try:
            self._witness.take(self._stream, place)
        except Refused as refusal:
            raise Otherwise(place, refusal) from None

    def _decided(self, recorded: Sequence[Recorded]) -> tuple[Event, ...]:
        """What the command comes to that the first event tells, given by who recorded it."""
        first = recorded[0]
        now = _then(first, self._days, written=self._kind in WRITTEN)
        try:
            caller = self._witness.caller(first)
            command = commands.command(
                self._kind, self.state, recorded, caller, self._witness.books
            )
            check_right(self._witness, first, command, self.state)
            expected: tuple[Event, ...] = self._rules.decide(self.state, command, now)
        except Refused as refusal:
            raise Otherwise(first, refusal) from None
        return expected

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


def _then(place: Recorded, days: Days, *, written: bool = False) -> Now:
    """The present as it was when an event was decided, but for what had run out.

    That was measured by the machine's clock, of which a log knows nothing. In some streams the
    events have it `written` in them: an order may have waited since.
    """
    at = place.recorded_at
    told = getattr(place.event.fact, "at", at) if written else at
    if 0 <= at - told <= WAITED:
        at = told
    return Now(at, days.day, days.weekday, behind=at)


def check_right(witness: Witness, place: Recorded, command: Command, state: Any) -> None:
    """Refuses a command that its giver might not give in the role that is recorded."""
    check_role(witness.caller(place), place.role, command, state)


def check_settlement(
    name: str, table: Table, ended: Recorded, settled: Recorded, days: Days, witness: Witness
) -> None:
    """Settle the hand that has ended at a table again; refuses another settlement of it."""
    fact = ended.event.fact
    assert table.hand is not None
    assert isinstance(fact, e.HandEnded)
    command = SettleHand(name, table.seats, table.hand, fact, ended.position)
    now = _then(settled, days)
    check_right(witness, settled, command, None)
    (expected,) = settlement.decide(None, command, now)
    if not same(expected, settled.event):
        raise Otherwise(settled)

"""The commands that a table's events came of: who decided what, read back from what they tell."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import events as e
from ledger.access import Caller
from ledger.audit.books import Books
from ledger.audit.recorded import Recorded
from ledger.events import Cause, Event, slot
from ledger.hand import Hand
from ledger.outcome import read_outcome
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import turns
from ledger.streams.match import Admission, Table
from ledger.streams.table import (
    Act,
    ChangeSeats,
    CloseTable,
    Dissolve,
    EnterHand,
    KeepPlaying,
    OpenTable,
    StartHand,
    TableCommand,
    Tick,
    Void,
    Wish,
)
from ledger.tiles import parse_tile, parse_tiles


def command(
    table: Table | None, recorded: Sequence[Recorded], _: Caller, books: Books
) -> TableCommand:
    """The command that the first of some events came of; refuses what comes of none."""
    first = recorded[0]
    if isinstance(first.event.fact, e.TableTicked):
        return _ticking(first.stream, first.event.fact, books)
    return _in_match(table, recorded)


def _in_match(table: Table | None, recorded: Sequence[Recorded]) -> TableCommand:
    """What was asked while the match went on, to its end."""
    event, following = recorded[0].event, [place.event.fact for place in recorded[1:3]]
    fact, at = event.fact, getattr(event.fact, "at", None)
    if isinstance(fact, e.TableOpened):
        return _opening(fact, recorded[0].actor)
    if isinstance(fact, e.HandStarted):
        return _starting(event, fact, following)
    if isinstance(fact, e.DissolutionVoted):
        return _voted(fact, following)
    if isinstance(fact, e.SeatsChanged):
        return ChangeSeats(fact.seats, at)
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


def _ticking(stream: str, fact: e.TableTicked, books: Books) -> Tick:
    """A tick of a match, by how its hands stood in the books."""
    name = stream.removeprefix("table/")
    return Tick(fact.ticked, fact.note, books.unsettled[name], name in books.revised, fact.at)


def _voted(fact: e.DissolutionVoted, following: Sequence[e.Fact]) -> Dissolve | KeepPlaying:
    """A wish to dissolve, which came to nothing, or to the end that follows."""
    wish = Wish(fact.seat, fact.votes)
    if not fact.passed:
        return KeepPlaying(wish, fact.at)
    closed = next((one for one in following if isinstance(one, e.TableClosed)), None)
    return Dissolve(closed.note if closed else None, fact.at, wish)


def _opening(fact: e.TableOpened, actor: str) -> OpenTable:
    """An opening, by who records the match from then on."""
    return OpenTable(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        dealer=fact.dealer,
        recorder=actor,
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
        return EnterHand(
            built.secret, told, then.totals, then.next_dealer, fact.at, _admission(fact)
        )
    weekday = then.weekday if isinstance(then, e.WeekdaySet) else None
    wilds = tuple(map(parse_tile, fact.wilds))
    wall, admission = parse_tiles(built.wall), _admission(fact)
    return StartHand(wall, built.secret, wilds, fact.at, weekday, admission)


def _admission(fact: e.HandStarted) -> Admission:
    """What a hand says that it started under; at which limits its members stood is not told."""
    return Admission(fact.cap, (), fact.balances_at, fact.balances)


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

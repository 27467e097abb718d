"""A hand at any step, as one viewer may see it: folded from the log, nothing stored."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import codec, sight, store
from ledger.access import Caller
from ledger.codec import HAND_STARTS
from ledger.events import HandCorrected, HandReversed, HandSettled, HandStarted
from ledger.hand import End, Hand, leaves_outcome, outcome
from ledger.outcome import Outcome
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.rules.turns import legal_actions
from ledger.sight import Seen, opening
from ledger.store import Stored
from ledger.tiles import UNKNOWN
from projections import history

NUMBERS = range(1, 2**31)


class Booked(Struct, frozen=True):
    """What was booked for a hand: its settlement at first, or what a dispute corrected it to.

    `revision` is the version of the hand's stream from which it stood. `undone_by` is the dispute
    that reversed it, None while it stands.
    """

    revision: int
    fact: HandSettled | HandCorrected
    undone_by: str | None = None


class Replay(Struct, frozen=True):
    """A hand at a step, which is the number of its events so far; the first is its start.

    `events` are all that there are now. `legal` has the choices of each seat at the step, None
    for a seat that the viewer does not see. `end`, `outcome` and what was `booked` for it, the
    first first, are the whole hand's, once they are there; a void hand has only the end.
    `position` is that of the last event behind all this, `revision` the version of the hand's own
    stream, 0 before it is settled.
    """

    club: str
    table: str
    number: int
    seats: tuple[str, ...]
    events: list[Seen]
    step: int
    state: Hand
    legal: tuple[tuple[Choice, ...] | None, ...]
    end: End | None
    outcome: Outcome | None
    booked: tuple[Booked, ...]
    revision: int
    position: int

    @property
    def stands(self) -> Booked | None:
        """What is booked for the hand now; None before it is settled, and where it was voided."""
        return next((one for one in self.booked if one.undone_by is None), None)

    @property
    def settled(self) -> HandSettled | HandCorrected | None:
        """The settlement that stands."""
        return None if self.stands is None else self.stands.fact

    @property
    def undone(self) -> tuple[Booked, ...]:
        """What was booked and reversed, the latest first."""
        return tuple(one for one in reversed(self.booked) if one.undone_by is not None)


def hand_at(
    connection: Connection, caller: Caller, table: str, number: int, step: int | None = None
) -> Replay:
    """A hand after some of its events, the last where no step is named.

    Refuses a table outside the caller's club (`table_unknown`) or that is no business of his
    (`table_not_yours`), `hand_unknown`, and a step that the hand has not (`number_range`).
    """
    club, rows = hand_seen_by(connection, caller, table, number)
    seen = sight.see(caller, rows)
    steps = len(seen)
    if step is not None and not 1 <= step <= steps:
        raise Refused("number_range", pointer="/step", value=step, low=1, high=steps)
    state = _fold(seen[: step or steps])
    last = _fold(seen)
    money = store.read_stream(connection, club, f"hand/{table}/{number}")
    return Replay(
        club=club,
        table=table,
        number=number,
        seats=_started(rows[0]).seats,
        events=seen,
        step=step or steps,
        state=state,
        legal=_legal(state),
        end=last.end,
        outcome=outcome(last) if leaves_outcome(last) else None,
        booked=_booked(money),
        revision=len(money),
        position=(money or rows)[-1].position,
    )


def hand_seen_by(
    connection: Connection, caller: Caller, table: str, number: int
) -> tuple[str, list[Stored]]:
    """The club of a hand at a table that the caller may see, and its events, every part in them."""
    stream = f"table/{table}"
    club = store.find_stream(connection, stream)
    if club is None or caller.club not in (club, None):
        raise Refused("table_unknown")
    rows = _hand(connection, club, stream, number) if number in NUMBERS else []
    fact = _started(rows[0]) if rows else opening(connection, club, table)[1]
    if not sight.may_see_table(caller, fact.seats, fact.recorder):
        raise Refused("table_not_yours")
    if not rows:
        raise Refused("hand_unknown", table=table, hand=number)
    return club, rows


def _hand(connection: Connection, club: str, stream: str, number: int) -> list[Stored]:
    """The events of a hand.

    The list of hands says where it ended; while the list does not know, the hand is found from
    the end of the stream backwards.
    """
    upto = history.ended_version(connection, club, stream.removeprefix("table/"), number)
    rows = store.read_stream(connection, club, stream, HAND_STARTS, upto=upto)
    while rows[0].type in HAND_STARTS and _started(rows[0]).number > number:
        rows = store.read_stream(connection, club, stream, HAND_STARTS, upto=rows[0].version - 1)
    found = rows[0].type in HAND_STARTS and _started(rows[0]).number == number
    return _to_its_end(rows) if found else []


def _to_its_end(rows: list[Stored]) -> list[Stored]:
    """The events without those that came when the hand was over: of its match, or of its seats."""
    ends = (place for place, row in enumerate(rows, 1) if row.type in sight.HAND_ENDS)
    return rows[: next(ends, None)]


def _started(row: Stored) -> HandStarted:
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, HandStarted)
    return fact


def _fold(seen: list[Seen]) -> Hand:
    hand = sight.table_seen(seen).hand
    assert hand is not None
    return hand


def _legal(hand: Hand) -> tuple[tuple[Choice, ...] | None, ...]:
    """What each seat may choose whose tiles are all seen."""
    rules = ruleset(hand.ruleset, hand.options)
    return tuple(
        None if UNKNOWN in player.hand else legal_actions(hand, seat, rules)
        for seat, player in enumerate(hand.seats)
    )


def _booked(money: list[Stored]) -> tuple[Booked, ...]:
    """All that was booked for a hand, from the events about its points."""
    booked: list[Booked] = []
    for row in money:
        fact = codec.unseal(row.type, row.public).fact
        if isinstance(fact, HandReversed):
            booked[-1] = replace(booked[-1], undone_by=fact.dispute)
        else:
            assert isinstance(fact, HandSettled | HandCorrected)
            booked.append(Booked(row.version, fact))
    return tuple(booked)

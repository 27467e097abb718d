"""Matches read back from a club's log as files have them: what was played, and what was entered.

Whoever imports the file plays and settles the same hands. Of each the players' decisions are told,
with the moment at which each was taken and what brought it about; what is automatic follows from
the rules. Source: docs/formats.md.

A record tells hands of the same members on the same seats, each dealt as the one before it leads
to, the first with a streak of 1. So a match whose seats changed, or one of whose hands was entered,
is several lines; a hand that follows such a break and is dealt by a dealer who stays is entered by
its outcome, which holds his streak. Voided hands are left out: they count nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace
from sqlalchemy import Connection

from ledger import codec, sight, store
from ledger.access import operator
from ledger.audit.books import Books
from ledger.audit.recorded import read
from ledger.audit.tables import command
from ledger.codec import HAND_STARTS, SEATS_CHANGED
from ledger.events import (
    Answered,
    Discarded,
    DissolutionVoted,
    Fact,
    KongAnnounced,
    Konged,
    SeatsChanged,
    Won,
)
from ledger.evolve import begin, evolve
from ledger.hand import Hand, leaves_outcome, outcome
from ledger.record import FORMAT, Action, Entry, Record, RecordedHand
from ledger.rules.catalog import settle
from ledger.sight import HAND_END, HAND_ENDS, Seen
from ledger.store import Stored
from ledger.telling import time_text
from ledger.tiles import tile_text, wall_text

PART = 1000
"""Events of a match that are in memory at a time, beside the hand that they tell."""


class Ended(Struct, frozen=True):
    """A hand that has ended: who sat, what was decided, and its state at the end.

    `goes_on`: every seat goes on as it was in the hand before, voided ones not counted.
    """

    seats: tuple[str, ...]
    goes_on: bool
    hand: Hand
    actions: tuple[Action, ...]


Part = tuple[Ended, ...]
"""The hands of a match that are told together: as a record, or one alone as an entry."""


def parts_of(connection: Connection, club: str, table: str, position: int) -> Iterator[Part]:
    """The hands of a match that had ended at a position of the log, as they are told in lines."""
    part: Part = ()
    for ended in _ended(_rows(connection, club, f"table/{table}", position)):
        joins = bool(part) and ended.goes_on and not (is_entry(part) or _is_told(ended))
        if part and not joins:
            yield part
        part = (*part, ended) if joins else (ended,)
    if part:
        yield part


def is_entry(part: Part) -> bool:
    """Whether hands cannot be a record: one was entered, or its streak began before it."""
    return _is_told(part[0]) or part[0].hand.streak > 1


def record_of(part: Part, ref: str, codes: tuple[str, ...]) -> dict[str, Any]:
    """Hands as a record, the members at the seats by their codes."""
    first = part[0].hand
    hands = tuple(map(_recorded, part))
    record = Record(FORMAT, ref, first.ruleset, first.options, codes, hands)
    told: dict[str, Any] = to_builtins(record)
    return told


def entry_of(part: Part, ref: str, codes: tuple[str, ...], at: int | None) -> dict[str, Any]:
    """A hand as it is entered: by its outcome, or by its points where nothing else is known."""
    hand = part[0].hand
    rules = {"ruleset": hand.ruleset, "options": hand.options}
    if leaves_outcome(hand):
        how: dict[str, Any] = {"outcome": outcome(hand)}
    else:
        known = None if hand.entered is None else hand.entered.totals
        how = {**rules, "totals": known or (0,) * hand.players}
    entry = Entry(ref, codes, occurred_at=None if at is None else _moment(at), **how)
    told = to_builtins(entry)
    return {name: told[name] for name in ("format", *told) if told[name] not in (None, {})}


def _is_told(ended: Ended) -> bool:
    """Whether a hand was played elsewhere, and entered."""
    return ended.hand.entered is not None


def _recorded(ended: Ended) -> RecordedHand:
    hand, known = ended.hand, leaves_outcome(ended.hand)
    left = outcome(hand) if known else None
    return RecordedHand(
        dealer=hand.dealer,
        wall=wall_text(hand.wall),
        actions=ended.actions,
        streak=hand.streak,
        wilds=tuple(map(tile_text, hand.wilds)),
        weekday=hand.weekday,
        outcome=left,
        totals=None if left is None else settle(left).totals,
    )


def _rows(connection: Connection, club: str, stream: str, position: int) -> Iterator[Stored]:
    """The events of a match up to a position of the log."""
    after, upto = 0, store.stream_version(connection, club, stream, position)
    while after < upto:
        end = min(after + PART, upto)
        yield from store.read_stream(connection, club, stream, after=after, upto=end)
        after = end


def _ended(rows: Iterable[Stored]) -> Iterator[Ended]:
    """The hands that have ended, of which the voided ones are left out."""
    seats: tuple[str, ...] = ()
    lines = unmoved = tuple[int, ...]()
    hand: list[Stored] = []
    for row in rows:
        if row.type == SEATS_CHANGED:
            lines = _moved(lines, row)
        elif row.type in HAND_STARTS:
            hand = [row]
        elif hand:
            hand.append(row)
        if hand and row.type in HAND_ENDS:
            if row.type == HAND_END:
                ended = _read(hand)
                unmoved = tuple(range(len(ended.seats)))
                goes_on = ended.seats == seats and lines in ((), unmoved)
                yield replace(ended, goes_on=goes_on)
                seats, lines = ended.seats, ()
            hand = []


def _moved(lines: tuple[int, ...], row: Stored) -> tuple[int, ...]:
    """With whose deal each seat goes on, after seats have changed once more."""
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, SeatsChanged)
    return tuple(lines[line] for line in fact.lines) if lines else fact.lines


def _read(rows: list[Stored]) -> Ended:
    """A hand from its start to its end."""
    first, *rest = map(read, rows)
    table = sight.table_seen([Seen(rows[0], rows[0].slots)])
    hand, actions = begin(first.event), list[Action]()
    for place in rest:
        if _is_decision(hand, place.event.fact):
            decided = command(replace(table, hand=hand), [place], operator(), Books())
            actions.append(_action(decided))
        if not isinstance(place.event.fact, DissolutionVoted):
            hand = evolve(hand, place.event)
    return Ended(table.seats, True, hand, tuple(actions))


def _is_decision(hand: Hand, fact: Fact) -> bool:
    """Whether a player decided what an event tells: an answer, or a move on his own turn.

    What follows an answer has no turn before it, or stands while those asked as dealt are asked.
    """
    if isinstance(fact, Answered):
        return True
    if not isinstance(fact, Discarded | KongAnnounced | Konged | Won) or fact.cause == "auto":
        return False
    return hand.turn is not None and hand.window is None


def _action(decided: Struct) -> Action:
    act = asdict(decided)
    told = {**asdict(act["choice"]), "cause": act["cause"], "at": _moment(act["at"])}
    return Action(**told)


def _moment(at: int) -> str:
    """A moment as records tell it: whole seconds without a fraction."""
    return time_text(at).replace(".000000Z", "Z")

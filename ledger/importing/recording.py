"""Matches from elsewhere, recorded in a club: from records, outcomes or points.

A hand happens whole or not at all, under a command id made of the match's ref, so the same file
again writes nothing twice, and a file that was mended goes on where it stopped. What is imported
is booked now, and effective when it was played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger import acts, dealing
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.importing.replaying import Replayed, replay_record
from ledger.outcome import Outcome
from ledger.perform import Ledger
from ledger.record import (
    Entry,
    Record,
    RecordedHand,
    choice,
    microseconds,
    read_entry,
    read_record,
)
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.rules.play import Moment
from ledger.streams.entering import enter
from ledger.streams.table import Act, Dissolve, EnterHand, StartHand, Table, TableCommand
from ledger.tiles import parse_tile, parse_tiles

KEY = "import"
"""The label of the key that records what is imported, and its command id."""


class Imported(Struct, frozen=True):
    """What came of a hand of a file: `again` where it was there already, or why it is refused.

    Without a number the whole match is refused; `action` is the decision at fault, from 0 on.
    `waiting`: so many hands of the match wait for one that is refused.
    """

    ref: str | None
    hand: int | None
    again: bool = False
    refused: Refused | None = None
    action: int | None = None
    waiting: int = 0


class Importer:
    """Records matches in a club, under a key of its own."""

    def __init__(self, ledger: Ledger, club: str) -> None:
        desk = Desk(ledger, operator(), club, _asked(KEY, club))
        key = acts.issue_key(desk, ("recorder",), KEY).key
        self.ledger = ledger
        self.caller = Caller(key, club, ("recorder",))
        self.club = club

    def take(self, data: Any) -> Iterator[Imported]:
        """What comes of a line: a record, or a hand entered by its outcome or its points."""
        ref = data.get("ref") if isinstance(data, dict) else None
        told = ref if isinstance(ref, str) else None
        try:
            if isinstance(data, dict) and ("outcome" in data or "totals" in data):
                yield self._entry(read_entry(data))
            else:
                yield from self._record(read_record(data))
        except Refused as refusal:
            yield Imported(told, None, refused=_in_words(refusal))

    def _entry(self, entry: Entry) -> Imported:
        """A hand as a match of its own."""
        at = None if entry.occurred_at is None else microseconds(entry.occurred_at)
        told = entry.outcome
        if told is None and entry.ruleset is None:
            raise Refused("record_malformed", pointer="/ruleset", detail="`ruleset` is missing")
        opening = Opening(
            ruleset=told.ruleset if told else entry.ruleset or "",
            options=told.options if told else entry.options,
            seats=entry.seats,
            hands=1,
            dealer=told.dealer if told else 0,
            ref=entry.ref,
            at=at,
        )
        _check(opening, told, entry.totals)
        table = self._open(opening)
        desk = self._desk(f"hand/1/{entry.ref}", entry)
        done = dealing.enter_hand(desk, table, told, entry.totals, at=at)
        return Imported(entry.ref, 1, again=done.replayed)

    def _record(self, record: Record) -> Iterator[Imported]:
        """Every hand of a match, up to the first that cannot be; all are checked beforehand."""
        if not record.hands:
            raise Refused("record_malformed", pointer="/hands", detail="It has no hands.")
        times, fault, waiting = _times(record), 0, 0
        for replayed in list(replay_record(record)):
            came = _refused(record, replayed)
            if came is None and fault:
                waiting += 1
                continue
            came = came or self._hand(record, replayed, times)
            fault = fault or (replayed.hand or 1 if came.refused else 0)
            yield came
        if waiting:
            waits = Refused("earlier_hand_refused", hand=fault, hands=waiting)
            yield Imported(record.ref, None, refused=waits, waiting=waiting)

    def _hand(self, record: Record, replayed: Replayed, times: list[list[int | None]]) -> Imported:
        """A hand that can be, recorded at its match's table; the first opens it."""
        number = replayed.hand or 0
        hand, secret = record.hands[number - 1], self.ledger.token(32).hex()
        commands = _commands(hand, times[number - 1], secret, replayed)
        try:
            table = self._open(_opening(record, times))
            desk = self._desk(f"hand/{number}/{record.ref}", _recorded(hand, replayed))
            done = acts.on_table(desk, table, commands)
        except Refused as refusal:
            return Imported(record.ref, number, refused=_in_words(refusal))
        return Imported(record.ref, number, again=done.replayed)

    def _open(self, opening: Opening) -> str:
        """The table of a match; its command id is bound to all but how many hands it has."""
        header = replace(opening, hands=1, at=None)
        desk = self._desk(f"match/{opening.ref}", header)
        done = acts.open_table(desk, opening, elsewhere=True)
        return done.stream.removeprefix("table/")

    def _desk(self, name: str, content: Any) -> Desk:
        return Desk(self.ledger, self.caller, self.club, _asked(f"{KEY}/{name}", content))


def _asked(key: str, content: Any) -> Asked:
    """A command id, bound to what is asked with it."""
    return Asked(key, hashlib.sha256(msgspec.json.encode(content)).digest())


def _refused(record: Record, replayed: Replayed) -> Imported | None:
    """Why a hand cannot be recorded whatever was before it: it cannot be, or has not ended."""
    ref, number = replayed.ref, replayed.hand
    if replayed.refused is not None:
        return Imported(ref, number, refused=replayed.refused, action=replayed.action)
    if replayed.outcome is None and replayed.dealt and number is not None:
        actions = len(record.hands[number - 1].actions)
        return Imported(ref, number, refused=Refused("hand_unfinished", actions=actions))
    return None


def _in_words(refusal: Refused) -> Refused:
    """A refusal as who imports a file understands it."""
    words = {"idempotency_key_reused": "imported_otherwise", "table_closed": "imported_whole"}
    return Refused(words[refusal.code]) if refusal.code in words else refusal


def _check(opening: Opening, told: Outcome | None, totals: tuple[int, ...] | None) -> None:
    """Refuses a hand that cannot be entered, before a match is opened for it."""
    rules = ruleset(opening.ruleset, opening.options)
    table = Table(
        ruleset=rules.key,
        options=rules.written_options,
        seats=opening.seats,
        hands=1,
        low_score=0,
        recorder="",
        dealer=opening.dealer or 0,
        totals=(0,) * len(opening.seats),
        at=0,
    )
    enter(table, EnterHand(KEY, told, totals), rules, Moment(0, "", "", 1))


def _recorded(hand: RecordedHand, replayed: Replayed) -> Any:
    """All of a hand that is recorded; what a record says beside it may be left out another time."""
    actions = [(choice(action), action.cause, action.at) for action in hand.actions]
    ended = replayed.outcome and replayed.outcome.end
    return hand.dealer, hand.wall, hand.wilds, hand.weekday, actions, ended


def _opening(record: Record, times: list[list[int | None]]) -> Opening:
    """The match of a record, opened when its first decision was taken."""
    return Opening(
        ruleset=record.ruleset,
        options=record.options,
        seats=record.seats,
        hands=len(record.hands),
        dealer=record.hands[0].dealer,
        ref=record.ref,
        at=next((at for hand in times for at in hand), None),
    )


def _times(record: Record) -> list[list[int | None]]:
    """When each decision was taken, hand by hand; one that does not say it, with the one before.

    What comes before the first that says it was taken with that one.
    """
    told = (action.at for hand in record.hands for action in hand.actions)
    last = next((microseconds(at) for at in told if at is not None), None)
    times: list[list[int | None]] = []
    for hand in record.hands:
        own: list[int | None] = []
        for action in hand.actions:
            last = last if action.at is None else microseconds(action.at)
            own.append(last)
        times.append(own)
    return times


def _commands(
    hand: RecordedHand, times: list[int | None], secret: str, replayed: Replayed
) -> tuple[TableCommand, ...]:
    """A hand from its start to its end; one that was dissolved, with that."""
    first, last = (times[0], times[-1]) if times else (None, None)
    wilds = tuple(map(parse_tile, hand.wilds))
    start = StartHand(parse_tiles(hand.wall), secret, wilds, first, hand.weekday)
    played = [
        Act(choice(action), action.cause, at)
        for action, at in zip(hand.actions, times, strict=True)
    ]
    dissolved = replayed.outcome is None or replayed.outcome.end == "dissolved"
    return (start, *played, *([Dissolve(at=last)] if dissolved else []))

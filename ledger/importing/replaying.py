"""A recorded match played again, from its walls and decisions alone.

Dealers and streaks follow from the rules, and so do outcomes and totals; whatever a record says
of them is held against what is computed. Source: docs/formats.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ledger.evolve import evolve as evolve_hand
from ledger.hand import Hand, leaves_outcome, outcome
from ledger.outcome import Outcome, SeatOutcome
from ledger.record import Action, Choice, Record, RecordedHand, choice, microseconds
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import ruleset
from ledger.rules.ruleset import Ruleset
from ledger.rules.turns import legal_actions
from ledger.streams.now import Now
from ledger.streams.table import Dissolve, StartHand, Table, decide, evolve
from ledger.tiles import parse_tile, parse_tiles, tiles_text

ANYBODY = "?"
_NO_SECRET = "00" * 32


class Replayed(Struct, frozen=True):
    """What a recorded hand comes to, by its number from 1 on; nothing yet where it only stops.

    `refused` says why it cannot be, and `action` at which decision, counted from 0; None where
    the start, the outcome or the totals are at fault. Without a number the whole record is.
    `dealt` is false of one that stops before its deal.
    """

    ref: str | None
    hand: int | None
    outcome: Outcome | None = None
    totals: tuple[int, ...] | None = None
    refused: Refused | None = None
    action: int | None = None
    dealt: bool = True


def replay_record(record: Record) -> Iterator[Replayed]:
    """Every hand of a record, played by the rules and compared with what the record says.

    A hand after one that could not be played begins as it says it does.
    """
    try:
        match = _Match(record)
    except Refused as refusal:
        yield Replayed(record.ref, None, refused=refusal)
        return
    for number, recorded in enumerate(record.hands, 1):
        yield match.replay(number, recorded)


class _Match:
    """A recorded match on its way: the table as the hands so far have left it.

    `known` is false while nobody can say what the next hand's dealer and streak must be.
    """

    def __init__(self, record: Record) -> None:
        self.ref = record.ref
        self.rules = ruleset(record.ruleset, record.options)
        self.known = True
        self.weekday = 1
        self.action: int | None = None
        _check_seats(record.seats, self.rules)
        self.table = Table(
            ruleset=record.ruleset,
            options=self.rules.written_options,
            seats=record.seats,
            hands=len(record.hands) + 1,
            low_score=0,
            recorder="",
            dealer=record.hands[0].dealer if record.hands else 0,
            totals=(0,) * len(record.seats),
            at=0,
        )

    def replay(self, number: int, recorded: RecordedHand) -> Replayed:
        """What one hand comes to."""
        self.action = None
        try:
            self._start(recorded)
            self._play(recorded)
            ended, totals = self._settle()
            self.known = ended is not None or recorded.outcome is None
            _check_told(recorded, ended, totals)
        except Refused as refusal:
            return Replayed(self.ref, number, refused=refusal, action=self.action)
        return Replayed(self.ref, number, ended, totals, dealt=self._hand.taken > 0)

    def _start(self, recorded: RecordedHand) -> None:
        known, self.known = self.known, False
        if not known:
            self.table = replace(self.table, hand=None, closed=None, dealer=recorded.dealer)
        if not 0 <= recorded.dealer < self.rules.players:
            seat, players = recorded.dealer, self.rules.players
            raise Refused("seat_unknown", pointer="/dealer", seat=seat, players=players)
        wall, wilds = parse_tiles(recorded.wall), tuple(map(parse_tile, recorded.wilds))
        self.weekday = recorded.weekday or 1
        self._follow(StartHand(wall, _NO_SECRET, wilds))
        if not known:
            self._set(replace(self._hand, streak=recorded.streak))
        _check_same("/dealer", recorded.dealer, self._hand.dealer)
        _check_same("/streak", recorded.streak, self._hand.streak)

    def _play(self, recorded: RecordedHand) -> None:
        """Play all decisions of a hand, and dissolve it where it says so."""
        for self.action, action in enumerate(recorded.actions):
            self._act(action)
        self.action, told = None, recorded.outcome
        if self._hand.end is None and told is not None and told.end == "dissolved":
            self._follow(Dissolve())

    def _settle(self) -> tuple[Outcome | None, tuple[int, ...] | None]:
        """The outcome and the totals of the hand, once it has ended."""
        if not leaves_outcome(self._hand):
            return None, None
        ended = outcome(self._hand)
        return ended, self.rules.settle(ended).totals

    def _act(self, action: Action) -> None:
        hand = self._hand
        if action.legal is not UNSET:
            _check_legal(action.legal, hand, self.rules)
        moment = play.Moment(_at(action, hand.at), "", "", self.weekday)
        for event in play.play(hand, choice(action), self.rules, moment, action.cause):
            hand = evolve_hand(hand, event)
        self._set(hand)

    def _follow(self, command: StartHand | Dissolve) -> None:
        now = Now(0, lambda at: "", lambda at: self.weekday)
        for event in decide(self.table, command, now):
            self.table = evolve(self.table, event)

    @property
    def _hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    def _set(self, hand: Hand) -> None:
        self.table = replace(self.table, hand=hand)


def _check_seats(seats: tuple[str, ...], rules: Ruleset) -> None:
    named = [seat for seat in seats if seat != ANYBODY]
    if len(seats) != rules.players:
        raise Refused("seats_count", pointer="/seats", seats=len(seats), players=rules.players)
    if len(set(named)) != len(named):
        raise Refused("member_seated_twice", pointer="/seats")


def _check_legal(told: tuple[Choice, ...], hand: Hand, rules: Ruleset) -> None:
    legal = [one for seat in range(hand.players) for one in legal_actions(hand, seat, rules)]
    if set(told) != set(legal):
        _check_same("/legal", _in_words(told), _in_words(legal))


def _in_words(choices: Iterable[Choice]) -> list[str]:
    return sorted(msgspec.json.encode(one).decode() for one in choices)


def _check_told(
    recorded: RecordedHand, ended: Outcome | None, totals: tuple[int, ...] | None
) -> None:
    """Refuses an end that is told and has not come, or has come otherwise."""
    if ended is None or totals is None:
        if recorded.outcome is not None or recorded.totals is not None:
            raise Refused("hand_unfinished", pointer="/actions", actions=len(recorded.actions))
        return
    if recorded.outcome is not None:
        _check_outcome(recorded.outcome, ended)
    _check_same("/weekday", recorded.weekday, ended.weekday)
    if recorded.totals is not None:
        _check_same("/totals", list(recorded.totals), list(totals))


def _check_outcome(told: Outcome, computed: Outcome) -> None:
    """Outcomes are the same as values: defaults filled in, and nobody need tell what was dealt."""
    said, right = _value(told), _value(computed)
    for seat, other in zip(said["seats"], right["seats"], strict=False):
        other["dealt"] = seat["dealt"] and other["dealt"]
    found = _difference(said, right, "/outcome")
    if found is not None:
        _check_same(*found)


def _value(one: Outcome) -> dict[str, Any]:
    """An outcome as plain values, its options complete and its tiles spelled in one way."""
    filled = replace(
        one,
        options=ruleset(one.ruleset, one.options).written_options,
        seats=tuple(map(_spelled, one.seats)),
        wins=tuple(sorted(one.wins, key=lambda win: win.seat)),
    )
    value: dict[str, Any] = msgspec.to_builtins(filled)
    return value


def _spelled(seat: SeatOutcome) -> SeatOutcome:
    return replace(
        seat,
        hand=tiles_text(sorted(parse_tiles(seat.hand))),
        river=tiles_text(parse_tiles(seat.river)),
        dealt=None if seat.dealt is None else tiles_text(sorted(parse_tiles(seat.dealt))),
    )


def _difference(told: Any, computed: Any, place: str) -> tuple[str, Any, Any] | None:
    """The first place at which two plain values differ, and both of what is there."""
    pairs: dict[str, tuple[Any, Any]] = {}
    if isinstance(told, dict) and isinstance(computed, dict):
        pairs = {key: (told.get(key), computed.get(key)) for key in computed | told}
    elif isinstance(told, tuple | list) and len(told) == len(computed):
        pairs = {str(index): pair for index, pair in enumerate(zip(told, computed, strict=True))}
    elif told != computed:
        return place, told, computed
    found = (_difference(*pair, f"{place}/{key}") for key, pair in pairs.items())
    return next((one for one in found if one is not None), None)


def _check_same(place: str, told: Any, computed: Any) -> None:
    if told != computed:
        raise Refused("record_differs", pointer=place, place=place, told=told, computed=computed)


def _at(action: Action, last: int) -> int:
    """When an action was sent, in microseconds; never before what came last."""
    if action.at is None:
        return last
    at = microseconds(action.at)
    if at < last:
        raise Refused("at_before_last", pointer="/at")
    return at

"""Whether the hand that a file shows was played by the rules, and is what is told beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from ledger import codec
from ledger import events as e
from ledger.access import Caller
from ledger.audit.again import Again, Witness, check_settlement
from ledger.audit.books import Books
from ledger.audit.chain import UNREADABLE
from ledger.audit.evidence import Evidence, Proven
from ledger.audit.lies import Lying
from ledger.audit.offices import BUILT_IN, is_actor
from ledger.audit.recorded import CommandIds, Days, Otherwise, Recorded, days_of
from ledger.audit.strict import same
from ledger.events import slot
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.tiles import COPIES, drawn, parse_tiles, shuffled, tile_text

SECRET_DIGITS = 64
NEWER = ("ruleset_unknown", "option_unknown")
"""Refusals of an opening that say that it knows more than this release."""


class _Shown(NamedTuple):
    """The events of a file by what they are for; the hand begins with its start."""

    founding: Recorded
    opening: Recorded
    opened: e.TableOpened
    between: list[Recorded]
    played: list[Recorded]
    started: e.HandStarted
    built: e.WallBuilt
    settled: Recorded | None
    days: Days


def check_hand(evidence: Evidence) -> None:
    """The table was opened, and the hand began, went on and ended by the rules.

    And what is told beside is what the events say. Refuses what only a newer release can read
    (`evidence_newer`).
    """
    shown = _shown(evidence)
    again = _decided_again(evidence.table, shown)
    last = shown.played[-1]
    if not isinstance(last.event.fact, e.HandEnded | e.HandVoided):
        raise Lying("left_out", last.position, version=evidence.events[-1].version + 1)
    if shown.settled is not None:
        _check_settled(evidence.table, again, last, shown.settled, shown.days)
    _check_told(evidence, shown)


def _shown(evidence: Evidence) -> _Shown:
    """What the events are for; refuses other events, and other ways to write them."""
    ids = CommandIds()
    for one in evidence.events:
        _check_written(one)
        if ids.is_reused(bytes.fromhex(one.command), one.recorded_at, one.actor):
            raise Lying("refused", one.position, code="idempotency_key_reused")
    events = list(map(_recorded, evidence.events))
    founded, opened = (one.event.fact for one in [*events, *events][:2])
    if not isinstance(founded, e.ClubFounded) or events[0].position != 1:
        raise Lying("not_of_this_hand", events[0].position)
    if not isinstance(opened, e.TableOpened):
        raise Lying("left_out", events[min(1, len(events) - 1)].position, version=1)
    between, rest = _before_start(events[2:])
    played, settled = _parted(evidence, rest)
    started = _started(evidence, played)
    if len(evidence.secret) != SECRET_DIGITS:
        raise Lying("malformed", played[0].position)
    try:
        days = days_of(founded)
        built = slot(played[0].event, len(started.seats), e.WallBuilt) or e.WallBuilt()
    except UNREADABLE:
        raise Lying("not_of_this_hand", events[0].position) from None
    return _Shown(events[0], events[1], opened, between, played, started, built, settled, days)


def _check_written(one: Proven) -> None:
    """An event is written as it is written here, and of a kind that this release knows."""
    slots = tuple(part.encode() for part in one.slots)
    if one.type not in codec.TYPES:
        raise Refused("evidence_newer")
    if not codec.belongs(one.type, one.stream):
        raise Lying("not_of_this_hand", one.position)
    is_written = codec.is_canonical(one.type, one.public.encode(), slots)
    if not is_written or not is_actor(one.actor):
        raise Lying("malformed", one.position)


def _before_start(rest: list[Recorded]) -> tuple[list[Recorded], list[Recorded]]:
    """What lies between the opening and the hand, and the rest.

    Before a later hand changes of seats alone are shown; before the first one all there was.
    """
    starts = (at for at, one in enumerate(rest) if isinstance(one.event.fact, e.HandStarted))
    start = next(starts, 0)
    return rest[:start], rest[start:]


def _parted(evidence: Evidence, rest: list[Recorded]) -> tuple[list[Recorded], Recorded | None]:
    """The events of the table, and the one that settles the hand: there is one, at the end."""
    settling = settling_of(evidence)
    played = rest if settling is None else rest[:-1]
    for one in played:
        if isinstance(one.event.fact, e.HandSettled):
            raise Lying("order", one.position)
    return played, None if settling is None else rest[-1]


def _started(evidence: Evidence, played: list[Recorded]) -> e.HandStarted:
    """The start of this hand, at which the table's events begin; they have no other."""
    started = played[0].event.fact if played else None
    if not isinstance(started, e.HandStarted) or started.number != evidence.hand:
        place = played[0] if played else None
        raise Lying("not_of_this_hand", place.position if place else evidence.events[-1].position)
    for one in played[1:]:
        if isinstance(one.event.fact, e.HandStarted | e.TableOpened):
            raise Lying("not_of_this_hand", one.position)
    return started


def _decided_again(name: str, shown: _Shown) -> Again:
    """The table after the hand, every decision made again.

    The first hand follows from the opening. Of a later one the start is believed in what the
    hands before it have come to, and held against the opening in all else.
    """
    witness, table = _Told(), f"table/{name}"
    again = Again(table, shown.days, witness)
    try:
        Again("club", shown.days, witness).follow([shown.founding])
        again.follow([shown.opening])
        if shown.started.number == 1:
            again.follow(shown.between)
            again.follow(shown.played, whole=False)
            return again
        _check_started(shown)
        again = Again(table, shown.days, witness)
        again.begin(shown.played)
    except Otherwise as otherwise:
        raise _lying(otherwise) from None
    except UNREADABLE:
        raise Lying("otherwise", shown.played[0].position) from None
    return again


class _Told(Witness):
    """Who recorded an event, in the role that he says: who gave it to him is not in a file.

    The operator's and the worker's are nobody's to give. Of the books a file tells one hand.
    """

    def __init__(self) -> None:
        self.books = Books()

    def caller(self, place: Recorded) -> Caller:
        """The actor with the role of the event, if it can have been his."""
        built_in = place.actor in BUILT_IN or place.role in BUILT_IN
        roles = BUILT_IN.get(place.actor, ()) if built_in else (place.role,)
        return Caller(place.actor, "", roles)

    def take(self, stream: str, place: Recorded) -> None:
        """What other streams hold is not in a file."""


def _lying(otherwise: Otherwise) -> Exception:
    """What is not so; or that the rules are those of a newer release."""
    refused, position = otherwise.refused, otherwise.place.position
    if refused is None:
        return Lying("otherwise", position)
    if refused.code in NEWER:
        return Refused("evidence_newer")
    return Lying("refused", position, code=refused.code, rule=refused.rule)


def _check_started(shown: _Shown) -> None:
    """What a later hand starts with can have come of the opening.

    Of the hands before it are only the points, the dealer and his streak; each void one has
    added a hand to the match.
    """
    opened, started, place = shown.opened, shown.started, shown.played[0].position
    tiles = len(parse_tiles(shown.built.wall))
    so = {
        "/ruleset": started.ruleset == opened.ruleset,
        "/options": same(started.options, opened.options),
        "/seats": started.seats == _seats(shown),
        "/recorder": started.recorder == opened.recorder,
        "/low_score": started.low_score == opened.low_score,
        "/hands": 0 <= started.hands - opened.hands < started.number <= started.hands,
        "/tiles": started.tiles == tiles,
        "/dealer": 0 <= started.dealer < len(opened.seats),
        "/streak": started.streak >= 1,
        "/totals": len(started.totals) == len(opened.seats) and sum(started.totals) == 0,
    }
    so.update(_as_entered(shown))
    for name, is_so in so.items():
        if not is_so:
            raise Lying("opened_otherwise", place, place=name)


def _seats(shown: _Shown) -> tuple[str, ...]:
    """Who sat at the table when the hand began: as it was opened, or as seats changed last."""
    for one in reversed(shown.between):
        if isinstance(one.event.fact, e.SeatsChanged):
            return one.event.fact.seats
    return shown.opened.seats


def _as_entered(shown: _Shown) -> dict[str, bool]:
    """Whether a hand that is entered starts as its outcome has it, and without a wall."""
    entered = shown.played[1].event.fact if shown.played[1:] else None
    if not isinstance(entered, e.HandEntered):
        return {}
    started, outcome = shown.started, entered.outcome
    so = {"/tiles": started.tiles == 0 and not shown.built.wall}
    if outcome is None:
        return {**so, "/wilds": not started.wilds}
    told = {name: outcome[name] for name in ("dealer", "streak", "wilds")}
    own = {name: getattr(started, name) for name in told}
    return {**so, **{f"/{name}": same(own[name], told[name]) for name in told}}


def _check_settled(name: str, again: Again, last: Recorded, settled: Recorded, days: Days) -> None:
    assert again.state is not None
    try:
        check_settlement(name, again.state, last, settled, days, _Told())
    except (Otherwise, *UNREADABLE):
        raise Lying("settlement", settled.position) from None


def _check_told(evidence: Evidence, shown: _Shown) -> None:
    """What the file tells beside its events is what they say."""
    started, built, position = shown.started, shown.built, shown.played[0].position
    said = {
        "/ruleset": (evidence.ruleset, started.ruleset),
        "/options": (evidence.options, started.options),
        "/seats": (evidence.seats, started.seats),
        "/wilds": (evidence.wilds, started.wilds),
        "/wall": (evidence.wall, built.wall),
        "/secret": (evidence.secret, built.secret),
    }
    for place, (told, known) in said.items():
        if not same(told, known):
            raise Lying("told_otherwise", position, place=place)
    settled = shown.settled
    paid = None if settled is None else settlement_told(settled.event.fact)
    if not same(evidence.settlement, paid):
        last = (settled or shown.played[-1]).position
        raise Lying("told_otherwise", last, place="/settlement")


def settlement_told(fact: e.Fact) -> dict[str, Any]:
    """A settlement as a file of evidence tells it for reading."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
    return {name: told[name] for name in ("totals", "payments", "wins", "not_counted")}


def settling_of(evidence: Evidence) -> Proven | None:
    """The event that settles the hand."""
    last = evidence.events[-1]
    return last if last.stream.startswith("hand/") else None


def is_shuffled(evidence: Evidence) -> bool:
    """Whether wall and wild kinds follow from the secret; not that it was one chosen of many."""
    rules, secret = ruleset(evidence.ruleset, evidence.options), bytes.fromhex(evidence.secret)
    wilds = tuple(map(tile_text, drawn(rules.wild_kinds, rules.wild_count, secret)))
    wall = shuffled(rules.kinds * COPIES, secret)
    return parse_tiles(evidence.wall) == wall and evidence.wilds == wilds


def entry_of(evidence: Evidence) -> e.HandEntered | None:
    """How the hand was entered, if it was played elsewhere."""
    for one in map(_recorded, evidence.events):
        if isinstance(one.event.fact, e.HandEntered):
            return one.event.fact
    return None


def _recorded(one: Proven) -> Recorded:
    slots = tuple(part.encode() for part in one.slots)
    event = codec.unseal(one.type, one.public.encode(), slots)
    return Recorded(one.stream, one.position, one.recorded_at, one.actor, one.role, event)

"""Matches played from their opening to their last hand, dealer after dealer as the rules have it.

Every hand is decided by the same functions as a real one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from ledger.events import Event
from ledger.evolve import evolve as evolve_hand
from ledger.hand import Hand, outcome
from ledger.outcome import Settlement
from ledger.record import FORMAT, Action, Record, RecordedHand, choice
from ledger.rules import play
from ledger.rules.catalog import ruleset
from ledger.rules.ruleset import Ruleset
from ledger.rules.turns import legal_actions
from ledger.simulate.kinds import ALL, KINDS_OF_PLAY, Player
from ledger.simulate.options import random_options
from ledger.streams.now import Now
from ledger.streams.table import OpenTable, StartHand, Table, decide, evolve, next_dealer
from ledger.tiles import Tiles, tile_text, wall_text

HANDS_IN_A_MATCH = 8
_DAY = "1970-01-01"


class Played(Struct, frozen=True):
    """A hand that was played: its record with all that was legal, its end, and who pays whom.

    `moments` are its states when somebody chose, and at its end; `events` all that happened.
    """

    recorded: RecordedHand
    hand: Hand
    settlement: Settlement
    events: tuple[Event, ...]
    moments: tuple[Hand, ...]


class Match(Struct, frozen=True):
    """A match that was played, with its options written out."""

    ruleset: str
    options: dict[str, Any]
    hands: tuple[Played, ...]


def play_matches(
    rng: random.Random,
    key: str,
    options: dict[str, Any] | None,
    hands: int,
    kind: str = "beginner",
) -> Iterator[Match]:
    """So many hands in matches of eight, each with random options where none are given."""
    for done in range(0, hands, HANDS_IN_A_MATCH):
        chosen = random_options(rng, key) if options is None else options
        played = play_match(rng, key, chosen, min(HANDS_IN_A_MATCH, hands - done), kind)
        yield Match(key, ruleset(key, chosen).written_options, tuple(played))


def play_match(
    rng: random.Random, key: str, options: dict[str, Any], hands: int, kind: str = "beginner"
) -> Iterator[Played]:
    """The hands of one match in a kind of play; any seat deals first."""
    rules = ruleset(key, options)
    seats = tuple(f"seat {seat}" for seat in range(rules.players))
    dealer = rng.randrange(rules.players)
    weekday = rng.randint(1, 7) if rules.weekday else 1
    opening = OpenTable(key, options, seats, hands, 0, dealer, "simulation")
    table, _ = _follow(None, opening, weekday)
    for _ in range(hands):
        if rules.weekday == "end":
            weekday = rng.randint(1, 7)
        way = KINDS_OF_PLAY[rng.choice(tuple(KINDS_OF_PLAY)) if kind == ALL else kind]
        wall, player = way(rng, rules, next_dealer(table, rules)[0])
        start = StartHand(wall, rng.randbytes(32).hex(), _wilds(rng, rules))
        table, events = _follow(table, start, weekday)
        played = _play(player, table.hand, events, rules, weekday)
        table = replace(table, hand=played.hand)
        yield played


def record_of(match: Match, ref: str, *, with_legal: bool = False) -> Record:
    """A match as a record, with every choice that was open at each action if that is wanted."""
    hands = tuple(one.recorded for one in match.hands)
    if not with_legal:
        hands = tuple(replace(hand, actions=tuple(map(_bare, hand.actions))) for hand in hands)
    seats = ("?",) * len(match.hands[0].hand.seats)
    return Record(FORMAT, ref, match.ruleset, match.options, seats, hands)


def _wilds(rng: random.Random, rules: Ruleset) -> Tiles:
    if not rules.wild_count:
        return ()
    return tuple(sorted(rng.sample(rules.wild_kinds, rules.wild_count)))


def _follow(
    table: Table | None, command: OpenTable | StartHand, weekday: int
) -> tuple[Table, tuple[Event, ...]]:
    """The table after a command, decided as for a real one, and what happened."""
    events = decide(table, command, Now(0, lambda at: _DAY, lambda at: weekday))
    for event in events:
        table = evolve(table, event)
    assert table is not None
    return table, events


def _play(
    player: Player, hand: Hand | None, happened: tuple[Event, ...], rules: Ruleset, weekday: int
) -> Played:
    """A hand from its start to its end."""
    assert hand is not None
    moment = play.Moment(0, _DAY, _DAY, weekday)
    actions: list[Action] = []
    events, moments = list(happened), [hand]
    while hand.end is None:
        legal = tuple(
            choice for seat in range(hand.players) for choice in legal_actions(hand, seat, rules)
        )
        chosen = player(hand, legal)
        actions.append(Action(**structs.asdict(chosen), legal=legal))
        followed = play.play(hand, chosen, rules, moment)
        for event in followed:
            hand = evolve_hand(hand, event)
        events += followed
        moments.append(hand)
    settlement = rules.settle(outcome(hand))
    recorded = _recorded(hand, tuple(actions), settlement)
    return Played(recorded, hand, settlement, tuple(events), tuple(moments))


def _recorded(hand: Hand, actions: tuple[Action, ...], settlement: Settlement) -> RecordedHand:
    return RecordedHand(
        dealer=hand.dealer,
        wall=wall_text(hand.wall),
        actions=actions,
        streak=hand.streak,
        wilds=tuple(map(tile_text, hand.wilds)),
        weekday=hand.weekday,
        outcome=outcome(hand),
        totals=settlement.totals,
    )


def _bare(action: Action) -> Action:
    return Action(**structs.asdict(choice(action)))

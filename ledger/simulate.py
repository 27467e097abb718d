"""Legal random play: the demo, the load and the property tests are made of it.

Players judge by the list of what is legal alone, as a client would. They keep tiles that stand
close together, so that real wins happen, and now and then do anything at all, so that
everything happens. The same seed plays the same match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from ledger.evolve import evolve as evolve_hand
from ledger.hand import Hand, outcome
from ledger.outcome import Settlement
from ledger.record import FORMAT, Action, Choice, Record, RecordedHand, choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import entry, ruleset
from ledger.rules.options import OptionInfo, describe_options
from ledger.rules.ruleset import Ruleset
from ledger.rules.turns import legal_actions
from ledger.streams.now import Now
from ledger.streams.table import OpenTable, StartHand, Table, decide, evolve
from ledger.tiles import COPIES, KINDS, Tiles, parse_tile, suit, tile_text, wall_text

HANDS_IN_A_MATCH = 8
WIN = 0.9
ANYTHING = 0.04
DECLARE = 0.8
TAKE = {"kong": 0.7, "pung": 0.4, "declare": DECLARE}
SMALL = 6
"""Most numbers drawn for an option lie this close above its least: large ones teach nothing new."""

_NEAR = tuple(
    tuple(
        (other, 3 - abs(other - tile))
        for other in range(max(0, tile - 2), tile + 3)
        if other != tile and other // 9 == tile // 9 and suit(tile) != "z"
    )
    for tile in range(KINDS)
)
"""The kinds that may stand in a run with each kind: one next to it weighs two, one apart one."""

_DAY = "1970-01-01"


class Played(Struct, frozen=True):
    """A hand that was played: its record with all that was legal, its end, and who pays whom."""

    recorded: RecordedHand
    hand: Hand
    settlement: Settlement


class Match(Struct, frozen=True):
    """A match that was played, with its options written out."""

    ruleset: str
    options: dict[str, Any]
    hands: tuple[Played, ...]


def play_matches(
    rng: random.Random, key: str, options: dict[str, Any] | None, hands: int
) -> Iterator[Match]:
    """So many hands in matches of eight, each with random options where none are given."""
    for done in range(0, hands, HANDS_IN_A_MATCH):
        chosen = random_options(rng, key) if options is None else options
        played = play_match(rng, key, chosen, min(HANDS_IN_A_MATCH, hands - done))
        yield Match(key, ruleset(key, chosen).written_options, tuple(played))


def play_match(
    rng: random.Random, key: str, options: dict[str, Any], hands: int
) -> Iterator[Played]:
    """The hands of one match, dealer after dealer as the rules have it; any seat deals first."""
    rules = ruleset(key, options)
    seats = tuple(f"seat {seat}" for seat in range(rules.players))
    dealer = rng.randrange(rules.players)
    weekday = rng.randint(1, 7) if rules.weekday else 1
    opening = OpenTable(key, options, seats, hands, 0, dealer, "simulation")
    table = _follow(None, opening, weekday)
    for _ in range(hands):
        if rules.weekday == "end":
            weekday = rng.randint(1, 7)
        start = StartHand(_wall(rng, rules), rng.randbytes(32).hex(), _wilds(rng, rules))
        table = _follow(table, start, weekday)
        played = _play(rng, table.hand, rules, weekday)
        table = replace(table, hand=played.hand)
        yield played


def record_of(match: Match, ref: str, *, with_legal: bool = False) -> Record:
    """A match as a record, with every choice that was open at each action if that is wanted."""
    hands = tuple(one.recorded for one in match.hands)
    if not with_legal:
        hands = tuple(replace(hand, actions=tuple(map(_bare, hand.actions))) for hand in hands)
    seats = ("?",) * len(match.hands[0].hand.seats)
    return Record(FORMAT, ref, match.ruleset, match.options, seats, hands)


def choose(rng: random.Random, choices: tuple[Choice, ...]) -> Choice:
    """One of the legal choices of all seats asked: likely a win, else what a beginner would do."""
    wins = [choice for choice in choices if choice.action == "win"]
    if wins and rng.random() < WIN:
        return rng.choice(wins)
    asked = rng.choice(choices)
    if rng.random() < ANYTHING:
        return asked
    own = [choice for choice in choices if choice.seat == asked.seat]
    takes = [choice for choice in own if rng.random() < TAKE.get(choice.action, 0)]
    if takes:
        return rng.choice(takes)
    declaring = [choice for choice in own if choice.declare]
    if declaring and rng.random() < DECLARE:
        return rng.choice(declaring)
    discards = [choice for choice in own if choice.action == "discard" and not choice.declare]
    if discards:
        return _loneliest(rng, discards)
    return rng.choice([choice for choice in own if choice.action == "pass"] or own)


def random_options(rng: random.Random, key: str) -> dict[str, Any]:
    """A value for every option of a ruleset, drawn anew where they do not go together."""
    infos = describe_options(entry(key).options)
    while True:
        options = {info.name: _random_value(rng, info) for info in infos}
        try:
            ruleset(key, options)
        except Refused:
            continue
        return options


def _random_value(rng: random.Random, info: OptionInfo) -> Any:
    if info.kind == "flag":
        return rng.random() < 0.5
    if info.kind == "set":
        return [choice for choice in info.choices if rng.random() < 0.5]
    if info.kind == "choice":
        return rng.choice(info.choices)
    low, high = info.minimum or 0, info.maximum or 0
    return rng.randint(low, high if rng.random() < 0.1 else min(high, low + SMALL))


def _wall(rng: random.Random, rules: Ruleset) -> Tiles:
    wall = list(rules.kinds * COPIES)
    rng.shuffle(wall)
    return tuple(wall)


def _wilds(rng: random.Random, rules: Ruleset) -> Tiles:
    if not rules.wild_count:
        return ()
    return tuple(sorted(rng.sample(rules.wild_kinds, rules.wild_count)))


def _follow(table: Table | None, command: OpenTable | StartHand, weekday: int) -> Table:
    """The table after a command, decided as for a real one."""
    for event in decide(table, command, Now(0, lambda at: _DAY, lambda at: weekday)):
        table = evolve(table, event)
    assert table is not None
    return table


def _play(rng: random.Random, hand: Hand | None, rules: Ruleset, weekday: int) -> Played:
    """A hand from its start to its end."""
    assert hand is not None
    moment = play.Moment(0, _DAY, _DAY, weekday)
    actions: list[Action] = []
    while hand.end is None:
        legal = tuple(
            choice for seat in range(hand.players) for choice in legal_actions(hand, seat, rules)
        )
        chosen = choose(rng, legal)
        actions.append(Action(**structs.asdict(chosen), legal=legal))
        for event in play.play(hand, chosen, rules, moment):
            hand = evolve_hand(hand, event)
    return _played(hand, tuple(actions), rules)


def _played(hand: Hand, actions: tuple[Action, ...], rules: Ruleset) -> Played:
    ended = outcome(hand)
    settlement = rules.settle(ended)
    recorded = RecordedHand(
        dealer=hand.dealer,
        wall=wall_text(hand.wall),
        actions=actions,
        streak=hand.streak,
        wilds=tuple(map(tile_text, hand.wilds)),
        weekday=hand.weekday,
        outcome=ended,
        totals=settlement.totals,
    )
    return Played(recorded, hand, settlement)


def _bare(action: Action) -> Action:
    return Action(**structs.asdict(choice(action)))


def _loneliest(rng: random.Random, discards: list[Choice]) -> Choice:
    """A discard of the tile with the fewest kinds near it, as far as one can see."""
    tiles = [parse_tile(choice.tile or "") for choice in discards]
    company = [sum(weight for other, weight in _NEAR[tile] if other in tiles) for tile in tiles]
    least = min(company)
    ties = zip(discards, company, strict=True)
    return rng.choice([choice for choice, near in ties if near == least])

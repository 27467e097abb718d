"""What was met in hands that were played: so that one sees what a test has never seen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ledger.evolve import evolve
from ledger.hand import Hand
from ledger.outcome import Settlement
from ledger.rules import play
from ledger.rules.catalog import ruleset, settle_hand
from ledger.rules.ruleset import Ruleset
from ledger.simulate.attempts import refusals
from ledger.simulate.match import Match, Played
from ledger.simulate.names import action_name, names

_NOW = play.Moment(0, "1970-01-01", "1970-01-01", 1)


class Report:
    """How often each thing that a ruleset knows was met.

    At moments drawn by lot things are tried that are not legal, and each hand is once dissolved
    on trial: neither changes how the hands go.
    """

    def __init__(self, key: str, rng: random.Random) -> None:
        """Nothing was met yet."""
        self.key = key
        self.rng = rng
        self.hands = 0
        self.met = {sort: Counter[str]() for sort in names(key)}

    def see(self, match: Match) -> None:
        """Counts what was met in a match."""
        rules = ruleset(match.ruleset, match.options)
        for played in match.hands:
            self.hands += 1
            for sort, name in self._seen(played, rules):
                self.met[sort][name] += 1

    def written(self) -> dict[str, Any]:
        """The counts by name, sort by sort; what was never met with 0."""
        counts = {
            sort: {name: self.met[sort][name] for name in dict.fromkeys((*known, *self.met[sort]))}
            for sort, known in names(self.key).items()
        }
        return {"ruleset": self.key, "hands": self.hands, **counts}

    def _seen(self, played: Played, rules: Ruleset) -> Iterator[tuple[str, str]]:
        """Everything that was met in a hand: its sort, and its name."""
        yield "ends", str(played.hand.end)
        yield from (("wins", win.how) for win in played.hand.wins)
        if played.hand.wins:
            yield "winners", str(len(played.hand.wins))
        yield from (("events", type(event.fact).__name__) for event in played.events)
        yield from (("actions", action_name(action)) for action in played.recorded.actions)
        yield from _settled(played.settlement)
        for barred in refusals(self.rng, played.moments, rules):
            yield "refusals", f"{barred.code} {barred.rule}"
        yield from self._dissolved(played, rules)

    def _dissolved(self, played: Played, rules: Ruleset) -> Iterator[tuple[str, str]]:
        """What a hand would leave that was dissolved in the middle."""
        running: list[Hand] = [hand for hand in played.moments if hand.end is None]
        if not running:
            return
        hand = self.rng.choice(running)
        for event in play.dissolve(hand, rules, _NOW):
            hand = evolve(hand, event)
        yield "ends", "dissolved"
        yield from _settled(settle_hand(hand))


def _settled(settlement: Settlement) -> Iterator[tuple[str, str]]:
    """What a settlement tells; a reason counts once however many pay for it."""
    for win in settlement.wins:
        yield from (("patterns", name) for name in win.patterns)
    for reason, rule in {(paid.reason, paid.rule) for paid in settlement.payments}:
        yield "payments", f"{reason} {rule}"
    for void in settlement.not_counted:
        yield "not_counted", f"{void.what} {void.why}"

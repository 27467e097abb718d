"""What is played is recorded, imported and settled, and comes out as it was played."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from ledger import codec, store
from ledger.events import HandSettled
from ledger.rules.catalog import CATALOG, settle
from ledger.simulate import ALL, Match, play_matches, record_of
from tests.importing.place import Place, codes

SEED = 11
SETTLED = "HandSettled/1"


def check(place: Place, key: str, hands: int) -> None:
    """Import matches of random options and of all kinds of play, and compare every settlement."""
    matches = list(play_matches(Random(SEED), key, None, hands, ALL))
    lines = [record(number, match) for number, match in enumerate(matches)]
    assert place.counts(*lines) == [len(lines), hands, 0, 0, 0]
    outcomes = [one.recorded.outcome for match in matches for one in match.hands]
    expected = [settle(outcome) for outcome in outcomes if outcome is not None]
    assert [(fact.totals, len(fact.payments)) for fact in settlements(place)] == [
        (one.totals, len(one.payments)) for one in expected
    ]
    assert sum(place.points()) == 0


def record(number: int, match: Match) -> object:
    """A match as a line, the club's members at its seats."""
    told = msgspec.to_builtins(record_of(match, f"match-{number}"))
    return {**told, "seats": codes(len(told["seats"]))}


def settlements(place: Place) -> list[HandSettled]:
    """The settlements of the club, in the order in which their hands ended."""
    with place.house.database.read() as connection:
        rows = store.read_log(connection, place.club, 0, 1_000_000)
    facts = [codec.unseal(row.type, row.public).fact for row in rows if row.type == SETTLED]
    told = [fact for fact in facts if isinstance(fact, HandSettled)]
    return sorted(told, key=lambda fact: fact.ended_position)


@pytest.mark.parametrize("key", CATALOG)
def test_matches_come_back_as_they_were_played(place: Place, key: str) -> None:
    check(place, key, 16)


@pytest.mark.deep
@pytest.mark.parametrize("key", CATALOG)
def test_five_thousand_hands_come_back_as_they_were_played(place: Place, key: str) -> None:
    check(place, key, 5000)

"""The export `records`: matches as files of records, which any club can import again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import acts, dealing
from ledger.acts import Opening
from ledger.events import Vote
from ledger.record import Record
from ledger.rules.catalog import CATALOG
from ledger.simulate import ALL, play_matches, record_of
from ledger.streams.table import KeepPlaying, Wish
from ledger.telling import time_text
from tests.exports.recorded import CODES, bring, dissolved, enter, exported, settled
from tests.world import SECOND, START, Club, World


@pytest.fixture
def club(world: World) -> Club:
    return world.club(members=5)


# --- there and back -----------------------------------------------------------------------------


def played(key: str, hands: int) -> Iterator[dict[str, Any]]:
    """Matches of random options and of all kinds of play, stacked walls among them.

    Every decision has its moment, and each tenth was taken by a time-out.
    """
    rng, at = Random(8), START - 86_400 * SECOND
    for number, match in enumerate(play_matches(rng, key, None, hands, ALL)):
        record = record_of(match, f"lobby/{number}")
        told = []
        for hand in record.hands:
            actions = []
            for action in hand.actions:
                at += rng.choice((SECOND, 1_500_007))
                cause = "timeout" if rng.random() < 0.1 else "player"
                moment = time_text(at).replace(".000000Z", "Z")
                actions.append(replace(action, at=moment, cause=cause))
            told.append(replace(hand, actions=tuple(actions)))
        codes = tuple(CODES[: len(record.seats)])
        line: Record = replace(record, seats=codes, hands=tuple(told))
        read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(line))
        yield read


@pytest.mark.parametrize("key", CATALOG)
def test_a_record_that_is_imported_comes_out_as_it_was(world: World, key: str) -> None:
    """Given matches with moments and time-outs, then import and export are the way back."""
    check(world, key, 8)


@pytest.mark.deep
@pytest.mark.parametrize("key", CATALOG)
def test_records_of_many_matches_come_out_as_they_were(world: World, key: str) -> None:
    check(world, key, 400)


def check(world: World, key: str, hands: int) -> None:
    lines, first, second = list(played(key, hands)), world.club(), world.club()
    bring(first, *lines)
    told = exported(first)
    assert told == lines
    bring(second, *told)
    assert settled(second) == settled(first)
    assert len(settled(first)) == hands
    assert list(second.points().values()) == list(first.points().values())
    assert exported(second) == told


def test_a_record_without_moments_comes_out_with_those_of_its_import(club: Club) -> None:
    """Nothing else differs: what was played when nobody knows is played when it is imported."""
    [line] = played("huaihua/1", 2)
    for hand in line["hands"]:
        for action in hand["actions"]:
            del action["at"]
            action.pop("cause", None)
    bring(club, line)
    [told] = exported(club)
    moments = [action.pop("at") for hand in told["hands"] for action in hand["actions"]]
    assert moments[0].startswith("2027-01-15T08:")
    assert told == line


# --- which hands --------------------------------------------------------------------------------


def test_a_match_without_a_ref_is_called_by_its_table(club: Club) -> None:
    table = club.match(hands=2)
    [line] = exported(club)
    assert (line["format"], line["ref"]) == ("paizhang-record/1", table)
    assert line["seats"] == CODES
    assert [hand["totals"] for hand in line["hands"]] == [
        list(fact.totals) for fact in club.settlements()
    ]


def test_a_hand_that_runs_tells_nothing(club: Club) -> None:
    """Given a match whose second hand runs, then its wall and decisions are nobody's business."""
    table = club.match(hands=1, planned=3)
    club.start(table, actions=3)
    [line] = exported(club)
    assert len(line["hands"]) == 1


def test_a_match_without_an_ended_hand_is_not_there(club: Club) -> None:
    club.start(club.open(), actions=2)
    assert exported(club) == []


def test_a_void_hand_is_left_out(club: Club, world: World) -> None:
    """Given a hand played after a void one, then the record has that alone and can be imported."""
    table = club.open(hands=1)
    club.start(table, actions=2)
    club.void(table)
    club.start(table, actions=1)
    club.dissolve(table)
    [line] = exported(club)
    assert [(hand["streak"], hand["outcome"]["end"]) for hand in line["hands"]] == [
        (1, "dissolved")
    ]
    other = world.club()
    bring(other, line)
    assert settled(other) == settled(club)


def test_a_dissolved_hand_stops_where_it_stopped(club: Club, world: World) -> None:
    """Given a wish that came to nothing in the middle of a hand, and one that ended it."""
    table = club.match(hands=1, planned=4)
    club.start(table, actions=2)
    wish = Wish(0, (Vote(1, "refused", 3), Vote(2, "silent", 9), Vote(3, "agreed", 2)))
    acts.on_table(club.desk, table, (KeepPlaying(wish),))
    club.dissolve(table)
    [line] = exported(club)
    last = line["hands"][-1]
    assert (len(last["actions"]), last["outcome"]["end"], sum(last["totals"])) == (
        2,
        "dissolved",
        0,
    )
    other = world.club()
    bring(other, line)
    assert settled(other) == settled(club)


def test_a_hand_dissolved_before_its_deal_has_no_outcome(club: Club, world: World) -> None:
    """Given bets that were asked for and not all made, then nothing was dealt."""
    opening = Opening("zhuoji/1", {"gumai": True}, club.members[:4], hands=2, dealer=0)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    dealing.start_hand(club.desk, table)
    club.dissolve(table)
    [line] = exported(club)
    [hand] = line["hands"]
    assert (hand["actions"], hand["outcome"], hand["totals"]) == ([], None, None)
    other = world.club()
    bring(other, line)
    assert [fact[:3] for fact in settled(other)] == [("zhuoji/1", "dissolved", (0, 0, 0, 0))]


# --- which are asked for ------------------------------------------------------------------------


def test_as_of_a_position_a_match_has_the_hands_that_had_ended(club: Club) -> None:
    club.match(hands=2)
    ends = [row.position for row in club.log() if row.type == "HandEnded/1"]
    assert exported(club, position=ends[0] - 1) == []
    assert [len(one["hands"]) for one in exported(club, position=ends[0])] == [1]
    assert exported(club, position=ends[1]) == exported(club)


def test_before_a_table_was_open_there_is_nothing_of_it(club: Club) -> None:
    club.match(hands=1)
    opened = next(row.position for row in club.log() if row.type == "TableOpened/1")
    assert exported(club, position=opened - 1) == []


def test_one_table_or_one_ruleset(club: Club) -> None:
    first, second = club.match(hands=1), enter(club, "haozi/1", {}, totals=(1, -1, 0, 0))
    assert [one["ref"] for one in exported(club)] == [first, second]
    assert [one["ref"] for one in exported(club, table=second)] == [second]
    assert [one["ref"] for one in exported(club, ruleset="huaihua/1")] == [first]
    assert [one["ref"] for one in exported(club, member=club.members[4])] == []


def test_days_are_those_of_the_matches_ends(club: Club, world: World) -> None:
    """Given a match that begins on a Friday and ends on the Saturday, it is that day's.

    As of a position at which it ran it is of the day on which it was opened.
    """
    table = club.match(hands=1, planned=2)
    hand = next(row.position for row in club.log() if row.type == "HandEnded/1")
    world.now += 86_400 * SECOND
    dissolved(club, table)
    friday: dict[str, Any] = {"first": "2027-01-15", "last": "2027-01-15"}
    saturday: dict[str, Any] = {"first": "2027-01-16", "last": "2027-01-16"}
    assert [one["ref"] for one in exported(club, **saturday)] == [table]
    assert exported(club, **friday) == []
    assert [one["ref"] for one in exported(club, position=hand, **friday)] == [table]
    assert exported(club, position=hand, **saturday) == []

"""The export `records`: matches as files of records, which any club can import again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import access, acts, store
from ledger.acts import Opening
from ledger.events import Vote
from ledger.importing import Importer
from ledger.outcome import read_outcome
from ledger.record import Record
from ledger.rules.catalog import CATALOG, ruleset
from ledger.simulate import ALL, play_matches, record_of
from ledger.streams.table import KeepPlaying, Wish
from ledger.streams.table import next_dealer as next_dealer_of
from ledger.telling import time_text
from projections.exports.asked import Asked
from projections.exports.matches import records
from projections.exports.source import Source
from tests.world import SECOND, START, Club, World

CODES = ["M-0001", "M-0002", "M-0003", "M-0004"]


@pytest.fixture
def club(world: World) -> Club:
    return world.club(members=5)


def exported(club: Club, position: int | None = None, **asked: Any) -> list[dict[str, Any]]:
    """The lines of an export, as a program reads them."""
    club.catch_up()
    with club.world.database.read() as connection:
        row, head = access.find_club(connection, club.id), store.head(connection, club.id)
        assert row is not None
        assert head is not None
        wanted = Asked("records", "ndjson", position=position, **asked)
        source = Source(connection, row, wanted, position or head.position)
        lines = [told for (told,) in records(source)]
    read: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(lines))
    return read


def bring(club: Club, *lines: dict[str, Any]) -> None:
    """Import lines, of which none is refused, and settle."""
    importer = Importer(club.world.ledger, club.id)
    for line in lines:
        assert [one.refused for one in importer.take(line)] == [None] * len(line.get("hands", "1"))
    club.world.settle()


def settled(club: Club) -> list[tuple[Any, ...]]:
    """What was booked for every hand, in the order of their ends."""
    facts = sorted(club.settlements(), key=lambda fact: fact.ended_position)
    names = ("ruleset", "end", "totals", "payments", "wins", "not_counted", "effective_date")
    return [tuple(getattr(fact, name) for name in names) for fact in facts]


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
    [line] = [one for one in played("huaihua/1", 2)]
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
    acts.start_hand(club.desk, table)
    club.dissolve(table)
    [line] = exported(club)
    [hand] = line["hands"]
    assert (hand["actions"], hand["outcome"], hand["totals"]) == ([], None, None)
    other = world.club()
    bring(other, line)
    assert [fact[:3] for fact in settled(other)] == [("zhuoji/1", "dissolved", (0, 0, 0, 0))]


# --- what was entered, and seats that changed ---------------------------------------------------

ENTERED = {
    "ruleset": "huaihua/1",
    "dealer": 2,
    "streak": 3,
    "seats": [
        {"hand": "123m456p789s55s67p"},
        {"hand": "1458m2358p23669s"},
        {"hand": "267899m1149p347s"},
        {"hand": "369m1223499p148s"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}
"""A plain win by the own draw: 2 from each other seat (C5.1)."""


def enter(club: Club, ruleset: str, options: dict[str, Any], **entry: Any) -> str:
    """A match of one hand that is entered; its table."""
    opening = Opening(ruleset, options, club.members[:4], hands=1, dealer=2, at=START)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    acts.enter_hand(club.desk, table, **entry)
    club.world.settle()
    return table


def test_a_hand_entered_by_points_is_an_entry(club: Club, world: World) -> None:
    table = enter(club, "haozi/1", {}, totals=(6, -2, -2, -2), at=START + SECOND)
    [line] = exported(club)
    assert line["options"]["players"] == 4
    assert {name: told for name, told in line.items() if name != "options"} == {
        "format": "paizhang-entry/1",
        "ref": table,
        "seats": CODES,
        "ruleset": "haozi/1",
        "totals": [6, -2, -2, -2],
        "occurred_at": "2027-01-15T08:00:01Z",
    }
    other = world.club()
    bring(other, line)
    assert settled(other) == settled(club)


def test_a_hand_entered_by_its_outcome_is_an_entry(club: Club, world: World) -> None:
    """Given a dealer who had dealt before, which nobody recorded, then his streak stands in it."""
    enter(club, "huaihua/1", {}, outcome=read_outcome(ENTERED), at=START + SECOND)
    [line] = exported(club)
    told = line["outcome"]
    assert (told["dealer"], told["streak"], told["wins"][0]["tile"]) == (2, 3, "8p")
    assert "ruleset" not in line
    assert "totals" not in line
    other = world.club()
    bring(other, line)
    assert [fact[2] for fact in settled(other)] == [(6, -2, -2, -2)]
    assert settled(other) == settled(club)
    assert [one["outcome"] for one in exported(other)] == [told]


@pytest.mark.parametrize(("weekday", "has_moment"), [(5, True), (6, False)])
def test_an_entry_of_another_weekday_does_not_say_when(
    club: Club, world: World, weekday: int, has_moment: bool
) -> None:
    """Given a Friday on which a Saturday's hand was entered, then no moment would fit its day."""
    told = {**ENTERED, "ruleset": "zhuoji/1", "options": {"week_ji": True}, "weekday": weekday}
    enter(club, "zhuoji/1", {"week_ji": True}, outcome=read_outcome({**told, "streak": 1}))
    [line] = exported(club)
    assert ("occurred_at" in line) is has_moment
    other = world.club()
    bring(other, line)
    assert [fact[:4] for fact in settled(other)] == [fact[:4] for fact in settled(club)]


def dissolved(club: Club, table: str, actions: int = 1) -> None:
    """One more hand of a table, whose match ends with it."""
    club.start(table, actions=actions)
    club.dissolve(table)


def test_hands_around_an_entered_one_are_lines_of_their_own(club: Club, world: World) -> None:
    """Given a match whose second hand was entered, then its ref has a number from the second on."""
    table = club.match(hands=1, planned=3)
    dealer = next_dealer(club, table)
    acts.enter_hand(club.desk, table, totals=(0, 0, 3, -3), next_dealer=(dealer + 1) % 4)
    world.settle()
    dissolved(club, table)
    lines = exported(club)
    assert [(one["format"][:-2], one["ref"]) for one in lines] == [
        ("paizhang-record", table),
        ("paizhang-entry", f"{table}#2"),
        ("paizhang-record", f"{table}#3"),
    ]
    other = world.club()
    bring(other, *lines)
    assert settled(other) == settled(club)
    assert exported(other) == lines


def test_a_hand_after_a_break_with_a_dealer_who_stays_is_an_entry(club: Club, world: World) -> None:
    """A record begins with a streak of 1; an outcome tells any. What follows is a record again."""
    table = club.match(hands=1, planned=4)
    dealer = next_dealer(club, table)
    acts.enter_hand(club.desk, table, totals=(0, 0, 3, -3), next_dealer=dealer)
    world.settle()
    dissolved(club, table, actions=2)
    lines = exported(club)
    assert [one["format"] for one in lines] == [
        "paizhang-record/1",
        "paizhang-entry/1",
        "paizhang-entry/1",
    ]
    assert (lines[2]["outcome"]["end"], lines[2]["outcome"]["streak"] > 1) == ("dissolved", True)
    other = world.club()
    bring(other, *lines)
    assert settled(other) == settled(club)
    assert exported(other) == lines


def test_a_hand_not_dealt_whose_dealer_had_stayed_is_an_entry_of_nothing(
    club: Club, world: World
) -> None:
    opening = Opening("zhuoji/1", {"gumai": True}, club.members[:4], hands=2, dealer=0)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    acts.enter_hand(club.desk, table, totals=(3, -1, -1, -1), next_dealer=0)
    world.settle()
    acts.start_hand(club.desk, table)
    club.dissolve(table)
    lines = exported(club)
    assert [one["totals"] for one in lines] == [[3, -1, -1, -1], [0, 0, 0, 0]]
    other = world.club()
    bring(other, *lines)
    assert list(other.points().values()) == [3, -1, -1, -1]


def next_dealer(club: Club, table: str) -> int:
    """The seat that deals the next hand, as the rules have it."""
    state = club.state(table)
    return next_dealer_of(state, ruleset(state.ruleset, state.options))[0]


def sit(club: Club, table: str, *members: int) -> None:
    """Let members of the club, by their number, sit down from the next hand on."""
    acts.change_seats(club.desk_of_owner, table, tuple(club.members[one] for one in members))


def test_each_run_of_the_same_seats_is_a_line(club: Club, world: World) -> None:
    """Given a member who takes a seat over, then his hands are not those of who left it."""
    table = club.open(hands=3, dealer=0)
    acts.enter_hand(club.desk, table, totals=(3, -1, -1, -1), next_dealer=1)
    world.settle()
    sit(club, table, 4, 1, 2, 3)
    dissolved(club, table)
    first, second = exported(club)
    assert (first["seats"], second["seats"]) == (CODES, ["M-0005", *CODES[1:]])
    assert (first["ref"], second["ref"]) == (table, f"{table}#2")
    assert [one["ref"] for one in exported(club, member=club.members[4])] == [f"{table}#2"]
    other = world.club(members=5)
    bring(other, first, second)
    assert list(other.points().values()) == list(club.points().values())


@pytest.mark.parametrize(
    ("there_and_back", "lines"),
    [
        (((1, 0, 2, 3), (0, 1, 2, 3)), 1),
        (((4, 1, 2, 3), (4, 0, 2, 3), (1, 0, 2, 3), (0, 1, 2, 3)), 2),
    ],
)
def test_seats_that_are_changed_and_changed_back(
    club: Club, there_and_back: tuple[tuple[int, ...], ...], lines: int
) -> None:
    """It is the same run of hands where everybody has his own points and deal again."""
    table = club.match(hands=1, planned=2)
    for members in there_and_back:
        sit(club, table, *members)
    dissolved(club, table)
    assert len(exported(club)) == lines


# --- refs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ref", "second"), [("桌 7/001", "桌 7/001#2"), ("r" * 62, "r" * 62 + "#2"), ("r" * 63, None)]
)
def test_a_later_line_is_called_by_the_ref_if_that_is_not_too_long(
    club: Club, ref: str, second: str | None
) -> None:
    opening = Opening("huaihua/1", {}, club.members[:4], hands=2, dealer=0, ref=ref)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    for _ in range(2):
        acts.enter_hand(club.desk, table, totals=(3, -1, -1, -1))
        club.world.settle()
    refs = [one["ref"] for one in exported(club)]
    assert refs == [ref, second or f"{table}#2"]


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

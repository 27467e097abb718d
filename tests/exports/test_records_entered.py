"""The export `records` of what is no whole record: entered hands, and seats that changed."""

from __future__ import annotations

import pytest

from ledger import acts, dealing
from ledger.acts import Opening
from ledger.outcome import read_outcome
from ledger.rules.catalog import ruleset
from ledger.streams.table import next_dealer as next_dealer_of
from tests.exports.recorded import CODES, bring, dissolved, enter, exported, settled
from tests.world import SECOND, START, Club, World


@pytest.fixture
def club(world: World) -> Club:
    return world.club(members=5)


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


def test_hands_around_an_entered_one_are_lines_of_their_own(club: Club, world: World) -> None:
    """Given a match whose second hand was entered, then its ref has a number from the second on."""
    table = club.match(hands=1, planned=3)
    dealer = next_dealer(club, table)
    dealing.enter_hand(club.desk, table, totals=(0, 0, 3, -3), next_dealer=(dealer + 1) % 4)
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
    dealing.enter_hand(club.desk, table, totals=(0, 0, 3, -3), next_dealer=dealer)
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
    dealing.enter_hand(club.desk, table, totals=(3, -1, -1, -1), next_dealer=0)
    world.settle()
    dealing.start_hand(club.desk, table)
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
    dealing.enter_hand(club.desk, table, totals=(3, -1, -1, -1), next_dealer=1)
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
        dealing.enter_hand(club.desk, table, totals=(3, -1, -1, -1))
        club.world.settle()
    refs = [one["ref"] for one in exported(club)]
    assert refs == [ref, second or f"{table}#2"]

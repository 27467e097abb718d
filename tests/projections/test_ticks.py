"""Who has ticked a match 对账: in the list of tables, in what it adds up to, and made anew."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger import disputing, ticking
from ledger.claiming import Claim
from ledger.disputing import Verdict
from ledger.events import TableClosed, TableTicked
from projections import dissolutions, idle, leaderboards, operator_log
from projections.checkpoint import stopped
from projections.projection import ALL, rebuild
from projections.replay import hand_at
from projections.tables import TableRow, Which, club_tables, table_totals
from tests.projections.booked import Read, correct, play, reverse
from tests.projections.test_lists import opened
from tests.world import SECOND, Club, World

AT = 400 * SECOND
RIGHT = TableTicked(AT, ticked=True, note="aa")
NOBODY = (None, None)


@pytest.fixture
def read(club: Club) -> Read:
    return Read(club)


@pytest.fixture
def over(club: Club) -> str:
    """A match that is over after a hand of five points."""
    club.tell("table/tbl_a", opened(club))
    play(club, 1, (0, 1, 5))
    club.tell("table/tbl_a", TableClosed(300 * SECOND, "closed", None, 1, (-5, 5, 0, 0)))
    return "tbl_a"


def ticked(read: Read) -> tuple[str | None, int | None]:
    [found], _ = read(club_tables)
    assert isinstance(found, TableRow)
    return found.ticked_by, found.ticked_at


def test_the_list_says_who_ticked_a_match_and_when(club: Club, read: Read, over: str) -> None:
    assert ticked(read) == NOBODY
    club.tell(f"table/{over}", RIGHT)
    assert ticked(read) == ("key_recorder", AT)


def test_a_tick_that_is_taken_back_is_shown_no_more(club: Club, read: Read, over: str) -> None:
    club.tell(f"table/{over}", RIGHT, replace(RIGHT, ticked=False))
    assert ticked(read) == NOBODY


def test_a_hand_that_is_corrected_takes_the_tick_away(club: Club, read: Read, over: str) -> None:
    """The points are others; who ticks it again has looked at those."""
    club.tell(f"table/{over}", RIGHT)
    reverse(club, 1, (5, -5, 0, 0))
    assert ticked(read) == NOBODY
    correct(club, 1, (2, 1, 4))
    club.tell(f"table/{over}", replace(RIGHT, at=AT + SECOND))
    assert ticked(read) == ("key_recorder", AT + SECOND)
    correct(club, 1, (2, 1, 3))
    assert ticked(read) == NOBODY


def test_a_tick_of_no_table_stops_the_list(club: Club, read: Read) -> None:
    club.tell("table/tbl_none", RIGHT)
    read(club_tables)
    with club.world.database.read() as connection:
        assert [mark.projection for mark in stopped(connection)] == ["tables"]


@pytest.fixture
def three(club: Club, over: str) -> Club:
    """A match that is over and ticked, one that is over and not, and one that runs."""
    club.tell(f"table/{over}", RIGHT)
    end = TableClosed(300 * SECOND, "dissolved", None, 0, (0, 0, 0, 0))
    club.tell("table/tbl_b", opened(club), end)
    club.tell("table/tbl_c", opened(club))
    return club


@pytest.mark.parametrize(
    ("which", "found"),
    [
        (Which(ticked=True), ["tbl_a"]),
        (Which(ticked=False), ["tbl_b"]),
        (Which(ticked=False, status="closed"), []),
        (Which(), ["tbl_c", "tbl_b", "tbl_a"]),
    ],
    ids=["ticked", "not ticked", "not ticked, of a status", "all"],
)
def test_tables_by_whether_they_are_ticked(
    three: Club, read: Read, which: Which, found: list[str]
) -> None:
    """One that runs waits for nothing: it can be ticked when it has ended."""
    assert [table.id for table in read(club_tables, which=which)[0]] == found


def test_the_totals_count_those_that_wait_for_a_tick(three: Club, read: Read) -> None:
    assert read(table_totals).unticked == 1
    assert read(table_totals, Which(ticked=True)).unticked == 0
    assert read(table_totals, Which(status="running")).unticked == 0


# --- as it is really done -----------------------------------------------------------------------


def everything(club: Club, table: str) -> list[Any]:
    """What the lists and the replay show of a club with one match, but for the tick."""
    club.catch_up()
    with club.world.database.read() as connection:
        found, _ = club_tables(connection, club.id)
        return [
            [replace(one, ticked_by=None, ticked_at=None) for one in found],
            dissolutions.club_dissolutions(connection, club.id),
            leaderboards.member_statistics(connection, club.id),
            idle.idle_hands(connection, club.id, club.world.now + 10**12),
            hand_at(connection, club.owner, table, 2),
            hand_at(connection, club.owner, table, 2, 3),
            stopped(connection),
        ]


def test_a_tick_disturbs_nothing_else_that_is_shown(club: Club) -> None:
    """The last hand is replayed to its own end, and the match is counted once."""
    table = club.match(hands=2)
    before = everything(club, table)
    ticking.tick(club.desk_of_owner, table, ticked=True)
    assert everything(club, table) == before


def test_a_hand_is_found_while_the_lists_are_behind(club: Club) -> None:
    table = club.match(hands=2)
    ticking.tick(club.desk_of_owner, table, ticked=True)
    with club.world.database.read() as connection:
        last = hand_at(connection, club.owner, table, 2)
    assert last.events[-1].stored.type == "HandEnded/1"


def test_what_is_made_anew_is_what_was_there(club: Club, world: World) -> None:
    """Ticked, corrected, and another one ticked."""
    desk = club.desk_of_owner
    first, second = club.match(hands=1), club.match(hands=1)
    ticking.tick(desk, first, ticked=True)
    ticking.tick(desk, second, ticked=True, note="as on paper")
    right = Verdict("correct", "mistyped", note="mistyped", right=Claim((3, -1, -1, -1)))
    disputing.correct(desk, first, 1, right)
    read = Read(club)
    before, _ = read(club_tables)
    assert [table.ticked_by for table in before] == ["key_owner", None]
    for projection in ALL:
        rebuild(world.database, club.id, projection.name, world.clock)
    assert read(club_tables)[0] == before
    assert read(table_totals).unticked == 1


def test_a_tick_is_an_act_of_an_officer(club: Club) -> None:
    """With its note, and whether it was given or taken back."""
    table = club.match(hands=1)
    ticking.tick(club.desk_of_owner, table, ticked=True, note="as on paper")
    ticking.tick(club.desk_of_owner, table, ticked=False)
    taken, given = Read(club)(operator_log.club_acts, act="table_ticked")[0]
    assert (given.target, given.after, given.before) == (table, {"ticked": True}, None)
    assert (taken.actor, taken.role, taken.after) == ("key_owner", "owner", {"ticked": False})
    assert given.note is not None
    assert taken.note is None

"""The lists of hands and tables, from events told one by one, and the pages of all lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from ledger.database import Database
from ledger.events import Scored, TableClosed, TableOpened, Won
from ledger.keyset import Page
from ledger.refusal import Refused
from projections.balances import club_balances
from projections.checkpoint import stopped
from projections.history import HandRow, club_hands
from projections.statement import club_journal, member_entries
from projections.sums import Span
from projections.tables import TableRow, Totals, Which, club_tables, table_totals
from tests.projections.dispute_events import filed
from tests.world import KEY, SECOND, Club, World, ended, settled, started


@dataclass
class Read:
    """Reads the lists of a club."""

    club: Club

    def __call__(self, query: Any, *asked: Any, **filters: Any) -> Any:
        self.club.catch_up()
        with self.club.world.database.read() as connection:
            return query(connection, self.club.id, *asked, **filters)


@pytest.fixture
def read(club: Club) -> Read:
    """What the lists of the club show now."""
    return Read(club)


def play(club: Club, number: int, *payments: tuple[int, int, int]) -> int:
    """A hand of table a: started, ended and settled by its payments."""
    club.tell("table/tbl_a", started(club.members, number), ended(number))
    return club.tell(f"hand/tbl_a/{number}", settled("tbl_a", club.members, payments, number))


# --- hands ------------------------------------------------------------------------------------


def test_a_hand_from_start_to_settlement(club: Club, read: Read) -> None:
    """A hand runs, ends with its winners, and is settled with patterns and points."""
    begun = club.tell("table/tbl_a", started(club.members))
    [running], _ = read(club_hands)
    won = Won(140 * SECOND, 1, "5m", "discard", 0, "player")
    over = club.tell("table/tbl_a", won, ended())
    [finished], _ = read(club_hands)
    scored = settled("tbl_a", club.members, ((0, 1, 5),), wins=(Scored(1, ("ping_hu",), 1),))
    booked = club.tell("hand/tbl_a/1", scored)
    [closed], _ = read(club_hands)

    assert (running.state, running.end, running.wins, running.totals) == ("running", None, [], None)
    assert (finished.state, finished.end, finished.totals) == ("ended", "win", None)
    assert finished.wins == [{"seat": 1, "tile": "5m", "how": "discard", "from": 0}]
    assert asdict(closed) == {
        "started_position": begun,
        "table": "tbl_a",
        "number": 1,
        "ruleset": KEY,
        "dealer": 0,
        "seats": list(club.members),
        "recorder": "key_recorder",
        "state": "settled",
        "end": "win",
        "wins": [{**finished.wins[0], "patterns": ["ping_hu"], "value": 1}],
        "totals": [-5, 5, 0, 0],
        "started_at": 100 * SECOND,
        "ended_at": 150 * SECOND,
        "settled_at": club.log()[-1].recorded_at,
        "effective_date": "2026-11-28",
        "booked_date": "2026-11-29",
        "ended_version": 3,
        "ended_position": over,
        "settled_position": booked,
        "revision": 1,
        "revised_by": None,
        "disputed": False,
        "entered": None,
    }
    assert closed.id == "tbl_a-1"


def hand_ids(listed: tuple[list[HandRow], bool]) -> list[str]:
    return [hand.id for hand in listed[0]]


def test_hands_by_table_member_and_recorder(club: Club, read: Read) -> None:
    """The list of hands is cut down to a table, a member or a recorder."""
    others = (*club.members[:3], "mem_guest")
    play(club, 1)
    club.tell("table/tbl_b", started(others, recorder="key_2"), ended())
    play(club, 2)

    assert hand_ids(read(club_hands)) == ["tbl_a-2", "tbl_b-1", "tbl_a-1"]
    assert hand_ids(read(club_hands, table="tbl_a")) == ["tbl_a-2", "tbl_a-1"]
    assert hand_ids(read(club_hands, member="mem_guest")) == ["tbl_b-1"]
    assert hand_ids(read(club_hands, member=club.members[3])) == ["tbl_a-2", "tbl_a-1"]
    assert hand_ids(read(club_hands, recorder="key_2")) == ["tbl_b-1"]
    assert hand_ids(read(club_hands, table="tbl_a", recorder="key_2")) == []


def test_two_tables_at_once(club: Club, read: Read) -> None:
    """What happens at one table changes no hand of another."""
    club.tell("table/tbl_a", started(club.members))
    club.tell("table/tbl_b", started(club.members))
    club.tell("table/tbl_a", ended(end="exhausted"))

    listed, _ = read(club_hands)
    assert [(hand.id, hand.state) for hand in listed] == [
        ("tbl_b-1", "running"),
        ("tbl_a-1", "ended"),
    ]


def test_an_impossible_event_stops_the_list(club: Club, world: World) -> None:
    """A hand that ends without having begun is not passed over."""
    club.tell("table/tbl_a", ended())
    club.catch_up()

    with world.database.read() as connection:
        marks = stopped(connection)
    assert sorted(mark.projection for mark in marks) == ["history", "tables"]
    assert all(mark.position == 5 for mark in marks)


# --- tables -----------------------------------------------------------------------------------


def opened(club: Club, low_score: int = 0, recorder: str = "key_recorder") -> TableOpened:
    return TableOpened(
        ruleset=KEY,
        options={},
        hands=8,
        low_score=low_score,
        seats=club.members,
        dealer=0,
        recorder=recorder,
        room="aa",
        floor=None,
        ref=None,
        at=90 * SECOND,
    )


def test_a_table_from_opening_to_close(club: Club, read: Read) -> None:
    """A table counts its hands, adds up what is settled, and says how it ended."""
    position = club.tell("table/tbl_a", opened(club))
    play(club, 1, (0, 1, 5))
    club.tell("table/tbl_a", started(club.members, 2), ended(2, "dissolved"))
    [running], _ = read(club_tables)
    club.tell("table/tbl_a", TableClosed(300 * SECOND, "dissolved", None, 2, (-5, 5, 0, 0)))
    club.tell("hand/tbl_a/2", settled("tbl_a", club.members, ((1, 2, 1),), 2))
    [closed], _ = read(club_tables)

    assert (running.status, running.totals) == ("running", [-5, 5, 0, 0])
    assert closed == TableRow(
        opened_position=position,
        id="tbl_a",
        ruleset=KEY,
        seats=list(club.members),
        recorder="key_recorder",
        status="dissolved",
        hands_planned=8,
        hands_played=2,
        hands_settled=2,
        totals=[-5, 4, 1, 0],
        low_score=0,
        is_low_score=False,
        room="aa",
        floor=None,
        ref=None,
        opened_at=90 * SECOND,
        closed_at=300 * SECOND,
        day="1970-01-01",
    )


@pytest.mark.parametrize(("low_score", "is_low_score"), [(5, False), (6, True)])
def test_low_score(club: Club, read: Read, low_score: int, is_low_score: bool) -> None:
    """A match whose best total stays below its threshold counts as 低分局."""
    club.tell("table/tbl_a", opened(club, low_score))
    club.tell("table/tbl_a", TableClosed(300 * SECOND, "closed", None, 1, (-5, 5, 0, 0)))

    [closed], _ = read(club_tables)
    assert closed.is_low_score is is_low_score


def test_tables_by_member_and_recorder(club: Club, read: Read) -> None:
    """The list of tables is cut down to a member or a recorder, the newest first."""
    for name, recorder in (("tbl_a", "key_1"), ("tbl_b", "key_2")):
        club.tell(f"table/{name}", opened(club, recorder=recorder))

    def ids(which: Which) -> list[str]:
        return [table.id for table in read(club_tables, which=which)[0]]

    assert ids(Which()) == ["tbl_b", "tbl_a"]
    assert ids(Which(recorder="key_1")) == ["tbl_a"]
    assert ids(Which(member=club.members[0])) == ["tbl_b", "tbl_a"]
    assert ids(Which(member="mem_none")) == []


HOUR = 3600 * SECOND
NIGHT = 20 * HOUR
"""04:00 in Shanghai, before the cutoff at 05:00: the business day before is not over."""


@pytest.fixture
def evening(club: Club) -> Club:
    """A club with a match that was played by day, one that passed midnight, and one that runs."""
    day, late = replace(opened(club, 6), at=HOUR), replace(opened(club), ruleset="haozi/1")
    club.tell("table/tbl_day", day, started(club.members), ended())
    club.tell("hand/tbl_day/1", settled("tbl_day", club.members, ((0, 1, 5),)))
    club.tell("table/tbl_day", TableClosed(2 * HOUR, "played", None, 1, (-5, 5, 0, 0)))
    club.tell("table/tbl_late", late, TableClosed(NIGHT, "dissolved", None, 0, (0, 0, 0, 0)))
    club.tell("table/tbl_now", replace(opened(club), at=NIGHT + 2 * HOUR))
    return club


@pytest.mark.parametrize(
    ("which", "found"),
    [
        (Which(span=Span("1970-01-01", "1970-01-01")), ["tbl_late", "tbl_day"]),
        (Which(span=Span("1970-01-02")), ["tbl_now"]),
        (Which(span=Span(last="1970-01-01")), ["tbl_late", "tbl_day"]),
        (Which(span=Span(hour=10)), ["tbl_day"]),
        (Which(span=Span(hour=4)), ["tbl_late"]),
        (Which(span=Span(ruleset="haozi/1")), ["tbl_late"]),
        (Which(status="running"), ["tbl_now"]),
        (Which(status="dissolved"), ["tbl_late"]),
        (Which(status="low_score"), ["tbl_day"]),
        (Which(status="disputed"), []),
    ],
    ids=range(10),
)
def test_tables_by_day_hour_ruleset_and_status(
    evening: Club, read: Read, which: Which, found: list[str]
) -> None:
    """A table is of the business day and the hour in which it closed, or was opened if it runs."""
    assert [table.id for table in read(club_tables, which=which)[0]] == found


def test_a_table_with_a_hand_in_dispute_is_disputed(evening: Club, read: Read) -> None:
    evening.tell("dispute/dsp_1", filed(evening, table="tbl_day", number=1))
    [table], _ = read(club_tables, which=Which(status="disputed"))
    assert table.id == "tbl_day"


def test_tables_lie_in_order_of_their_hands_page_by_page(evening: Club, read: Read) -> None:
    """Those with as many hands lie with the newest first."""
    first, more = read(club_tables, Page(2), sort="hands")
    assert ([table.id for table in first], more) == (["tbl_day", "tbl_now"], True)
    rest, more = read(club_tables, Page(2, starting_after="tbl_now"), sort="hands")
    assert ([table.id for table in rest], more) == (["tbl_late"], False)


def test_what_tables_add_up_to(evening: Club, read: Read) -> None:
    """Three tables, one hand; the match that was played stayed below its threshold of 6."""
    assert read(table_totals) == Totals(
        tables=3, running=1, played=1, dissolved=1, closed=0, low_score=1, hands=1, unticked=2
    )
    assert read(table_totals, Which(status="running")).hands == 0


# --- pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "members", "more"),
    [
        (Page(), "012345", False),
        (Page(6), "012345", False),
        (Page(5), "01234", True),
        (Page(2, starting_after="1"), "23", True),
        (Page(2, starting_after="3"), "45", False),
        (Page(2, starting_after="5"), "", False),
        (Page(2, ending_before="3"), "12", True),
        (Page(2, ending_before="1"), "0", True),
        (Page(9, starting_after="0", ending_before="3"), "12", True),
    ],
)
def test_pages(world: World, page: Page, members: str, more: bool) -> None:
    """A page lies after an object or before one, and says whether more follow."""
    club = world.club(members=6)
    after = page.starting_after and club.members[int(page.starting_after)]
    before = page.ending_before and club.members[int(page.ending_before)]

    listed = Read(club)(club_balances, Page(page.limit, after, before))

    expected = [club.members[int(index)] for index in members]
    assert ([one.member for one in listed[0]], listed[1]) == (expected, more)


@pytest.mark.parametrize("cursor", ["jrn_x", "mem_none", "tbl_none-1", "tbl_none", "-", ""])
def test_unknown_cursor(club: Club, read: Read, cursor: str) -> None:
    """A page after something that is not in the list is refused, not empty."""
    lists: list[Any] = [(club_balances,), (club_hands,), (club_tables,), (club_journal,)]
    for query, *asked in [*lists, (member_entries, club.members[0])]:
        with pytest.raises(Refused) as refused:
            read(query, *asked, Page(20, starting_after=cursor))
        assert refused.value.code == "cursor_unknown"


def test_pages_do_not_shift(club: Club, read: Read, database: Database) -> None:
    """A new hand moves nothing in the pages behind a cursor."""
    for number in (1, 2, 3):
        club.tell("table/tbl_a", started(club.members, number), ended(number))
    before = hand_ids(read(club_hands, Page(2, starting_after="tbl_a-3")))

    club.tell("table/tbl_a", started(club.members, 4))

    assert hand_ids(read(club_hands, Page(2, starting_after="tbl_a-3"))) == before
    assert before == ["tbl_a-2", "tbl_a-1"]

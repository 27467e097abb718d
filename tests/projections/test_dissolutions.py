"""Dissolutions: who wished to end a match early, who agreed, and how the points stood."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from ledger.events import Vote
from ledger.keyset import Page
from projections.dissolutions import Dissolution, club_dissolutions
from projections.sums import Span
from tests.projections.told import Told
from tests.world import World

DAY = 86_400_000_000


@pytest.fixture
def told(world: World) -> Told:
    """A club of five, to be told what happens at its tables."""
    return Told(world.once(World.club, world, 5))


def listed(told: Told, *asked: Any, **more: Any) -> list[Dissolution]:
    with told.caught_up() as connection:
        rows, _ = club_dissolutions(connection, told.club.id, *asked, **more)
    return rows


def test_a_wish_that_was_granted(told: Told) -> None:
    """It tells who asked, how he stood, what each other said, and that the match was dissolved."""
    members = told.club.members
    told.open("tbl_a")
    votes = (Vote(1, "agreed", 4), Vote(2, "refused", 9), Vote(3, "silent", 30))
    position = told.vote("tbl_a", 0, passed=True, votes=votes, scores=(-7, 9, -2, 0), at=5)
    told.close("tbl_a", (-7, 9, -2, 0), "dissolved")

    [one] = listed(told)
    assert asdict(one) == {
        "position": position,
        "table": "tbl_a",
        "ruleset": "huaihua/1",
        "at": 5,
        "day": "1970-01-01",
        "month": "1970-01",
        "seats": list(members[:4]),
        "scores": [-7, 9, -2, 0],
        "requester": members[0],
        "points": -7,
        "votes": [
            {"member": members[1], "answer": "agreed", "seconds": 4},
            {"member": members[2], "answer": "refused", "seconds": 9},
            {"member": members[3], "answer": "silent", "seconds": 30},
        ],
        "is_dissolved": True,
        "tables": 1,
        "asked": 1,
        "asked_behind": 1,
    }
    assert one.id == f"dis_{position}"


def test_a_wish_that_was_refused(told: Told) -> None:
    """The match went on; it counts as nobody's."""
    told.open("tbl_a")
    told.vote("tbl_a", 1, passed=False, scores=(0, 3, -3, 0))
    told.close("tbl_a", (0, 3, -3, 0))

    [one] = listed(told)
    assert (one.is_dissolved, one.points) == (False, 3)
    assert (one.tables, one.asked, one.asked_behind) == (1, 0, 0)


def test_nobody_wished_it(told: Told) -> None:
    """A match that was dissolved without a vote has no requester, and the points of its close."""
    told.open("tbl_a")
    position = told.close("tbl_a", (1, -1, 0, 0), "dissolved")

    [one] = listed(told)
    assert (one.position, one.requester, one.points, one.votes) == (position, None, None, [])
    assert (one.scores, one.is_dissolved) == ([1, -1, 0, 0], True)
    assert (one.tables, one.asked, one.asked_behind) == (None, None, None)


def test_matches_that_ended_otherwise_are_none(told: Told) -> None:
    told.open("tbl_a")
    told.close("tbl_a", (0, 0, 0, 0))
    told.open("tbl_b")
    told.close("tbl_b", (0, 0, 0, 0), "closed")

    assert listed(told) == []


def test_how_often_in_the_month(told: Told) -> None:
    """Of three tables of January two were dissolved as he wished, one of them when he was behind.

    February's is February's.
    """
    for number, (score, at) in enumerate(((-5, 1), (5, 2), (-5, 32 * DAY))):
        table = f"tbl_{number}"
        told.open(table)
        told.vote(table, 0, passed=True, scores=(score, -score, 0, 0), at=at)
        told.close(table, (score, -score, 0, 0), "dissolved", at=at)
    told.open("tbl_9")
    told.close("tbl_9", (0, 0, 0, 0), at=3)

    february, *january = listed(told)
    assert (february.month, february.tables, february.asked) == ("1970-02", 1, 1)
    assert {(one.month, one.tables, one.asked, one.asked_behind) for one in january} == {
        ("1970-01", 3, 2, 1)
    }


def test_who_took_a_seat_over_asked(told: Told) -> None:
    """A seat's wish is his who sits there then."""
    told.open("tbl_a")
    told.change("tbl_a", (4, 1, 2, 3), (0, 1, 2, 3))
    told.vote("tbl_a", 0, passed=False)

    assert [one.requester for one in listed(told)] == [told.club.members[4]]


def test_filters_and_pages(told: Told) -> None:
    """Of a member, of some days; the newest first."""
    told.open("tbl_a")
    for seat, at in ((0, 1), (1, 2), (0, 40 * DAY)):
        told.vote("tbl_a", seat, passed=False, at=at)

    assert [one.at for one in listed(told)] == [40 * DAY, 2, 1]
    assert [one.at for one in listed(told, member=told.club.members[0])] == [40 * DAY, 1]
    assert [one.at for one in listed(told, Page(), Span(last="1970-01-31"))] == [2, 1]
    first = listed(told, Page(1))[0]
    assert [one.at for one in listed(told, Page(1, starting_after=first.id))] == [2]

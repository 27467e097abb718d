"""Leaderboards: members ranked by any column, with exact rates, and all of them together."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ledger.events import MemberGrouped, Won
from projections import leaderboards
from projections.leaderboards import Counts, leaderboard, member_statistics, together
from tests.projections.told import Told, counts, read, rows
from tests.world import World

FEED = ((0, 1, 5),)
"""Seat 0 pays seat 1 five points."""


@pytest.fixture
def told(world: World) -> Told:
    """A club of five, to be told what happens at its tables."""
    return Told(world.once(World.club, world, 5))


def test_ranks_are_shared(told: Told) -> None:
    """The most comes first; who has the same has the same rank, and the next one is left out."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5), (2, 3, 5)))

    found = rows(told)
    assert {seat: found[seat].rank for seat in range(4)} == {0: 3, 1: 1, 2: 3, 3: 1}
    assert [found[seat].counts.points for seat in found] == [5, 5, -5, -5]
    falling = rows(told, descending=False)
    assert [falling[seat].counts.points for seat in falling] == [-5, -5, 5, 5]


def test_who_has_no_rate_comes_last(told: Told) -> None:
    """Of nothing there is no rate, whichever way the list runs."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "self_draw", None, "player"))
    first = next(iter(rows(told, sort=("self_draw_rate",))))
    other = next(iter(rows(told, sort=("self_draw_rate",), descending=False)))

    assert (first, other) == (1, 1)
    assert counts(told, 1).rates["self_draw_rate"].value == Fraction(1)
    assert rows(told, sort=("self_draw_rate",))[0].rank == 2


@pytest.mark.parametrize(
    ("kind", "ranked"),
    [
        ("attendance", [(0, 1), (2, 1), (4, 1), (1, 4)]),
        ("winners", [(0, 1)]),
        ("points", [(4, 1), (0, 2), (2, 3), (1, 4), (3, 5)]),
    ],
)
def test_leaderboards(told: Told, kind: leaderboards.Kind, ranked: list[tuple[int, int]]) -> None:
    """参与榜 by tables, then hands; 赢家榜 by big wins, of who has any; 战绩榜 by points."""
    told.open("tbl_a", members=(0, 1, 2, 4))
    told.hand("tbl_a", 1, ((1, 0, 9),))
    told.close("tbl_a", (9, -9, 0, 0))
    told.open("tbl_b", members=(3, 4, 0, 2))
    told.hand("tbl_b", 1, ((0, 1, 20), (0, 3, 1), (0, 1, 1)))

    board = read(told, leaderboard, kind)
    by_rank = sorted((row.rank, told.club.members.index(row.member)) for row in board)
    assert [(member, rank) for rank, member in by_rank] == ranked


def test_groups(told: Told) -> None:
    """A leaderboard of a group has those who are in it now, with ranks of their own."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5), (2, 3, 4)))
    for member, group in ((0, "g"), (3, "g"), (3, None), (2, "g")):
        told.club.tell(f"member/{told.club.members[member]}", MemberGrouped(group))

    board = read(told, leaderboard, "points", group="g")
    numbers = [(told.club.members.index(row.member), row.rank, row.group) for row in board]
    assert numbers == [(2, 1, "g"), (0, 2, "g")]


def test_together(told: Told) -> None:
    """All together have no points, and the best table of the best, the worst of the worst."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "self_draw", None, "player"))
    told.close("tbl_a", (-5, 5, 0, 0))

    all_of_them = together(read(told, member_statistics))
    assert (all_of_them.hands, all_of_them.points, all_of_them.wins) == (4, 0, 1)
    assert (all_of_them.best, all_of_them.worst) == (5, -5)
    assert together([]) == Counts()


def test_rates_are_exact(told: Told) -> None:
    """A third is a third, and 333 thousandths when it is told."""
    told.open("tbl_a")
    for number in (1, 2, 3):
        wins = [Won(1, 1, "5m", "self_draw", None, "player")] if number == 1 else []
        told.hand("tbl_a", number, FEED, *wins)

    rate = counts(told, 1).rates["win_rate"]
    assert (rate.count, rate.of, rate.value, rate.per_mille) == (1, 3, Fraction(1, 3), 333)

"""Pairs: who sat with whom, who fed whom, and what of it is unusual."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.events import HandEntered, Scored, Won
from projections.feeding import Pair, club_pairs, judged, share
from projections.pairs import NAME, telling_hands
from projections.projection import rebuild
from projections.sums import Span
from tests.projections.told import Told, read
from tests.world import World


@pytest.fixture
def told(world: World) -> Told:
    """A club of five, to be told what happens at its tables."""
    return Told(world.once(World.club, world, 5))


def pair(told: Told, one: int, other: int, *asked: Any) -> Pair:
    """What went from a member to another, by their numbers."""
    members = told.club.members
    found = {(row.member, row.other): row for row in read(told, club_pairs, *asked)}
    row: Pair = found[members[one], members[other]]
    return row


def fed(told: Told, number: int, points: int = 5, table: str = "tbl_a") -> None:
    """A hand in which seat 1 wins with a discard of seat 0."""
    told.hand(table, number, ((0, 1, points),), Won(1, 1, "5m", "discard", 0, "player"), value=3)


# --- what is counted --------------------------------------------------------------------------


def test_who_sat_with_whom(told: Told) -> None:
    """Every two who sat in a hand sat together: in hands, and at tables by their first one."""
    told.open("tbl_a")
    told.open("tbl_b", members=(0, 1, 2, 4))
    fed(told, 1)
    fed(told, 2)
    fed(told, 1, table="tbl_b")

    assert (pair(told, 0, 1).hands, pair(told, 0, 1).tables) == (3, 2)
    assert (pair(told, 4, 2).hands, pair(told, 4, 2).tables) == (1, 1)
    assert len(read(told, club_pairs)) == 2 * 9  # of five members, but 3 and 4 never met


def test_net_points(told: Told) -> None:
    """What one paid the other, less what he got; the other way round it is the opposite."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5), (1, 0, 2), (2, 1, 4)))

    assert [pair(told, *two).net for two in ((0, 1), (1, 0), (2, 1), (0, 2))] == [3, -3, 4, 0]


def test_feeds(told: Told) -> None:
    """A discard won with is a feed, and an opportunity of each of the three others."""
    told.open("tbl_a")
    fed(told, 1)

    assert (pair(told, 0, 1).feeds, pair(told, 0, 1).fed_back) == (1, 0)
    assert (pair(told, 1, 0).feeds, pair(told, 1, 0).fed_back) == (0, 1)
    assert [pair(told, 0, other).opportunities for other in (1, 2, 3)] == [1, 1, 1]
    assert [pair(told, other, 0).opportunities for other in (1, 2, 3)] == [0, 0, 0]


@pytest.mark.parametrize(
    "won",
    [
        Won(1, 1, "5m", "self_draw", None, "player"),
        Won(1, 1, "5m", "rob_kong", 0, "player"),
        HandEntered(1, None, (-5, 5, 0, 0), None),
    ],
)
def test_no_feed(told: Told, won: Won | HandEntered) -> None:
    """A self-draw and a robbed kong are no feeds, and of points alone nobody knows."""
    told.open("tbl_a")
    unknown = isinstance(won, HandEntered)
    told.hand("tbl_a", 1, ((0, 1, 5),), won, end="unknown" if unknown else "win")

    one = pair(told, 0, 1)
    assert (one.hands, one.net, one.feeds, one.opportunities) == (1, 5, 0, 0)


def test_what_a_dispute_reverses_was_never_fed(told: Told) -> None:
    """Points, feeds and opportunities go; that they sat at the table stays."""
    told.open("tbl_a")
    fed(told, 1)
    fed(told, 2)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))

    one = pair(told, 0, 1)
    assert (one.hands, one.tables, one.net, one.feeds, one.opportunities) == (1, 1, 5, 1, 1)
    told.reverse("tbl_a", 2, (5, -5, 0, 0))
    assert read(told, club_pairs) == []


def test_a_correction_is_counted_anew(told: Told) -> None:
    """Given it was seat 2 who won with the discard, then that is whom seat 0 fed."""
    told.open("tbl_a")
    fed(told, 1)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    win = {"seat": 2, "tile": "5m", "how": "discard", "from": 0}
    told.correct("tbl_a", 1, (-2, 0, 2, 0), {"wins": [win]}, (Scored(2, (), 1),))

    assert (pair(told, 0, 1).feeds, pair(told, 0, 2).feeds) == (0, 1)
    assert pair(told, 0, 1).opportunities == 1


def test_a_span(told: Told) -> None:
    told.open("tbl_a")
    fed(told, 1)

    assert pair(told, 0, 1, Span("2026-11-28", "2026-11-28", "huaihua/1")).feeds == 1
    assert read(told, club_pairs, Span("2026-11-29")) == []
    assert read(told, club_pairs, Span(ruleset="haozi/1")) == []


def test_telling_hands(told: Told) -> None:
    """The ten feeds that cost the most, the dearest first."""
    told.open("tbl_a")
    for number in range(1, 13):
        fed(told, number, points=number)

    members = told.club.members
    hands = read(told, telling_hands, members[0], members[1])
    assert [hand.points for hand in hands] == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    assert (hands[0].id, hands[0].value, hands[0].day) == ("tbl_a-12", 3, "2026-11-28")
    assert read(told, telling_hands, members[1], members[0]) == []


# --- what is unusual --------------------------------------------------------------------------


def test_not_enough_data(told: Told) -> None:
    """With few opportunities it is told how many, what is expected, and nothing else."""
    told.open("tbl_a")
    fed(told, 1)

    one = pair(told, 0, 1)
    assert (one.z, one.p, one.q, one.label) == (None, None, None, "not_enough_data")


def test_a_hundred_feeds(told: Told) -> None:
    """Given 100 deal-ins of seat 0, each to seat 1, then that is more than chance can do.

    The club's rate is 100 discard wins in 400 seats, a quarter. Shrunk by 100 hands of that, seat
    1 wins 125 of 200 and each other 25 of 200; so of the three 5/7 are expected to be seat 1's:
    71.4 of 100, with a variance of 100 · 5/7 · 2/7 = 20.4, and z is 28.6 / 4.52 = 6.32.
    """
    told.open("tbl_a")
    for number in range(1, 101):
        fed(told, number)

    one, other = pair(told, 0, 1), pair(told, 0, 2)
    assert one.expected == pytest.approx(71.4286, abs=1e-4)
    assert one.z == pytest.approx(6.3246, abs=1e-4)
    assert (one.feeds, one.opportunities, one.label) == (100, 100, "unusual")
    assert other.expected == pytest.approx(14.2857, abs=1e-4)
    assert (other.feeds, other.label) == (0, "usual")
    assert read(told, club_pairs)[0] == one
    member = told.club.members[3]
    assert {row.id for row in read(told, club_pairs, member=member)} == {
        f"{a}.{b}" for other in told.club.members[:3] for a, b in ((member, other), (other, member))
    }


def with_z(number: int, z: float | None) -> Pair:
    """A pair of its own with enough data, or without."""
    return Pair(f"a{number}", f"b{number}", 200, 20, 0, 0, 0, 100, 0.0, z)


def test_the_share_of_false_alarms() -> None:
    """Of three p-values, 0.00135, 0.0228 and 0.5, Benjamini and Hochberg make these."""
    pairs = judged([with_z(1, 2.0), with_z(2, 0.0), with_z(3, None), with_z(4, 3.0)])

    assert [one.p and round(one.p, 5) for one in pairs] == [0.02275, 0.5, None, 0.00135]
    assert [one.q and round(one.q, 5) for one in pairs] == [0.03413, 0.5, None, 0.00405]
    assert [one.label for one in pairs] == ["unusual", "usual", "not_enough_data", "unusual"]


def test_among_many_some_look_odd() -> None:
    """Of 860 innocent pairs eighteen come to z = 2.1; none of them is called unusual."""
    pairs = judged([with_z(number, 2.1 if number < 18 else 0.0) for number in range(860)])

    assert {one.label for one in pairs} == {"usual"}


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        (1, 1 / 2),  # 2 of 4
        (2, 1 / 2 + 2 * 1 / 4 * 2 / 3),  # or second, behind either of the others
        (3, 1.0),
    ],
)
def test_share_of_the_winners(winners: int, expected: float) -> None:
    """With weights 2, 1, 1: how likely the first is among those who win with one discard."""
    assert share({"a": 2.0, "b": 1.0, "c": 1.0}, "a", winners) == pytest.approx(expected)


def test_a_rebuild_gives_the_same(told: Told) -> None:
    """After feeds, two at once, and a hand that was reversed."""
    told.open("tbl_a")
    fed(told, 1)
    wins = [Won(1, seat, "5m", "discard", 0, "player") for seat in (1, 2)]
    told.hand("tbl_a", 2, ((0, 1, 5), (0, 2, 3)), *wins)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    before = read(told, club_pairs)
    rebuild(told.club.world.database, told.club.id, NAME, told.club.world.clock)

    assert read(told, club_pairs) == before
    assert (pair(told, 0, 1).feeds, pair(told, 0, 2).feeds) == (1, 1)

"""Statistics and leaderboards: what each member played and won, from events told one by one."""

from __future__ import annotations

import pytest

from ledger.events import HandEntered, Scored, Won
from ledger.outcome import WinHow
from projections.checkpoint import stopped
from projections.leaderboards import (
    Pattern,
    member_statistics,
    patterns_of,
)
from projections.projection import rebuild
from projections.statistics import NAME, STATISTICS
from projections.sums import Span
from tests.projections.told import Told, counts, read, rows
from tests.world import World

FEED = ((0, 1, 5),)
"""Seat 0 pays seat 1 five points."""


@pytest.fixture
def told(world: World) -> Told:
    """A club of five, to be told what happens at its tables."""
    return Told(world.once(World.club, world, 5))


# --- hands ------------------------------------------------------------------------------------


def test_a_discard_won_with(told: Told) -> None:
    """Given seat 1 wins with a discard of seat 0, then it is a win of one and a deal-in of one."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "discard", 0, "player"), value=3)

    winner, feeder, other = (counts(told, seat) for seat in (1, 0, 2))
    assert (winner.hands, winner.known_hands, winner.points) == (1, 1, 5)
    assert (winner.wins, winner.self_draws, winner.deal_ins, winner.win_value) == (1, 0, 0, 3)
    assert (feeder.points, feeder.wins, feeder.deal_ins) == (-5, 0, 1)
    assert (other.hands, other.points, other.wins, other.deal_ins) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("how", "from_seat", "self_draws"), [("self_draw", None, 1), ("rob_kong", 0, 0)]
)
def test_a_win_without_a_deal_in(
    told: Told, how: WinHow, from_seat: int | None, self_draws: int
) -> None:
    """A self-draw is told apart; who is robbed of a kong has discarded nothing."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", how, from_seat, "player"))

    assert (counts(told, 1).wins, counts(told, 1).self_draws) == (1, self_draws)
    assert counts(told, 0).deal_ins == 0


def test_two_wins_with_one_discard(told: Told) -> None:
    """Who feeds two at once has dealt in in one hand; both have won it."""
    told.open("tbl_a")
    wins = [Won(1, seat, "5m", "discard", 0, "player") for seat in (1, 2)]
    told.hand("tbl_a", 1, ((0, 1, 5), (0, 2, 3)), *wins)

    assert counts(told, 0).deal_ins == 1
    assert (counts(told, 1).wins, counts(told, 2).wins) == (1, 1)


def test_the_wins_of_another_hand_are_not_this_ones(told: Told) -> None:
    """What is looked back at ends where the hand began."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "self_draw", None, "player"))
    told.hand("tbl_a", 2, ())

    assert (counts(told, 1).hands, counts(told, 1).wins) == (2, 1)


def test_an_entered_outcome_tells_its_wins(told: Told) -> None:
    told.open("tbl_a")
    win = {"seat": 1, "tile": "5m", "how": "discard", "from": 0}
    told.hand("tbl_a", 1, FEED, HandEntered(1, {"wins": [win]}, None, None))

    assert (counts(told, 1).known_hands, counts(told, 1).wins) == (1, 1)
    assert counts(told, 0).deal_ins == 1


def test_points_alone_say_nothing_of_wins(told: Told) -> None:
    """A hand entered by its points counts, and in no rate."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, HandEntered(1, None, (-5, 5, 0, 0), None), end="unknown")

    one = counts(told, 1)
    assert (one.hands, one.known_hands, one.points, one.wins) == (1, 0, 5, 0)
    assert one.rates["win_rate"].value is None


def test_patterns(told: Told) -> None:
    """The patterns of the settlement are counted for the winner, by ruleset."""
    told.open("tbl_a")
    for number in (1, 2):
        names = ("ping_hu", "qing_yi_se")[:number]
        scored = (Scored(1, names, 1),)
        win = Won(1, 1, "5m", "self_draw", None, "player")
        told.hand("tbl_a", number, FEED, win, scored=scored)

    member = told.club.members[1]
    assert read(told, patterns_of, [member]) == {
        member: [Pattern("huaihua/1", "ping_hu", 2), Pattern("huaihua/1", "qing_yi_se", 1)]
    }


# --- what disputes change -----------------------------------------------------------------------


def test_a_void_hand_is_taken_back(told: Told) -> None:
    """Given a dispute voids a hand, then it was never played: hands, points, wins, patterns."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "discard", 0, "player"), value=3)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))

    assert rows(told) == {}
    member = told.club.members[1]
    assert read(told, patterns_of, [member]) == {member: []}


def test_a_corrected_hand_counts_as_corrected(told: Told) -> None:
    """Given seat 2 had won and not seat 1, then the win, the points and the value are seat 2's."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "discard", 0, "player"), value=3)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    win = {"seat": 2, "tile": "5m", "how": "self_draw", "from": None}
    told.correct("tbl_a", 1, (-2, 0, 2, 0), {"wins": [win]}, (Scored(2, ("ping_hu",), 4),))

    assert (counts(told, 1).wins, counts(told, 1).points, counts(told, 1).win_value) == (0, 0, 0)
    two = counts(told, 2)
    assert (two.hands, two.wins, two.self_draws, two.points, two.win_value) == (1, 1, 1, 2, 4)
    assert (counts(told, 0).deal_ins, counts(told, 0).points) == (0, -2)


def test_a_correction_by_points_alone(told: Told) -> None:
    """Then nobody knows any more who won."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED, Won(1, 1, "5m", "discard", 0, "player"))
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    told.correct("tbl_a", 1, (-2, 2, 0, 0), None)

    one = counts(told, 1)
    assert (one.hands, one.known_hands, one.points, one.wins) == (1, 0, 2, 0)


def test_nothing_can_be_taken_back_twice(told: Told) -> None:
    """The reversal of what does not stand stops the projection."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    told.reverse("tbl_a", 1, (5, -5, 0, 0))

    with told.caught_up() as connection:
        assert NAME in {mark.projection for mark in stopped(connection)}


# --- tables -----------------------------------------------------------------------------------


def test_a_match_played_to_its_end(told: Told) -> None:
    """Its result is a table for each: complete, valid, with places, and one big winner."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5), (2, 1, 5), (2, 3, 1)))
    told.close("tbl_a", (-5, 10, -6, 1))

    first, last = counts(told, 1), counts(told, 2)
    assert (first.tables, first.complete_tables, first.valid_tables) == (1, 1, 1)
    assert (first.big_wins, first.firsts, first.placed) == (1, 1, 1)
    assert (first.table_points, first.best, first.worst) == (10, 10, 10)
    assert (last.big_wins, last.fourths, last.table_points) == (0, 1, -6)
    assert (counts(told, 3).seconds, counts(told, 0).thirds) == (1, 1)


def test_places_are_shared(told: Told) -> None:
    """Two with the same points share the better place, and both are big winners."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5), (2, 3, 5)))
    told.close("tbl_a", (-5, 5, -5, 5))

    assert [counts(told, seat).firsts for seat in range(4)] == [0, 1, 0, 1]
    assert [counts(told, seat).thirds for seat in range(4)] == [1, 0, 1, 0]
    assert [counts(told, seat).big_wins for seat in range(4)] == [0, 1, 0, 1]


def test_a_low_score_has_no_big_winner(told: Told) -> None:
    """A match whose best stayed below its mark is played, and not valid 低分局."""
    told.open("tbl_a", low_score=6)
    told.hand("tbl_a", 1, FEED)
    told.close("tbl_a", (-5, 5, 0, 0))

    one = counts(told, 1)
    assert (one.complete_tables, one.low_score_tables, one.valid_tables) == (1, 1, 0)
    assert (one.big_wins, one.firsts) == (0, 1)


def test_nobody_wins_a_match_of_nothing(told: Told) -> None:
    """With all at 0 nobody is the big winner; without a hand that counts there are no places."""
    told.open("tbl_a")
    told.close("tbl_a", (0, 0, 0, 0), "closed")

    one = counts(told, 1)
    assert (one.tables, one.complete_tables, one.big_wins, one.placed, one.firsts) == (
        1,
        0,
        0,
        0,
        0,
    )
    assert one.rates["first_rate"].value is None


def test_a_match_that_was_dissolved(told: Told) -> None:
    """It is a table of each, and a wish that was granted of who asked for it."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)
    told.vote("tbl_a", 2, passed=False)
    told.vote("tbl_a", 0, passed=True)
    told.close("tbl_a", (-5, 5, 0, 0), "dissolved")

    assert [counts(told, seat).dissolved_tables for seat in range(4)] == [1, 1, 1, 1]
    assert [counts(told, seat).asked for seat in range(4)] == [1, 0, 0, 0]
    assert counts(told, 1).valid_tables == 0


def test_a_hand_settled_after_the_close(told: Told) -> None:
    """A result is told anew when the last hand is settled behind the close."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)
    told.close("tbl_a", (-5, 5, 7, -7))
    before = counts(told, 2)
    told.hand("tbl_a", 2, ((3, 2, 7),))

    assert (before.table_points, before.big_wins, before.seconds) == (0, 0, 1)
    after = counts(told, 2)
    assert (after.tables, after.table_points, after.big_wins, after.firsts) == (1, 7, 1, 1)
    assert (counts(told, 1).big_wins, counts(told, 1).seconds) == (0, 1)


def test_a_correction_changes_who_won_the_match(told: Told) -> None:
    """A match long over has another big winner once its hand is corrected."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)
    told.close("tbl_a", (-5, 5, 0, 0))
    told.reverse("tbl_a", 1, (5, -5, 0, 0))
    told.correct("tbl_a", 1, (3, -3, 0, 0), None)

    assert [counts(told, seat).big_wins for seat in range(4)] == [1, 0, 0, 0]
    assert [counts(told, seat).table_points for seat in range(4)] == [3, -3, 0, 0]


def test_who_takes_a_seat_over_goes_on_with_its_points(told: Told) -> None:
    """Given a fifth member for seat 1, then the match is his, and each has the points of his own
    hands.
    """
    told.open("tbl_a", members=(0, 1, 2, 3))
    told.hand("tbl_a", 1, FEED)
    told.change("tbl_a", (3, 4, 2, 0), (3, 1, 2, 0))
    told.hand("tbl_a", 2, ((0, 1, 2),))
    told.close("tbl_a", (-2, 7, 0, -5))

    fifth, second = counts(told, 4), counts(told, 1)
    assert (fifth.tables, fifth.table_points, fifth.firsts, fifth.points) == (1, 7, 1, 2)
    assert (second.tables, second.hands, second.points) == (0, 1, 5)
    assert (counts(told, 3).table_points, counts(told, 0).table_points) == (-2, -5)


# --- spans ------------------------------------------------------------------------------------


def test_a_hand_counts_on_its_effective_date(told: Told) -> None:
    """It was booked on 2026-11-29, and counts for the day before."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)

    assert counts(told, 1, Span("2026-11-28", "2026-11-28")).points == 5
    assert rows(told, Span(first="2026-11-29")) == {}
    assert rows(told, Span(last="2026-11-27")) == {}


def test_hours_and_rulesets(told: Told) -> None:
    """A hand ends at 08:02 in Shanghai, 150 seconds after midnight of 1970 in UTC."""
    told.open("tbl_a")
    told.hand("tbl_a", 1, FEED)

    assert counts(told, 1, Span(hour=8)).hands == 1
    assert rows(told, Span(hour=9)) == {}
    assert counts(told, 1, Span(ruleset="huaihua/1")).hands == 1
    assert rows(told, Span(ruleset="haozi/1")) == {}


def test_a_table_counts_on_the_day_of_its_close(told: Told) -> None:
    """The club's day ends at 05:00 in Shanghai: 20:59 in UTC is still the day before's."""
    told.open("tbl_a")
    told.close("tbl_a", (0, 0, 0, 0), at=(20 * 3600 + 59 * 60) * 1_000_000)
    told.open("tbl_b")
    told.close("tbl_b", (0, 0, 0, 0), at=21 * 3600 * 1_000_000)

    assert counts(told, 0, Span("1970-01-01", "1970-01-01")).tables == 1
    assert counts(told, 0, Span("1970-01-02", "1970-01-02")).tables == 1
    assert counts(told, 0, Span(hour=4)).tables == 1
    assert counts(told, 0, Span(hour=5)).tables == 1


def test_a_rebuild_gives_the_same(told: Told) -> None:
    """After matches, votes, corrections and changes of seats."""
    test_a_correction_changes_who_won_the_match(told)
    told.open("tbl_b", members=(0, 1, 2, 3))
    told.hand("tbl_b", 1, FEED, Won(1, 1, "5m", "discard", 0, "player"))
    told.change("tbl_b", (0, 4, 2, 3), (0, 1, 2, 3))
    told.vote("tbl_b", 0, passed=True)
    told.close("tbl_b", (-5, 5, 0, 0), "dissolved")
    before = read(told, member_statistics)
    generation = rebuild(told.club.world.database, told.club.id, NAME, told.club.world.clock)

    assert generation == 2
    assert read(told, member_statistics) == before
    assert len(STATISTICS.tables) == 6

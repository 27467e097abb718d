"""Seats that change between two hands, votes to dissolve, and what a hand starts under."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Vote
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.streams.entering import EnterHand
from ledger.streams.limits import Limits, Standing
from ledger.streams.match import Admission, Table, match_totals, next_dealer
from ledger.streams.table import (
    ChangeSeats,
    CloseTable,
    Dissolve,
    KeepPlaying,
    StartHand,
    TableCommand,
    Wish,
    decide,
)
from tests.streams.test_table import AT, NOW, OPENING, SECRET, WALL, after, facts, refused

A, B, C, D, E = "mem_a", "mem_b", "mem_c", "mem_d", "mem_e"
FREE = Limits(None, None, None, None, None, 1)
WON = EnterHand(SECRET, totals=(9, -2, -3, -4), next_dealer=0)
"""A hand that seat 0 won, and after which it deals."""


def totals(table: Table) -> tuple[int, ...]:
    return match_totals(table, ruleset(table.ruleset, table.options))


def dealer(table: Table) -> tuple[int, int]:
    return next_dealer(table, ruleset(table.ruleset, table.options))


# --- seats ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "lines"),
    [
        ((B, A, C, D), (1, 0, 2, 3)),
        ((A, B, C, E), (0, 1, 2, 3)),
        ((E, A, C, D), (1, 0, 2, 3)),
        ((E, B, C, A), (3, 1, 2, 0)),
    ],
    ids=["two change", "another at a seat", "another where one stayed", "and one who moved"],
)
def test_points_go_with_who_stays_and_who_comes_takes_over_what_is_left(
    seats: tuple[str, ...], lines: tuple[int, ...]
) -> None:
    table = after(OPENING, WON)
    assert facts(decide(table, ChangeSeats(seats), NOW)) == [e.SeatsChanged(AT, seats, lines)]


def test_two_who_come_take_over_the_seats_that_were_left_each_his_own_first() -> None:
    """Seats 0 and 3 are left; who sits down at 3 goes on there, the other takes over seat 0."""
    changed = decide(after(OPENING, WON), ChangeSeats((B, "mem_f", C, E)), NOW)
    assert facts(changed) == [e.SeatsChanged(AT, (B, "mem_f", C, E), (1, 0, 2, 3))]


def test_after_a_change_the_points_and_the_deal_stand_at_the_new_seats() -> None:
    """Given seat 0 with 9 points and the deal, when he moves to seat 2, then both are there."""
    table = after(OPENING, WON, ChangeSeats((C, B, A, D)))
    assert totals(table) == (-3, -2, 9, -4)
    assert dealer(table) == (2, 1)
    started = after(StartHand(WALL, SECRET), table=table)
    assert started.seats == (C, B, A, D)
    assert (started.totals, started.dealer) == ((-3, -2, 9, -4), 2)
    assert started.lines == ()


def test_seats_may_change_twice_between_two_hands() -> None:
    table = after(OPENING, WON, ChangeSeats((C, B, A, D)), ChangeSeats((C, B, D, A)))
    assert totals(table) == (-3, -2, -4, 9)
    assert dealer(table) == (3, 1)


def test_a_match_that_is_closed_after_a_change_ends_with_its_points_where_they_sit() -> None:
    table = after(OPENING, WON, ChangeSeats((B, A, C, D)))
    (closed,) = facts(decide(table, CloseTable(), NOW))
    assert isinstance(closed, e.TableClosed)
    assert closed.totals == (-2, 9, -3, -4)


def test_before_the_first_hand_who_deals_takes_the_deal_with_him() -> None:
    """Seat 1 deals first; when its member moves to seat 3, seat 3 does."""
    table = after(OPENING, ChangeSeats((A, D, C, B)))
    assert dealer(table) == (3, 1)
    assert totals(table) == (0, 0, 0, 0)


def test_where_all_sit_so_already_nothing_happens() -> None:
    assert decide(after(OPENING), ChangeSeats(OPENING.seats), NOW) == ()


@pytest.mark.parametrize(
    ("seats", "refusal"),
    [
        ((A, B, C), ("seats_count", "/seats")),
        ((A, B, C, A), ("member_seated_twice", "/seats")),
    ],
)
def test_seats_that_cannot_be(seats: tuple[str, ...], refusal: tuple[str, str]) -> None:
    assert refused(after(OPENING), ChangeSeats(seats)) == refusal


def test_in_the_middle_of_a_hand_nobody_changes_seats() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    assert refused(table, ChangeSeats((B, A, C, D))) == ("hand_running", "")


# --- votes ------------------------------------------------------------------------------------

AGREED = (Vote(1, "agreed", 4), Vote(2, "agreed", 9), Vote(3, "silent", 60))


def test_a_match_that_is_dissolved_by_a_vote_tells_it_first() -> None:
    """The scores are those of the hands before the one that runs."""
    table = after(OPENING, WON, StartHand(WALL, SECRET))
    voted, ended, closed = facts(decide(table, Dissolve(wish=Wish(0, AGREED)), NOW))
    assert voted == e.DissolutionVoted(AT, 0, AGREED, True, (9, -2, -3, -4))
    assert isinstance(ended, e.HandEnded)
    assert isinstance(closed, e.TableClosed)


def test_a_vote_that_comes_to_nothing_is_told_and_the_hand_goes_on() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    votes = (Vote(0, "refused", 3),)
    command = KeepPlaying(Wish(2, votes))
    assert facts(decide(table, command, NOW)) == [
        e.DissolutionVoted(AT, 2, votes, False, (0, 0, 0, 0))
    ]
    assert after(command, table=table) == table


def scores_of(table: Table, seat: int) -> tuple[int, ...]:
    """The scores that a wish to dissolve tells which comes to nothing."""
    (voted,) = facts(decide(table, KeepPlaying(Wish(seat)), NOW))
    assert isinstance(voted, e.DissolutionVoted)
    return voted.scores


def test_between_two_hands_a_vote_tells_the_hand_that_ended_last() -> None:
    assert scores_of(after(OPENING, WON), 0) == (9, -2, -3, -4)


def test_a_vote_after_seats_changed_tells_the_points_where_each_sits_now() -> None:
    """Given seat 0 with 9 points, when its member has moved to seat 2, then they stand there."""
    moved = after(OPENING, WON, ChangeSeats((C, B, A, D)))
    assert scores_of(moved, 2) == (-3, -2, 9, -4)
    assert scores_of(after(StartHand(WALL, SECRET), table=moved), 2) == (-3, -2, 9, -4)


def test_a_vote_that_dissolves_between_two_hands_tells_the_same_points_as_the_close() -> None:
    moved = after(OPENING, WON, ChangeSeats((C, B, A, D)))
    voted, closed = facts(decide(moved, Dissolve(wish=Wish(0, AGREED)), NOW))
    assert isinstance(voted, e.DissolutionVoted)
    assert isinstance(closed, e.TableClosed)
    assert voted.scores == closed.totals == (-3, -2, 9, -4)


ALL = tuple(Vote(seat, "agreed", 1) for seat in (1, 2, 3))
NONE = (Vote(1, "refused", 1), Vote(2, "silent", 60))


@pytest.mark.parametrize("votes", [(), NONE], ids=["nobody voted", "nobody agreed"])
def test_a_wish_to_which_nobody_else_agreed_has_not_passed(votes: tuple[Vote, ...]) -> None:
    with pytest.raises(Refused) as refusal:
        decide(after(OPENING), Dissolve(wish=Wish(0, votes)), NOW)
    told = refusal.value
    assert (told.code, told.pointer) == ("vote_contradicts", "/wish/votes")
    assert told.params == {"agreed": 0, "others": 3}
    assert facts(decide(after(OPENING), KeepPlaying(Wish(0, votes)), NOW)) == [
        e.DissolutionVoted(AT, 0, votes, False, (0, 0, 0, 0))
    ]


def test_a_wish_to_which_all_agreed_has_not_come_to_nothing() -> None:
    with pytest.raises(Refused) as refusal:
        decide(after(OPENING), KeepPlaying(Wish(0, ALL)), NOW)
    assert refusal.value.code == "vote_contradicts"
    assert refusal.value.params == {"agreed": 3, "others": 3}
    assert facts(decide(after(OPENING), Dissolve(wish=Wish(0, ALL)), NOW))[0] == (
        e.DissolutionVoted(AT, 0, ALL, True, (0, 0, 0, 0))
    )


def test_how_many_it_takes_is_the_clubs() -> None:
    """Given two of three who agreed, then it may have passed and may have come to nothing."""
    two = ALL[:2]
    for command in (Dissolve(wish=Wish(0, two)), KeepPlaying(Wish(0, two))):
        assert decide(after(OPENING), command, NOW)


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (Wish(4), ("seat_unknown", "/wish/seat")),
        (Wish(0, (Vote(4, "agreed", 1),)), ("seat_unknown", "/wish/votes/0/seat")),
        (Wish(0, (Vote(0, "agreed", 1),)), ("voted_twice", "/wish/votes/0/seat")),
        (
            Wish(0, (Vote(1, "agreed", 1), Vote(1, "refused", 1))),
            ("voted_twice", "/wish/votes/1/seat"),
        ),
        (Wish(0, (Vote(1, "agreed", -1),)), ("number_range", "/wish/votes/0/seconds")),
        (Wish(0, (Vote(1, "agreed", 86_401),)), ("number_range", "/wish/votes/0/seconds")),
    ],
)
def test_a_vote_that_cannot_have_been(wish: Wish, refusal: tuple[str, str]) -> None:
    table = after(OPENING)
    commands: list[TableCommand] = [Dissolve(wish=wish), KeepPlaying(wish)]
    assert [refused(table, command) for command in commands] == [refusal, refusal]


# --- limits -----------------------------------------------------------------------------------


def standing(member: str, points: int, **more: Any) -> Standing:
    return Standing(member, points, more.get("lost", 0), 0)


def admission(pause: int | None = None, **more: Any) -> Admission:
    limits = replace(FREE, pause_floor=pause)
    seats = tuple((limits, standing(name, -10 * place)) for place, name in enumerate(OPENING.seats))
    return Admission(more.get("cap"), seats, 41, "aa")


@pytest.mark.parametrize("start", [StartHand(WALL, SECRET), WON], ids=["dealt", "entered"])
def test_the_first_event_of_a_hand_holds_the_cap_and_the_digest_of_what_its_members_had(
    start: StartHand | EnterHand,
) -> None:
    command = replace(start, admission=admission(pause=-30, cap=64))
    started = decide(after(OPENING), command, NOW)[0].fact
    assert isinstance(started, e.HandStarted)
    assert (started.cap, started.balances, started.balances_at) == (64, "aa", 41)


def test_without_limits_it_holds_nothing() -> None:
    started = decide(after(OPENING), StartHand(WALL, SECRET), NOW)[0].fact
    assert isinstance(started, e.HandStarted)
    assert (started.cap, started.balances, started.balances_at) == (None, None, 0)


@pytest.mark.parametrize("start", [StartHand(WALL, SECRET), WON], ids=["dealt", "entered"])
def test_a_hand_does_not_start_with_one_below_the_pause_floor(
    start: StartHand | EnterHand,
) -> None:
    """Seat 3 has -30 points, and the floor is -25."""
    with pytest.raises(Refused) as refusal:
        decide(after(OPENING), replace(start, admission=admission(pause=-25)), NOW)
    assert refusal.value.code == "below_pause_floor"
    assert refusal.value.params == {"member": D, "points": -30, "limit": -25, "missing": 5}


def test_what_a_seat_loses_above_the_cap_is_given_back_and_counts_for_the_match() -> None:
    """Seats lost 2, 3 and 4; with a cap of 3 the last of them gets 1 back from who won 9."""
    table = after(OPENING, replace(WON, admission=admission(cap=3)))
    assert totals(table) == (8, -2, -3, -3)

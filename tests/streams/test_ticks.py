"""The tick 对账 of a match: when it can be given, taken back, and what it does to the match."""

from __future__ import annotations

import pytest

from ledger import events as e
from ledger.streams.entering import EnterHand
from ledger.streams.table import CloseTable, StartHand, Table, Tick, decide, evolve, fold
from tests.streams.test_table import AT, MINUTE, NOW, OPENING, SECRET, WALL, after, facts, refused

ENDED = after(OPENING, EnterHand(SECRET, totals=(9, -2, -3, -4), next_dealer=0), CloseTable())
RIGHT, WRONG = Tick(ticked=True), Tick(ticked=False)


def test_the_points_of_a_match_that_ended_are_ticked_with_a_note() -> None:
    ticked = decide(ENDED, Tick(ticked=True, note="digest"), NOW)
    assert facts(ticked) == [e.TableTicked(AT, ticked=True, note="digest")]


def test_a_tick_is_taken_back() -> None:
    taken_back = decide(after(RIGHT, table=ENDED), WRONG, NOW)
    assert facts(taken_back) == [e.TableTicked(AT, ticked=False, note=None)]


def test_a_tick_that_was_taken_back_is_given_again() -> None:
    assert len(decide(after(RIGHT, WRONG, table=ENDED), RIGHT, NOW)) == 1


def test_a_match_without_a_hand_is_ticked_as_any() -> None:
    assert len(decide(after(OPENING, CloseTable()), RIGHT, NOW)) == 1


@pytest.mark.parametrize(
    ("table", "command"),
    [
        (after(RIGHT, table=ENDED), RIGHT),
        (after(RIGHT, table=ENDED), Tick(ticked=True, note="digest")),
        (ENDED, WRONG),
        (after(OPENING), WRONG),
    ],
    ids=["ticked", "with another note", "not ticked", "running"],
)
def test_what_stands_already_changes_nothing(table: Table, command: Tick) -> None:
    assert decide(table, command, NOW) == ()


def test_after_a_hand_was_decided_anew_it_is_ticked_no_more() -> None:
    """It can be ticked again; there is nothing to take back."""
    ticked = after(RIGHT, table=ENDED)
    assert facts(decide(ticked, Tick(ticked=True, revised=True), NOW)) == [
        e.TableTicked(AT, ticked=True, note=None)
    ]
    assert decide(ticked, Tick(ticked=False, revised=True), NOW) == ()


def test_a_match_that_goes_on_cannot_be_ticked() -> None:
    for table in (after(OPENING), after(OPENING, StartHand(WALL, SECRET))):
        assert refused(table, RIGHT) == ("table_runs", "")


def test_hands_that_wait_for_their_points_are_settled_first() -> None:
    assert refused(ENDED, Tick(ticked=True, unsettled=2)) == ("hands_unsettled", "")


def test_of_no_table_there_is_nothing_to_tick() -> None:
    assert refused(None, RIGHT) == ("table_unknown", "")


def test_a_tick_has_its_own_time_which_is_never_before_the_end() -> None:
    (told,) = facts(decide(ENDED, Tick(ticked=True, at=AT + MINUTE), NOW))
    assert told == e.TableTicked(AT + MINUTE, ticked=True, note=None)
    assert refused(ENDED, Tick(ticked=True, at=AT - 1)) == ("at_before_last", "/at")


def test_a_tick_changes_nothing_else_of_a_match() -> None:
    """It is closed as it was, with its points, and takes no hand."""
    ticked = after(RIGHT, table=ENDED)
    assert (ticked.closed, ticked.totals, ticked.hand) == ("closed", (9, -2, -3, -4), ENDED.hand)
    assert refused(ticked, StartHand(WALL, SECRET)) == ("table_closed", "")
    assert decide(ticked, CloseTable(), NOW) == ()


def test_the_state_is_folded_with_the_tick() -> None:
    opened = decide(None, OPENING, NOW)
    closed = decide(fold(opened), CloseTable(), NOW)
    ended = fold((*opened, *closed))
    assert ended is not None
    (ticked,) = decide(ended, RIGHT, NOW)
    assert fold((*opened, *closed, ticked)) == evolve(ended, ticked)
    assert evolve(ended, ticked).ticked is True

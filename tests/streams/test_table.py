"""A table 牌桌: given its events, when a command comes, then these events follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.rules.turns import legal_actions
from ledger.streams.now import Now
from ledger.streams.table import (
    Act,
    CloseTable,
    Dissolve,
    OpenTable,
    StartHand,
    Table,
    TableCommand,
    Void,
    decide,
    evolve,
    fold,
)
from ledger.tiles import Tiles, parse_tiles, take

MINUTE = 60 * 1_000_000
AT = 1_800_000_000_000_000
NOW = Now(AT, lambda at: "2027-01-15" if at < AT + MINUTE else "2027-01-16", lambda at: 5)
WALL: Tiles = tuple(range(27)) * 4
WON = parse_tiles("123456789m12355p")
WON_AT_ONCE: Tiles = (*WON, *sorted((Counter(WALL) - Counter(WON)).elements()))
"""A wall that deals its dealer a complete hand: the first choice of all is to win."""
SECRET = "5e" * 32
OPENING = OpenTable(
    ruleset="huaihua/1",
    options={},
    seats=("mem_a", "mem_b", "mem_c", "mem_d"),
    hands=2,
    low_score=10,
    dealer=1,
    recorder="key_server",
)


def facts(events: Iterable[Event]) -> list[e.Fact]:
    return [event.fact for event in events]


def after(*commands: TableCommand, table: Table | None = None) -> Table:
    """The table after commands, each decided on what those before it made."""
    for command in commands:
        for event in decide(table, command, NOW):
            table = evolve(table, event)
    assert table is not None
    return table


def played_out(table: Table) -> Table:
    """The table after its hand was played to the end, every seat taking its first choice."""
    while table.playing is not None:
        rules = ruleset(table.ruleset, table.options)
        choices = (c for seat in range(4) for c in legal_actions(table.playing, seat, rules))
        table = after(Act(next(choices)), table=table)
    return table


def refused(table: Table | None, command: TableCommand) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        decide(table, command, NOW)
    return refusal.value.code, refusal.value.pointer


# --- opening ----------------------------------------------------------------------------------


def test_a_match_is_opened_with_all_its_options() -> None:
    (opened,) = facts(decide(None, replace(OPENING, options={"bird_count": 2}), NOW))
    assert isinstance(opened, e.TableOpened)
    assert opened.at == AT
    assert opened.options["bird_count"] == 2
    assert opened.options["win_mode"] == "self_draw"
    assert len(opened.options) == 16


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"ruleset": "sichuan/1"}, ("ruleset_unknown", "")),
        ({"options": {"kan_gang": True}}, ("option_unknown", "")),
        ({"options": {"players": 3}}, ("seats_count", "/seats")),
        ({"seats": ("mem_a", "mem_b", "mem_c", "mem_a")}, ("member_seated_twice", "/seats")),
        ({"dealer": 4}, ("seat_unknown", "/dealer")),
        ({"dealer": -1}, ("seat_unknown", "/dealer")),
        ({"hands": 0}, ("number_range", "/hands")),
        ({"hands": 1001}, ("number_range", "/hands")),
        ({"at": AT + 5 * MINUTE + 1}, ("at_in_future", "/at")),
    ],
)
def test_an_opening_that_cannot_be_is_refused(
    change: dict[str, Any], refusal: tuple[str, str]
) -> None:
    assert refused(None, replace(OPENING, **change)) == refusal


def test_a_table_is_opened_once() -> None:
    assert refused(after(OPENING), OPENING) == ("table_exists", "")


@pytest.mark.parametrize(
    "command", [StartHand(WALL, SECRET), Dissolve(), CloseTable(), Void(1, "")]
)
def test_before_its_opening_there_is_no_table(command: TableCommand) -> None:
    assert refused(None, command) == ("table_unknown", "")


# --- hands ------------------------------------------------------------------------------------


def test_a_hand_starts_with_all_it_needs_from_before() -> None:
    started, dealt = decide(after(OPENING), StartHand(WALL, SECRET), NOW)
    assert started.fact == e.HandStarted(
        at=AT,
        number=1,
        ruleset="huaihua/1",
        options=after(OPENING).options,
        seats=OPENING.seats,
        dealer=1,
        streak=1,
        hands=2,
        low_score=10,
        recorder="key_server",
        totals=(0, 0, 0, 0),
        wilds=(),
        tiles=108,
    )
    assert started.slots[:4] == (None, None, None, None)
    assert isinstance(started.slots[4], e.WallBuilt)
    assert started.slots[4].secret == SECRET
    assert dealt.slots[1] == e.DealtTiles("123456789m12345p")


def test_the_state_of_a_table_is_folded_from_its_latest_hand() -> None:
    """Given a second hand, then its start alone makes the state that all events make."""
    first = played_out(after(OPENING, StartHand(WALL, SECRET)))
    second = decide(first, StartHand(WALL, SECRET), NOW)
    whole = first
    for event in second:
        whole = evolve(whole, event)
    assert fold(second) == whole
    assert whole.number == 2


def test_the_winner_deals_next_and_the_points_go_on() -> None:
    first = played_out(after(OPENING, StartHand(WON_AT_ONCE, SECRET)))
    second = after(StartHand(WALL, SECRET), table=first)
    assert second.hand is not None
    assert (second.hand.dealer, second.hand.streak) == (1, 2)
    assert second.totals == (-2, 6, -2, -2)


def test_a_hand_starts_when_the_one_before_has_ended() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    assert refused(table, StartHand(WALL, SECRET)) == ("hand_running", "")


@pytest.mark.parametrize("wall", [take(WALL, 0), (*WALL, 0), (*WALL[1:], 26), (*WALL[1:], 31)])
def test_a_wall_is_four_of_each_kind_in_play(wall: Tiles) -> None:
    assert refused(after(OPENING), StartHand(wall, SECRET)) == ("wall_composition", "/wall")


def test_nobody_acts_where_no_hand_runs() -> None:
    act = Act(Choice(1, "discard", "1m"))
    assert refused(after(OPENING), act) == ("no_hand_running", "")


# --- time -------------------------------------------------------------------------------------


def test_an_action_happens_when_its_sender_says() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    act = Act(Choice(1, "discard", "1m"), at=AT + 2 * MINUTE)
    discarded, *_ = facts(decide(table, act, NOW))
    assert isinstance(discarded, e.Discarded)
    assert discarded.at == AT + 2 * MINUTE


def test_an_action_without_a_time_never_happens_before_what_came_last() -> None:
    """Given a client's clock that runs ahead, then what comes next is not before it."""
    table = after(OPENING, StartHand(WALL, SECRET, at=AT + MINUTE))
    discarded, *_ = facts(decide(table, Act(Choice(1, "discard", "1m")), NOW))
    assert isinstance(discarded, e.Discarded)
    assert discarded.at == AT + MINUTE


def test_an_action_is_not_before_the_tables_last() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    act = Act(Choice(1, "discard", "1m"), at=AT - 1)
    assert refused(table, act) == ("at_before_last", "/at")


def test_a_hand_is_booked_today_and_effective_on_the_day_of_its_end() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    ended, closed = facts(decide(table, Dissolve(at=AT + 2 * MINUTE), NOW))
    assert isinstance(ended, e.HandEnded)
    assert (ended.booked_date, ended.effective_date) == ("2027-01-15", "2027-01-16")
    assert isinstance(closed, e.TableClosed)


# --- the end of a match -----------------------------------------------------------------------


def test_the_last_hands_end_closes_the_match_with_its_totals() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    table = played_out(after(StartHand(WALL, SECRET), table=played_out(table)))
    assert table.closed == "played"
    assert sum(table.totals) == 0
    assert refused(table, StartHand(WALL, SECRET)) == ("table_closed", "")


def test_a_dissolved_match_ends_in_the_middle_of_its_hand() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    ended, closed = facts(decide(table, Dissolve("n0te"), NOW))
    assert isinstance(ended, e.HandEnded)
    assert (ended.end, ended.secret) == ("dissolved", SECRET)
    assert closed == e.TableClosed(AT, "dissolved", "n0te", 1, (0, 0, 0, 0))


def test_a_match_is_dissolved_between_hands_too() -> None:
    (closed,) = facts(decide(after(OPENING), Dissolve(), NOW))
    assert closed == e.TableClosed(AT, "dissolved", None, 0, (0, 0, 0, 0))


def test_a_match_is_closed_between_two_hands_only() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    assert refused(table, CloseTable()) == ("hand_running", "")
    (closed,) = facts(decide(played_out(table), CloseTable(), NOW))
    assert isinstance(closed, e.TableClosed)
    assert (closed.reason, closed.hands) == ("closed", 1)


def test_to_ask_for_an_end_that_stands_changes_nothing() -> None:
    assert decide(after(OPENING, Dissolve()), Dissolve(), NOW) == ()
    assert decide(after(OPENING, CloseTable()), CloseTable(), NOW) == ()
    assert refused(after(OPENING, CloseTable()), Dissolve()) == ("table_closed", "")


# --- a void hand ------------------------------------------------------------------------------

VOID = Void(1, "n0te")
VOID_SECOND = Void(2, "n0te")


def test_a_hand_is_voided_at_once_and_books_nothing() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    voided = facts(decide(table, Void(1, "n0te", at=AT + MINUTE), NOW))
    assert voided == [e.HandVoided(at=AT + MINUTE, secret=SECRET, note="n0te", hands=3)]


def test_in_a_void_hand_nobody_acts_any_more() -> None:
    table = after(OPENING, StartHand(WALL, SECRET), VOID)
    assert table.hand is not None
    assert (table.hand.end, table.hand.turn, table.hand.secret) == ("void", None, SECRET)
    assert refused(table, Act(Choice(1, "discard", "1m"))) == ("no_hand_running", "")


def test_after_a_void_hand_the_same_dealer_deals_and_the_points_are_as_before() -> None:
    """Given a hand won by its dealer and one voided, then the third is what the second was."""
    won = played_out(after(OPENING, StartHand(WON_AT_ONCE, SECRET)))
    table = after(StartHand(WALL, SECRET), VOID_SECOND, StartHand(WALL, SECRET), table=won)
    assert table.hand is not None
    assert (table.hand.number, table.hand.dealer, table.hand.streak) == (3, 1, 2)
    assert table.totals == (-2, 6, -2, -2)


def test_a_void_hand_is_none_of_those_planned() -> None:
    """Given two hands planned and the second voided, then the third is the last."""
    won = played_out(after(OPENING, StartHand(WON_AT_ONCE, SECRET)))
    table = after(StartHand(WALL, SECRET), VOID_SECOND, table=won)
    assert (table.number, table.hands, table.closed) == (2, 3, None)
    started, *dealt = decide(table, StartHand(WON_AT_ONCE, SECRET), NOW)
    assert isinstance(started.fact, e.HandStarted)
    assert started.fact.hands == 3
    table = played_out(fold([started, *dealt]) or table)
    assert (table.number, table.closed, table.totals) == (3, "played", (-4, 12, -4, -4))


def test_only_a_hand_that_runs_is_voided() -> None:
    assert refused(after(OPENING), VOID) == ("hand_not_running", "")
    running = after(OPENING, StartHand(WALL, SECRET))
    assert refused(running, Void(2, "n0te")) == ("hand_not_running", "")
    assert refused(played_out(running), VOID) == ("hand_not_running", "")
    assert refused(after(OPENING, Dissolve()), VOID) == ("table_closed", "")


def test_a_hand_is_voided_no_earlier_than_it_was_played() -> None:
    table = after(OPENING, StartHand(WALL, SECRET))
    assert refused(table, Void(1, "n0te", at=AT - 1)) == ("at_before_last", "/at")


def test_to_void_a_void_hand_changes_nothing() -> None:
    """Given a void hand, then voiding it again is no event, whenever and for whatever reason."""
    table = after(OPENING, StartHand(WALL, SECRET), VOID)
    assert decide(table, Void(1, "other", at=AT - MINUTE), NOW) == ()
    assert decide(after(CloseTable(), table=table), VOID, NOW) == ()


def test_a_late_order_voids_no_other_hand_than_the_one_it_names() -> None:
    """Given the first hand void and the second running, then the first is not voided again."""
    table = after(OPENING, StartHand(WALL, SECRET), VOID, StartHand(WALL, SECRET))
    assert refused(table, VOID) == ("hand_not_running", "")


def test_a_match_ends_after_a_void_hand_with_the_points_before_it() -> None:
    won = played_out(after(OPENING, StartHand(WON_AT_ONCE, SECRET)))
    table = after(StartHand(WALL, SECRET), VOID_SECOND, table=won)
    closed = e.TableClosed(AT, "closed", None, 2, (-2, 6, -2, -2))
    assert facts(decide(table, CloseTable(), NOW)) == [closed]
    assert facts(decide(table, Dissolve(), NOW)) == [replace(closed, reason="dissolved")]


# --- clocks -----------------------------------------------------------------------------------


def test_a_clock_set_back_holds_nobody_up() -> None:
    """Given a ledger whose clock is an hour behind, then the table goes on from its own last."""
    table = after(OPENING, StartHand(WALL, SECRET))
    behind = Now(AT - 60 * MINUTE, NOW.day, NOW.weekday)
    discarded, *_ = facts(decide(table, Act(Choice(1, "discard", "1m")), behind))
    assert isinstance(discarded, e.Discarded)
    assert discarded.at == AT
    ahead = Act(Choice(1, "discard", "1m"), at=AT + 5 * MINUTE)
    assert decide(table, ahead, behind)
    assert decide(table, Dissolve(), behind)

"""What the ledger does for a game besides its rules: wild kinds, bets, the day of the week."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from ledger import acts, dealing
from ledger.acts import Opening
from ledger.codec import unseal
from ledger.events import Event, HandEnded, HandStarted, Private, WallBuilt, WeekdaySet
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.simulate import play_match
from ledger.streams.table import Act
from ledger.tiles import COPIES, drawn, parse_tile, shuffled, tile_text
from projections.replay import hand_at
from tests.world import SECOND, Club, World

FRIDAY_NIGHT = 1_800_028_799 * SECOND
"""23:59:59 on Friday 2027-01-15 in Shanghai; the business day goes on until five."""


def open_table(club: Club, key: str, at: int | None = None, **options: Any) -> str:
    """A table of a game with four of the club's members."""
    desk = structs.replace(club.desk, ledger=replace(club.world.ledger, clock=lambda: at or 0))
    opening = Opening(key, options, club.members, 4, dealer=0)
    opened = acts.open_table(desk if at else club.desk, opening)
    return opened.stream.removeprefix("table/")


def events(club: Club, kind: str) -> list[Event]:
    """The events of one type in the club's log."""
    return [unseal(row.type, row.public, row.slots) for row in club.log() if row.type == kind]


def dissolve(club: Club, table: str, at: int) -> HandEnded:
    """The end of the hand that runs, dissolved at a moment."""
    ledger = replace(club.world.ledger, clock=lambda: at)
    acts.end_table(structs.replace(club.desk, ledger=ledger), table, dissolve=True)
    fact = events(club, "HandEnded/1")[-1].fact
    assert isinstance(fact, HandEnded)
    return fact


# --- wild kinds -------------------------------------------------------------------------------


def started(club: Club) -> tuple[HandStarted, WallBuilt]:
    """The latest start of a hand, with the table's own slot."""
    event = events(club, "HandStarted/2")[-1]
    built: Private | None = event.slots[-1]
    assert isinstance(event.fact, HandStarted)
    assert isinstance(built, WallBuilt)
    return event.fact, built


def test_wild_kinds_that_the_ledger_draws_follow_from_the_hands_secret(club: Club) -> None:
    """So whoever has the hand can check that nobody chose them."""
    options: dict[str, Any] = {"variant": "double_rat"}
    dealing.start_hand(club.desk, open_table(club, "haozi/1", **options))
    fact, built = started(club)
    rules, secret = ruleset("haozi/1", options), bytes.fromhex(built.secret)
    assert fact.wilds == tuple(map(tile_text, drawn(rules.kinds, 2, secret)))
    assert built.wall == "".join(map(tile_text, shuffled(rules.kinds * COPIES, secret)))


def test_a_game_server_may_bring_the_wild_kinds_it_drew(club: Club) -> None:
    table = open_table(club, "haozi/1")
    dealing.start_hand(club.desk, table, wilds=(parse_tile("5z"),))
    fact, _ = started(club)
    assert fact.wilds == ("5z",)


@pytest.mark.parametrize("wilds", ["", "5m", "1z2z", "1z1z"])
def test_wild_kinds_that_the_game_does_not_draw_are_refused(club: Club, wilds: str) -> None:
    """风耗子 has one honour kind."""
    table = open_table(club, "haozi/1")
    brought = tuple(map(parse_tile, (wilds[i : i + 2] for i in range(0, len(wilds), 2))))
    with pytest.raises(Refused, match="wilds_drawn"):
        dealing.start_hand(club.desk, table, wilds=brought)


# --- bets before the deal ---------------------------------------------------------------------


def test_a_hand_dissolved_before_its_deal_pays_nothing_and_leaves_no_outcome(
    club: Club, world: World
) -> None:
    """Three of four have bet 估卖; nobody has a tile yet."""
    table = open_table(club, "zhuoji/1", gumai=True)
    dealing.start_hand(club.desk, table)
    club.command(table, *(Act(Choice(seat, "bet", points=2)) for seat in range(3)))
    club.dissolve(table)
    (settled,) = club.settlements()
    assert (settled.totals, settled.payments) == ((0, 0, 0, 0), ())
    with world.database.read() as connection:
        replay = hand_at(connection, club.owner, table, 1)
    assert (replay.end, replay.outcome) == ("dissolved", None)


# --- the day of the week ----------------------------------------------------------------------


@pytest.mark.parametrize(("later", "weekday"), [(0, 5), (SECOND, 6)])
def test_a_hand_is_stamped_with_the_weekday_on_which_it_ends(
    club: Club, later: int, weekday: int
) -> None:
    """By the club's calendar, which turns at midnight though its business day does not."""
    table = open_table(club, "zhuoji/1", week_ji=True)
    dealing.start_hand(club.desk, table)
    ended = dissolve(club, table, FRIDAY_NIGHT + later)
    assert (ended.weekday, ended.effective_date) == (weekday, "2027-01-15")


def test_where_the_day_of_the_opening_counts_every_hand_has_it(club: Club) -> None:
    """Given a match opened on Friday and played on Saturday, then Friday counts in both hands."""
    options: dict[str, Any] = {"week_ji": True, "weekday_source": "room_creation"}
    table = open_table(club, "zhuoji/1", FRIDAY_NIGHT, **options)
    saturday = replace(club.world.ledger, clock=lambda: FRIDAY_NIGHT + SECOND)
    desk = structs.replace(club.desk, ledger=saturday)
    dealing.start_hand(desk, table)
    owner = structs.replace(club.desk_of_owner, ledger=saturday)
    acts.void_hand(owner, table, 1, "a tile fell")
    dealing.start_hand(desk, table)
    assert [event.fact for event in events(club, "WeekdaySet/1")] == [
        WeekdaySet(FRIDAY_NIGHT + SECOND, 5),
        WeekdaySet(FRIDAY_NIGHT + SECOND, 5),
    ]
    assert dissolve(club, table, FRIDAY_NIGHT + 2 * SECOND).weekday == 5


def test_a_game_without_a_weekday_is_stamped_with_none(club: Club) -> None:
    table = open_table(club, "zhuoji/1")
    dealing.start_hand(club.desk, table)
    assert dissolve(club, table, FRIDAY_NIGHT).weekday is None


@pytest.mark.parametrize(("told", "code"), [(5, None), (6, "entry_differs")])
def test_an_entered_hand_has_the_weekday_of_the_moment_it_is_entered_for(
    club: Club, told: int, code: str | None
) -> None:
    """23:59:59 on Friday: Saturday's chickens would be other ones."""
    options: dict[str, Any] = {"week_ji": True}
    played = next(play_match(Random(3), "zhuoji/1", options, 1))
    assert played.recorded.outcome is not None
    outcome = structs.replace(played.recorded.outcome, weekday=told)
    table = open_table(club, "zhuoji/1", FRIDAY_NIGHT, **options)
    desk = club.desk
    if code is None:
        dealing.enter_hand(desk, table, outcome, at=FRIDAY_NIGHT)
        assert events(club, "HandEntered/1")
    else:
        with pytest.raises(Refused, match=code) as refused:
            dealing.enter_hand(desk, table, outcome, at=FRIDAY_NIGHT)
        assert refused.value.pointer == "/outcome/weekday"

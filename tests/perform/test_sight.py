"""Sight: which events of a club's log are whose business, whatever they are about."""

from __future__ import annotations

import pytest

from ledger import sight
from ledger.access import Caller
from tests.world import Club, World


@pytest.fixture
def club(world: World) -> Club:
    """A club of five, four of whom have played a match whose hands are settled."""
    return world.once(two_hands, world)


def two_hands(world: World) -> Club:
    club = world.club(members=5)
    club.match(hands=2)
    return club


def seen(club: Club, caller: Caller) -> dict[str, int]:
    """How many events of each type a caller may see of the whole log."""
    rows = club.log()
    with club.world.database.read() as connection:
        shown = sight.see_log(connection, caller, rows)
    assert len(shown) == len(rows)
    types = [one.stored.type for one in shown if one is not None]
    return {type_: types.count(type_) for type_ in types}


def test_an_owner_sees_every_event_settlements_too(club: Club) -> None:
    assert sum(seen(club, club.owner).values()) == len(club.log())
    assert seen(club, club.owner)["HandSettled/1"] == 2


def test_a_player_sees_the_settlements_of_his_hands(club: Club) -> None:
    assert seen(club, club.member(0))["HandSettled/1"] == 2


def test_a_member_who_did_not_play_sees_nothing_of_the_match(club: Club) -> None:
    assert seen(club, club.member(4)) == {"ClubFounded/1": 1, "MemberJoined/1": 1}


def test_a_recorder_sees_the_settlements_of_its_tables_alone(club: Club) -> None:
    assert seen(club, club.recorder)["HandSettled/1"] == 2
    assert seen(club, club.other_recorder) == {"ClubFounded/1": 1}


def test_any_slice_of_the_log_is_seen_as_the_whole_is(club: Club) -> None:
    """Given pages of any length, then each event is shown as it is in the whole log."""
    rows = club.log()
    with club.world.database.read() as connection:
        for caller in (club.owner, club.member(0), club.member(4), club.recorder):
            whole = sight.see_log(connection, caller, rows)
            for size in (1, 7):
                for start in range(0, len(rows), size):
                    part = sight.see_log(connection, caller, rows[start : start + size])
                    assert part == whole[start : start + size]

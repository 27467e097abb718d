"""A void hand 作废 on the read side: in the lists, replayed, and told on a terminal."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from ledger import acts
from ledger.tiles import UNKNOWN
from ledger.view import state_view
from projections.cli import replay as tell
from projections.history import HandRow, club_hands
from projections.replay import Replay, hand_at
from projections.tables import TableRow, club_tables
from tests.projections.reader import Reader
from tests.world import Club, World


@pytest.fixture
def table(club: Club) -> str:
    """A table whose first hand was voided, four actions in."""
    return club.world.once(voided, club)


def voided(club: Club) -> str:
    table = club.open(hands=2)
    club.start(table, actions=4)
    club.void(table)
    return table


def listed(club: Club) -> tuple[list[HandRow], TableRow]:
    """The hands of the club and its one table, as the lists show them now."""
    club.catch_up()
    with club.world.database.read() as connection:
        hands, _ = club_hands(connection, club.id)
        [table], _ = club_tables(connection, club.id)
    return hands, table


# --- lists ------------------------------------------------------------------------------------


def test_a_void_hand_is_listed_without_points(club: Club, table: str) -> None:
    [hand], _ = listed(club)
    end = club.log()[-1]
    assert (hand.id, hand.state, hand.end) == (f"{table}-1", "voided", "void")
    assert (hand.totals, hand.wins, hand.settled_at) == (None, [], None)
    assert (hand.booked_date, hand.effective_date) == (None, None)
    assert (hand.ended_version, hand.ended_position) == (end.version, end.position)


def test_a_table_has_one_hand_more_for_each_that_was_voided(club: Club, table: str) -> None:
    _, first = listed(club)
    club.start(table)
    club.void(table)
    _, second = listed(club)
    assert (first.hands_planned, first.hands_played, first.status) == (3, 0, "running")
    assert (second.hands_planned, second.hands_played, second.status) == (4, 0, "running")


def test_hands_go_on_behind_a_void_one(club: Club, table: str) -> None:
    """Given a hand dealt in its place, then that one runs and is settled, under the next number."""
    club.start(table, actions=1)
    [running, _], _ = listed(club)
    club.dissolve(table)
    [settled, void], listing = listed(club)
    assert (running.id, running.state, running.dealer) == (f"{table}-2", "running", 0)
    assert (settled.state, void.state) == ("settled", "voided")
    assert (listing.hands_planned, listing.hands_played, listing.hands_settled) == (3, 1, 1)


def test_a_void_hand_is_in_nobodys_books(club: Club, table: str) -> None:
    club.world.settle()
    club.catch_up()
    assert set(club.balances().values()) == {0}


# --- replay -----------------------------------------------------------------------------------


def replayed(club: Club, connection: Connection, table: str, step: int | None = None) -> Replay:
    return hand_at(connection, club.member(0), table, 1, step)


@pytest.mark.parametrize("behind", ["nothing", "a hand", "the end"])
@pytest.mark.parametrize("caught_up", [True, False])
def test_a_void_hand_can_be_replayed(
    club: Club, table: str, behind: str, *, caught_up: bool
) -> None:
    """A player sees every tile at every step; there is no outcome and no settlement."""
    if behind == "a hand":
        club.start(table, actions=3)
    if behind == "the end":
        acts.end_table(club.desk_of_owner, table, dissolve=False)
    if caught_up:
        club.catch_up()
    with club.world.database.read() as connection:
        last = replayed(club, connection, table)
        early = replayed(club, connection, table, step=2)
    assert last.events[-1].stored.type == "HandVoided/1"
    assert (last.end, last.state.end, last.outcome, last.settled) == ("void", "void", None, None)
    assert (early.end, early.state.end) == ("void", None)
    assert UNKNOWN not in early.state.wall
    assert state_view(last.state)["end"] == "void"


def test_a_void_hand_is_told_to_its_end(club: Club, table: str) -> None:
    title, *told = list(tell(club.world.database, table, 1))
    assert title.startswith(f"Hand 1 of table {table}: huaihua/1, ")
    assert sum(line.endswith("The hand is voided.") for line in told) == 1
    assert told[-1] == "Nothing is paid."


# --- over HTTP --------------------------------------------------------------------------------


@pytest.fixture
def reader(world: World) -> Reader:
    return Reader(world)


@pytest.fixture
def served(reader: Reader) -> str:
    """A served table whose first hand was voided."""
    table = reader.world.once(voided, reader.club)
    reader.club.catch_up()
    return table


@pytest.mark.parametrize("what", ["outcome", "settlement"])
@pytest.mark.parametrize("who", ["owner", "member 0"])
def test_a_void_hand_has_nothing_to_score(reader: Reader, served: str, who: str, what: str) -> None:
    answer = reader.get(who, f"/tables/{served}/hands/1/{what}")
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "hand_voided"
    assert answer.get_json()["detail"] == (
        "Hand 1 was voided; it has no outcome, and nothing is paid for it."
    )


def test_a_void_hand_is_shown_whole_and_may_be_kept(reader: Reader, served: str) -> None:
    answer = reader.get("member 0", f"/tables/{served}/hands/1")
    hand = answer.get_json()
    assert hand["state"]["end"] == "void"
    assert "?" not in "".join(seat["hand"] for seat in hand["state"]["seats"])
    assert (hand["outcome"], hand["settlement"]) == (None, None)
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_the_lists_say_that_a_hand_was_voided(reader: Reader, served: str) -> None:
    [hand] = reader.data("owner", "/clubs/{club}/hands")
    [table] = reader.data("owner", "/clubs/{club}/tables")
    assert (hand["id"], hand["state"], hand["totals"]) == (f"{served}-1", "voided", None)
    assert (table["hands_planned"], table["hands_played"]) == (3, 0)

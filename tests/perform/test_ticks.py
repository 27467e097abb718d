"""A tick 对账 in the log: by whom, of which match, and what a later ruling makes of it."""

from __future__ import annotations

import pytest
from msgspec import structs

from ledger import access, audit, dealing, disputing, seating, ticking
from ledger.access import Caller, operator
from ledger.acts import Asked
from ledger.claiming import Claim
from ledger.disputing import Verdict
from ledger.perform import Done
from ledger.refusal import Refused
from tests.world import Club, World

BOOKED, RIGHT = (6, -2, -2, -2), (9, -3, -3, -3)


@pytest.fixture
def table(club: Club, world: World) -> str:
    """A match that is over after its only hand, +6 -2 -2 -2."""
    club.issue_keys()
    return over(club, world)


def over(club: Club, world: World) -> str:
    table = club.open(hands=1)
    dealing.enter_hand(club.desk, table, totals=BOOKED)
    world.settle()
    return table


def tick(club: Club, table: str, *, ticked: bool = True, by: Caller | None = None) -> Done:
    desk = structs.replace(club.desk_of_owner, caller=by or club.owner)
    return ticking.tick(desk, table, ticked=ticked, note="as on paper")


def ruled(club: Club, table: str, verdict: Verdict) -> None:
    disputing.correct(club.desk_of_owner, table, 1, verdict)


CORRECTED = Verdict("correct", "mistyped", right=Claim(RIGHT))
VOID = Verdict("void", "rules", note="it was not played")


# --- who may ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["owner", "manager", "referee", "treasurer", "operator"])
def test_officers_tick_a_match(club: Club, table: str, role: str) -> None:
    caller = operator() if role == "operator" else Caller("key_o", club.id, (role,))
    done = tick(club, table, by=caller)
    row = club.log()[-1]
    assert (row.position, row.type, row.role) == (done.last, "TableTicked/1", role)


@pytest.mark.parametrize("role", ["recorder", "accountant", "auditor"])
def test_nobody_else_does_the_recorder_neither(club: Club, table: str, role: str) -> None:
    before = club.log()
    with pytest.raises(Refused, match="role_missing"):
        tick(club, table, by=Caller("key_recorder", club.id, (role,)))
    assert club.log() == before


def test_a_players_own_key_ticks_nothing(club: Club, table: str) -> None:
    with pytest.raises(Refused, match="role_missing"):
        tick(club, table, by=club.member(0))


def test_of_another_club_there_is_no_table_to_tick(club: Club, table: str) -> None:
    with pytest.raises(Refused, match="club_unknown"):
        tick(club, table, by=Caller("key_x", "club_other", ("owner",)))
    with pytest.raises(Refused, match="table_unknown"):
        tick(club, "tbl_none")


# --- when -------------------------------------------------------------------------------------


def test_the_note_is_kept_beside_the_log(club: Club, table: str) -> None:
    tick(club, table)
    with club.world.database.read() as connection:
        found = access.find_club(connection, club.id)
        assert found is not None
        digest = access.text_digest(found, "as on paper")
        assert access.find_text(connection, club.id, digest) == "as on paper"
    assert digest.encode() in club.log()[-1].public


def test_a_match_that_goes_on_is_not_ticked(club: Club) -> None:
    with pytest.raises(Refused, match="table_runs"):
        tick(club, club.open())


def test_nor_is_one_whose_last_hand_waits_for_its_points(club: Club, world: World) -> None:
    """Hands of other tables that wait are no matter."""
    table, other = over(club, world), club.open(hands=1)
    dealing.enter_hand(club.desk, other, totals=BOOKED)
    with pytest.raises(Refused, match="hands_unsettled") as refusal:
        tick(club, other)
    assert refusal.value.params == {"n": 1}
    tick(club, table)
    world.settle()
    tick(club, other)


def test_what_stands_already_is_written_once(club: Club, table: str) -> None:
    tick(club, table)
    before = club.log()
    assert tick(club, table).last == 0
    tick(club, table, ticked=False)
    assert tick(club, table, ticked=False).last == 0
    assert len(club.log()) == len(before) + 1


def test_the_same_request_is_answered_as_it_was(club: Club, table: str) -> None:
    desk = structs.replace(club.desk_of_owner, asked=Asked("once"))
    first = ticking.tick(desk, table, ticked=True)
    tick(club, table, ticked=False)
    again = ticking.tick(desk, table, ticked=True)
    assert (again.version, again.last, again.replayed) == (first.version, first.last, True)


# --- what is decided later --------------------------------------------------------------------


@pytest.mark.parametrize("verdict", [CORRECTED, VOID], ids=["corrected", "void"])
def test_a_hand_decided_anew_takes_the_tick_away(club: Club, table: str, verdict: Verdict) -> None:
    """There is nothing to take back, and it can be ticked again."""
    tick(club, table)
    ruled(club, table, verdict)
    assert tick(club, table, ticked=False).last == 0
    assert tick(club, table).last > 0
    assert tick(club, table).last == 0
    assert tick(club, table, ticked=False).last > 0


def test_one_that_was_decided_before_takes_nothing(club: Club, table: str) -> None:
    ruled(club, table, CORRECTED)
    tick(club, table)
    assert tick(club, table).last == 0


def test_a_ruling_that_moves_nothing_leaves_it(club: Club, table: str) -> None:
    tick(club, table)
    ruled(club, table, Verdict("uphold", "rules", note="somebody doubted it"))
    assert tick(club, table).last == 0


# --- the rest of the house --------------------------------------------------------------------


def test_nobody_is_seated_again(club: Club, world: World, table: str) -> None:
    """The match stays over: no hand follows, its members may sit elsewhere, no closing waits."""
    tick(club, table)
    tick(club, table, ticked=False)
    with world.database.read() as connection:
        assert seating.open_tables(connection, club.id, "9999-12-31") == ()
    with pytest.raises(Refused, match="table_closed"):
        dealing.enter_hand(club.desk, table, totals=BOOKED)
    assert club.open()


def test_a_log_with_ticks_is_sound(club: Club, world: World, table: str) -> None:
    """Ticked, corrected, ticked again and taken back; another match goes on meanwhile."""
    other = club.open()
    tick(club, table)
    club.start(other, actions=3)
    ruled(club, table, CORRECTED)
    tick(club, table)
    club.dissolve(other)
    tick(club, table, ticked=False)
    tick(club, other)
    assert audit.verify(world.database, club.id).fault is None

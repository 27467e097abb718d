"""A void hand 作废 in the log: by whom, what it leaves, what is shown, what an audit says."""

from __future__ import annotations

import pytest
from msgspec import structs

from ledger import acts, audit, jobs, sight
from ledger.access import Caller, operator
from ledger.acts import Asked
from ledger.events import HandVoided
from ledger.jobs import SETTLE
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.tiles import UNKNOWN
from tests.world import Club, World


@pytest.fixture
def table(club: Club) -> str:
    """A table whose first hand runs, eight actions in."""
    return club.world.once(start, club)


def start(club: Club) -> str:
    club.issue_keys()
    table = club.open(hands=2)
    club.start(table, actions=8)
    return table


def void(club: Club, caller: Caller, table: str, note: str = "a tile fell") -> Done:
    return acts.void_hand(structs.replace(club.desk, caller=caller), table, 1, note)


# --- who may ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["owner", "manager", "operator"])
def test_those_who_run_the_club_void_hands(club: Club, table: str, role: str) -> None:
    caller = operator() if role == "operator" else Caller("key_o", club.id, (role,))
    done = void(club, caller, table)
    row = club.log()[-1]
    assert (row.position, row.type, row.role) == (done.last, "HandVoided/1", role)


@pytest.mark.parametrize("role", ["recorder", "referee", "treasurer", "accountant", "auditor"])
def test_nobody_else_does_the_recorder_neither(club: Club, table: str, role: str) -> None:
    before = club.log()
    with pytest.raises(Refused, match="role_missing"):
        void(club, Caller("key_recorder", club.id, (role,)), table)
    assert club.log() == before


def test_a_players_own_key_voids_nothing(club: Club, table: str) -> None:
    with pytest.raises(Refused, match="role_missing"):
        void(club, club.member(0), table)


def test_of_another_club_there_is_no_table_to_void(club: Club, table: str) -> None:
    with pytest.raises(Refused, match="club_unknown"):
        void(club, Caller("key_x", "club_other", ("owner",)), table)


# --- what it leaves ---------------------------------------------------------------------------


def test_a_void_hand_leaves_no_job_and_no_settlement(club: Club, world: World, table: str) -> None:
    club.void(table)
    with world.database.read() as connection:
        assert jobs.waiting(connection, SETTLE, world.clock(), 100) == []
    world.settle()
    assert club.settlements() == []
    assert [row.type for row in club.log()][-1] == "HandVoided/1"


def test_the_hand_dealt_in_its_place_is_settled(club: Club, world: World, table: str) -> None:
    club.void(table)
    club.start(table, actions=1)
    club.dissolve(table)
    assert [(fact.number, fact.end) for fact in club.settlements()] == [(2, "dissolved")]


def test_the_note_stands_outside_of_events(club: Club, table: str) -> None:
    void(club, club.owner, table, "牌掉了")
    assert "牌掉了".encode() not in b"".join(row.public for row in club.log())


@pytest.mark.parametrize("note", ["", " ", "a\nb", "x" * 65])
def test_a_note_says_something_that_can_be_read(club: Club, table: str, note: str) -> None:
    before = club.log()
    with pytest.raises(Refused) as refused:
        void(club, club.owner, table, note)
    assert (refused.value.code, refused.value.pointer) == ("text_form", "/note")
    assert club.log() == before


def test_voiding_twice_voids_once(club: Club, table: str) -> None:
    """Given a retry without a command id, then nothing is written, until the next hand runs."""
    first = void(club, club.owner, table)
    again = void(club, club.owner, table)
    assert (again.first, again.last, again.version) == (0, 0, first.version)


def test_a_late_retry_that_names_its_version_spares_the_next_hand(club: Club, table: str) -> None:
    version = club.log()[-1].version
    asked = Asked(expected=version)
    desk = structs.replace(club.desk_of_owner, asked=asked)
    acts.void_hand(desk, table, 1, "a tile fell")
    club.start(table)
    with pytest.raises(Refused, match="version_stale"):
        acts.void_hand(desk, table, 1, "a tile fell")
    assert club.state(table).playing is not None


# --- what is shown ----------------------------------------------------------------------------


def test_everything_in_a_void_hand_is_shown(club: Club, table: str) -> None:
    """Given a table seen by its owner and a player, then they see the tiles only afterwards."""
    for caller in (club.owner, club.member(0)):
        assert UNKNOWN in seen(club, caller)
    club.void(table)
    for caller in (club.owner, club.member(0)):
        assert UNKNOWN not in seen(club, caller)


def test_the_hand_that_follows_a_void_one_is_masked(club: Club, table: str) -> None:
    club.void(table)
    club.start(table, actions=2)
    for caller in (club.owner, club.member(0)):
        assert UNKNOWN in seen(club, caller)


def seen(club: Club, caller: Caller) -> tuple[int, ...]:
    """The wall and all hands of the table whose hand started last, as a caller sees them."""
    rows = club.log()
    start = max(at for at, row in enumerate(rows) if row.type == "HandStarted/2")
    hand = sight.table_seen(sight.see(caller, rows[start:])).hand
    assert hand is not None
    return (*hand.wall, *(tile for player in hand.seats for tile in player.hand))


@pytest.mark.parametrize("after", ["void", "ended", "void, void", "void, running", "closed"])
def test_any_slice_of_the_log_is_seen_as_the_whole_is(club: Club, table: str, after: str) -> None:
    """Given pages that begin and end anywhere, then each event is masked as in the whole log."""
    club.void(table)
    if after != "void":
        club.start(table, actions=1)
    if after == "ended":
        club.dissolve(table)
    if after in ("void, void", "closed"):
        club.void(table)
    if after == "closed":
        acts.end_table(club.desk_of_owner, table, dissolve=False)
    rows = club.log()
    with club.world.database.read() as connection:
        for caller in (club.owner, club.member(0), club.recorder):
            whole = sight.see_log(connection, caller, rows)
            for size in (1, 7):
                for start in range(0, len(rows), size):
                    part = sight.see_log(connection, caller, rows[start : start + size])
                    assert part == whole[start : start + size]


# --- audit ------------------------------------------------------------------------------------


def test_a_log_with_a_void_hand_is_sound(club: Club, table: str) -> None:
    club.void(table)
    club.start(table, actions=3)
    assert audit.verify(club.world.database, club.id).fault is None


def test_an_audit_finds_a_void_hand_that_shows_another_secret(club: Club, table: str) -> None:
    at = club.tell(f"table/{table}", HandVoided(1, "00" * 32, "n0te", 3))
    fault = audit.verify(club.world.database, club.id).fault
    assert fault is not None
    assert (fault.position, fault.why) == (at, "secret")

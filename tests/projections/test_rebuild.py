"""A rebuild: made beside what is read, seen by nobody until it is whole, cleared away later."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from ledger.database import Database
from ledger.events import MemberJoined
from ledger.refusal import Refused
from ledger.store import Stored
from projections import balances, checkpoint, history, journal, projection, statement, tables
from projections.checkpoint import Place, Projection
from projections.projection import ALL, DROP_AFTER, catch_up, drop_old, position, rebuild
from tests.world import Club, World

pytestmark = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)

NAMES = [each.name for each in ALL]


def shown(club: Club) -> list[Any]:
    """Everything that the lists of a club show."""
    with club.world.database.read() as connection:
        return [
            balances.club_balances(connection, club.id),
            *(statement.member_entries(connection, club.id, member) for member in club.members),
            history.club_hands(connection, club.id),
            tables.club_tables(connection, club.id),
        ]


def generations(database: Database, club: Club) -> list[int]:
    with database.read() as connection:
        return [mark.generation for mark in checkpoint.marks(connection, club.id, NAMES)]


def test_rebuild_changes_nothing(database: Database, world: World) -> None:
    """What is made anew from the log is what was there."""
    club = world.club(members=5)
    club.match(hands=2)
    club.match(hands=1, planned=8)
    club.catch_up()
    before = shown(club)

    made = [rebuild(database, club.id, name, world.clock) for name in NAMES]

    assert set(made) == {2}
    assert set(generations(database, club)) == {2}
    assert shown(club) == before


def test_rebuild_goes_to_the_head(database: Database, club: Club, world: World) -> None:
    """A projection that was behind is not behind after its rebuild."""
    rebuild(database, club.id, "journal", world.clock)

    with database.read() as connection:
        assert position(connection, club.id, "journal") == 5
        assert position(connection, club.id, "history") == 0


@pytest.mark.holds("somebody reads while a list is made anew")
def test_a_reader_sees_no_rebuild(
    database: Database, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads while rebuilds run always sees the whole list, never an empty or mixed one."""
    club = world.club()
    club.match(hands=2)
    club.catch_up()
    before = shown(club)
    monkeypatch.setattr(projection, "BATCH", 20)
    done = Event()

    def rebuild_all() -> None:
        try:
            for name in NAMES:
                rebuild(database, club.id, name, world.clock)
        finally:
            done.set()

    with ThreadPoolExecutor(1) as pool:
        rebuilding = pool.submit(rebuild_all)
        reads = [shown(club)]
        while not done.is_set():
            reads.append(shown(club))
        rebuilding.result()

    assert all(read == before for read in reads)
    assert set(generations(database, club)) == {2}


def test_a_snapshot_outlives_the_switch(database: Database, club: Club, world: World) -> None:
    """A reader who began before the switch reads on in the old generation."""
    club.catch_up()
    with database.read() as connection:
        before = balances.club_balances(connection, club.id)
        rebuild(database, club.id, "journal", world.clock)
        after = balances.club_balances(connection, club.id)

    assert after == before


def test_catching_up_goes_on_in_the_new_generation(
    database: Database, club: Club, world: World
) -> None:
    """What is appended after a rebuild is shown by the generation that is live then."""
    club.match(hands=1)
    club.catch_up()
    rebuild(database, club.id, "journal", world.clock)
    club.match(hands=1)
    club.catch_up()

    assert club.balances() == club.points()


def test_the_live_one_never_goes_back(database: Database, club: Club, world: World) -> None:
    """Events that come during a rebuild, and are shown already, are in it before it is shown."""
    club.catch_up()
    told: list[int] = []

    def joined(connection: Connection, place: Place, row: Stored, fact: MemberJoined) -> None:
        if place.generation == 2 and not told:
            told.append(row.position)

    slow = Projection("slow", (), {MemberJoined: joined})
    catch_up(database, club.id, projections=(slow,))

    def clock() -> int:
        """The moment of the switch: another event comes, and the live generation shows it."""
        if len(told) == 1:
            told.append(club.tell("member/mem_late", MemberJoined("M-0005")))
            catch_up(database, club.id, projections=(slow,))
        return world.clock()

    rebuild(database, club.id, "slow", clock, projections=(slow,))

    with database.read() as connection:
        assert checkpoint.mark(connection, club.id, "slow") == checkpoint.Mark(
            "slow", club.id, 2, position=6
        )


def test_rebuild_mends_what_was_stopped(database: Database, club: Club, world: World) -> None:
    """A projection made anew by mended code is stopped no more."""

    def joined(*_: object) -> None:
        raise ValueError("no")

    broken = (Projection("broken", (), {MemberJoined: joined}),)
    catch_up(database, club.id, projections=broken)
    mended = (Projection("broken", (), {}),)

    rebuild(database, club.id, "broken", world.clock, projections=mended)

    with database.read() as connection:
        assert checkpoint.stopped(connection) == []
        assert position(connection, club.id, "broken") == 5


def test_rebuild_that_fails_leaves_the_live_one(
    database: Database, club: Club, world: World
) -> None:
    """An event that stops a rebuild is told, and what is shown stays as it was."""
    club.catch_up()
    before = shown(club)

    def joined(*_: object) -> None:
        raise ValueError("no")

    broken = (Projection("journal", journal.JOURNAL.tables, {MemberJoined: joined}),)
    with pytest.raises(Refused) as refused:
        rebuild(database, club.id, "journal", world.clock, projections=broken)

    assert refused.value.code == "projection_stopped"
    assert refused.value.params["error"] == "2 MemberJoined/1: ValueError: no"
    assert shown(club) == before
    assert set(generations(database, club)) == {1}


@pytest.mark.parametrize(
    ("club", "name", "code"),
    [("club_none", "journal", "club_unknown"), ("mine", "weather", "projection_unknown")],
)
def test_nothing_to_rebuild(world: World, club: str, name: str, code: str) -> None:
    """A club or a projection that there is not cannot be made anew."""
    mine = world.club().id
    with pytest.raises(Refused) as refused:
        rebuild(world.database, mine if club == "mine" else club, name, world.clock)

    assert refused.value.code == code


# --- clearing away ----------------------------------------------------------------------------


def rows_by_generation(database: Database, club: Club) -> dict[int, int]:
    table = journal.accounts
    mine = (table.c.club == club.id, table.c.account != journal.ISSUED)
    count = select(table.c.generation, func.count()).where(*mine)
    with database.read() as connection:
        return dict(connection.execute(count.group_by(table.c.generation)).all())


def test_old_rows_stay_ten_minutes(database: Database, club: Club, world: World) -> None:
    """The replaced generation is there for ten minutes, then it is dropped whole."""
    club.catch_up()
    rebuild(database, club.id, "journal", world.clock)

    drop_old(database, world.now + DROP_AFTER - 1)
    still = rows_by_generation(database, club)
    drop_old(database, world.now + DROP_AFTER)

    assert still == {1: 4, 2: 4}
    assert rows_by_generation(database, club) == {2: 4}
    assert list(club.balances()) == list(club.members)


def test_dropping_in_small_deletes(
    database: Database, club: Club, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few rows a delete may take, nothing of the old generation is left."""
    club.catch_up()
    rebuild(database, club.id, "journal", world.clock)
    monkeypatch.setattr(projection, "BATCH", 3)

    drop_old(database, world.now + DROP_AFTER)

    assert rows_by_generation(database, club) == {2: 4}
    with database.read() as connection:
        kept = connection.execute(select(checkpoint.checkpoints.c.generation)).scalars().all()
    assert sorted(kept) == [*[1] * (len(NAMES) - 1), 2]


def test_a_rebuild_that_was_cut_off_is_dropped(
    database: Database, club: Club, world: World
) -> None:
    """A generation that a dead process left half made is never shown, and goes with the next."""
    club.catch_up()
    with database.write() as connection:
        assert checkpoint.add(connection, "journal", club.id) == 2

    assert rebuild(database, club.id, "journal", world.clock) == 3

    drop_old(database, world.now + DROP_AFTER)
    assert rows_by_generation(database, club) == {3: 4}


@pytest.mark.holds("a list is made anew twice at once")
def test_two_rebuilds_at_once(database: Database, club: Club, world: World) -> None:
    """Two who make the same projection anew at once leave the later one live."""
    club.catch_up()
    with ThreadPoolExecutor(2) as pool:
        rebuilds = [
            pool.submit(rebuild, database, club.id, "journal", world.clock) for _ in range(2)
        ]
        made = sorted(one.result() for one in rebuilds)

    assert made == [2, 3]
    mine, *others = generations(database, club)
    assert (mine, set(others)) == (3, {1})
    assert list(club.balances()) == list(club.members)


@pytest.mark.holds("a list is made anew so slowly that a later one is done and it is dropped")
def test_a_slow_rebuild_that_was_dropped(database: Database, club: Club, world: World) -> None:
    """A rebuild whose generation was dropped meanwhile is given up, and leaves no rows behind."""
    club.catch_up()
    later: list[int] = []

    def clock() -> int:
        """While the slow one pauses: a whole rebuild, and ten minutes more."""
        if not later:
            later.append(0)
            later.append(rebuild(database, club.id, "journal", world.clock))
            drop_old(database, world.now + DROP_AFTER)
        return world.clock()

    assert rebuild(database, club.id, "journal", clock) == 2

    assert later == [0, 3]
    mine, *others = generations(database, club)
    assert (mine, set(others)) == (3, {1})
    assert rows_by_generation(database, club) == {3: 4}

"""Catching up: each event once, in order, and a stop that everybody sees."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import (
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from structlog.testing import capture_logs

from ledger import codec
from ledger.database import Database
from ledger.events import MemberJoined
from ledger.refusal import Refused
from ledger.store import Stored
from projections import balances, checkpoint, projection
from projections.checkpoint import Place, Projection
from projections.projection import (
    ALL,
    behind,
    catch_up,
    catch_up_all,
    position,
    rebuild,
    resume,
)
from tests.world import Club, World, ended, every_row, settled

pytestmark = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)

NAMES = [each.name for each in ALL]


@pytest.mark.parametrize("seed", range(3))
def test_balances_are_the_fold_of_the_log(database: Database, seed: int) -> None:
    """In each of several clubs the balances are the sums of the settlements, and sum to zero."""
    world = World(database, seed)
    clubs = [world.club() for _ in range(2)]
    for club in clubs:
        club.match(hands=2)
        club.match(hands=1)
        club.catch_up()

    for club in clubs:
        assert club.balances() == club.points()
        assert sum(club.balances().values()) == 0
        assert any(club.balances().values())


def test_position(database: Database, club: Club) -> None:
    """A projection that has caught up shows everything up to the head of the log."""
    with database.read() as connection:
        before = position(connection, club.id, "journal")
    club.catch_up()
    with database.read() as connection:
        after = [position(connection, club.id, name) for name in NAMES]

    assert before == 0
    assert set(after) == {5}


def test_up_to_a_position(database: Database, club: Club) -> None:
    """Catching up to a position applies what lies up to there and nothing more."""
    catch_up(database, club.id, upto=3)

    with database.read() as connection:
        assert position(connection, club.id, "journal") == 3
    assert list(club.balances()) == list(club.members[:2])


def test_beyond_the_head(database: Database, club: Club) -> None:
    """A position that the log has not reached is not waited for."""
    catch_up(database, club.id, upto=1000)

    with database.read() as connection:
        assert position(connection, club.id, "journal") == 5


def test_unknown_club(database: Database) -> None:
    """A club that there is not has nothing to catch up with, and leaves nothing behind."""
    catch_up(database, "club_none")

    with database.read() as connection:
        assert connection.execute(select(checkpoint.checkpoints)).all() == []


def test_no_time(database: Database, club: Club) -> None:
    """Whoever has no time to wait gets what there is."""
    catch_up(database, club.id, seconds=0)

    with database.read() as connection:
        assert position(connection, club.id, "journal") == 0


def test_who_is_behind(database: Database, world: World) -> None:
    """The clubs that have something to catch up with are known, stopped ones not among them."""
    fresh, followed, stopped = (world.club() for _ in range(3))
    followed.catch_up()
    stopped.tell("table/tbl_a", ended())
    stopped.catch_up()
    before = behind(database)
    followed.match(hands=1)
    after = behind(database)

    assert before == [fresh.id]
    assert after == sorted([fresh.id, followed.id])


@pytest.mark.parametrize("batch", [1, 7])
def test_batches(
    database: Database, club: Club, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the batches, the rows come out the same."""
    club.match(hands=1)
    club.catch_up()
    whole = every_row(database)
    forget_everything(database)

    monkeypatch.setattr(projection, "BATCH", batch)
    club.catch_up()

    assert every_row(database) == whole


def test_a_batch_ends_in_time(
    database: Database, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that may take no time still moves on by an event, so catching up ends."""
    monkeypatch.setattr(projection, "SQLITE_SECONDS", 0)
    club.catch_up()

    assert list(club.balances()) == list(club.members)


def forget_everything(database: Database) -> None:
    with database.write() as connection:
        for table in projection.METADATA.sorted_tables:
            connection.execute(table.delete())


@pytest.mark.holds("several processes bring the same lists up to date")
@pytest.mark.parametrize("threads", [2, 6])
def test_at_once(
    database_url: str, world: World, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several processes that catch up at once apply each event exactly once."""
    club = world.club()
    club.match(hands=2)
    monkeypatch.setattr(projection, "BATCH", 5)
    start = Barrier(threads)

    def follow(_: int) -> None:
        own = Database.open(database_url)
        start.wait()
        catch_up(own, club.id)
        own.close()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(follow, range(threads)))

    assert club.balances() == club.points()
    with world.database.read() as connection:
        listed, _ = balances.club_balances(connection, club.id)
        come = {mark.position for mark in checkpoint.marks(connection, club.id, NAMES)}
    assert [balance.hands for balance in listed] == [2, 2, 2, 2]
    assert come == {len(club.log())}


def test_beside_appends(world: World) -> None:
    """What is appended while another catches up is applied by the next who does."""
    club = world.club()
    for _ in range(3):
        club.match(hands=1)
        club.catch_up()

    assert club.balances() == club.points()


# --- a poison event ---------------------------------------------------------------------------


def poisoned(fault: Exception) -> tuple[Projection, ...]:
    """All projections, and one that fails on whoever joins third."""

    def joined(_: Connection, place: Place, row: Stored, fact: MemberJoined) -> None:
        if fact.code == "M-0003":
            raise fault

    return (*ALL, Projection("poisoned", (), {MemberJoined: joined}))


@pytest.mark.holds("a projection cannot take an event")
def test_poison_stops_one_projection_of_one_club(database: Database, world: World) -> None:
    """An event that cannot be taken stops that projection there, with the error for all to see."""
    club, other = world.club(members=4), world.club(members=2)
    for each in (club, other):
        catch_up(database, each.id, projections=poisoned(ValueError("no third")))

    names = [*NAMES, "poisoned"]
    with database.read() as connection:
        here = checkpoint.marks(connection, club.id, names)
        there = checkpoint.marks(connection, other.id, names)
        stopped = checkpoint.stopped(connection)
    *others, poisoned_here = here
    assert ({mark.position for mark in others}, poisoned_here.position) == ({5}, 3)
    assert {mark.position for mark in there} == {3}
    assert stopped == [poisoned_here]
    assert stopped[0].error == "4 MemberJoined/1: ValueError: no third"


def test_others_go_on(database: Database, club: Club) -> None:
    """A stopped projection stays where it is while the others follow the log."""
    projections = poisoned(ValueError("no third"))
    catch_up(database, club.id, projections=projections)
    club.match(hands=1)
    catch_up(database, club.id, projections=projections)

    assert club.balances() == club.points()
    with database.read() as connection:
        assert position(connection, club.id, "poisoned") == 3


@pytest.mark.holds("what stopped a projection was mended")
def test_resume_after_a_fix(database: Database, club: Club) -> None:
    """A projection that was mended goes on at the event that stopped it."""
    catch_up(database, club.id, projections=poisoned(ValueError("no third")))
    mended = (Projection("poisoned", (), {}),)
    catch_up(database, club.id, projections=mended)
    with database.read() as connection:
        waiting = position(connection, club.id, "poisoned")

    resume(database, club.id, "poisoned")
    catch_up(database, club.id, projections=mended)

    with database.read() as connection:
        assert waiting == 3
        assert position(connection, club.id, "poisoned") == 5
        assert checkpoint.stopped(connection) == []


def test_half_an_event_is_none(database: Database, club: Club) -> None:
    """What an event did before it failed is undone."""
    stranger = ("mem_x", *club.members[1:])
    club.tell("hand/tbl_1/1", settled("tbl_1", stranger[::-1], ((0, 1, 5),)))
    club.catch_up()

    assert set(club.balances().values()) == {0}
    with database.read() as connection:
        assert position(connection, club.id, "journal") == 5


GONE = Exception("gone")


@pytest.mark.holds("the database fails while a list is brought up to date")
@pytest.mark.parametrize(
    "fault",
    [
        OperationalError("UPDATE", {}, GONE),
        ProgrammingError("UPDATE", {}, Exception("permission denied for table balances")),
        InternalError("UPDATE", {}, GONE),
        MemoryError(),
    ],
)
def test_a_database_that_fails_is_no_poison(
    database: Database, club: Club, fault: Exception
) -> None:
    """When it is the database that fails, nothing is recorded and the next attempt goes on."""
    with pytest.raises(type(fault)):
        catch_up(database, club.id, projections=poisoned(fault))

    with database.read() as connection:
        assert checkpoint.stopped(connection) == []
    catch_up(database, club.id, projections=(*ALL, Projection("poisoned", (), {})))
    assert list(club.balances()) == list(club.members)


@pytest.mark.parametrize(
    "fault", [IntegrityError("INSERT", {}, GONE), DataError("INSERT", {}, GONE)]
)
def test_a_row_that_cannot_be_is_the_events_fault(
    database: Database, club: Club, fault: Exception
) -> None:
    """A row that the database refuses is poison."""
    catch_up(database, club.id, projections=poisoned(fault))

    with database.read() as connection:
        [stopped] = checkpoint.stopped(connection)
    assert (stopped.projection, stopped.position) == ("poisoned", 3)


@pytest.mark.holds("a club's lists cannot be brought up to date")
def test_a_club_that_fails_keeps_nobody_from_the_others(
    database: Database, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of them fails, all the others are brought up to date, and a line says it."""
    clubs = [world.club() for _ in range(3)]
    real = catch_up

    def failing(database: Database, club: str) -> None:
        if club == clubs[1].id:
            raise OperationalError("SELECT", {}, GONE)
        real(database, club)

    monkeypatch.setattr(projection, "catch_up", failing)
    with capture_logs() as lines:
        catch_up_all(database)

    assert behind(database) == [clubs[1].id]
    assert [(line["event"], line["club"]) for line in lines] == [("catch_up_failed", clubs[1].id)]


# --- an event of a newer release --------------------------------------------------------------


@pytest.mark.holds("an old release reads the log of a newer one")
def test_an_event_of_a_newer_release_is_waited_for(
    database: Database, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists stay before it, nothing is recorded, one line says it; the newer one goes on there."""
    projection._warn_of_newer.cache_clear()
    club = world.club()
    club.match(hands=1)
    settled_at = next(row.position for row in club.log() if row.type == "HandSettled/1")
    with monkeypatch.context() as older, capture_logs() as lines:
        older.delitem(codec.TYPES, "HandSettled/1")
        catch_up(database, club.id)
        catch_up(database, club.id)
        for name in NAMES:
            with pytest.raises(Refused, match="event_type_unknown"):
                rebuild(database, club.id, name, world.clock)

    with database.read() as connection:
        come = checkpoint.marks(connection, club.id, NAMES)
    assert {(mark.position, mark.error, mark.generation) for mark in come} == {
        (settled_at - 1, None, 1)
    }
    assert behind(database) == [club.id]
    assert [line["event"] for line in lines] == ["event_type_unknown"]
    catch_up(database, club.id)
    assert club.balances() == club.points()
    assert any(club.balances().values())

"""What a worker does with exports that were asked for, whatever becomes of it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import exporting, exports, forgetting, jobs
from ledger.exports import Export
from ledger.jobs import EXPORT
from ledger.keyset import FIRST_PAGE as PAGE
from ledger.refusal import Refused
from ledger.settings import Settings, load
from projections.exports.asked import Asked
from projections.exports.asking import maker, read_kept
from tests.world import SECOND, Club, World

MINUTE = 60 * SECOND
Told = Callable[[int, int | None], None]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a data folder."""
    return load({"PAIZHANG_DATA": str(tmp_path)})


@pytest.fixture
def club(world: World) -> Club:
    """A club in which a match was played."""
    club = world.club()
    club.match()
    club.catch_up()
    return club


def asked(club: Club, number: int = 1, **wanted: Any) -> str:
    """An export that was asked for; its id."""
    world = club.world
    what = Asked(wanted.pop("kind", "journal"), "csv", **wanted)
    new = Export(
        export=f"exp_{number}",
        club=club.id,
        kind=what.kind,
        member=None,
        asked=msgspec.json.encode(what).decode(),
        actor="key_owner",
        role="owner",
        command=bytes([number]) * 32,
        request=bytes(32),
        created_at=world.clock(),
        state="pending",
        rows=0,
        of=None,
        made=None,
        error=None,
        ended_at=None,
        expires_at=world.now + 7 * 24 * 60 * MINUTE,
        secret=bytes(32),
    )
    with world.database.write() as connection:
        exports.ask(connection, new)
    return new.export


def sweep(club: Club, settings: Settings, make: exporting.Make | None = None) -> None:
    """Let a worker look for work."""
    ours = maker(club.world.database, club.world.clock)
    exporting.sweep(club.world.ledger, settings, make or ours)


def found(club: Club, export: str) -> Export:
    """How it stands."""
    with club.world.database.read() as connection:
        row = exports.find(connection, export, club.world.now)
    assert row is not None
    return row


def test_files_come_to_their_place_whole(club: Club, settings: Settings) -> None:
    """The data and the manifest, and nothing beside them."""
    export = asked(club)
    sweep(club, settings)
    row, kept = found(club, export), read_kept(found(club, export))
    place = exporting.place_of(settings, export)
    assert row.state == "complete"
    assert kept is not None
    assert sorted(path.name for path in place.iterdir()) == sorted(f.name for f in kept.files)
    assert [path.name for path in place.parent.iterdir()] == [export]


def test_what_a_killed_worker_left_is_made_again(club: Club, settings: Settings) -> None:
    """When its lease has run out; half a file is nobody's."""
    export = asked(club)
    with club.world.database.write() as connection:
        lease = jobs.lease(connection, EXPORT, "the dead one", club.world.now, 60, 5)
    part = exporting.place_of(settings, export).with_name(f"{export}.part")
    part.mkdir(parents=True)
    (part / "journal.csv").write_text("half a")

    sweep(club, settings)
    assert (lease is not None, found(club, export).state) == (True, "pending")

    club.world.now += 2 * MINUTE
    sweep(club, settings)
    assert found(club, export).state == "complete"
    assert not part.exists()


def test_who_lost_his_lease_writes_nothing(club: Club, settings: Settings) -> None:
    """Another has taken the job meanwhile; the slow one's files are dropped."""
    export = asked(club)
    ours = maker(club.world.database, club.world.clock)

    def slow(row: Export, folder: Path, told: Told) -> tuple[int, str]:
        club.world.now += 2 * MINUTE
        with club.world.database.write() as connection:
            assert jobs.lease(connection, EXPORT, "the other", club.world.now, 60, 5) is not None
        made = ours(row, folder, told)
        told(made[0], None)
        return made

    sweep(club, settings, slow)
    assert found(club, export).state == "pending"
    assert not exporting.place_of(settings, export).exists()


def test_a_database_that_fails_costs_no_attempt(club: Club, settings: Settings) -> None:
    """What is busy is tried again, as often as it takes."""
    export = asked(club)

    def busy(*_: object) -> tuple[int, str]:
        raise Refused("busy")

    for _ in range(settings.max_attempts + 1):
        sweep(club, settings, busy)
        club.world.now += MINUTE
    sweep(club, settings)
    assert found(club, export).state == "complete"


def test_one_that_killed_every_worker_has_failed(club: Club, settings: Settings) -> None:
    """It is told, and tried no more."""
    export = asked(club)
    for _ in range(settings.max_attempts):
        with club.world.database.write() as connection:
            jobs.lease(connection, EXPORT, "w", club.world.now, 60, settings.max_attempts)
        club.world.now += 2 * MINUTE
    sweep(club, settings)
    assert found(club, export).state == "failed"


def test_forgetting_drops_what_was_made(club: Club, settings: Settings) -> None:
    """The files may name him; what waits is made with his pseudonym."""
    made, waits = asked(club, 1), ""
    sweep(club, settings)
    waits = asked(club, 2, kind="trial_balance")

    told = forgetting.forget_member(club.world.ledger, club.id, "M-0002")
    assert ("export", "the files of 1 exports") in [(one.what, one.told) for one in told.gone]
    assert found(club, made).state == "expired"

    sweep(club, settings)
    assert not exporting.place_of(settings, made).exists()
    [file] = exporting.place_of(settings, waits).glob("*.csv")
    assert "已遗忘 forgotten" in file.read_text(encoding="utf-8")
    assert "P1" not in file.read_text(encoding="utf-8")


def test_what_is_being_made_when_somebody_is_forgotten_is_dropped_too(
    club: Club, settings: Settings
) -> None:
    """It was read before."""
    export = asked(club)
    ours = maker(club.world.database, club.world.clock)

    def slow(row: Export, folder: Path, told: Told) -> tuple[int, str]:
        made = ours(row, folder, told)
        told(1, None)
        forgetting.forget_member(club.world.ledger, club.id, "M-0002")
        return made

    sweep(club, settings, slow)
    assert found(club, export).state == "expired"
    sweep(club, settings)
    assert not exporting.place_of(settings, export).exists()


def test_a_second_request_is_told_by_its_command(club: Club) -> None:
    """The same id for another request is refused."""
    asked(club, 1)
    with club.world.database.write() as connection:
        [row] = exports.of_club(connection, club.id, ("journal",), club.world.now, PAGE)[0]
        again, job = exports.ask(connection, replace(row, export="exp_9"))
        assert (again.export, job) == ("exp_1", None)
        with pytest.raises(Refused) as refused:
            exports.ask(connection, replace(row, request=bytes([1]) * 32))
    assert refused.value.code == "idempotency_key_reused"

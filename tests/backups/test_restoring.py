"""A backup is restored into an empty place, and all of it is checked."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from ledger.database import Database, upgrade
from ledger.demo import DemoClub
from projections.balances import club_balances
from projections.projection import catch_up
from tests.backups.conftest import (
    back_up,
    head,
    in_little_room,
    manifest,
    play,
    played,
    refused,
    run,
    settings,
    tell,
)
from tests.conftest import Administer, address
from wsgi import House

GOLDEN = Path(__file__).parent.parent / "golden" / "backup" / "paizhang-20261130-150645"
GOLDEN_CLUB = "club_19537663a65e7975a245"


# --- what is whole ------------------------------------------------------------------------------


@pytest.mark.holds("a backup was never tried")
def test_a_drill_says_what_it_found_right_and_leaves_nothing(
    house: House, club: DemoClub, backup: Path, administer: Administer
) -> None:
    """Rows, logs, sums and balances, a sentence each; no place is left, no row was written."""
    events, _ = head(house, club.club)
    before = sorted(house.settings.data.rglob("*")) if house.settings.data.exists() else []
    told = manifest(backup)
    rows, tables = sum(told["rows"].values()), len(told["rows"])

    checked = run(house, "restore", backup, "--check")

    assert checked.exit_code == 0, checked.output
    assert checked.stdout.splitlines() == [
        f"The file is the one of the manifest: {told['size']} bytes, SHA-256 {told['sha256']}.",
        f"It was restored with {rows} rows in {tables} tables, as many in each as were backed up; "
        f"schema {told['schema']}.",
        f"1 log with {events} events verified, each up to the hash of the manifest.",
        "1 settlement summed to zero, and 4 balances made anew were the same.",
    ]
    assert [one for one in house.settings.data.rglob("*") if one not in before] == []
    left = "SELECT count(*) FROM pg_database WHERE datname LIKE 'paizhang_drill%'"
    if make_url(house.settings.database_url).get_backend_name() == "postgresql":
        assert administer(left).fetchone() == (0,)  # type: ignore[attr-defined]


@pytest.mark.holds("a database is lost, and its backup is there")
def test_a_backup_is_restored_into_an_empty_installation(
    house: House, club: DemoClub, backup: Path, empty: House
) -> None:
    """The log, the balances and all locks are there, and it goes on."""
    done = run(empty, "restore", backup)

    assert done.exit_code == 0, done.output
    assert "signing.key" in done.stdout.splitlines()[-1]
    assert head(empty, club.club) == head(house, club.club)
    assert _balances(empty, club.club) == _balances(house, club.club)
    with pytest.raises(sa.exc.DBAPIError, match="written once"), empty.database.write() as writing:
        writing.execute(sa.text("DELETE FROM events"))
    before, _ = head(empty, club.club)
    play(empty, club)
    assert head(empty, club.club)[0] > before


def test_a_new_database_that_was_upgraded_is_empty_too(
    backup: Path, club: DemoClub, empty: House
) -> None:
    """As the set-up leaves it."""
    upgrade(empty.settings.database_url)
    done = run(empty, "restore", backup, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["sound"], told["clubs"], told["settlements"], told["balances"]) == (True, 1, 1, 4)
    assert head(empty, club.club)[0] == told["events"]


@pytest.mark.holds("a backup of an old release is restored by a new one")
def test_a_backup_of_an_old_release_comes_back(tmp_path: Path) -> None:
    """The golden backup of schema 0008: one hand of four, won by the discard of another."""
    url = f"sqlite:///{tmp_path}/paizhang.db"
    with closing(House(settings(url, tmp_path))) as house:
        for words in (("--check",), ()):
            done = run(house, "restore", GOLDEN, *words, "--json")
            assert done.exit_code == 0, done.output
            told = json.loads(done.stdout)
            assert (told["schema"], told["events"], told["settlements"]) == ("0008", 22, 1)
            assert told["upgraded"] >= "0009"
        catch_up(house.database, GOLDEN_CLUB)
        assert sorted(_balances(house, GOLDEN_CLUB)) == [-4, 0, 0, 4]
        assert run(house, "verify", GOLDEN_CLUB).exit_code == 0


def test_a_backup_is_tried_where_nothing_else_is(sqlite_backup: Path, tmp_path: Path) -> None:
    """On a machine without the installation, a SQLite backup needs a data folder alone.

    What a drill left there that was killed goes when it is a day old.
    """
    left = tmp_path / "elsewhere" / ".drill-x"
    left.mkdir(parents=True)
    os.utime(left, times=(0, 0))
    url = f"sqlite:///{tmp_path}/elsewhere/paizhang.db"
    with closing(House(settings(url, tmp_path / "elsewhere"))) as house:
        assert run(house, "restore", sqlite_backup, "--check").exit_code == 0
    assert list((tmp_path / "elsewhere").iterdir()) == []


# --- what is refused ----------------------------------------------------------------------------


def test_nothing_is_ever_restored_over_something(
    house: House, club: DemoClub, backup: Path
) -> None:
    """Into a database that has rows nothing comes, and it stays as it is."""
    before = head(house, club.club)
    assert "is only restored into an empty database" in refused(run(house, "restore", backup))
    assert head(house, club.club) == before


def test_a_database_of_somebody_else_is_let_alone(backup: Path, empty: House) -> None:
    """Tables that are no ledger's are neither dropped nor filled."""
    empty.settings.data.mkdir()
    with empty.database.write() as connection:
        connection.execute(sa.text("CREATE TABLE theirs (id integer)"))
        connection.execute(sa.text("INSERT INTO theirs VALUES (7)"))
    assert "table theirs is in the way" in refused(run(empty, "restore", backup))
    with empty.database.read() as connection:
        assert connection.execute(sa.text("SELECT id FROM theirs")).scalar_one() == 7


def test_a_file_that_is_in_use_is_not_restored_into(sqlite_backup: Path, tmp_path: Path) -> None:
    """Given a service that has the empty file open, then it is to be stopped first."""
    url = f"sqlite:///{tmp_path}/new/paizhang.db"
    upgrade(url)
    with closing(House(settings(url, tmp_path / "new"))) as house:
        with closing(Database.open(url)) as service:
            with service.read() as connection:
                connection.execute(sa.text("SELECT count(*) FROM events"))
            said = refused(run(house, "restore", sqlite_backup))
        assert said == (
            f"Somebody is at {tmp_path}/new/paizhang.db (database is locked); "
            "stop the service first."
        )
        assert run(house, "restore", sqlite_backup).exit_code == 0


@pytest.mark.holds("the disk is full for a restore")
def test_a_full_disk_is_told_when_restoring(
    sqlite_house: House, sqlite_backup: Path, tmp_path: Path
) -> None:
    """Given no room for more than a few pages, then a sentence says so, and all is empty still."""
    done = in_little_room(sqlite_house, tmp_path / "new", "restore", sqlite_backup)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Error: {tmp_path}/new/paizhang.db cannot be written: " in done.stderr
    url = f"sqlite:///{tmp_path}/new/paizhang.db"
    with closing(House(settings(url, tmp_path / "new"))) as house:
        assert run(house, "restore", sqlite_backup).exit_code == 0


def test_a_backup_of_a_newer_release_is_refused(backup: Path, empty: House) -> None:
    """In a sentence, before anything is restored."""
    tell(backup, schema="9999")
    for words in ((), ("--check",)):
        assert refused(run(empty, "restore", backup, *words)) == (
            "The database has the schema 9999 of a newer release; run that release on it."
        )
    if make_url(empty.settings.database_url).get_backend_name() == "postgresql":
        with empty.database.read() as connection:
            assert sa.inspect(connection).get_table_names() == []
    else:
        assert not (empty.settings.data / "paizhang.db").exists()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (None, "its manifest.json cannot be read (No such file or directory)."),
        ("{", "is not one that this release knows: Input data was truncated."),
        ("{}", "is not one that this release knows: Object missing required field"),
    ],
)
def test_what_is_no_backup_is_told(
    sqlite_house: House, tmp_path: Path, written: str | None, said: str
) -> None:
    """A folder without a manifest, or with something else of that name."""
    folder = tmp_path / "folder"
    folder.mkdir()
    if written is not None:
        (folder / "manifest.json").write_text(written)
    assert said in refused(run(sqlite_house, "restore", folder, "--check"))


def test_a_manifest_of_another_format_is_refused(sqlite_house: House, sqlite_backup: Path) -> None:
    """Of a format that may come one day nothing is guessed."""
    tell(sqlite_backup, format="paizhang-backup/2")
    assert "Invalid enum value" in refused(run(sqlite_house, "restore", sqlite_backup, "--check"))


def test_a_backup_of_the_other_kind_is_refused(
    sqlite_backup: Path, postgresql_url: str, tmp_path: Path
) -> None:
    """What SQLite wrote PostgreSQL does not read; it can be tried anywhere."""
    with closing(House(settings(postgresql_url, tmp_path / "other"))) as house:
        assert refused(run(house, "restore", sqlite_backup)) == (
            "The backup is of sqlite, and PAIZHANG_DATABASE_URL names postgresql."
        )
        assert run(house, "restore", sqlite_backup, "--check").exit_code == 0


def test_a_role_that_may_make_no_database_is_told_what_it_lacks(
    postgresql_url: str, tmp_path: Path
) -> None:
    """The service's own role may not, unless it is let."""
    user = make_url(postgresql_url).username
    with closing(House(settings(postgresql_url, tmp_path))) as house:
        played(house)
        made = back_up(house, tmp_path)
        assert refused(run(house, "restore", made, "--check")) == (
            f"{user} may not make a database; ALTER ROLE {user} CREATEDB lets it."
        )


def test_a_role_that_may_make_a_database_drills(
    postgresql_url: str, postgres_role: str, administer: Administer, tmp_path: Path
) -> None:
    """That right alone is what the service's role needs, beside its own."""
    user = make_url(postgres_role).username
    administer("ALTER ROLE {} CREATEDB", user)
    try:
        with closing(House(settings(postgresql_url, tmp_path))) as house:
            played(house)
            checked = run(house, "restore", back_up(house, tmp_path), "--check")
            assert checked.exit_code == 0, checked.output
    finally:
        administer("ALTER ROLE {} NOCREATEDB", user)


def test_what_a_killed_drill_left_is_dropped_by_the_next(
    postgresql_url: str, postgres_server: str, administer: Administer, tmp_path: Path
) -> None:
    """A database of that name, and only one that was left by a drill of this database."""
    name = make_url(postgresql_url).database
    url = address(postgres_server, str(name))
    found = administer("SELECT oid FROM pg_database WHERE datname = current_database()")
    other = f"paizhang_drill_{found.fetchone()[0]}_x"  # type: ignore[attr-defined]
    with closing(House(settings(url, tmp_path))) as house:
        played(house)
        with house.database.read() as connection:
            mine = sa.text("SELECT oid FROM pg_database WHERE datname = current_database()")
            left = f"paizhang_drill_{connection.execute(mine).scalar_one()}_x"
        for one in (left, other):
            administer("CREATE DATABASE {}", one)
        checked = run(house, "restore", back_up(house, tmp_path), "--check")
    assert checked.exit_code == 0, checked.output
    names = "SELECT datname FROM pg_database WHERE datname LIKE 'paizhang_drill%'"
    assert administer(names).fetchall() == [(other,)]  # type: ignore[attr-defined]
    administer("DROP DATABASE {}", other)


def _balances(house: House, club: str) -> list[int]:
    with house.database.read() as connection:
        return [one.points for one in club_balances(connection, club)[0]]

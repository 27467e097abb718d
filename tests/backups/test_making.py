"""A backup is made while the service runs, and is whole or not there."""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from ledger import acts, audit, backups
from ledger.access import operator
from ledger.acts import Desk
from ledger.backups import postgresql, sqlite
from ledger.backups.manifest import Log
from ledger.database import upgrade
from ledger.demo import DemoClub
from ledger.refusal import Refused
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
)
from tests.machine import until
from wsgi import House

TREE = Path(__file__).parent.parent.parent
NOON = 1_800_000_000_000_000
"""2027-01-15 08:00:00 UTC."""
CUT_OFF = """
import os, signal, sys
from pathlib import Path
from ledger import backups
from ledger.backups import manifest
from ledger.settings import load
def cut_off(*_):
    os.kill(os.getpid(), signal.SIGKILL)
manifest.write = cut_off
backups.back_up(load(os.environ), Path(sys.argv[1]), 1_800_000_000_000_000)
"""
"""A backup that is killed when all but its manifest is there."""
FAKE = """#!/bin/sh
printf '%s\\n' "$*" > "$0.told"
printf '%s\\n' "$PGPASSWORD" > "$0.password"
exec {program} "$@"
"""


def test_a_backup_is_the_database_and_a_manifest(
    house: House, club: DemoClub, tmp_path: Path
) -> None:
    """Nothing else is in it, whatever lies in the data folder; only its owner can look into it."""
    house.settings.data.mkdir(exist_ok=True)
    key = house.settings.signing_key
    secret = key.read_bytes() if key.exists() else b"the key that signs"
    key.write_bytes(secret)

    made = back_up(house, tmp_path)

    kind = make_url(house.settings.database_url).get_backend_name()
    name = {"sqlite": "paizhang.db", "postgresql": "paizhang.dump"}[kind]
    assert sorted(one.name for one in made.iterdir()) == ["manifest.json", name]
    assert secret not in (made / name).read_bytes()
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in (made, *made.iterdir())}
    assert modes == {made.name: 0o700, "manifest.json": 0o600, name: 0o600}
    told, copy = manifest(made), (made / name).read_bytes()
    assert (told["format"], told["release"]) == ("paizhang-backup/1", "0.1.0")
    assert (told["database"], told["file"], told["size"]) == (kind, name, len(copy))
    assert told["sha256"] == hashlib.sha256(copy).hexdigest()
    assert told["schema"] >= "0009"
    events, last = head(house, club.club)
    assert told["clubs"] == [{"club": club.club, "events": events, "hash": last}]
    rows = told["rows"]
    assert (rows["events"], rows["members"], rows["accounts"], rows["jobs"]) == (events, 4, 5, 1)


def test_a_backup_is_named_after_its_time(sqlite_house: House, tmp_path: Path) -> None:
    """In UTC; a second one within the second is refused."""
    made, told = backups.back_up(sqlite_house.settings, tmp_path, NOON)
    assert (made.name, told.created_at) == ("paizhang-20270115-080000", "2027-01-15T08:00:00Z")
    with pytest.raises(Refused, match="backup_exists"):
        backups.back_up(sqlite_house.settings, tmp_path, NOON)
    assert [one.name for one in tmp_path.glob("*paizhang-*")] == ["paizhang-20270115-080000"]


def test_of_two_backups_in_one_second_one_is_kept(
    sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given another that ends first, then the one that is late is told so, and leaves nothing."""
    assert sqlite_club
    copy = sqlite.copy

    def overtaken(*given: Any) -> Any:
        monkeypatch.setattr(sqlite, "copy", copy)
        backups.back_up(sqlite_house.settings, tmp_path, NOON)
        return copy(*given)

    monkeypatch.setattr(sqlite, "copy", overtaken)
    with pytest.raises(Refused, match="backup_exists"):
        backups.back_up(sqlite_house.settings, tmp_path, NOON)
    [kept] = tmp_path.glob("*paizhang-*")
    assert run(sqlite_house, "restore", kept, "--check").exit_code == 0


def test_people_are_told_what_was_backed_up(sqlite_house: House, sqlite_club: DemoClub) -> None:
    """Where nothing is named it lies in the data folder."""
    events, _ = head(sqlite_house, sqlite_club.club)
    [place, told] = run(sqlite_house, "backup").stdout.splitlines()
    assert Path(place).parent == sqlite_house.settings.data / "backups"
    assert told.startswith(f"1 club with {events} events, ")
    assert told.endswith("release 0.1.0.")


@pytest.mark.holds("somebody writes while a backup is made")
def test_a_backup_is_of_the_moment_at_which_it_began(
    house: House, club: DemoClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a member who joins at every step of it, then none of them waits or is in the copy."""
    events, last = head(house, club.club)
    desk, dump = Desk(house.ledger(), operator(), club.club), postgresql.run
    joined: list[object] = []

    def join(*_: int) -> None:
        joined.append(acts.join_member(desk, "late"))

    def join_and_dump(*given: Any) -> None:
        join()
        dump(*given)

    monkeypatch.setattr(sqlite, "PAGES", 20)
    monkeypatch.setattr(postgresql, "run", join_and_dump)
    made, told = backups.back_up(house.settings, tmp_path, NOON, join)

    kind = make_url(house.settings.database_url).get_backend_name()
    assert len(joined) == 1 if kind == "postgresql" else len(joined) > 2
    assert head(house, club.club)[0] == events + len(joined)
    assert told.clubs == (Log(club.club, events, last),)
    assert told.rows["members"] == 4
    monkeypatch.undo()
    checked = run(house, "restore", made, "--check")
    assert checked.exit_code == 0, checked.output


@pytest.mark.holds("somebody writes while a backup is made")
def test_a_backup_under_load_is_whole(house: House, club: DemoClub, tmp_path: Path) -> None:
    """Given somebody who plays hand after hand, then each of three backups comes back whole."""
    with _playing(house, club) as played_hands:
        for number in range(3):
            until(lambda: len(played_hands) > number)  # noqa: B023
            folder = tmp_path / str(number)
            folder.mkdir()
            checked = run(house, "restore", back_up(house, folder), "--check")
            assert checked.exit_code == 0, checked.output
    assert audit.verify(house.database, club.club).fault is None


@pytest.mark.holds("a machine stops in the middle of a backup")
def test_a_backup_that_is_killed_has_no_name(house: House, club: DemoClub, tmp_path: Path) -> None:
    """Killed with -9 before its manifest, then the next one is whole.

    What is left goes when it is a day old: till then somebody might be at it.
    """
    assert club
    folder = tmp_path / "kept"
    folder.mkdir()
    given = {
        "PAIZHANG_DATABASE_URL": house.settings.database_url,
        "PAIZHANG_DATA": str(house.settings.data),
        "PAIZHANG_PG_BIN": str(house.settings.pg_bin),
        "PYTHONPATH": str(TREE),
    }
    killed = subprocess.run(
        [sys.executable, "-c", CUT_OFF, str(folder)], env=os.environ | given, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    [left] = folder.iterdir()
    assert left.name.startswith(".paizhang-20270115-080000-")
    assert "no backup" in refused(run(house, "restore", left, "--check"))

    first, _ = backups.back_up(house.settings, folder, NOON)
    assert sorted(folder.iterdir()) == [left, first]
    os.utime(left, times=(0, 0))
    second, _ = backups.back_up(house.settings, folder, NOON + 1_000_000)
    assert sorted(folder.iterdir()) == [first, second]


@pytest.mark.holds("the disk is full for a backup")
def test_a_full_disk_is_told_and_nothing_is_left(
    sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path
) -> None:
    """Given no room for more than a few pages, then a sentence says so."""
    assert sqlite_club
    folder = tmp_path / "kept"
    folder.mkdir()
    data = sqlite_house.settings.data
    done = in_little_room(sqlite_house, data, "backup", "--output", folder)
    assert (done.returncode, done.stdout, list(folder.iterdir())) == (2, "", [])
    said = f"Error: In {folder} no backup can be written, and nothing of it is left there: "
    assert done.stderr.startswith(said)


def test_a_full_disk_is_told_for_a_dump(
    house: House, club: DemoClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that writing to the disk ends with its error, then nothing is left there."""
    assert club

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(postgresql, "run", full)
    monkeypatch.setattr(sqlite, "held_by", full)
    said = refused(run(house, "backup", "--output", tmp_path))
    assert said.endswith("nothing of it is left there: No space left on device.")
    assert list(tmp_path.glob("*paizhang-*")) == []


def test_a_folder_that_is_not_there_is_told(sqlite_house: House, tmp_path: Path) -> None:
    """A disk that is not mounted must not be written to in its place."""
    said = refused(run(sqlite_house, "backup", "--output", tmp_path / "away"))
    assert said == (
        f"In {tmp_path}/away no backup can be written, and nothing of it is left there: "
        "No such file or directory."
    )


def test_where_no_database_is_there_is_no_backup(tmp_path: Path) -> None:
    """Neither of a file that is not there nor of one without tables; none is made."""
    url = f"sqlite:///{tmp_path}/none.db"
    with closing(House(settings(url, tmp_path / "data"))) as house:
        assert "has no tables" in refused(run(house, "backup"))
        assert not (tmp_path / "none.db").exists()
        (tmp_path / "none.db").touch()
        assert "has no tables" in refused(run(house, "backup"))


def test_a_database_of_an_older_schema_is_backed_up_as_it_is(tmp_path: Path) -> None:
    """A backup comes before an upgrade."""
    url = f"sqlite:///{tmp_path}/old.db"
    upgrade(url, "0007")
    with closing(House(settings(url, tmp_path / "data"))) as house:
        assert manifest(back_up(house, tmp_path))["schema"] == "0007"


# --- the programs of PostgreSQL ---------------------------------------------------------------


@pytest.mark.holds("a password is seen in the list of processes")
def test_a_password_is_on_no_command_line(
    postgres_role: str, postgresql_url: str, tmp_path: Path
) -> None:
    """pg_dump is told it by its environment; the service's own role may back up."""
    password = make_url(postgres_role).password
    assert password
    real = settings(postgresql_url, tmp_path).pg_bin
    fake = tmp_path / "bin" / "pg_dump"
    fake.parent.mkdir()
    fake.write_text(FAKE.format(program=f"{real}/pg_dump"))
    fake.chmod(0o755)
    given = settings(postgresql_url, tmp_path, PAIZHANG_PG_BIN=str(fake.parent))
    with closing(House(given)) as house:
        played(house)
        back_up(house, tmp_path)
    told = fake.with_suffix(".told").read_text()
    assert "--format=custom --snapshot=" in told
    assert password not in told
    assert fake.with_suffix(".password").read_text().strip() == password


def test_a_program_that_is_missing_is_told(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the setting that names its folder; without it the PATH is looked through."""
    for more in ({"PAIZHANG_PG_BIN": str(tmp_path)}, {"PAIZHANG_PG_BIN": ""}):
        monkeypatch.setenv("PATH", str(tmp_path))
        with closing(House(settings(postgresql_url, tmp_path, **more))) as house:
            said = refused(run(house, "backup", "--output", tmp_path))
        assert said == "pg_dump is not in the PATH; PAIZHANG_PG_BIN may name its folder."


def test_a_program_that_fails_is_told_with_its_words(postgresql_url: str, tmp_path: Path) -> None:
    """Such as one that is older than the server."""
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump: error: too old' >&2\nexit 1\n")
    program.chmod(0o755)
    given = settings(postgresql_url, tmp_path, PAIZHANG_PG_BIN=str(tmp_path))
    with closing(House(given)) as house:
        said = refused(run(house, "backup", "--output", tmp_path))
    assert said == "pg_dump of PostgreSQL says: pg_dump: error: too old"
    assert list(tmp_path.glob("*paizhang-*")) == []


@contextmanager
def _playing(house: House, club: DemoClub) -> Iterator[list[int]]:
    """Somebody who plays hand after hand beside, and the hands that were played."""
    written: list[int] = []
    over = threading.Event()

    def write() -> None:
        with closing(House(house.settings)) as other:
            while not over.is_set():
                play(other, club)
                written.append(1)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield written
    finally:
        over.set()
        thread.join()

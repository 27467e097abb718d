"""What is not right in a backup is found, and told as the first fault."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ledger import audit, codec
from ledger.audit import Report
from ledger.backups.manifest import digest
from ledger.database import Database
from ledger.demo import DemoClub
from tests.backups.conftest import (
    back_up,
    faulty,
    head,
    manifest,
    meddle,
    refused,
    run,
    settings,
    tell,
)
from wsgi import House


@pytest.mark.holds("a byte of a backup is changed")
@pytest.mark.parametrize("words", [("--check",), ()])
def test_a_changed_byte_is_found(
    house: House, backup: Path, empty: House, words: tuple[str, ...]
) -> None:
    """Before anything is restored."""
    file = backup / manifest(backup)["file"]
    changed = bytearray(file.read_bytes())
    changed[len(changed) // 2] ^= 1
    file.write_bytes(changed)
    target = house if words else empty
    assert faulty(run(target, "restore", backup, *words)) == (
        f"The file {file.name} is not the one that the manifest names: its size or SHA-256 differs."
    )


def test_a_file_that_is_gone_is_found(sqlite_house: House, sqlite_backup: Path) -> None:
    """A manifest alone is no backup."""
    (sqlite_backup / "paizhang.db").unlink()
    said = faulty(run(sqlite_house, "restore", sqlite_backup, "--check"))
    assert said == "The file paizhang.db is not in the backup."


def test_a_file_of_another_name_is_not_looked_for(sqlite_house: House, sqlite_backup: Path) -> None:
    """A manifest leads nobody out of its folder."""
    tell(sqlite_backup, file="../../somewhere.db")
    said = faulty(run(sqlite_house, "restore", sqlite_backup, "--check"))
    assert said == "The file paizhang.db is not in the backup."


@pytest.mark.holds("the manifest of a backup is changed")
def test_each_change_of_a_manifest_is_found(house: House, club: DemoClub, backup: Path) -> None:
    """Another schema, number of rows, end of a log, and a club more or less."""
    told, events = manifest(backup), head(house, club.club)[0]
    [log] = told["clubs"]
    short = f"{events} {log['hash'][:16]}"
    ghost = {**log, "club": "club_ghost"}
    for changes, said in (
        ({"schema": "0008"}, f"The manifest tells the schema 0008; restored is {told['schema']}."),
        (
            {"rows": {**told["rows"], "members": 5}},
            "The manifest tells 5 rows of members; restored are 4.",
        ),
        (
            {"clubs": [{**log, "events": events + 1}]},
            f"The manifest ends the log of {club.club} at {events + 1} {log['hash'][:16]}; "
            f"restored, it ends at {short}.",
        ),
        (
            {"clubs": [log, ghost]},
            f"The manifest ends the log of club_ghost at {short}; restored, it ends at -.",
        ),
        (
            {"clubs": []},
            f"The manifest ends the log of {club.club} at -; restored, it ends at {short}.",
        ),
    ):
        tell(backup, **{**told, **changes})
        assert faulty(run(house, "restore", backup, "--check")) == said


@pytest.mark.holds("a log was changed by hand before its backup")
def test_a_log_that_was_changed_is_found_with_its_position(
    house: House, club: DemoClub, tmp_path: Path
) -> None:
    """Given an event changed below its locks, then the drill names the club and the position."""
    meddle(house, "UPDATE events SET actor = 'nobody' WHERE position = 7")
    made = back_up(house, tmp_path)
    said = f"In the log of {club.club} the event at 7 is not as it was recorded (leaf)."
    assert faulty(run(house, "restore", made, "--check")) == said
    told = run(house, "restore", made, "--check", "--json")
    assert (told.exit_code, json.loads(told.stdout)) == (
        1,
        {
            "backup": str(made),
            "sound": False,
            "fault": {
                "code": "backup_log_not_whole",
                "club": club.club,
                "position": "7",
                "why": "leaf",
            },
        },
    )


def test_what_is_restored_with_a_fault_stays(
    house: House, club: DemoClub, empty: House, tmp_path: Path
) -> None:
    """It may be all there is; the fault is told, and that."""
    meddle(house, "UPDATE events SET actor = 'nobody' WHERE position = 7")
    made = back_up(house, tmp_path)
    [fault, stays] = faulty(run(empty, "restore", made)).splitlines()
    assert "event at 7" in fault
    assert stays == "What was restored stays as it is."
    assert head(empty, club.club) == head(house, club.club)


def test_a_balance_that_was_changed_is_found(house: House, club: DemoClub, tmp_path: Path) -> None:
    """Given points that the log does not give, then the member is named."""
    member = club.members[2]
    meddle(house, "UPDATE accounts SET points = points + 1 WHERE account = :member", member=member)
    made = back_up(house, tmp_path)
    said = f"In {club.club} the balance of {member} is not what its log makes it."
    assert faulty(run(house, "restore", made, "--check")) == said


def test_balances_that_are_behind_are_no_fault(
    house: House, club: DemoClub, tmp_path: Path
) -> None:
    """Given a hand that is settled and not shown yet, then both are brought to the same place."""
    from ledger import demo, settlement

    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 2))
    settlement.sweep(house.ledger(), house.settings)
    checked = run(house, "restore", back_up(house, tmp_path), "--check")
    assert checked.exit_code == 0, checked.output
    assert "2 settlements summed to zero" in checked.stdout


def test_a_settlement_that_does_not_sum_to_zero_is_found(
    sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given points from nowhere, and an audit that does not see them, then the sum does."""
    position = _forge_totals(sqlite_house, sqlite_club.club)
    made = back_up(sqlite_house, tmp_path)
    monkeypatch.setattr(audit, "verify", _all_sound)
    said = f"The settlement at {position} in the log of {sqlite_club.club} does not sum to zero."
    assert faulty(run(sqlite_house, "restore", made, "--check")) == said


def test_a_damaged_file_is_found(sqlite_house: House, sqlite_backup: Path) -> None:
    """Given an index that lost its rows before the backup, then SQLite finds it."""
    file = sqlite_backup / "paizhang.db"
    with closing(Database.open(f"sqlite:///{file}")) as database, database.write() as connection:
        wanted = "SELECT rootpage FROM sqlite_master WHERE name = 'events_stream'"
        page = connection.execute(sa.text(wanted)).scalar_one()
        size = connection.execute(sa.text("PRAGMA page_size")).scalar_one()
    broken = bytearray(file.read_bytes())
    start = (page - 1) * size
    broken[start : start + 8] = bytes([10, 0, 0, 0, 0, 0, 0, 0])
    file.write_bytes(broken)
    for beside in ("-wal", "-shm"):
        Path(f"{file}{beside}").unlink(missing_ok=True)
    tell(sqlite_backup, size=file.stat().st_size, sha256=digest(file))
    said = faulty(run(sqlite_house, "restore", sqlite_backup, "--check"))
    assert said.startswith("SQLite says of the file: ")


@pytest.mark.parametrize("kept", [0, 50, 100, 2_000, 9_000, 60_000])
@pytest.mark.parametrize("words", [("--check",), ()])
def test_a_copy_that_was_cut_is_found(
    sqlite_backup: Path, tmp_path: Path, kept: int, words: tuple[str, ...]
) -> None:
    """Wherever it ends, and whatever the manifest says by now."""
    whole = (sqlite_backup / "paizhang.db").read_bytes()
    _put(sqlite_backup, whole[:kept])
    _assert_told(sqlite_backup, tmp_path, words)


@pytest.mark.parametrize("words", [("--check",), ()])
def test_a_copy_that_is_no_database_is_found(
    sqlite_backup: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Then nothing is restored."""
    _put(sqlite_backup, b"no database, " * 2_000)
    said = _assert_told(sqlite_backup, tmp_path, words)
    assert said == (
        "The file of the backup cannot be read; SQLite says of it: file is not a database"
    )


def _put(backup: Path, copy: bytes) -> None:
    """Let a backup have another copy, and a manifest that tells so."""
    file = backup / "paizhang.db"
    file.write_bytes(copy)
    tell(backup, size=len(copy), sha256=digest(file))


def _assert_told(backup: Path, tmp_path: Path, words: tuple[str, ...]) -> str:
    """Restore a backup where nothing is; its fault is told as such."""
    url = f"sqlite:///{tmp_path}/elsewhere/paizhang.db"
    with closing(House(settings(url, tmp_path / "elsewhere"))) as house:
        done = run(house, "restore", backup, *words)
    assert isinstance(done.exception, SystemExit), done.exception
    return faulty(done)


@pytest.mark.parametrize("told", ["yesterday", "", "2026-13-01T00:00:00Z"])
def test_a_manifest_with_a_time_that_is_none(
    sqlite_house: House, sqlite_backup: Path, told: str
) -> None:
    tell(sqlite_backup, created_at=told)
    said = refused(run(sqlite_house, "restore", sqlite_backup, "--check"))
    assert said.startswith("The manifest.json in ")
    assert said.endswith("not one that this release knows: created_at is no moment of UTC.")


# --- how a log is forged ---


def _all_sound(_: object, club: str, *__: object) -> Report:
    return Report(club, 0, "", 0, 0, 0)


def _forge_totals(house: House, club: str) -> int:
    """Give the first seat of the settlement a point, and make the log's hashes anew."""
    from ledger import store
    from tests.test_audit import envelope, sealed

    previous, found = codec.FIRST_PREVIOUS, 0
    with house.database.read() as connection:
        rows = store.read_log(connection, club, 0, 1000)
    for row in rows:
        changed = row
        if row.type.startswith("HandSettled/"):
            found = row.position
            fact = json.loads(row.public)
            fact["totals"][0] += 1
            public = json.dumps(fact, separators=(",", ":"), ensure_ascii=False).encode()
            changed = type(row)(**{**_fields(row), "public": public})
        leaf = codec.leaf(envelope(changed), sealed(changed))
        previous = codec.chain(previous, row.position, leaf)
        meddle(
            house,
            "UPDATE events SET public = :public, leaf = :leaf, hash = :hash "
            "WHERE club = :club AND position = :position",
            club=club,
            position=row.position,
            public=changed.public,
            leaf=leaf,
            hash=previous,
        )
    meddle(house, "UPDATE heads SET hash = :hash WHERE club = :club", hash=previous, club=club)
    return found


def _fields(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}

"""The signing key of a restored installation: in no backup, so it is told where it belongs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from ledger import signing
from ledger.cli import backups
from ledger.signing import PublicKey
from tests.lies.conftest import running
from tests.lies.forging import House

WARNED = (
    "The key that signs checkpoints is in no backup. Its file belongs at {file}, where none is. If "
    "you have it, stop, and put it there first: without it a new key begins, for which nobody "
    "vouches, and the old one never signs again.\n"
)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A house with a club under a checkpoint."""
    (tmp_path / "data").mkdir()
    made = House(tmp_path / "data")
    made.found()
    yield made
    made.database.close()


@pytest.fixture
def backup(own: House, tmp_path: Path) -> Path:
    """A backup of it."""
    (tmp_path / "backups").mkdir()
    with running(own.folder) as run:
        return Path(run("backup", "--output", tmp_path / "backups").stdout.splitlines()[0])


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """The data folder of a new machine."""
    (tmp_path / "new").mkdir()
    return tmp_path / "new"


def restored(backup: Path, folder: Path) -> Result:
    with running(folder) as run:
        return run("restore", backup)


def key_of(folder: Path) -> PublicKey:
    found = signing.key_in(folder / "signing.key")
    assert found is not None
    return found


def last_line(answer: Result) -> str:
    assert answer.exit_code == 0
    return answer.stdout.splitlines()[-1]


def test_without_the_key_it_is_told_beforehand_where_that_belongs(
    backup: Path, empty: Path
) -> None:
    answer = restored(backup, empty)
    assert answer.stderr == WARNED.format(file=empty / "signing.key")
    assert last_line(answer) == (
        "The key that signs checkpoints is in no backup. From now on "
        f"{key_of(empty).id} signs, in the file {empty}/signing.key: a new one, which nobody "
        "vouches for."
    )


def test_with_the_key_nothing_is_asked(own: House, backup: Path, empty: Path) -> None:
    shutil.copy(own.key_file, empty)
    answer = restored(backup, empty)
    assert answer.stderr == ""
    assert last_line(answer).endswith(": the one that was there.")


def test_the_key_of_another_installation_is_told_as_that(
    backup: Path, empty: Path, tmp_path: Path
) -> None:
    """With the way out of it."""
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other")
    other.found()
    other.database.close()
    shutil.copy(other.key_file, empty)
    answer = restored(backup, empty)
    assert answer.stderr == ""
    assert last_line(answer) == (
        "The key that signs checkpoints is in no backup. From now on "
        f"{key_of(tmp_path / 'other').id} signs, in the file {empty}/signing.key: a key that this "
        "backup does not know, for which nobody vouches here: it is of another installation, or "
        "newer than the backup. If it should not sign here, take its file away and say `paizhang "
        "signing-key begin`."
    )


def test_who_sits_at_a_screen_may_stop(
    backup: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked before anything is restored; a no leaves the folder as it was."""
    monkeypatch.setattr(backups, "_is_at_a_screen", lambda: True)
    answer = restored(backup, empty)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith("Error: Nothing was restored.\n")
    assert not (empty / "paizhang.db").exists()


def test_a_trial_needs_no_key(backup: Path, empty: Path) -> None:
    with running(empty) as run:
        answer = run("restore", backup, "--check")
    assert (answer.exit_code, answer.stderr) == (0, "")

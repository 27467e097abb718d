"""A signing key whose file is not there: for a while, or for ever."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import signing
from ledger.database import Database
from ledger.signing import ListedKey, PublicKey
from ledger.texts import sentence
from tests.proofs.conftest import NOON, pem
from tests.proofs.test_signing import SECOND, listed, refused, rotate, sign


def begin(database: Database, file: Path, now: int = NOON) -> PublicKey:
    with database.write() as connection:
        return signing.begin(connection, file, now)


def test_a_file_that_is_not_there_ends_no_key(database: Database, key_file: Path) -> None:
    """A folder that is not mounted, or another machine: nothing is signed, and nothing begun."""
    old, content = sign(database, key_file), key_file.read_bytes()
    key_file.unlink()
    why = refused(database, key_file)
    assert (why.code, why.params["key"]) == ("signing_key_missing", old.id)
    assert not key_file.exists()
    key_file.write_bytes(content)
    assert sign(database, key_file) == old


def test_the_file_of_a_key_that_the_list_does_not_know_signs_nothing(
    database: Database, key_file: Path, tmp_path: Path
) -> None:
    """A second machine that has made a key of its own is refused, and the first goes on.

    Both keys are named, and what to do.
    """
    old, other = sign(database, key_file), tmp_path / "elsewhere" / "signing.key"
    other.parent.mkdir()
    other.write_bytes(pem(Ed25519PrivateKey.generate()))
    why = refused(database, other)
    foreign = why.params["key"]
    assert (why.code, why.params["last"], foreign == old.id) == ("signing_key_other", old.id, False)
    assert sentence(why, "en") == (
        f"The file holds {foreign}, which is not known here; {old.id} signed last. Put the file of "
        f"{old.id} back; if it is lost, take this one away and say `paizhang signing-key begin`."
    )
    assert [one.key for one in listed(database)] == [old]
    assert sign(database, key_file) == old


def test_who_has_lost_the_file_begins_a_new_key(database: Database, key_file: Path) -> None:
    """It is told after the lost one, and that nobody signed it."""
    old = sign(database, key_file)
    key_file.unlink()
    new = begin(database, key_file, NOON + SECOND)
    assert new != old
    assert listed(database)[1] == ListedKey(new, NOON + SECOND, old.id, None)
    assert sign(database, key_file) == new


def test_nothing_is_begun_where_nothing_is_lost(database: Database, key_file: Path) -> None:
    old = sign(database, key_file)
    assert begin(database, key_file) == old
    assert [one.key for one in listed(database)] == [old]


def test_a_key_that_has_ended_gives_its_file_to_a_new_one(
    database: Database, key_file: Path
) -> None:
    """Given the old file where the new key is lost, then a third key begins in its place."""
    old, content = sign(database, key_file), key_file.read_bytes()
    second = rotate(database, key_file)
    sign(database, key_file)
    key_file.write_bytes(content)
    third = begin(database, key_file)
    assert [one.key for one in listed(database)] == [old, second, third]
    assert sign(database, key_file) == third


def test_a_file_lost_after_the_key_was_changed(database: Database, key_file: Path) -> None:
    """The new key's file is there, and takes its place."""
    sign(database, key_file)
    new = rotate(database, key_file)
    key_file.unlink()
    assert sign(database, key_file) == new


def test_a_database_restored_without_its_newest_key(
    on_sqlite: Database, on_postgresql: Database, key_file: Path
) -> None:
    """A key that the list does not know goes on after the last that it knows, when asked for."""
    here, restored = on_sqlite, on_postgresql
    first = sign(here, key_file)
    sign(restored, key_file)
    rotate(here, key_file)
    new = sign(here, key_file)
    assert refused(restored, key_file).code == "signing_key_other"
    assert begin(restored, key_file) == new
    assert [(one.key, one.after) for one in listed(restored)] == [(first, None), (new, first.id)]

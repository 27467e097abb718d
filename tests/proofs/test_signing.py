"""The key that signs: made once, whole and for its owner alone; changed and lost in the open."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from ledger import signing
from ledger.database import Database
from ledger.refusal import Refused
from ledger.signing import ListedKey, PublicKey
from ledger.texts import sentence
from tests.proofs.conftest import NOON, pem

Together = Callable[..., list[Any]]
SECOND = 1_000_000
ROOT = Path(__file__).parents[2]
FIRST_RUN = """
import sys, time
from pathlib import Path
from ledger import signing
from ledger.database import Database
database, go = Database.open(sys.argv[1]), Path(sys.argv[3])
print("ready", flush=True)
while not go.exists():
    time.sleep(0.001)
with database.write() as connection:
    print(signing.signer(connection, Path(sys.argv[2]), 1_000_000).public.id)
"""
"""A process that signs for the first time as soon as a file is there."""
OF_UNKNOWN_KIND = b"""-----BEGIN PRIVATE KEY-----
MB0CAQAwCAYGKgMEBQYHBA4EDAAAAAAAAAAAAAAAAA==
-----END PRIVATE KEY-----
"""


def sign(database: Database, file: Path, now: int = NOON) -> PublicKey:
    """The key that signs, as a checkpoint asks for it."""
    with database.write() as connection:
        return signing.signer(connection, file, now).public


def rotate(database: Database, file: Path, now: int = NOON) -> PublicKey:
    with database.write() as connection:
        return signing.rotate(connection, file, now)


def listed(database: Database) -> list[ListedKey]:
    with database.read() as connection:
        return signing.listed(connection)


def refused(database: Database, file: Path) -> Refused:
    """How a signature is refused."""
    with pytest.raises(Refused) as caught:
        sign(database, file)
    return caught.value


def files(file: Path) -> list[str]:
    """What lies in the key's folder."""
    return sorted(path.name for path in file.parent.iterdir())


# --- the first run ----------------------------------------------------------------------------


def test_a_key_is_made_at_the_first_run(database: Database, key_file: Path) -> None:
    """It is listed with the whole second in which it began, after no other and signed by none."""
    key = sign(database, key_file, NOON + 999_999)
    assert listed(database) == [ListedKey(key, NOON, None, None)]
    assert sign(database, key_file, NOON + SECOND) == key
    assert listed(database) == [ListedKey(key, NOON, None, None)]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_the_key_is_for_its_owner_alone(on_sqlite: Database, key_file: Path, umask: int) -> None:
    """Whatever the machine's habits: 0600 in a folder of 0700."""
    before = os.umask(umask)
    try:
        sign(on_sqlite, key_file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file.parent.stat().st_mode) == 0o700
    assert files(key_file) == ["signing.key"]


def test_a_folder_that_is_there_is_left_as_it_is(on_sqlite: Database, tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    sign(on_sqlite, tmp_path / "signing.key")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_key_is_never_half_written(
    on_sqlite: Database, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets its name when all of it is on the disk; until then it has another, as closed."""
    seen: list[tuple[bool, int, int]] = []
    kept = os.fsync

    def look(at: int) -> None:
        if stat.S_ISREG(os.fstat(at).st_mode):
            [part] = key_file.parent.iterdir()
            mode = stat.S_IMODE(part.stat().st_mode)
            seen.append((key_file.exists(), part.stat().st_size, mode))
        kept(at)

    monkeypatch.setattr(os, "fsync", look)
    sign(on_sqlite, key_file)
    assert seen == [(False, key_file.stat().st_size, 0o600)]


@pytest.mark.parametrize("call", ["fsync", "link", "open"])
def test_a_full_disk_leaves_no_key(
    on_sqlite: Database, key_file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Given a disk that takes nothing, then this is refused, and the next run begins anew."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, full)
        assert refused(on_sqlite, key_file).code == "signing_key_unreadable"
    assert files(key_file) == []
    assert listed(on_sqlite) == []
    assert [one.key for one in listed(on_sqlite)] == [] != [sign(on_sqlite, key_file)]


def test_several_processes_at_the_first_run_have_one_key(
    database: Database, database_url: str, key_file: Path, tmp_path: Path
) -> None:
    """Each of three processes signs with the same key, and the list has no other."""
    go = tmp_path / "go"
    command = [sys.executable, "-c", FIRST_RUN, database_url, str(key_file), str(go)]
    started = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [one.stdout.readline() for one in started if one.stdout] == ["ready\n"] * 3
    go.touch()
    told = {one.communicate(timeout=60)[0].strip() for one in started}
    [only] = listed(database)
    assert told == {only.key.id}
    assert files(key_file) == ["signing.key"]


def test_threads_at_the_first_run_have_one_key(
    database: Database, key_file: Path, together: Together
) -> None:
    told = together(*[lambda: sign(database, key_file)] * 6)
    assert [one.key for one in listed(database)] == [told[0]]
    assert told == [told[0]] * 6


def test_two_machines_with_a_file_each_have_one_first_key(
    database: Database, key_file: Path, together: Together
) -> None:
    """Given two files for one database, then one key is the first; nothing is signed unlisted."""
    other = key_file.with_name("other.key")
    together(lambda: sign(database, key_file), lambda: sign(database, other))
    keys = listed(database)
    assert keys[0].after is None
    assert [one.after for one in keys[1:]] == [one.key.id for one in keys[:-1]]
    loser = key_file if sign_or_none(database, other) else other
    assert refused(database, loser).code in ("signing_key_missing", "signing_key_other")


def sign_or_none(database: Database, file: Path) -> PublicKey | None:
    try:
        return sign(database, file)
    except Refused:
        return None


# --- another key ------------------------------------------------------------------------------


def test_the_old_key_signs_the_new_one(database: Database, key_file: Path) -> None:
    """The list tells the new key after the old, with a signature of the new one's text."""
    old = sign(database, key_file)
    new = rotate(database, key_file, NOON + 7 * SECOND + 1)
    first, second = listed(database)
    assert (first.key, second.key, second.after) == (old, new, old.id)
    assert second.begun_at == NOON + 7 * SECOND
    assert second.signature is not None
    signed = f"paizhang+{new.id}+".encode()
    assert new.text.encode().startswith(signed)
    Ed25519PublicKey.from_public_bytes(old.public).verify(second.signature, new.text.encode())


def test_the_new_keys_file_takes_the_old_ones_place_when_it_signs(
    database: Database, key_file: Path
) -> None:
    """As well where the machine fell between the commit and that: the list knows the new key."""
    sign(database, key_file)
    before = key_file.read_bytes()
    new = rotate(database, key_file)
    assert key_file.read_bytes() == before
    assert files(key_file) == ["signing.key", "signing.key.next"]
    assert sign(database, key_file) == new
    assert key_file.read_bytes() != before
    assert files(key_file) == ["signing.key"]
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_a_change_that_was_undone_leaves_the_old_key_in_force(
    database: Database, key_file: Path
) -> None:
    """Given a transaction that ends after the new file was written, then nothing has changed."""
    old = sign(database, key_file)
    with database.writer.connect() as connection, connection.begin() as transaction:
        undone = signing.rotate(connection, key_file, NOON)
        transaction.rollback()
    assert [one.key for one in listed(database)] == [old]
    assert sign(database, key_file) == old
    new = rotate(database, key_file)
    assert sign(database, key_file) == new != undone
    assert [one.key for one in listed(database)] == [old, new]


def test_changed_again_before_anything_was_signed(database: Database, key_file: Path) -> None:
    """Each key is signed by the one before it."""
    first = sign(database, key_file)
    second, third = rotate(database, key_file), rotate(database, key_file)
    assert sign(database, key_file) == third
    keys = listed(database)
    assert [one.key for one in keys] == [first, second, third]
    assert [one.after for one in keys] == [None, first.id, second.id]
    assert second.signed(third.text.encode(), keys[2].signature or b"")


def test_a_key_changed_at_once(database: Database, key_file: Path, together: Together) -> None:
    """Given three who change it at the same moment, then the last of the list signs, and is there.

    On PostgreSQL one goes through, and the others are told that the key has ended; SQLite lets
    them go one after the other.
    """
    sign(database, key_file)
    made = together(*[lambda: rotate(database, key_file)] * 3)
    keys = [one.key for one in listed(database)]
    assert {one for one in made if one != "signing_key_retired"} == set(keys[1:])
    assert sign(database, key_file) == keys[-1]


def test_two_take_the_new_file_over_at_once(
    on_sqlite: Database, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given another process that moves the file just before, then that is as good."""
    sign(on_sqlite, key_file)
    new = rotate(on_sqlite, key_file)
    move = Path.replace

    def moved_before(self: Path, target: Path) -> Path:
        move(self, target)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", moved_before)
    assert sign(on_sqlite, key_file) == new


# --- what signs nothing -----------------------------------------------------------------------


def test_a_key_that_another_has_followed_signs_nothing(database: Database, key_file: Path) -> None:
    """Given the old file put back, then the refusal names the key and the file."""
    old = sign(database, key_file)
    before = key_file.read_bytes()
    new = rotate(database, key_file)
    sign(database, key_file)
    key_file.write_bytes(before)
    why = refused(database, key_file)
    told = {"key": old.id, "last": new.id, "file": key_file}
    assert (why.code, why.params) == ("signing_key_retired", told)
    assert sentence(why, "en").startswith(f"{new.id} has followed {old.id}, which ")
    assert len(listed(database)) == 2


def unfit() -> dict[str, bytes]:
    """What is in no way a private key of Ed25519, as it may lie in a file."""
    private, rest = Ed25519PrivateKey.generate(), (Encoding.PEM, PrivateFormat.PKCS8)
    of_rsa = rsa.generate_private_key(65537, 2048)
    of_curve = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return {
        "nothing": b"",
        "garbage": b"\x00\xff garbage",
        "half of a key": pem(private)[:60],
        "a key of RSA": of_rsa.private_bytes(*rest, NoEncryption()),
        "a key of a curve": of_curve.private_bytes(*rest, NoEncryption()),
        "a key of a kind that nobody knows": OF_UNKNOWN_KIND,
        "a key behind a password": private.private_bytes(*rest, BestAvailableEncryption(b"secret")),
        "a public key": public,
        "raw bytes": private.private_bytes_raw(),
    }


@pytest.mark.parametrize("what", list(unfit()))
def test_a_file_that_holds_no_key(on_sqlite: Database, key_file: Path, what: str) -> None:
    """It is refused in a sentence that names it, left as it is, and no key is begun."""
    key_file.parent.mkdir()
    key_file.write_bytes(unfit()[what])
    before = key_file.read_bytes()
    why = refused(on_sqlite, key_file)
    assert (why.code, why.params) == ("signing_key_unreadable", {"file": key_file})
    assert sentence(why, "en").endswith("holds no Ed25519 key that can be read.")
    assert sentence(why, "zh").endswith("中没有可读的 Ed25519 密钥。")
    assert key_file.read_bytes() == before
    assert listed(on_sqlite) == []


def test_a_file_that_cannot_be_read(on_sqlite: Database, key_file: Path) -> None:
    """A folder under the file's name is as one that may not be read."""
    key_file.mkdir(parents=True)
    assert refused(on_sqlite, key_file).code == "signing_key_unreadable"


def test_a_folder_that_cannot_be(on_sqlite: Database, key_file: Path) -> None:
    """Given a file in its place, then nothing can be made in it."""
    key_file.parent.write_bytes(b"")
    assert refused(on_sqlite, key_file).code == "signing_key_unreadable"


def test_a_new_key_that_cannot_be_read(on_sqlite: Database, key_file: Path) -> None:
    """Given garbage where the next key's file was, then its name is told."""
    after = key_file.with_name("signing.key.next")
    sign(on_sqlite, key_file)
    after.write_bytes(b"garbage")
    why = refused(on_sqlite, key_file)
    assert (why.code, why.params) == ("signing_key_unreadable", {"file": after})

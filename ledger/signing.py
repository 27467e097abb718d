"""The keys that sign checkpoints (Ed25519): one at a time, the former ones listed for ever.

The private key is a file beside the database and in no backup of it. Who lost it goes on with a
new one, which the list names as the next; who changes it lets the old key sign the new one.
Public keys are told in the form of signed notes: `paizhang+<id>+<base64>`.
"""

from __future__ import annotations

import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from msgspec import Struct
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from ledger.refusal import Refused
from ledger.store import METADATA

NAME = "paizhang"
ED25519 = b"\x01"
"""The kind of key in its id and its text."""
NONE = ""
"""After which the first key comes: a NULL would let there be several first ones."""
SECOND = 1_000_000

signing_keys = sa.Table(
    "signing_keys",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("public", sa.LargeBinary, nullable=False),
    sa.Column("begun_at", sa.BigInteger, nullable=False),
    sa.Column("after", sa.Text, nullable=False, unique=True),
    sa.Column("signature", sa.LargeBinary),
)

_BEGIN: dict[str, Any] = {
    "sqlite": sqlite.insert(signing_keys),
    "postgresql": postgresql.insert(signing_keys).on_conflict_do_nothing(),
}
"""Several processes may begin a key at once: the first one's is the next of the list."""


class PublicKey(Struct, frozen=True):
    """A key by which signatures are checked: 32 bytes, and an id of 8 hexadecimal digits."""

    public: bytes

    @property
    def id(self) -> str:
        """The first bytes of the hash of name and key, as signed notes have it."""
        return sha256(NAME.encode() + b"\n" + ED25519 + self.public).hexdigest()[:8]

    @property
    def text(self) -> str:
        """The key for people and files."""
        return f"{NAME}+{self.id}+{b64encode(ED25519 + self.public).decode()}"

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether a signature of a message is by this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True


class ListedKey(Struct, frozen=True):
    """A key of the list: when it began, after which other, and that one's signature of its text.

    Without a signature the former key was lost, or there was none.
    """

    key: PublicKey
    begun_at: int
    after: str | None
    signature: bytes | None


class Signer:
    """The private key in its file, made at the first run."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = PublicKey(private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message."""
        return self._private.sign(message)


def read_key(text: str) -> PublicKey:
    """The public key of its text; refuses what is none (`key_text_malformed`)."""
    told = text.strip()
    try:
        _, _, packed = told.split("+", 2)
        raw = b64decode(packed, validate=True)
    except ValueError:
        raise Refused("key_text_malformed") from None
    key = PublicKey(raw[1:])
    if len(raw) != 33 or key.text != told:
        raise Refused("key_text_malformed")
    return key


def line_of(one: ListedKey) -> str:
    """A key as a line of a list: with the id of the key before it, and its signature, if any."""
    if one.signature is None:
        return one.key.text
    return f"{one.key.text} by {one.after} {b64encode(one.signature).decode()}"


def read_line(line: str) -> tuple[PublicKey, bytes | None]:
    """The key of a line, and the signature by the key before it (`key_text_malformed`)."""
    text, *signed = line.split()
    if not signed:
        return read_key(text), None
    try:
        by, _, packed = signed
        signature = b64decode(packed, validate=True)
    except ValueError:
        raise Refused("key_text_malformed") from None
    if by != "by" or len(signature) != 64:
        raise Refused("key_text_malformed")
    return read_key(text), signature


def listed(connection: Connection) -> list[ListedKey]:
    """Every key that has signed here, in the order of their beginning."""
    rows = connection.execute(select(signing_keys)).all()
    after = {row.after: row for row in rows}
    keys: list[ListedKey] = []
    row = after.get(NONE)
    while row is not None:
        former = row.after or None
        keys.append(ListedKey(PublicKey(row.public), row.begun_at, former, row.signature))
        row = after.get(row.key)
    return keys


def signer(connection: Connection, file: Path, now: int) -> Signer:
    """The key that signs: that of the file, which is made at the first run.

    A file that is not there for a while, or another machine without it, ends no key: where keys
    are listed and the last one's file is missing, that is refused (`signing_key_missing`). So is
    one that another has followed (`signing_key_retired`), one that the list does not know
    (`signing_key_other`), and a file that holds none (`signing_key_unreadable`).
    """
    take_over(connection, file)
    known, private = listed(connection), _read(file)
    if not known:
        own = Signer(private or _make(file))
        _begin(connection, own.public, now, NONE, None)
        known = listed(connection)
    elif private is None:
        raise Refused("signing_key_missing", key=known[-1].key.id, file=file)
    else:
        own = Signer(private)
    if known[-1].key == own.public:
        return own
    is_known = own.public in [one.key for one in known]
    code = "signing_key_retired" if is_known else "signing_key_other"
    raise Refused(code, key=own.public.id, last=known[-1].key.id, file=file)


def key_in(file: Path) -> PublicKey | None:
    """The public key of a private key's file, None where there is no file."""
    private = _read(file)
    return None if private is None else Signer(private).public


def begin(connection: Connection, file: Path, now: int) -> PublicKey:
    """Go on after a loss: with the file's key if the list does not know it, else with a new one.

    Nobody signs it. Where the last key's file is there nothing is lost, and nothing begun.
    """
    take_over(connection, file)
    known, private = listed(connection), _read(file)
    listed_keys = [one.key for one in known]
    if private is not None and Signer(private).public in listed_keys[:-1]:
        private = _replaced(file)
    own = Signer(private or _make(file)).public
    if own not in listed_keys:
        _begin(connection, own, now, known[-1].key.id if known else NONE, None)
    return own


def rotate(connection: Connection, file: Path, now: int) -> PublicKey:
    """Begin a new key, signed by the one before it; gives the new one.

    Its file takes the old one's place once the list knows it: `take_over`, or the next signing.
    Of two who do this at once one is refused (`signing_key_retired`), before he could write his
    key over the other's.
    """
    old, private = signer(connection, file, now), Ed25519PrivateKey.generate()
    new = Signer(private).public
    _begin(connection, new, now, old.public.id, old.sign(new.text.encode()))
    last = listed(connection)[-1].key
    if last != new:
        raise Refused("signing_key_retired", key=old.public.id, last=last.id, file=file)
    with _written(private, _next(file)) as part:
        part.replace(_next(file))
        _keep_name(file)
    return new


def take_over(connection: Connection, file: Path) -> None:
    """Put a new key's file in the old one's place, once the list knows it."""
    private = _read(_next(file))
    newest = [one.key for one in listed(connection)][-1:]
    if private is not None and newest == [Signer(private).public]:
        with suppress(FileNotFoundError):  # another has just done it
            _next(file).replace(file)


def _begin(
    connection: Connection, key: PublicKey, now: int, after: str, signature: bytes | None
) -> None:
    """Put a key into the list, as of the whole second that notes tell, unless another is there.

    Waits for whoever begins one just now.
    """
    row = {"key": key.id, "public": key.public, "begun_at": now - now % SECOND}
    connection.execute(
        _BEGIN[connection.dialect.name], {**row, "after": after, "signature": signature}
    )


def _next(file: Path) -> Path:
    return file.with_name(f"{file.name}.next")


def _read(file: Path) -> Ed25519PrivateKey | None:
    """The key of a file, None where there is no file."""
    try:
        private = load_pem_private_key(file.read_bytes(), None)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        raise Refused("signing_key_unreadable", file=file) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise Refused("signing_key_unreadable", file=file)
    return private


def _replaced(file: Path) -> Ed25519PrivateKey:
    """A new key in the place of one that has ended."""
    private = Ed25519PrivateKey.generate()
    with _written(private, file) as part:
        part.replace(file)
        _keep_name(file)
    return private


def _make(file: Path) -> Ed25519PrivateKey:
    """A new key in its file; of several who make it at once one's counts."""
    with _written(Ed25519PrivateKey.generate(), file) as part:
        with suppress(FileExistsError):
            os.link(part, file)
        _keep_name(file)
    kept = _read(file)
    assert kept is not None, "a file that was linked is there"
    return kept


@contextmanager
def _written(private: Ed25519PrivateKey, file: Path) -> Iterator[Path]:
    """A key as a file beside its own, whole and for its owner alone, to be put in that place."""
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}.part")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with open(part, "xb", opener=_for_the_owner) as out:
                out.write(pem)
                out.flush()
                os.fsync(out.fileno())
            yield part
        finally:
            part.unlink(missing_ok=True)
    except OSError:
        raise Refused("signing_key_unreadable", file=file) from None


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _keep_name(file: Path) -> None:
    """Let a file be there under its name even after the power has failed."""
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

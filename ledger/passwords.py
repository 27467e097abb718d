"""Logins and passwords: how they are compared, and what is kept of them."""

from __future__ import annotations

import unicodedata
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

HASHES_AT_ONCE = 4
"""A hash takes 64 MiB of memory for a tenth of a second, whoever asks for it."""
_HASHER = PasswordHasher()
_HASHING = BoundedSemaphore(HASHES_AT_ONCE)
_NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA"
    "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
"""The hash that no password has: an unknown login takes as long as a wrong password."""


def plain_login(login: str) -> str:
    """A login as it is compared: "Zhang " and "zhang" are one."""
    return unicodedata.normalize("NFKC", login).strip().casefold()


def password_hash(password: str) -> str:
    """What is kept of a password."""
    with _HASHING:
        return _HASHER.hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Whether a password is the one that is kept; it takes as long where none is."""
    with _HASHING:
        try:
            return _HASHER.verify(kept or _NOBODY, password) and kept is not None
        except VerificationError:
            return False

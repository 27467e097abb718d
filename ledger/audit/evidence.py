"""Evidence of one hand as a file: its events as they were hashed, each with its proof.

What stands beside the events is for reading, and must be what they say. Source: docs/trust.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from ledger.audit.strict import decode
from ledger.refusal import Refused
from ledger.signing import NAME, read_key

FORMAT: Literal["paizhang-evidence/1"] = "paizhang-evidence/1"
MOST_KEYS = 64
MOST_SLOTS = 255
"""Slots are counted in one byte of a leaf."""
NUMBERS = range(1, 2**63)
_ID = re.compile("[0-9A-Za-z_-]{1,64}", re.ASCII)
_BYTES = re.compile("([0-9a-f]{2})*", re.ASCII)
_HASH = re.compile("[0-9a-f]{64}", re.ASCII)
_COMMAND = re.compile("([0-9a-f]{64})?", re.ASCII)
_SIGNATURE = re.compile("[0-9a-f]{128}", re.ASCII)
_FORMAT = re.compile(rb'"format"\s*:\s*"paizhang-evidence/([0-9]{1,9})"')


class Proven(Struct, frozen=True, forbid_unknown_fields=True):
    """An event as it was hashed, its parts as text, and the hashes that prove where it lies."""

    position: int
    stream: str
    version: int
    type: str
    recorded_at: int
    actor: str
    role: str
    command: str
    public: str
    slots: tuple[str, ...]
    proof: tuple[str, ...]


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A key that signed here, since when, and the former key's signature of it if there is one."""

    key: str
    begun_at: int
    signature: str | None = None

    @property
    def signed_by_former(self) -> bytes | None:
        """The former key's signature as it is, 64 bytes."""
        return None if self.signature is None else bytes.fromhex(self.signature)


class Evidence(Struct, frozen=True, forbid_unknown_fields=True):
    """All that shows how one hand was played and settled; what stands beside the events is theirs.

    The first event founds the club, the second opens the table, and then comes the hand; the last
    one settles it, if it was settled.
    """

    format: Literal["paizhang-evidence/1"]
    club: str
    table: str
    hand: int
    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    wall: str
    wilds: tuple[str, ...]
    secret: str
    settlement: dict[str, Any] | None
    checkpoint: str
    keys: tuple[Key, ...]
    events: tuple[Proven, ...]


def read_evidence(data: bytes) -> Evidence:
    """The evidence of a file; refuses what is none (`evidence_malformed`), and says where.

    There is one way to tell a number or a hash: no key stands twice, hashes are in small letters.
    Told apart are a file that breaks off (`file_truncated`), one in a later format
    (`evidence_newer`) and one with a changed letter in a public key (`evidence_key_malformed`).
    """
    format_ = _FORMAT.search(data)
    if format_ is not None and int(format_[1]) > 1:
        raise Refused("evidence_newer")
    evidence = decode(data, Evidence, "evidence_malformed")
    for place in _faults(evidence):
        raise Refused(_code_of(place, evidence), place=place)
    return evidence


def _code_of(place: str, evidence: Evidence) -> str:
    """What a place is refused by: a public key guards itself against a wrong letter."""
    _, room, number = place.rpartition("/keys/")
    told = evidence.keys[int(number)].key if room else ""
    is_spoilt = told.startswith(f"{NAME}+") and not _is_text_of_key(told)
    return "evidence_key_malformed" if is_spoilt else "evidence_malformed"


def _faults(evidence: Evidence) -> Iterator[str]:
    """Where names, numbers and hashes stand that can be none."""
    named = {"/club": evidence.club, "/table": evidence.table}
    yield from (place for place, text in named.items() if not _ID.fullmatch(text))
    if evidence.hand not in NUMBERS:
        yield "/hand"
    if not _BYTES.fullmatch(evidence.secret):
        yield "/secret"
    if len(evidence.keys) > MOST_KEYS:
        yield "/keys"
    if not evidence.events:
        yield "/events"
    yield from (f"/keys/{at}" for at, one in enumerate(evidence.keys) if not _is_key(one))
    yield from (f"/events/{at}" for at, one in enumerate(evidence.events) if not _is_event(one))


def _is_key(one: Key) -> bool:
    is_signed = one.signature is None or _SIGNATURE.fullmatch(one.signature) is not None
    return is_signed and 0 <= one.begun_at < NUMBERS.stop and _is_text_of_key(one.key)


def _is_text_of_key(told: str) -> bool:
    try:
        read_key(told)
    except Refused:
        return False
    return True


def _is_event(one: Proven) -> bool:
    numbers = (one.position, one.version, one.recorded_at)
    return (
        all(number in NUMBERS for number in numbers)
        and len(one.slots) <= MOST_SLOTS
        and _COMMAND.fullmatch(one.command) is not None
        and all(map(_HASH.fullmatch, one.proof))
    )

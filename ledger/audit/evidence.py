"""Evidence of one hand as a file: its events as they were hashed, each with its proof.

What stands beside the events is for reading, and must be what they say. Source: docs/trust.md.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from ledger.outcome import place_of
from ledger.refusal import Refused

FORMAT: Literal["paizhang-evidence/1"] = "paizhang-evidence/1"


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


class Evidence(Struct, frozen=True, forbid_unknown_fields=True):
    """All that shows how one hand was played and settled; what stands beside the events is theirs.

    The first event founds the club, the last one settles the hand, if it was.
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
    """The evidence of a file; refuses what is none (`evidence_malformed`)."""
    try:
        evidence = msgspec.json.decode(data, type=Evidence)
    except msgspec.ValidationError as fault:
        raise Refused("evidence_malformed", place=place_of(fault) or "/") from None
    except msgspec.DecodeError:
        raise Refused("evidence_malformed", place="/") from None
    if not evidence.events:
        raise Refused("evidence_malformed", place="/events")
    for number, one in enumerate(evidence.events):
        _check_form(one, f"/events/{number}")
    return evidence


def _check_form(one: Proven, place: str) -> None:
    """Refuses numbers and hashes that are none."""
    numbers = (one.position, one.version, one.recorded_at)
    try:
        hashes = [bytes.fromhex(text) for text in (*one.proof, one.command)]
    except ValueError:
        raise Refused("evidence_malformed", place=place) from None
    sized = all(len(hash_) == 32 for hash_ in hashes[:-1]) and len(hashes[-1]) in (0, 32)
    if not sized or not all(0 < number < 2**63 for number in numbers):
        raise Refused("evidence_malformed", place=place)

"""Checkpoints that must agree: of one log, the smaller is the beginning of the larger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from ledger import merkle
from ledger.checkpoints import Checkpoint
from ledger.refusal import Refused


class Consistent(Struct, frozen=True, forbid_unknown_fields=True):
    """The hashes that prove that a log's first `second` events begin with its first `first`."""

    object: Literal["consistency_proof"]
    club: str
    first: int
    second: int
    hashes: tuple[str, ...]


def read_consistent(data: bytes) -> Consistent:
    """The proof of a file; refuses what is none (`proof_malformed`)."""
    try:
        proof = msgspec.json.decode(data, type=Consistent)
        hashes = [bytes.fromhex(text) for text in proof.hashes]
    except ValueError:
        raise Refused("proof_malformed") from None
    if not 0 < proof.first <= proof.second or any(len(hash_) != 32 for hash_ in hashes):
        raise Refused("proof_malformed")
    return proof


def agree(one: Checkpoint, other: Checkpoint, proofs: Iterable[Consistent]) -> bool | None:
    """Whether two checkpoints are of one log that only grew; None where no proof joins them."""
    first, second = sorted((one, other), key=lambda checkpoint: checkpoint.position)
    if first.club != second.club:
        return False
    if first.position == second.position:
        return (first.root, first.head) == (second.root, second.head)
    wanted = (first.club, first.position, second.position)
    joined = [
        _roots(proof, first.root)
        for proof in proofs
        if (proof.club, proof.first, proof.second) == wanted
    ]
    return any(roots == (first.root, second.root) for roots in joined) if joined else None


def _roots(proof: Consistent, root: bytes) -> tuple[bytes, bytes] | None:
    hashes: Sequence[bytes] = [bytes.fromhex(text) for text in proof.hashes]
    return merkle.roots_by(proof.first, proof.second, root, hashes)

"""Checkpoints that must agree: of one log, the smaller is the beginning of the larger."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from ledger import merkle
from ledger.audit.strict import decode
from ledger.checkpoints import Checkpoint
from ledger.refusal import Refused

Agreement = Literal["agrees", "contradicts", "unjoined", "misproven", "other_club"]
"""What two checkpoints are to each other. `unjoined`: they are of different positions, and no proof
was given; `misproven`: only wrong ones."""
_HASH = re.compile("[0-9a-f]{64}", re.ASCII)


class Consistent(Struct, frozen=True, forbid_unknown_fields=True):
    """The hashes that prove that a log's first `second` events begin with its first `first`."""

    object: Literal["consistency_proof"]
    club: str
    first: int
    second: int
    hashes: tuple[str, ...]


def read_consistent(data: bytes) -> Consistent:
    """The proof of a file; refuses what is none (`proof_malformed`)."""
    proof = decode(data, Consistent, "proof_malformed")
    if not 0 < proof.first <= proof.second < 2**63 or not all(map(_HASH.fullmatch, proof.hashes)):
        raise Refused("proof_malformed")
    return proof


def agree(one: Checkpoint, other: Checkpoint, proofs: Iterable[Consistent]) -> Agreement:
    """Whether two checkpoints are of one log that only grew.

    A proof can join two of them and nothing else: a wrong one, which anybody can make, shows
    nothing. Contradiction shows where they say different things of one position.
    """
    first, second = sorted((one, other), key=lambda checkpoint: checkpoint.position)
    if first.club != second.club:
        return "other_club"
    if first.position == second.position:
        same = (first.root, first.head) == (second.root, second.head)
        return "agrees" if same else "contradicts"
    wanted = (first.club, first.position, second.position)
    given = [one for one in proofs if (one.club, one.first, one.second) == wanted]
    if any(_joins(proof, first, second) for proof in given):
        return "agrees"
    return "misproven" if given else "unjoined"


def _joins(proof: Consistent, first: Checkpoint, second: Checkpoint) -> bool:
    hashes = [bytes.fromhex(text) for text in proof.hashes]
    roots = merkle.roots_by(proof.first, proof.second, first.root, hashes)
    return roots == (first.root, second.root)

"""Proofs of a club's log for strangers: that an event lies in it, and that it only grew."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection

from ledger import checkpoints, store
from ledger.audit.agreeing import Consistent
from ledger.checkpoints import Checkpoint
from ledger.refusal import Refused
from ledger.store import tree


class Inclusion(Struct, frozen=True):
    """That an event lies under a checkpoint: its leaf, and the hashes from there to the root."""

    position: int
    leaf: bytes
    hashes: list[bytes]
    checkpoint: Checkpoint


def inclusion(
    connection: Connection, club: str, position: int, size: int | None = None
) -> Inclusion:
    """The proof of an event under the first checkpoint from it on, or under that of a size.

    Refuses an event that is not there (`event_unknown`) or lies under none
    (`not_under_a_checkpoint`).
    """
    rows = store.read_log(connection, club, position - 1, 1)
    if not rows or rows[0].position != position:
        raise Refused("event_unknown", position=position)
    if size is None:
        sealed = checkpoints.first_from(connection, club, position)
    else:
        sealed = checkpoints.at(connection, club, size)
    if sealed is None or sealed.position < position:
        raise Refused("not_under_a_checkpoint")
    (hashes,) = tree.inclusions(connection, club, [position], sealed.position)
    return Inclusion(position, rows[0].leaf, hashes, sealed)


def consistency(connection: Connection, club: str, first: int, second: int) -> Consistent:
    """The proof that a log's first `second` events begin with its first `first`.

    Refuses numbers that are in no order (`number_range`) or beyond what is under a checkpoint.
    """
    if not 1 <= first <= second:
        raise Refused("number_range", pointer="/first", value=first, low=1, high=second)
    newest = checkpoints.newest(connection, club)
    if newest is None or second > newest.position:
        raise Refused("not_under_a_checkpoint")
    hashes = tree.consistency(connection, club, first, second)
    told = tuple(hash_.hex() for hash_ in hashes)
    return Consistent("consistency_proof", club, first, second, told)

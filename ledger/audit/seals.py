"""What is signed and kept beside a log: its checkpoints, and the nodes of its tree."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from ledger import checkpoints, signing
from ledger.audit.chain import Fault, Why
from ledger.checkpoints import Checkpoint, read_note
from ledger.merkle import Frontier, Node
from ledger.refusal import Refused
from ledger.signing import ListedKey, PublicKey
from ledger.store import Stored, tree


class Seals:
    """The tree of a log on its way, held against what was signed and kept of it.

    With keys that somebody trusts, those and the ones that they have signed as the next must have
    signed every checkpoint; without, the listed ones.
    """

    def __init__(
        self,
        connection: Connection,
        club: str,
        given: Sequence[Checkpoint],
        keys: Sequence[PublicKey],
    ) -> None:
        self.fit = 0
        self._connection, self._club = connection, club
        self._keys = trusted(signing.listed(connection), keys)
        self._waiting: dict[int, list[Checkpoint | None]] = {}
        for one in given:
            self._waiting.setdefault(one.position, []).append(one)
        for position, created_at, note in checkpoints.kept(connection, club):
            read = _read(position, created_at, note)
            self._waiting.setdefault(position, []).append(read)
        self._frontier = Frontier()
        self._grown = tree.grown(connection, club)
        self._nodes: list[tuple[Node, bytes, int]] = []

    def fault_of(self, row: Stored) -> Fault | None:
        """What is wrong with the checkpoints of the log up to an event, which is the next."""
        for node, hash_ in self._frontier.add(row.leaf):
            if row.position <= self._grown:
                self._nodes.append((node, hash_, row.position))
        why = self._why(row)
        return None if why is None else Fault(row.position, why)

    def fault_of_nodes(self) -> Fault | None:
        """What is wrong with the kept nodes over the events since this was asked last."""
        nodes, self._nodes = self._nodes, []
        kept = tree.kept(self._connection, self._club, [node for node, _, _ in nodes])
        for node, hash_, position in nodes:
            if kept.get(node) != hash_:
                return Fault(position, "node")
        return None

    def fault_of_end(self, position: int) -> Fault | None:
        """What is wrong where the log ends: a checkpoint that reaches beyond it."""
        return Fault(position + 1, "cut") if self._waiting else None

    def _why(self, row: Stored) -> Why | None:
        for one in self._waiting.pop(row.position, ()):
            if one is None or not any(one.is_signed_by(key) for key in self._keys):
                return "signature"
            if one.club != self._club or (one.root, one.head) != (self._frontier.root(), row.hash):
                return "root"
            self.fit += 1
        return None


def trusted(listed: Sequence[ListedKey], keys: Sequence[PublicKey]) -> list[PublicKey]:
    """The keys that may have signed: those given and what follows from them; without, the listed.

    A key follows from the one before it by that one's signature. One that claims such a signature
    and has it not is none; one that claims none was begun after a loss.
    """
    found, before = list(keys), None
    for one in listed:
        text = one.key.text.encode()
        if one.signature is None:
            may = not keys
        else:
            may = before in found and before is not None and before.signed(text, one.signature)
        if may and one.key not in found:
            found.append(one.key)
        before = one.key
    return found


def _read(position: int, created_at: int, note: str) -> Checkpoint | None:
    """The checkpoint of a row, where the row says what its note does."""
    try:
        one = read_note(note)
    except Refused:
        return None
    return one if (one.position, one.created_at) == (position, created_at) else None

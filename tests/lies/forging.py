"""A club with two settled hands and signed checkpoints, and all that a forger needs to lie of it.

Who has the machine can make every hash anew, and sign: such a log goes into a database of its
own, from which the same code makes checkpoints and evidence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict, replace

from ledger import access, acts, audit, checkpoints, codec, demo, settlement, signing, store
from ledger.acts import Desk
from ledger.audit import Report
from ledger.audit.bundle import Verdict, check
from ledger.audit.evidence import Evidence, read_evidence
from ledger.checkpoints import Checkpoint, read_note
from ledger.codec import Envelope, Sealed
from ledger.database import Database
from ledger.perform import Ledger
from ledger.settings import load
from ledger.signing import PublicKey
from ledger.store import Stored
from projections.evidence import _proven, evidence_of
from tests.fresh import fresh

NOON = 1_800_000_000_000_000
SEED = 5
Rows = list[Stored]
Change = Callable[[Stored], Stored]


class House:
    """A ledger's database and its signing key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database.open(fresh(folder / "paizhang.db"))
        self.key_file = folder / "signing.key"

    def play(self, hands: int = 2) -> str:
        """A club of four in which one match of 怀化 was played, each hand under a checkpoint."""
        rng = random.Random(SEED)
        ledger = Ledger(self.database, lambda: NOON, rng.randbytes, lambda *_: None)
        club = demo.found(ledger, 4)
        for _ in demo.play_days(ledger, club, ("huaihua/1",), hands, 1, SEED):
            settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))
            self.sign(club.club)
        return club.club

    def found(self) -> str:
        """Another club of four, under a checkpoint."""
        rng = random.Random(SEED + 1)
        ledger = Ledger(self.database, lambda: NOON, rng.randbytes, lambda *_: None)
        club = demo.found(ledger, 4).club
        self.sign(club)
        return club

    def grow(self, club: str) -> None:
        """One more event in a club's log: somebody joins."""
        ledger = Ledger(self.database, lambda: NOON, bytes, lambda *_: None)
        acts.join_member(Desk(ledger, access.operator(), club), "E")

    def sign(self, club: str) -> Checkpoint:
        return checkpoints.make(self.database, club, self.key_file, lambda: NOON)

    def key(self) -> PublicKey:
        """The public key that signs now."""
        with self.database.read() as connection:
            return signing.listed(connection)[-1].key

    def rows(self, club: str) -> Rows:
        with self.database.read() as connection:
            return store.read_log(connection, club, 0, 10_000)

    def checkpoint(self, club: str, position: int | None = None) -> Checkpoint:
        """A checkpoint by its position, or the newest."""
        with self.database.read() as connection:
            found = signed(connection, club)
        return next(one for one in reversed(found) if position in (None, one.position))

    def evidence(self, table: str, hand: int) -> Evidence:
        with self.database.read() as connection:
            return evidence_of(connection, access.operator(), table, hand)

    def shown(self, honest: Evidence, rows: Rows) -> Evidence:
        """A file of evidence in which other events of the log stand, each with its proof."""
        with self.database.read() as connection:
            sealed = self.checkpoint(honest.club)
            events = tuple(_proven(connection, rows, sealed))
        return replace(honest, events=events, checkpoint=sealed.note)

    def verify(self, club: str, *against: Checkpoint) -> Report:
        return audit.verify(self.database, club, against=against)

    def keep(self, rows: Sequence[Stored]) -> None:
        """Put a log into the database as it is given."""
        last = rows[-1]
        head = {"club": last.club, "position": last.position, "hash": last.hash}
        with self.database.write() as connection:
            connection.execute(sa.insert(store.events), [_columns(row) for row in rows])
            moment = {"recorded_at": last.recorded_at}
            connection.execute(sa.insert(store.heads).values(**head, **moment))


@contextmanager
def house() -> Iterator[House]:
    """An empty house."""
    with TemporaryDirectory() as folder:
        made = House(Path(folder))
        with closing(made.database):
            yield made


def signed(connection: sa.Connection, club: str) -> list[Checkpoint]:
    """Every checkpoint of a club, the oldest first."""
    return [read_note(note) for _, _, note in checkpoints.kept(connection, club)]


def public(row: Stored, **values: Any) -> Stored:
    """An event that says something else to everybody."""
    return replace(row, public=msgspec.json.encode({**msgspec.json.decode(row.public), **values}))


def _columns(row: Stored) -> dict[str, Any]:
    packed = {"slots": codec.pack(row.slots), "digests": b"".join(row.digests)}
    return {**asdict(row), **packed}


def hashed_again(rows: Sequence[Stored]) -> Rows:
    """The log with every digest, leaf and hash made anew, as a careful forger would."""
    previous, secrets, made = codec.FIRST_PREVIOUS, dict[str, bytes](), Rows()
    for position, row in enumerate(rows, 1):
        if row.type == "HandStarted/2":
            told = msgspec.json.decode(row.slots[-1])["secret"]
            secrets[row.stream] = bytes.fromhex(told)
        secret = secrets.get(row.stream, b"")
        digests = tuple(
            codec.slot_digest(secret, row.version, audience, part)
            for audience, part in enumerate(row.slots)
        )
        where = Envelope(
            row.club, row.stream, row.version, row.recorded_at, row.actor, row.role, row.command
        )
        leaf = codec.leaf(where, Sealed(row.type, row.public, row.slots, digests))
        previous = codec.chain(previous, position, leaf)
        made.append(replace(row, position=position, digests=digests, leaf=leaf, hash=previous))
    return made


def changed(rows: Sequence[Stored], at: int, change: Change) -> Rows:
    """The log with one event changed, and hashed again."""
    return hashed_again([change(row) if row.position == at else row for row in rows])


def checked(
    evidence: Evidence | dict[str, Any],
    keys: Sequence[PublicKey],
    *against: Checkpoint,
) -> Verdict:
    """What a stranger finds who has nothing but the file and what he knows himself."""
    return check(read_evidence(msgspec.json.encode(evidence)), keys, against)

"""Checkpoints: the size, root and head of a club's log, signed, so that nobody can deny them later.

A checkpoint is a signed note as other transparency logs have it: the log's name, its size, the
root of its tree in base64, lines of ours (the head's hash, the time), an empty line, and a
signature over all before that line's end. Source: c2sp.org, tlog-checkpoint and signed-note.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from ledger import signing, store
from ledger.database import Database
from ledger.keyset import Page, cut, position_in
from ledger.refusal import Refused
from ledger.signing import NAME, PublicKey, Signer
from ledger.store import METADATA, Head, tree

_SHAPE = re.compile(
    rf"(?P<text>{NAME}/(?P<club>\S+)\n(?P<position>[1-9][0-9]{{0,17}})\n(?P<root>[A-Za-z0-9+/=]+)\n"
    r"head (?P<head>[0-9a-f]{64})\n"
    r"time (?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\n)"
    r"\n(?P<signatures>(?:\N{EM DASH} [^\s+]+ [A-Za-z0-9+/=]+\n)+)"
)
_OURS = re.compile(rf"^\N{{EM DASH}} {NAME} ([A-Za-z0-9+/=]+)$", re.MULTILINE)
_QUOTED = re.compile(r"^\ufeff?[>\s]*")

STEP = 2000
"""Events by which a tree grows in one transaction."""

signed_checkpoints = sa.Table(
    "signed_checkpoints",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)

_OF_CLUB = select(signed_checkpoints).where(signed_checkpoints.c.club == sa.bindparam("club"))
_NEWEST = _OF_CLUB.order_by(signed_checkpoints.c.position.desc()).limit(1)
_AT = _OF_CLUB.where(signed_checkpoints.c.position == sa.bindparam("position"))
_FROM = (
    _OF_CLUB.where(signed_checkpoints.c.position >= sa.bindparam("position"))
    .order_by(signed_checkpoints.c.position)
    .limit(1)
)
_KEEP: dict[str, Any] = {
    "sqlite": sqlite.insert(signed_checkpoints),
    "postgresql": postgresql.insert(signed_checkpoints).on_conflict_do_nothing(),
}


class Checkpoint(Struct, frozen=True):
    """What a note says: the root over a log's first events and the hash of the last, and when.

    `key` is the id of the key that signed it; `created_at` is in microseconds.
    """

    club: str
    position: int
    root: bytes
    head: bytes
    created_at: int
    key: str
    note: str

    def is_signed_by(self, key: PublicKey) -> bool:
        """Whether the note bears this key's signature."""
        text, signature = _parts(self.note)
        return key.id == self.key and key.signed(text, signature)


def read_note(note: str) -> Checkpoint:
    """The checkpoint of a note; refuses what is none (`checkpoint_malformed`).

    Beside our signature, which stands there once, there may be those of others who have seen it.
    """
    found = _SHAPE.fullmatch(note)
    try:
        if found is None:
            raise ValueError
        (signature,) = _OURS.findall(found["signatures"])
        root, packed = _unpacked(found["root"]), _unpacked(signature)
        at = datetime.fromisoformat(found["time"])
        if len(root) != 32 or len(packed) != 4 + 64:
            raise ValueError
    except ValueError:
        raise Refused("checkpoint_malformed") from None
    created_at = round(at.timestamp()) * 1_000_000
    return Checkpoint(
        found["club"],
        int(found["position"]),
        root,
        bytes.fromhex(found["head"]),
        created_at,
        packed[:4].hex(),
        note,
    )


def find_notes(text: str) -> list[Checkpoint]:
    """The checkpoints that stand in a text between whatever else, such as a letter or a chat.

    Its lines may end as on Windows or in spaces, be quoted with `>`, and the last lack its end.
    What is not whole, or signed twice, is none.
    """
    lines = (_QUOTED.sub("", line).rstrip() for line in text.splitlines())
    found: list[Checkpoint] = []
    for one in _SHAPE.finditer("\n".join(lines) + "\n"):
        with suppress(Refused):
            found.append(read_note(one[0]))
    return found


def make(database: Database, club: str, file: Path, clock: Callable[[], int]) -> Checkpoint:
    """The checkpoint of a club's log as it stands, signed now unless it was before.

    Refuses an unknown club (`club_unknown`), and a log that does not begin with what the newest
    checkpoint says (`checkpoint_contradicted`): that has lost its end, has another hash there or
    other nodes. An event that was changed before, its hash and those after left as they were, is
    not seen here but by an audit, which reads everything.
    """
    with database.read() as connection:
        head, standing = _standing(connection, club)
    if standing is not None:
        return standing
    _catch_up(database, club)
    with database.write_of(club) as connection:
        head, standing = _standing(connection, club)
        if standing is not None:
            return standing
        tree.grow(connection, club, head.position)
        now = max(clock(), head.recorded_at)
        signer = signing.signer(connection, file, now)
        root = tree.root(connection, club, head.position)
        _keep(connection, read_note(_sign(signer, _text(head, root, now))))
        made = at(connection, club, head.position)
    assert made is not None, "it was kept, by us or by another just before"
    return made


def _standing(connection: Connection, club: str) -> tuple[Head, Checkpoint | None]:
    """The head of a log, and the checkpoint there if nothing has come since."""
    last = newest(connection, club)  # before the head, which is never behind it
    head = store.head(connection, club)
    if head is None:
        raise Refused("club_unknown", club=club)
    if last is not None:
        _check(connection, last, head)
    return head, last if last is not None and last.position == head.position else None


def _catch_up(database: Database, club: str) -> None:
    """Let a tree that is far behind grow bit by bit, so that who appends has not to wait long."""
    behind = True
    while behind:
        with database.write_of(club) as connection:
            head, size = store.head(connection, club), tree.grown(connection, club)
            behind = head is not None and head.position - size > STEP
            if behind:
                tree.grow(connection, club, size + STEP)


def newest(connection: Connection, club: str) -> Checkpoint | None:
    """The newest checkpoint of a club."""
    row = connection.execute(_NEWEST, {"club": club}).one_or_none()
    return None if row is None else read_note(row.note)


def at(connection: Connection, club: str, position: int) -> Checkpoint | None:
    """The checkpoint of a club's first events up to a position."""
    row = connection.execute(_AT, {"club": club, "position": position}).one_or_none()
    return None if row is None else read_note(row.note)


def first_from(connection: Connection, club: str, position: int) -> Checkpoint | None:
    """The first checkpoint under which the event at a position lies."""
    row = connection.execute(_FROM, {"club": club, "position": position}).one_or_none()
    return None if row is None else read_note(row.note)


def kept(connection: Connection, club: str) -> list[tuple[int, int, str]]:
    """Position, time and note of every checkpoint as its row has them, the oldest first."""
    c = signed_checkpoints.c
    asked = select(c.position, c.created_at, c.note).where(c.club == club).order_by(c.position)
    return [(row.position, row.created_at, row.note) for row in connection.execute(asked)]


def of_club(connection: Connection, club: str, page: Page) -> tuple[list[Checkpoint], bool]:
    """The checkpoints of a club, the newest first, and whether more follow."""
    c = signed_checkpoints.c

    def place(text: str) -> sa.Select[Any] | None:
        position = position_in("chk", text)
        if position is None:
            return None
        return select(c.position).where(c.club == club, c.position == position)

    whole = select(signed_checkpoints).where(c.club == club)
    rows, more = cut(connection, whole, (c.position,), c.created_at, page, place)
    return [read_note(row.note) for row in rows], more


def _check(connection: Connection, last: Checkpoint, head: Head) -> None:
    """Signs nothing that contradicts what was signed before."""
    there = store.read_log(connection, head.club, last.position - 1, 1)
    found = [(one.position, one.hash) for one in there]
    if (
        last.position > head.position
        or found != [(last.position, last.head)]
        or tree.root(connection, head.club, last.position) != last.root
    ):
        raise Refused("checkpoint_contradicted", position=last.position)


def _keep(connection: Connection, made: Checkpoint) -> None:
    row = {"club": made.club, "position": made.position, "note": made.note}
    connection.execute(_KEEP[connection.dialect.name], {**row, "created_at": made.created_at})


def _text(head: Head, root: bytes, now: int) -> str:
    moment = datetime.fromtimestamp(now // 1_000_000, UTC).isoformat().replace("+00:00", "Z")
    told = b64encode(root).decode()
    log = f"{NAME}/{head.club}\n{head.position}\n{told}"
    return f"{log}\nhead {head.hash.hex()}\ntime {moment}\n"


def _sign(signer: Signer, text: str) -> str:
    packed = bytes.fromhex(signer.public.id) + signer.sign(text.encode())
    return f"{text}\n\N{EM DASH} {NAME} {b64encode(packed).decode()}\n"


def _parts(note: str) -> tuple[bytes, bytes]:
    """What is signed, and the signature."""
    found = _SHAPE.fullmatch(note)
    assert found is not None, "a checkpoint was read from its note"
    (signature,) = _OURS.findall(found["signatures"])
    return found["text"].encode(), _unpacked(signature)[4:]


def _unpacked(text: str) -> bytes:
    """What base64 says; of the ways to write it only one is taken, so that no note has a twin."""
    said = b64decode(text, validate=True)
    if b64encode(said).decode() != text:
        raise ValueError
    return said

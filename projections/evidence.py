"""Evidence of a hand, for strangers: its events with their proofs, read from the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection

from ledger import checkpoints, codec, sight, signing, store
from ledger.access import Caller
from ledger.audit.evidence import FORMAT, Evidence, Key, Proven
from ledger.audit.shown import settlement_told
from ledger.checkpoints import Checkpoint
from ledger.codec import HAND_STARTS, SEATS_CHANGED
from ledger.events import HandStarted, WallBuilt, slot
from ledger.refusal import Refused
from ledger.store import Stored, tree
from projections.replay import hand_seen_by


def evidence_of(connection: Connection, caller: Caller, table: str, number: int) -> Evidence:
    """The evidence of a hand that has ended, under the newest checkpoint.

    Refuses what the caller may not see, a hand that runs (`hand_running`), and one that lies
    under no checkpoint yet (`not_under_a_checkpoint`).
    """
    club, rows = hand_seen_by(connection, caller, table, number)
    if rows[-1].type not in sight.HAND_ENDS:
        raise Refused("hand_running", hand=number)
    settled = store.read_stream(connection, club, f"hand/{table}/{number}", upto=1)
    sealed = checkpoints.newest(connection, club)
    if sealed is None:
        raise Refused("not_under_a_checkpoint")
    founded = store.read_log(connection, club, 0, 1)
    opened = store.read_stream(connection, club, f"table/{table}", upto=1)
    between = _between(connection, club, rows[0], number)
    return _evidence(connection, sealed, founded + opened + between + rows + settled, table)


def _between(connection: Connection, club: str, start: Stored, number: int) -> list[Stored]:
    """What says who sits where between the opening and a hand: before the first, all there is."""
    if number == 1:
        return store.read_stream(connection, club, start.stream, after=1, upto=start.version - 1)
    changes = store.of_type(connection, club, start.stream, SEATS_CHANGED)
    return [row for row in changes if row.version < start.version]


def _evidence(
    connection: Connection, sealed: Checkpoint, rows: list[Stored], table: str
) -> Evidence:
    start = next(row for row in rows if row.type in HAND_STARTS)
    event = codec.unseal(start.type, start.public, start.slots)
    fact, last = event.fact, rows[-1]
    assert isinstance(fact, HandStarted)
    built = slot(event, len(fact.seats), WallBuilt) or WallBuilt()
    settled = last if last.stream.startswith("hand/") else None
    return Evidence(
        format=FORMAT,
        club=sealed.club,
        table=table,
        hand=fact.number,
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        wall=built.wall,
        wilds=fact.wilds,
        secret=built.secret,
        settlement=None if settled is None else _told(settled),
        checkpoint=sealed.note,
        keys=tuple(map(_key, signing.listed(connection))),
        events=tuple(_proven(connection, rows, sealed)),
    )


def _told(settled: Stored) -> dict[str, Any]:
    return settlement_told(codec.unseal(settled.type, settled.public).fact)


def _key(one: signing.ListedKey) -> Key:
    signature = None if one.signature is None else one.signature.hex()
    return Key(one.key.text, one.begun_at, signature)


def _proven(connection: Connection, rows: list[Stored], sealed: Checkpoint) -> Iterator[Proven]:
    """Events, each with its proof."""
    if rows[-1].position > sealed.position:
        raise Refused("not_under_a_checkpoint")
    positions = [row.position for row in rows]
    paths = tree.inclusions(connection, sealed.club, positions, sealed.position)
    return map(_with_proof, rows, paths)


def _with_proof(row: Stored, path: list[bytes]) -> Proven:
    return Proven(
        position=row.position,
        stream=row.stream,
        version=row.version,
        type=row.type,
        recorded_at=row.recorded_at,
        actor=row.actor,
        role=row.role,
        command=row.command.hex(),
        public=row.public.decode(),
        slots=tuple(part.decode() for part in row.slots),
        proof=tuple(hash_.hex() for hash_ in path),
    )

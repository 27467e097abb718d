"""The tree over a club's log, its nodes kept: grown with the log, and never made anew.

Kept are the complete nodes above the leaves, which lie with their events. Every proof and every
root is made of a few of them, however long the log is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from ledger import merkle
from ledger.merkle import Frontier, Node, Range
from ledger.refusal import Refused
from ledger.store.tables import events, nodes

PAGE = 2000
ASKED = 500

_LAST = select(func.max(nodes.c.number)).where(
    nodes.c.club == bindparam("club"), nodes.c.level == 1
)
_LEAVES = (
    select(events.c.position, events.c.leaf)
    .where(
        events.c.club == bindparam("club"),
        events.c.position > bindparam("after"),
        events.c.position <= bindparam("upto"),
    )
    .order_by(events.c.position)
)
_KEEP: dict[str, Any] = {
    "sqlite": sqlite.insert(nodes),
    "postgresql": postgresql.insert(nodes).on_conflict_do_nothing(),
}
"""SQLite has one writer, who sees what the others have kept. Of several that grow a tree at once
on PostgreSQL each makes the same nodes."""


def grow(connection: Connection, club: str, upto: int) -> None:
    """Keep the nodes that events up to a position complete, those not kept before.

    Refuses a log in which one of these events is missing (`event_unknown`): nodes are for ever.
    """
    size = grown(connection, club)
    frontier = Frontier(size, _hashes(connection, club, merkle.peaks(Range(0, size))))
    while size < upto:
        end = min(size + PAGE, upto)
        rows = [
            {"club": club, "level": level, "number": number, "hash": hash_}
            for leaf in _leaves(connection, club, size, end)
            for (level, number), hash_ in frontier.add(leaf)
        ]
        if rows:
            connection.execute(_KEEP[connection.dialect.name], rows)
        size = end


def _leaves(connection: Connection, club: str, after: int, upto: int) -> list[bytes]:
    """The leaves of the events after one position and up to another, all of them."""
    page = {"club": club, "after": after, "upto": upto}
    leaves = dict(connection.execute(_LEAVES, page).all())
    missing = set(range(after + 1, upto + 1)) - leaves.keys()
    if missing:
        raise Refused("event_unknown", position=min(missing))
    return list(leaves.values())


def grown(connection: Connection, club: str) -> int:
    """How many events stand under kept nodes."""
    last = connection.execute(_LAST, {"club": club}).scalar_one_or_none()
    return 0 if last is None else 2 * (last + 1)


def kept(connection: Connection, club: str, places: Sequence[Node]) -> dict[Node, bytes]:
    """The nodes that are kept of some places."""
    return {node: hash_ for part in _parts(places) for node, hash_ in _kept(connection, club, part)}


def root(connection: Connection, club: str, size: int) -> bytes:
    """The root over the first events of a log."""
    return merkle.fold(_hashes(connection, club, merkle.peaks(Range(0, size))))


def inclusions(
    connection: Connection, club: str, positions: Sequence[int], size: int
) -> list[list[bytes]]:
    """For each of some events the hashes that prove it to lie in the log's first `size` events.

    Refuses an event that is not among them, and a tree that has not grown so far
    (`not_under_a_checkpoint`).
    """
    if not all(0 < position <= size for position in positions):
        raise Refused("not_under_a_checkpoint")
    ranges = [merkle.inclusion(position - 1, size) for position in positions]
    roots = iter(_roots(connection, club, [one for path in ranges for one in path]))
    return [[next(roots) for _ in path] for path in ranges]


def consistency(connection: Connection, club: str, first: int, second: int) -> list[bytes]:
    """The hashes that prove the log's first `second` events to begin with its first `first`."""
    return _roots(connection, club, merkle.consistency(first, second))


def _roots(connection: Connection, club: str, ranges: Iterable[Range]) -> list[bytes]:
    """The roots over some ranges, read all at once."""
    parts = [merkle.peaks(one) for one in ranges]
    hashes = iter(_hashes(connection, club, [node for part in parts for node in part]))
    return [merkle.fold([next(hashes) for _ in part]) for part in parts]


def _hashes(connection: Connection, club: str, places: list[Node]) -> list[bytes]:
    """The hashes of complete nodes, in their order."""
    found: dict[Node, bytes] = {}
    for part in _parts(sorted(set(places))):
        found.update(_leaves_at(connection, club, part))
        found.update(_kept(connection, club, part))
    try:
        return [found[place] for place in places]
    except KeyError:
        raise Refused("not_under_a_checkpoint") from None


def _parts(places: Sequence[Node]) -> Iterator[Sequence[Node]]:
    """So many places as one question may name."""
    return (places[at : at + ASKED] for at in range(0, len(places), ASKED))


def _leaves_at(
    connection: Connection, club: str, places: Iterable[Node]
) -> Iterator[tuple[Node, bytes]]:
    wanted = [number + 1 for level, number in places if level == 0]
    if wanted:
        asked = select(events.c.position, events.c.leaf).where(
            events.c.club == club, events.c.position.in_(wanted)
        )
        for position, leaf in connection.execute(asked):
            yield Node(0, position - 1), leaf


def _kept(
    connection: Connection, club: str, places: Iterable[Node]
) -> Iterator[tuple[Node, bytes]]:
    wanted = [tuple(place) for place in places if place.level > 0]
    if wanted:
        key = tuple_(nodes.c.level, nodes.c.number)
        asked = select(nodes.c.level, nodes.c.number, nodes.c.hash).where(
            nodes.c.club == club, key.in_(wanted)
        )
        for level, number, hash_ in connection.execute(asked):
            yield Node(level, number), hash_

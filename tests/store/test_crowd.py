"""Many writers and a reader at once, in processes of their own: nothing is missed or misplaced."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing

import pytest

from ledger import codec, store
from ledger.codec import Envelope, Sealed
from ledger.database import Database
from ledger.store import Append, Stored, Writing
from tests.store.crowd import Crowd, acknowledged, writing

CLUB = "crowded"
PAGE = 100
DEEP = pytest.mark.deep


def found(url: str) -> None:
    """A club whose log is to be crowded."""
    founding = (Writing("club", 0, (Sealed("ClubFounded/1", b"{}"),)),)
    with closing(Database.open(url)) as database, database.write() as connection:
        store.append(connection, Append(CLUB, "key_1", "owner", 0, None, founding, founds=True))


def tail(database: Database, writers: Crowd) -> list[Stored]:
    """The club's log as somebody reads it, on and on, while it is written, to its end."""
    seen: list[Stored] = []
    while True:
        ended = all(writer.poll() is not None for writer in writers)
        with database.read() as connection:
            page = store.read_log(connection, CLUB, seen[-1].position if seen else 0, PAGE)
        seen += page
        if ended and not page:
            return seen


def check_whole(rows: list[Stored], told: dict[str, int]) -> None:
    """Positions and versions without a gap, one chain, and of each batch all or nothing."""
    assert [row.position for row in rows] == list(range(1, len(rows) + 1))
    previous, versions = codec.FIRST_PREVIOUS, Counter[str]()
    for row in rows:
        versions[row.stream] += 1
        assert row.version == versions[row.stream]
        where = Envelope(
            row.club, row.stream, row.version, row.recorded_at, row.actor, row.role, row.command
        )
        assert row.leaf == codec.leaf(where, Sealed(row.type, row.public, row.slots, row.digests))
        previous = codec.chain(previous, row.position, row.leaf)
        assert row.hash == previous
    written = Counter(json.loads(row.public)["code"].rpartition("-")[0] for row in rows[1:])
    assert {batch: written[batch] for batch in told} == told
    assert not set(written) - set(told)


@pytest.mark.holds("eight processes write to the same streams at once")
def test_eight_writers_lose_and_double_nothing(database_url: str) -> None:
    """On streams of all and of each: what each was told is done lies there once, in one chain."""
    found(database_url)
    with writing(database_url, CLUB, range(8), appends=25, most=3) as writers:
        told = acknowledged(writers)
    with closing(Database.open(database_url)) as database, database.read() as connection:
        rows = store.read_log(connection, CLUB, 0, 10_000)
    assert len(told) == 200
    check_whole(rows, told)


@pytest.mark.holds("somebody reads on while six processes write, give up and stall")
@pytest.mark.parametrize("run", [0, *(pytest.param(run, marks=DEEP) for run in range(1, 20))])
def test_a_reader_beside_six_writers_misses_nothing(database_url: str, run: int) -> None:
    """Batches of up to 400 events, some given up, some stalled: he sees each position in turn."""
    found(database_url)
    seeds = range(6 * run, 6 * run + 6)
    with writing(database_url, CLUB, seeds, appends=12, most=400) as writers:
        with closing(Database.open(database_url)) as database:
            seen = tail(database, writers)
        told = acknowledged(writers)
    check_whole(seen, told)

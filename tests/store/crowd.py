"""A writer of a crowd, in a process of its own.

`python -m tests.store.crowd URL CLUB SEED APPENDS MOST` appends batches to streams that all share
and to one of its own, gives some up when they are written, and stalls inside some; what it says
at its end is what it was told is done.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from sqlalchemy.exc import OperationalError, TimeoutError

from ledger import store
from ledger.codec import Sealed
from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import Append, Writing

SHARED = ("member/0", "member/1", "member/2")
STALL = 0.03


class GivenUp(Exception):
    """What a writer does who changes his mind before the commit."""


def event(told: str) -> Sealed:
    """An event that says who wrote it."""
    return Sealed("MemberJoined/1", json.dumps({"code": told}).encode())


def append(database: Database, club: str, rng: random.Random, batch: str, most: int) -> int:
    """One batch after what is there; says how many events were acknowledged."""
    stream = f"{rng.choice([*SHARED, batch.rpartition('-')[0]])} of {club}"
    size = rng.choice([1, 1, 3, rng.randint(1, most)])
    with database.read() as connection:
        version = store.stream_version(connection, club, stream)
    sealed = tuple(event(f"{batch}-{place}") for place in range(size))
    asked = Append(club, "key_crowd", "owner", 0, None, (Writing(stream, version, sealed),))
    with database.write() as connection:
        store.append(connection, asked)
        if rng.random() < 0.1:
            time.sleep(STALL)
        if rng.random() < 0.1:
            raise GivenUp
    return size


def write(url: str, club: str, seed: int, appends: int, most: int) -> dict[str, int]:
    """Append so often, and say by batch what was acknowledged."""
    rng = random.Random(seed)
    done: dict[str, int] = {}
    with closing(Database.open(url)) as database:
        while len(done) < appends:
            batch = f"member/writer{seed}-{rng.getrandbits(60)}"
            with suppress(Refused, GivenUp, OperationalError, TimeoutError):
                done[batch] = append(database, club, rng, batch, most)
    return done


Crowd = list[subprocess.Popen[str]]


@contextmanager
def writing(url: str, club: str, seeds: range, appends: int, most: int) -> Iterator[Crowd]:
    """So many writers at a club's log, each with its own seed."""
    me = [sys.executable, "-m", "tests.store.crowd", url, club]
    bounds = [str(appends), str(most)]
    writers = [
        subprocess.Popen([*me, str(seed), *bounds], stdout=subprocess.PIPE, text=True)
        for seed in seeds
    ]
    try:
        yield writers
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


def acknowledged(writers: Crowd) -> dict[str, int]:
    """By batch what all writers were told is done, when they have ended."""
    told: dict[str, int] = {}
    for writer in writers:
        out, _ = writer.communicate(timeout=120)
        assert writer.returncode == 0
        told |= json.loads(out)
    return told


if __name__ == "__main__":
    told = write(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
    sys.stdout.write(json.dumps(told))

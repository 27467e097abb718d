"""A process of an installation that kills itself with -9 at a named step of its work.

`python -m tests.crashes.dying STEP WORK [ARGUMENT]`: the work is `record` (a game server that
records hands; the argument is the club), `work` (a worker's sweep), `queue` (a whole Celery
worker) or `rebuild` (of a club's balances). It says each command id that was acknowledged.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import wsgi
from ledger import access, acts, demo, queue, simulate
from ledger.access import Caller
from ledger.acts import Asked, Desk, Opening
from ledger.keyset import Page
from ledger.record import choice
from ledger.settings import load
from ledger.streams.table import Act, StartHand
from ledger.tiles import parse_tiles
from projections import projection
from wsgi import House

STEPS = {
    "before the append's statements": ("ledger.store", "append", "before"),
    "after the append, before its commit": ("ledger.perform", "_keep", "after"),
    "after the append's commit": ("ledger.perform", "_tell", "before"),
    "in the lease, before its commit": ("ledger.jobs", "lease", "after"),
    "after the lease": ("ledger.settlement", "_settle", "before"),
    "after the settlement is computed": ("ledger.settlement", "_command", "after"),
    "after the settlement's append, before its commit": ("ledger.jobs", "finish", "after"),
    "after the settlement, before it is shown": ("projections.projection", "catch_up", "before"),
    "in the middle of a projection": ("projections.projection", "_take", "after"),
    "after a projection, before the message is acknowledged": (
        "projections.projection",
        "catch_up",
        "after",
    ),
    "in the middle of a rebuild": ("projections.checkpoint", "hold", "before"),
    "after a rebuild's switch, before its commit": ("projections.checkpoint", "switch", "after"),
}
"""Each step by the function that it is before or after."""


def die_at(step: str) -> None:
    """Let the process die when it comes to a step."""
    module, name, when = STEPS[step]
    home = import_module(module)
    real: Callable[..., Any] = getattr(home, name)

    def dying(*args: Any, **kwargs: Any) -> Any:
        if when == "after":
            real(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(home, name, dying)


def record(house: House, club: str, step: str | None = None) -> list[str]:
    """Record three hands under command ids that are the same each time; dies in the second."""
    rng, ledger = random.Random(1), house.telling_ledger()
    members, told = demo_members(house, club), []
    with house.database.read() as connection:
        (recorder,) = access.labelled_keys(connection, club, demo.SERVER)

    def desk(key: str) -> Desk:
        server = Caller(recorder.key, club, ("recorder",))
        return Desk(ledger, server, club, Asked(key, b"\1" * 32))

    played = list(simulate.play_match(rng, "huaihua/1", demo.OPTIONS["huaihua/1"], 3))
    dealer = played[0].hand.dealer
    opening = Opening("huaihua/1", demo.OPTIONS["huaihua/1"], members, 3, dealer=dealer)
    table = acts.open_table(desk("open"), opening).stream.removeprefix("table/")
    told.append("open")
    for number, one in enumerate(played):
        if step is not None and number == 1:
            die_at(step)
        start = StartHand(parse_tiles(one.recorded.wall), rng.randbytes(32).hex())
        actions = (Act(choice(action)) for action in one.recorded.actions)
        acts.on_table(desk(f"hand {number}"), table, (start, *actions))
        told.append(f"hand {number}")
        sys.stdout.write(f"{told[-1]}\n")
        sys.stdout.flush()
    return told


def demo_members(house: House, club: str) -> tuple[str, ...]:
    """The first four members of a club."""
    with house.database.read() as connection:
        rows, _ = access.club_members(connection, club, Page(4))
    return tuple(row.member for row in rows)


def main(step: str, work: str, argument: str = "") -> None:
    """Do the work until the step comes."""
    settings = load(os.environ)
    house = House(settings)
    if work == "record":
        record(house, argument, step)
        return
    die_at(step)
    if work == "rebuild":
        projection.rebuild(house.database, argument, "journal", wsgi._now)
    elif work == "work":
        wsgi.create_worker(settings).tasks[queue.SWEEP]()
    else:
        queue.work(wsgi.create_worker(settings), "settle")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Whatever goes wrong on the way of an event, in whatever order, the ledger comes out right.

`SEED=4711 pytest tests/road` plays the world of one seed alone.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.road.conftest import Worlds
from tests.road.verdict import Verdict
from tests.road.world import Look

GIVEN = os.environ.get("SEED")
QUICK, DEEP = 100, 10_000
BLOCK = 20

WRONG = {
    "answer lost",
    "clock jumped",
    "failed",
    "hint doubled",
    "hint lost",
    "killed",
    "repeated",
    "switched",
    "waited for the lock",
}
"""What befalls somebody in any twenty worlds."""


def blocks(first: int, last: int) -> list[range]:
    """The seeds in blocks, so that several cores share them; or the given one."""
    if GIVEN is not None:
        return [range(int(GIVEN), int(GIVEN) + 1)]
    return [range(at, at + BLOCK) for at in range(first, last, BLOCK)]


def play(worlds: Worlds, seed: int) -> Counter[str]:
    """Let a world run, and judge it when it has come to rest; says what happened in it."""
    with worlds(seed) as world:
        world.run()
        verdict = Verdict(world)
        assert verdict.gaps() == []
        assert verdict.broken_chains() == []
        assert verdict.lost() == []
        assert verdict.done_twice() == []
        assert verdict.misread() == []
        assert verdict.after_revocation() == []
        assert verdict.wrongly_settled() == []
        assert verdict.left() == []
        assert verdict.stopped() == []
        assert verdict.wrong_balances() == []
        assert verdict.wrong_looks() == []
        assert verdict.seen_backwards() == []
        assert verdict.changed_by_rebuild() == []
    return world.stage.happened


def course(worlds: Worlds, seed: int) -> object:
    """All that happened in a world, step by step, and what its logs came to."""
    with worlds(seed) as world:
        world.run()
        logs = Verdict(world).logs
    ends = {club: (len(log), log[-1].hash) for club, log in logs.items()}
    return ends, world.stage.told(), world.stage.happened


@pytest.mark.holds("all of it together, in 100 seeded worlds of two clubs, two workers, retries")
@pytest.mark.parametrize("seeds", blocks(0, QUICK), ids=str)
def test_whatever_goes_wrong_all_comes_out_right(worlds: Worlds, seeds: range) -> None:
    """Nothing acknowledged is lost, nothing is done twice, and every balance is the log's."""
    happened: Counter[str] = Counter()
    for seed in seeds:
        happened += play(worlds, seed)
    assert GIVEN is not None or set(happened) >= WRONG


@pytest.mark.deep
@pytest.mark.parametrize("seeds", blocks(QUICK, DEEP), ids=str)
def test_all_comes_out_right_in_many_more_worlds(worlds: Worlds, seeds: range) -> None:
    for seed in seeds:
        play(worlds, seed)


def test_a_seed_always_gives_the_same_world(worlds: Worlds) -> None:
    first = course(worlds, 3)
    assert course(worlds, 4) != first
    assert course(worlds, 3) == first


def test_a_fault_tells_its_seed_and_the_last_steps(worlds: Worlds) -> None:
    with pytest.raises(AssertionError) as raised:
        play_wrongly(worlds, 5)
    first, *steps = raised.value.__notes__
    assert first == "SEED=5 repeats it; its last steps:"
    assert len(steps) == 60
    assert any(step.endswith(": BEGIN IMMEDIATE") for step in steps)


def play_wrongly(worlds: Worlds, seed: int) -> None:
    """Let a world run in which a balance is not what it should be."""
    with worlds(seed) as world:
        world.run()
        world.looks.append(Look(world.clubs[0].id, 1, 0, {"somebody": 8}))
        assert Verdict(world).wrong_looks() == []

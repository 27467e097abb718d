"""Streams recorded once replay for ever: same state, same outcomes, same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import NEWER, TYPES, is_canonical, seal, unseal
from ledger.events import Event, HandEnded
from ledger.hand import outcome
from ledger.outcome import read_outcome
from ledger.rules.catalog import settle
from ledger.streams.table import Table, evolve

STREAMS = sorted((Path(__file__).parent / "golden" / "streams").glob("*.jsonl"))


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    first, *events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return first, events


def _event(line: dict[str, Any]) -> Event:
    slots = tuple(part.encode() for part in line["slots"])
    return unseal(line["type"], line["public"].encode(), slots)


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_a_stream_of_long_ago_leaves_the_same_outcomes_and_points(path: Path) -> None:
    """Given events as they were stored, then each hand ends and settles as it did then."""
    told, lines = _read(path)
    table: Table | None = None
    ends = []
    for event in map(_event, lines):
        table = evolve(table, event)
        if isinstance(event.fact, HandEnded):
            assert table.hand is not None
            ends.append(outcome(table.hand))
    assert ends == [read_outcome(end["outcome"]) for end in told["ends"]]
    assert [list(settle(end).totals) for end in ends] == [end["totals"] for end in told["ends"]]
    assert table is not None
    assert list(table.totals) == told["totals"]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_a_stream_of_long_ago_is_written_in_the_same_bytes(path: Path) -> None:
    """Given its events, when each is written in the version of its type, then not a byte differs.

    One whose type has a newer version since is read as that, and no longer written as it was.
    """
    _, lines = _read(path)
    for line in lines:
        slots = tuple(part.encode() for part in line["slots"])
        assert is_canonical(line["type"], line["public"].encode(), slots)
        if TYPES[line["type"]][0] not in NEWER:
            sealed = seal(_event(line), 1, b"")
            assert sealed.public.decode() == line["public"]
            assert [part.decode() for part in sealed.slots] == line["slots"]

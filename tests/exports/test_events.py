"""The export `events`: the chain of a club, a line for each event, which anybody can hash again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger import access, sight, store
from ledger.audit.exported import Verdict, check
from projections.exports import chain
from projections.exports.asked import Asked
from projections.exports.chain import events
from projections.exports.source import Source
from tests.world import Club, World

Line = dict[str, Any]


@pytest.fixture
def club(world: World) -> Club:
    """A club in which a match has been played, and the first hand of another one runs."""
    club = world.club(members=5)
    club.issue_keys()
    club.match(hands=2)
    table = club.open(hands=2)
    club.start(table, actions=4)
    return club


def exported(club: Club, position: int | None = None) -> list[bytes]:
    """The lines of an export."""
    with club.world.database.read() as connection:
        row, head = access.find_club(connection, club.id), store.head(connection, club.id)
        assert row is not None
        assert head is not None
        source = Source(connection, row, Asked("events", "ndjson"), position or head.position)
        return [msgspec.json.encode(told) for (told,) in events(source)]


def verdict(club: Club, lines: list[bytes], folder: Path) -> Verdict:
    """What is found in a file of these lines."""
    file = folder / "events.ndjson"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return check(file, [club.id])


def decoded(lines: list[bytes]) -> list[Line]:
    return [msgspec.json.decode(line) for line in lines]


def test_every_event_is_told_as_the_api_tells_it(club: Club) -> None:
    """Given an owner who reads the log by the API, then an export has the same lines."""
    with club.world.database.read() as connection:
        read = sight.log_told(connection, club.owner, club.id, 0, 10_000)
    assert exported(club) == [msgspec.json.encode(told) for told in read]


def test_nothing_of_the_log_is_hidden_from_who_may_read_all(club: Club) -> None:
    lines = decoded(exported(club))
    assert [line["position"] for line in lines] == list(range(1, len(club.log()) + 1))
    assert all("type" in line for line in lines)


def test_the_tiles_of_a_hand_that_runs_are_digests(club: Club) -> None:
    lines = decoded(exported(club))
    start = max(at for at, line in enumerate(lines) if line["type"] == "HandStarted/2")
    parts = [slot for line in lines[start:] for slot in line["slots"]]
    assert len(parts) > 5
    assert all(set(slot) == {"audience", "digest"} for slot in parts)
    ended = [slot for line in lines[:start] for slot in line["slots"]]
    assert all(set(slot) == {"audience", "digest", "part"} for slot in ended)


@pytest.mark.parametrize("part", [1, 7, 40])
def test_in_parts_of_any_size_it_is_the_same(
    club: Club, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    whole = exported(club)
    monkeypatch.setattr(chain, "PART", part)
    assert exported(club) == whole


@pytest.mark.parametrize("end", ["HandEnded/1", "HandVoided/1"])
def test_the_same_position_gives_the_same_bytes_whatever_came_later(club: Club, end: str) -> None:
    """Given a hand that ran at the position, then it is as hidden after its end as it was then."""
    before, position = exported(club), len(club.log())
    table = club.log()[-1].stream.removeprefix("table/")
    if end == "HandEnded/1":
        club.dissolve(table)
    else:
        club.void(table)
    assert end in [row.type for row in club.log()[position:]]
    assert exported(club, position) == before
    assert exported(club)[: position - 1] != before[: position - 1]


def test_as_of_any_position_it_is_the_log_as_it_was_then(club: Club, world: World) -> None:
    """Given each position of a short log, then what was exported there is exported again."""
    rows = club.log()
    start = max(at for at, row in enumerate(rows) if row.type == "HandStarted/2")
    then = {position: exported(club, position) for position in (start, start + 1, len(rows))}
    club.dissolve(rows[-1].stream.removeprefix("table/"))
    club.match(hands=1)
    assert {position: exported(club, position) for position in then} == then


def test_what_is_exported_verifies_without_a_database(club: Club, tmp_path: Path) -> None:
    """Every line is hashed again, and every order decided again, but for the hand that runs."""
    found = verdict(club, exported(club), tmp_path)
    rows = club.log()
    assert (found.fault, found.events, found.decided) == (None, len(rows), len(rows))
    assert (found.hash, found.hands, found.running) == (rows[-1].hash.hex(), 2, 1)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_it_verifies_as_of_any_position(club: Club, tmp_path: Path, share: float) -> None:
    position = int(len(club.log()) * share)
    found = verdict(club, exported(club, position), tmp_path)
    assert (found.fault, found.events, found.decided) == (None, position, position)


def test_the_busiest_of_clubs_verifies_too(hostile: Any, tmp_path: Path) -> None:
    """Given disputes, closings, allowances, limits and people forgotten, it is found sound."""
    with hostile.database.read() as connection:
        row, head = (
            access.find_club(connection, hostile.club),
            store.head(connection, hostile.club),
        )
        assert row is not None
        assert head is not None
        source = Source(connection, row, Asked("events", "ndjson"), head.position)
        lines = [msgspec.json.encode(told) for (told,) in events(source)]
    file = tmp_path / "events.ndjson"
    file.write_bytes(b"\n".join(lines))
    found = check(file, [hostile.club])
    assert (found.fault, found.decided, found.hidden) == (None, head.position, 0)

"""Where a process's counts lie, and that a full disk ends nobody who counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ledger import counting, metrics
from ledger.counting import Counts, take_room

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from ledger import metrics
from ledger.database import Database
for number in range(2000):
    metrics.HTTP_SECONDS.labels("GET", f"/route/{number}", 200).observe(0.25)
print(sum(metrics.HTTP_SECONDS.labels("GET", f"/route/{n}", 200)._sum.get() for n in range(2000)))
print(metrics.exposed(Database.open(sys.argv[2]), 0, ()).decode())
"""
"""A process that may write files of so many bytes, and counts more than goes into them."""


@pytest.mark.holds("the disk is full for the files of the measures")
@pytest.mark.parametrize("room", [0, 1000, 200_000])
def test_on_a_full_disk_a_process_counts_in_memory_and_lives(
    sqlite_url: str, tmp_path: Path, room: int
) -> None:
    """Given no room for a file, or none to let it grow, then nothing is lost but to others."""
    command = [sys.executable, "-c", LIMITED, str(room), sqlite_url]
    measured = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
    environ = {name: value for name, value in os.environ.items() if name not in measured}
    environ[metrics.FOLDER] = str(tmp_path)
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    first, _, told = done.stdout.partition("\n")
    assert first == "500.0"
    assert bool(list(text_string_to_metric_families(told))) == (room == 200_000)
    assert "and this process counts in memory" in done.stderr


def test_the_room_for_a_file_is_taken_before_it_is_needed(tmp_path: Path) -> None:
    """Every byte of it lies on the disk: it has no holes that would have to be filled later."""
    path = tmp_path / "counter_a.db"
    counts: Any = Counts(str(path))
    counts.write_value("a" * 70_000, 7.0, 0.0)
    assert path.stat().st_size == 131_072
    assert path.stat().st_blocks * 512 >= 131_072
    assert [value for _, value, _ in counts.read_all_values()] == [7.0]
    counts.close()


def test_what_has_no_room_stays_as_long_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a disk that is full in the middle of it, then what was taken is given back."""
    path = tmp_path / "counter_a.db"
    path.write_bytes(bytes(10))
    monkeypatch.setattr(counting, "bytes", lambda _: b"\0" * 5, raising=False)
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            take_room(str(path), 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.stat().st_size == 10


@pytest.mark.parametrize(
    ("name", "left"), [("gauge_livesum_vm-1.db", 0.0), ("counter_vm-1.db", 2.0)]
)
def test_what_was_live_ends_with_its_process(tmp_path: Path, name: str, left: float) -> None:
    """Given a new process of the same number, then streams begin at none, and counts go on."""
    before: Any = Counts(str(tmp_path / name))
    before.write_value("key", 2.0, 0.0)
    before.close()
    after: Any = Counts(str(tmp_path / name))
    assert after.read_value("key")[0] == left
    after.close()


def test_memory_grows_as_well(tmp_path: Path) -> None:
    """Given a folder that is not there, then any number of counts has room."""
    counts: Any = Counts(str(tmp_path / "gone" / "counter_a.db"))
    for number in range(3000):
        counts.write_value(f"{number:0100d}", float(number), 0.0)
    assert [counts.read_value(f"{number:0100d}")[0] for number in (0, 2999)] == [0.0, 2999.0]
    assert len(list(counts.read_all_values())) == 3000
    counts.close()

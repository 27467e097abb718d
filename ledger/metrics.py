"""What is measured: seconds as they pass, and what is read of the database when somebody asks.

Where PROMETHEUS_MULTIPROC_DIR names a folder, all processes that have it count together there,
and whichever is asked tells what all have counted.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from socket import gethostname

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import Connection, case, func, select, text

from ledger import inspections
from ledger.access import clubs
from ledger.counting import HEADER, Counts
from ledger.database import Database
from ledger.inspections import Inspection
from ledger.jobs import jobs

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECOND = 1_000_000
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
PATIENT = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)
_HOST = gethostname().replace("_", "-")
_LEFT = text("state <> 'done'")
"""The jobs that are not done, in the words of their index."""

_C = inspections.inspections.c
_SOUND_AT = func.max(case((_C.sound, _C.begun_at)))
_DRILLED = select(func.coalesce(_SOUND_AT, func.min(_C.begun_at))).where(_C.kind == "drill")
_OF_CLUB = select(_SOUND_AT).where(_C.kind == "verify", _C.club == clubs.c.club).scalar_subquery()
_VERIFIED = select(func.min(func.coalesce(_OF_CLUB, clubs.c.created_at)))
_SINCE = {"drill": _DRILLED, "verify": _VERIFIED}
"""When a drill was sound last, or was begun first; and the same of the log longest ago."""

Reading = Callable[[Connection, int], Iterable[Metric]]
"""Reads of the database what is so now; the time is handed in, in microseconds of UTC."""


def _process() -> str:
    """This process; containers that share the folder count their processes alike."""
    return f"{_HOST}-{os.getpid()}"


values.MmapedDict = Counts  # type: ignore[attr-defined]
if FOLDER in os.environ:
    values.ValueClass = values.MultiProcessValue(_process)  # type: ignore[no-untyped-call]

COUNTED = CollectorRegistry()
HTTP_SECONDS = Histogram(
    "paizhang_http_request_seconds",
    "Seconds from a request to the beginning of its answer.",
    ("method", "route", "status"),
    buckets=QUICK,
    registry=COUNTED,
)
APPEND_SECONDS = Histogram(
    "paizhang_append_seconds",
    "Seconds of an append's transaction, the wait for the lock of its log in it.",
    buckets=QUICK,
    registry=COUNTED,
)
SETTLEMENT_SECONDS = Histogram(
    "paizhang_settlement_seconds",
    "Seconds from the end of a hand to its settlement.",
    buckets=PATIENT,
    registry=COUNTED,
)
STREAMS = Gauge(
    "paizhang_streams",
    "Readers that follow a log.",
    multiprocess_mode="livesum",
    registry=COUNTED,
)


# Who follows a log when its server is stopped follows it no more.
atexit.register(STREAMS.set, 0)


def count_in(folder: Path) -> None:
    """Let the processes that are started from here on count in a folder, from nothing."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.db"):
        old.unlink()
    os.environ[FOLDER] = str(folder)


def exposed(database: Database, now: int, readings: Iterable[Reading]) -> bytes:
    """All that is known, in the text form that Prometheus reads."""
    with database.read() as connection:
        found = [metric for reading in readings for metric in reading(connection, now)]
    present = CollectorRegistry()
    present.register(_Present(found))
    return generate_latest(_counted()) + generate_latest(present)


def gauge(
    name: str, told: str, labels: tuple[str, ...], found: Iterable[tuple[tuple[str, ...], float]]
) -> Metric:
    """A gauge that was read: its values by the values of its labels."""
    family = GaugeMetricFamily(f"paizhang_{name}", told, labels=labels)
    for place, value in found:
        family.add_metric(place, value)
    return family


def of_jobs(connection: Connection, now: int) -> Iterator[Metric]:
    """How many jobs are left, and how long the oldest has waited that is not parked."""
    c = jobs.c
    each = select(c.kind, c.state, func.count()).where(_LEFT).group_by(c.kind, c.state)
    counts = [((kind, state), count) for kind, state, count in connection.execute(each)]
    yield gauge("jobs", "Jobs that are not done.", ("kind", "state"), counts)
    oldest = select(func.min(c.created_at)).where(_LEFT, c.state != "parked")
    since = connection.execute(oldest).scalar()
    age = 0.0 if since is None else max(0, now - since) / SECOND
    told = "Seconds since the oldest job was left that is neither done nor parked."
    yield gauge("oldest_job_seconds", told, (), [((), age)])


def of_inspections(connection: Connection, now: int) -> Iterator[Metric]:
    """How long ago each kind of inspection found all sound, and how many do not.

    Of logs the one longest ago counts; of one never found sound, since its club was founded.
    """
    found = inspections.newest_of_each(connection)
    unsound = [((kind,), _unsound(found, kind)) for kind in inspections.KINDS]
    yield gauge("inspections_unsound", "Not sound, of those found last.", ("kind",), unsound)
    since = {
        "drill": connection.execute(_DRILLED).scalar(),
        "verify": connection.execute(_VERIFIED).scalar(),
    }
    ages = [((kind,), max(0, now - at) / SECOND) for kind, at in since.items() if at is not None]
    told = "Seconds since all was found sound; of logs, the one longest ago."
    yield gauge("inspection_age_seconds", told, ("kind",), ages)


def _unsound(found: list[Inspection], kind: str) -> int:
    return sum(one.kind == kind and not one.sound for one in found)


class _Present(Collector):
    """What was read, as a registry wants it."""

    def __init__(self, found: list[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        return self._found


def _counted() -> CollectorRegistry:
    """What this process has counted, or all processes of the folder."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return COUNTED
    _forget_streams_of_the_dead(Path(folder))
    together = CollectorRegistry()
    together.register(_Together(folder))
    return together


class _Together(Collector):
    """What all processes of a folder have counted; an empty file is one that was just begun."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def collect(self) -> Iterable[Metric]:
        files = [str(file) for file in self._folder.glob("*.db") if file.stat().st_size >= HEADER]
        found: Iterable[Metric] = MultiProcessCollector.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return found


def _forget_streams_of_the_dead(folder: Path) -> None:
    """A process of this machine that was killed follows nothing any more."""
    for file in folder.glob(f"gauge_livesum_{_HOST}-*.db"):
        if not _lives(int(file.stem.rpartition("-")[2])):
            file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True

"""What an installation inspects of itself each day: every club's log, and that it can be restored.

Beat asks every hour, and what was kept says whether a day is over: so no restart skips a day or
makes two of one. Results are kept whatever they are; what is not right is an error in the log.
"""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import structlog
from celery import Celery
from sqlalchemy.exc import SQLAlchemyError

from ledger import audit, backups, inspections, queue, store
from ledger.backups.checking import Differs
from ledger.backups.manifest import Progress
from ledger.inspections import Inspection
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import Settings

VERIFY, DRILL = "paizhang.verify", "paizhang.drill"
ASKED_SECONDS = 3600
DAY = 24 * 3600 * 1_000_000
KEPT = 7
"""How many of the nightly backups stay."""

log = structlog.get_logger()


def add_to(app: Celery, ledger: Ledger, settings: Settings, differs: Differs) -> None:
    """Give an application the two tasks, and its beat the asking for them."""

    def verify_logs() -> None:
        verify(ledger, settings)

    def drill_restoring() -> None:
        drill(ledger, settings, differs)

    queue.add_tasks(app, {VERIFY: verify_logs, DRILL: drill_restoring})
    options = {"queue": queue.LONG, "expires": ASKED_SECONDS}
    app.conf.beat_schedule |= {
        task: {"task": task, "schedule": float(ASKED_SECONDS), "options": options}
        for task in (VERIFY, DRILL)
    }


def is_due(newest: Inspection | None, now: int) -> bool:
    """Whether a day is over since an inspection began; one that will begin was a wrong clock's."""
    return newest is None or not 0 <= now - newest.begun_at < DAY


def verify(
    ledger: Ledger,
    settings: Settings,
    progress: Progress = lambda done, of: None,
    *,
    always: bool = False,
) -> None:
    """Audit the log of every club of which it is due, or of every club, and keep what is found."""
    with _alone(settings, "verify") as alone:
        for club in _clubs(ledger) if alone else ():
            with ledger.database.read() as connection:
                newest = inspections.newest(connection, "verify", club)
            if always or is_due(newest, ledger.clock()):
                _verify(ledger, club, progress)


def drill(
    ledger: Ledger,
    settings: Settings,
    differs: Differs,
    progress: Progress = lambda done, of: None,
    *,
    always: bool = False,
) -> None:
    """Back up, restore that and check it, if it is due, and keep what is found.

    Where the server lets nobody make a database for it there is no drill, unless the settings ask
    for one: then that is what is found. Who asks for it to be done now is refused.
    """
    if settings.drill == "never":
        return
    with _alone(settings, "drill") as alone:
        with ledger.database.read() as connection:
            newest = inspections.newest(connection, "drill")
        if not alone or not (always or is_due(newest, ledger.clock())):
            return
        lacks = backups.lacking(settings)
        if lacks is not None and always:
            raise lacks
        if lacks is None or settings.drill == "always":
            _keep(ledger, _drill(ledger, settings, differs, progress))


def _clubs(ledger: Ledger) -> list[str]:
    with ledger.database.read() as connection:
        return store.clubs(connection)


def _verify(ledger: Ledger, club: str, progress: Progress) -> None:
    begun = ledger.clock()
    try:
        report = audit.verify(ledger.database, club, progress)
    except SQLAlchemyError:
        raise
    except Exception as error:  # whatever it is, the clubs after this one are looked at as well
        log.exception("log_not_whole", club=club, why="unreadable")
        told = msgspec.json.encode({"club": club, "error": repr(error)[:500]}).decode()
        _keep(ledger, Inspection("verify", club, begun, ledger.clock(), False, told))
        return
    fault = report.fault
    if fault is not None:
        log.error("log_not_whole", club=club, position=fault.position, why=fault.why)
    told = msgspec.json.encode(report).decode()
    _keep(ledger, Inspection("verify", club, begun, ledger.clock(), fault is None, told))


def _drill(ledger: Ledger, settings: Settings, differs: Differs, progress: Progress) -> Inspection:
    """Back up and try the backup; older ones go only when it has come back whole."""
    begun, folder = ledger.clock(), settings.data / "backups"
    told: dict[str, Any] = {"backup": None}
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made, _ = backups.back_up(settings, folder, begun, progress)
        told["backup"] = made.name
        report = backups.drill(settings, made, differs, progress)
        backups.thin(folder, KEPT)
        told |= msgspec.to_builtins(report)
    except Refused as fault:
        told |= {"code": fault.code, "params": {k: str(v) for k, v in fault.params.items()}}
    except (SQLAlchemyError, sqlite3.Error, OSError) as fault:
        error = f"{type(fault).__name__}: {fault}"[:500]
        told |= {"code": "drill_failed", "params": {"fault": error}}
    if "code" in told:
        log.error("drill_failed", backup=told["backup"], code=told["code"], **told["params"])
    written = msgspec.json.encode(told).decode()
    return Inspection("drill", None, begun, ledger.clock(), "code" not in told, written)


def _keep(ledger: Ledger, found: Inspection) -> None:
    with ledger.database.write() as connection:
        inspections.keep(connection, found)


@contextmanager
def _alone(settings: Settings, name: str) -> Iterator[bool]:
    """Whether nobody else on this machine is at it; a message may come twice."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (settings.data / f"{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True

"""Queue: hints that there is work, sent through Celery; the work itself stands in tables.

A hint may be lost or come twice. Beat asks for a sweep every few seconds, and a sweep finds
what lost hints were about, so nothing here has to be certain: it has to be quick.
"""

from __future__ import annotations

import json
import logging
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty
from socket import gethostname
from typing import Any, ClassVar
from uuid import uuid4
from weakref import WeakKeyDictionary

from celery import Celery
from celery.platforms import SecurityWarning
from kombu.transport import virtual

from ledger.settings import Settings

SETTLE, LONG = "settle", "long"
"""The queues: what a club waits for, and what may take minutes."""

SWEEP = "paizhang.sweep"
SWEEP_EXPIRES = 60
"""A worker that was away does not make up for every sweep it missed."""

LONGEST_TASK = 6 * 3600
"""Seconds after which Redis gives a message that is not acknowledged to another worker."""

PATIENCE = 1.0
QUIET = 5.0
"""Seconds a hint waits for its broker, and for which hints are dropped when one was lost."""

PART = ".part"
PART_SECONDS = 600
"""A message that is being written, and how long that can take."""

_log = logging.getLogger(__name__)
_quiet_until: WeakKeyDictionary[Celery, float] = WeakKeyDictionary()


def celery_app(settings: Settings) -> Celery:
    """The Celery application of an installation, without tasks; makes the embedded queue's folder.

    It is not the process's current application, so several may live side by side.
    """
    app = Celery("paizhang", broker=settings.broker_url, set_as_current=False)
    app.conf.update(**_common(settings), **_broker(settings))
    return app


def add_tasks(app: Celery, tasks: Mapping[str, Callable[..., object]]) -> None:
    """Give an application its tasks, functions with a name, by the name of the task.

    Celery's decorator would give them to every application made later in the process as well.
    """
    for name, function in tasks.items():
        app.task(function, name=name, shared=False)


def send(app: Celery, name: str, queue: str, *args: str) -> bool:
    """Send a hint, and say whether the broker took it; a sweep does what it did not.

    After a lost one, hints are dropped for a while: a broker that hangs must not slow down
    whoever has something more important to do.
    """
    if time.monotonic() < _quiet_until.get(app, 0):
        return False
    try:
        app.send_task(name, args, queue=queue, retry=False, timeout=PATIENCE)
    except Exception as error:  # whatever a broker's library raises
        _quiet_until[app] = time.monotonic() + QUIET
        _log.warning("the hint %s is lost: %s", name, error)
        return False
    return True


def work(app: Celery, queue: str, **options: Any) -> int:
    """Run a worker on one of the queues until it is told to stop, and say its exit status.

    Options are those of Celery's worker, such as `concurrency`.
    """
    warnings.simplefilter("ignore", SecurityWarning)  # it warns of pickle, and we take JSON only
    silent = {"quiet": True, "without_gossip": True, "without_mingle": True}
    worker = app.Worker(
        queues=[queue],
        hostname=f"{queue}@{gethostname()}",
        without_heartbeat=True,
        **silent,
        **options,
    )
    worker.start()
    status: int = worker.exitcode
    return status


def beat(app: Celery) -> None:
    """Ask for what is done at intervals until told to stop; one of these runs for all workers."""
    Path(app.conf.beat_schedule_filename).parent.mkdir(parents=True, exist_ok=True)
    app.Beat(quiet=True).run()


def _common(settings: Settings) -> dict[str, Any]:
    """What holds with every broker; intervals only, for a local hour may come twice or never."""
    sweep = {
        "task": SWEEP,
        "schedule": float(settings.sweep_seconds),
        "options": {"queue": SETTLE, "expires": max(SWEEP_EXPIRES, settings.sweep_seconds)},
    }
    return {
        "accept_content": ["json"],
        "beat_schedule": {"sweep": sweep},
        "beat_schedule_filename": str(settings.data / "beat" / "schedule"),
        "broker_connection_max_retries": None,
        "broker_connection_retry_on_startup": True,
        "broker_connection_timeout": PATIENCE,
        "enable_utc": True,
        "task_acks_late": True,
        "task_create_missing_queues": False,
        "task_default_queue": SETTLE,
        "task_ignore_result": True,
        "task_publish_retry": False,
        "task_queues": {name: {"exchange": name, "routing_key": name} for name in (SETTLE, LONG)},
        "task_reject_on_worker_lost": True,
        "task_serializer": "json",
        "timezone": "UTC",
        "worker_hijack_root_logger": False,
        "worker_prefetch_multiplier": 1,
        "worker_redirect_stdouts": False,
    }


def _broker(settings: Settings) -> dict[str, Any]:
    """What one kind of broker needs; without `max_retries` a sender waits for a broker."""
    if settings.broker_url.startswith("filesystem:"):
        return _embedded(settings.data / "queue")
    options: dict[str, Any] = {"max_retries": 0}
    if settings.broker_url.startswith("redis"):
        options |= {
            "socket_connect_timeout": PATIENCE,
            "socket_timeout": PATIENCE,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "visibility_timeout": LONGEST_TASK,
        }
    return {"broker_transport_options": options}


def _embedded(folder: Path) -> dict[str, Any]:
    """The queue in a folder, for workers of one thread; nobody can ask them how they are."""
    folder.mkdir(parents=True, exist_ok=True)
    _clear(folder)
    return {
        "broker_transport": f"{__name__}:FolderTransport",
        "broker_transport_options": {"folder": str(folder), "polling_interval": 0.1},
        "worker_enable_remote_control": False,
        "worker_pool": "solo",
    }


def _clear(folder: Path) -> None:
    """Remove the beginnings of messages whose writers were killed long ago."""
    for part in folder.glob(f"*{PART}"):
        with suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > PART_SECONDS:
                part.unlink()


class FolderChannel(virtual.Channel):
    """Messages as files of one folder: seen only when whole, taken by whoever removes them.

    kombu's own filesystem transport lets a worker read half a message, which ends the worker,
    takes messages by way of the machine's temporary folder, and keeps its bindings for the
    whole process, so that a second folder gets none.
    """

    def _put(self, queue: str, message: dict[str, Any], **_: object) -> None:
        path = self._folder / f"{uuid4()}.{queue}"
        unseen = path.with_suffix(PART)
        try:
            unseen.write_text(json.dumps(message), encoding="utf-8")
            unseen.rename(path)
        except OSError:
            unseen.unlink(missing_ok=True)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in self._waiting(queue):
            with suppress(FileNotFoundError):
                written = path.read_bytes()
                path.unlink()
                if (message := self._message(written)) is not None:
                    return message
                _log.warning("the hint %s is no message, and dropped", path.name)
        raise Empty

    def _message(self, written: bytes) -> Any:
        """What a file says, if it is a message: a crash of the machine may leave an empty file."""
        try:
            message = json.loads(written)
            self.Message(message, channel=self)  # type: ignore[no-untyped-call]
        except Exception:  # whatever a library raises about a message that is none
            return None
        return message

    def _size(self, queue: str) -> int:
        return len(list(self._waiting(queue)))

    def _purge(self, queue: str) -> int:
        waiting = list(self._waiting(queue))
        for path in waiting:
            path.unlink(missing_ok=True)
        return len(waiting)

    def _waiting(self, queue: str) -> Iterator[Path]:
        """In no order, so that the next one is found quickly among any number."""
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.endswith(f".{queue}"):
                    yield Path(entry.path)

    @property
    def _folder(self) -> Path:
        return Path(self.connection.client.transport_options["folder"])


class FolderTransport(virtual.Transport):
    """kombu's way to the messages of a folder."""

    Channel = FolderChannel
    driver_type = driver_name = "folder"
    default_connection_params: ClassVar[dict[str, str]] = {}

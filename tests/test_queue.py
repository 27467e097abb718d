"""The queue carries hints to workers, keeps to the data folder and never holds up a sender."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from celery import Celery

from ledger import queue
from ledger.queue import FolderChannel, add_tasks, celery_app, send
from ledger.settings import Settings
from tests.machine import free_port

ROOT = Path(__file__).parents[1]
PROCESS = """
import os, sys, time
from pathlib import Path
from ledger.queue import add_tasks, beat, celery_app, work
from ledger.settings import load

settings = load(os.environ)
seen = settings.data.parent / "seen"

def say(*words):
    with seen.open("a") as file:
        file.write(" ".join(words) + "\\n")

def settle(club, subject):
    say("settle", club, subject, str(os.getpid()))
    while subject == "slow" and seen.read_text().count("settle") == 1:
        time.sleep(0.02)

def sweep():
    say("sweep")

app = celery_app(settings)
add_tasks(app, {"paizhang.settle": settle, "paizhang.sweep": sweep})
"""
WORKER = "say('up'); sys.exit(work(app, 'settle', concurrency=1))"
BEAT = "beat(app)"
SOON_VISIBLE = "app.conf.broker_transport_options['visibility_timeout'] = 1;"

Start = Callable[[str], subprocess.Popen[bytes]]


@pytest.fixture(params=["embedded", "valkey"])
def broker_url(request: pytest.FixtureRequest) -> str:
    """The broker in the data folder, and a real Valkey."""
    if request.param == "embedded":
        return "filesystem://"
    url: str = request.getfixturevalue("valkey_url")
    return url


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def start(tmp_path: Path, data: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    """Start a worker or beat on the test's broker, in an empty working folder."""
    url = request.getfixturevalue(
        "broker_url" if "broker_url" in request.fixturenames else "valkey_url"
    )
    for name in ("working", "temporary"):
        (tmp_path / name).mkdir()
    environ = os.environ | {
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(tmp_path / "temporary"),
        "PAIZHANG_DATA": str(data),
        "PAIZHANG_BROKER_URL": url,
        "PAIZHANG_SWEEP_SECONDS": "1",
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(what: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", PROCESS + what]
        cwd = tmp_path / "working"
        started.append(subprocess.Popen(command, cwd=cwd, env=environ, start_new_session=True))
        return started[-1]

    yield start
    for process in started:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that is still running and those it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def installation(data: Path, broker_url: str = "filesystem://") -> Celery:
    """The application of a sender."""
    return celery_app(Settings(data, "sqlite:////unused", broker_url, data / "signing.key"))


def seen(data: Path, word: str, times: int = 1, seconds: float = 20) -> list[list[str]]:
    """What the tasks have written with this word, once it is there that often."""
    path = data.parent / "seen"
    last = time.monotonic() + seconds
    while True:
        lines = path.read_text().splitlines() if path.exists() else []
        found = [line.split() for line in lines if line.startswith(word)]
        if len(found) >= times:
            return found
        assert time.monotonic() < last, f"{word} was not seen {times} times"
        time.sleep(0.02)


def messages(data: Path, name: str = "*") -> list[Path]:
    return list((data / "queue").glob(f"*.{name}"))


def test_a_worker_gets_hints_and_the_sweeps_of_beat_and_writes_in_its_data_folder_alone(
    start: Start, data: Path, broker_url: str
) -> None:
    worker, clock = start(WORKER), start(BEAT)
    assert send(installation(data, broker_url), "paizhang.settle", "settle", "c1", "tbl_1-1")
    assert seen(data, "settle")[0][1:3] == ["c1", "tbl_1-1"]
    seen(data, "sweep", times=2)
    for process in (worker, clock):
        process.terminate()
        assert process.wait(timeout=10) == 0
    assert not list((data.parent / "working").iterdir())
    assert not list((data.parent / "temporary").iterdir())


def test_a_task_whose_process_is_killed_is_done_by_the_next_at_once(
    start: Start, data: Path, valkey_url: str
) -> None:
    start(WORKER)
    send(installation(data, valkey_url), "paizhang.settle", "settle", "c1", "slow")
    first = seen(data, "settle")[0]
    os.kill(int(first[3]), signal.SIGKILL)
    assert seen(data, "settle", times=2, seconds=10)[1][:3] == first[:3]


def test_a_task_whose_whole_worker_is_killed_comes_back_on_valkey_when_it_is_visible_again(
    start: Start, data: Path, valkey_url: str
) -> None:
    worker = start(SOON_VISIBLE + WORKER)
    send(installation(data, valkey_url), "paizhang.settle", "settle", "c1", "slow")
    first = seen(data, "settle")[0]
    end(worker)
    start(SOON_VISIBLE + WORKER)
    seen(data, "up", times=2)
    assert seen(data, "settle", times=2, seconds=10)[1][:3] == first[:3]


@pytest.mark.holds("the broker is off while hands are recorded")
def test_a_hint_to_a_broker_that_is_off_is_lost_at_once(data: Path) -> None:
    app = installation(data, f"redis://127.0.0.1:{free_port()}")
    began = time.monotonic()
    assert not send(app, "paizhang.settle", "settle", "c1", "tbl_1-1")
    assert time.monotonic() - began < 3


@pytest.mark.holds("the broker hangs")
def test_a_broker_that_hangs_holds_up_one_hint_and_not_those_that_follow(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        app = installation(data, f"redis://127.0.0.1:{silent.getsockname()[1]}")
        began = time.monotonic()
        assert not send(app, "paizhang.settle", "settle", "c1", "tbl_1-1")
        first = time.monotonic()
        assert not any(send(app, "paizhang.settle", "settle", "c1", "x") for _ in range(100))
        assert first - began < 5
        assert time.monotonic() - first < 0.5


def test_hints_are_sent_again_when_the_quiet_is_over(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "QUIET", 0)
    app = installation(data)
    (data / "queue").rename(data / "elsewhere")
    assert not send(app, "paizhang.settle", "settle", "c1", "tbl_1-1")
    (data / "queue").mkdir()
    assert send(app, "paizhang.settle", "settle", "c1", "tbl_1-1")
    assert len(messages(data, "settle")) == 1


def test_installations_in_one_process_have_their_own_messages_and_tasks(tmp_path: Path) -> None:
    apps = {name: installation(tmp_path / name) for name in ("one", "two")}
    for name, app in apps.items():
        add_tasks(app, {"paizhang.settle": naming(name)})
        send(app, "paizhang.settle", "settle", name)
    for name, app in apps.items():
        assert len(messages(tmp_path / name)) == 1
        assert app.tasks["paizhang.settle"]() == name


@pytest.mark.holds("many workers look for the same message")
def test_a_message_is_taken_whole_and_by_one_worker(data: Path) -> None:
    written = 300
    done: list[bool] = []

    def take() -> Iterator[str]:
        channel = folder_of(data)
        while not done or channel._size("settle"):
            try:
                yield channel._get("settle")["body"]
            except Empty:
                continue

    with ThreadPoolExecutor() as pool:
        takers = [pool.submit(lambda: list(take())) for _ in range(3)]
        channel = folder_of(data)
        for number in range(written):
            channel._put("settle", message(f"{number} " * 2000))
        done.append(True)
        taken = Counter(body.split()[0] for taker in takers for body in taker.result())
    assert taken == Counter(map(str, range(written)))


def test_a_queue_counts_and_forgets_its_own_messages_only(data: Path) -> None:
    channel = folder_of(data)
    for name in ("settle", "settle", "long"):
        channel._put(name, message(""))
    assert (channel._size("settle"), channel._purge("settle"), channel._size("settle")) == (2, 2, 0)
    assert channel._size("long") == 1


@pytest.mark.holds("a machine stops in the middle of a hint, or somebody leaves files there")
@pytest.mark.parametrize(
    "junk", [b"", b"\0" * 512, b"{", b"\xff", b"7", b"[]", b"{}", b'{"properties": {"a": 1}}']
)
def test_what_is_no_message_is_dropped_and_the_next_one_taken(
    data: Path, junk: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Given a file that is no message, then a warning names it and the worker lives."""
    channel = folder_of(data)
    (data / "queue" / "junk.settle").write_bytes(junk)
    with pytest.raises(Empty):
        channel._get("settle")
    channel._put("settle", message("whole"))
    assert channel._get("settle")["body"] == "whole"
    assert channel._size("settle") == 0
    assert "the hint junk.settle is no message, and dropped" in caplog.messages


def test_a_message_that_cannot_be_written_leaves_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a full disk, then the sender is told and no beginning of a message stays."""
    channel = folder_of(data)

    def full(part: Path, *_: object, **__: object) -> None:
        part.touch()
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        channel._put("settle", message("whole"))
    assert list((data / "queue").iterdir()) == []


def test_beginnings_of_messages_are_cleared_at_the_start(data: Path) -> None:
    """Those of long ago; what may be written just now stays."""
    (data / "queue").mkdir(parents=True)
    old, new = (data / "queue" / f"{name}.part" for name in ("old", "new"))
    for part in (old, new):
        part.touch()
    os.utime(old, (time.time() - 3600,) * 2)
    installation(data)
    assert (old.exists(), new.exists()) == (False, True)


def message(body: str) -> dict[str, object]:
    """A message as kombu has it."""
    return {"body": body, "properties": {"delivery_tag": "1"}}


def naming(name: str) -> Callable[[], str]:
    """A task that says whose it is."""

    def whose() -> str:
        return name

    return whose


def folder_of(data: Path) -> FolderChannel:
    """A channel of the embedded broker."""
    channel = installation(data).connection_for_write().channel()
    assert isinstance(channel, FolderChannel)
    return channel

"""The API behind the web server that `paizhang run` starts: in a thread, or the command itself."""

from __future__ import annotations

import http.client
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from ledger.web import PATIENCE as WRITES
from ledger.web import listen, server
from tests.machine import free_port, without_settings

TREE = Path(__file__).parents[2]
PATIENCE = 30


@dataclass
class Stream:
    """A stream that a client reads, line by line as they come."""

    connection: http.client.HTTPConnection
    answer: http.client.HTTPResponse

    def line(self) -> str:
        """The next line, without its end; waits for it."""
        line = self.answer.readline().decode()
        assert line.endswith("\n"), "the stream has ended"
        return line[:-1]

    def lines(self, number: int) -> list[str]:
        """The next lines that say something."""
        said: list[str] = []
        while len(said) < number:
            said += [line for line in [self.line()] if line not in ("", ":")]
        return said

    def rest(self) -> str:
        """All that comes until the stream ends."""
        return self.answer.read().decode()

    def close(self) -> None:
        """Go away, in the middle of it all."""
        self.answer.close()
        self.connection.close()


@dataclass
class Web:
    """A web server on this machine, and what it was asked."""

    port: int
    streams: list[Stream] = field(default_factory=list)

    def get(self, path: str, **headers: str) -> Stream:
        """Ask, and read no more than the headers of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=named)
        self.streams.append(Stream(connection, connection.getresponse()))
        return self.streams[-1]

    def close(self) -> None:
        """Go away from all that was asked."""
        for stream in self.streams:
            stream.close()


@contextmanager
def in_a_thread(app: Any, patience: int = WRITES) -> Iterator[Web]:
    """An application behind the web server that `paizhang web` starts."""
    serving = server(app, listen("127.0.0.1", 0, patience))
    thread = Thread(target=serving.run)
    thread.start()
    try:
        with closing(Web(serving.effective_port)) as served:
            yield served
    finally:
        with suppress(OSError):  # woken by something else, the loop has closed it all before
            serving.trigger.pull_trigger(lambda: serving.asyncore.close_all(serving._map))
        thread.join(PATIENCE)
        serving.task_dispatcher.shutdown()


@contextmanager
def of_the_command(folder: Path, database_url: str, **settings: str) -> Iterator[Web]:
    """`paizhang web` on a database, with settings."""
    port = free_port()
    ours = {"DATA": str(folder), "DATABASE_URL": database_url, "PORT": str(port), **settings}
    environ = without_settings() | {f"PAIZHANG_{name}": value for name, value in ours.items()}
    process = subprocess.Popen([sys.executable, str(TREE / "wsgi.py"), "web"], env=environ)
    try:
        with closing(Web(port)) as served:
            _wait(process, served)
            yield served
    finally:
        process.kill()
        process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], web: Web) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return web.get("/healthz").close()
        except OSError:
            assert process.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.05)

"""The web server: what one client may hold of it."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger import web as webserver
from ledger.refusal import Refused
from tests.api import web

CHUNK = b"x" * 65536
BOUND = 20


class Endless:
    """An application whose answer never ends; it knows when it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def __call__(self, environ: Any, start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return self._chunks()

    def _chunks(self) -> Iterator[bytes]:
        try:
            while True:
                yield CHUNK
        finally:
            self.let_go.set()


@pytest.mark.holds("a client takes nothing of its answer")
@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a bound that Linux has")
def test_a_reader_that_takes_nothing_is_dropped() -> None:
    """Given an answer that nobody reads, when two seconds are over, then its thread is free."""
    app = Endless()
    with web.in_a_thread(app, patience=2) as served:
        served.get("/")
        assert app.let_go.wait(BOUND)


def test_a_body_beyond_all_bounds_is_not_read() -> None:
    """Given a body said to have a gigabyte, then it is refused before any of it has come."""
    with web.in_a_thread(Endless()) as served:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=BOUND)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(2**30))
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


def test_an_address_that_is_taken_is_refused() -> None:
    with (
        webserver.listen("127.0.0.1", 0) as taken,
        pytest.raises(Refused, match="address_taken"),
    ):
        webserver.listen("127.0.0.1", taken.getsockname()[1])

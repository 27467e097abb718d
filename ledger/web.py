"""The web server: waitress, with bounds on what one client may hold of it."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

from waitress import create_server
from waitress.server import BaseWSGIServer

from ledger.refusal import Refused

THREADS = 32
CONNECTIONS = 900
"""How many clients may be connected; a process may open about a thousand files."""
IDLE = 30
"""Seconds after which a connection is closed on which nothing happens."""
BACKLOG = 1024
MOST_RECEIVED = 8 * 1024 * 1024
"""Bytes of a body that are read at all; the application refuses less than that in its own words."""
PATIENCE = 120
"""Seconds after which a client is dropped that takes nothing of what lies ready for it."""
START_SECONDS = 60


def listen(host: str, port: int, patience: int = PATIENCE) -> socket.socket:
    """A socket that listens at an address; refuses one that is taken or no address of here.

    What it accepts is closed by the system when the other side takes nothing for so long: a
    write that waits for it holds a thread. Where the system cannot do that, nothing is done.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as fault:
        code = "address_taken" if fault.errno == errno.EADDRINUSE else "address_wrong"
        raise Refused(code, host=host, port=port, fault=fault.strerror) from None
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience * 1000)
    return listening


def server(app: Any, listening: socket.socket, *, proxied: bool = False) -> BaseWSGIServer:
    """The server of an application; `proxied`: what proxies say of a request is passed on.

    It reads on while it answers, so that it knows at once when the reader of a stream has gone.
    """
    return create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE,
        cleanup_interval=10,
        asyncore_use_poll=True,
        channel_request_lookahead=1,
        max_request_body_size=MOST_RECEIVED,
        clear_untrusted_proxy_headers=not proxied,
    )


def authority(host: str, port: int) -> str:
    """Host and port as a client on this machine writes them."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def wait_until(done: Callable[[], bool], refusal: str) -> None:
    """Wait until something is so; refuses by a code when that takes more than a minute."""
    end = time.monotonic() + START_SECONDS
    while not done():
        if time.monotonic() > end:
            raise Refused(refusal)
        time.sleep(0.1)


def answers(address: str) -> bool:
    """Whether a server answers at an address."""
    try:
        with urlopen(address, timeout=1):
            return True
    except OSError:
        return False

"""What tests need of the machine: a free port, an environment without settings, a while to wait."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def without_settings() -> dict[str, str]:
    """The environment of this process without what would set up an installation."""
    ours = ("PAIZHANG_", "PROMETHEUS_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def until(
    done: Callable[[], bool],
    *,
    patience: float = 60,
    pause: float = 0.05,
    beside: Callable[[], object] = lambda: None,
) -> None:
    """Wait for what takes a while, doing something beside each time that it is not done yet."""
    end = time.monotonic() + patience
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        beside()
        time.sleep(pause)

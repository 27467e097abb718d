"""Counting: what a process has counted lies in a file of its own, which others read.

prometheus_client maps such files without asking whether the disk has room for them; a process
that writes into a page for which there is none ends at once (SIGBUS). Here the room is taken
before the file is mapped. Where there is none, the process counts in memory and works on.
"""

from __future__ import annotations

import logging
import os
import sys
from mmap import mmap
from pathlib import Path
from typing import BinaryIO

from prometheus_client.mmap_dict import MmapedDict

FIRST_BYTES = 1 << 16
HEADER = 8
LIVE = "gauge_live"
"""How the files begin whose values end with their process."""
_log = logging.getLogger(__name__)


class Counts(MmapedDict):
    """Numbers by name in a file, or in memory alone where the disk is full."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        """Go on with a file, which grows as it is needed; what was live in it is over."""
        try:
            if Path(filename).name.startswith(LIVE):
                Path(filename).unlink(missing_ok=True)
            take_room(filename, FIRST_BYTES)
        except OSError as fault:
            self._begin_in_memory(filename, fault)
        else:
            super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        """Make room for one more number."""
        while self._used + len(key.encode()) + 4 * HEADER > self._capacity:
            self._double()
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _double(self) -> None:
        """Twice the room, in the file if the disk has it."""
        wanted = 2 * self._capacity
        try:
            if self._f is None:
                raise OSError("it is full already")
            take_room(self._fname, wanted)
            self._m = mmap(self._f.fileno(), wanted)
        except OSError as fault:
            self._go_on_in_memory(wanted, fault)
        self._capacity = wanted

    def _begin_in_memory(self, filename: str, fault: OSError) -> None:
        self._f: BinaryIO | None = None  # type: ignore[assignment]
        self._fname, self._positions = filename, {}
        self._m, self._capacity, self._used = mmap(-1, FIRST_BYTES), FIRST_BYTES, HEADER
        self._m[:4] = HEADER.to_bytes(4, sys.byteorder)
        self._warn(fault)

    def _go_on_in_memory(self, wanted: int, fault: OSError) -> None:
        kept, self._m = self._m, mmap(-1, wanted)
        self._m[: self._capacity] = kept[: self._capacity]
        if self._f is not None:
            self._f.close()
            self._warn(fault)
        self._f = None

    def _warn(self, fault: OSError) -> None:
        _log.warning("%s cannot grow, and this process counts in memory: %s", self._fname, fault)


def take_room(filename: str, wanted: int) -> None:
    """Let a file be so long, with bytes that really lie on the disk; else it stays as it was."""
    with open(filename, "ab", buffering=0) as file:
        before = os.fstat(file.fileno()).st_size
        missing = wanted - before
        while missing > 0:
            try:
                missing -= file.write(bytes(missing))
            except OSError:
                file.truncate(before)
                raise

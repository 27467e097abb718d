"""Files of JSON documents, one to a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ledger.refusal import Refused


def documents(file: Iterable[bytes]) -> Iterator[bytes]:
    """The JSON documents of a file, one to a line; blank lines are none.

    A first line that only begins a document makes the whole file one.
    """
    lines = (line for line in file if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if not _is_cut_short(first):
        yield first
        yield from lines
        return
    whole = first + b"".join(lines)
    yield from (whole,) if _fault_of(whole) is None else whole.splitlines()


def _is_cut_short(text: bytes) -> bool:
    return "truncated" in (_fault_of(text) or "")


def _fault_of(text: bytes) -> str | None:
    """Why a text is no JSON, as the decoder says it."""
    try:
        msgspec.json.decode(text)
    except (ValueError, RecursionError) as fault:
        return str(fault)
    return None


def read_json(document: bytes) -> Any:
    """The value of a JSON document; refuses what is none (`json_malformed`)."""
    try:
        return msgspec.json.decode(document)
    except (ValueError, RecursionError) as fault:
        raise Refused("json_malformed", fault=fault) from None

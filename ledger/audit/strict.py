"""JSON that somebody else wrote, read so that everybody reads the same in it."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from ledger.outcome import place_of
from ledger.refusal import Refused

BOM = b"\xef\xbb\xbf"
T = TypeVar("T")


def decode(data: bytes, kind: type[T], code: str) -> T:
    """What JSON tells; refuses by this code, with the place, what has not the form.

    What breaks off in the middle is told as that (`file_truncated`).

    Of a key that stands twice one reader takes the first and another the last, so it may not. A
    mark of the byte order before the text is skipped, since editors put it there.
    """
    text = data.removeprefix(BOM)
    try:
        told = msgspec.json.decode(text, type=kind)
        json.loads(text, object_pairs_hook=_once)
    except msgspec.ValidationError as fault:
        raise Refused(code, place=_place(fault)) from None
    except (ValueError, RecursionError) as fault:
        if "truncated" in str(fault) and text.strip():
            raise Refused("file_truncated") from None
        raise Refused(code, place="/") from None
    return told


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: true is not 1, and 6.0 is not 6."""
    try:
        return msgspec.json.encode(one, order="sorted") == msgspec.json.encode(
            other, order="sorted"
        )
    except RecursionError:
        return False


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError


def _place(fault: msgspec.ValidationError) -> str:
    """Where the fault is, of names that we have given ourselves alone."""
    place = place_of(fault)
    return place if place.replace("/", "").replace("_", "").isalnum() and place.isascii() else "/"

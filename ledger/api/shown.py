"""The fields of what is shown: each says exactly what it may hold, for the API's description.

Nothing is read or written through these schemas: an answer is encoded as it stands, and the
tests hold it to them.
"""

from __future__ import annotations

from typing import Any

from marshmallow import fields
from marshmallow.validate import Length, OneOf, Range

from ledger.tiles import TILE


def the(kind: str) -> fields.String:
    """What kind of object this is."""
    return one_of(kind)


def one_of(*words: str, **more: Any) -> fields.String:
    """One of some words."""
    return fields.String(validate=OneOf(words), **more)


def id_of(kind: str, **more: Any) -> fields.String:
    """The id of a club, a member, a table …: the prefix of its kind, and letters and digits."""
    return shaped(f"{kind}_[0-9a-z]+", **more)


def hand_id(**more: Any) -> fields.String:
    """The id of a hand: its table's, and its number there."""
    return shaped("tbl_[0-9a-z]+-[1-9][0-9]*", **more)


def shaped(pattern: str, **more: Any) -> fields.String:
    """A text of one form."""
    told = {"pattern": f"^({pattern})$", **more.pop("metadata", {})}
    return fields.String(metadata=told, **more)


def within(low: int, high: int | None = None, **more: Any) -> fields.Integer:
    """A whole number that is never out of these bounds."""
    return fields.Integer(validate=Range(low, high), **more)


def seat(**more: Any) -> fields.Integer:
    """A seat of a table, counted from 0 in turn order."""
    return within(0, 3, **more)


def tile(**more: Any) -> fields.String:
    """A tile as text; `?` for one that the viewer may not see."""
    return shaped(rf"{TILE}|\?", **more)


def tiles(**more: Any) -> fields.String:
    """Tiles in their run form."""
    return shaped(r"([1-9]+[mps]|[1-7]+z|\?)*", **more)


def digest(**more: Any) -> fields.String:
    """A SHA-256 in hex."""
    return shaped("[0-9a-f]{64}", **more)


def by_seat(entry: fields.Field[Any], **more: Any) -> fields.List[Any]:
    """An entry for each seat of a table."""
    return fields.List(entry, validate=Length(2, 4), **more)

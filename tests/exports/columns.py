"""Writes the part of docs/exports.md that tells every kind of export with its columns."""

from __future__ import annotations

from collections.abc import Iterator

from projections.exports.catalog import KINDS, Kind
from tests.guides import DOCS

GUIDE = DOCS / "exports.md"
BELOW = "and a test holds it to the code -->\n"
HOLDS = {
    "text": "text",
    "id": "id",
    "word": "word",
    "points": "points",
    "change": "points, with sign",
    "count": "number",
    "decimal": "decimal",
    "day": "business day",
    "local": "moment",
    "utc": "moment in UTC",
    "object": "object",
}


def written() -> str:
    """The guide with what the code says of kinds and columns."""
    above, mark, _ = GUIDE.read_text(encoding="utf-8").partition(BELOW)
    return above + mark + "\n".join(line for kind in KINDS.values() for line in _kind(kind)) + "\n"


def _kind(kind: Kind) -> Iterator[str]:
    """A kind with its forms, filters, readers and columns."""
    yield f"\n### `{kind.name}` {kind.zh}\n"
    yield f"{kind.told}\n"
    yield f"Forms: {_listed(kind.forms)}. Narrowed by: {_listed(kind.filters)}. "
    yield f"For: {_roles(kind)}.\n"
    yield "| column | 列 | holds | what it tells |"
    yield "| --- | --- | --- | --- |"
    for column in kind.columns:
        holds = HOLDS[column.shape] + (", summed" if column.adds else "")
        yield f"| `{column.name}` | {column.zh} | {holds} | {column.told} |"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _roles(kind: Kind) -> str:
    return ", ".join("a member his own" if role == "member" else f"`{role}`" for role in kind.roles)


if __name__ == "__main__":
    GUIDE.write_text(written(), encoding="utf-8")

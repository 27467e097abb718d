"""The tree over a club's log, by which a few hashes prove what lies in it. Source: RFC 6962, 2.1.

Leaves are those of the events, the one at position p at place p - 1. A node is told by its level,
0 for a leaf, and its number there from 0 on; it is complete once all leaves below it are there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

EMPTY_ROOT = hashlib.sha256(b"").digest()


class Node(NamedTuple):
    """A complete node of the tree, by its place."""

    level: int
    number: int


class Range(NamedTuple):
    """The leaves from one place up to another, whose root is wanted."""

    start: int
    end: int


def parent(left: bytes, right: bytes) -> bytes:
    """The hash of a node over two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The right edge of a growing tree: the hashes of its complete nodes, the largest first."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)

    def add(self, leaf: bytes) -> Iterator[tuple[Node, bytes]]:
        """Add a leaf; gives the nodes that it completes, from below."""
        level, number = 0, self.size
        self.size += 1
        while number % 2:
            leaf = parent(self.peaks.pop(), leaf)
            level, number = level + 1, number // 2
            yield Node(level, number), leaf
        self.peaks.append(leaf)

    def root(self) -> bytes:
        """The root over all leaves so far."""
        return fold(self.peaks)


def fold(peaks: Sequence[bytes]) -> bytes:
    """The root over complete nodes, the largest first."""
    if not peaks:
        return EMPTY_ROOT
    *rest, root = peaks
    for left in reversed(rest):
        root = parent(left, root)
    return root


def peaks(leaves: Range) -> list[Node]:
    """The complete nodes that make up a range, the largest first; it begins where one may."""
    start, found = leaves.start, []
    while start < leaves.end:
        level = (leaves.end - start).bit_length() - 1
        found.append(Node(level, start >> level))
        start += 1 << level
    return found


def inclusion(place: int, size: int) -> list[Range]:
    """The ranges whose roots prove that a leaf lies in a tree, from below. Source: 2.1.1."""
    start, end, path = 0, size, []
    while end - start > 1:
        middle = start + _split(end - start)
        if place < middle:
            path.append(Range(middle, end))
            end = middle
        else:
            path.append(Range(start, middle))
            start = middle
    return path[::-1]


def consistency(first: int, second: int) -> list[Range]:
    """The ranges whose roots prove that a tree begins with a smaller one. Source: 2.1.2."""
    start, end, path = 0, second, []
    while first != end:
        middle = start + _split(end - start)
        if first <= middle:
            path.append(Range(middle, end))
            end = middle
        else:
            path.append(Range(start, middle))
            start = middle
    if start > 0:
        path.append(Range(start, end))
    return path[::-1]


def _split(leaves: int) -> int:
    """How many leaves lie on the left: the largest power of two below their number."""
    return 1 << (leaves - 1).bit_length() - 1


def root_by(place: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes | None:
    """The root to which a leaf comes by the hashes of its proof; None if they are too many or few.

    None as well where the tree has no such place. A size is not proven by this: trees in which
    the way up looks alike have one root, so compare with what was signed of root and size
    together. Source: RFC 9162, 2.1.3.2.
    """
    if not 0 <= place < size:
        return None
    ranges = inclusion(place, size)
    if len(ranges) != len(path):
        return None
    for beside, other in zip(ranges, path, strict=True):
        leaf = parent(leaf, other) if beside.start > place else parent(other, leaf)
    return leaf


def roots_by(
    first: int, second: int, first_root: bytes, path: Sequence[bytes]
) -> tuple[bytes, bytes] | None:
    """The roots of both trees as a proof of consistency has them; None if it has not its length.

    None as well where the sizes are in no order. The roots are told as they come out, to be
    compared with those that were signed. Source: RFC 9162, 2.1.4.2.
    """
    if not 0 < first <= second:
        return None
    ranges = consistency(first, second)
    if len(ranges) != len(path):
        return None
    if first == second:
        return first_root, first_root
    begins_within = ranges[0].end == first and ranges[0].start > 0
    small = large = path[0] if begins_within else first_root
    for beside, other in zip(ranges[begins_within:], path[begins_within:], strict=True):
        if beside.start >= first:
            large = parent(large, other)
        else:
            small, large = parent(other, small), parent(other, large)
    return small, large

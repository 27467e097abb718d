"""The tree of RFC 6962, 2.1 as it is defined there: by recursion, over the leaves themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

Leaves = Sequence[bytes]
"""The hashes of the leaves, D[0:n] of the RFC."""


def leaf_hash(data: bytes) -> bytes:
    """MTH({d(0)}) = SHA-256(0x00 || d(0))."""
    return hashlib.sha256(b"\x00" + data).digest()


def mth(leaves: Leaves) -> bytes:
    """The Merkle Tree Hash over leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: Leaves) -> list[bytes]:
    """PATH(m, D[n]), 2.1.1: the audit path of the leaf m."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def proof(m: int, leaves: Leaves) -> list[bytes]:
    """PROOF(m, D[n]), 2.1.2: that the tree begins with its first m leaves."""
    return subproof(m, leaves, True)


def subproof(m: int, leaves: Leaves, b: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b): b is whether the tree that is proven begins here."""
    if m == len(leaves):
        return [] if b else [mth(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], b), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def split(n: int) -> int:
    """k, the largest power of two smaller than n."""
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def complete_nodes(leaves: Leaves) -> dict[tuple[int, int], bytes]:
    """Every node above the leaves under which all its leaves are there, by level and number."""
    nodes, level = {}, 1
    while 2**level <= len(leaves):
        width = 2**level
        for number in range(len(leaves) // width):
            nodes[level, number] = mth(leaves[number * width : (number + 1) * width])
        level += 1
    return nodes

"""The tree's roots and proofs are those of RFC 6962, and none that was changed comes to its root.

What a proof cannot show by itself is shown as well: the size of a tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import merkle
from ledger.merkle import EMPTY_ROOT, Frontier, Node, Range
from tests.proofs import rfc

INPUTS = (
    *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
    "606162636465666768696a6b6c6d6e6f",
)
KNOWN_ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Of the first 1, 2, … 8 inputs, as other implementations of the RFC have them."""
MOST = 40
LEAVES = [rfc.leaf_hash(bytes([number])) for number in range(MOST + 1)]
MANY = [rfc.leaf_hash(number.to_bytes(2, "big")) for number in range(600)]
LETTERS = {
    **{letter: Range(place, place + 1) for place, letter in enumerate("abcdefj")},
    **{"g": Range(0, 2), "h": Range(2, 4), "i": Range(4, 6), "k": Range(0, 4), "l": Range(4, 7)},
}
"""The nodes of the tree of seven leaves in RFC 6962, 2.1.3, by their letters."""


@cache
def mth(start: int, end: int) -> bytes:
    """The hash over some of the first leaves."""
    return rfc.mth(LEAVES[start:end])


def told(ranges: list[Range], leaves: list[bytes]) -> list[bytes]:
    """The hashes that a proof by these ranges consists of."""
    return [rfc.mth(leaves[one.start : one.end]) for one in ranges]


def grown(leaves: list[bytes]) -> tuple[Frontier, dict[tuple[int, int], bytes]]:
    """A tree grown leaf by leaf, and the nodes that were completed on the way."""
    frontier = Frontier()
    return frontier, {(*node,): hash_ for leaf in leaves for node, hash_ in frontier.add(leaf)}


def with_a_flipped_bit(hash_: bytes) -> Iterator[bytes]:
    """A hash in every way in which one bit of it can be wrong."""
    for bit in range(len(hash_) * 8):
        yield (int.from_bytes(hash_, "big") ^ 1 << bit).to_bytes(len(hash_), "big")


# --- roots and nodes --------------------------------------------------------------------------


def test_the_root_over_nothing_is_the_hash_of_nothing() -> None:
    nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert EMPTY_ROOT.hex() == nothing
    assert Frontier().root().hex() == nothing


@pytest.mark.parametrize("size", range(1, 9))
def test_known_roots(size: int) -> None:
    """The roots over known inputs are those that everybody else has."""
    frontier, _ = grown([rfc.leaf_hash(bytes.fromhex(told)) for told in INPUTS[:size]])
    assert frontier.root().hex() == KNOWN_ROOTS[size - 1]


@pytest.mark.parametrize("size", range(MOST + 1))
def test_a_tree_of_any_size(size: int) -> None:
    """Its root is the RFC's, and each node was given once, when it was complete."""
    frontier, nodes = grown(LEAVES[:size])
    assert frontier.size == size
    assert frontier.root() == mth(0, size)
    assert nodes == rfc.complete_nodes(LEAVES[:size])


def test_a_leaf_completes_nodes_from_below() -> None:
    """The eighth leaf completes a pair, four and eight; the seventh nothing."""
    frontier, _ = grown(LEAVES[:6])
    assert list(frontier.add(LEAVES[6])) == []
    assert list(frontier.add(LEAVES[7])) == [
        (Node(1, 3), mth(6, 8)),
        (Node(2, 1), mth(4, 8)),
        (Node(3, 0), mth(0, 8)),
    ]


@pytest.mark.parametrize("size", range(MOST + 1))
def test_a_tree_goes_on_from_its_right_edge(size: int) -> None:
    """Given nothing but its size and its complete nodes, the largest first, it grows the same."""
    before, _ = grown(LEAVES[:size])
    after = Frontier(size, before.peaks)
    assert dict(after.add(LEAVES[size])) == dict(before.add(LEAVES[size]))
    assert after.root() == mth(0, size + 1)


@pytest.mark.parametrize(
    ("leaves", "nodes"),
    [
        (Range(0, 0), []),
        (Range(0, 1), [(0, 0)]),
        (Range(0, 7), [(2, 0), (1, 2), (0, 6)]),
        (Range(0, 8), [(3, 0)]),
        (Range(8, 11), [(1, 4), (0, 10)]),
        (Range(6, 7), [(0, 6)]),
    ],
)
def test_the_complete_nodes_of_a_range(leaves: Range, nodes: list[tuple[int, int]]) -> None:
    """The largest first; seven leaves are four, two and one."""
    assert merkle.peaks(leaves) == nodes


# --- inclusion --------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "path"), [(0, "bhl"), (3, "cgl"), (4, "fjk"), (6, "ik")])
def test_the_inclusion_examples_of_the_rfc(place: int, path: str) -> None:
    """RFC 6962, 2.1.3: the audit paths of d0, d3, d4 and d6 in a tree of seven."""
    assert merkle.inclusion(place, 7) == [LETTERS[letter] for letter in path]


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_inclusion_of_every_leaf(size: int) -> None:
    """Its proof is PATH of the RFC, and by it the leaf comes to the root."""
    leaves = LEAVES[:size]
    for place in range(size):
        path = told(merkle.inclusion(place, size), leaves)
        assert path == rfc.path(place, leaves)
        assert merkle.root_by(place, size, leaves[place], path) == mth(0, size)


@given(st.data())
def test_inclusion_in_larger_trees(data: st.DataObject) -> None:
    size = data.draw(st.integers(MOST, len(MANY)), "size")
    place = data.draw(st.integers(0, size - 1), "place")
    leaves = MANY[:size]
    path = told(merkle.inclusion(place, size), leaves)
    assert path == rfc.path(place, leaves)
    assert merkle.root_by(place, size, leaves[place], path) == rfc.mth(leaves)


@pytest.mark.parametrize("size", [1, 2, 5, 7, 8])
def test_a_wrong_bit_in_a_leaf_or_its_path(size: int) -> None:
    """Each bit counts: with one of them wrong another root comes out."""
    for place in range(size):
        leaf, path = LEAVES[place], rfc.path(place, LEAVES[:size])
        for wrong in with_a_flipped_bit(leaf):
            assert merkle.root_by(place, size, wrong, path) != mth(0, size)
        for at, right in enumerate(path):
            for wrong in with_a_flipped_bit(right):
                lie = [*path[:at], wrong, *path[at + 1 :]]
                assert merkle.root_by(place, size, leaf, lie) != mth(0, size)


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_a_wrong_place(size: int) -> None:
    """A leaf lies at one place of a tree and at no other, one outside of it least of all."""
    for place in range(size):
        path = rfc.path(place, LEAVES[:size])
        for other in {place ^ 1 << bit for bit in range(8)} | {-1, -place - 1, size, size + place}:
            if other != place:
                assert merkle.root_by(other, size, LEAVES[place], path) != mth(0, size)


@pytest.mark.parametrize(("place", "size"), [(3, 3), (7, 3), (2**40, 3), (-1, 3), (0, 0)])
def test_a_place_that_the_tree_has_not(place: int, size: int) -> None:
    """There is no root to come to."""
    path = rfc.path(2, LEAVES[:3])
    assert merkle.root_by(place, size, LEAVES[2], path) is None


@pytest.mark.parametrize(
    ("size", "found"),
    [
        (3, "no root"),
        (4, "no root"),
        (5, "the root"),
        (6, "the root"),
        (8, "the root"),
        (15, "no root"),
    ],
)
def test_a_wrong_size_is_found_where_the_way_up_differs(size: int, found: str) -> None:
    """A proof of place 2 in a tree of seven is one in trees of 5, 6 and 8 as well.

    There the way up is the same: left, right, left. So a size is never taken from elsewhere than
    from the note that signs it together with the root.
    """
    path = rfc.path(2, LEAVES[:7])
    root = mth(0, 7) if found == "the root" else None
    assert merkle.root_by(2, size, LEAVES[2], path) == root


@pytest.mark.parametrize("size", range(1, 21))
def test_a_path_too_long_or_too_short(size: int) -> None:
    for place in range(size):
        path = rfc.path(place, LEAVES[:size])
        assert merkle.root_by(place, size, LEAVES[place], [*path, EMPTY_ROOT]) is None
        if path:
            assert merkle.root_by(place, size, LEAVES[place], path[1:]) is None
            assert merkle.root_by(place, size, LEAVES[place], path[:-1]) is None
            assert merkle.root_by(place, size, LEAVES[place], []) is None


def test_a_node_is_no_leaf() -> None:
    """What lies under a node cannot be passed off as an event: the hashes begin otherwise."""
    node = LEAVES[0] + LEAVES[1]
    assert merkle.parent(LEAVES[0], LEAVES[1]) == hashlib.sha256(b"\x01" + node).digest()
    assert merkle.parent(LEAVES[0], LEAVES[1]) != rfc.leaf_hash(node)


# --- consistency ------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "path"), [(3, "cdgl"), (4, "l"), (6, "ijk"), (7, "")])
def test_the_consistency_examples_of_the_rfc(first: int, path: str) -> None:
    """RFC 6962, 2.1.3: that a tree of seven begins with one of 3, of 4 and of 6 leaves."""
    assert merkle.consistency(first, 7) == [LETTERS[letter] for letter in path]


@pytest.mark.parametrize("second", range(1, MOST + 1))
def test_consistency_with_every_smaller_tree(second: int) -> None:
    """Its proof is PROOF of the RFC, and by it both roots come out."""
    leaves = LEAVES[:second]
    for first in range(1, second + 1):
        path = told(merkle.consistency(first, second), leaves)
        assert path == rfc.proof(first, leaves)
        roots = merkle.roots_by(first, second, mth(0, first), path)
        assert roots == (mth(0, first), mth(0, second))


@given(st.data())
def test_consistency_of_larger_trees(data: st.DataObject) -> None:
    second = data.draw(st.integers(MOST, len(MANY)), "second")
    first = data.draw(st.integers(1, second), "first")
    leaves = MANY[:second]
    path, root = told(merkle.consistency(first, second), leaves), rfc.mth(MANY[:first])
    assert path == rfc.proof(first, leaves)
    assert merkle.roots_by(first, second, root, path) == (root, rfc.mth(leaves))


@pytest.mark.parametrize(("first", "second"), [(1, 2), (3, 7), (4, 7), (6, 7), (7, 7), (5, 8)])
def test_a_wrong_bit_in_a_root_or_its_path(first: int, second: int) -> None:
    """With one bit wrong at least one of the two roots is not what was signed."""
    path, root = rfc.proof(first, LEAVES[:second]), mth(0, first)
    signed = (root, mth(0, second))
    for wrong in with_a_flipped_bit(root):
        roots = merkle.roots_by(first, second, wrong, path)
        assert roots is not None
        assert roots != (wrong, mth(0, second))
    for at, right in enumerate(path):
        for wrong in with_a_flipped_bit(right):
            lie = [*path[:at], wrong, *path[at + 1 :]]
            assert merkle.roots_by(first, second, root, lie) != signed


@pytest.mark.parametrize("second", range(1, MOST + 1))
def test_a_wrong_smaller_size(second: int) -> None:
    for first in range(1, second + 1):
        path, signed = rfc.proof(first, LEAVES[:second]), (mth(0, first), mth(0, second))
        for other in {first ^ 1 << bit for bit in range(8)}:
            assert merkle.roots_by(other, second, signed[0], path) != signed


@pytest.mark.parametrize(
    ("second", "found"),
    [(3, "no root"), (4, "no root"), (5, "both"), (6, "both"), (8, "both"), (15, "no root")],
)
def test_a_wrong_larger_size_is_found_where_the_way_differs(second: int, found: str) -> None:
    """A proof from 3 to 7 leaves is one to 5, 6 and 8 as well: sizes are what the notes say."""
    path = rfc.proof(3, LEAVES[:7])
    roots = (mth(0, 3), mth(0, 7)) if found == "both" else None
    assert merkle.roots_by(3, second, mth(0, 3), path) == roots


@pytest.mark.parametrize("second", range(1, 21))
def test_a_proof_too_long_or_too_short(second: int) -> None:
    for first in range(1, second + 1):
        path, root = rfc.proof(first, LEAVES[:second]), mth(0, first)
        assert merkle.roots_by(first, second, root, [*path, EMPTY_ROOT]) is None
        if path:
            assert merkle.roots_by(first, second, root, path[1:]) is None
            assert merkle.roots_by(first, second, root, []) is None


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 7), (-1, 7), (8, 7)])
def test_sizes_in_no_order(first: int, second: int) -> None:
    """Nothing is proven of an empty tree, nor of a larger one by a smaller."""
    assert merkle.roots_by(first, second, EMPTY_ROOT, []) is None


@given(st.integers(1, 2**40), st.integers(1, 2**40))
def test_proofs_are_short(one: int, other: int) -> None:
    """However large a tree is: for n leaves at most log2(n) + 1 hashes, rounded up."""
    first, second = sorted((one, other))
    most = (second - 1).bit_length()
    assert len(merkle.inclusion(first - 1, second)) <= most
    assert len(merkle.consistency(first, second)) <= most + 1

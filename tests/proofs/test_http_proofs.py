"""Proofs over HTTP, short and without a word of what they prove.

What comes is checked here from its JSON alone, by the arithmetic of RFC 9162, which goes another
way to the roots than ours does.
"""

from __future__ import annotations

import pytest

from tests.api.conftest import Club
from tests.proofs.asking import FOUNDED, JSON, refusal, seal, sealed, sha256

# --- inclusion --------------------------------------------------------------------------------


def root_of(proof: JSON) -> str:
    """The root to which an inclusion proof comes, by the arithmetic of RFC 9162, 2.1.3.2."""
    fn, sn = proof["position"] - 1, proof["checkpoint"]["position"] - 1
    r = bytes.fromhex(proof["leaf"])
    for p in map(bytes.fromhex, proof["hashes"]):
        assert sn != 0, "the proof is too long"
        if fn % 2 or fn == sn:
            r = sha256(b"\x01", p, r)
            while not fn % 2 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = sha256(b"\x01", r, p)
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0, "the proof is too short"
    return r.hex()


def test_every_event_is_proven_by_hand(new_club: Club) -> None:
    """From what the proof's JSON says each leaf comes to the root that was signed."""
    made = sealed(new_club, 0, 7)
    for position in range(1, FOUNDED + 8):
        answer = new_club.other.get(f"{new_club.path}/events/{position}/proof")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        proof = answer.json
        assert (proof["object"], proof["position"]) == ("inclusion_proof", position)
        assert proof["checkpoint"] == made[0 if position <= FOUNDED else 1]
        assert root_of(proof) == proof["checkpoint"]["root_hash"]


def test_a_proof_of_another_leaf_comes_to_another_root(new_club: Club) -> None:
    seal(new_club)
    proof, other = (
        new_club.owner.get(f"{new_club.path}/events/{position}/proof").json for position in (5, 6)
    )
    assert root_of({**proof, "leaf": other["leaf"]}) != proof["checkpoint"]["root_hash"]


def test_an_event_is_proven_under_a_checkpoint_that_is_named(new_club: Club) -> None:
    """So a proof joins a checkpoint that somebody has kept, as long as it reaches so far."""
    made = sealed(new_club, 0, 3)
    path = f"{new_club.path}/events/2/proof?checkpoint"
    for checkpoint in made:
        proof = new_club.owner.get(f"{path}={checkpoint['position']}").json
        assert proof["checkpoint"] == checkpoint
        assert root_of(proof) == checkpoint["root_hash"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("14/proof", (409, "not_under_a_checkpoint")),
        ("2/proof?checkpoint=12", (409, "not_under_a_checkpoint")),
        ("2/proof?checkpoint=99", (409, "not_under_a_checkpoint")),
        ("14/proof?checkpoint=13", (409, "not_under_a_checkpoint")),
        ("15/proof", (404, "event_unknown")),
        ("999999999/proof", (404, "event_unknown")),
        ("2/proof?checkpoint=0", (400, "query_invalid")),
        ("2/proof?checkpoint=013", (400, "query_invalid")),
        ("2/proof?checkpoint=x", (400, "query_invalid")),
        ("2/proof?checkpoint=9007199254740992", (400, "query_invalid")),
        ("2/proof?checkpoint=9007199254740991", (409, "not_under_a_checkpoint")),
        ("2/proof?size=13", (400, "query_invalid")),
    ],
)
def test_a_proof_that_cannot_be(new_club: Club, path: str, told: tuple[int, str]) -> None:
    """Given a checkpoint at 13 of fourteen events."""
    seal(new_club)
    new_club.owner.post(f"{new_club.path}/members", {"name": "One more"})
    assert refusal(new_club.owner.get(f"{new_club.path}/events/{path}")) == told


def test_a_proof_tells_nothing_of_the_event(new_club: Club) -> None:
    """It is hashes alone: what is hidden in a hand stays hidden from a member who asks."""
    table = new_club.open_table()
    assert new_club.recorder.post(f"{table}/hands").status_code == 201
    checkpoint = seal(new_club)
    for position in range(FOUNDED + 1, checkpoint["position"] + 1):
        proof = new_club.other.get(f"{new_club.path}/events/{position}/proof").json
        assert set(proof) == {"object", "position", "leaf", "hashes", "checkpoint"}
        assert all(len(one) == 64 for one in (proof["leaf"], *proof["hashes"]))


# --- consistency ------------------------------------------------------------------------------


def roots_of(proof: JSON, root: str) -> tuple[str, str]:
    """The two roots of a consistency proof, by the arithmetic of RFC 9162, 2.1.4.2."""
    first, second = proof["first"], proof["second"]
    path = [bytes.fromhex(told) for told in proof["hashes"]]
    if first & (first - 1) == 0:
        path.insert(0, bytes.fromhex(root))
    fn, sn = first - 1, second - 1
    while fn % 2:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        assert sn != 0, "the proof is too long"
        if fn % 2 or fn == sn:
            fr, sr = sha256(b"\x01", c, fr), sha256(b"\x01", c, sr)
            while not fn % 2 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = sha256(b"\x01", sr, c)
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0, "the proof is too short"
    return fr.hex(), sr.hex()


def test_two_checkpoints_are_of_one_log(new_club: Club) -> None:
    """Between any two, whichever lies between them, the proof comes to both roots."""
    made = sealed(new_club, 0, 1, 1, 5, 11)
    for at, first in enumerate(made):
        for second in made[at + 1 :]:
            query = f"first={first['position']}&second={second['position']}"
            answer = new_club.other.get(f"{new_club.path}/consistency?{query}")
            assert answer.headers["Cache-Control"] == "private, no-cache"
            proof = answer.json
            assert proof["object"] == "consistency_proof"
            assert (proof["club"], proof["first"]) == (new_club.id, first["position"])
            roots = (first["root_hash"], second["root_hash"])
            assert roots_of(proof, first["root_hash"]) == roots


def test_a_log_is_consistent_with_itself(new_club: Club) -> None:
    """That needs no hash."""
    seal(new_club)
    proof = new_club.owner.get(f"{new_club.path}/consistency?first=13&second=13").json
    assert proof["hashes"] == []


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("first=3&second=14", (409, "not_under_a_checkpoint")),
        ("first=14&second=14", (409, "not_under_a_checkpoint")),
        ("first=1&second=9007199254740991", (409, "not_under_a_checkpoint")),
        ("first=4&second=3", (400, "query_invalid")),
        ("first=0&second=3", (400, "query_invalid")),
        ("first=1&second=9007199254740992", (400, "query_invalid")),
        ("first=1", (400, "query_invalid")),
        ("second=1", (400, "query_invalid")),
        ("", (400, "query_invalid")),
        ("first=1&second=2&third=3", (400, "query_invalid")),
        ("first=1&first=2&second=3", (400, "query_invalid")),
    ],
)
def test_a_consistency_that_cannot_be(new_club: Club, query: str, told: tuple[int, str]) -> None:
    """Given a checkpoint at 13 of fourteen events."""
    seal(new_club)
    new_club.owner.post(f"{new_club.path}/members", {"name": "One more"})
    assert refusal(new_club.owner.get(f"{new_club.path}/consistency?{query}")) == told


def test_sizes_in_no_order_are_told(new_club: Club) -> None:
    """By the parameter that is wrong, with what it may be."""
    seal(new_club)
    refused = new_club.owner.get(f"{new_club.path}/consistency?first=4&second=3")
    [fault] = refused.json["errors"]
    assert (fault["parameter"], fault["code"]) == ("first", "field_range")
    assert fault["detail"] == "This must be a whole number from 1 to 3."

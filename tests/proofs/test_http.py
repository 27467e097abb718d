"""Checkpoints and keys over HTTP: for the club's own, to be checked without this server.

What comes is checked here from its JSON alone, by code that uses nothing of ours.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger import signing
from ledger.api import edge
from tests.api.conftest import Answer, Caller, Club, found_club
from tests.proofs.asking import FOUNDED, JSON, refusal, seal, sealed, sha256

NOWHERE = "club_00000000000000000000"


# --- who may ----------------------------------------------------------------------------------

ROUTES = ("/checkpoints", "/checkpoints/13", "/events/3/proof", "/consistency?first=2&second=13")


@pytest.mark.parametrize("who", ["owner", "recorder", "other", "operator"])
def test_whoever_is_in_the_club_may_have_proofs(new_club: Club, who: str) -> None:
    """An owner, a recorder, a member; and the operator of the machine."""
    caller: Caller = getattr(new_club, who)
    assert caller.post(f"{new_club.path}/checkpoints").json["position"] == FOUNDED
    for route in ROUTES:
        assert caller.get(f"{new_club.path}{route}").status_code == 200, route


def test_who_is_of_another_club_finds_none(new_club: Club) -> None:
    """He is told what he would be told of a club that is not there."""
    seal(new_club)
    stranger = found_club(new_club.app).owner
    for path in (new_club.path, f"/v1/clubs/{NOWHERE}"):
        for route in ROUTES:
            assert refusal(stranger.get(f"{path}{route}")) == (404, "club_unknown")
        assert refusal(stranger.post(f"{path}/checkpoints")) == (404, "club_unknown")


@pytest.mark.parametrize(("token", "code"), [("", "key_missing"), ("nonsense", "key_invalid")])
def test_who_has_no_key_gets_nothing(new_club: Club, token: str, code: str) -> None:
    nobody = Caller(new_club.owner.client, token)
    for route in ROUTES:
        assert refusal(nobody.get(f"{new_club.path}{route}")) == (401, code)
    assert refusal(nobody.post(f"{new_club.path}/checkpoints")) == (401, code)


def test_everybody_may_have_the_keys(new_club: Club) -> None:
    """Without a key of his own, and with one that is none."""
    seal(new_club)
    for token in ("", "nonsense"):
        answer = Caller(new_club.owner.client, token).get("/v1/signing_keys")
        assert answer.status_code == 200
        assert [one["after"] for one in answer.json["data"]][:1] == [None]


# --- checkpoints ------------------------------------------------------------------------------


def test_a_checkpoint_is_made_once(new_club: Club) -> None:
    """Asked again it is the same; after the log has grown it is another."""
    first = seal(new_club)
    position, head = new_club.head()
    assert first["object"] == "checkpoint"
    assert (first["id"], first["position"]) == (f"chk_{position}", position)
    assert (first["club"], first["head_hash"]) == (new_club.id, head.hex())
    assert seal(new_club) == first
    new_club.owner.post(f"{new_club.path}/members", {"name": "One more"})
    assert seal(new_club)["position"] == position + 1


def test_making_one_changes_nothing_in_the_log(new_club: Club) -> None:
    before = new_club.head()
    seal(new_club)
    assert new_club.head() == before


def test_a_checkpoint_never_changes(new_club: Club) -> None:
    """Whoever has it need not ask again; one that may still come is not kept."""
    made = seal(new_club)
    answer = new_club.other.get(f"{new_club.path}/checkpoints/{FOUNDED}")
    assert answer.json == made
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    missing = new_club.other.get(f"{new_club.path}/checkpoints/12")
    assert refusal(missing) == (404, "checkpoint_unknown")
    assert missing.json["detail"] == "The club has no checkpoint at position 12."
    assert missing.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("position", ["0", "-1", "014", "1.0", "x", "9999999999"])
def test_what_is_no_position(new_club: Club, position: str) -> None:
    """There is no such place."""
    for path in (f"checkpoints/{position}", f"events/{position}/proof"):
        assert refusal(new_club.owner.get(f"{new_club.path}/{path}")) == (404, "not_found")


def test_a_note_is_checked_by_hand(new_club: Club) -> None:
    """The note says what its fields say, and is signed by the key of the list."""
    made = seal(new_club)
    keys = listed(new_club)
    [text] = [one["text"] for one in keys if one["id"] == made["key"]]
    packed = base64.b64decode(text.split("+", 2)[2])
    message, _, signed = made["note"].rpartition("\n\n")
    signature = base64.b64decode(signed.split(" ")[2])
    assert signature[:4].hex() == made["key"] == sha256(b"paizhang\n", packed)[:4].hex()
    Ed25519PublicKey.from_public_bytes(packed[1:]).verify(signature[4:], f"{message}\n".encode())
    log, position, root, head, time = message.splitlines()
    assert (log, position) == (f"paizhang/{new_club.id}", str(made["position"]))
    assert base64.b64decode(root).hex() == made["root_hash"]
    assert head == f"head {made['head_hash']}"
    told = datetime.fromisoformat(time.removeprefix("time "))
    assert told == datetime.fromisoformat(made["created_at"])


def test_checkpoints_are_listed_page_by_page(new_club: Club) -> None:
    """The newest first, with the way to the next page."""
    path, made = f"{new_club.path}/checkpoints", sealed(new_club, 0, 1, 2, 1, 1)
    first = new_club.other.get(f"{path}?limit=2")
    assert first.json == {
        "object": "list",
        "data": [made[4], made[3]],
        "has_more": True,
        "url": path,
    }
    assert first.headers["Cache-Control"] == "no-store"
    link = f"{path}?limit=2&starting_after=chk_17"
    assert first.headers["Link"] == f'<{link}>; rel="next"'
    second = new_club.other.get(link)
    assert (second.json["data"], second.json["has_more"]) == ([made[2], made[1]], True)
    last = new_club.other.get(f"{path}?limit=2&starting_after=chk_14")
    assert (last.json["data"], last.json["has_more"]) == ([made[0]], False)
    assert "Link" not in last.headers
    back = new_club.other.get(f"{path}?limit=2&ending_before=chk_14")
    assert back.json["data"] == [made[3], made[2]]


def test_checkpoints_of_a_time(new_club: Club) -> None:
    """What is told of one's time is what is asked by."""
    made = sealed(new_club, 0, 1, 1)
    at = made[1]["created_at"]
    for bound, wanted in (
        ("gt", [made[2]]),
        ("gte", [made[2], made[1]]),
        ("lt", [made[0]]),
        ("lte", [made[1], made[0]]),
    ):
        found = new_club.owner.get(f"{new_club.path}/checkpoints?created[{bound}]={at}")
        assert found.json["data"] == wanted, bound


def test_a_club_without_checkpoints(new_club: Club) -> None:
    found = new_club.owner.get(f"{new_club.path}/checkpoints")
    assert (found.json["data"], found.json["has_more"]) == ([], False)
    assert refusal(new_club.owner.get(f"{new_club.path}/events/1/proof")) == (
        409,
        "not_under_a_checkpoint",
    )


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("limit=0", (400, "query_invalid")),
        ("limit=101", (400, "query_invalid")),
        ("before=3", (400, "query_invalid")),
        ("limit=1&limit=2", (400, "query_invalid")),
        ("created[gt]=yesterday", (400, "query_invalid")),
        ("starting_after=chk_99", (400, "cursor_unknown")),
        ("starting_after=jrn_13", (400, "cursor_unknown")),
        ("ending_before=13", (400, "cursor_unknown")),
    ],
)
def test_a_list_that_cannot_be(new_club: Club, query: str, told: tuple[int, str]) -> None:
    seal(new_club)
    assert refusal(new_club.owner.get(f"{new_club.path}/checkpoints?{query}")) == told


# --- keys -------------------------------------------------------------------------------------


def key_file(club: Club) -> Path:
    served: edge.Served = club.app.extensions[edge.EXTENSION]
    return served.signing_key


def listed(club: Club) -> list[JSON]:
    answer = Caller(club.owner.client, "").get("/v1/signing_keys")
    assert answer.headers["Cache-Control"] == "no-store"
    assert (answer.json["object"], answer.json["has_more"]) == ("list", False)
    return list(answer.json["data"])


def test_keys_are_listed_with_their_time(new_club: Club) -> None:
    """Given a key that was changed, then it ends when the next begins, which it has signed."""
    old = seal(new_club)["key"]
    ledger = new_club.ledger
    with ledger.database.write() as connection:
        new = signing.rotate(connection, key_file(new_club), ledger.clock())
    new_club.owner.post(f"{new_club.path}/members", {"name": "One more"})
    assert seal(new_club)["key"] == new.id
    before, after = listed(new_club)[-2:]
    assert (before["object"], before["id"], after["id"]) == ("signing_key", old, new.id)
    assert (before["ended_at"], after["ended_at"]) == (after["created_at"], None)
    assert (after["after"], after["text"]) == (old, new.text)
    public = base64.b64decode(before["text"].split("+", 2)[2])[1:]
    Ed25519PublicKey.from_public_bytes(public).verify(
        bytes.fromhex(after["signature"]), after["text"].encode()
    )


def test_the_first_key_comes_after_none(new_club: Club) -> None:
    seal(new_club)
    first = listed(new_club)[0]
    assert (first["after"], first["signature"]) == (None, None)


@pytest.fixture
def spoilt(new_club: Club) -> Callable[[bytes], Answer]:
    """Asks for a checkpoint while the key's file holds something else."""

    def ask(content: bytes) -> Answer:
        file = key_file(new_club)
        seal(new_club)
        before = file.read_bytes()
        file.write_bytes(content)
        try:
            new_club.owner.post(f"{new_club.path}/members", {"name": "One more"})
            return new_club.owner.post(f"{new_club.path}/checkpoints")
        finally:
            file.write_bytes(before)

    return ask


def test_without_a_key_nothing_is_signed(spoilt: Callable[[bytes], Answer]) -> None:
    """The refusal is a conflict with how the house stands, not a fault of who asks."""
    assert refusal(spoilt(b"garbage")) == (409, "signing_key_unreadable")


def test_a_checkpoint_that_is_there_needs_no_key(new_club: Club) -> None:
    """What was signed is shown whatever has become of the key."""
    made, file = seal(new_club), key_file(new_club)
    before = file.read_bytes()
    file.write_bytes(b"garbage")
    try:
        assert seal(new_club) == made
        assert new_club.owner.get(f"{new_club.path}/checkpoints/{FOUNDED}").json == made
    finally:
        file.write_bytes(before)

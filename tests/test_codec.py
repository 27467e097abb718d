"""The bytes of events and their hashes.

`tests/golden/events.json` pins what is hashed for every type of event. An entry never changes:
a change of meaning is a new version of the type, with an entry of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import codec
from ledger import events as e
from ledger.codec import Envelope, Sealed
from ledger.events import Event
from ledger.refusal import Refused
from tests.event_examples import AT, BUILT, EXAMPLES, SECRET, STARTED

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "events.json").read_text(encoding="utf-8")
)
KEY = bytes.fromhex(SECRET)
NEWEST = {"HandStarted/1": Event(e.HandStarted(**STARTED), BUILT)}
"""What events of older versions are read as."""
VERSION = 258
WHERE = Envelope(
    club="club_1",
    stream="table/tab_1",
    version=VERSION,
    recorded_at=AT,
    actor="key_1",
    role="recorder",
    command=bytes(range(32)),
)
LEAF = "713f9209eaa67c582ed50c34adea0a2430e9dd0020b588165b5d8a94427be514"
CHAIN = "1284ac3f2ac02378c08901469e4ecf9f93f11ad795275b3715ce81c1c9e8466b"


def golden(name: str) -> dict[str, Any]:
    """What stands in the golden file for a type."""
    sealed = codec.seal(EXAMPLES[name], VERSION, KEY)
    return {
        "public": sealed.public.decode(),
        "slots": [part.decode() for part in sealed.slots],
        "digests": [digest.hex() for digest in sealed.digests],
        "leaf": codec.leaf(WHERE, sealed).hex(),
    }


# --- golden bytes -----------------------------------------------------------------------------


def test_every_type_of_event_has_golden_bytes() -> None:
    missing = {name: golden(name) for name in codec.TYPES if name not in GOLDEN}
    assert missing == {}, "add these entries to tests/golden/events.json"


def test_no_type_of_event_is_ever_given_up() -> None:
    assert set(GOLDEN) <= set(codec.TYPES)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_bytes_of_a_type_never_change(name: str) -> None:
    assert golden(name) == GOLDEN[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_still_read_as_the_same_event(name: str) -> None:
    stored = GOLDEN[name]
    slots = tuple(part.encode() for part in stored["slots"])
    assert codec.unseal(name, stored["public"].encode(), slots) == NEWEST.get(name, EXAMPLES[name])


def test_a_hand_started_before_there_were_limits_has_none() -> None:
    """Its first version says nothing of a cap or of balances, so none held."""
    started = NEWEST["HandStarted/1"].fact
    assert isinstance(started, e.HandStarted)
    assert (started.cap, started.balances, started.balances_at) == (None, None, 0)


def test_every_fact_has_exactly_one_type() -> None:
    assert len(codec.NAMES) == len(codec.TYPES)
    assert {type(event.fact) for event in EXAMPLES.values()} == set(codec.NAMES)


# --- sealing ----------------------------------------------------------------------------------


def test_an_empty_slot_stands_there_as_an_empty_object() -> None:
    sealed = codec.seal(EXAMPLES["Drawn/1"], VERSION, KEY)
    assert sealed.slots == (b'{"tile":"5z"}', b"{}", b"{}")
    assert len(sealed.digests) == 3


def test_a_type_without_private_parts_has_no_slots() -> None:
    sealed = codec.seal(EXAMPLES["Punged/1"], VERSION, KEY)
    assert (sealed.slots, sealed.digests) == ((), ())


def test_a_slot_that_is_not_shown_reads_as_none() -> None:
    sealed = codec.seal(EXAMPLES["Dealt/1"], VERSION, KEY)
    seen = codec.unseal(sealed.type, sealed.public, (None, sealed.slots[1], None))
    assert seen == Event(e.Dealt(AT), (None, e.DealtTiles("123m5z"), None))


def test_a_part_with_nothing_in_it_is_the_same_as_an_empty_slot() -> None:
    event = Event(e.Discarded(AT, 0, "9m", None, "player"), (e.Passed(), None, None))
    sealed = codec.seal(event, VERSION, KEY)
    assert sealed.slots == (b"{}", b"{}", b"{}")
    assert codec.unseal(sealed.type, sealed.public, sealed.slots).slots == (None, None, None)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        codec.unseal("Drawn/2", b"{}")
    assert str(refused.value) == "event_type_unknown(type=Drawn/2)"


# --- hashes -----------------------------------------------------------------------------------


def test_a_digest_is_salted_by_secret_version_and_audience() -> None:
    part = b'{"tile":"5z"}'
    salt = hmac.new(KEY, bytes.fromhex("0000000000000102" + "03"), hashlib.sha256).digest()
    assert codec.slot_digest(KEY, VERSION, 3, part) == hashlib.sha256(salt + part).digest()


def test_the_same_tile_has_another_digest_in_another_place() -> None:
    part = b'{"tile":"5z"}'
    digests = {
        codec.slot_digest(KEY, VERSION, 0, part),
        codec.slot_digest(KEY, VERSION, 1, part),
        codec.slot_digest(KEY, VERSION + 1, 0, part),
        codec.slot_digest(bytes(32), VERSION, 0, part),
    }
    assert len(digests) == 4


def test_a_leaf_is_the_hash_of_envelope_public_part_and_digests() -> None:
    sealed = Sealed("Drawn/1", b'{"at":1}', (b"{}", b"{}"), (b"\x01" * 32, b"\x02" * 32))
    told = (
        b"\x00"
        + b"\x00\x00\x00\x06club_1"
        + b"\x00\x00\x00\x0btable/tab_1"
        + b"\x00\x00\x00\x00\x00\x00\x01\x02"
        + b"\x00\x00\x00\x07Drawn/1"
        + AT.to_bytes(8, "big")
        + b"\x00\x00\x00\x05key_1"
        + b"\x00\x00\x00\x08recorder"
        + b"\x00\x00\x00\x20"
        + bytes(range(32))
        + b'\x00\x00\x00\x08{"at":1}'
        + b"\x02"
        + b"\x01" * 32
        + b"\x02" * 32
    )
    assert codec.leaf(WHERE, sealed) == hashlib.sha256(told).digest()
    assert codec.leaf(WHERE, sealed).hex() == LEAF


@pytest.mark.parametrize(
    "changes",
    [
        {"club": "club_2"},
        {"stream": "table/tab_2"},
        {"version": 259},
        {"recorded_at": AT + 1},
        {"actor": "key_2"},
        {"role": "owner"},
        {"command": bytes(32)},
    ],
)
def test_whatever_changes_in_the_envelope_changes_the_leaf(changes: dict[str, Any]) -> None:
    sealed = codec.seal(EXAMPLES["Drawn/1"], VERSION, KEY)
    assert codec.leaf(replace(WHERE, **changes), sealed) != codec.leaf(WHERE, sealed)


def test_an_event_is_chained_to_the_one_before() -> None:
    found = codec.chain(codec.FIRST_PREVIOUS, 1, b"\x07" * 32)
    told = b"\x02" + bytes(32) + b"\x00\x00\x00\x00\x00\x00\x00\x01" + b"\x07" * 32
    assert found == hashlib.sha256(told).digest()
    assert found.hex() == CHAIN


# --- lengths ----------------------------------------------------------------------------------


def test_bytes_stand_behind_their_length() -> None:
    assert codec.lp(b"") == b"\x00\x00\x00\x00"
    assert codec.lp(b"abc") == b"\x00\x00\x00\x03abc"


@pytest.mark.parametrize("parts", [(), (b"",), (b"{}", b'{"tile":"5z"}', b""), (b"a" * 70_000,)])
def test_what_is_packed_unpacks_the_same(parts: tuple[bytes, ...]) -> None:
    assert codec.unpack(codec.pack(parts)) == parts


def test_packing_is_each_part_behind_its_length() -> None:
    assert codec.pack((b"a", b"bc")) == b"\x00\x00\x00\x01a\x00\x00\x00\x02bc"


# --- one way to write an event ------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_are_the_only_way_to_write_their_event(name: str) -> None:
    stored = GOLDEN[name]
    slots = tuple(part.encode() for part in stored["slots"])
    public = stored["public"].encode()
    assert codec.is_canonical(name, public, slots)
    assert not codec.is_canonical(name, b" " + public, slots)


@pytest.mark.parametrize(
    "public",
    [
        b'{"at":1,"seat":1}',
        b'{"at":1, "seat":1,"tile":"9m","from_seat":0}',
        b'{"seat":1,"at":1,"tile":"9m","from_seat":0}',
        b'{"at":1,"seat":1,"tile":"9z","tile":"9m","from_seat":0}',
        b'{"at":1,"seat":1.0,"tile":"9m","from_seat":0}',
        b'{"at":1,"seat":1,"tile":"\\u0039m","from_seat":0}',
        b'{"at":1,"seat":1,"tile":"\xff","from_seat":0}',
        b'{"at":1,"seat":1,"tile":' + b"[" * 100_000,
        b"",
    ],
)
def test_other_bytes_of_a_public_part(public: bytes) -> None:
    """Less, spaces, another order, a key twice, a float, an escape, no UTF-8, too deep, nothing."""
    assert not codec.is_canonical("Punged/1", public)


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("Drawn/1", ()),
        ("Drawn/1", (b'{"tile":"5z"}', b"{ }", b"{}")),
        ("Drawn/1", (b'{"tile":"1m","tile":"5z"}', b"{}", b"{}")),
        ("Drawn/1", (b'{"tile":"5z"}', b"{}", b'{"tile":"5z"}')),
        ("Punged/1", (b"{}",)),
    ],
)
def test_other_bytes_of_slots(name: str, slots: tuple[bytes, ...]) -> None:
    """Left out, with a space, with a key twice, where there is nothing, in a type without any."""
    assert not codec.is_canonical(name, GOLDEN[name]["public"].encode(), slots)


def test_how_an_unknown_type_is_written_is_not_known() -> None:
    with pytest.raises(Refused) as refused:
        codec.is_canonical("Drawn/2", b"{}")
    assert refused.value.code == "event_type_unknown"


# --- where an event can stand -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "stream"),
    [
        ("ClubFounded/1", "club"),
        ("MemberForgotten/1", "member/mem_1"),
        ("RolesChanged/1", "membership/mbs_1"),
        ("Dealt/1", "table/tbl_1"),
        ("HandSettled/1", "hand/tbl_1/12"),
    ],
)
def test_every_event_has_a_kind_of_stream(name: str, stream: str) -> None:
    assert codec.belongs(name, stream)


@pytest.mark.parametrize(
    "stream",
    [
        "club",
        "table/tbl_1",
        "hand/tbl_1",
        "hand/tbl_1/0",
        "hand/tbl_1/01",
        "hand/a/b/1",
        "hands/t/1",
    ],
)
def test_a_settlement_stands_in_the_stream_of_its_hand_alone(stream: str) -> None:
    assert not codec.belongs("HandSettled/1", stream)

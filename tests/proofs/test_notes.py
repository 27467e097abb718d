"""A checkpoint is a signed note: read by anybody, and only as it was signed.

What is checked here as an outsider would follows c2sp.org, signed-note and tlog-checkpoint, and
uses nothing of ours.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import example, given
from hypothesis import strategies as st

from ledger import checkpoints
from ledger.checkpoints import Checkpoint, read_note
from ledger.refusal import Refused
from ledger.signing import PublicKey, read_key
from tests.proofs import rfc
from tests.proofs.conftest import NOON, grow, leaves, noon
from tests.store.conftest import Log

KEY = "paizhang+ecb7dcae+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
ROOT = "Oamr9kKU55gbycEg6iiFNlN7wmnnNdQZ/Wl1BtYSraM="
HEAD = "3a708e4ff183755687de972c6ec5a995e1b86a2001e31c76dc3c6ed36cb6ef5c"
SIGNATURE = (
    "7Lfcrh4djDONxavNJfUSQUZS6MohZohPZ7KfyxsnvAgnjEwJEMNQhHTOk8P5I1FGK9A+aV4fxA25JTzTJCn+JVbFFAI="
)
TEXT = f"""\
paizhang/c1
7
{ROOT}
head {HEAD}
time 2025-11-28T12:00:00Z
"""
NOTE = f"{TEXT}\n— paizhang {SIGNATURE}\n"
"""Of the club `c1`, seven events whose bytes are always the same, by the key 00 01 … 1f."""


@pytest.fixture
def made(empty: Log, known_key: Path) -> Checkpoint:
    """The checkpoint of seven events, signed at noon."""
    grow(empty, "c1", 7)
    return checkpoints.make(empty.database, "c1", known_key, noon)


def test_the_note_of_a_checkpoint(made: Checkpoint) -> None:
    """The log's name, its size, the root, the head and the time, and the signature below."""
    assert made.note == NOTE


def test_what_a_note_says(made: Checkpoint) -> None:
    """Made or read, it is the same."""
    read = read_note(NOTE)
    assert read == made
    assert (read.club, read.position, read.head.hex()) == ("c1", 7, HEAD)
    assert (read.created_at, read.key) == (NOON, "ecb7dcae")
    assert base64.b64encode(read.root).decode() == ROOT
    assert read.is_signed_by(read_key(KEY))
    assert not read.is_signed_by(PublicKey(bytes(32)))


def test_an_outsider_checks_the_note(made: Checkpoint, empty: Log) -> None:
    """By the key's text, the note and the leaves alone, as the specifications say."""
    name, key_id, packed = KEY.split("+", 2)
    kind_and_key = base64.b64decode(packed)
    assert kind_and_key[0] == 1, "Ed25519"
    digest = hashlib.sha256(name.encode() + b"\n" + kind_and_key).digest()
    assert digest[:4].hex() == key_id

    text, _, signatures = made.note.rpartition("\n\n")
    [line] = signatures.splitlines()
    dash, signer, encoded = line.split(" ")
    assert (dash, signer) == ("\N{EM DASH}", name)
    signature = base64.b64decode(encoded)
    assert signature[:4] == digest[:4]
    public = Ed25519PublicKey.from_public_bytes(kind_and_key[1:])
    public.verify(signature[4:], text.encode() + b"\n")

    origin, size, root, *_ = text.splitlines()
    log = leaves(empty.database, "c1")
    assert (origin, int(size)) == ("paizhang/c1", len(log))
    assert base64.b64decode(root) == rfc.mth(log)


# --- what is no note --------------------------------------------------------------------------


def changed(old: str, new: str) -> str:
    """The note with something else in it."""
    assert NOTE.count(old) >= 1
    return NOTE.replace(old, new, 1)


def encoded(length: int) -> str:
    return base64.b64encode(bytes(length)).decode()


def bad() -> Iterator[str]:
    """Notes that are none, each wrong in one way."""
    yield from ("", "\n", TEXT, f"{TEXT}\n", NOTE + "\n", "\n" + NOTE, NOTE + NOTE, " " + NOTE)
    yield from (NOTE.rstrip("\n"), NOTE.replace("\n", "\r\n"), NOTE.upper())
    yield NOTE + NOTE.splitlines()[-1] + "\n"
    yield changed("paizhang/c1", "elsewhere/c1")
    yield changed("paizhang/c1", "paizhang/")
    yield changed("paizhang/c1", "paizhang/c 1")
    yield changed("— paizhang", "— elsewhere")
    yield changed("—", "-")
    yield from (changed("\n7\n", f"\n{size}\n") for size in ("0", "07", "-7", "+7", "7.0", "٧", ""))
    yield changed("\n7\n", f"\n{10**18}\n")
    yield changed("\n7\n", f"\n{'7' * 5000}\n")
    yield from (changed(ROOT, encoded(length)) for length in (0, 31, 33))
    yield from (changed(SIGNATURE, encoded(length)) for length in (0, 64, 67, 69))
    yield changed(ROOT, ROOT[:-1])
    yield changed(ROOT, ROOT + "=")
    yield changed(ROOT, twin(ROOT))
    yield changed(SIGNATURE, twin(SIGNATURE))
    yield from (changed(HEAD, head) for head in (HEAD[:-1], HEAD + "0", HEAD.upper(), "g" * 64))
    yield changed(f"head {HEAD}\n", "")
    yield changed("head ", "head  ")
    for time in (
        *("2025-11-28T12:00:00", "2025-11-28T12:00:00+00:00", "2025-11-28T12:00:00.5Z"),
        *("2025-11-28 12:00:00Z", "2025-13-28T12:00:00Z", "2025-11-31T12:00:00Z"),
        *("2025-11-28T24:00:01Z", "2025-11-28T12:00:60Z", "0000-11-28T12:00:00Z", "2025-W48-5Z"),
        *("20251128T120000Z", "２０２５-11-28T12:00:00Z", "2025-11-28T12:00:00z", "now"),
    ):
        yield changed("2025-11-28T12:00:00Z", time)
    yield changed("\n\n", "\nmore of ours\n\n")
    yield changed("\n\n", "\n")
    yield changed("\n\n", "\n\n\n")


def twin(text: str) -> str:
    """The same bytes in base64, with a bit set that nobody reads."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = text.rstrip("=")[-1]
    other = alphabet[alphabet.index(last) ^ 1]
    found = text.rstrip("=")[:-1] + other + "=" * text.count("=")
    assert found != text
    assert base64.b64decode(found) == base64.b64decode(text)
    return found


@pytest.mark.parametrize("note", list(bad()))
def test_what_is_no_note(note: str) -> None:
    with pytest.raises(Refused) as refused:
        read_note(note)
    assert refused.value.code == "checkpoint_malformed"


def is_taken(note: str) -> bool:
    """Whether somebody who trusts the key believes a note."""
    try:
        return read_note(note).is_signed_by(read_key(KEY))
    except Refused as refused:
        return refused.code != "checkpoint_malformed"


def test_the_note_itself_is_taken() -> None:
    assert is_taken(NOTE)


@pytest.mark.parametrize("length", range(len(NOTE)))
def test_a_note_cut_short(length: int) -> None:
    """At whichever end it was cut: it is refused as none."""
    for part in (NOTE[:length], NOTE[len(NOTE) - length :]):
        with pytest.raises(Refused, match="checkpoint_malformed"):
            read_note(part)


@given(st.integers(0, len(NOTE) - 1), st.integers(0, 3), st.text(max_size=3))
@example(12, 1, "8")
def test_a_garbled_note(at: int, width: int, other: str) -> None:
    """Whatever stands in the place of some characters: it is no note, or not signed."""
    note = NOTE[:at] + other + NOTE[at + width :]
    assert is_taken(note) == (note == NOTE)


@given(st.permutations(NOTE.splitlines(keepends=True)))
def test_lines_in_another_order(lines: list[str]) -> None:
    note = "".join(lines)
    assert is_taken(note) == (note == NOTE)


@given(st.text(st.sampled_from("paizhng/c17\n —+=0Thed:-Z"), max_size=120))
def test_any_text_of_that_alphabet(text: str) -> None:
    assert not is_taken(text)

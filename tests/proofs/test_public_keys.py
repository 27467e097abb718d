"""A public key as people and files tell it: `paizhang+<id>+<base64>`, as signed notes have it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.refusal import Refused
from ledger.signing import PublicKey, Signer, read_key

PUBLIC = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
"""The public key of the private key 00 01 … 1f."""
TEXT = "paizhang+ecb7dcae+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def told(name: str, id_: str | None, raw: bytes) -> str:
    """A key's text, its id that of its name and bytes unless another is given."""
    right = sha256(name.encode() + b"\n" + raw).hexdigest()[:8]
    return f"{name}+{id_ or right}+{b64encode(raw).decode()}"


def test_the_text_of_a_key() -> None:
    assert SIGNER.public == PublicKey(PUBLIC)
    assert (SIGNER.public.id, SIGNER.public.text) == ("ecb7dcae", TEXT)
    assert told("paizhang", None, b"\x01" + PUBLIC) == TEXT


@pytest.mark.parametrize("text", [TEXT, f"{TEXT}\n", f"  {TEXT}\r\n"])
def test_the_key_of_a_text(text: str) -> None:
    """As a file has it, with the end of a line."""
    assert read_key(text) == PublicKey(PUBLIC)


@given(st.binary(min_size=32, max_size=32))
def test_there_and_back(public: bytes) -> None:
    assert read_key(PublicKey(public).text) == PublicKey(public)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "paizhang",
        "paizhang+ecb7dcae",
        told("paizhang", "ecb7dcaf", b"\x01" + PUBLIC),
        told("paizhang", "ECB7DCAE", b"\x01" + PUBLIC),
        told("paizhang", "ecb7dcae00", b"\x01" + PUBLIC),
        told("paizhang", None, b"\x02" + PUBLIC),
        told("paizhang", None, b"\x01" + PUBLIC[:-1]),
        told("paizhang", None, b"\x01" + PUBLIC + b"\x00"),
        told("paizhang", None, b"\x01"),
        told("elsewhere", None, b"\x01" + PUBLIC),
        told("elsewhere", "ecb7dcae", b"\x01" + PUBLIC),
        told("", "ecb7dcae", b"\x01" + PUBLIC),
        f"{TEXT}=",
        f"{TEXT}\n{TEXT}",
        TEXT.replace("/", "_"),
        TEXT.replace("A", "Ａ"),
        f"{TEXT[:30]} {TEXT[30:]}",
    ],
)
def test_what_is_no_key(text: str) -> None:
    """Another id, kind, length, name or alphabet is refused."""
    with pytest.raises(Refused) as refused:
        read_key(text)
    assert refused.value.code == "key_text_malformed"


@given(st.integers(0, len(TEXT) - 1), st.characters(codec="utf-8"))
def test_one_wrong_character(at: int, other: str) -> None:
    """The id guards the key: no typing error makes another key of it."""
    text = TEXT[:at] + other + TEXT[at + 1 :]
    if text.strip() != TEXT:
        with pytest.raises(Refused, match="key_text_malformed"):
            read_key(text)


def test_a_signature_is_of_its_message_and_its_key_alone() -> None:
    """Changed, cut, prolonged, or by another key it is none."""
    signature = SIGNER.sign(b"seven pairs")
    other = Signer(Ed25519PrivateKey.generate()).public
    assert SIGNER.public.signed(b"seven pairs", signature)
    assert not SIGNER.public.signed(b"seven pair", signature)
    assert not SIGNER.public.signed(b"seven pairs", signature[:-1])
    assert not SIGNER.public.signed(b"seven pairs", signature + b"\x00")
    assert not SIGNER.public.signed(b"seven pairs", b"")
    assert not other.signed(b"seven pairs", signature)
    assert not PublicKey(b"\xff" * 32).signed(b"seven pairs", signature)

"""Whom somebody trusts: the keys that he has from elsewhere, and those that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ledger.checkpoints import Checkpoint
from ledger.signing import PublicKey

Standing = Literal["signed", "altered", "untrusted"]
"""What a checkpoint is to some keys. `altered`: it names one of them, which has not signed this
text; `untrusted`: it names another key, of which nothing is known."""


def standing(one: Checkpoint, keys: Sequence[PublicKey]) -> Standing:
    """Whether one of the keys has signed a checkpoint, or why not."""
    if any(one.is_signed_by(key) for key in keys):
        return "signed"
    return "altered" if one.key in [key.id for key in keys] else "untrusted"


def following(
    keys: Sequence[PublicKey], listed: Iterable[tuple[PublicKey, bytes | None]]
) -> list[PublicKey]:
    """The keys, and those of a list, in its order, that one of them or of those has signed."""
    trusted = list(keys)
    for key, signature in listed:
        if signature is None or key in trusted:
            continue
        if any(one.signed(key.text.encode(), signature) for one in trusted):
            trusted.append(key)
    return trusted


def ids(keys: Iterable[PublicKey]) -> str:
    """Keys by their ids, as a sentence names them."""
    return ", ".join(key.id for key in keys)

"""What somebody gives as files, to be checked or to check with: told apart by what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from ledger.cli.verdicts import plain
from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.audit.agreeing import Consistent
    from ledger.checkpoints import Checkpoint
    from ledger.signing import PublicKey

Kind = Literal["evidence", "keys", "private_key", "checkpoint", "proof"]
Listed = tuple["PublicKey", bytes | None]
"""A key, and the signature of the one before it where a list tells one."""
FILE = click.Path(path_type=Path)
MOST_BYTES = 1_000_000
"""How long a checkpoint, a proof or a file of keys can be."""
MOST_EVIDENCE = 64_000_000
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""How a text begins that a shell on Windows has written in UTF-16."""


class Kept(NamedTuple):
    """A checkpoint, and the file that it stands in."""

    file: str
    checkpoint: Checkpoint


def check_there(file: Path) -> None:
    """Refuses a name of no file, and that of a folder."""
    name = plain(str(file))
    if not is_file(file):
        raise Refused("file_is_folder" if is_folder(file) else "file_missing", file=name)


def content_of(file: Path, most: int = MOST_BYTES) -> bytes:
    """What is in a file, of which no more is read than such a file can be long."""
    check_there(file)
    with file.open("rb") as source:
        content = source.read(most + 1)
    if len(content) > most:
        raise Refused("file_too_large", file=plain(file.name), most=most)
    return content


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Let a refusal of what is in a file name it."""
    try:
        yield
    except Refused as refusal:
        told: dict[str, Any] = {**refusal.params, "file": plain(str(file))}
        raise Refused(refusal.code, **told) from None


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is of none."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is such a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def text_of(content: bytes) -> str:
    """Text as an editor, a chat or a shell has kept it."""
    if content.startswith(WIDE):
        return content.decode("utf-16", errors="replace")
    return content.decode("utf-8-sig", errors="replace")


def kind_of(text: str) -> Kind | None:
    """What a text is by its look, whether or not it is whole."""
    from ledger.checkpoints import find_notes

    if text.lstrip().startswith("{"):
        return _kind_of_json(text)
    if "PRIVATE KEY-----" in text:
        return "private_key"
    if find_notes(text):
        return "checkpoint"
    lines = [line.strip() for line in text.splitlines()]
    return "keys" if any(line.startswith("paizhang+") for line in lines) else None


def refuse_other(file: Path, text: str, wanted: Kind) -> None:
    """Refuses a file that is something else than is wanted, by what it is."""
    kind = kind_of(text)
    if kind not in (wanted, None):
        raise Refused(f"file_is_{kind}", file=plain(str(file)))


def checkpoints_in(file: Path) -> list[Kept]:
    """The checkpoints of a file: a note, with text around it or not, or an answer of the API."""
    return kept_in(file, text_of(content_of(file)))


def kept_in(file: Path, text: str) -> list[Kept]:
    """The checkpoints of a text, under the name of the file that it stood in."""
    from ledger.checkpoints import find_notes

    refuse_other(file, text, "checkpoint")
    notes = [one["note"] for one in _objects(text) if isinstance(one.get("note"), str)]
    found = [one for note in notes or [text] for one in find_notes(note)]
    if not found:
        raise Refused("note_missing", file=plain(str(file)))
    return [Kept(plain(str(file)), one) for one in found]


def one_in(file: Path) -> Kept:
    """The checkpoint of a file that has one."""
    found = checkpoints_in(file)
    if len(found) > 1:
        raise Refused("note_not_alone", file=found[0].file, count=len(found))
    return found[0]


def proof_in(file: Path) -> Consistent:
    """The proof of consistency of a file."""
    from ledger.audit.agreeing import read_consistent

    content = content_of(file)
    refuse_other(file, text_of(content), "proof")
    with named(file):
        return read_consistent(content)


def keys_of(told: str) -> list[Listed]:
    """The key that is told, or those of the file that is named."""
    from ledger.signing import read_key

    if told.strip().startswith("paizhang+"):
        return [(read_key(told), None)]
    file = Path(told)
    if not (is_file(file) or is_folder(file)):
        raise Refused("key_nowhere", file=plain(told))
    return keys_in(file)


def keys_in(file: Path) -> list[Listed]:
    """The keys of a file, one a line as `signing-key` shows them, or an answer of the API."""
    text, name = text_of(content_of(file)), plain(str(file))
    refuse_other(file, text, "keys")
    found = list(_keys_of_json(text, name)) or list(_keys_of_lines(text, name))
    if not found:
        raise Refused("keys_missing", file=name)
    return found


def _keys_of_lines(text: str, name: str) -> Iterator[Listed]:
    from ledger.signing import read_line

    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        try:
            yield read_line(line)
        except Refused:
            code = "key_spoilt" if line.startswith("paizhang+") else "key_line_malformed"
            raise Refused(code, file=name, line=number) from None


def _keys_of_json(text: str, name: str) -> Iterator[Listed]:
    from ledger.signing import read_key

    for number, one in enumerate(_objects(text), 1):
        try:
            signature = one.get("signature")
            yield read_key(one["text"]), signature and bytes.fromhex(signature)
        except (AttributeError, KeyError, TypeError, ValueError, Refused):
            raise Refused("key_spoilt", file=name, line=number) from None


def _objects(text: str) -> list[dict[str, Any]]:
    """The objects that an answer of the API tells: those of its list, or itself."""
    if not text.lstrip().startswith("{"):
        return []
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return []
    listed = told.get("data")
    return [one for one in (listed if isinstance(listed, list) else [told]) if type(one) is dict]


def _kind_of_json(text: str) -> Kind | None:
    """What JSON is of, by its first object; evidence that is cut short is evidence still."""
    for one in _objects(text):
        if str(one.get("format", "")).startswith("paizhang-evidence/"):
            return "evidence"
        kinds: dict[str, Kind] = {
            "checkpoint": "checkpoint",
            "consistency_proof": "proof",
            "signing_key": "keys",
        }
        return kinds.get(str(one.get("object")))
    return "evidence" if "paizhang-evidence/" in text[:1000] else None

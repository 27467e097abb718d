"""What came of checking an exported log, as sentences or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec import Struct

from ledger.cli.frame import progress, write
from ledger.cli.given import Kept, is_file
from ledger.cli.verdicts import fault_line, plain, stray_line
from ledger.refusal import Refused
from ledger.terminal import said as phrase

if TYPE_CHECKING:
    from ledger.audit.exported import Verdict

EVENT = b'{"object":"event",'
"""How each line of an exported log begins."""
PEEKED = 1000


class Manifest(Struct, frozen=True):
    """Of what a log was exported: the club, the position of its last event, and that one's hash."""

    club: str
    position: int
    head: str


def is_log(file: Path) -> bool:
    """Whether a file is an exported log, by how it begins."""
    with file.open("rb") as source:
        begun = source.read(PEEKED)
    return begun.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(EVENT)


def check_log(file: Path, kept: Sequence[Kept], *, has_keys: bool, machine: bool) -> bool:
    """Check an exported log, and say what came of it; whether all that was asked is so.

    Of which club it is says the manifest beside it, or a checkpoint that is given; refuses one of
    which neither does (`log_of_no_club`).
    """
    from ledger.audit.exported import check

    manifest = _manifest_beside(file)
    told = [manifest.club] if manifest else []
    clubs = list(dict.fromkeys([*told, *(one.checkpoint.club for one in kept)]))
    if not clubs:
        raise Refused("log_of_no_club", file=plain(file.name))
    with progress(f"Verifying {file.name}", None, quiet=machine) as advance:
        verdict = check(file, clubs, [one.checkpoint for one in kept], advance)
    stray = [one for one in kept if one.checkpoint.club != verdict.club]
    fits = None if manifest is None else manifest == _manifest_of(verdict)
    if machine:
        files = [one.file for one in stray]
        write({**msgspec.to_builtins(verdict), "manifest": fits, "uncompared": files})
    else:
        for line in _lines(verdict, manifest, has_keys=has_keys):
            click.echo(line)
        for one in stray:
            click.echo(stray_line(one))
    return verdict.fault is None and fits is not False and not stray


def _manifest_beside(file: Path) -> Manifest | None:
    """The manifest that an export lays beside its file, if it is there still."""
    beside = file.with_name(f"{file.name}.manifest.json")
    if not is_file(beside):
        return None
    try:
        return msgspec.json.decode(beside.read_bytes(), type=Manifest)
    except ValueError:
        raise Refused("manifest_malformed", file=plain(beside.name)) from None


def _manifest_of(verdict: Verdict) -> Manifest:
    return Manifest(verdict.club, verdict.events, verdict.hash)


def _lines(verdict: Verdict, manifest: Manifest | None, *, has_keys: bool) -> Iterator[str]:
    told = {name: getattr(verdict, name) for name in verdict.__struct_fields__}
    told["club"] = plain(verdict.club)
    yield phrase("events.log", **told)
    if verdict.fault is not None:
        yield from _not_so(verdict)
        return
    if manifest is not None and manifest != _manifest_of(verdict):
        named = {"position": manifest.position, "head": plain(manifest.head)}
        yield phrase("events.manifest_otherwise", **named)
        return
    for name in _checked(verdict, has_keys=has_keys, has_manifest=manifest is not None):
        yield phrase("file.checked", what=phrase(f"events.{name}", **told))
    for name in _open(verdict, has_keys=has_keys):
        yield phrase("file.unchecked", what=phrase(f"events.open_{name}", **told))
    sealed = "sealed" if has_keys else "kept"
    yield phrase(f"events.sound_{sealed if verdict.agree else 'in_itself'}")


def _not_so(verdict: Verdict) -> Iterator[str]:
    """The first thing that is not so, and on which line."""
    assert verdict.fault is not None
    fault = fault_line(verdict.fault)
    if verdict.line is None:
        yield phrase("events.not_so_end", fault=fault)
    else:
        yield phrase("events.not_so", line=verdict.line, fault=fault)
    if verdict.events == 0:
        yield phrase("events.other_club", club=plain(verdict.club))
    else:
        yield phrase("events.sound_before", events=verdict.events)


def _checked(verdict: Verdict, *, has_keys: bool, has_manifest: bool) -> Iterator[str]:
    """What was checked, by its phrases."""
    yield "chain"
    yield "decided"
    if verdict.agree:
        yield "fit_signed" if has_keys else "fit"
    if has_manifest:
        yield "manifest"


def _open(verdict: Verdict, *, has_keys: bool) -> list[str]:
    """What could not be checked, by its phrases."""
    agree, sealed, end = verdict.agree, verdict.sealed, verdict.events
    so = {
        "running": verdict.running,
        "hidden": verdict.hidden,
        "undecided": verdict.decided < end,
        "settlement": verdict.unsettled,
        "whose": not agree,
        "signer": agree and not has_keys,
        "behind": agree and sealed < end,
        "end": True,
        "beside": True,
    }
    return [name for name, is_open in so.items() if is_open]

"""`paizhang verify` of an exported log: what is said of it, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import wsgi
from ledger import cli
from ledger.settings import load
from tests.audit.lines import OTHER, Lines, Shared, masked
from tests.lies.forging import house


class Desk:
    """Somebody with a file and a command, and without a database."""

    def __init__(self, shared: Shared, file: Path) -> None:
        self.folder, self.file = file.parent, file
        self.note, self.key = self.folder / "note.txt", self.folder / "key.txt"
        self.note.write_text(shared.sealed.note, encoding="utf-8")
        self.key.write_text(shared.house.key().text, encoding="utf-8")
        self.write(shared.lines)

    def write(self, lines: Lines) -> None:
        self.file.write_bytes(b"".join(line + b"\n" for line in lines))

    def manifest(self, **told: Any) -> None:
        beside = self.folder / f"{self.file.name}.manifest.json"
        beside.write_text(json.dumps({"object": "manifest", **told}), encoding="utf-8")

    def verify(self, *words: object) -> Result:
        made = wsgi.House(load({"PAIZHANG_DATA": str(self.folder / "nothing")}))
        given = ["verify", str(self.file), *map(str, words)]
        return CliRunner().invoke(cli.commands, given, obj=made)


@pytest.fixture
def desk(shared: Shared, file: Path) -> Desk:
    return Desk(shared, file)


CHECKED = (
    "  checked: 158 events, each hashed and chained to the one before, from the first on: none is "
    "changed, left out, added or moved",
    "  checked: every order up to position 158: it was open to who gave it, and the rest follows "
    "from the rules; 2 hands were settled again, and the books kept again",
)
OPEN = (
    "  not checked: whether more follows: a file can end anywhere",
    "  not checked: names and notes, which no log holds, and whether a key had run out when it was "
    "used",
)


def test_a_sound_file_under_a_checkpoint_and_a_key(shared: Shared, desk: Desk) -> None:
    answer = desk.verify("--against", desk.note, "--key", desk.key)
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.splitlines() == [
        f"The log of {shared.club}: 158 events; hash of the last one {shared.rows[-1].hash.hex()}.",
        *CHECKED,
        "  checked: 1 checkpoint that you gave fit, the newest at position 158, signed by a key "
        "that you trust",
        *OPEN,
        "SOUND, up to a checkpoint signed by a key that you trust.",
    ]


def test_a_sound_file_under_a_checkpoint_alone(shared: Shared, desk: Desk) -> None:
    """Given an older checkpoint, then what lies behind it hangs by its chain alone."""
    older = next(row.position for row in shared.rows if row.type == "HandSettled/1")
    desk.note.write_text(shared.house.checkpoint(shared.club, older).note, encoding="utf-8")
    answer = desk.verify("--against", desk.note)
    assert answer.exit_code == 0
    assert answer.stdout.splitlines()[3:] == [
        f"  checked: 1 checkpoint that you gave fit, the newest at position {older}",
        "  not checked: who signed the checkpoints: give the club's public key with --key",
        f"  not checked: what lies behind position {older}, but by its chain: it could have been "
        "made anew. A newer checkpoint seals it",
        *OPEN,
        "SOUND, up to the checkpoint that you gave.",
    ]


def test_a_sound_file_with_its_manifest_alone(shared: Shared, desk: Desk) -> None:
    desk.manifest(club=shared.club, position=158, head=shared.rows[-1].hash.hex(), rows=158)
    answer = desk.verify()
    assert answer.exit_code == 0
    assert answer.stdout.splitlines()[1:] == [
        *CHECKED,
        "  checked: the manifest beside the file: it names this position and this hash",
        "  not checked: whether it is what others have as the club's log: no checkpoint of it was "
        "given (--against)",
        *OPEN,
        "SOUND IN ITSELF, but anybody can write such a file: give a checkpoint of the club with "
        "--against.",
    ]


def test_a_file_cut_short_contradicts_its_manifest(shared: Shared, desk: Desk) -> None:
    desk.manifest(club=shared.club, position=158, head="ab" * 32)
    answer = desk.verify()
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1:] == [
        "NOT SO: the manifest beside the file is of another log: of position 158, hash "
        f"{'ab' * 32}.",
    ]


@pytest.mark.parametrize("told", ["", "{}", '{"club":1,"position":1,"head":""}'])
def test_a_manifest_that_is_none_is_refused(desk: Desk, told: str) -> None:
    (desk.folder / f"{desk.file.name}.manifest.json").write_text(told)
    answer = desk.verify()
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "is not the manifest of an export" in answer.stderr


def test_without_manifest_and_checkpoint_nobody_knows_the_club(desk: Desk) -> None:
    answer = desk.verify()
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr == (
        "Error: Nothing says of which club the log in events_158.ndjson is. Put its manifest "
        "beside it, or give a checkpoint of the club with --against.\n"
    )


def test_the_first_bad_line_is_named(shared: Shared, desk: Desk) -> None:
    desk.write([*shared.lines[:99], *shared.lines[100:]])
    answer = desk.verify("--against", desk.note)
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1:] == [
        "NOT SO, line 100: The event at position 100 is missing.",
        "The 99 events before are as recorded; nothing else that the file says counts.",
    ]


def test_a_missing_end_is_told_as_that(shared: Shared, desk: Desk) -> None:
    desk.write(shared.lines[:-1])
    answer = desk.verify("--against", desk.note)
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1] == (
        "NOT SO, behind the last line: The event at position 158 is missing: a checkpoint reaches "
        "beyond the end of the log."
    )


def test_a_file_of_another_club_than_its_manifests(desk: Desk) -> None:
    desk.manifest(club=OTHER, position=158, head="")
    answer = desk.verify()
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1:] == [
        "NOT SO, line 1: The event at position 1 (club, version 1) was changed.",
        "If all of it seems changed, the file is of another club than club_other.",
    ]


def test_a_checkpoint_of_another_club_is_compared_with_nothing(shared: Shared, desk: Desk) -> None:
    with house() as other:
        note = other.sign(other.found())
    (desk.folder / "other.txt").write_text(note.note, encoding="utf-8")
    answer = desk.verify("--against", desk.note, "--against", desk.folder / "other.txt")
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[-1].startswith("NOT COMPARED: ")
    assert note.club in answer.stdout.splitlines()[-1]


def test_a_checkpoint_that_no_trusted_key_signed_is_refused(desk: Desk) -> None:
    with house() as other:
        other.sign(other.found())
        desk.key.write_text(other.key().text, encoding="utf-8")
    answer = desk.verify("--against", desk.note, "--key", desk.key)
    assert (answer.exit_code, answer.stdout) == (2, "")


def test_what_is_not_shown_is_told(shared: Shared, desk: Desk) -> None:
    start = shared.position("HandStarted/2")
    desk.write(masked(shared.rows[: start + 20], start))
    desk.manifest(club=shared.club, position=start + 20, head=shared.rows[start + 19].hash.hex())
    told = desk.verify().stdout.splitlines()
    assert "  not checked: the private parts of 1 hand that runs, which are not shown yet" in told


def test_in_chinese(shared: Shared, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_MESSAGES", "zh_CN.UTF-8")
    told = desk.verify("--against", desk.note, "--key", desk.key).stdout.splitlines()
    assert told[-1] == "属实，直至由您信任的密钥签名的检查点。"
    desk.write(shared.lines[1:])
    told = desk.verify("--against", desk.note).stdout.splitlines()
    assert told[1] == "不实，第 1 行：位置 1 的事件缺失。"


def test_as_json(shared: Shared, desk: Desk) -> None:
    answer = desk.verify("--against", desk.note, "--json")
    told = json.loads(answer.stdout)
    assert (told["events"], told["hands"], told["agree"], told["fault"]) == (158, 2, 1, None)
    assert (told["manifest"], told["uncompared"]) == (None, [])

"""The files that somebody gives to a check: what is in them is found, or told as what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.checkpoints import find_notes
from ledger.signing import Signer
from tests.lies.conftest import Run, Told, files, run, told
from tests.lies.test_kept import lines_of, signed_by

__all__ = ["files", "run", "told"]


def sentence(answer: Result) -> str:
    """What is refused, where nothing else is said."""
    assert (answer.exit_code, answer.stdout) == (2, "")
    return answer.stderr.removeprefix("Error: ").removesuffix("\n")


@pytest.fixture
def note(files: Path) -> str:
    return (files / "checkpoint.txt").read_text(encoding="utf-8")


# --- what is not there --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nofile.json",), "There is no file nofile.json."),
        (("./",), ". is a folder; name a file in it."),
        (("checkpoint.txt", "--against", "nofile"), "There is no file nofile."),
        (("checkpoint.txt", "--against", "."), ". is a folder; name a file in it."),
        (("checkpoint.txt", "--key", "."), ". is a folder; name a file in it."),
        (
            ("checkpoint.txt", "--key", "nofile"),
            "There is no file nofile, nor is that a public key, told as paizhang+<id>+<base64>.",
        ),
    ],
)
def test_a_file_that_is_not_there_is_said(
    files: Path, run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(files)
    assert sentence(run("verify", *words)) == said


def test_an_id_of_something_else_is_said(told: Told, run: Run) -> None:
    """A table is no club, whether its log is to be checked or signed."""
    for command in ("verify", "checkpoint"):
        answer = sentence(run(command, told.table))
        assert answer == f"There is no such club. {told.table} is the id of a table."


# --- one thing in the place of another ----------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("hand.json", "--against", "key.txt"),
            "key.txt holds public keys: they are given with --key.",
        ),
        (
            ("hand.json", "--against", "hand.json"),
            "hand.json is evidence of a hand: `paizhang verify hand.json` checks it.",
        ),
        (
            ("hand.json", "--key", "checkpoint.txt"),
            "checkpoint.txt holds a checkpoint: it is given with --against, or checked as a file "
            "alone.",
        ),
        (
            ("hand.json", "--key", "signing.key"),
            "signing.key is a private key: keep it to yourself, and give the public one.",
        ),
        (
            ("hand.json", "--against", "proof.json"),
            "proof.json is a proof of consistency: it is given with --proof.",
        ),
        (("key.txt",), "key.txt holds public keys: they are given with --key."),
        (
            ("empty.txt",),
            "empty.txt is neither evidence of a hand (`paizhang evidence`) nor a checkpoint.",
        ),
        (
            ("hand.json", "--against", "empty.txt"),
            "In empty.txt no whole checkpoint is found. It begins with a line paizhang/club_…, has "
            "five lines and an empty one, and ends with a line — paizhang …, all as they were "
            "signed.",
        ),
    ],
)
def test_a_file_of_another_kind_is_told_as_what_it_is(
    told: Told,
    files: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(files)
    assert run("consistency", told.club, 98, 158, "--output", "proof.json").exit_code == 0
    Path("signing.key").write_bytes(told.house.key_file.read_bytes())
    Path("empty.txt").touch()
    assert sentence(run("verify", *words)) == said


# --- notes that came through a chat -------------------------------------------------------------


def _answer(note: str) -> str:
    listed = [{"object": "checkpoint", "position": 158, "note": note}]
    return json.dumps({"object": "list", "data": listed, "has_more": False})


@pytest.mark.parametrize(
    "way",
    [
        lambda note: f"Keep this one, please:\n\n{note}\nSee you on Sunday\n",
        lambda note: note.removesuffix("\n"),
        lambda note: note.replace("\n", "\r\n"),
        lambda note: "".join(f"> {line}\n" for line in note.splitlines()),
        lambda note: "".join(f"  {line}  \n" for line in note.splitlines()),
        lambda note: f"\ufeff{note}",
        _answer,
        lambda note: json.dumps({"object": "checkpoint", "note": note}, indent=2),
    ],
    ids=["letter", "no end", "windows", "quoted", "indented", "mark", "list", "answer"],
)
def test_a_checkpoint_is_found_in_what_is_around_it(
    told: Told, files: Path, run: Run, note: str, way: Callable[[str], str]
) -> None:
    (files / "chat.txt").write_text(way(note), encoding="utf-8", newline="")
    words = ("verify", files / "hand.json", "--key", files / "key.txt", "--against")
    answer = run(*words, files / "chat.txt")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert "  checked: 1 checkpoint that you have kept agrees with it" in answer.stdout
    alone = run("verify", files / "chat.txt", "--key", files / "key.txt")
    assert alone.stdout == (
        f"The checkpoint of {told.club} at 158 is signed by a key that you trust.\n"
    )


def test_a_checkpoint_as_a_shell_on_windows_writes_it(files: Path, run: Run, note: str) -> None:
    (files / "wide.txt").write_text(note, encoding="utf-16")
    assert run("verify", files / "wide.txt", "--key", files / "key.txt").exit_code == 0


def test_every_note_of_a_text_is_found_and_none_that_is_not_whole(told: Told, note: str) -> None:
    """Cut short, or with two signatures of ours, it is none."""
    older = told.house.checkpoint(told.club, 98).note
    assert [one.position for one in find_notes(f"{older}\nand\n{note}")] == [98, 158]
    ours = note.splitlines(keepends=True)[-1]
    assert find_notes(note + ours) == []
    assert find_notes(note.replace("\nhead ", "\n")) == []
    assert find_notes("") == []


# --- a file that is spoilt, or of another key ---------------------------------------------------


def test_a_log_is_not_judged_by_a_spoilt_checkpoint(
    told: Told, files: Path, run: Run, note: str
) -> None:
    """It is the file that does not fit."""
    (files / "spoilt.txt").write_text(note.replace("time 2027", "time 2028"), encoding="utf-8")
    own = told.keys[0].id
    answer = run("verify", told.club, "--against", files / "spoilt.txt")
    assert sentence(answer) == (
        f"{files}/spoilt.txt, of {told.club} at 158, names key {own}, which has not signed this "
        f"text; trusted here: {own}. It was changed, so nothing was judged by it; get it again."
    )
    offline = run("verify", files / "hand.json", "--against", files / "spoilt.txt")
    assert offline.exit_code == 2


def test_a_log_is_not_judged_by_a_checkpoint_of_another_key(
    told: Told, files: Path, run: Run, note: str
) -> None:
    """Both keys are named: that of the file, and those of the database."""
    private = Ed25519PrivateKey.generate()
    (files / "foreign.txt").write_text(signed_by(private, lines_of(note)), encoding="utf-8")
    own, other = told.keys[0].id, Signer(private).public.id
    answer = run("verify", told.club, "--against", files / "foreign.txt")
    assert sentence(answer) == (
        f"{files}/foreign.txt, of {told.club} at 158, names key {other}; this database lists "
        f"{own}. Either the file is not from here, or the list was replaced; nothing was judged "
        "by it."
    )
    key = ("--key", told.keys[0].text)
    trusting = sentence(run("verify", told.club, *key, "--against", files / "foreign.txt"))
    assert f"names key {other}; you trust {own}." in trusting


def test_a_checkpoint_alone_is_told_changed_from_one_of_another_key(
    told: Told, files: Path, run: Run, note: str
) -> None:
    own = told.keys[0].id
    (files / "spoilt.txt").write_text(note.replace("time 2027", "time 2028"), encoding="utf-8")
    answer = run("verify", files / "spoilt.txt", "--key", told.keys[0].text)
    assert (answer.exit_code, answer.stdout) == (
        1,
        f"The checkpoint of {told.club} at 158 ({files}/spoilt.txt) is NOT what key {own} has "
        "signed: its text was changed.\n",
    )
    nobody = Signer(Ed25519PrivateKey.generate()).public
    answer = run("verify", files / "checkpoint.txt", "--key", nobody.text)
    assert (answer.exit_code, answer.stdout) == (
        1,
        f"The checkpoint of {told.club} at 158 ({files}/checkpoint.txt) is NOT signed by a key "
        f"that you trust: it names key {own}, and trusted are {nobody.id}. If {own} is the club's "
        "key of a later time, get the club's list of keys and give it with --follow.\n",
    )


# --- consistency --------------------------------------------------------------------------------


def test_a_proof_is_made_of_two_files(told: Told, files: Path, run: Run) -> None:
    (files / "old.txt").write_text(told.house.checkpoint(told.club, 98).note, encoding="utf-8")
    by_files = run("consistency", told.club, files / "old.txt", files / "checkpoint.txt")
    assert by_files.stdout == run("consistency", told.club, 98, 158).stdout
    answer = run("consistency", told.club, files / "checkpoint.txt", 98)
    assert sentence(answer) == f"{files}/checkpoint.txt comes after 98; name the earlier first."
    assert sentence(run("consistency", told.club, 98, "nofile")) == "There is no file nofile."


def test_a_proof_is_of_one_club_and_of_one_checkpoint_each(
    told: Told, files: Path, run: Run, note: str
) -> None:
    other = lines_of(note).replace(told.club, "club_0123456789abcdef0123")
    foreign = signed_by(Ed25519PrivateKey.generate(), other)
    (files / "foreign.txt").write_text(foreign, encoding="utf-8")
    (files / "two.txt").write_text(note + "\n" + foreign, encoding="utf-8")
    assert sentence(run("consistency", told.club, 98, files / "foreign.txt")) == (
        f"{files}/foreign.txt is of club_0123456789abcdef0123, and {told.club} was named."
    )
    assert sentence(run("consistency", told.club, 98, files / "two.txt")) == (
        f"{files}/two.txt holds 2 checkpoints; name a file with one."
    )

"""What a stranger brings himself: keys that he trusts, checkpoints that he has kept, proofs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.audit.bundle import Verdict
from ledger.cli.verdicts import verdict_lines
from ledger.signing import PublicKey, Signer
from tests.lies.conftest import Run, Told, abroad, running
from tests.lies.forging import House

NOBODY = PublicKey(bytes(32)).text
OTHER = "club_0123456789abcdef0123"


def signed_by(private: Ed25519PrivateKey, text: str) -> str:
    """A note of lines, signed by a key."""
    from ledger.checkpoints import _sign

    return _sign(Signer(private), text)


def lines_of(note: str) -> str:
    """The lines of a note that are signed."""
    return note.partition("\n\n")[0] + "\n"


@pytest.fixture
def foreign(told: Told, files: Path) -> Path:
    """A checkpoint of another club, by another key."""
    text = lines_of(told.house.checkpoint(told.club).note).replace(told.club, OTHER)
    note = signed_by(Ed25519PrivateKey.generate(), text)
    (files / "foreign.txt").write_text(note, encoding="utf-8")
    return files / "foreign.txt"


@pytest.fixture
def older(told: Told, files: Path) -> Path:
    """The club's checkpoint after its first hand."""
    (files / "old.txt").write_text(told.house.checkpoint(told.club, 98).note, encoding="utf-8")
    return files / "old.txt"


# --- keys ---------------------------------------------------------------------------------------


def test_a_file_of_several_keys(told: Told, files: Path) -> None:
    """As `signing-key` shows them, one a line, with empty lines between; one must have signed."""
    key = told.keys[0].text
    (files / "keys.txt").write_text(f"\n{NOBODY}\r\n\n{key}\n\n", encoding="utf-8")
    answer = abroad(files, "verify", "hand.json", "--key", "keys.txt")
    assert (answer.returncode, answer.stderr) == (0, "")
    (files / "none.txt").write_text(f"{NOBODY}\n", encoding="utf-8")
    assert abroad(files, "verify", "hand.json", "--key", "none.txt").returncode == 1


@pytest.mark.parametrize("content", ["", "\n\n", f"{NOBODY}\nnone\n"])
def test_a_file_without_a_key(files: Path, content: str) -> None:
    (files / "none.txt").write_text(content, encoding="utf-8")
    answer = abroad(files, "verify", "hand.json", "--key", "none.txt")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.endswith(" which is told as paizhang+<id>+<base64>.\n") or (
        answer.stderr
        == "Error: In none.txt there is no public key; one is told as paizhang+<id>+<base64>.\n"
    )


def test_a_log_is_checked_with_a_key_too(told: Told, run: Run) -> None:
    """By a key of another installation nothing is judged: it is the key that does not fit."""
    assert run("verify", told.club, "--key", told.keys[0].text).exit_code == 0
    answer = run("verify", told.club, "--key", NOBODY)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr == (
        f"Error: You trust 939fd7b9, and this log is signed by {told.keys[0].id}, none of which "
        "follows from it: the key is of another installation, or the list of this one was "
        "replaced. Nothing was judged.\n"
    )


def test_the_keys_that_follow_from_one_are_trusted_of_a_log(tmp_path: Path) -> None:
    """The first key has signed the second; who trusts the second alone trusts no older note."""
    own = House(tmp_path)
    club = own.play(1)
    with running(tmp_path) as run:
        assert run("signing-key", "rotate", "--yes").exit_code == 0
        own.grow(club)
        assert run("checkpoint", club).exit_code == 0
        _, first, _, line = run("signing-key").stdout.splitlines()
        second = line.split()[0]
        assert run("verify", club, "--key", first).exit_code == 0
        answer = run("verify", club, "--key", second)
        assert answer.exit_code == 1
        old, new = first[9:17], second[9:17]
        assert answer.stdout.endswith(
            f": it names key {old}, and trusted are {new}; if {old} is the club's too, give it "
            "with --key.\n"
        )
    own.database.close()


def test_a_proof_of_a_log_is_not_asked(told: Told, run: Run, files: Path) -> None:
    """Of a whole log nothing has to be joined."""
    (files / "proof").write_text("{}", encoding="utf-8")
    for words in (("verify", told.club), ("verify", "--all")):
        answer = run(*words, "--proof", files / "proof")
        assert answer.exit_code == 2
        assert "A --proof joins checkpoints with a file: name the file." in answer.stderr


def test_a_proof_joins_with_a_checkpoint(files: Path) -> None:
    """Without one that was kept there is nothing to join the file with."""
    answer = abroad(files, "verify", "hand.json", "--proof", "hand.json")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "A --proof joins with a checkpoint: name that with --against." in answer.stderr


# --- checkpoints --------------------------------------------------------------------------------


def test_a_kept_checkpoint_that_no_proof_joins(told: Told, older: Path) -> None:
    """It was asked, and could not be answered."""
    answer = abroad(older.parent, "verify", "hand.json", "--key", "key.txt", "--against", "old.txt")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert answer.stdout.splitlines()[-2:] == [
        "NOT COMPARED: old.txt (position 98): no --proof joins it with the file's, at 158. Whoever "
        f"runs the server makes one: `paizhang consistency {told.club} 98 158 --output "
        "proof.json`; then add --proof proof.json",
        "SOUND, signed by a key that you trust; but 1 checkpoint of yours could not be compared "
        "with it.",
    ]


def test_a_kept_checkpoint_that_a_proof_joins(told: Told, run: Run, older: Path) -> None:
    """A right one joins, a wrong one does not, whoever brought it."""
    proof = older.parent / "proof"
    words = ("verify", "hand.json", "--key", "key.txt", "--against", "old.txt", "--proof", proof)
    assert run("consistency", told.club, 98, 158, "--output", proof).exit_code == 0
    assert abroad(older.parent, *words).returncode == 0
    told_so = json.loads(proof.read_text(encoding="utf-8"))
    proof.write_text(json.dumps({**told_so, "hashes": []}), encoding="utf-8")
    answer = abroad(older.parent, *words)
    assert (answer.returncode, answer.stderr) == (1, "")
    wrong = (
        "old.txt (position 98): the --proof that was given is wrong. Ask whoever runs the server "
        f"for the right one: `paizhang consistency {told.club} 98 158 --output proof.json`"
    )
    assert answer.stdout.splitlines()[-2] == f"NOT COMPARED: {wrong}"
    alone = abroad(older.parent, "verify", "checkpoint.txt", *words[2:])
    assert alone.returncode == 1
    assert alone.stdout.splitlines()[-1] == (
        f"The checkpoints at 158 and 98 could not be compared. {wrong}"
    )


@pytest.mark.lie("a kept checkpoint that nobody signed")
def test_a_kept_checkpoint_that_no_trusted_key_signed(told: Told, files: Path) -> None:
    """Anybody could have made it, so it contradicts nothing: it is refused by its name."""
    lines = lines_of((files / "checkpoint.txt").read_text(encoding="utf-8")).splitlines()
    lines[2] = f"{'A' * 43}="
    private = Ed25519PrivateKey.generate()
    note, key = signed_by(private, "\n".join(lines) + "\n"), Signer(private).public.id
    (files / "false.txt").write_text(note, encoding="utf-8")
    answer = abroad(files, "verify", "hand.json", "--key", "key.txt", "--against", "false.txt")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        f"Error: false.txt, of {told.club} at 158, names key {key}; you trust {told.keys[0].id}. "
        "Nothing was judged by it. If it is the club's too, give it with --key, or its list with "
        "--follow.\n"
    )


def test_a_checkpoint_of_another_club_contradicts_nothing(told: Told, foreign: Path) -> None:
    """It is said that it is of another, and that so it was not compared."""
    key = ("--key", "key.txt", "--against", foreign.name)
    answer = abroad(foreign.parent, "verify", "hand.json", *key, "--against", "checkpoint.txt")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert "  checked: 1 checkpoint that you have kept agrees with it" in answer.stdout
    stray = f"foreign.txt: the checkpoint of {OTHER} at 158 is of another club"
    assert answer.stdout.splitlines()[-2] == f"NOT COMPARED: {stray}"
    alone = abroad(foreign.parent, "verify", "checkpoint.txt", *key)
    assert alone.returncode == 1
    assert alone.stdout.splitlines()[-1] == stray


def test_each_club_takes_its_own_checkpoints(told: Told, run: Run, foreign: Path) -> None:
    """Checking all, one of a club that is not there is told: its whole log may be gone."""
    own = ("--against", foreign.parent / "checkpoint.txt")
    assert run("verify", "--all", *own).exit_code == 0
    for words in (("verify", "--all"), ("verify", told.club)):
        answer = run(*words, *own, "--against", foreign)
        assert answer.exit_code == 1
        sound, stray = answer.stdout.splitlines()
        assert "The log fits 2 checkpoints of the database and 1 of yours;" in sound
        assert stray == (
            f"NOT COMPARED: {foreign}: the checkpoint of {OTHER} at 158 is of another club"
        )
    answer = run("verify", "--all", "--json", "--against", foreign)
    report, stray = map(json.loads, answer.stdout.splitlines())
    assert report["fault"] is None
    assert stray == {"club": OTHER, "position": 158, "file": str(foreign), "compared": False}


def test_two_clubs_take_each_its_own(told: Told, tmp_path: Path) -> None:
    shutil.copytree(told.house.folder, tmp_path / "data")
    own = House(tmp_path / "data")
    other = own.found()
    own.database.close()
    with running(tmp_path / "data") as run:
        kept = {club: tmp_path / club for club in (told.club, other)}
        for club, file in kept.items():
            assert run("checkpoint", club, "--output", file).exit_code == 0
        given = [word for file in kept.values() for word in ("--against", file)]
        answer = run("verify", "--all", *given)
        assert (answer.exit_code, len(answer.stdout.splitlines())) == (0, 2)


def test_a_checkpoint_with_other_signatures(told: Told, files: Path) -> None:
    """Witnesses sign below us; a note that others signed alone is none of ours."""
    note = (files / "checkpoint.txt").read_text(encoding="utf-8")
    witness = f"— witness.example/w1 {'A' * 96}\n"
    signed, ours = note.split("\n\n")
    key = ("--key", "key.txt")
    for both in (note + witness, f"{signed}\n\n{witness}{ours}"):
        (files / "both.txt").write_text(both, encoding="utf-8")
        assert abroad(files, "verify", "hand.json", *key, "--against", "both.txt").returncode == 0
        assert abroad(files, "verify", "both.txt", *key).returncode == 0
    for bad in (f"{signed}\n\n{witness}", note + ours):
        (files / "bad.txt").write_text(bad, encoding="utf-8")
        answer = abroad(files, "verify", "bad.txt", *key)
        assert answer.returncode == 2
        assert answer.stderr.startswith("Error: In bad.txt no whole checkpoint is found.")


def test_files_from_an_editor_on_windows(files: Path) -> None:
    """With a mark of the byte order before them, and notes and keys with two characters a line."""
    for name in ("hand.json", "checkpoint.txt", "key.txt"):
        content = (files / name).read_bytes()
        if name != "hand.json":
            content = content.replace(b"\n", b"\r\n")
        (files / name).write_bytes(b"\xef\xbb\xbf" + content)
    given = ("--key", "key.txt", "--against", "checkpoint.txt")
    assert abroad(files, "verify", "hand.json", *given).returncode == 0


# --- what is said of an entered hand ------------------------------------------------------------


def test_what_is_said_of_a_hand_that_was_entered_by_points() -> None:
    """Of who earned what nothing is known; the points sum to zero."""
    verdict = Verdict("club_1", "tbl_1", 1, 20, 6, True, False, True, "points")
    assert list(verdict_lines(verdict)) == [
        "Hand 1 of table tbl_1 in club_1.",
        "  checked: the checkpoint at position 20 is signed by a key that you trust",
        "  checked: 6 events lie in the log under it, none of the hand is left out or moved",
        "  checked: the points were entered as they stand, and sum to zero",
        "  not checked: who earned what: of a hand that was entered by points nothing else is "
        "known",
        "  not checked: what lies beside the hand in the log, hands before it included",
        "  not checked: whether others were shown the same checkpoint: compare it with theirs",
        "SOUND, signed by a key that you trust.",
    ]


def test_what_is_said_of_a_hand_that_was_entered_by_its_outcome() -> None:
    verdict = Verdict("club_1", "tbl_1", 1, 20, 6, True, False, True, "outcome")
    assert list(verdict_lines(verdict))[3:5] == [
        "  checked: the hand was played elsewhere and entered; what was entered can have been",
        "  checked: the settlement is what the rules give for it, payment by payment",
    ]

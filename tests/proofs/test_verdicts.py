"""What is said at the end of a check, of a hand and of what is wrong with it, in two languages."""

from __future__ import annotations

import json
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest
from click.testing import Result
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from ledger.audit import Fault, Report
from ledger.audit.bundle import Verdict
from ledger.audit.told import Payment, Told
from ledger.cli.verdicts import fault_line, said, verdict_lines
from ledger.texts.verdicts import _phrases, names, phrase
from tests.lies.conftest import Run, files, run, told
from tests.lies.conftest import Told as Club
from tests.lies.test_kept import lines_of, signed_by

__all__ = ["files", "run", "told"]
File = dict[str, Any]
SEATS = ("mem_a", "mem_b", "mem_c")
SHOWN = Verdict("club_1", "tbl_1", 1, 20, 9, True, True, True, None)


@pytest.fixture
def file(files: Path) -> File:
    data: File = json.loads((files / "hand.json").read_text(encoding="utf-8"))
    return data


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in Chinese."""
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_MESSAGES", "zh_CN.UTF-8")


def checked(run: Run, files: Path, file: File, *words: object) -> Result:
    """What is said of a file that somebody has changed."""
    (files / "changed.json").write_text(json.dumps(file, separators=(",", ":")), encoding="utf-8")
    return run("verify", files / "changed.json", *words)


# --- the hand -----------------------------------------------------------------------------------


def test_the_hand_is_told_with_seats_and_members() -> None:
    """Who paid whom, all reasons together, and what each has of it."""
    paid = (Payment(0, 1, 5, {"win": 4, "kong": 1}), Payment(2, 1, 4, {"win": 4}))
    hand = Told("zhuoji/1", SEATS, "win", (1,), (-5, 9, -4), paid)
    shown = msgspec.structs.replace(SHOWN, told=hand)
    assert list(verdict_lines(shown))[1:7] == [
        "  played by zhuoji/1; it ended: won by seat 1 (mem_b)",
        "  paid: seat 0 (mem_a) to seat 1 (mem_b): 5 (win 4, kong 1)",
        "  paid: seat 2 (mem_c) to seat 1 (mem_b): 4 (win 4)",
        "  seat 0 (mem_a): -5",
        "  seat 1 (mem_b): +9",
        "  seat 2 (mem_c): -4",
    ]


@pytest.mark.parametrize(
    ("hand", "lines"),
    [
        (
            Told("haozi/1", SEATS, "exhausted", (), (0, 0, 0), ()),
            [
                "  played by haozi/1; it ended: drawn, the wall was empty",
                "  paid: nothing",
                "  seat 0 (mem_a): 0",
                "  seat 1 (mem_b): 0",
                "  seat 2 (mem_c): 0",
            ],
        ),
        (
            Told("haozi/1", SEATS, "void", (), None, ()),
            ["  played by haozi/1; it ended: declared void: it does not count"],
        ),
        (
            Told("haozi/1", SEATS, "win", (), None, ()),
            ["  played by haozi/1; it ended: won; who won is not settled yet"],
        ),
    ],
)
def test_the_end_of_a_hand_is_told(hand: Told, lines: list[str]) -> None:
    shown = list(verdict_lines(msgspec.structs.replace(SHOWN, told=hand)))
    assert shown[1 : shown.index(next(one for one in shown if "checked:" in one))] == lines


# --- the last line ------------------------------------------------------------------------------


def test_what_a_wall_that_follows_leaves_open() -> None:
    """It follows from the secret; that this was not picked of many nobody can see."""
    lines = list(verdict_lines(SHOWN))
    assert "  checked: the wall follows from the hand's secret" in lines
    assert "  not checked: whether that secret was one of many that were tried" in lines


@pytest.mark.parametrize(
    ("trusted", "against", "line"),
    [
        (True, (), "SOUND, signed by a key that you trust."),
        (
            True,
            ("agrees", "unjoined", "misproven"),
            "SOUND, signed by a key that you trust; but 2 checkpoints of yours could not be "
            "compared with it.",
        ),
        (
            False,
            (),
            "SOUND IN ITSELF, but it brings its own key, and anybody can make one: give the "
            "club's with --key.",
        ),
    ],
)
def test_a_check_ends_with_its_verdict(trusted: bool, against: Any, line: str) -> None:
    verdict = msgspec.structs.replace(SHOWN, trusted=trusted, against=against)
    assert list(verdict_lines(verdict))[-1] == line


def test_machines_are_told_what_was_not_checked(files: Path, run: Run) -> None:
    answer = json.loads(run("verify", files / "hand.json", "--json").stdout)
    assert answer["unchecked"] == ["key", "wall", "beside", "others"]
    assert answer["told"]["winners"] == [1]
    assert answer["told"]["payments"][0] == {
        "payer": 0,
        "payee": 1,
        "points": 4,
        "reasons": {"win": 4},
    }


# --- what is wrong with a signature -------------------------------------------------------------


def test_a_note_that_was_changed_under_its_signature(
    told: Club, files: Path, run: Run, file: File
) -> None:
    file["checkpoint"] = file["checkpoint"].replace("time 2027", "time 2028")
    answer = checked(run, files, file, "--key", files / "key.txt")
    key = told.keys[0].id
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1] == (
        f"NOT SO: The checkpoint in the file names key {key} as its signer, but that key has not "
        "signed this text: it was changed."
    )


def test_a_note_of_another_club_than_the_file(files: Path, run: Run, file: File) -> None:
    club, file["club"] = file["club"], "club_0123456789abcdef0123"
    answer = checked(run, files, file, "--key", files / "key.txt")
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1] == (
        f"NOT SO: The checkpoint in the file is of {club}, and the file is of another club."
    )


def test_a_file_by_a_key_that_is_not_trusted(told: Club, files: Path, run: Run) -> None:
    """Both keys are named, and what to do where the club has changed its own."""
    other = "paizhang+939fd7b9+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    answer = run("verify", files / "hand.json", "--key", other)
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[1] == (
        f"NOT SO: The checkpoint in the file names key {told.keys[0].id} as its signer, which is "
        "none that is trusted here (939fd7b9) and follows from none. If it is the club's own key "
        "of a later time, get the club's list of keys and give it with --follow."
    )


# --- a file that cannot be checked --------------------------------------------------------------


def test_a_file_that_breaks_off(files: Path, run: Run) -> None:
    content = (files / "hand.json").read_bytes()
    (files / "cut.json").write_bytes(content[:5000])
    answer = run("verify", files / "cut.json")
    assert (answer.exit_code, answer.stderr) == (
        2,
        f"Error: {files}/cut.json breaks off in the middle, so it was cut short on its way; get "
        "it again.\n",
    )


def test_a_file_in_a_later_format(files: Path, run: Run, file: File) -> None:
    answer = checked(run, files, {**file, "format": "paizhang-evidence/2", "more": 1})
    assert (answer.exit_code, answer.stderr) == (
        2,
        "Error: A newer release made it, in a form or by rules that are unknown here; check it "
        "with that release.\n",
    )


def test_a_file_with_a_changed_letter_in_a_key(files: Path, run: Run, file: File) -> None:
    key = file["keys"][0]["key"]
    file["keys"][0]["key"] = key[:-1] + ("A" if key[-1] != "A" else "B")
    answer = checked(run, files, file)
    assert (answer.exit_code, answer.stderr) == (
        2,
        "Error: The public key at /keys/0 has a changed or lost letter; get the file again.\n",
    )


# --- logs ---------------------------------------------------------------------------------------


def test_of_one_hand_and_one_checkpoint_it_is_said_so() -> None:
    report = Report("club_1", 40, "ab", 1, 1, 2)
    assert said(report, yours=1) == (
        "40 events are as recorded, 1 hand was decided and settled again (1 hand waits to be "
        "settled). The log fits 1 checkpoint of the database and 1 of yours; last hash ab."
    )


def test_a_contradicting_checkpoint_is_named_with_its_file(
    told: Club, files: Path, run: Run
) -> None:
    """Signed by the right key over another root: somebody has two logs."""
    note = (files / "checkpoint.txt").read_text(encoding="utf-8")
    lines = lines_of(note).splitlines()
    lines[2] = f"{'A' * 43}="
    private: Any = load_pem_private_key(told.house.key_file.read_bytes(), None)
    two = signed_by(private, "\n".join(lines) + "\n")
    (files / "two.txt").write_text(two, encoding="utf-8")
    answer = run("verify", told.club, "--against", files / "two.txt")
    assert answer.exit_code == 1
    assert answer.stdout == (
        "The event at position 158 is under a checkpoint that says something else: "
        f"{files}/two.txt is of position 158.\n"
    )


# --- Chinese ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("chinese")
def test_a_terminal_in_chinese_is_told_in_chinese(
    told: Club, files: Path, run: Run, file: File
) -> None:
    lines = run("verify", files / "hand.json", "--key", files / "key.txt").stdout.splitlines()
    assert lines[0] == f"俱乐部 {told.club}，牌桌 {told.table}，第 1 局。"
    assert lines[-1] == "属实，由您信任的密钥签名。"
    assert run("verify", "nofile.json").stderr == "Error: 找不到文件 nofile.json。\n"
    fault = Fault(7, "leaf", "table/tbl_1", 3)
    assert fault_line(fault) == "位置 7 的事件（table/tbl_1，第 3 版）被改动过。"


@pytest.mark.usefixtures("chinese")
def test_the_first_variable_that_is_set_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As programs ask for the locale: LC_ALL before LC_MESSAGES before LANG."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert run("verify", "nofile.json").stderr == "Error: There is no file nofile.json.\n"


def test_every_phrase_has_the_same_gaps_in_both_languages() -> None:
    for name, texts in _phrases().items():
        gaps = [{gap for _, gap, _, _ in Formatter().parse(text) if gap} for text in texts.values()]
        assert gaps[0] == gaps[1], name
        assert all(texts.values()), name


def test_a_number_is_told_with_its_word() -> None:
    assert phrase("checked.agree", "en", agree=1) == (
        "1 checkpoint that you have kept agrees with it"
    )
    assert phrase("checked.agree", "en", agree=3) == (
        "3 checkpoints that you have kept agree with it"
    )
    assert phrase("checked.agree", "zh", agree=3) == "您保存的 3 个检查点与之一致"
    assert "tbl" in names("id")

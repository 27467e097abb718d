"""The commands of who hands out evidence, and of the stranger who checks it on his own machine."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import get_args

import pytest
import sqlalchemy as sa

import wsgi
from ledger.audit import Why
from ledger.audit.bundle import Verdict
from ledger.audit.lies import Found, Lie
from ledger.cli.verdicts import FAULTS, LIES, verdict_lines
from tests.lies.conftest import Run, Told, abroad, abroad_in, running
from tests.lies.forging import House, hashed_again

TREE = Path(wsgi.__file__).parent


def test_a_stranger_checks_a_hand_without_the_database(files: Path, told: Told) -> None:
    """He is told what was checked and what could not be."""
    given = ("--key", "key.txt", "--against", "checkpoint.txt")
    answer = abroad(files, "verify", "hand.json", *given)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines() == [
        f"Hand 1 of table {told.table} in {told.club}.",
        "  played by huaihua/1; it ended: won by seat 1 (mem_ee49d7144b24cdd3e9be)",
        "  paid: seat 0 (mem_78247f5809b5f3169d46) to seat 1 (mem_ee49d7144b24cdd3e9be): 4 (win 4)",
        "  paid: seat 1 (mem_ee49d7144b24cdd3e9be) to seat 2 (mem_3c7a358126cb9062743d): 3 "
        "(kong 3)",
        "  seat 0 (mem_78247f5809b5f3169d46): -4",
        "  seat 1 (mem_ee49d7144b24cdd3e9be): +1",
        "  seat 2 (mem_3c7a358126cb9062743d): +3",
        "  seat 3 (mem_aee52e6cc82a65c114e8): 0",
        "  checked: the checkpoint at position 158 is signed by a key that you trust",
        "  checked: 92 events lie in the log under it, none of the hand is left out or moved",
        "  checked: every decision was open to who took it, and all else follows from the rules",
        "  checked: the settlement is what the rules give for it, payment by payment",
        "  checked: 1 checkpoint that you have kept agrees with it",
        "  not checked: how the wall was mixed: it was brought from outside",
        "  not checked: what lies beside the hand in the log, hands before it included",
        "  not checked: whether others were shown the same checkpoint: compare it with theirs",
        "SOUND, signed by a key that you trust.",
    ]
    assert not (files / "nothing").exists()


def test_a_lie_is_named_with_its_first_bad_event(files: Path, told: Told) -> None:
    data = json.loads((files / "hand.json").read_text())
    data["settlement"]["payments"][0]["points"] = 99
    (files / "hand.json").write_text(json.dumps(data))
    answer = abroad(files, "verify", "hand.json", "--key", "key.txt")
    assert answer.returncode == 1
    assert answer.stdout.splitlines()[1:] == [
        "NOT SO: What the file tells at /settlement is not what its events say (position 98).",
        "Nothing else that the file says counts.",
    ]
    told_to_machines = abroad(files, "verify", "hand.json", "--key", "key.txt", "--json")
    assert json.loads(told_to_machines.stdout)["found"]["lie"] == "told_otherwise"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "This has not the form of evidence of a hand; the fault is at /."),
        ("{", "FILE breaks off in the middle, so it was cut short on its way; get it again."),
        (
            "paizhang/club_x\n1\n",
            "In FILE no whole checkpoint is found. It begins with a line paizhang/club_…, has five "
            "lines and an empty one, and ends with a line — paizhang …, all as they were signed.",
        ),
        (
            "\0\ufffd",
            "FILE is neither evidence of a hand (`paizhang evidence`) nor a checkpoint.",
        ),
    ],
)
def test_what_is_no_evidence_is_refused_in_a_sentence(
    tmp_path: Path, run: Run, content: str, said: str
) -> None:
    file = tmp_path / "file"
    file.write_text(content, encoding="utf-8")
    answer = run("verify", file)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr == f"Error: {said.replace('FILE', str(file))}\n"


def test_two_checkpoints_are_joined_by_a_proof(files: Path, told: Told, run: Run) -> None:
    """Without the proof nothing is said of them; with it, that the log only grew."""
    (files / "old.txt").write_text(told.house.checkpoint(told.club, 98).note)
    words = ("verify", "checkpoint.txt", "--against", "old.txt", "--key", "key.txt")
    assert run("consistency", told.club, 98, 158, "--output", files / "proof").exit_code == 0
    alone, joined = abroad(files, *words), abroad(files, *words, "--proof", "proof")
    assert (alone.returncode, joined.returncode) == (1, 0)
    assert alone.stdout.splitlines()[2] == (
        "The checkpoints at 158 and 98 could not be compared. old.txt (position 98): no --proof "
        "joins it with the file's, at 158. Whoever runs the server makes one: `paizhang "
        f"consistency {told.club} 98 158 --output proof.json`; then add --proof proof.json"
    )
    assert joined.stdout.splitlines() == [
        f"The checkpoint of {told.club} at 158 is signed by a key that you trust.",
        f"The checkpoint of {told.club} at 98 is signed by a key that you trust.",
        "The checkpoints at 158 and 98 are of one log that only grew.",
    ]


def test_a_checkpoint_alone_wants_a_key(files: Path) -> None:
    answer = abroad(files, "verify", "checkpoint.txt")
    assert (answer.returncode, answer.stderr) == (
        2,
        "Error: To check a checkpoint alone, give the public key that you trust (--key).\n",
    )


def test_a_whole_log_is_decided_and_settled_again(told: Told, run: Run) -> None:
    answer = run("verify", told.club)
    assert (answer.exit_code, answer.stdout) == (
        0,
        "158 events are as recorded, 2 hands were decided and settled again. The log fits 2 "
        f"checkpoints of the database; last hash {told.rows[-1].hash.hex()}.\n",
    )


@pytest.mark.lie("a database changed by hand below the application")
def test_a_database_changed_by_hand_is_caught_at_the_right_position(tmp_path: Path) -> None:
    """With its triggers dropped SQLite lets anybody change an event; its leaf no longer fits."""
    own = House(tmp_path)
    club = own.play(1)
    with own.database.write() as connection:
        connection.execute(sa.text("DROP TRIGGER events_update"))
        statement = sa.text("UPDATE events SET public = CAST(:told AS BLOB) WHERE position = 11")
        connection.execute(statement, {"told": '{"at":0,"seat":1}'})
    own.database.close()
    answer = abroad_in(tmp_path, "verify", club)
    assert answer.returncode == 1
    assert answer.stdout.startswith("The event at position 11 (table/")
    assert answer.stdout.endswith("version 4) was changed.\n")


@pytest.mark.lie("the end of the log cut off, with its head and its checkpoints")
def test_a_cut_tail_is_found_against_a_checkpoint_that_was_kept(
    told: Told, files: Path, tmp_path: Path
) -> None:
    (tmp_path / "short").mkdir()
    short = House(tmp_path / "short")
    short.keep(hashed_again(told.rows[:98]))
    shutil.copy(told.house.key_file, short.key_file)
    short.sign(told.club)
    short.database.close()
    kept = str(files / "checkpoint.txt")
    answer = abroad_in(tmp_path / "short", "verify", told.club, "--against", kept)
    assert (answer.returncode, answer.stdout) == (
        1,
        "The event at position 99 is missing: a checkpoint reaches beyond the end of the log: "
        f"{kept} is of position 158.\n",
    )


def test_every_lie_and_every_fault_has_its_sentence() -> None:
    assert set(LIES) == set(get_args(Lie))
    assert set(FAULTS) == set(get_args(Why))


def test_a_decision_that_was_not_open_is_told_with_its_paragraph() -> None:
    found = Found("refused", 17, code="tile_not_held", rule="common 5")
    verdict = Verdict("club_1", "tbl_1", 1, 20, 9, True, False, False, None, (), found)
    assert list(verdict_lines(verdict))[1] == (
        "NOT SO: What was decided at position 17 was not open: Not in hand (common 5)."
    )


def do_as_the_page_says(run: Run, club: str, table: str) -> int:
    """Run the commands of docs/trust.md in their order; gives how many they are."""
    page = (TREE / "docs" / "trust.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    lines = [line.partition("  #")[0] for block in blocks for line in block.splitlines()]
    for line in lines:
        command, _, file = line.partition(" > ")
        named = command.replace("CLUB", club).replace("TABLE", table)
        answer = run(*named.removeprefix("paizhang ").split())
        assert (answer.exit_code, answer.stderr) == (0, ""), line
        if file:
            Path(file.strip()).write_text(answer.stdout, encoding="utf-8")
    return len(lines)


def test_the_commands_of_the_page_do_what_it_says(
    told: Told, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of docs/trust.md: what is handed out is kept, and then checked."""
    monkeypatch.chdir(tmp_path)
    assert do_as_the_page_says(run, told.club, told.table) == 5
    assert {path.name for path in tmp_path.iterdir()} == {"checkpoint.txt", "key.txt", "hand.json"}


def test_the_commands_of_the_page_do_so_after_a_change_of_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`signing-key` shows both keys, and a file of both is as good as one of one."""
    own = House(tmp_path)
    club = own.play(1)
    table = next(row.stream for row in own.rows(club) if row.type == "HandStarted/2")
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(tmp_path / "files")
    with running(tmp_path) as run:
        assert run("signing-key", "rotate", "--yes").exit_code == 0
        assert do_as_the_page_says(run, club, table.removeprefix("table/")) == 5
        own.grow(club)
        assert do_as_the_page_says(run, club, table.removeprefix("table/")) == 5
    own.database.close()
    assert len(Path("key.txt").read_text(encoding="utf-8").splitlines()) == 4

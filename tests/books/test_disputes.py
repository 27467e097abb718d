"""Disputes at the command line: 小王 says that the kong was fed by 阿赵, and it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import wsgi
from ledger import disputing
from ledger.cli import commands
from ledger.disputing import Claim, Verdict
from tests.books.place import (
    BOOKED,
    EXPOSED,
    Run,
    desk,
    lines,
    outcome,
    points,
    refused,
    rows,
    told,
)

CORRECTED = [6, -2, 1, -5]
RULED = ("--ruling", "correct", "--reason", "mistyped")


@pytest.fixture
def claimed(tmp_path: Path) -> Path:
    """A file with the outcome that 小王 claims."""
    file = tmp_path / "claimed.json"
    file.write_text(json.dumps(outcome(EXPOSED)))
    return file


def filed(run: Run, club: str, table: str, *words: object) -> str:
    name: str = told(run("dispute", "file", club, table, 1, *words, "--json"))["dispute"]
    return name


# --- claimed and computed -------------------------------------------------------------------------


def test_a_claim_is_laid_beside_what_is_computed(
    run: Run, club: str, table: str, claimed: Path
) -> None:
    """The kong of the third seat is the first line that differs, and C5.4 decides it."""
    run("limits", club, "--correction", 3)
    *shown, first, rule, moves = run(
        "dispute", "claim", club, table, 1, "--outcome", claimed
    ).stdout.splitlines()
    assert [line.split()[-4:] for line in shown[:4]] == [
        ["M-0001", "M-0002", "M-0003", "M-0004"],
        ["+4", "-4", "+4", "-4"],
        ["+4", "-4", "+4", "-4"],
        ["+6", "-2", "+1", "-5"],
    ]
    assert [line.split()[-1] for line in shown[5:]] == ["=", "=", "=", "≠", "≠", "≠"]
    assert first == "The first line that differs: M-0001 -> M-0003, 杠 Kong."
    assert rule == "It is decided by huaihua/1 C5.4."
    assert moves == "It would move 4 points, which takes two persons."


def test_a_claim_by_points_is_told_by_what_it_leaves_out(run: Run, club: str, table: str) -> None:
    """Without the win the points would be those of the kong alone."""
    words = ("dispute", "claim", club, table, 1, "--totals", "-2,-2,6,-2")
    assert run(*words).stdout.splitlines()[4:] == [
        "The first seat that differs: M-0001.",
        *(
            f"Left out: M-000{seat} -> M-0001 2, 胡牌 Win: 自摸 Self-draw 2, 底分 Base score x1 "
            "(huaihua/1 C5.1)."
            for seat in (2, 3, 4)
        ),
        "It is decided by huaihua/1 C5.1.",
        "It would move 6 points, which takes one person.",
    ]
    assert told(run(*words, "--json"))["comparison"]["seat"] == 0


def test_a_hand_that_cannot_be_is_told_so(run: Run, club: str, table: str, tmp_path: Path) -> None:
    """A win on a tile with which nothing is complete."""
    file = tmp_path / "impossible.json"
    wrong = outcome(EXPOSED)
    file.write_text(json.dumps({**wrong, "wins": [{**wrong["wins"][0], "tile": "9s"}]}))
    shown = run("dispute", "claim", club, table, 1, "--outcome", file).stdout
    assert "Such a hand cannot be: " in shown
    assert "It would move 0 points" in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Claim --totals or an --outcome."),
        (("--totals", "4,x"), "'4,x' are no points by seat such as 4,-4,4,-4."),
        (("--totals", "4,-4,0"), "There are 3 seats; this game has 4 players."),
    ],
)
def test_claims_that_are_none(
    run: Run, club: str, table: str, words: tuple[str, ...], sentence: str
) -> None:
    assert refused(run("dispute", "claim", club, table, 1, *words)).endswith(sentence)


def test_an_outcome_is_json_and_the_only_claim(
    run: Run, club: str, table: str, tmp_path: Path, claimed: Path
) -> None:
    file = tmp_path / "no.json"
    file.write_text("no")
    assert "is no outcome in JSON" in refused(
        run("dispute", "claim", club, table, 1, "--outcome", file)
    )
    both = ("--outcome", claimed, "--totals", "4,-4,4,-4")
    assert "not both" in refused(run("dispute", "file", club, table, 1, *both))


# --- from filing to correction --------------------------------------------------------------------


def test_a_dispute_is_filed_decided_and_told(
    run: Run, club: str, table: str, claimed: Path
) -> None:
    """The referee sees each balance before and after, then books just that."""
    name = filed(run, club, table, "--outcome", claimed, "--note", "was fed")
    assert points(run, club) == BOOKED
    assert [one["disputed"] for one in lines(run("balances", club, "--json"))] == BOOKED
    words = ("dispute", "decide", club, name, *RULED, "--outcome", claimed)
    assert rows(run(*words, "--dry-run"))[-4:] == [
        ["M-0001", "老张", "4", "+2", "6"],
        ["M-0002", "小王", "-4", "+2", "-2"],
        ["M-0003", "老李", "4", "-3", "1"],
        ["M-0004", "阿赵", "-4", "-1", "-5"],
    ]
    assert points(run, club) == BOOKED
    decided = told(run(*words, "--json"))
    assert (decided["state"], decided["ruling"]) == ("decided", "correct")
    assert [one["after"] for one in decided["balances"]] == CORRECTED
    assert points(run, club) == CORRECTED
    shown = told(run("dispute", "show", club, name, "--json"))
    assert (shown["hand"], shown["stake"], shown["note"]) == (f"{table}-1", 4, "was fed")
    steps = ["filed", "evidence_locked", "decided", "reversed", "corrected"]
    assert [step["step"] for step in shown["steps"]] == steps
    entries = lines(run("journal", club, "--dispute", name, "--json"))
    assert [(one["kind"], one["entry"]) for one in entries] == [
        ("correction", shown["entries"][1]),
        ("reversal", shown["entries"][0]),
    ]


def test_people_read_a_dispute_step_by_step(run: Run, club: str, table: str) -> None:
    name = filed(run, club, table, "--note", "look")
    run("dispute", "withdraw", club, name, "--note", "seen")
    shown = rows(run("dispute", "show", club, name))
    assert ["state", "withdrawn"] in shown
    assert [line[1:] for line in shown[-3:]] == [
        ["filed", "提出", "operator", "operator", "look"],
        ["evidence_locked", "锁定证据", "operator", "operator"],
        ["withdrawn", "撤回", "operator", "operator", "seen"],
    ]
    assert refused(run("dispute", "show", club, "dsp_x")).startswith("There is no such dispute")


def test_above_the_limit_another_person_has_to_agree(
    run: Run, house: wsgi.House, club: str, table: str, claimed: Path
) -> None:
    run("limits", club, "--correction", 3)
    name = filed(run, club, table, "--outcome", claimed)
    proposed = run("dispute", "decide", club, name, *RULED, "--outcome", claimed)
    assert proposed.stdout.endswith("The decision waits for a second person.\n")
    agree = ("dispute", "approve", club, name, "--version", 3)
    assert "second person" in refused(run(*agree))
    disputing.approve(desk(house, club, "referee"), name, 3)
    assert points(run, club) == CORRECTED


def test_the_operator_agrees_to_what_a_referee_proposes(
    run: Run, house: wsgi.House, club: str, table: str
) -> None:
    run("limits", club, "--correction", 3)
    name = filed(run, club, table, "--note", "look")
    verdict = Verdict("correct", "mistyped", right=Claim(totals=tuple(CORRECTED)))
    disputing.decide(desk(house, club, "referee"), name, verdict)
    seen = told(run("dispute", "show", club, name, "--json"))["version"]
    tried = told(run("dispute", "approve", club, name, "--dry-run", "--json"))
    agreed = told(run("dispute", "approve", club, name, "--version", seen, "--json"))
    assert [one["change"] for one in agreed["balances"]] == [2, 2, -3, -1]
    assert (seen, tried["balances"]) == (3, agreed["balances"])


def test_the_operator_reads_what_he_agrees_to(
    run: Run, house: wsgi.House, club: str, table: str
) -> None:
    """He is shown the decision and asked; the version is that of what he has read."""
    run("limits", club, "--correction", 3)
    name = filed(run, club, table, "--note", "look")
    assert refused(run("dispute", "approve", club, name)).startswith("No decision waits")
    verdict = Verdict("correct", "mistyped", right=Claim(totals=tuple(CORRECTED)))
    disputing.decide(desk(house, club, "referee"), name, verdict)
    shown = run("dispute", "approve", club, name).stderr.splitlines()
    assert shown[:4] == [
        "ruling  correct 更正",
        "reason  mistyped",
        "totals  6,-2,1,-5",
        "by  key_referee",
    ]
    assert shown[-1] == "Error: Nothing was changed. Where nobody can answer, say --version 3."
    assert points(run, club) == BOOKED
    late = run("dispute", "approve", club, name, "--version", 2)
    assert "version" in refused(late)
    answer = CliRunner().invoke(commands, ["dispute", "approve", club, name], "y", obj=house)
    assert answer.exit_code == 0
    assert points(run, club) == CORRECTED


def test_a_mistyped_hand_is_corrected_in_one_step(
    run: Run, club: str, table: str, claimed: Path
) -> None:
    words = ("dispute", "correct", club, table, 1, *RULED, "--outcome", claimed)
    tried = told(run(*words, "--dry-run", "--json"))
    assert points(run, club) == BOOKED
    done = told(run(*words, "--rule", "huaihua/1 C5.4", "--json"))
    assert done["balances"] == tried["balances"]
    assert points(run, club) == CORRECTED
    assert "can be appealed against until" in refused(run(*words))


def test_a_hand_that_is_right_is_not_corrected(run: Run, club: str, table: str) -> None:
    words = ("dispute", "correct", club, table, 1, *RULED, "--totals", "4,-4,4,-4")
    assert "comes to the points that are booked" in refused(run(*words))


def test_a_hand_is_voided_in_one_step(run: Run, club: str, table: str) -> None:
    words = ("dispute", "correct", club, table, 1, "--ruling", "void", "--reason", "misplay")
    assert run(*words, "--note", "not a hand").exit_code == 0
    assert points(run, club) == [0, 0, 0, 0]


def test_disputes_are_listed(run: Run, club: str, table: str) -> None:
    name = filed(run, club, table, "--totals", "4,-4,4,-4", "--note", "look")
    [line] = rows(run("dispute", "list", club, "--open", "--member", "M-0002"))[1:]
    assert line[:5] == [name, f"{table}-1", "open", "–", "0"]
    assert lines(run("dispute", "list", club, "--state", "final", "--json")) == []
    assert run("dispute", "list", club, "--table", "tbl_x").stdout == ""


@pytest.mark.parametrize("act", ["answer", "appeal"])
def test_what_is_the_members_own_is_told_to_be_his(run: Run, act: str) -> None:
    assert refused(run("dispute", act, "club_1", "dsp_1")) == (
        "This is the member's own: with his key or his session, "
        f"POST /v1/clubs/club_1/disputes/dsp_1/{act}."
    )


def test_a_chinese_terminal_is_told_in_chinese(
    run: Run, club: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    shown = run("dispute", "claim", club, table, 1, "--totals", "-2,-2,6,-2").stdout.splitlines()
    assert shown[-2:] == ["依据：huaihua/1 C5.1。", "将变动 6 分，一人即可裁决。"]

"""Allowances and opening balances at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import wsgi
from ledger import granting
from ledger.events import Line
from ledger.granting import Grant
from tests.books.place import BOOKED, Run, desk, lines, points, refused, told


def test_points_are_given_at_once_within_the_limit(run: Run, club: str) -> None:
    words = ("--reason", "other", "M-0001=500", "M-0002=-200", "--note", "卡")
    given = told(run("allowance", "request", club, *words, "--json"))
    assert (given["state"], given["lines"], given["sum"]) == ("posted", 2, 300)
    assert points(run, club) == [500, -200, 0, 0]
    shown = told(run("allowance", "show", club, given["allowance"], "--json"))
    assert [(line["code"], line["points"]) for line in shown["lines"]] == [
        ("M-0001", 500),
        ("M-0002", -200),
    ]
    assert (shown["note"], shown["asked_by"]) == ("卡", "operator")


def test_above_the_limit_it_waits_for_another_person(
    run: Run, house: wsgi.House, club: str
) -> None:
    run("limits", club, "--allowance", 1000)
    asked = run("allowance", "request", club, "--reason", "top_up", "M-0001=1001")
    assert "requested 待批准" in asked.stdout
    assert asked.stdout.endswith("It waits for a second person.\n")
    [listed] = lines(run("allowance", "list", club, "--state", "requested", "--json"))
    assert "second person" in refused(run("allowance", "approve", club, listed["id"]))
    granting.approve(desk(house, club, "treasurer"), listed["id"])
    assert points(run, club) == [1001, 0, 0, 0]


def test_the_operator_approves_what_a_treasurer_asks_for(
    run: Run, house: wsgi.House, club: str
) -> None:
    run("limits", club, "--allowance", 0)
    grant = Grant("allowance", (Line("M-0003", 7),), "top_up")
    names = [
        granting.request(desk(house, club, "treasurer"), grant).stream.removeprefix("allowance/")
        for _ in range(2)
    ]
    assert told(run("allowance", "approve", club, names[0], "--json"))["state"] == "posted"
    assert "refused 已拒绝" in run("allowance", "refuse", club, names[1], "--note", "twice").stdout
    assert points(run, club) == [0, 0, 7, 0]


def test_what_was_booked_is_undone_once(run: Run, club: str) -> None:
    given = told(run("allowance", "request", club, "--reason", "top_up", "M-0001=5", "--json"))
    undone = told(run("allowance", "reverse", club, given["allowance"], "--json"))
    assert undone["state"] == "reversed"
    assert "undone before" in refused(run("allowance", "reverse", club, given["allowance"]))
    assert points(run, club) == [0, 0, 0, 0]
    assert refused(run("allowance", "show", club, "alw_x")).startswith("There is no such allowance")


def test_a_dry_run_shows_each_balance_and_writes_nothing(run: Run, club: str, table: str) -> None:
    words = ("allowance", "request", club, "--reason", "top_up", "M-0002=10", "--dry-run")
    [line] = told(run(*words, "--json"))["balances"]
    assert (line["code"], line["before"], line["change"], line["after"]) == ("M-0002", -4, 10, 6)
    assert run(*words).stdout.splitlines()[-1].split() == ["M-0002", "小王", "-4", "+10", "6"]
    assert points(run, club) == BOOKED
    assert run("allowance", "list", club).stdout == ""


def test_opening_balances_come_out_of_a_file(run: Run, club: str, tmp_path: Path) -> None:
    file = tmp_path / "opening.csv"
    file.write_bytes("\ufeffmember,points\r\nM-0001,1000\r\n\r\nM-0002,-40\r\n".encode())
    words = ("--kind", "opening", "--csv", file, "--control")
    assert refused(run("allowance", "request", club, *words, 961)) == (
        "The lines add up to 960, and 961 was told."
    )
    given = told(run("allowance", "request", club, *words, 960, "--json"))
    assert (given["kind"], given["reason"], given["state"]) == ("opening", "opening", "posted")
    assert points(run, club) == [1000, -40, 0, 0]


def test_a_file_of_opening_balances_is_booked_once(run: Run, club: str, tmp_path: Path) -> None:
    """When it is given again, each line of it is told that is there already; a new one is not."""
    file = tmp_path / "opening.csv"
    file.write_text("member,points\nM-0001,1000\nM-0002,-40\n")
    words = ("allowance", "request", club, "--kind", "opening")
    first = told(run(*words, "--csv", file, "--json"))["allowance"]
    file.write_text("member,points\nM-0001,1000\nM-0003,5\nM-0002,-40\n")
    assert refused(run(*words, "--csv", file)).splitlines() == [
        "Line 2: M-0001 has an opening balance that stands; undo that one first.",
        "Line 4: M-0002 has an opening balance that stands; undo that one first.",
    ]
    assert "undo that one first" in refused(run(*words, "M-0001=7"))
    assert points(run, club) == [1000, -40, 0, 0]
    run("allowance", "reverse", club, first)
    assert told(run(*words, "--csv", file, "--json"))["state"] == "posted"
    assert points(run, club) == [1000, -40, 5, 0]


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        ("M-0001,1\n\nM-0009,2\nM-0008,3", ["Line 4: ", "no member M-0009.\nLine 5: "]),
        ("M-0001,1\nM-0002,0", ["Line 3: A line gives or takes at least one point."]),
        ("M-0001,1\nM-0002", ["Line 3: "]),
        ("M-0001,1\nM-0001,2", ["Line 3: "]),
    ],
)
def test_what_is_wrong_in_a_file_is_told_by_its_line(
    run: Run, club: str, tmp_path: Path, rows: str, sentences: list[str]
) -> None:
    file = tmp_path / "points.csv"
    file.write_text(f"member,points\n{rows}\n")
    said = refused(run("allowance", "request", club, "--reason", "other", "--csv", file))
    assert [one for one in sentences if one not in said] == []
    assert points(run, club) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--reason", "top_up"), "Name MEMBER=POINTS, or a file by --csv."),
        (("M-0001=5",), "Say --reason: one of top_up, withdrawal, opening, mistake, other."),
        (("M-0001", "--reason", "other"), "'M-0001' is no member and points such as M-0007=500."),
        (("M-0009=5", "--reason", "other"), "The club has no member M-0009."),
        (("M-0001=5", "--reason", "other", "--effective-date", "x"), "'x' is no day such as"),
        (("M-0001=5", "--kind", "opening", "--reason", "other"), "opening goes with opening alone"),
    ],
)
def test_allowances_that_cannot_be(
    run: Run, club: str, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(run("allowance", "request", club, *words))

"""Limits, deadlines and members at the command line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.books.place import Run, refused, told


def test_limits_that_are_not_named_stay_as_they_are(run: Run, club: str) -> None:
    run("limits", club, "--hand-cap", 50, "--allowance", 1000)
    now = told(run("limits", club, "--tables", 2, "--none", "hand-cap", "--json"))
    assert now.pop("club") == club
    assert {name: value for name, value in now.items() if value} == {"allowance": 1000, "tables": 2}
    assert told(run("limits", club, "--json"))["allowance"] == 1000


def test_limits_have_their_names_in_both_languages(run: Run, club: str) -> None:
    shown = run("limits", club, "--hand-cap", 50).stdout.splitlines()
    assert [line.split() for line in shown[3:5]] == [
        ["hand_cap", "单局封顶", "50"],
        ["day_loss", "每日输分上限", "–"],
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--hand-cap", 0), "0 is not between 1 and 1000000000."),
        (("--entry-floor", 9, "--entry-ceiling", 3), "above entry_ceiling, which is 3"),
        (("--alarm", 5, "--none", "alarm"), "--alarm and --none alarm exclude each other."),
        (("--none", "tables"), "'tables' is not one of"),
    ],
)
def test_limits_that_cannot_be(
    run: Run, club: str, words: tuple[object, ...], sentence: str
) -> None:
    assert sentence in refused(run("limits", club, *words))


@pytest.mark.parametrize(
    "words",
    [
        ("limits",),
        ("deadlines",),
        ("balances",),
        ("journal",),
        ("statement", "M-0001"),
        ("allowance", "list"),
        ("period", "list"),
        ("dispute", "list"),
        ("period", "check", "2027-01-14"),
        ("member", "bar", "M-0001"),
        ("projections", "cancel"),
    ],
)
@pytest.mark.usefixtures("club")
def test_a_club_that_there_is_not(run: Run, words: tuple[str, ...]) -> None:
    place = 1 if words[0] in ("limits", "deadlines", "balances", "journal", "statement") else 2
    said = refused(run(*words[:place], "club_x", *words[place:]))
    assert said.startswith("There is no such club.")


def test_deadlines(run: Run, club: str) -> None:
    hours = {"file_hours": 12, "answer_hours": 24, "decide_hours": 48, "appeal_hours": 48}
    assert told(run("deadlines", club, "--file-hours", 12, "--json")) == {"club": club, **hours}
    assert run("deadlines", club).stdout.splitlines()[0].split() == ["file_hours", "提出", "12"]
    assert "between 1 and 72" in refused(run("deadlines", club, "--file-hours", 73))


# --- members --------------------------------------------------------------------------------------


def test_a_member_is_barred_and_readmitted(run: Run, club: str) -> None:
    barred = told(run("member", "bar", club, "M-0002", "--note", "shouts", "--json"))
    assert (barred["code"], barred["name"], barred["status"]) == ("M-0002", "小王", "barred")
    assert "active 正常" in run("member", "readmit", club, "M-0002").stdout


def test_a_member_leaves_and_comes_back_with_his_group(run: Run, club: str) -> None:
    assert told(run("member", "group", club, "M-0002", "常客", "--json"))["group"] == "常客"
    assert "left 已退" in run("member", "leave", club, "M-0002").stdout
    assert "let him in again first" in refused(run("member", "group", club, "M-0002", "--none"))
    back = told(run("member", "return", club, "M-0002", "--json"))
    assert (back["status"], back["group"]) == ("active", "常客")
    assert told(run("member", "group", club, "M-0002", "--none", "--json"))["group"] is None
    assert "Name a group, or say --none." in refused(run("member", "group", club, "M-0002"))
    assert "no member M-0009" in refused(run("member", "leave", club, "M-0009"))


def test_a_member_is_told_how_far_each_limit_is_away(run: Run, club: str, table: str) -> None:
    """小王 has lost 4; with a floor of his own he may not sit down."""
    run("limits", club, "--entry-floor", -10, "--alarm", -4)
    own = told(run("member", "limits", club, "M-0002", "--entry-floor", 0, "--json"))
    assert own["limits"] == [
        limit("entry_floor", 0, has=-4, left=-4, reached=True, own=True),
        limit("alarm", -4, has=-4, left=0, reached=True),
        limit("tables", 1, has=0, left=1),
    ]
    clubs = run("member", "limits", club, "M-0002", "--none", "entry-floor").stdout.splitlines()
    assert clubs[1].split() == ["entry_floor", "入桌下限", "-10", "-4", "6"]


def limit(
    name: str, limit: int, has: int, left: int, *, reached: bool = False, own: bool = False
) -> dict[str, Any]:
    told = {"name": name, "limit": limit, "has": has, "left": left}
    return {**told, "reached": reached, "own": own}

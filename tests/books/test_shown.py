"""What accountants look at: balances at any time, statements, the journal."""

from __future__ import annotations

import pytest

import wsgi
from ledger import disputing
from ledger.disputing import Claim, Verdict
from tests.books.conftest import Clock
from tests.books.place import BOOKED, HOUR, Run, desk, lines, points, refused, rows, told

FRIDAY, SATURDAY = "2027-01-15", "2027-01-16"
CORRECTED = [6, -2, 1, -5]


@pytest.fixture
def corrected(house: wsgi.House, run: Run, club: str, table: str, clock: Clock) -> str:
    """The hand of Friday, corrected on Saturday from +4 -4 +4 -4 to +6 -2 +1 -5: the club."""
    clock.now += 24 * HOUR
    verdict = Verdict("correct", "mistyped", right=Claim(totals=tuple(CORRECTED)))
    disputing.correct(desk(house, club, "referee"), table, 1, verdict)
    return club


# --- balances -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "had"),
    [
        ((), CORRECTED),
        (("--known-on", FRIDAY), BOOKED),
        (("--known-on", SATURDAY), CORRECTED),
        (("--true-on", FRIDAY), CORRECTED),
        (("--at", "2027-01-16T15:59:00+08:00"), BOOKED),
        (("--at", "2027-01-15T07:00:00Z"), [0, 0, 0, 0]),
        (("--at-position", 1), [0, 0, 0, 0]),
    ],
)
def test_balances_at_any_time(
    run: Run, corrected: str, words: tuple[object, ...], had: list[int]
) -> None:
    """As known on Friday the hand was as it was entered; as true it is as it was corrected."""
    assert points(run, corrected, *words) == had


def test_people_see_that_all_sums_to_zero(run: Run, club: str, table: str) -> None:
    run("allowance", "request", club, "--reason", "top_up", "M-0001=100")
    shown = rows(run("balances", club))
    assert [line[-1] for line in shown[1:]] == ["104", "-4", "4", "-4", "-100"]
    assert shown[-1][:2] == ["Equity:Points:Issued", "已发出"]
    assert rows(run("balances", club, "--true-on", FRIDAY))[-1][-1] == "-100"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--at", "noon"), "'noon' is no time such as 2026-11-28T21:14:03+08:00."),
        (("--at", "2027-01-15T16:00:00"), "does not say its zone"),
        (("--known-on", FRIDAY, "--true-on", FRIDAY), "Ask for one time"),
    ],
)
def test_times_that_are_none(run: Run, club: str, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(run("balances", club, *words))


# --- statements -----------------------------------------------------------------------------------


def test_a_statement_goes_by_the_days_of_booking(run: Run, corrected: str) -> None:
    """On Saturday 老李 loses 4 and gets 1 anew, for a hand of Friday."""
    made = told(
        run("statement", corrected, "M-0003", "--first", SATURDAY, "--last", SATURDAY, "--json")
    )
    sums = [made[name] for name in ("opening", "in", "out", "closing")]
    assert sums == [4, 1, 4, 1]
    assert [
        (one["kind"], one["in"], one["out"], one["balance_after"], one["effective_date"])
        for one in made["lines"]
    ] == [("reversal", 0, 4, 0, FRIDAY), ("correction", 1, 0, 1, FRIDAY)]


def test_a_statement_goes_by_the_days_from_which_it_counts(run: Run, corrected: str) -> None:
    shown = rows(run("statement", corrected, "M-0003", "--by", "effective", "--last", FRIDAY))
    assert shown[0] == ["M-0003", "老李"]
    assert shown[2][-1] == "0"
    assert [line[2] for line in shown[3:6]] == ["settlement", "reversal", "correction"]
    assert shown[4][-3:] == ["booked", "date", SATURDAY]
    assert shown[-1] == ["closing", "期末", "5", "4", "1"]


def test_statements_that_are_none(run: Run, club: str) -> None:
    assert refused(run("statement", club, "M-0009")) == "The club has no member M-0009."
    crossed = ("--first", SATURDAY, "--last", FRIDAY)
    assert "--first is after --last" in refused(run("statement", club, "M-0001", *crossed))


# --- the journal ----------------------------------------------------------------------------------


def test_the_journal_shows_what_corrects_what(run: Run, corrected: str) -> None:
    correction, reversal, settlement = lines(run("journal", corrected, "--json"))
    assert (reversal["reverses"], settlement["reversed_by"]) == (
        settlement["entry"],
        reversal["entry"],
    )
    assert correction["corrects"] == settlement["entry"]
    assert [one["kind"] for one in (correction, reversal, settlement)] == [
        "correction",
        "reversal",
        "settlement",
    ]
    first = rows(run("journal", corrected))[0]
    assert first[1:4] == [SATURDAY, "effective", FRIDAY]


def test_an_entry_is_shown_with_its_lines(run: Run, corrected: str) -> None:
    [correction] = lines(run("journal", corrected, "--kind", "correction", "--json"))
    whole = told(run("journal", corrected, correction["entry"], "--json"))
    assert [(one["name"], one["points"]) for one in whole["postings"]] == [
        ("M-0001", 6),
        ("M-0002", -2),
        ("M-0003", 1),
        ("M-0004", -5),
    ]
    assert ["M-0004", "-5", "-5"] in rows(run("journal", corrected, correction["entry"]))
    assert "jrn_1" in refused(run("journal", corrected, "jrn_1"))


def test_the_journal_is_asked_for_by_its_parts(run: Run, corrected: str) -> None:
    run("allowance", "request", corrected, "--reason", "top_up", "M-0002=5")
    kinds = [
        [one["kind"] for one in lines(run("journal", corrected, *words, "--json"))]
        for words in (("--member", "M-0002", "--first", SATURDAY), ("--last", FRIDAY))
    ]
    assert kinds == [["allowance", "correction", "reversal"], ["settlement"]]
    [allowance] = lines(run("journal", corrected, "--kind", "allowance", "--json"))
    [issued] = [
        one
        for one in told(run("journal", corrected, allowance["entry"], "--json"))["postings"]
        if one["account"] == "issued"
    ]
    assert (issued["name"], issued["points"]) == ("Equity:Points:Issued", -5)


def test_a_list_that_goes_on_says_how(run: Run, corrected: str) -> None:
    first = run("journal", corrected, "--limit", 2, "--json")
    last = lines(first)[-1]["entry"]
    assert first.stderr == f"More follow: --after {last}\n"
    [rest] = lines(run("journal", corrected, "--after", last, "--json"))
    assert rest["kind"] == "settlement"

"""Closing a period at the command line, and opening it again."""

from __future__ import annotations

import wsgi
from ledger import acts, closing
from ledger.acts import Opening
from tests.books.conftest import Clock
from tests.books.place import BOOKED, CODES, HOUR, Run, desk, lines, points, refused, rows, told

FIRST = "2027-01-15"


def test_the_day_must_be_over(run: Run, club: str, table: str) -> None:
    """The checklist shows what a closing would be, and what stands in its way: status 1."""
    checked = run("period", "check", club, FIRST)
    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[-1] == (
        f"{FIRST} can be closed when it is over; the business day is {FIRST} now."
    )


def test_an_open_table_stands_in_the_way(
    run: Run, house: wsgi.House, club: str, clock: Clock
) -> None:
    opening = Opening("huaihua/1", {}, CODES, hands=1, dealer=0)
    opened = acts.open_table(desk(house, club, "recorder"), opening)
    clock.now += 24 * HOUR
    checked = run("period", "check", club, FIRST, "--json")
    assert checked.exit_code == 1
    assert opened.stream.removeprefix("table/") in checked.stdout
    assert '"in_the_way":"tables_open"' in checked.stdout
    assert "1 are played on" in refused(run("period", "close", club, FIRST, "--mode", "carry"))


def test_nothing_stands_in_the_way(run: Run, club: str, table: str, clock: Clock) -> None:
    clock.now += 24 * HOUR
    shown = run("period", "check", club, FIRST)
    assert shown.exit_code == 0
    *_, last, free = shown.stdout.splitlines()
    assert free == "Nothing stands in the way."
    assert last.split() == ["M-0004", "阿赵", "-4"]
    assert told(run("period", "check", club, FIRST, "--json"))["in_the_way"] is None


def test_clearing_lets_everybody_begin_at_zero(
    run: Run, club: str, table: str, clock: Clock
) -> None:
    """Tried first, then done; reopened, everybody has his points again."""
    clock.now += 24 * HOUR
    words = ("period", "close", club, FIRST, "--mode", "clear", "--note", "一月")
    tried = told(run(*words, "--dry-run", "--json"))
    assert points(run, club) == BOOKED
    done = told(run(*words, "--json"))
    assert done == tried
    assert (done["number"], done["state"], done["members"]) == (1, "closed", 4)
    assert points(run, club) == [0, 0, 0, 0]
    assert f"closed up to {FIRST}" in refused(run(*words))
    assert "reopened" in run("period", "reopen", club, 1, "--note", "wrong").stdout
    assert points(run, club) == BOOKED


def test_a_closing_is_shown_with_each_members_word(
    run: Run, house: wsgi.House, club: str, table: str, clock: Clock
) -> None:
    """小王 agrees to his balance with his own key; the others are silent."""
    [_, wang, *_] = lines(run("balances", club, "--json"))
    clock.now += 24 * HOUR
    run("period", "close", club, FIRST, "--mode", "carry")
    closing.confirm(desk(house, club, "member", member=wang["member"]), 1)
    shown = told(run("period", "show", club, 1, "--json"))
    assert shown["words"] == {"confirmed": 1, "contested": 0, "silent": 3}
    assert {one["code"]: one["word"] for one in shown["balances"]}["M-0002"] == "confirmed"
    assert ["M-0002", "小王", "-4", "已确认"] in rows(run("period", "show", club, 1))
    [line] = rows(run("period", "list", club))[1:]
    assert line[:7] == ["1", FIRST, FIRST, "carry", "closed", "4", "0"]
    assert [one["number"] for one in lines(run("period", "list", club, "--json"))] == [1]
    assert refused(run("period", "show", club, 2)) == "The club has no closing 2."


def test_a_day_is_written_in_one_form(run: Run, club: str) -> None:
    said = refused(run("period", "close", club, "15.1.2027", "--mode", "carry"))
    assert said.endswith("'15.1.2027' is no day such as 2026-11-28.")

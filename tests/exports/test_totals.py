"""Every export comes to what the books say, and to what every other export says.

The club has hands of every ruleset, corrections, a voided hand, opening balances, allowances and
one that was taken back, a closing that clears, an open dispute and a forgotten member.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import access
from ledger.keyset import Page
from projections.balances import When, as_known, as_true, club_balances, club_points
from projections.exports.control import OF_BOOKS
from tests.exports.conftest import Place
from tests.exports.hostile import LAST_CLOSED, TODAY
from tests.exports.made import JSON, Maker, added

ALL = Page(limit=1000)
MEMBER = "Assets:Members:"


@pytest.fixture
def maker(hostile: Place, tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Makes exports of the hostile club."""

    def folder() -> Path:
        return tmp_path_factory.mktemp("export")

    return Maker(hostile.database, hostile.club, folder)


@pytest.fixture
def balances(hostile: Place) -> dict[str, int]:
    """What each member has now, by code, as the API tells it."""
    return _told(hostile, None)


def _told(hostile: Place, when: When | None) -> dict[str, int]:
    """What each member has at some time, by code; nothing is left out."""
    with hostile.database.read() as connection:
        people = {row.member: row.code for row in access.every_member(connection, hostile.club)}
        rows = (
            club_balances(connection, hostile.club, ALL)[0]
            if when is None
            else club_points(connection, hostile.club, when, ALL)[0]
        )
    return {people[row.member]: row.points for row in rows if row.points}


def _of_members(sums: dict[str, int]) -> dict[str, int]:
    return {name.removeprefix(MEMBER): sums[name] for name in sums if name.startswith(MEMBER)}


def test_the_trial_balance_closes_with_the_balances(maker: Maker, balances: JSON) -> None:
    """Each member's closing is his balance; debits are as many as credits, three times."""
    made, _ = maker.make("trial_balance")
    closings = added(maker.rows("trial_balance"), "account_code", "closing_debit", "closing_credit")

    assert _of_members(closings) == balances
    assert sum(closings.values()) == 0
    for part in ("opening", "period", "closing"):
        assert made.totals[f"{part}_debit"] == made.totals[f"{part}_credit"]


@pytest.mark.parametrize(("by", "when"), [("booked", as_known), ("effective", as_true)])
def test_it_does_so_on_any_day(hostile: Place, maker: Maker, by: str, when: object) -> None:
    """As known by when entries were booked, as true by when they count."""
    for day in ("2027-01-19", LAST_CLOSED, "2027-01-24", TODAY):
        rows = maker.rows("trial_balance", last=day, by=by)
        closings = _of_members(added(rows, "account_code", "closing_debit", "closing_credit"))
        assert closings == _told(hostile, when(day)), day  # type: ignore[operator]


def test_days_that_follow_one_another_join(maker: Maker) -> None:
    """What the days up to one close with, those from the next on open with."""
    before = maker.rows("trial_balance", last=LAST_CLOSED)
    after = maker.rows("trial_balance", first="2027-01-23")

    closed = added(before, "account_code", "closing_debit", "closing_credit")
    opened = added(after, "account_code", "opening_debit", "opening_credit")
    assert opened == closed


@pytest.mark.parametrize("first", [None, "2027-01-21", LAST_CLOSED, TODAY])
@pytest.mark.parametrize("by", ["booked", "effective"])
def test_ledgers_end_with_the_trial_balance(maker: Maker, by: str, first: str | None) -> None:
    """The last line of each account in the general ledger, and of each member's statement."""
    trial = maker.rows("trial_balance", first=first, by=by)
    closings = added(trial, "account_code", "closing_debit", "closing_credit")

    ledger = maker.rows("general_ledger", first=first, by=by)
    ends = {row["account_code"]: row["balance"] for row in ledger}
    assert {code: points for code, points in ends.items() if points} == closings

    statements = maker.rows("member_statement", first=first, by=by)
    last = {row["member_code"]: row["balance"] for row in statements}
    assert {code: points for code, points in last.items() if points} == _of_members(closings)


def test_running_balances_run_on(maker: Maker) -> None:
    """Each line of an account leaves what was there with what came or went."""
    had: dict[str, int] = {}
    for row in maker.rows("general_ledger", first="2027-01-21"):
        account = row["account_code"]
        moved = (row["debit"] or 0) - (row["credit"] or 0)
        expected = had.get(account, row["balance"] - moved) + moved
        assert row["balance"] == expected
        had[account] = row["balance"]


@pytest.mark.parametrize("kind", OF_BOOKS)
@pytest.mark.parametrize("asked", [{}, {"first": "2027-01-21", "last": LAST_CLOSED}])
def test_control_totals_are_those_of_the_rows(maker: Maker, kind: str, asked: JSON) -> None:
    """What the books say that an export must come to is what it comes to."""
    made, _ = maker.make(kind, **asked)
    control, totals = made.manifest["control"], made.totals
    names = {
        "trial_balance": ("period_debit", "period_credit"),
        "member_statement": ("in", "out"),
    }.get(kind, ("debit", "credit"))

    assert (control["total_debit"], control["total_credit"]) == tuple(totals[n] for n in names)


def test_the_journal_tells_every_entry_once(maker: Maker) -> None:
    """As many entries as the books have, each of which sums to zero, line by line numbered."""
    made, _ = maker.make("journal")
    rows = maker.rows("journal")

    entries = list(dict.fromkeys(row["entry_no"] for row in rows))
    assert len(entries) == made.manifest["control"]["number_of_entries"]
    assert added(rows, "entry_no", "debit", "credit") == {}
    lines = [row["line_no"] for row in rows if row["entry_no"] == entries[-1]]
    assert lines == list(range(1, len(lines) + 1))


def test_the_journal_comes_to_the_trial_balance(maker: Maker) -> None:
    """Account by account."""
    moved = added(maker.rows("journal"), "account_code", "debit", "credit")
    trial = maker.rows("trial_balance")
    assert moved == added(trial, "account_code", "closing_debit", "closing_credit")


def test_settlement_lines_come_to_the_entries_of_hands(maker: Maker) -> None:
    """What a member is paid less what he pays, reversals and corrections included."""
    of_hands = [row for row in maker.rows("journal") if row["table_id"]]
    moved = _of_members(added(of_hands, "account_code", "debit", "credit"))

    lines = maker.rows("settlement_lines")
    paid = added([row for row in lines if row["payee"]], "payee", "points")
    pays = added([row for row in lines if row["payer"]], "payer", "points")
    net = {code: paid.get(code, 0) - pays.get(code, 0) for code in {*paid, *pays}}
    assert {code: points for code, points in net.items() if points} == moved


def test_a_line_is_its_base_times_its_multiplier(maker: Maker) -> None:
    """Wherever a payment has its parts; what is given back by a cap has none."""
    lines = [row for row in maker.rows("settlement_lines") if row["base"] is not None]
    assert lines
    for row in lines:
        assert row["base"] * row["multiplier"] == row["points"], row


def test_hands_in_history_and_leaderboard_are_those_of_the_journal(maker: Maker) -> None:
    """Points of the tables' seats, of the members' hands, and of the entries that stand."""
    of_hands = [row for row in maker.rows("journal") if row["table_id"]]
    moved = _of_members(added(of_hands, "account_code", "debit", "credit"))

    tables = maker.rows("score_history")
    seats = [
        {"code": row[f"seat{number}_id"], "points": row[f"seat{number}_points"]}
        for row in tables
        for number in (1, 2, 3, 4)
        if row[f"seat{number}_id"]
    ]
    assert added(seats, "code", "points") == moved
    assert added(maker.rows("leaderboard"), "member_code", "points") == moved


def test_pairs_come_to_what_members_won(maker: Maker) -> None:
    """What a member paid all others net is what he lost in hands whose payments are known."""
    lines = [row for row in maker.rows("settlement_lines") if row["payee"] and row["payer"]]
    paid, pays = added(lines, "payee", "points"), added(lines, "payer", "points")
    net = {code: pays.get(code, 0) - paid.get(code, 0) for code in {*paid, *pays}}

    pairs = added(maker.rows("pairs"), "member_code", "net")
    assert pairs == {code: points for code, points in net.items() if points}


def test_what_is_left_of_a_period_after_its_clearing_is_nothing(maker: Maker) -> None:
    """The entries that count up to the closed day clear what was there."""
    rows = maker.rows("trial_balance", last=LAST_CLOSED, by="effective")
    assert added(rows, "account_code", "closing_debit", "closing_credit") == {}


def test_one_account_alone(maker: Maker, balances: JSON) -> None:
    """Of one member the same lines as among all."""
    whole = maker.rows("general_ledger")
    mine = [row for row in whole if row["account_code"] == f"{MEMBER}M-0002"]
    assert maker.rows("general_ledger", member="M-0002") == mine
    assert mine[-1]["balance"] == balances.get("M-0002", 0)

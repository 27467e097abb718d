"""Whatever happens to the books, they add up, and a rebuild changes nothing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from ledger.database import Database
from projections.balances import balances_true, sum_of_all
from projections.checkpoint import live_place, stopped
from projections.journal import ISSUED, NAME, accounts, journal, postings
from projections.projection import rebuild
from tests.projections.booked import allow, close, correct, reopen, reverse, take_back
from tests.world import Club, World, settled

pytestmark = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)

SEATS = range(4)
PAYMENTS = st.lists(
    st.tuples(st.sampled_from(SEATS), st.sampled_from(SEATS), st.integers(1, 99)).filter(
        lambda paid: paid[0] != paid[1]
    ),
    max_size=4,
).map(tuple)
GIVEN = st.dictionaries(st.integers(0, 4), st.integers(-999, 999).filter(bool), min_size=1)
WHICH = st.integers(0, 5)
ACTS = st.one_of(
    st.tuples(st.just("play"), PAYMENTS),
    st.tuples(st.just("correct"), WHICH, PAYMENTS),
    st.tuples(st.just("void"), WHICH),
    st.tuples(st.just("allow"), GIVEN),
    st.tuples(st.just("undo"), WHICH),
    st.tuples(st.just("close"), st.sampled_from(("clear", "carry"))),
    st.tuples(st.just("reopen")),
)


@dataclass
class Books:
    """The books of a club, kept beside the journal: what stands, and what may be undone."""

    club: Club
    hands: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    given: dict[str, dict[int, int] | None] = field(default_factory=dict)
    closings: list[dict[int, int]] = field(default_factory=list)
    closed: bool = False
    points: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def own(self) -> str:
        """What the names of the club have in them, since no other club has the same."""
        return self.club.id.removeprefix("club_")

    @property
    def table(self) -> str:
        """The table at which the club plays."""
        return f"tbl_{self.own}"

    def act(self, what: str, *how: Any) -> None:
        """Let something happen, where it can."""
        getattr(self, f"_{what}")(*how)

    def _play(self, paid: tuple[tuple[int, int, int], ...]) -> None:
        number = len(self.hands) + 1
        fact = settled(self.table, self.club.members[:4], paid, number)
        self.club.tell(f"hand/{self.table}/{number}", fact)
        self._stands(number, paid)

    def _correct(self, number: int, paid: tuple[tuple[int, int, int], ...]) -> None:
        if number in self.hands:
            self._void(number)
            correct(self.club, number, *paid, table=self.table)
            self._stands(number, paid)

    def _void(self, number: int) -> None:
        totals = self.hands.get(number)
        if totals is not None:
            reverse(self.club, number, tuple(-one for one in totals), table=self.table)
            self._move(dict(enumerate(totals)), -1)
            self.hands[number] = None

    def _allow(self, points: dict[int, int]) -> None:
        name = f"alw_{self.own}{len(self.given)}"
        allow(self.club, name, points)
        self.given[name] = points
        self._move(points)

    def _undo(self, number: int) -> None:
        name = f"alw_{self.own}{number}"
        points = self.given.get(name)
        if points is not None:
            take_back(self.club, name, {one: -some for one, some in points.items()})
            self._move(points, -1)
            self.given[name] = None

    def _close(self, mode: Any) -> None:
        had = {member: points for member, points in self.points.items() if points}
        close(self.club, len(self.closings) + 1, had, mode)
        cleared = had if mode == "clear" else {}
        self.closings.append(cleared)
        self.closed = True
        self._move(cleared, -1)

    def _reopen(self) -> None:
        if self.closed:
            reopen(self.club, len(self.closings), self.closings[-1])
            self._move(self.closings[-1])
            self.closed = False

    def _stands(self, number: int, paid: tuple[tuple[int, int, int], ...]) -> None:
        totals = [0, 0, 0, 0]
        for payer, payee, points in paid:
            totals[payer] -= points
            totals[payee] += points
        self.hands[number] = tuple(totals)
        self._move(dict(enumerate(totals)))

    def _move(self, points: dict[int, int], sign: int = 1) -> None:
        for member, some in points.items():
            self.points[member] += sign * some


@given(happened=st.lists(ACTS, max_size=20))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_books_add_up(world: World, happened: list[tuple[Any, ...]]) -> None:
    """After any sequence of hands, allowances, reversals, corrections and closings."""
    club, database = world.club(members=5), world.database
    books = Books(club)
    for what, *how in happened:
        books.act(what, *how)
    club.catch_up()

    had = {member: books.points[index] for index, member in enumerate(club.members)}
    with database.read() as connection:
        assert NAME not in {mark.projection for mark in stopped(connection)}
        assert sum_of_all(connection, club.id) == 0
        true = balances_true(connection, club.id, "2026-11-28")
    assert club.balances() == had
    assert true == {member: points for member, points in had.items() if points}
    before = rows(database, club)
    check_entries(before)
    check_accounts(before)
    rebuild(database, club.id, NAME, world.clock)
    assert rows(database, club) == before


def rows(database: Database, club: Club) -> dict[str, list[dict[str, Any]]]:
    """The live rows of the journal, without their generation."""
    with database.read() as connection:
        live = live_place(connection, club.id, NAME)
        return {
            table.name: [
                {name: value for name, value in row._mapping.items() if name != "generation"}
                for row in connection.execute(_in_order(table).where(*live.rows(table)))
            ]
            for table in (accounts, journal, postings)
        }


def _in_order(table: sa.Table) -> sa.Select[Any]:
    return select(table).order_by(*table.primary_key)


def check_entries(found: dict[str, list[dict[str, Any]]]) -> None:
    """Every entry sums to zero; a link is told by both ends."""
    entries = {entry["position"]: entry for entry in found["journal"]}
    sums = dict.fromkeys(entries, 0)
    for posting in found["postings"]:
        sums[posting["position"]] += posting["points"]
    assert set(sums.values()) <= {0}
    for position, entry in entries.items():
        if entry["reversed_by"] is not None:
            assert entries[entry["reversed_by"]]["reverses"] == position
        if entry["reverses"] is not None:
            assert entries[entry["reverses"]]["reversed_by"] == position


def check_accounts(found: dict[str, list[dict[str, Any]]]) -> None:
    """Every balance is the fold of its postings, whose versions are 1 … n."""
    folded: dict[str, list[int]] = {account["account"]: [] for account in found["accounts"]}
    for posting in found["postings"]:
        runs = folded[posting["account"]]
        runs.append((runs[-1] if runs else 0) + posting["points"])
        assert (posting["version"], posting["balance_after"]) == (len(runs), runs[-1])
    for account in found["accounts"]:
        runs = folded[account["account"]]
        assert (account["points"], account["version"]) == (runs[-1] if runs else 0, len(runs))
    assert ISSUED in folded

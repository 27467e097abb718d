"""A match ticked 对账 at the command line."""

from __future__ import annotations

import wsgi
from ledger import acts
from ledger.acts import Opening
from projections.tables import club_tables
from tests.books.place import CODES, Run, desk, refused, told


def ticked_by(house: wsgi.House, club: str) -> list[str | None]:
    house.settle(club)
    with house.database.read() as connection:
        return [row.ticked_by for row in club_tables(connection, club)[0]]


def test_a_match_is_ticked_and_that_is_taken_back(
    run: Run, house: wsgi.House, club: str, table: str
) -> None:
    """The club is that of the table; who ticks is the operator."""
    done = told(run("tick", table, "--note", "as on paper", "--json"))
    assert done == {"club": club, "table": table, "ticked": True}
    assert ticked_by(house, club) == ["operator"]
    undone = run("tick", table, "--undo")
    assert undone.exit_code == 0
    assert undone.stdout.split() == ["club", club, "table", table, "ticked", "False"]
    assert ticked_by(house, club) == [None]


def test_a_match_that_goes_on_is_refused(run: Run, house: wsgi.House, club: str) -> None:
    opening = Opening("huaihua/1", {}, CODES, hands=1, dealer=0)
    opened = acts.open_table(desk(house, club, "recorder"), opening)
    said = refused(run("tick", opened.stream.removeprefix("table/")))
    assert said == "Its points can be checked off when it has ended."


def test_a_table_that_is_none_is_refused_with_where_it_was_looked_for(run: Run, club: str) -> None:
    said = refused(run("tick", "tbl_none"))
    assert said.startswith("There is no such table. It was looked for in ")

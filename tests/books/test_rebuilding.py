"""Making what is shown anew: interrupted, gone on with, given up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import wsgi
from ledger import demo
from ledger.refusal import Refused
from projections import checkpoint, journal, projection
from projections.checkpoint import Mark, Place
from projections.operating import NAMES
from tests.books.place import Run, lines, refused

TREE = Path(__file__).parent.parent.parent
KILLED = """
import os, signal
from projections import projection
import wsgi

take, taken = projection._take, []

def dying(*args):
    take(*args)
    taken.append(args)
    if len(taken) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

projection.BATCH = projection.SQLITE_BATCH = 40
projection.SQLITE_SECONDS, projection._take = 9e9, dying
wsgi.main()
"""


@pytest.fixture
def club(house: wsgi.House) -> str:
    """A club with some hundred events, of which everything is shown."""
    founded = demo.found(house.ledger(), 4)
    list(demo.play_days(house.ledger(), founded, ("huaihua/1",), 2, 1, 1))
    house.settle(founded.club)
    return founded.club


@pytest.fixture
def interrupt(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody at the keyboard stops it after three small batches."""
    take, taken = projection._take, []

    def stopped(*args: Any) -> None:
        taken.append(args)
        if len(taken) == 4:
            raise KeyboardInterrupt
        take(*args)

    for batch in ("BATCH", "SQLITE_BATCH"):
        monkeypatch.setattr(projection, batch, 40)
    monkeypatch.setattr(projection, "SQLITE_SECONDS", inf)
    monkeypatch.setattr(projection, "_take", stopped)


def begun(house: wsgi.House, club: str) -> list[Mark]:
    with house.database.read() as connection:
        return checkpoint.begun(connection, club)


def live(house: wsgi.House, club: str) -> set[int]:
    """The generations that are shown."""
    with house.database.read() as connection:
        return {mark.generation for mark in checkpoint.marks(connection, club, NAMES)}


def of_generation(house: wsgi.House, club: str, generation: int) -> dict[str, list[str]]:
    """Every row of a generation, without its number; tables without any are left out."""
    place = Place(club, generation)
    with house.database.read() as connection:
        found = {
            table.name: sorted(
                repr([value for name, value in row.items() if name != "generation"])
                for row in connection.execute(select(table).where(*place.rows(table))).mappings()
            )
            for each in projection.ALL
            for table in each.tables
        }
    return {name: rows for name, rows in found.items() if rows}


def test_all_of_it_is_made_anew(run: Run, house: wsgi.House, club: str) -> None:
    made = lines(run("projections", "rebuild", club, "--json"))
    assert [one["projection"] for one in made] == list(NAMES)
    assert live(house, club) == {2}
    assert of_generation(house, club, 1) == of_generation(house, club, 2) != {}


@pytest.mark.holds("somebody stops a rebuild at the keyboard")
@pytest.mark.usefixtures("interrupt")
def test_what_was_interrupted_is_gone_on_with(run: Run, house: wsgi.House, club: str) -> None:
    """What is shown stays as it was; the one that goes on begins where the other stopped."""
    stopped = run("projections", "rebuild", club, "journal", "history")
    assert stopped.exit_code == 130
    assert stopped.stderr.startswith("Interrupted: journal has come to 120. ")
    assert live(house, club) == {1}
    assert [(one.projection, one.position) for one in begun(house, club)] == [
        ("history", 0),
        ("journal", 120),
    ]
    resumed = run("projections", "rebuild", club, "--resume")
    assert resumed.stdout == (
        "journal is made anew, as generation 2.\nhistory is made anew, as generation 2.\n"
    )
    made, was = of_generation(house, club, 2), of_generation(house, club, 1)
    assert {name: was[name] for name in made} == made
    assert "No rebuild was interrupted." in run("projections", "rebuild", club, "--resume").stderr


@pytest.mark.holds("a rebuild is killed in the middle, and another goes on with it")
def test_what_was_killed_is_gone_on_with(
    run: Run, house: wsgi.House, club: str, database_url: str, tmp_path: Path
) -> None:
    """Killed with -9 in the third batch of 40, and gone on with: the same rows as are shown."""
    environ = {**os.environ, "PAIZHANG_DATABASE_URL": database_url, "PAIZHANG_DATA": str(tmp_path)}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "projections", "rebuild", club],
        cwd=TREE,
        env=environ,
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert [one.position for one in begun(house, club) if one.position] == [80]
    assert run("projections", "rebuild", club, "--resume").exit_code == 0
    assert live(house, club) == {2}
    assert of_generation(house, club, 1) == of_generation(house, club, 2) != {}


@pytest.mark.usefixtures("interrupt")
def test_what_was_interrupted_is_dropped(run: Run, house: wsgi.House, club: str) -> None:
    run("projections", "rebuild", club, "journal")
    assert run("projections", "cancel", club).stdout == "journal: generation 2 is dropped.\n"
    assert begun(house, club) == []
    assert of_generation(house, club, 2) == {}
    assert run("projections", "cancel", club).stdout == "There is nothing to drop.\n"


@pytest.mark.holds("a rebuild is given up by somebody else while it runs")
def test_a_rebuild_that_is_given_up_is_never_shown(
    run: Run, house: wsgi.House, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given up at the moment of its switch, half of its rows are gone: the old one stays."""
    drop = projection._drop_some

    def dropping(*args: Any) -> bool:
        """Its first rows are dropped; before the others it is asked for as the live one."""
        with pytest.raises(Refused, match="projection_stopped"):
            projection.finish(house.database, mark, wsgi._now)
        return drop(*args)

    mark = projection.begin(house.database, club, "journal")
    monkeypatch.setattr(projection, "_drop_some", dropping)
    projection.give_up(house.database, mark)

    assert begun(house, club) == []
    assert live(house, club) == {1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "_drop_some", drop)
        projection.give_up(house.database, Mark(journal.NAME, club, 1))
    assert live(house, club) == {1}


def test_a_projection_that_there_is_not(run: Run, club: str) -> None:
    assert "weather" in refused(run("projections", "rebuild", club, "weather"))
    assert "weather" in refused(run("projections", "cancel", club, "weather"))
    assert refused(run("projections", "rebuild", "club_x")).startswith("There is no such club.")


def test_progress_tells_the_events_that_are_done(house: wsgi.House, club: str) -> None:
    told: list[tuple[int, int]] = []
    mark = projection.begin(house.database, club, "journal")
    projection.finish(house.database, mark, wsgi._now, told=lambda *done: told.append(done))
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] == told[0][1] > 100

"""A club whose books are kept at the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import wsgi
from ledger import acts, cli, dealing
from ledger.access import operator
from ledger.acts import Asked, Desk, Opening
from ledger.outcome import read_outcome
from ledger.settings import load
from projections import cli as projections_cli
from tests.books.place import CODES, CONCEALED, FRIDAY, SECOND, Run, desk, outcome
from tests.conftest import KINDS


class Clock:
    """A clock that goes a second each time that it is asked."""

    def __init__(self) -> None:
        self.now = FRIDAY

    def __call__(self) -> int:
        self.now += SECOND
        return self.now


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(wsgi, "_now", clock)
    return clock


@pytest.fixture
def house(
    database_url: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[wsgi.House]:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    environ = {"PAIZHANG_DATABASE_URL": database_url, "PAIZHANG_DATA": str(tmp_path / "data")}
    projections_cli.add_to(cli.commands)
    with closing(wsgi.House(load(environ))) as house:
        yield house


@pytest.fixture
def run(house: wsgi.House) -> Run:
    """Run a command."""

    def run(*words: object) -> Result:
        return CliRunner().invoke(cli.commands, list(map(str, words)), obj=house)

    return run


@pytest.fixture
def club(house: wsgi.House) -> str:
    """A club with four members, M-0001 to M-0004."""
    ledger = house.ledger()
    club = acts.found_club(ledger, operator(), Asked(), "翠苑", "Asia/Shanghai", 300).club
    for name in ("老张", "小王", "老李", "阿赵"):
        acts.join_member(Desk(ledger, operator(), club), name)
    return club


@pytest.fixture
def table(house: wsgi.House, club: str) -> str:
    """A match that is over after one hand, which was entered by its outcome: +4 -4 +4 -4."""
    server = desk(house, club, "recorder")
    opened = acts.open_table(server, Opening("huaihua/1", {}, CODES, hands=1, dealer=0))
    table = opened.stream.removeprefix("table/")
    dealing.enter_hand(server, table, read_outcome(outcome(CONCEALED)))
    house.settle(club)
    return table

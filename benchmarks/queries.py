"""How long the lists of a club's owner and accountant take, over the API, on a played demo.

    python -m benchmarks.queries [DATABASE_URL …]

Each database has been filled by `paizhang demo --hands 5000 --days 30`; without one, a SQLite file
is filled first. The figures go to standard output as a table; they are requests of one client to
the application in this process, so nothing but the server's own work is in them.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import select

import wsgi
from ledger import access, acts, demo, settlement
from ledger.acts import Desk
from ledger.database import upgrade
from ledger.rules.catalog import CATALOG
from ledger.settings import load
from projections.journal import journal
from projections.projection import catch_up

HANDS, DAYS, MEMBERS = 5000, 30, 50
TIMES = 200
SEED = 1
Ask = Callable[[random.Random], str]


class Club:
    """A club in which a demo was played, and a client with an auditor's key."""

    def __init__(self, url: str, data: Path) -> None:
        settings = load(
            {
                "PAIZHANG_DATA": str(data),
                "PAIZHANG_DATABASE_URL": url,
                "PAIZHANG_RATE_PER_KEY": "1000000",
            }
        )
        upgrade(settings.database_url)
        house = wsgi.House(settings)
        with house.database.read() as connection:
            found = access.first_club(connection)
        if found is None:
            found = _play(house)
        catch_up(house.database, found)
        self.id, self.days = found, _days(house, found)
        key = acts.issue_key(Desk(house.ledger(), access.operator(), found), ("auditor",), "bench")
        self.headers = {"Authorization": f"Bearer {key.token}"}
        self.client: FlaskClient = wsgi.create_app(settings).test_client()
        self.members = [one["id"] for one in self._pages("members")]

    def _pages(self, name: str) -> Iterator[dict[str, Any]]:
        after = ""
        while True:
            page = self.get(f"{name}?limit=100{after}")
            yield from page["data"]
            if not page["has_more"]:
                return
            after = f"&starting_after={page['data'][-1]['id']}"

    def get(self, path: str) -> Any:
        """The answer to a request, which must be one."""
        response = self.client.get(f"/v1/clubs/{self.id}/{path}", headers=self.headers)
        assert response.status_code == 200, (path, response.get_json())
        return response.get_json()


def _play(house: wsgi.House) -> str:
    """The demo, as `paizhang demo` plays it."""
    club = demo.found(house.ledger(), MEMBERS)
    for _ in demo.play_days(house.ledger(), club, tuple(CATALOG), HANDS, DAYS, SEED):
        settlement.sweep(house.ledger(), house.settings)
    house.settle(club.club)
    return club.club


def _days(house: wsgi.House, club: str) -> list[str]:
    """The business days on which hands were booked, the first one first."""
    with house.database.read() as connection:
        days = select(journal.c.booked_date).where(journal.c.club == club).distinct()
        return sorted(connection.execute(days).scalars())


def questions(club: Club) -> dict[str, Ask]:
    """What is asked, by screen; chance picks members, days and filters."""

    def member(rng: random.Random) -> str:
        return str(rng.choice(club.members))

    def span(rng: random.Random) -> str:
        first, last = sorted(rng.choices(club.days, k=2))
        return f"first={first}&last={last}"

    def moment(rng: random.Random) -> str:
        return f"{rng.choice(club.days)}T{rng.randint(0, 23):02}:00:00Z"

    rulesets = list(CATALOG)
    return {
        "S2 tables, filtered": lambda rng: (
            f"tables?{span(rng)}&ruleset={rng.choice(rulesets)}&limit=50"
        ),
        "S2 tables, by hands": lambda rng: f"tables?{span(rng)}&sort=hands&limit=50",
        "S2 totals": lambda rng: f"tables/totals?{span(rng)}",
        "S6 statement, booked": lambda rng: (
            f"members/{member(rng)}/statement?{span(rng)}&by=booked&limit=100"
        ),
        "S6 statement, effective": lambda rng: (
            f"members/{member(rng)}/statement?{span(rng)}&by=effective&limit=100"
        ),
        "S7 statistics": lambda rng: f"statistics?{span(rng)}&sort=win_rate&limit=50",
        "S7 statistics of an hour": lambda rng: f"statistics?hour={rng.randint(0, 23)}&limit=50",
        "S8 leaderboard": lambda rng: f"leaderboards/points?{span(rng)}&limit=50",
        "S9 pairs": lambda rng: f"pairs?{span(rng)}&limit=50",
        "S12 journal": lambda rng: f"journal?{span(rng)}&limit=50",
        "balances now": lambda rng: "balances?limit=100",
        "balances as of a moment": lambda rng: f"balances?at={moment(rng)}&limit=100",
        "balances as true on a day": lambda rng: (
            f"balances?true_on={rng.choice(club.days)}&limit=100"
        ),
    }


def measure(club: Club, ask: Ask) -> list[float]:
    """Milliseconds that each of some requests took."""
    rng, taken = random.Random(SEED), []
    for _ in range(TIMES):
        path = ask(rng)
        begun = time.perf_counter()
        club.get(path)
        taken.append((time.perf_counter() - begun) * 1000)
    return taken


def main(urls: list[str]) -> None:
    """Measure each database, and print a table for it."""
    with TemporaryDirectory() as folder:
        for url in urls or [f"sqlite:///{folder}/paizhang.db"]:
            club = Club(url, Path(folder))
            print(f"\n{url.partition(':')[0]}: {TIMES} requests each, in ms\n")
            print("| query | median | p95 | longest |\n| --- | --- | --- | --- |")
            for name, ask in questions(club).items():
                taken = measure(club, ask)
                cuts = quantiles(taken, n=20)
                print(f"| {name} | {cuts[9]:.0f} | {cuts[18]:.0f} | {max(taken):.0f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

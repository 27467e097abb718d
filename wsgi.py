"""The composition root: the one room that knows the write side and the read side.

`create_app` and `create_worker` make the web application and the worker, `main` is the console
script `paizhang`. Importing this module reads no settings and opens nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ledger import cli, logs
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG, entry
from ledger.settings import Settings, load
from projections import cli as projections_cli

if TYPE_CHECKING:
    from celery import Celery
    from flask import Flask

    from ledger.database import Database
    from ledger.perform import Ledger
    from projections.api.exports import Shelf

SETTLE_TASK = "paizhang.settle"
CATCH_UP_TASK = "paizhang.catch_up"
QUEUES = ("settle", "long")
DEMO_HANDS = 20
DEMO_MEMBERS = 8


class House:
    """One installation: its settings, and what is opened when it is first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def database(self) -> Database:
        """The database of the settings."""
        from ledger.database import Database

        return Database.open(self.settings.database_url)

    @cached_property
    def celery(self) -> Celery:
        """The way to the workers."""
        from ledger import queue

        return queue.celery_app(self.settings)

    def ledger(self) -> Ledger:
        """The ledger with this machine's clock and chance, telling nobody what it appends."""
        return self._ledger(lambda *_: None)

    def telling_ledger(self) -> Ledger:
        """The ledger that sends the workers a hint for what it appends."""
        return self._ledger(self._hint)

    def close(self) -> None:
        """Close what was opened."""
        for name in ("database", "celery"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()

    def settle(self, club: str) -> None:
        """Settle all that waits, and bring what is shown of a club up to date."""
        from ledger import settlement
        from projections import projection

        while settlement.sweep(self.ledger(), self.settings):
            pass
        projection.catch_up(self.database, club)
        self.seal(club)

    def seal(self, club: str) -> None:
        """Sign a checkpoint of a club's log as it stands."""
        from ledger import sealing

        sealing.seal(self.database, club, self.settings.signing_key, _now)

    def _ledger(self, appended: Callable[[str, frozenset[str], tuple[int, ...]], None]) -> Ledger:
        from ledger.perform import Ledger
        from projections import standing

        return Ledger(self.database, _now, secrets.token_bytes, appended, standing)

    def _hint(self, club: str, types: frozenset[str], jobs: tuple[int, ...]) -> None:
        """Hints are sent for what a projection shows; the rest of a hand changes no list."""
        from ledger import queue
        from projections import projection

        for job in jobs:
            queue.send(self.celery, SETTLE_TASK, queue.SETTLE, str(job), club)
        if types & projection.SHOWN and not jobs:
            queue.send(self.celery, CATCH_UP_TASK, queue.SETTLE, club)

    def shelf(self) -> Shelf:
        """Where the files of exports lie, and the hint that one is asked for."""
        from ledger import exporting, queue
        from projections.api.exports import Shelf

        def hint(job: str) -> None:
            queue.send(self.celery, exporting.TASK, queue.LONG, job)

        return Shelf(self.settings.data / exporting.FOLDER, self.settings.export_days, hint)

    def replay(self, table: str, hand: int | None) -> Iterable[str]:
        """The lines that tell a table's hands, or one of them, step by step."""
        return projections_cli.replay(self.database, table, hand)

    def differs(self, database: Database, club: str) -> str | None:
        """The first member of a club whose balance is not what its log makes it."""
        from projections import checking

        return checking.differs(database, club, _now)


def create_app(settings: Settings | None = None) -> Flask:
    """The web application of the settings, or of the environment."""
    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from ledger import api, metrics
    from ledger.api import seen
    from ledger.api.limits import Limits
    from projections import api as projections_api
    from projections.gauges import gauges

    house = House(settings or _of_environment())
    app = Flask("paizhang", static_folder=None, template_folder=None)
    settings = house.settings
    limits = Limits(
        settings.rate_per_key,
        settings.rate_per_address,
        settings.sign_ins_per_address,
        store=settings.rate_store,
    )
    key, token = settings.signing_key, settings.operator_token
    registered = api.register(app, house.telling_ledger(), key, token, limits=limits)
    projections_api.register(app, registered, house.shelf())
    seen.expose(app, (metrics.of_jobs, metrics.of_inspections, gauges))
    app.extensions["house"] = house
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies
        )
    return app


def create_worker(settings: Settings | None = None) -> Celery:
    """The worker of the settings, or of the environment."""
    from celery.signals import setup_logging

    from ledger import disputing, exporting, inspecting, queue, sealing, settlement
    from projections import projection
    from projections.exports import asking

    setup_logging.connect(logs.keep)
    house = House(settings or _of_environment())
    ledger = house.ledger()

    def settle(job: str, club: str) -> None:
        settled = settlement.settle(ledger, house.settings, int(job))
        projection.catch_up(house.database, club)
        if settled:
            house.seal(club)

    def catch_up(club: str) -> None:
        projection.catch_up(house.database, club)

    def sweep() -> None:
        settled = settlement.sweep(ledger, house.settings)
        disputing.expire_due(ledger)
        with house.database.read() as connection:
            over = sealing.due(connection, _now)
        for club in dict.fromkeys((*settled, *over)):
            house.seal(club)
        projection.catch_up_all(house.database)
        projection.drop_old(house.database, _now())

    queue.add_tasks(
        house.celery, {SETTLE_TASK: settle, CATCH_UP_TASK: catch_up, queue.SWEEP: sweep}
    )
    inspecting.add_to(house.celery, ledger, house.settings, house.differs)
    exporting.add_to(house.celery, ledger, house.settings, asking.maker(house.database, _now))
    return house.celery


def _of_environment() -> Settings:
    """The settings of the environment; what is logged from here on is logged as they say."""
    settings = load(os.environ)
    logs.configure(settings.log_level)
    return settings


def _now() -> int:
    """The clock: microseconds of UTC."""
    return time.time_ns() // 1000


# --- the commands that need both sides --------------------------------------------------------


@cli.commands.command()
@cli.house
def run(house: House) -> None:
    """Start the web server, the workers and the beat; with a demo club on an empty database."""
    from ledger import metrics
    from ledger.database import upgrade
    from ledger.supervisor import supervise
    from ledger.web import listen

    settings = house.settings
    with _alone(settings):
        metrics.count_in(settings.data / "metrics")
        listen(settings.host, settings.port).close()
        upgrade(settings.database_url)
        raise SystemExit(supervise(_children(), ready=lambda: _herald(house)))


@cli.commands.command()
@click.option("--queue", "name", type=click.Choice(QUEUES), default=QUEUES[0])
@cli.house
def worker(house: House, name: str) -> None:
    """Run a worker on one of the queues until it is told to stop."""
    from ledger import queue

    level = house.settings.log_level
    raise SystemExit(queue.work(create_worker(house.settings), name, loglevel=level))


@cli.commands.command()
@cli.house
def beat(house: House) -> None:
    """Ask the workers for a sweep every few seconds; one does for all of them."""
    from ledger import queue

    queue.beat(create_worker(house.settings))


@cli.commands.command(hidden=True)
@cli.house
def web(house: House) -> None:
    """Serve the API."""
    from ledger.web import listen, server

    settings = house.settings
    listening = listen(settings.host, settings.port)
    server(create_app(settings), listening, proxied=settings.proxies > 0).run()


@cli.commands.command("demo")
@click.option("--hands", type=click.IntRange(1), default=DEMO_HANDS, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Plays the same hands again.")
@click.option("--days", type=click.IntRange(1, 3650), default=1, show_default=True)
@click.option("--members", type=click.IntRange(4), default=50, show_default=True)
@click.option("--rulesets", default=",".join(CATALOG), show_default=True)
@cli.machine
@cli.house
def demo_command(
    house: House, hands: int, seed: int, days: int, members: int, rulesets: str, machine: bool
) -> None:
    """Found a demo club and record, settle and project hands over some business days."""
    from ledger import demo, settlement
    from ledger.database import upgrade

    keys = tuple(rulesets.split(","))
    for key in keys:
        entry(key)
    upgrade(house.settings.database_url)
    ledger = house.ledger()
    club = demo.found(ledger, members, days)
    with cli.progress("Playing", hands, quiet=machine) as done:
        for number, _ in enumerate(demo.play_days(ledger, club, keys, hands, days, seed), 1):
            settlement.sweep(ledger, house.settings)
            done(number)
    house.settle(club.club)
    told = {"club": club.club, "hands": hands, "owner_token": club.owner}
    click.echo(json.dumps(told) if machine else club.club)


def main() -> None:
    """The console script `paizhang`."""
    projections_cli.add_to(cli.commands)
    cli.commands(obj=_Lazy())


class _Lazy(House):
    """The installation of the environment, whose settings are read when a command needs them."""

    def __init__(self) -> None:
        """Reads nothing yet, so that `paizhang --help` needs no settings."""

    @cached_property
    def settings(self) -> Settings:  # type: ignore[override]
        """The settings of the environment."""
        return _of_environment()


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """Holds the data folder; refuses a second service on it."""
    settings.data.mkdir(parents=True, exist_ok=True)
    with (settings.data / "run.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused("already_running", data=settings.data) from None
        yield


def _children() -> dict[str, list[str]]:
    """The commands that make up the service."""
    me = [sys.executable, str(Path(__file__).resolve())]
    return {
        "web": [*me, "web"],
        **{name: [*me, "worker", "--queue", name] for name in QUEUES},
        "beat": [*me, "beat"],
    }


def _herald(house: House) -> None:
    """Waits for the web server, plays the demo's hands on an empty database, says where to look."""
    from ledger import access, demo
    from ledger.web import answers, authority, wait_until

    settings = house.settings
    base = f"http://{authority(settings.host, settings.port)}"
    wait_until(lambda: answers(f"{base}/healthz"), "web_server_silent")
    ledger = house.ledger()
    with house.database.read() as connection:
        club = access.first_club(connection)
    if club is None:
        found = demo.found(ledger, DEMO_MEMBERS)
        club = found.club
        click.echo(f"Playing {DEMO_HANDS} hands in the demo club through the API …")
        with cli.progress("Playing", DEMO_HANDS) as done:
            demo.play_over_http(base, found, DEMO_HANDS, 1, done)
        wait_until(lambda: _all_shown(house), "settlements_pending")
    else:
        _dissolve_cut_short(house, ledger, club)
    token = demo.read_key(ledger, club)
    click.echo(f"Paizhang 牌账 is at {base}  (Ctrl-C stops it; data in {settings.data})")
    click.echo(f"The API, described and ready to be tried: {base}/docs")
    click.echo(f"club={club} api={base}/v1")
    click.echo(f'curl -H "Authorization: Bearer {token}" {base}/v1/clubs/{club}/balances')


def _all_shown(house: House) -> bool:
    """Whether every hand that ended is settled, and every balance shows it."""
    from ledger import jobs
    from projections import projection

    with house.database.read() as connection:
        left = jobs.counts(connection)
    return left["waiting"] + left["leased"] == 0 and not projection.behind(house.database)


def _dissolve_cut_short(house: House, ledger: Ledger, club: str) -> None:
    """Dissolves the demo's table that a stop of the service left in the middle of a hand."""
    from ledger import access, acts, demo
    from ledger.acts import Desk
    from projections import projection, tables

    projection.catch_up(house.database, club)
    with house.database.read() as connection:
        servers = [key.key for key in access.labelled_keys(connection, club, demo.SERVER)]
        newest = [
            tables.club_tables(connection, club, which=tables.Which(recorder=key))[0]
            for key in servers
        ]
    for table in (row.id for rows in newest for row in rows if row.status == "running"):
        desk = Desk(ledger, access.operator(), club)
        acts.end_table(desk, table, dissolve=True, note="the demo was cut short")
        click.echo(f"The demo was cut short: table {table} is dissolved.")


if __name__ == "__main__":
    main()

"""docs/deploy.md is true: the set-up runs as it is written there, and so do its commands."""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, cast

import click
import httpx
import pytest
import yaml
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from ledger import cli, demo, logs, settlement
from ledger.database import upgrade
from ledger.demo import DemoClub
from ledger.settings import load
from paizhang_client import Action, Client
from projections import operating, rebuilding
from tests.api.hand import BEFORE, FED, OPTIONS, PUNG, WALL, WIN
from tests.conftest import Administer, address
from tests.deployed import (
    DEPLOY,
    GUIDE,
    PATIENCE,
    Machine,
    blocks,
    command,
    is_gone,
    running,
)
from tests.machine import free_port, until
from wsgi import House

OPERATOR = "the-token-of-the-operator"
UNITS = ("paizhang-web", "paizhang-worker@settle", "paizhang-worker@long", "paizhang-beat")
STEPS = cast(list[Action | list[Action]], [BEFORE, FED, PUNG, WIN])
ABOUT = (
    "db upgrade",
    "/readyz",
    "as_service()",
    "/v1/clubs",
    "/metrics",
    "as_service backup",
    'restore "$backup" --check',
    "paizhang-restored",
    "paizhang backup",
)
"""What each block of commands in the guide is about; those of root are with sudo."""
NUMBERS = count(1)


@pytest.fixture
def machine(
    tmp_path: Path,
    postgres_server: str,
    valkey_url: str,
    administer: Administer,
    testrun_uid: str,
    worker_id: str,
) -> Iterator[Machine]:
    """A machine whose database was made as the guide says: by its owner, who is no superuser."""
    name = f"deploy_{testrun_uid[:12]}_{worker_id}_{next(NUMBERS)}"
    machine = Machine(tmp_path, free_port(), f"{name}_app")
    machine.set_up()
    administer("CREATE ROLE {} LOGIN CREATEROLE", name)
    for variable in ("owner", "restored"):
        administer("CREATE DATABASE {} OWNER {}", f"{name}_{variable}", name)
        url = _as_role(address(postgres_server, f"{name}_{variable}"), name)
        machine.variables[variable] = url.replace("+psycopg", "")
    told = machine.follow("db upgrade").splitlines()
    assert told[:2] == ["The database has the newest schema.", f"role     {machine.role}"]
    password = told[2].removeprefix("password ")
    app = _as_role(address(postgres_server, f"{name}_owner"), f"{machine.role}:{password}")
    machine.keep_secret("database_url", app)
    machine.keep_secret("broker_url", valkey_url)
    machine.keep_secret("rate_store", valkey_url)
    machine.keep_secret("operator_token", OPERATOR)
    yield machine
    for variable in ("owner", "restored"):
        administer("DROP DATABASE {} WITH (FORCE)", f"{name}_{variable}")
    administer("DROP ROLE {}", machine.role)
    administer("DROP ROLE {}", name)


@pytest.fixture
def club(machine: Machine) -> Iterator[tuple[House, DemoClub]]:
    """A club on the machine, founded by the role of the service."""
    with closing(House(load(machine.settings()))) as house:
        yield house, demo.found(house.ledger(), 4)


@pytest.mark.holds("the guide to production says something that is not so")
def test_the_documented_set_up_plays_a_hand_and_stops_cleanly(
    machine: Machine, club: tuple[House, DemoClub]
) -> None:
    """From the units' own lines: a hand is played, settled, followed, measured and logged.

    When each unit is told to end it does, and nothing is left of it.
    """
    _, founded = club
    with running(machine, *UNITS) as processes:
        until(lambda: _answers(machine))
        assert machine.follow("/readyz").count("ok") == 3
        assert json.loads(machine.follow("/v1/clubs"))["name"] == "Jade Garden"
        _play_and_follow(machine, founded)
        _see_both_processes_counted(machine)
        for process in processes:
            process.send_signal(signal.SIGTERM)
        assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0, 0]
        until(lambda: all(map(is_gone, processes)))
    _see_what_is_logged(machine, founded)


@pytest.mark.holds("a PostgreSQL database is lost, and its backup is there")
def test_a_backup_is_tried_and_restored(
    machine: Machine, club: tuple[House, DemoClub], administer: Administer
) -> None:
    """The guide's backup comes back whole in its drill, and then in another database."""
    house, founded = club
    list(demo.play_days(house.ledger(), founded, ("huaihua/1",), 1, 1, 1))
    settlement.sweep(house.ledger(), house.settings)

    [made, _] = _as_service(machine, "as_service backup").splitlines()
    machine.variables["backup"] = made
    administer("ALTER ROLE {} CREATEDB", machine.role)
    tried = _as_service(machine, 'restore "$backup" --check').splitlines()
    shutil.copytree(made, machine.folder / "paizhang-restored")
    restored = machine.follow("paizhang-restored").splitlines()

    assert Path(made).parent == house.settings.data / "backups"
    assert len(tried) == 4
    assert restored[:4] == tried
    assert restored[-2:] == [f"role     {machine.role}", "password (as it was)"]


def _as_service(machine: Machine, about: str) -> str:
    """What a block of the guide prints in the shell that has the guide's function."""
    [function] = [block for block in blocks("bash") if "as_service()" in block]
    [block] = [block for block in blocks("bash") if about in block]
    done = machine.run(f"{function.splitlines()[0]}\n{block}")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.holds("a SQLite file is lost, and its backup is there")
def test_a_backup_of_a_sqlite_file_is_tried(tmp_path: Path) -> None:
    """The guide's backup of a file that is in use comes back whole."""
    machine, data = Machine(tmp_path, 0, "nobody"), tmp_path / "data"
    machine.set_up()
    url = f"sqlite:///{data}/paizhang.db"
    upgrade(url)
    with closing(House(load({"PAIZHANG_DATA": str(data), "PAIZHANG_DATABASE_URL": url}))) as house:
        demo.found(house.ledger(), 4)
        machine.variables["PAIZHANG_DATA"] = str(data)

        told = machine.follow("paizhang backup")

    assert "1 log with" in told
    [made] = machine.folder.glob("paizhang-2*")
    assert (made / "paizhang.db").exists()


def test_commands_run_with_the_settings_of_the_service(machine: Machine) -> None:
    """The guide's function founds a club in the service's database, and counts nothing there."""
    told = machine.follow("as_service()").splitlines()
    assert [line.split()[0] for line in told] == ["club", "key", "token"]
    assert list(machine.metrics.iterdir()) == []


def test_every_alert_has_its_row() -> None:
    """What is set off is what the table tells, and it is about the job that is scraped."""
    scraped, alerting = map(yaml.safe_load, blocks("yaml"))
    [job] = scraped["scrape_configs"]
    [group] = alerting["groups"]
    told = re.findall(r"^\| `(Paizhang\w+)` \| .+ \| .+ \|$", GUIDE.read_text(), re.MULTILINE)
    assert [rule["alert"] for rule in group["rules"]] == told
    assert len(told) == 11
    assert group["rules"][0]["expr"] == f'up{{job="{job["job_name"]}"}} == 0'


def test_the_commands_that_the_guide_advises_are_there() -> None:
    """Each is one of `paizhang`, with the options that are written."""
    advised = set(re.findall(r"`as_service ([a-z -]+?)(?: [A-Z ]+)?`", GUIDE.read_text()))
    assert advised == {
        "inspections",
        "inspections --now",
        "jobs",
        "jobs --all",
        "jobs retry",
        "key create",
        "projections",
        "projections resume",
        "rebuild",
        "signing-key begin",
    }
    known: dict[str, click.Command] = {
        **cli.commands.commands,
        "projections": operating.standing,
        "rebuild": rebuilding.rebuild,
    }
    for first, *others in map(str.split, advised):
        taken = {option for parameter in known[first].params for option in parameter.opts}
        assert set(others) <= taken | set(getattr(known[first], "commands", ()))


def test_every_command_of_the_guide_is_run_here_or_is_roots() -> None:
    """A block of the guide is one that these tests follow, or every line of it needs root."""
    assert [sum(about in block for block in blocks("bash")) for about in ABOUT] == [1] * len(ABOUT)
    assert len(blocks("bash")) == len(ABOUT)
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert [line for line in commands if not re.search(r"^sudo |\| sudo ", line)] == []


def test_containers_run_the_lines_of_the_units() -> None:
    """In compose.yaml each service is started by the line of its unit."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    names = ("web", "worker-settle", "worker-long", "beat")
    assert [services[name]["command"] for name in names] == [command(unit) for unit in UNITS]


def test_what_containers_are_set_to_is_what_the_units_are() -> None:
    """compose.yaml knows every variable of settings.env, itself or by its file."""
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["x-paizhang"]["environment"]
    written = (DEPLOY / "settings.env").read_text().splitlines()
    named = {line.partition("=")[0] for line in written if not line.startswith("#")}
    plain = {name.removesuffix("_FILE") for name in composed} - {"PAIZHANG_HOST"}
    assert plain == {name.removesuffix("_FILE") for name in named}


# --- the steps of the set-up ------------------------------------------------------------------


def _play_and_follow(machine: Machine, club: DemoClub) -> None:
    """A hand from the deal to the balances, with somebody who follows it to its settlement."""
    with Client(machine.base, club.recorder) as client, Client(machine.base, club.owner) as owner:
        table = client.open_table(
            club.club, ruleset="huaihua/1", options=OPTIONS, seats=club.members, hands=2, dealer=0
        )["id"]
        answer = client.start_hand(table, WALL)
        following = client.follow(club.club, after=answer["position"])
        for step in STEPS:
            answer = client.act(table, answer["version"], step)
        seen = [next(following)]
        while seen[-1]["type"] != "HandSettled/1":
            seen.append(next(following))
        assert _measured(machine, "paizhang_streams") == 1
        following.close()  # type: ignore[attr-defined]
        assert [event["position"] for event in seen] == list(
            range(seen[0]["position"], answer["position"] + 2)
        )
        assert client.settlement(table, 1)["totals"] == [-1, 0, 1, 0]
        shown = owner.balances(club.club, answer["position"] + 1)
        assert [balance["points"] for balance in shown] == [-1, 0, 1, 0]


def _see_both_processes_counted(machine: Machine) -> None:
    """Whichever process of the web is asked tells what both have counted, and the workers."""
    until(lambda: _answers(machine) and len(_counting(machine)) == 2)
    answered = sum(_counting(machine).values())
    for _ in range(10):
        assert _measured(machine, "paizhang_http_request_seconds_count", "/healthz") == answered
    assert _measured(machine, "paizhang_settlement_seconds_count") == 1
    assert _measured(machine, "paizhang_oldest_job_seconds") == 0
    assert _measured(machine, "paizhang_projection_lag_events") == 0
    assert machine.follow("/metrics").count("paizhang_projections_stopped{") == 11


def _see_what_is_logged(machine: Machine, club: DemoClub) -> None:
    """Every line is JSON with its request or job; no line has a secret."""
    requests = [line for line in machine.lines("paizhang-web") if line["event"] == "request"]
    assert all(re.fullmatch("req_[0-9a-f]{20}", line["request_id"]) for line in requests)
    acted = [line for line in requests if line["route"] == "/v1/tables/<id:table>/actions"]
    assert {line["club"] for line in acted} == {club.club}
    assert {line["actor"] for line in acted} == {club.recorder_key}
    [settled] = [
        line for line in machine.lines("paizhang-worker@settle") if line["event"] == "settled"
    ]
    assert (settled["club"], type(settled["job"])) == (club.club, int)
    told = [line for unit in UNITS for line in machine.lines(unit)]
    assert {line["level"] for line in told} == {"info"}
    assert [line for line in told if line["logger"].startswith(logs.CHATTY)] == []
    said = "".join(machine.log(unit).read_text() for unit in UNITS)
    secrets = (OPERATOR, club.owner, club.recorder, "?after=")
    assert [secret for secret in secrets if secret in said] == []


# --- what is seen from outside ----------------------------------------------------------------


def _counting(machine: Machine) -> dict[int, float]:
    """The answers of /healthz by each process of the web that has counted one."""
    booted = re.findall(r"Booting worker with pid: (\d+)", machine.log("paizhang-web").read_text())
    counted = {int(process): _counted_by(machine, process) for process in booted}
    return {process: number for process, number in counted.items() if number}


def _counted_by(machine: Machine, process: str) -> float:
    files = [str(file) for file in machine.metrics.glob(f"histogram_*-{process}.db")]
    merged = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
    return _total(merged, "paizhang_http_request_seconds_count", "/healthz")


def _measured(machine: Machine, name: str, route: str | None = None) -> float:
    """What /metrics tells of one measure, over all its labels or of one route."""
    asked = httpx.get(f"{machine.base}/metrics", headers={"Authorization": f"Bearer {OPERATOR}"})
    return _total(text_string_to_metric_families(asked.text), name, route)


def _total(families: Any, name: str, route: str | None) -> float:
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return float(sum(one.value for one in samples if route in (None, one.labels.get("route"))))


def _answers(machine: Machine) -> bool:
    try:
        return httpx.get(f"{machine.base}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def _as_role(url: str, role: str) -> str:
    """The same database for another role."""
    scheme, _, place = url.partition("://")
    return f"{scheme}://{role}@{place.partition('@')[2]}"

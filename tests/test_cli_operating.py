"""The commands of who runs the service: each fault it is told of has a way back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from ledger import cli, demo, jobs, settlement
from ledger.database import Database, upgrade
from ledger.demo import DemoClub
from ledger.settings import Settings, load
from projections import checkpoint, journal, operating, projection
from tests.conftest import Administer, address
from wsgi import House


@pytest.fixture
def house(database_url: str, tmp_path: Path) -> Iterator[House]:
    with closing(House(settings(database_url, tmp_path))) as house:
        yield house


@pytest.fixture
def club(house: House) -> DemoClub:
    """A club with one hand that is over and not settled."""
    club = demo.found(house.ledger(), 4)
    list(demo.play_days(house.ledger(), club, ("huaihua/1",), 1, 1, 1))
    return club


def settings(url: str, folder: Path) -> Settings:
    return load({"PAIZHANG_DATABASE_URL": url, "PAIZHANG_DATA": str(folder)})


def run(house: Any, *words: object) -> Result:
    """Run a command of the write side in a house."""
    return CliRunner().invoke(cli.commands, list(map(str, words)), obj=house)


def show(house: House, *words: str) -> Result:
    """Run a command about projections in a house."""
    group = type(cli.commands)(commands=[operating.standing])
    return CliRunner().invoke(group, ["projections", *words], obj=house)


def refused(result: Result) -> str:
    """The sentence with which a command is refused."""
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr.removeprefix("Error: ").strip()


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- jobs that were given up --------------------------------------------------------------------


@pytest.fixture
def parked(house: House, club: DemoClub, monkeypatch: pytest.MonkeyPatch) -> DemoClub:
    """The club's only hand was given up at the first attempt."""

    def broken(*_: object) -> None:
        raise ValueError("no such rule")

    with monkeypatch.context() as patch:
        patch.setattr(settlement, "_settle", broken)
        settlement.sweep(house.ledger(), replace(house.settings, max_attempts=1))
    return club


@pytest.mark.usefixtures("club")
def test_jobs_that_only_wait_are_shown_when_all_are_asked_for(house: House) -> None:
    """Without a word those alone that were given up."""
    assert lines(run(house, "jobs", "--json")) == []
    [job] = lines(run(house, "jobs", "--all", "--json"))
    assert (job["job"], job["state"], job["attempts"], job["error"]) == (1, "waiting", 0, None)


def test_a_parked_job_is_shown_with_what_is_needed_to_mend_it(
    house: House, parked: DemoClub
) -> None:
    """Its id, club, subject, attempts and error, and when its hand ended."""
    [job] = lines(run(house, "jobs", "--json"))
    assert job.pop("subject").startswith("tbl_")
    assert job.pop("created_at").endswith("Z")
    assert job == {
        "job": 1,
        "club": parked.club,
        "kind": "settle",
        "state": "parked",
        "attempts": 1,
        "error": "ValueError: no such rule",
    }
    [line] = run(house, "jobs").stdout.splitlines()
    assert line.startswith(f"job 1  {parked.club}  settle tbl_")
    assert line.endswith("Z: ValueError: no such rule")
    assert "  parked after 1 attempt, left at 20" in line


@pytest.mark.holds("a settlement was given up, and its fault is mended")
@pytest.mark.parametrize("words", [(), (1,)])
@pytest.mark.usefixtures("parked")
def test_a_parked_job_is_run_again(house: House, words: tuple[int, ...]) -> None:
    """`jobs retry`, of all or of one: the next sweep settles the hand."""
    assert run(house, "jobs", "retry", *words).stdout == "Tried again: 1.\n"
    assert len(settlement.sweep(house.ledger(), house.settings)) == 1
    assert lines(run(house, "jobs", "--all", "--json")) == []
    assert lines(run(house, "jobs", "retry", "--json")) == [{"retried": []}]


@pytest.mark.usefixtures("parked")
def test_a_job_that_is_not_parked_is_named_and_nothing_is_tried(house: House) -> None:
    """Of two ids of which one is wrong, none is tried again."""
    assert refused(run(house, "jobs", "retry", 1, 7)) == (
        "Job 7 was not given up, and only one that was can be run again."
    )
    with house.database.read() as connection:
        assert [job.state for job in jobs.left(connection)] == ["parked"]


NAMES = [
    *("allowances", "disputes", "dissolutions", "history", "idle", "journal"),
    *("operator_log", "pairs", "periods", "statistics", "tables"),
]


# --- projections --------------------------------------------------------------------------------


@pytest.fixture
def stopped(house: House, club: DemoClub) -> DemoClub:
    """A journal that an event, the second of the club, has stopped; the others are at the head."""
    projection.catch_up(house.database, club.club)
    with house.database.write() as connection:
        for table in journal.JOURNAL.tables:
            connection.execute(table.delete())
        (held,) = checkpoint.locked(connection, club.club, ("journal",))
        mark = checkpoint.Mark("journal", club.club, held.generation, 2, "3 Odd/1: broken")
        checkpoint.move(connection, mark)
    return club


def test_each_projection_of_each_club_is_shown_with_its_place(house: House, club: DemoClub) -> None:
    """What has not begun is behind by the whole log."""
    told = lines(show(house, "--json"))
    assert [one["projection"] for one in told] == NAMES
    assert {(one["club"], one["position"], one["error"]) for one in told} == {(club.club, 0, None)}
    assert all(one["behind"] == one["head"] > 0 for one in told)
    assert lines(show(house, club.club, "--json")) == told


def test_what_was_stopped_is_shown_first_with_the_event(house: House, stopped: DemoClub) -> None:
    """A line that names the club, the projection and the error."""
    first, *others = show(house).stdout.splitlines()
    assert first.startswith(f"{stopped.club}  journal  at 2 of ")
    assert first.endswith(" behind; stopped by 3 Odd/1: broken")
    assert [line.rpartition(", ")[2] for line in others] == ["0 behind"] * 10


@pytest.mark.holds("an event stopped a projection, and its fault is mended")
def test_a_projection_that_was_mended_goes_on(house: House, stopped: DemoClub) -> None:
    """`projections resume` tries the event again and goes on to the head."""
    done = show(house, "resume", stopped.club, "journal")
    assert (done.exit_code, done.stdout.split()[1:3]) == (0, ["journal", "at"])
    assert done.stdout.endswith(", 0 behind\n")


def test_a_projection_that_stops_again_says_so_and_ends_with_1(
    house: House, stopped: DemoClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the fault is not mended, the error is shown anew."""

    def broken(*_: object) -> str:
        return "3 Odd/1: still broken"

    monkeypatch.setattr(projection, "_apply", broken)
    done = show(house, "resume", stopped.club, "journal")
    assert (done.exit_code, "; stopped by 3 Odd/1: still broken" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("club_x",), "There is no such club."),
        (("resume", "club_x", "journal"), "There is no such club."),
        (("resume", "club_x", "nope"), "There is no projection nope; there are journal, "),
    ],
)
def test_what_is_not_there_is_refused(house: House, words: tuple[str, ...], sentence: str) -> None:
    """A club or a projection by a wrong name."""
    assert refused(show(house, *words)).startswith(sentence)


# --- all logs -----------------------------------------------------------------------------------


def test_all_logs_are_verified(house: House, club: DemoClub) -> None:
    """Each club on a line of its own, and the exit status 0."""
    other = demo.found(house.ledger(), 4)
    done = run(house, "verify", "--all")
    told = [line.partition(": ") for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [name for name, _, _ in told] == sorted([club.club, other.club])
    assert all(" events are as recorded, 0 hands were " in said for _, _, said in told)


@pytest.mark.holds("a restored database has a log that was changed")
def test_one_changed_log_of_several_ends_with_1(sqlite_url: str, tmp_path: Path) -> None:
    """The wrong club is named, and those after it are looked at as well."""
    with closing(House(settings(sqlite_url, tmp_path))) as house:
        first, second = sorted(demo.found(house.ledger(), 4).club for _ in range(2))
        with house.database.write() as connection:
            connection.exec_driver_sql("DROP TRIGGER events_update")
            connection.exec_driver_sql(
                "UPDATE events SET actor = 'me' WHERE position = 2 AND club = ?", (first,)
            )
        done = run(house, "verify", "--all")
    one, other = done.stdout.splitlines()
    assert done.exit_code == 1
    assert one.startswith(f"{first}: The event at position 2 (")
    assert one.endswith(" was changed.")
    assert other.startswith(f"{second}: ")


def test_where_there_is_no_club_nothing_was_verified(house: House) -> None:
    """An empty database is no success: exit status 2."""
    assert refused(run(house, "verify", "--all")) == "There is no club in this database."


@pytest.mark.parametrize("words", [(), ("club_x", "--all")])
def test_one_club_or_all(house: House, words: tuple[str, ...]) -> None:
    """Neither and both are refused."""
    assert refused(run(house, "verify", *words)).endswith("Name a club or a file, or say --all.")


# --- the service's role -------------------------------------------------------------------------


class Owner:
    """A house whose database is opened by its owner."""

    def __init__(self, url: str, folder: Path) -> None:
        self.settings = settings(url, folder)

    def close(self) -> None:
        """Nothing was opened."""


def test_a_role_that_is_there_keeps_its_password(owner: Owner, role: str) -> None:
    """It is not told again, and not told to be none."""
    done = run(owner, "db", "role", role)
    assert (done.exit_code, done.stdout) == (0, f"role     {role}\npassword (as it was)\n")
    assert lines(run(owner, "db", "role", role, "--json")) == [{"role": role, "password": None}]


@pytest.mark.holds("the password of the service's role is lost")
def test_a_lost_password_is_replaced(
    owner: Owner, administer: Administer, postgres_template: str
) -> None:
    """`--new-password` tells one, and the server keeps another than before."""
    name = f"{postgres_template}_forgetful"
    kept = f"SELECT rolpassword FROM pg_authid WHERE rolname = '{name}'"
    [first] = lines(run(owner, "db", "role", name, "--json"))
    before = asked(administer, kept)
    [second] = lines(run(owner, "db", "role", name, "--new-password", "--json"))
    after = asked(administer, kept)
    with closing(Database.open(owner.settings.database_url)) as database, database.write() as own:
        own.exec_driver_sql(f"DROP OWNED BY {name}")
    administer("DROP ROLE {}", name)
    assert first["password"] != second["password"]
    assert None not in (before, after)
    assert before != after


def asked(administer: Administer, question: str) -> object:
    """The one value that the server answers."""
    cursor = administer(question)
    assert isinstance(cursor, psycopg.Cursor)
    [row] = cursor.fetchall()
    return row[0]


def test_a_role_needs_the_newest_schema(
    postgres_server: str, postgres_template: str, administer: Administer, tmp_path: Path
) -> None:
    """On an empty database no role is made and no password given away."""
    name = f"{postgres_template}_bare"
    administer("CREATE DATABASE {}", name)
    said = refused(run(Owner(address(postgres_server, name), tmp_path), "db", "role", name))
    administer("DROP DATABASE {} WITH (FORCE)", name)
    assert said == "The database has not the newest schema; run `paizhang db upgrade` first."
    with pytest.raises(psycopg.errors.UndefinedObject):
        administer("DROP ROLE {}", name)


def test_who_may_make_no_role_is_told_to_be_the_owner(postgresql_url: str, tmp_path: Path) -> None:
    """Given the service's own role, then no `db upgrade` is advised."""
    service = Owner(postgresql_url, tmp_path)
    assert refused(run(service, "db", "role", "another_app")) == (
        "The database does not let its user do this (permission denied to create role). "
        "Do it as the database's owner, a role that may make roles."
    )


def test_who_may_change_no_table_is_told_to_be_the_owner(
    owner: Owner, postgresql_url: str, tmp_path: Path
) -> None:
    """Given an old schema and the service's own role, then `db upgrade` says who can do it."""
    opened = closing(Database.open(owner.settings.database_url))
    with opened as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    said = refused(run(Owner(postgresql_url, tmp_path), "db", "upgrade"))
    assert said.startswith("The database does not let its user do this (permission denied for ")


@pytest.fixture
def owner(postgresql_url: str, postgres_server: str, tmp_path: Path) -> Owner:
    return Owner(address(postgres_server, make_url(postgresql_url).database or ""), tmp_path)


@pytest.fixture
def role(postgres_role: str) -> str:
    return make_url(postgres_role).username or ""


# --- what a database says -----------------------------------------------------------------------


class Away:
    """A house whose database fails in one way."""

    settings = load({"PAIZHANG_DATABASE_URL": "postgresql://ledger:hunter2@db.test/ledger"})

    def __init__(self, said: str) -> None:
        self.said = said

    def ledger(self) -> None:
        raise OperationalError("SELECT 1", {}, psycopg.OperationalError(self.said))

    def close(self) -> None:
        """Nothing was opened."""


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            'FATAL:  password authentication failed for user "ledger"\n',
            "The database does not let this user in (FATAL:  password authentication failed for "
            'user "ledger"). PAIZHANG_DATABASE_URL says who it is, and with which password.',
        ),
        (
            "connection failed: Connection refused\n\tIs the server running?",
            "The database does not serve (connection failed: Connection refused). Does it run, "
            "and does PAIZHANG_DATABASE_URL name it?",
        ),
        (
            "FATAL:  sorry, too many clients already",
            "The database has too much to do just now (FATAL:  sorry, too many clients already); "
            "try again.",
        ),
    ],
)
def test_what_is_wrong_with_a_database_is_said_as_it_is(said: str, sentence: str) -> None:
    """A wrong password is not an old schema, and a server that is off is neither."""
    assert refused(run(Away(said), "verify", "club_x")) == sentence


def test_the_variable_that_names_the_database_is_the_one_that_was_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the URL came of a file, its variable is told."""
    monkeypatch.setenv("PAIZHANG_DATABASE_URL_FILE", str(tmp_path))
    said = refused(run(Away("connection failed: Connection refused"), "verify", "club_x"))
    assert said.endswith("does PAIZHANG_DATABASE_URL_FILE name it?")


def test_an_old_checkout_says_that_the_schema_is_newer(sqlite_url: str, tmp_path: Path) -> None:
    """`db upgrade` of an older release than the database's: a sentence, no traceback."""
    upgrade(sqlite_url)
    with closing(House(settings(sqlite_url, tmp_path))) as house:
        with house.database.write() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        assert refused(run(house, "db", "upgrade")) == (
            "The database has the schema 9999 of a newer release; run that release on it."
        )

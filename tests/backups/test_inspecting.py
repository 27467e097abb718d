"""What is inspected each day, when it is due, and what is kept of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from ledger import audit, backups, demo, inspecting, inspections, metrics, queue
from ledger.database import Database
from ledger.demo import DemoClub
from ledger.inspections import Inspection
from ledger.perform import Ledger
from ledger.settings import load
from tests.backups.conftest import meddle, played, run, settings
from wsgi import House, create_worker

SECOND = 1_000_000
HOUR = 3600 * SECOND
START = 1_800_000_000 * SECOND


@dataclass
class Days:
    """An installation whose days pass when a test says so."""

    house: House
    now: int = START

    @property
    def ledger(self) -> Ledger:
        return replace(self.house.ledger(), clock=lambda: self.now)

    def verify(self) -> None:
        inspecting.verify(self.ledger, self.house.settings)

    def drill(self, **changes: Any) -> None:
        self.now += SECOND  # a backup is named after its second
        given = replace(self.house.settings, **changes)
        inspecting.drill(self.ledger, given, self.house.differs)

    def kept(self) -> list[Inspection]:
        """All that was kept, in order."""
        with self.house.database.read() as connection:
            found = connection.execute(inspections._ALL.order_by(inspections.inspections.c.id))
            return [Inspection(*row) for row in found]

    def measured(self, name: str, kind: str) -> float | None:
        told = metrics.exposed(self.house.database, self.now, (metrics.of_inspections,)).decode()
        samples = [one for each in text_string_to_metric_families(told) for one in each.samples]
        wanted = (f"paizhang_{name}", {"kind": kind})
        return next((one.value for one in samples if (one.name, one.labels) == wanted), None)


@pytest.fixture
def days(house: House, club: DemoClub) -> Days:
    assert club
    return Days(house)


@pytest.fixture
def sqlite_days(sqlite_house: House, sqlite_club: DemoClub) -> Days:
    assert sqlite_club
    return Days(sqlite_house)


@pytest.fixture
def errors() -> Iterator[list[dict[str, Any]]]:
    with structlog.testing.capture_logs() as lines:
        yield lines  # type: ignore[misc]


# --- when it is due -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "due"), [(0, False), (1, False), (23.9, False), (24, True), (50, True), (-1, True)]
)
def test_an_inspection_is_due_after_a_day(hours: float, due: bool) -> None:
    """From its beginning on; one that began later than now was by a clock that was wrong."""
    newest = Inspection("drill", None, START, START + HOUR, True, "{}")
    assert inspecting.is_due(newest, START + int(hours * HOUR)) is due


def test_what_was_never_inspected_is_due() -> None:
    assert inspecting.is_due(None, START)


@pytest.mark.holds("beat starts again, or a message comes twice")
def test_asked_every_hour_each_is_done_once_a_day(days: Days) -> None:
    """Given 50 hours of asking from a beginning on, then each was done at hours 0, 24 and 48."""
    for _ in range(50):
        days.verify()
        days.drill()
        days.now += HOUR - SECOND
    began = [(one.kind, (one.begun_at - START) // HOUR, one.sound) for one in days.kept()]
    assert began == [(kind, hour, True) for hour in (0, 24, 48) for kind in ("verify", "drill")]


def test_a_club_that_is_new_is_verified_at_the_next_asking(days: Days) -> None:
    """The others wait for their day."""
    days.verify()
    days.now += HOUR
    new = demo.found(days.ledger, 4)
    days.verify()
    clubs = [one.club for one in days.kept()]
    assert (len(clubs), clubs[1]) == (2, new.club)


def test_one_that_is_at_it_already_is_left_to_it(sqlite_days: Days) -> None:
    """Given a drill that lasts until it is asked for again, then nothing is done twice."""
    with inspecting._alone(sqlite_days.house.settings, "drill") as alone:
        assert alone
        sqlite_days.drill()
    assert sqlite_days.kept() == []


def test_a_worker_has_the_tasks_and_beat_asks_for_them(tmp_path: Path) -> None:
    """Every hour, on the queue for what takes long."""
    with closing(create_worker(load({"PAIZHANG_DATA": str(tmp_path)}))) as app:
        for task in ("paizhang.verify", "paizhang.drill"):
            assert task in app.tasks
            asked = app.conf.beat_schedule[task]
            assert (asked["task"], asked["schedule"]) == (task, 3600.0)
            assert asked["options"] == {"queue": queue.LONG, "expires": 3600}
        assert app.conf.beat_schedule["sweep"]["task"] == "paizhang.sweep"


def test_the_tasks_inspect(sqlite_days: Days) -> None:
    """As a worker runs them."""
    with closing(create_worker(sqlite_days.house.settings)) as app:
        for task in ("paizhang.verify", "paizhang.drill"):
            app.tasks[task]()
    found = {one.kind: one.sound for one in sqlite_days.kept()}
    assert found == {"verify": True, "drill": True}


# --- what is kept -------------------------------------------------------------------------------


def test_a_sound_log_is_kept_with_its_report(days: Days, club: DemoClub) -> None:
    """How far it goes, and that nothing is wrong."""
    days.verify()
    [kept] = days.kept()
    told = json.loads(kept.report)
    assert (kept.kind, kept.club, kept.sound, told["fault"]) == ("verify", club.club, True, None)
    assert (kept.begun_at, kept.ended_at) == (START, START)


@pytest.mark.holds("a log is changed by hand, and nobody looks")
def test_a_log_that_is_not_whole_is_kept_and_an_error(
    days: Days, club: DemoClub, errors: list[dict[str, Any]]
) -> None:
    """The line names the club and the position; other clubs are verified all the same."""
    other = played(days.house)
    change = "UPDATE events SET actor = 'nobody' WHERE club = :club AND position = 7"
    meddle(days.house, change, club=club.club)
    days.verify()
    assert {one.club: one.sound for one in days.kept()} == {club.club: False, other.club: True}
    [line] = [line for line in errors if line["event"] == "log_not_whole"]
    told = {"club": club.club, "position": 7, "why": "leaf"}
    assert line == {**told, "event": "log_not_whole", "log_level": "error"}


def test_a_fault_of_the_audit_itself_holds_up_no_other_club(
    sqlite_days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that the audit cannot end with is kept as not sound; the next one is looked at."""
    first, second = sorted(demo.found(sqlite_days.ledger, 4).club for _ in range(2))
    sound = audit.verify

    def failing(database: Database, club: str, *rest: Any) -> audit.Report:
        if club == first:
            raise RuntimeError("out of its depth")
        return sound(database, club, *rest)

    monkeypatch.setattr(audit, "verify", failing)
    sqlite_days.verify()
    kept = {one.club: (one.sound, "out of its depth" in one.report) for one in sqlite_days.kept()}
    assert (kept[first], kept[second]) == ((False, True), (True, False))


def test_a_sound_drill_leaves_its_backup_and_its_report(days: Days) -> None:
    """A backup in the data folder, and how much came back."""
    days.drill()
    [kept] = days.kept()
    told = json.loads(kept.report)
    assert (kept.kind, kept.club, kept.sound) == ("drill", None, True)
    assert told["backup"] == "paizhang-20270115-080001"
    assert (told["clubs"], told["settlements"], told["balances"]) == (1, 1, 4)
    assert _backups(days) == ["paizhang-20270115-080001"]


def test_the_newest_seven_backups_stay(sqlite_days: Days) -> None:
    """What somebody else put there stays as well."""
    for name in ("paizhang-mine", "notes"):
        (sqlite_days.house.settings.data / "backups" / name).mkdir(parents=True)
    for _ in range(9):
        sqlite_days.drill()
        sqlite_days.now += 24 * HOUR
    assert _backups(sqlite_days) == [
        "notes",
        *(f"paizhang-202701{day}-08000{second}" for second, day in enumerate(range(17, 24), 3)),
        "paizhang-mine",
    ]


@pytest.mark.holds("the nightly backups cannot be restored")
def test_a_drill_that_fails_is_kept_and_no_older_backup_goes(
    days: Days, club: DemoClub, errors: list[dict[str, Any]]
) -> None:
    """Given eight backups and a log that was changed, then all nine stay, and an error says it."""
    for number in range(8):
        backups.back_up(days.house.settings, _folder(days), START - (9 - number) * SECOND)
    meddle(days.house, "UPDATE events SET actor = 'nobody' WHERE position = 7")
    days.drill()
    assert len(_backups(days)) == 9
    [kept] = days.kept()
    told = json.loads(kept.report)
    assert not kept.sound
    assert told == {
        "backup": "paizhang-20270115-080001",
        "code": "backup_log_not_whole",
        "params": {"club": club.club, "position": "7", "why": "leaf"},
    }
    [line] = [line for line in errors if line["event"] == "drill_failed"]
    assert (line["code"], line["club"]) == ("backup_log_not_whole", club.club)


def test_a_drill_that_ends_with_an_error_is_kept_too(
    sqlite_days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails, somebody is told of it."""

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(backups, "drill", fail)
    sqlite_days.drill()
    [kept] = sqlite_days.kept()
    told = json.loads(kept.report)
    assert (kept.sound, told["code"]) == (False, "drill_failed")
    assert told["params"] == {"fault": "OSError: [Errno 5] Input/output error"}


# --- where there can be no drill ----------------------------------------------------------------


@pytest.fixture
def service(postgresql_url: str, tmp_path: Path) -> Iterator[Days]:
    """An installation with the role of the service, which may make no database."""
    with closing(House(settings(postgresql_url, tmp_path / "data"))) as house:
        played(house)
        yield Days(house)


def test_where_nobody_may_make_a_database_nobody_is_alarmed(service: Days) -> None:
    """There is no drill then, no backup and nothing kept."""
    service.drill()
    assert service.kept() == []
    assert service.measured("inspection_age_seconds", "drill") is None
    assert not _folder(service, make=False).exists()


def test_who_asks_for_drills_is_told_that_there_can_be_none(service: Days) -> None:
    """With PAIZHANG_DRILL=always it is a fault like another, once a day."""
    service.drill(drill="always")
    service.drill(drill="always")
    [kept] = service.kept()
    assert (kept.sound, json.loads(kept.report)["code"]) == (False, "drill_right_missing")


def test_who_wants_no_drills_has_none(sqlite_days: Days) -> None:
    """With PAIZHANG_DRILL=never."""
    sqlite_days.drill(drill="never")
    assert sqlite_days.kept() == []


def test_without_the_programs_there_is_no_drill(service: Days, tmp_path: Path) -> None:
    """They may be on another machine."""
    service.drill(pg_bin=str(tmp_path))
    assert service.kept() == []


# --- what is told -------------------------------------------------------------------------------


def test_what_was_found_last_is_shown(sqlite_days: Days, sqlite_club: DemoClub) -> None:
    """A line for each kind and club; it ends with 0 where all is sound."""
    house = sqlite_days.house
    assert run(house, "inspections").stdout == "Nothing was inspected yet (--now does it).\n"
    sqlite_days.verify()
    sqlite_days.drill()
    done = run(house, "inspections")
    assert done.exit_code == 0
    [drill, verify] = done.stdout.splitlines()
    assert drill.startswith("drill  2027-01-15T08:00:01Z  sound: paizhang-20270115-080001 with ")
    assert drill.endswith(" events came back whole")
    assert verify.startswith(f"verify {sqlite_club.club}  2027-01-15T08:00:00Z  sound: ")
    assert verify.endswith(" events verified")


def test_what_is_not_sound_ends_with_1(sqlite_days: Days, sqlite_club: DemoClub) -> None:
    """With what is wrong, in words."""
    meddle(sqlite_days.house, "UPDATE events SET actor = 'nobody' WHERE position = 7")
    sqlite_days.verify()
    sqlite_days.drill()
    member = sqlite_club.members[3]
    done = run(sqlite_days.house, "inspections")
    assert done.exit_code == 1
    club = sqlite_club.club
    assert done.stdout.splitlines() == [
        f"drill  2027-01-15T08:00:01Z  NOT SOUND: In the log of {club} the event at 7 is not as it "
        "was recorded (leaf).",
        f"verify {club}  2027-01-15T08:00:00Z  NOT SOUND: 6 events verified. The event at position "
        f"7 (member/{member}, version 1) was changed.",
    ]


def test_a_program_reads_what_was_found(sqlite_days: Days, sqlite_club: DemoClub) -> None:
    """A line of JSON for each."""
    sqlite_days.verify()
    [line] = run(sqlite_days.house, "inspections", "--json").stdout.splitlines()
    told = json.loads(line)
    report = told.pop("report")
    assert (report["club"], report["fault"]) == (sqlite_club.club, None)
    assert report["events"] > 7
    assert told == {
        "kind": "verify",
        "club": sqlite_club.club,
        "begun_at": "2027-01-15T08:00:00Z",
        "ended_at": "2027-01-15T08:00:00Z",
        "sound": True,
    }


def test_all_is_inspected_now_when_that_is_asked_for(house: House, club: DemoClub) -> None:
    """So that who mended something need not wait for a day."""
    assert club
    for _ in range(2):
        done = run(house, "inspections", "--now", "--json")
        assert done.exit_code == 0, done.output
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert [(one["kind"], one["sound"]) for one in told] == [("drill", True), ("verify", True)]
        time.sleep(1)  # a backup is named after its second


def test_ages_and_faults_are_measured(sqlite_days: Days) -> None:
    """Of logs the one that was found sound longest ago; of drills the last sound one."""
    days = sqlite_days
    assert days.measured("inspection_age_seconds", "drill") is None
    assert days.measured("inspections_unsound", "drill") == 0
    days.verify()
    days.drill()
    days.now += 100 * SECOND
    assert days.measured("inspection_age_seconds", "verify") == 101
    assert days.measured("inspection_age_seconds", "drill") == 100

    meddle(days.house, "UPDATE events SET actor = 'nobody' WHERE position = 7")
    days.now += 24 * HOUR
    days.verify()
    days.drill()
    for kind in ("verify", "drill"):
        assert days.measured("inspections_unsound", kind) == 1
    assert days.measured("inspection_age_seconds", "verify") == 24 * 3600 + 102
    assert days.measured("inspection_age_seconds", "drill") == 24 * 3600 + 101


def test_a_log_that_was_never_verified_is_as_old_as_its_club(sqlite_days: Days) -> None:
    """So that a worker that never ran is told of."""
    days = sqlite_days
    days.now = days.house.ledger().clock()
    days.verify()
    days.now += HOUR
    demo.found(days.ledger, 4)
    days.now += 50 * SECOND
    assert days.measured("inspection_age_seconds", "verify") == 3650
    days.now += 25 * HOUR
    days.verify()
    assert days.measured("inspection_age_seconds", "verify") == 0


def _folder(days: Days, *, make: bool = True) -> Path:
    folder = days.house.settings.data / "backups"
    if make:
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _backups(days: Days) -> list[str]:
    return sorted(one.name for one in _folder(days).iterdir())

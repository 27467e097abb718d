"""The journal for beancount: a file that `bean-check` accepts, and that checks the books."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ledger import demo
from ledger.demo import DemoClub
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG
from projections.balances import as_known, as_of, as_true
from projections.exports.asked import LANGUAGES, Asked, Language
from projections.journal import postings
from tests.exports.conftest import Place
from tests.exports.hostile import DAY, HOSTILE
from tests.exports.known import balances, falsify, keep_books
from tests.exports.outside import made, run
from tests.projections.booked import reopen
from tests.world import Club, World

ALL: tuple[dict[str, Any], ...] = (
    {},
    {"first": "2027-01-18", "last": "2027-01-22"},
    {"by": "effective"},
    {"by": "effective", "first": "2027-01-18", "last": "2027-01-22"},
    {"first": "0001-01-01", "last": "9999-12-31"},
    {"last": "2020-01-01"},
    {"first": "2099-01-01"},
    {"position": 300},
)
"""What may be asked of a journal."""

COUNT = """
import json, sys
from collections import Counter
from beancount import loader
from beancount.core.data import Transaction
entries, errors, _ = loader.load_file(sys.argv[1])
points = Counter()
for entry in entries:
    for line in entry.postings if isinstance(entry, Transaction) else ():
        points[line.account] += int(line.units.number)
told = Counter(type(entry).__name__ for entry in entries)
print(json.dumps({"errors": len(errors), "told": told, "points": points}))
"""
"""A program of its own, since beancount's licence is not that of the tests."""


@pytest.fixture
def club(world: World) -> Club:
    """A club of four."""
    return world.club()


@pytest.fixture
def known(club: Club) -> Place:
    """The same with books that are known."""
    return keep_books(club)


def asked(language: Language = "en", **more: Any) -> Asked:
    return Asked("journal", "beancount", language=language, **more)


def fault(file: Path) -> str:
    """What beancount finds wrong with a file; nothing where it accepts all."""
    checked = run("bean-check", file)
    assert (checked.returncode == 0) == (checked.stderr == "")
    return checked.stderr


def read(file: Path) -> Any:
    """How many of each directive beancount finds, and the points of each account."""
    return json.loads(run(Path(sys.executable).name, "-c", COUNT, file).stdout)


def members(file: Path) -> dict[str, int]:
    """What each member with points has, as beancount adds it up."""
    above = "Assets:Members:"
    found = read(file)["points"].items()
    return {name.removeprefix(above): has for name, has in found if name.startswith(above) and has}


def changed(file: Path, *changes: tuple[str, str]) -> Path:
    """The file with some words of it changed, each of which it holds once."""
    text = file.read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    other = file.with_name("changed.beancount")
    other.write_text(text)
    return other


# --- what a file says ---------------------------------------------------------------------------


def test_an_entry_says_its_days_and_what_it_is_linked_with(known: Place, tmp_path: Path) -> None:
    """A reversal bears the number of what it undoes, and both that of their hand."""
    text = made(known, tmp_path, asked()).read_text()
    before, entry = text.split('2026-12-01 * "tbl_a" "Reversal of jrn_10" ')
    assert entry.partition("\n\n")[0].splitlines() == [
        "#reversal ^jrn_11 ^jrn_10 ^hand-tbl_a-1 ^table-tbl_a ^dsp_1",
        "  effective-date: 2026-11-28",
        '  entry: "jrn_11"',
        '  kind: "reversal"',
        '  table: "tbl_a"',
        '  hand: "tbl_a-1"',
        '  dispute: "dsp_1"',
        '  reverses: "jrn_10"',
        '  booked-at: "2027-01-15T08:00:15Z"',
        '  posted-by: "recorder key_recorder"',
        '  replay: "/v1/tables/tbl_a/hands/1"',
        *[line for line in entry.splitlines() if line.startswith("  hash: ")][:1],
        "  Assets:Members:M-0001  -24 PTS",
        "  Assets:Members:M-0002  24 PTS",
    ]
    assert '"Hand 1" #settlement ^jrn_10 ^hand-tbl_a-1 ^table-tbl_a\n' in before
    assert '  reversed-by: "jrn_11"\n  corrected-by: "jrn_12"\n' in before


def test_entries_stand_in_the_order_of_their_days(known: Place, tmp_path: Path) -> None:
    """The hand of the 29th was settled when there was an entry of the 30th."""
    text = made(known, tmp_path, asked()).read_text()
    heads = [line.split(" ^")[0] for line in text.splitlines() if " * " in line]
    assert heads == [
        '2026-11-18 * "Allowance" "Top-up" #allowance',
        '2026-11-29 * "tbl_a" "Hand 1" #settlement',
        '2026-11-30 * "Allowance" "Top-up" #allowance',
        '2026-12-01 * "tbl_a" "Reversal of jrn_10" #reversal',
        '2026-12-01 * "tbl_a" "Hand 1 corrected" #correction',
        '2026-12-01 * "Close 1" "Close of period 1" #closing',
    ]


def test_a_line_of_zero_points_stays_a_line(known: Place, tmp_path: Path) -> None:
    text = made(known, tmp_path, asked()).read_text()
    assert "  Assets:Members:M-0003  -5 PTS\n  Equity:Points:Issued  0 PTS\n\n" in text


def test_the_close_of_the_last_day_is_asserted_on_the_day_after_it(
    known: Place, tmp_path: Path
) -> None:
    """Of every account, of all members, and of the points issued; then what was closed."""
    text = made(known, tmp_path, asked(last="2026-12-31")).read_text()
    *_, foot = text.split("\n\n")
    *balances_told, closed = foot.splitlines()
    assert balances_told == [
        "2027-01-01 balance Equity:Points:Issued  0 PTS",
        "2027-01-01 balance Assets:Members:M-0001  16 PTS",
        "2027-01-01 balance Assets:Members:M-0002  -16 PTS",
        "2027-01-01 balance Assets:Members:M-0003  0 PTS",
        "2027-01-01 balance Assets:Members:M-0004  0 PTS",
        "2027-01-01 balance Assets:Members  0 PTS",
    ]
    assert closed.startswith('2026-12-01 custom "period-close" "1" 2026-11-20 "clear" "sha256:')


def test_a_closing_that_was_undone_is_told_so(known: Place, club: Club, tmp_path: Path) -> None:
    """Reopened on 2 December: that stands beside the closing, and in an entry of its own."""
    reopen(club, 1, {0: 1005, 1: 1000, 2: -5}, last="2026-11-20")
    file = made(known, tmp_path, asked())
    customs = [line.split(' "sha')[0] for line in file.read_text().splitlines() if "custom" in line]
    assert customs == [
        '2026-12-01 custom "period-close" "1" 2026-11-20 "clear"',
        '2026-12-02 custom "period-reopen" "1" 2026-11-20',
    ]
    assert (
        '"Close 1" "Reversal of jrn_13" #reversal ^jrn_14 ^jrn_13 ^period-1\n' in file.read_text()
    )
    assert fault(file) == ""
    earlier = made(known, tmp_path, asked(position=13)).read_text()
    assert "period-reopen" not in earlier


def test_part_of_the_time_begins_with_what_each_account_had(known: Place, tmp_path: Path) -> None:
    file = made(known, tmp_path, asked(first="2026-11-29", last="2026-11-30"))
    text = file.read_text()
    assert (
        '2026-11-29 * "Balances before" #before\n'
        "  Equity:Points:Issued  -2000 PTS\n"
        "  Assets:Members:M-0001  1000 PTS\n"
        "  Assets:Members:M-0002  1000 PTS\n\n"
    ) in text
    assert "2026-12-01 balance Assets:Members:M-0001  1029 PTS\n" in text
    assert "custom" not in text
    assert fault(file) == ""
    assert members(file) == {"M-0001": 1029, "M-0002": 976, "M-0003": -5}
    assert members(file) == balances(known, as_known("2026-11-30"))


def test_by_the_days_that_count_each_entry_stands_on_its_own(known: Place, tmp_path: Path) -> None:
    """Up to 20 November: the allowance and the clearing that were booked later for that day."""
    file = made(known, tmp_path, asked(by="effective", last="2026-11-20"))
    text = file.read_text()
    assert [line.split(" #")[0] for line in text.splitlines() if " * " in line] == [
        '2026-11-18 * "Allowance" "Top-up"',
        '2026-11-20 * "Allowance" "Top-up"',
        '2026-11-20 * "Close 1" "Close of period 1"',
    ]
    assert "  booked-date: 2026-12-01\n" in text
    assert '2026-11-20 custom "period-close" "1" 2026-11-20 "clear" "sha256:' in text
    assert fault(file) == ""
    assert members(file) == balances(known, as_true("2026-11-20")) == {}


def test_an_earlier_position_knows_nothing_of_what_came_later(known: Place, tmp_path: Path) -> None:
    """As of the settlement the hand is not reversed, though it is by now."""
    file = made(known, tmp_path, asked(position=10))
    text = file.read_text()
    assert "jrn_10" in text
    assert "jrn_11" not in text
    assert "jrn_12" not in text
    assert "custom" not in text
    assert members(file) == balances(known, as_of(10))


# --- what beancount makes of it -----------------------------------------------------------------


def test_one_number_changed_is_found(known: Place, tmp_path: Path) -> None:
    file = changed(made(known, tmp_path, asked()), ("M-0001  24 PTS", "M-0001  25 PTS"))
    assert "Transaction does not balance" in fault(file)


def test_two_numbers_changed_are_found_though_the_entry_balances(
    known: Place, tmp_path: Path
) -> None:
    changes = (("M-0001  24 PTS", "M-0001  25 PTS"), ("M-0002  -24 PTS", "M-0002  -25 PTS"))
    found = fault(changed(made(known, tmp_path, asked()), *changes))
    assert "Balance failed for 'Assets:Members:M-0001': expected 16 PTS" in found


def test_a_balance_changed_is_found(known: Place, tmp_path: Path) -> None:
    changes = ("balance Assets:Members:M-0004  0 PTS", "balance Assets:Members:M-0004  1 PTS")
    assert "Balance failed" in fault(changed(made(known, tmp_path, asked()), changes))


def test_books_that_were_falsified_are_found(known: Place, tmp_path: Path) -> None:
    """Lines that say other points than the accounts were moved by, in the database itself.

    The file asserts what the accounts have, which is kept apart from the lines.
    """
    assert fault(made(known, tmp_path, asked())) == ""
    falsify(known, 12)
    assert "Balance failed" in fault(made(known, tmp_path, asked()))
    assert "Balance failed" in fault(made(known, tmp_path, asked(by="effective")))
    assert "Balance failed" in fault(made(known, tmp_path, asked(first="2026-11-30")))


def test_a_club_that_plays_every_game_is_accepted(world: World, tmp_path: Path) -> None:
    club = world.club(6)
    players = DemoClub(club.id, "", "", club.recorder.actor, club.members)
    for days, key in enumerate(CATALOG, 1):
        world.now += DAY
        assert list(demo.play_days(world.ledger, players, (key,), 1, 1, seed=days)) == [0]
    world.settle()
    place = Place(world.database, club.id)
    file = made(place, tmp_path, asked())
    assert fault(file) == ""
    assert members(file) == balances(place, as_of(2**62))


def test_an_empty_club_is_accepted(world: World, tmp_path: Path) -> None:
    file = made(Place(world.database, world.club(2).id), tmp_path, asked())
    assert fault(file) == ""
    assert read(file)["told"] == {"Commodity": 1, "Open": 4, "Balance": 4}


# --- a hostile club -----------------------------------------------------------------------------


@pytest.mark.parametrize("part", ALL, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_people_are_called_the_file_is_accepted(
    hostile: Place, tmp_path: Path, language: Language, part: dict[str, Any]
) -> None:
    assert fault(made(hostile, tmp_path, asked(language, **part))) == ""


def test_nobodys_name_makes_an_entry_or_an_account(hostile: Place, tmp_path: Path) -> None:
    """beancount counts the entries and accounts of the journal, and each has what the API says."""
    file = made(hostile, tmp_path, asked())
    with hostile.database.read() as connection:
        entries = connection.scalar(select(func.count(postings.c.position.distinct())))
    everybody = len(HOSTILE) + 1
    assert read(file)["errors"] == 0
    assert read(file)["told"] == {
        "Commodity": 1,
        "Open": everybody + 2,
        "Transaction": entries,
        "Balance": everybody + 2,
        "Custom": 1,
    }
    assert members(file) == balances(hostile, as_of(2**62))


def test_the_same_is_asked_twice_and_the_same_is_told(hostile: Place, tmp_path: Path) -> None:
    first = made(hostile, tmp_path, asked()).read_bytes()
    assert made(hostile, tmp_path, asked()).read_bytes() == first


@pytest.mark.parametrize(
    "part", [{"member": "M-0001"}, {"table": "tbl_a"}, {"entry_kind": "allowance"}], ids=str
)
def test_part_of_the_entries_is_refused(known: Place, tmp_path: Path, part: dict[str, Any]) -> None:
    """Accounts without some of their entries have other balances than the club's."""
    with pytest.raises(Refused) as refusal:
        made(known, tmp_path, asked(**part))
    assert refusal.value.code == "export_filter"

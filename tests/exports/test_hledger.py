"""The journal for hledger: a file that its checks accept, and that checks the books."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ledger import demo
from ledger.database import Database
from ledger.demo import DemoClub
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG
from projections.balances import as_known, as_of, as_true
from projections.exports.asked import LANGUAGES, Asked, Language
from projections.journal import postings
from tests.exports.conftest import Place
from tests.exports.hostile import DAY, HOSTILE, TODAY, hostile_club
from tests.exports.known import balances, falsify, keep_books
from tests.exports.outside import made, run
from tests.world import World

CHECKS = ("accounts", "commodities", "payees", "ordereddates", "uniqueleafnames")
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


@pytest.fixture
def known(world: World) -> Place:
    """The club whose books are known."""
    return keep_books(world.club())


def asked(language: Language = "en", **more: Any) -> Asked:
    return Asked("journal", "hledger", language=language, **more)


def fault(file: Path) -> str:
    """What hledger finds wrong with a file; nothing where it accepts all."""
    checked = run("hledger", "-f", file, "check", "-s", *CHECKS)
    assert (checked.returncode == 0) == (checked.stderr == "")
    return checked.stderr


def told(file: Path, *words: str) -> dict[str, int]:
    """The balance of each member who has any, as hledger tells it."""
    query = ("bal", "-N", "-O", "csv", "assets:members", *words)
    _, *rows = csv.reader(run("hledger", "-f", file, *query).stdout.splitlines())
    return {name.removeprefix("assets:members:"): int(has.split()[0]) for name, has in rows}


def changed(file: Path, *changes: tuple[str, str]) -> Path:
    """The file with some words of it changed, each of which it holds once."""
    text = file.read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    other = file.with_name("changed.journal")
    other.write_text(text)
    return other


# --- what a file says ---------------------------------------------------------------------------


def test_an_entry_says_its_days_its_links_and_what_each_account_has_then(
    known: Place, tmp_path: Path
) -> None:
    """A correction, booked on 1 December for a hand of 28 November; its hash ends the tags."""
    text = made(known, tmp_path, asked()).read_text()
    before, entry = text.split("2026-12-01=2026-11-28 * (jrn_12) ")
    assert entry.partition("\n\n")[0].splitlines() == [
        "tbl_a | Hand 1 corrected",
        "    ; entry:jrn_12",
        "    ; kind:correction",
        "    ; table:tbl_a",
        "    ; hand:tbl_a-1",
        "    ; dispute:dsp_1",
        "    ; corrects:jrn_10",
        "    ; booked-at:2027-01-15T08:00:16Z",
        "    ; posted-by:recorder key_recorder",
        "    ; replay:/v1/tables/tbl_a/hands/1",
        *[line for line in entry.splitlines() if line.startswith("    ; hash:")][:1],
        "    ; effective:2026-11-28",
        "    assets:members:M-0001  16 PTS = 1021 PTS",
        "    assets:members:M-0002  -16 PTS = 984 PTS",
    ]
    assert "    ; reversed-by:jrn_11\n    ; corrected-by:jrn_12\n" in before


def test_entries_stand_in_the_order_of_their_days(known: Place, tmp_path: Path) -> None:
    """The hand of the 29th was settled when there was an entry of the 30th; it stands before it,
    and the balances are those of this order.
    """
    text = made(known, tmp_path, asked()).read_text()
    heads = [line for line in text.splitlines() if line.startswith("2026-")]
    assert heads == [
        "2026-11-18 * (jrn_6) Allowance | Top-up",
        "2026-11-29=2026-11-28 * (jrn_10) tbl_a | Hand 1",
        "2026-11-30=2026-11-20 * (jrn_7) Allowance | Top-up",
        "2026-12-01=2026-11-28 * (jrn_11) tbl_a | Reversal of jrn_10",
        "2026-12-01=2026-11-28 * (jrn_12) tbl_a | Hand 1 corrected",
        "2026-12-01=2026-11-20 * (jrn_13) Close 1 | Close of period 1",
        "2026-12-01 * Control totals",
    ]
    assert "    assets:members:M-0001  24 PTS = 1024 PTS\n" in text
    assert "    assets:members:M-0001  5 PTS = 1029 PTS\n" in text


def test_a_line_of_zero_points_stays_a_line(known: Place, tmp_path: Path) -> None:
    text = made(known, tmp_path, asked()).read_text()
    assert "    equity:points:issued  0 PTS = -2000 PTS\n" in text


def test_part_of_the_time_begins_with_what_each_account_had(known: Place, tmp_path: Path) -> None:
    file = made(known, tmp_path, asked(first="2026-11-29", last="2026-11-30"))
    text = file.read_text()
    assert (
        "2026-11-29 * Balances before\n"
        "    equity:points:issued  -2000 PTS\n"
        "    assets:members:M-0001  1000 PTS\n"
        "    assets:members:M-0002  1000 PTS\n"
    ) in text
    assert text.endswith(
        "2026-11-30 * Control totals\n"
        "    equity:points:issued  0 PTS == -2000 PTS\n"
        "    assets:members:M-0001  0 PTS == 1029 PTS\n"
        "    assets:members:M-0002  0 PTS == 976 PTS\n"
        "    assets:members:M-0003  0 PTS == -5 PTS\n"
        "    assets:members:M-0004  0 PTS == 0 PTS\n"
        "    assets:members  0 PTS ==* 2000 PTS\n"
    )
    assert fault(file) == ""


def test_by_the_days_that_count_the_closing_stands_before_the_hand(
    known: Place, tmp_path: Path
) -> None:
    """Each entry stands on the day from which it counts, with the day of booking as its second."""
    file = made(known, tmp_path, asked(by="effective"))
    heads = [line for line in file.read_text().splitlines() if line.startswith("2026-")]
    assert heads == [
        "2026-11-18 * (jrn_6) Allowance | Top-up",
        "2026-11-20=2026-11-30 * (jrn_7) Allowance | Top-up",
        "2026-11-20=2026-12-01 * (jrn_13) Close 1 | Close of period 1",
        "2026-11-28=2026-11-29 * (jrn_10) tbl_a | Hand 1",
        "2026-11-28=2026-12-01 * (jrn_11) tbl_a | Reversal of jrn_10",
        "2026-11-28=2026-12-01 * (jrn_12) tbl_a | Hand 1 corrected",
        "2026-11-28 * Control totals",
    ]
    assert fault(file) == ""


def test_an_earlier_position_knows_nothing_of_what_came_later(known: Place, tmp_path: Path) -> None:
    """As of the settlement the hand is not reversed, though it is by now."""
    text = made(known, tmp_path, asked(position=10)).read_text()
    assert "(jrn_10)" in text
    assert "jrn_11" not in text
    assert "jrn_12" not in text
    assert "assets:members  0 PTS ==* 2000 PTS\n" in text


# --- what hledger makes of it -------------------------------------------------------------------


def test_hledger_tells_what_was_known_and_what_is_true_as_the_api_does(
    known: Place, tmp_path: Path
) -> None:
    """As known on 30 November the hand stands as it was settled, as true it stands corrected."""
    file = made(known, tmp_path, asked())
    until = ("-e", "2026-12-01")
    was_known, is_true = told(file, *until), told(file, "--date2", *until)
    assert was_known == {"M-0001": 1029, "M-0002": 976, "M-0003": -5}
    assert is_true == {"M-0001": 16, "M-0002": -16}
    assert was_known == balances(known, as_known("2026-11-30"))
    assert is_true == balances(known, as_true("2026-11-30"))


def test_a_file_by_the_days_that_count_tells_both_the_other_way_round(
    known: Place, tmp_path: Path
) -> None:
    file = made(known, tmp_path, asked(by="effective"))
    until = ("-e", "2026-12-01")
    assert told(file, *until) == {"M-0001": 16, "M-0002": -16}
    assert told(file, "--date2", *until) == {"M-0001": 1029, "M-0002": 976, "M-0003": -5}


def test_one_number_changed_is_found(known: Place, tmp_path: Path) -> None:
    file = changed(made(known, tmp_path, asked()), ("M-0001  24 PTS", "M-0001  25 PTS"))
    assert "could not balance" in fault(file)


def test_two_numbers_changed_are_found_though_the_entry_balances(
    known: Place, tmp_path: Path
) -> None:
    changes = (("M-0001  24 PTS", "M-0001  25 PTS"), ("M-0002  -24 PTS", "M-0002  -25 PTS"))
    assert "balance assertion" in fault(changed(made(known, tmp_path, asked()), *changes))


def test_books_that_were_falsified_are_found(known: Place, tmp_path: Path) -> None:
    """Lines that say other points than the accounts were moved by, in the database itself.

    The file asserts what the accounts have, which is kept apart from the lines.
    """
    made(known, tmp_path, asked())
    falsify(known, 12)
    assert "balance assertion" in fault(made(known, tmp_path, asked()))
    assert "balance assertion" in fault(made(known, tmp_path, asked(by="effective")))
    assert "balance assertion" in fault(made(known, tmp_path, asked(first="2026-11-30")))


def test_a_club_that_plays_every_game_is_accepted(world: World, tmp_path: Path) -> None:
    club = world.club(6)
    players = DemoClub(club.id, "", "", club.recorder.actor, club.members)
    for days, key in enumerate(CATALOG, 1):
        world.now += DAY
        assert list(demo.play_days(world.ledger, players, (key,), 1, 1, seed=days)) == [0]
    world.settle()
    file = made(Place(world.database, club.id), tmp_path, asked())
    assert fault(file) == ""
    assert told(file) == {code: points for code, points in _codes(club.balances()) if points}


def _codes(points: dict[str, int]) -> list[tuple[str, int]]:
    return [(f"M-{number:04}", has) for number, has in enumerate(points.values(), 1)]


def test_an_empty_club_is_accepted(world: World, tmp_path: Path) -> None:
    file = made(Place(world.database, world.club(2).id), tmp_path, asked())
    assert fault(file) == ""
    assert file.read_text().endswith(
        "2027-01-15 * Control totals\n"
        "    equity:points:issued  0 PTS == 0 PTS\n"
        "    assets:members:M-0001  0 PTS == 0 PTS\n"
        "    assets:members:M-0002  0 PTS == 0 PTS\n"
        "    assets:members  0 PTS ==* 0 PTS\n"
    )


# --- a hostile club -----------------------------------------------------------------------------


@pytest.mark.parametrize("part", ALL, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_people_are_called_the_file_is_accepted(
    hostile: Place, tmp_path: Path, language: Language, part: dict[str, Any]
) -> None:
    assert fault(made(hostile, tmp_path, asked(language, **part))) == ""


def test_nobodys_name_makes_an_entry_an_account_or_a_tag(hostile: Place, tmp_path: Path) -> None:
    """hledger counts the entries and accounts of the journal, and knows the ledger's tags alone."""
    file = made(hostile, tmp_path, asked())
    stats = run("hledger", "-f", file, "stats").stdout
    with hostile.database.read() as connection:
        count = select(func.count(postings.c.position.distinct()))
        entries = connection.execute(count).scalar_one()
    assert f": {entries + 1} (" in next(
        line for line in stats.splitlines() if line.startswith("Transactions  ")
    )
    accounts = run("hledger", "-f", file, "accounts").stdout.split()
    members = [f"assets:members:M-{number:04}" for number in range(1, len(HOSTILE) + 2)]
    assert accounts == ["assets:members", *members, "equity:points:issued"]
    assert set(run("hledger", "-f", file, "tags").stdout.split()) == {
        *("allowance", "booked-at", "corrected-by", "corrects", "dispute", "effective", "entry"),
        *("hand", "hash", "kind", "nick", "note", "period", "posted-by", "replay"),
        *("reversed-by", "reverses", "table", "type"),
    }


def test_a_hostile_club_has_what_the_api_says(hostile: Place, tmp_path: Path) -> None:
    file = made(hostile, tmp_path, asked())
    assert told(file) == balances(hostile, as_of(2**62))
    for day in ("2027-01-18", "2027-01-21", "2027-01-22", TODAY):
        until = ("-e", f"{day[:-2]}{int(day[-2:]) + 1}")
        assert told(file, *until) == balances(hostile, as_known(day))
        assert told(file, "--date2", *until) == balances(hostile, as_true(day))


def test_the_same_is_asked_twice_and_the_same_is_told(hostile: Place, tmp_path: Path) -> None:
    first = made(hostile, tmp_path, asked()).read_bytes()
    assert made(hostile, tmp_path, asked()).read_bytes() == first


@pytest.mark.deep
def test_the_file_is_the_same_from_another_database(
    hostile: Place, postgresql_url: str, tmp_path: Path
) -> None:
    database = Database.open(postgresql_url)
    other = Place(database, hostile_club(World(database)).id)
    first = made(hostile, tmp_path, asked()).read_bytes()
    assert made(other, tmp_path, asked()).read_bytes() == first
    database.close()


@pytest.mark.parametrize(
    "part", [{"member": "M-0001"}, {"table": "tbl_a"}, {"entry_kind": "allowance"}], ids=str
)
def test_part_of_the_entries_is_refused(known: Place, tmp_path: Path, part: dict[str, Any]) -> None:
    """Accounts without some of their entries have other balances than the club's."""
    with pytest.raises(Refused) as refusal:
        made(known, tmp_path, asked(**part))
    assert refusal.value.code == "export_filter"

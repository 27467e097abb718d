"""What may be asked of an export, and that the same is given for the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import acts
from ledger.refusal import Refused
from projections.exports.asked import Asked
from projections.exports.catalog import KINDS
from projections.exports.checking import check
from tests.exports.conftest import Place
from tests.exports.made import JSON, Maker
from tests.world import World

OF_THE_LOG = [name for name, kind in KINDS.items() if "position" in kind.filters]


@pytest.fixture
def maker(hostile: Place, tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Makes exports of the hostile club."""
    return Maker(hostile.database, hostile.club, lambda: tmp_path_factory.mktemp("export"))


@pytest.mark.parametrize("kind", OF_THE_LOG)
def test_as_of_a_position_the_bytes_are_those_of_then(
    world: World, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    """Whatever has come since: given the position that an export tells, it is the same again."""
    club = world.club()
    club.match()
    club.catch_up()
    maker = Maker(world.database, club.id, lambda: tmp_path_factory.mktemp("export"))
    then, file = maker.make(kind)

    club.match()
    acts.join_member(club.desk_of_owner, "Later")
    club.catch_up()
    again, same = maker.make(kind, position=then.position)
    now, other = maker.make(kind)

    assert same.read_bytes() == file.read_bytes()
    assert again.manifest == then.manifest | {"filters": again.manifest["filters"]}
    assert now.rows > then.rows
    assert other.read_bytes() != file.read_bytes()


def test_a_position_that_is_not_there_yet_is_refused(maker: Maker) -> None:
    """Nobody gets less than he asked for."""
    with pytest.raises(Refused) as refused:
        maker.make("journal", position=10**9)
    assert refused.value.code == "position_ahead"


def test_the_manifest_tells_what_lies_beside_it(maker: Maker) -> None:
    """Whose it is, by which clock, of which part, as of what in the chain, what it comes to."""
    made, file = maker.make("journal", "csv", first="2027-01-16", last="2027-01-25")
    beside = file.with_name(file.name + ".manifest.json")
    manifest = json.loads(beside.read_bytes())

    assert file.name == f"journal_2027-01-16_2027-01-25_{made.position}.csv"
    assert manifest["filters"] == {"first": "2027-01-16", "last": "2027-01-25", "by": "booked"}
    assert (manifest["timezone"], manifest["day_cutoff"]) == ("Asia/Shanghai", "05:00")
    assert manifest["generated_at"] == "2027-01-15T08:00:00Z"
    assert manifest["position"] == made.position
    assert manifest["files"][0]["bytes"] == file.stat().st_size
    assert len(bytes.fromhex(manifest["head"])) == 32
    assert manifest["rows"] == made.rows
    assert set(manifest["totals"]) == {"debit", "credit"}


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_a_machine_elsewhere_gives_the_same_bytes(
    hostile: Place, maker: Maker, tmp_path: Path, zone: str
) -> None:
    """Another clock, another language, another order of hashes: not a byte is another."""
    _, file = maker.make("journal", "csv")
    _, statement = maker.make("member_statement", "json", language="zh")
    program = (
        "import sys; from pathlib import Path; from ledger.database import Database;"
        "from projections.exports.asked import Asked; from projections.exports.making import make;"
        "database = Database.open(sys.argv[1]); folder = Path(sys.argv[3]);"
        "make(database, sys.argv[2], Asked('journal', 'csv'), folder, 7);"
        "make(database, sys.argv[2], Asked('member_statement', 'json', language='zh'), folder, 7)"
    )
    url = hostile.database.reader.url.render_as_string(hide_password=False)
    environment = {**os.environ, "TZ": zone, "LC_ALL": "C", "PYTHONHASHSEED": "77"}
    command = [sys.executable, "-c", program, url, hostile.club, str(tmp_path)]
    subprocess.run(command, env=environment, check=True)

    assert (tmp_path / file.name).read_bytes() == file.read_bytes()
    assert (tmp_path / statement.name).read_bytes() == statement.read_bytes()


def test_columns_are_given_in_the_order_of_asking(maker: Maker) -> None:
    """And the sums of those alone."""
    made, file = maker.make("journal", "csv", columns=("credit", "entry_no"))
    with file.open(encoding="utf-8", newline="") as lines:
        assert next(lines) == "credit,entry_no\r\n"
    assert list(made.totals) == ["credit"]

    made, file = maker.make("journal", "csv", columns=("kind",))
    with file.open(encoding="utf-8", newline="") as rows:
        assert next(rows) == "kind\r\n"
        assert next(rows) == "allowance\r\n"


def test_moments_are_told_by_the_clock_that_is_asked_for(maker: Maker) -> None:
    """In the club's own zone, or in another; UTC stands beside either."""
    [first, *_] = maker.rows("journal")
    [other, *_] = maker.rows("journal", timezone="Europe/Berlin")
    assert first["booked_at_utc"] == other["booked_at_utc"]
    hour = int(first["booked_at_utc"][11:13])
    assert int(first["booked_at_local"][11:13]) == (hour + 8) % 24
    assert int(other["booked_at_local"][11:13]) == (hour + 1) % 24


def test_entries_can_be_narrowed(maker: Maker) -> None:
    """By what they are, whose they are, of which table and ruleset."""
    corrected = maker.rows("journal", entry_kind="correction")
    assert {row["kind"] for row in corrected} == {"correction"}
    assert {row["corrects"] for row in corrected} != {None}

    [table, *_] = {row["table_id"] for row in corrected}
    of_table = maker.rows("journal", table=table)
    assert {row["table_id"] for row in of_table} == {table}
    kinds = [row["kind"] for row in of_table]
    assert {"settlement", "reversal", "correction"} == set(kinds)

    lines = maker.rows("settlement_lines", ruleset="zhuoji/1")
    assert {row["rule"].split()[0] for row in lines} == {"zhuoji/1"}
    mine = maker.rows("settlement_lines", member="M-0003")
    assert all("M-0003" in (row["payer"], row["payee"]) for row in mine)


@pytest.mark.parametrize(
    ("asked", "code", "pointer"),
    [
        (Asked("books", "csv"), "export_kind", "/kind"),
        (Asked("pairs", "beancount"), "export_format", "/format"),
        (Asked("pairs", "csv", position=3), "export_filter", "/position"),
        (Asked("pairs", "csv", by="effective"), "export_filter", "/by"),
        (Asked("journal", "hledger", member="M-0001"), "export_filter", "/member"),
        (Asked("journal", "beancount", table="tbl_1"), "export_filter", "/table"),
        (Asked("journal", "csv", entry_kind="gift"), "export_choice", "/entry_kind"),
        (Asked("pairs", "csv", ruleset="riichi/1"), "export_choice", "/ruleset"),
        (Asked("pairs", "csv", columns=("secret",)), "export_column", "/columns"),
        (Asked("pairs", "csv", columns=("net", "net")), "export_column", "/columns"),
        (Asked("journal", "hledger", columns=("debit",)), "export_columns_fixed", "/columns"),
        (Asked("journal", "csv", timezone="Mars/Base"), "zone_unknown", "/timezone"),
        (Asked("pairs", "csv", first="2027-02-01", last="2027-01-01"), "export_days", "/first"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(asked: Asked, code: str, pointer: str) -> None:
    """With the place of what is wrong, and what there is instead."""
    with pytest.raises(Refused) as refused:
        check(asked)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"member": "M-9999"}, "member_unknown"), ({"table": "tbl_x"}, "table_unknown")],
)
def test_whom_the_club_has_not_is_refused(maker: Maker, asked: JSON, code: str) -> None:
    """A name of nobody gives no empty file."""
    with pytest.raises(Refused) as refused:
        maker.make("journal", **asked)
    assert refused.value.code == code


def test_a_club_that_is_not_there_is_refused(hostile: Place, tmp_path: Path) -> None:
    """Before anything is written."""
    with pytest.raises(Refused) as refused:
        Maker(hostile.database, "club_none", lambda: tmp_path).make("journal")
    assert refused.value.code == "club_unknown"
    assert list(tmp_path.iterdir()) == []

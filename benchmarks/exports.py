"""How long exports of a million postings take, and how much memory, beside the csv module alone.

    python -m benchmarks.exports [POSTINGS]

A SQLite file is filled by bulk load: a club, members, and entries of four lines, each with an event
behind it. Every form is written in a process of its own, whose memory before and at its height is
told; the rows of the CSV, read into memory, are written by the csv module for comparison. The
figures go to standard output as a table. Run it on a quiet machine.
"""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import insert, update

from ledger import access, demo
from ledger.database import Database, upgrade
from ledger.settings import load
from ledger.store import events, heads
from projections.checkpoint import checkpoints
from projections.exports.asked import Asked
from projections.exports.making import make
from projections.journal import accounts, journal, postings
from projections.projection import catch_up
from wsgi import House

POSTINGS = 1_000_000
MEMBERS = 200
LINES = 4
AT_ONCE = 5_000
NOW = 1_796_000_000_000_000
MINUTE = 60_000_000
FORMS = ("csv", "ndjson", "csv_excel", "json", "hledger", "beancount", "xlsx")
KINDS = ("general_ledger", "member_statement", "trial_balance")
Facts = dict[str, Any]


def fill(url: str, folder: Path, wanted: int) -> str:
    """A club with so many postings; its id."""
    upgrade(url)
    house = House(load({"PAIZHANG_DATA": str(folder), "PAIZHANG_DATABASE_URL": url}))
    club = demo.found(house.ledger(), MEMBERS)
    catch_up(house.database, club.club)
    with house.database.read() as connection:
        [head] = connection.execute(heads.select().where(heads.c.club == club.club))
    having = dict.fromkeys(club.members, 0)
    versions = dict.fromkeys(club.members, 0)
    for first in range(0, wanted // LINES, AT_ONCE):
        entries = range(first, min(first + AT_ONCE, wanted // LINES))
        with house.database.write() as connection:
            rows = [_entry(club.club, head.position, one) for one in entries]
            connection.execute(insert(events), [row[0] for row in rows])
            connection.execute(insert(journal), [row[1] for row in rows])
            lines = [line for one in entries for line in _lines(club, head.position, one, having)]
            for line in lines:
                versions[line["account"]] += 1
                line["version"] = versions[line["account"]]
            connection.execute(insert(postings), lines)
    _finish(house.database, club.club, head.position + wanted // LINES, having, versions)
    house.close()
    return club.club


def _moment(number: int) -> tuple[int, str]:
    """When an entry was booked: one a minute; and its day."""
    at = NOW + number * MINUTE
    return at, time.strftime("%Y-%m-%d", time.gmtime(at // 1_000_000 + 3 * 3600))


def _entry(club: str, head: int, number: int) -> tuple[Facts, Facts]:
    """An event, of which only the hash counts here, and its entry."""
    at, day = _moment(number)
    position, seal = head + 1 + number, hashlib.sha256(str(number).encode()).digest()
    table = f"tbl_{number // 8:020x}"
    event = {
        **{"club": club, "position": position, "stream": f"hand/{table}/{number % 8 + 1}"},
        **{"version": 1, "type": "HandSettled/1", "recorded_at": at, "actor": "worker"},
        **{"role": "worker", "command": seal, "public": b"{}", "slots": b"", "digests": b""},
        **{"leaf": seal, "hash": seal},
    }
    entry = {
        **{"club": club, "generation": 1, "position": position, "kind": "settlement"},
        **{"occurred_at": at, "effective_date": day, "booked_date": day, "booked_at": at},
        **{"table_id": table, "number": number % 8 + 1, "actor": "worker", "role": "worker"},
        **{"lines": LINES, "amount": 6},
    }
    return event, entry


def _lines(club: Any, head: int, number: int, having: dict[str, int]) -> Iterator[Facts]:
    """The lines of an entry: one member wins two points of each of three others."""
    at, day = _moment(number)
    seats = [club.members[(number * 7 + 13 * seat) % MEMBERS] for seat in range(LINES)]
    for line, (member, points) in enumerate(zip(seats, (6, -2, -2, -2), strict=True), 1):
        having[member] += points
        others = [one for one in seats if one != member] if points > 0 else seats[:1]
        share = 2 if points > 0 else -2
        yield {
            **{"club": club.club, "generation": 1, "account": member, "line": line},
            **{"position": head + 1 + number, "points": points, "balance_after": having[member]},
            **{"effective_date": day, "booked_date": day, "booked_at": at},
            "counterparties": [{"member": other, "points": share} for other in others],
        }


def _finish(
    database: Database, club: str, position: int, having: dict[str, int], versions: dict[str, int]
) -> None:
    """Let the accounts and the marks say what was loaded."""
    with database.write() as connection:
        for member, points in having.items():
            mine = (accounts.c.club == club) & (accounts.c.account == member)
            told = {"points": points, "version": versions[member]}
            connection.execute(update(accounts).where(mine).values(told))
        mine_too = checkpoints.c.club == club
        connection.execute(update(checkpoints).where(mine_too).values(position=position))
        connection.execute(
            update(heads).where(heads.c.club == club).values(position=position, recorded_at=NOW)
        )


# --- one export, in a process of its own --------------------------------------------------------


def export(url: str, folder: str, kind: str, form: str) -> None:
    """Make an export and tell what it took."""
    database = Database.open(url)
    with database.read() as connection:
        club = access.first_club(connection) or ""
    before, begun, used = _peak(), time.perf_counter(), time.process_time()
    made = make(database, club, Asked(kind, form), Path(folder), NOW)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used
    told = {"rows": made.rows, "seconds": seconds, "cpu": cpu, "bytes": made.files[0].bytes}
    print(json.dumps({**told, "before": before, "peak": _peak(), "file": made.files[0].name}))


def _peak() -> int:
    """The most memory that this process has had since it began its program, in megabytes."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(one for one in told.splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


def compare(path: str, folder: str) -> None:
    """Write the rows of a CSV, read into memory, by the csv module alone."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    begun = time.perf_counter()
    with (Path(folder) / "alone.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\r\n").writerows(rows)
    print(json.dumps({"rows": len(rows) - 1, "seconds": time.perf_counter() - begun}))


def _run(*arguments: str) -> Facts:
    command = [sys.executable, "-m", "benchmarks.exports", *arguments]
    told: Facts = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return told


def main(wanted: int) -> None:
    """Fill a file, and tell what each export of it took."""
    with TemporaryDirectory() as name:
        folder, out = Path(name), Path(name) / "out"
        out.mkdir()
        url = f"sqlite:///{folder}/paizhang.db"
        fill(url, folder, wanted)
        print("| export | rows | s | CPU s | rows/s | MB | idle MB | peak MB |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for kind, form in [*(("journal", form) for form in FORMS), *((k, "csv") for k in KINDS)]:
            told = _run("export", url, str(out), kind, form)
            rate = round(told["rows"] / told["seconds"])
            times = f"{told['seconds']:.1f} | {told['cpu']:.1f} | {rate:,}"
            memory = f"{told['bytes'] >> 20} | {told['before']} | {told['peak']}"
            print(f"| {kind} as {form} | {told['rows']:,} | {times} | {memory} |", flush=True)
            if (kind, form) == ("journal", "csv"):
                alone = _run("compare", str(out / told["file"]), str(out))
                took = f"{alone['seconds']:.1f} | | {round(alone['rows'] / alone['seconds']):,}"
                print(f"| the same rows, csv alone | {alone['rows']:,} | {took} | | | |")
            (out / told["file"]).unlink()


if __name__ == "__main__":
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
    elif sys.argv[1:2] == ["compare"]:
        compare(*sys.argv[2:])
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else POSTINGS)
